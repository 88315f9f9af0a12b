#include "json/side_files.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>

#include "base/file.h"
#include "base/hash.h"
#include "json_texts.h"
#include "rules/rule.h"
#include "support/test_folder.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

namespace {

namespace fs = std::filesystem;

size_t FileCount(const std::string& folder) {
  size_t count = 0;
  for ([[maybe_unused]] const fs::directory_entry& entry : fs::directory_iterator(folder))
    ++count;
  return count;
}

// The finding's rule for a reference to this file, or kIo001.
Rule ReadReference(const std::string& folder, std::string_view file) {
  json::ReaderOptions options;
  options.folder = folder;
  return ParseText(WithHeader("{\"event\":\"dp2\",\"vertices\":{\"file\":\"" + std::string(file) +
                              "\"}}"),
                   options)
      .rule();
}

}  // namespace

TEST_CASE("Side files: large byte arrays are stored once, small ones stay in the text") {
  const TestFolder folder;
  const std::vector<uint8_t> large(json::kSmallestSideFile, 0x42);
  const std::vector<uint8_t> small(json::kSmallestSideFile - 1, 0x42);
  trace::Dp2 event;
  event.vertices = large;
  event.rstates = small;
  std::string text;
  json::Writer writer([&text](std::string_view piece) { return text += piece, OkStatus(); },
                      {.blobs = json::Blobs::kFiles, .path = folder / "a.json"});
  REQUIRE(writer.Write(trace::Header{}).ok());
  REQUIRE(writer.Write(event).ok());
  REQUIRE(writer.Write(event).ok());
  REQUIRE(writer.Finish().ok());
  CHECK(text.find("\"vertices\":{\"file\":\"a.blobs/" + Xxh3_128(large) + ".bin\"}") !=
        std::string::npos);
  CHECK(FileCount(folder / "a.blobs") == 1);

  json::ReaderOptions options;
  options.folder = folder / "";
  const TextResult result = ParseText(text, options);
  REQUIRE(result.status.ok());
  CHECK(result.lines[1] == json::ToText(event));
}

TEST_CASE("Side files: a file with the right name and other content is written again") {
  const TestFolder folder;
  const std::vector<uint8_t> bytes(100, 7);
  json::SideFileWriter writer(folder / "b.json");
  const Result<std::string> first = writer.Store(bytes);
  REQUIRE(first.ok());
  WriteText(folder / *first, std::string(100, 'x'));
  REQUIRE(writer.Store(bytes).ok());
  const Result<std::vector<uint8_t>> content = json::ReadSideFile(folder / "", *first, 1000);
  REQUIRE(content.ok());
  CHECK(*content == bytes);
}

TEST_CASE("JSON-013: a path must stay inside the folder of the JSON file") {
  const TestFolder folder;
  const std::string inner = folder / "inner";
  fs::create_directory(inner);
  WriteText(folder / "secret", "x");
  WriteText(inner + "/a.bin", "abc");
  std::error_code without_links;
  fs::create_symlink("../secret", inner + "/link.bin", without_links);
  CHECK(ReadReference(inner, "a.bin") == Rule::kIo001);
  CHECK(ReadReference(inner, "./a.bin") == Rule::kIo001);
  for (const char* path : {"", ".", "..", "../secret", "x/../../secret", "/etc/passwd", "none.bin",
                           "a.bin\\u0000", "..\\\\secret", "link.bin"}) {
    CAPTURE(path);
    CHECK(ReadReference(inner, path) == Rule::kJson013);
  }
}

TEST_CASE("JSON-013: a pipe or a device is not a side file, and is not waited for") {
  const TestFolder folder;
  fs::create_directory(folder / "inner");
  CHECK(ReadReference(folder / "", "inner") == Rule::kJson013);
  const std::string command = "mkfifo '" + (folder / "pipe") + "'";
  if (std::system(command.c_str()) != 0) return;  // no pipes with names here
  CHECK(ReadReference(folder / "", "pipe") == Rule::kJson013);
}

TEST_CASE("SideFileNames: every member \"file\" and \"png\" is found, in pieces of any size") {
  const std::string text = R"([{"event":"marker","text":"\"file\":\"no\"","file" :
    "a.bin"}, {"x":{"file":"b\u002ebin"}, "y":["file","c"], "png":"p.png", "z":"file", "u":1, "\u0066ile":"d/\u00e4"
    , "file":{"file":"e"}, "file":3, "v":"f"}, "file" "g", {"file":"a.bin"}] "open
    "file":"after a text that is not JSON")";
  for (size_t size = 1; size < text.size(); size = size * 3 + 1) {
    json::SideFileNames finder;
    for (size_t at = 0; at < text.size(); at += size)
      finder.Add(std::string_view(text).substr(at, size));
    CHECK(finder.names() == std::set<std::string>{"a.bin", "b.bin", "d/\u00e4", "e", "p.png",
                                                  "after a text that is not JSON"});
  }
}

TEST_CASE("JSON-013: a file that is named by its hash must have that hash") {
  const TestFolder folder;
  const std::string content = "abc";
  const std::string hash =
      Xxh3_128({reinterpret_cast<const uint8_t*>(content.data()), content.size()});
  WriteText(folder / (hash + ".bin"), content);
  CHECK(ReadReference(folder / "", hash + ".bin") == Rule::kIo001);
  WriteText(folder / (hash + ".bin"), "abd");
  CHECK(ReadReference(folder / "", hash + ".bin") == Rule::kJson013);
}
