#include "trace/field_table.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <string>

#include "base/file.h"

using namespace dp2trace;  // NOLINT(google-build-using-namespace): test file

namespace {

constexpr std::string_view kBegin = "<!-- generated: event fields -->\n";
constexpr std::string_view kEnd = "<!-- end of generated section -->\n";

}  // namespace

TEST_CASE(
    "traces/README.md: the generated field tables are those of events.h (DP2TRACE_UPDATE_PAGES=1 rewrites them)") {
  const std::string path = std::string(DP2TRACE_SOURCE_DIR) + "/traces/README.md";
  const Result<std::vector<uint8_t>> bytes = ReadWholeFile(path, 1 << 22);
  REQUIRE(bytes.ok());
  std::string page(bytes->begin(), bytes->end());
  const size_t begin = page.find(kBegin);
  const size_t end = page.find(kEnd);
  REQUIRE(begin != std::string::npos);
  REQUIRE(end != std::string::npos);
  const std::string expected = "\n" + trace::EventFieldTable() + "\n";
  const size_t first = begin + kBegin.size();
  if (std::getenv("DP2TRACE_UPDATE_PAGES") != nullptr &&
      page.substr(first, end - first) != expected) {
    page.replace(first, end - first, expected);
    Result<OutputFile> output = OutputFile::Create(path);
    REQUIRE(output.ok());
    REQUIRE(output->Write(page).ok());
    REQUIRE(output->Commit().ok());
  } else {
    const bool is_current = page.substr(first, end - first) == expected;
    CHECK(is_current);
  }
}

TEST_CASE("traces/README.md: each field says what it means") {
  const std::string table = trace::EventFieldTable();
  CHECK(table.find("| meaning |") != std::string::npos);
  CHECK(table.find("|  |") == std::string::npos);
}
