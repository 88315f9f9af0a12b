#include "trace/foreign_file.h"

#include <doctest/doctest.h>

#include <string>

#include "rules/rule.h"
#include "trace_files.h"

using namespace dp2trace;  // NOLINT(google-build-using-namespace): test file
using trace::DescribeForeignFile;

namespace {

Bytes BytesOf(std::string_view text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

std::string Refusal(std::string_view contents) {
  const testing::ReadResult result = testing::ReadTrace(BytesOf(contents));
  REQUIRE_FALSE(result.status.ok());
  CHECK(result.status.diagnostic().rule == Rule::kTrace002);
  CHECK(result.findings.empty());
  return result.status.diagnostic().message;
}

}  // namespace

TEST_CASE("TRACE-002 fires on what is not a container, and says what it is") {
  CHECK(Refusal("") == "the file is not a dp2trace container: it is empty");
  CHECK(Refusal("\x89PNG\r\n\x1a\n....").ends_with("it is a PNG image"));
  CHECK(Refusal(" \n[{\"event\": \"header\"}]").find("JSON") != std::string::npos);
  CHECK(Refusal("{}").find("JSON") != std::string::npos);
  CHECK(Refusal("\x1f\x8b\x08").find("gzip") != std::string::npos);
  CHECK(Refusal(std::string_view("at\x10\0\0\0", 6)).find("apitrace") != std::string::npos);
  CHECK(Refusal("\x89"
                "D2T\n\x1a\n")
            .find("as text") != std::string::npos);
  CHECK(Refusal("Attention, please").ends_with("it looks like text"));
  CHECK(Refusal("[    1.000] usb 1-1: new device").find("it looks like text") != std::string::npos);
  CHECK(Refusal(std::string(64, '\0')).ends_with("it starts with zeros"));
  CHECK(Refusal("\xF0\xF1\x02\x03") == "the file is not a dp2trace container");
}

TEST_CASE("Foreign files: text that starts with the letters of a binary format is text") {
  CHECK(DescribeForeignFile(BytesOf("GFXR\x01\x02")).find("GFXReconstruct") != std::string::npos);
  CHECK(DescribeForeignFile(BytesOf("RDOC\x01\x02")).find("RenderDoc") != std::string::npos);
  CHECK(DescribeForeignFile(BytesOf("at last")) == "it looks like text");
  CHECK(DescribeForeignFile(BytesOf("BMW")) == "it looks like text");
  CHECK(DescribeForeignFile(BytesOf("#!/bin/sh\n")) == "it is a script");
}
