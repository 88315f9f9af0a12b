#include "json/schema.h"

#include <doctest/doctest.h>

#include <cstdlib>

#include "base/file.h"

using namespace dp2trace;  // NOLINT(google-build-using-namespace): test file

namespace {

const std::string kSchemaPath = DP2TRACE_SOURCE_DIR "/traces/schema.json";

}  // namespace

TEST_CASE(
    "Schema: traces/schema.json is what the tables say (DP2TRACE_UPDATE_PAGES=1 rewrites it)") {
  const std::string text = json::SchemaText();
  if (std::getenv("DP2TRACE_UPDATE_PAGES") != nullptr) {
    Result<OutputFile> file = OutputFile::Create(kSchemaPath);
    REQUIRE(file.ok());
    REQUIRE(file->Write(text).ok());
    REQUIRE(file->Commit().ok());
  }
  const Result<std::vector<uint8_t>> committed = ReadWholeFile(kSchemaPath, 16 << 20);
  REQUIRE(committed.ok());
  CHECK(std::string(committed->begin(), committed->end()) == text);
}
