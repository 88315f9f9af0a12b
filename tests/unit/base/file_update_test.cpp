#include "base/file_update.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "support/test_folder.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

TEST_CASE("FileUpdate: none is lost of those that come at once, the first makes the file") {
  const TestFolder folder;
  const std::string path = folder / "list";
  constexpr size_t kWriters = 8, kLines = 20;
  std::vector<std::jthread> writers;
  for (size_t i = 0; i < kWriters; ++i) {
    writers.emplace_back([&path] {
      for (size_t line = 0; line < kLines; ++line) {
        Result<FileUpdate> update = FileUpdate::Begin(path);
        if (update.ok()) (void)update->Commit((update->is_there() ? ReadText(path) : "") + "x");
      }
    });
  }
  writers.clear();
  CHECK(ReadText(path) == std::string(kWriters * kLines, 'x'));
  CHECK(std::distance(std::filesystem::directory_iterator(folder / ""), {}) == 1);
}

TEST_CASE("FileUpdate: what somebody else writes meanwhile stays") {
  const TestFolder folder;
  const std::string path = folder / "list";
  Result<FileUpdate> update = FileUpdate::Begin(path);
  REQUIRE(update.ok());
  CHECK_FALSE(update->is_there());
  WriteText(path, "mine");
  CHECK_FALSE(update->Commit("new").ok());
  update = FileUpdate::Begin(path);
  REQUIRE(update.ok());
  CHECK(update->is_there());
  WriteText(path, "edited");
  CHECK(update->Commit("new").diagnostic().rule == kCannotWrite);
  CHECK(ReadText(path) == "edited");
}

TEST_CASE("FileUpdate: a folder, or a link without an end, is not a file to update") {
  const TestFolder folder;
  CHECK_FALSE(FileUpdate::Begin(folder / "").ok());
  std::filesystem::create_symlink("circle", folder / "circle");
  CHECK_FALSE(FileUpdate::Begin(folder / "circle").ok());
}

TEST_CASE("LockFolder: one program at a time fills a folder") {
  const TestFolder folder;
  {
    const Result<Descriptor> first = LockFolder(folder / "");
    REQUIRE(first.ok());
    const Result<Descriptor> second = LockFolder(folder / "");
    REQUIRE_FALSE(second.ok());
    CHECK(second.status().diagnostic().message.find("another program writes into this folder") !=
          std::string::npos);
  }
  CHECK(LockFolder(folder / "").ok());
  CHECK(std::filesystem::is_empty(folder / ""));
  CHECK_FALSE(LockFolder(folder / "missing").ok());
}
