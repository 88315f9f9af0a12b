// Every committed trace survives both conversions: bytes and characters are the same.
#include <doctest/doctest.h>

#include <filesystem>

#include "traces.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

namespace {

// Texts that the JSON reader must refuse.
bool IsMalformedJson(const std::string& path) {
  return path.starts_with("malformed/JSON-");
}
bool IsMalformedContainer(const std::string& path) {
  // Of the last, a driver has not ended them: they have no footer.
  return path.starts_with("malformed/TRACE-") || path.starts_with("malformed/RECORD-RETURN-002/");
}

std::string WithExtension(const std::string& path, const char* extension) {
  return std::filesystem::path(path).replace_extension(extension).generic_string();
}

}  // namespace

TEST_CASE("traces: JSON -> container -> JSON reproduces every character") {
  size_t count = 0;
  for (const std::string& path : TraceFiles("", ".json")) {
    if (IsMalformedJson(path)) continue;
    INFO(path);
    const std::string text = ReadTextFile(path);
    const auto container = ToContainer(text, FolderOf(path));
    REQUIRE(container.ok());
    CHECK(ToJson(*container) == text);
    ++count;
  }
  CHECK(count > 200);
}

TEST_CASE("traces: JSON -> compressed container -> JSON reproduces every character") {
  for (const std::string& path : TraceFiles("", ".json")) {
    if (IsMalformedJson(path)) continue;
    INFO(path);
    const std::string text = ReadTextFile(path);
    const auto container = ToContainer(text, FolderOf(path), trace::Compression::kZstd);
    REQUIRE(container.ok());
    CHECK(ToJson(*container) == text);
  }
}

TEST_CASE("traces: container -> JSON -> container reproduces every byte") {
  size_t count = 0;
  for (const std::string& path : TraceFiles("", ".dp2t")) {
    if (IsMalformedContainer(path)) continue;
    INFO(path);
    const std::vector<uint8_t> bytes = ReadTraceFile(path);
    const auto back = ToContainer(ToJson(bytes), FolderOf(path));
    REQUIRE(back.ok());
    CHECK(*back == bytes);
    ++count;
  }
  CHECK(count > 100);
}

TEST_CASE("traces: container -> readable JSON -> container reproduces every byte") {
  const json::WriterOptions readable{.vertices = json::Vertices::kReadable};
  size_t count = 0;
  for (const std::string& path : TraceFiles("", ".json")) {
    if (IsMalformedJson(path)) continue;
    INFO(path);
    const auto bytes = ToContainer(ReadTextFile(path), FolderOf(path));
    REQUIRE(bytes.ok());
    const std::string text = ToJson(*bytes, readable);
    const auto back = ToContainer(text, FolderOf(path));
    REQUIRE(back.ok());
    CHECK(*back == *bytes);
    CHECK(ToJson(*back, readable) == text);
    if (text.find("\"vertex_type\":\"") != std::string::npos) ++count;
  }
  CHECK(count > 100);
}

TEST_CASE("traces: what a malformed container gives back survives JSON, unknown events included") {
  for (const std::string& path : TraceFiles("malformed", ".dp2t")) {
    INFO(path);
    const std::vector<uint8_t> bytes = ReadTraceFile(path);
    const ReadResult read = ReadContainer(bytes);
    const bool has_header = !read.events.empty() && read.events[0].kind == 1;
    if (!has_header || path.find("TRACE-011") != std::string::npos) continue;
    const auto back = ToContainer(ToJson(bytes), FolderOf(path));
    REQUIRE(back.ok());
    CHECK(ReadContainer(*back).events == read.events);
  }
}

TEST_CASE("traces: a container and the JSON text beside it are one trace") {
  size_t count = 0;
  for (const std::string& path : TraceFiles("", ".dp2t")) {
    const std::string json = WithExtension(path, ".json");
    if (!HasTraceFile(json)) continue;
    INFO(path);
    CHECK(ToJson(ReadTraceFile(path)) == ReadTextFile(json));
    ++count;
  }
  CHECK(count > 100);
}

TEST_CASE("traces: a good container gives no finding of its own") {
  for (const std::string& path : TraceFiles("", ".dp2t")) {
    if (IsMalformedContainer(path)) continue;
    INFO(path);
    const ReadResult read = ReadContainer(ReadTraceFile(path));
    CHECK(read.findings.empty());
    CHECK_FALSE(read.incomplete);
  }
}
