#include "json/caps_file.h"

#include <doctest/doctest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "d3d/formats.h"
#include "os/process.h"
#include "rules/rule.h"

using namespace dp2trace;        // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::json;  // NOLINT(google-build-using-namespace): test file

namespace {

// What a file with this text holds.
Status ParseCaps(const std::string& text, trace::Header& header) {
  const std::string path =
      (std::filesystem::temp_directory_path() /
       ("dp2trace-caps-file-test-" + std::to_string(dp2trace::ProcessNumber())))
          .string();
  std::ofstream(path) << text;
  const Status status = ReadCapsFile(path, header);
  std::filesystem::remove(path);
  return status;
}

}  // namespace

TEST_CASE("ReadCapsFile: numbers, flag words, floats and formats") {
  trace::Header header;
  REQUIRE(
      ParseCaps(
          R"({"formats":["A8R8G8B8",23],"max_texture_width":2048,"texture_caps":"0x4002","max_point_size":64.0})",
          header)
          .ok());
  REQUIRE(header.caps.size() == 3);
  CHECK(header.caps[0].name == "texture_caps");
  CHECK(header.caps[0].value == 0x4002u);
  CHECK(header.caps[1].value == 2048u);
  CHECK(header.caps[2].value == 0x42800000u);
  REQUIRE(header.cap_formats.size() == 2);
  CHECK(header.cap_formats[0] == static_cast<uint32_t>(d3d::Format::A8R8G8B8));
  CHECK(header.cap_formats[1] == 23u);
}

TEST_CASE("ReadCapsFile: an unknown member, a wrong type and a missing file are findings") {
  trace::Header header;
  CHECK(ParseCaps(R"({"max_texture_with":2048})", header).diagnostic().rule == Rule::kJson006);
  CHECK_FALSE(ParseCaps(R"({"max_texture_width":"wide"})", header).ok());
  CHECK_FALSE(ParseCaps(R"({"formats":["A8R8G8B9"]})", header).ok());
  CHECK_FALSE(ParseCaps(R"([])", header).ok());
  CHECK_FALSE(ReadCapsFile("/nonexistent/caps.json", header).ok());
}
