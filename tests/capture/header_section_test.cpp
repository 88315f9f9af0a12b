// dp2trace_capture.h follows from the table of events, and has all of it.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdlib>

#include "base/file.h"
#include "event_section.h"
#include "trace/event_kind.h"

using namespace dp2trace;  // NOLINT(google-build-using-namespace): test file

namespace {

const std::string& Path() {
  static const std::string kPath =
      std::string(DP2TRACE_SOURCE_DIR) + "/lib/capture/dp2trace_capture.h";
  return kPath;
}

std::string ReadHeader() {
  const Result<std::vector<uint8_t>> bytes = ReadWholeFile(Path(), 1 << 22);
  REQUIRE(bytes.ok());
  return {bytes->begin(), bytes->end()};
}

// Puts `text` between the marks of the section; true where it was there already.
bool IsCurrent(std::string& header, const std::string& section, const std::string& text) {
  const std::string begin = fmt::format("/* <generated: {}> */\n", section);
  const size_t first = header.find(begin);
  REQUIRE(first != std::string::npos);
  const size_t from = first + begin.size();
  const size_t end = header.find("/* </generated> */\n", from);
  REQUIRE(end != std::string::npos);
  if (header.compare(from, end - from, text) == 0) return true;
  header.replace(from, end - from, text);
  return false;
}

}  // namespace

TEST_CASE(
    "dp2trace_capture.h: the generated sections are those of events.h (DP2TRACE_UPDATE_PAGES=1 rewrites them)") {
  std::string header = ReadHeader();
  const bool has_declarations = IsCurrent(header, "declarations", testing::EventDeclarations());
  const bool has_definitions = IsCurrent(header, "definitions", testing::EventDefinitions());
  if (std::getenv("DP2TRACE_UPDATE_PAGES") != nullptr && (!has_declarations || !has_definitions)) {
    Result<OutputFile> output = OutputFile::Create(Path());
    REQUIRE(output.ok());
    REQUIRE(output->Write(header).ok());
    REQUIRE(output->Commit().ok());
  } else {
    CHECK(has_declarations);
    CHECK(has_definitions);
  }
}

TEST_CASE("dp2trace_capture.h: every event has a structure and a function") {
  const std::string header = ReadHeader();
#define DP2TRACE_EVENT(Type, code, name)                                          \
  CHECK(header.find(fmt::format("struct d2c_{} {{", name)) != std::string::npos); \
  CHECK(header.find(fmt::format("const struct d2c_{} *event) {{", name)) != std::string::npos);
#include "trace/events.def"
#undef DP2TRACE_EVENT
}
