#include "base/file_walk.h"

#include <doctest/doctest.h>

#include <filesystem>

#include "support/test_folder.h"

using namespace dp2trace;  // NOLINT(google-build-using-namespace): test file

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

TEST_CASE("FindFilesBelow: files, links to files and linked folders, each folder once") {
  const testing::TestFolder folder;
  const testing::TestFolder other;
  fs::create_directories(folder / "z/deep");
  testing::WriteText(folder / "z/deep/a", "");
  testing::WriteText(folder / "b", "");
  testing::WriteText(other / "c", "");
  fs::create_symlink(folder / "b", folder / "link");
  fs::create_directory_symlink(folder / "z", folder / "a");  // stands itself at z
  fs::create_directory_symlink(other / "", folder / "far");
  fs::create_directory_symlink(other / "", folder / "farther");
  fs::create_directory_symlink(folder / "", other / "back");
  fs::create_symlink("nowhere", folder / "broken");
  fs::create_symlink("loop", folder / "loop");
  const FilesBelow below = FindFilesBelow(folder / "");
  CHECK(below.files == Names{folder / "b", folder / "far/c", folder / "link", folder / "z/deep/a"});
  CHECK(below.broken_links == Names{folder / "broken", folder / "loop"});
  CHECK(below.unreadable.empty());
}

TEST_CASE("FindFilesBelow: a folder that is not there cannot be read") {
  const testing::TestFolder folder;
  const FilesBelow below = FindFilesBelow(folder / "none");
  REQUIRE(below.unreadable.size() == 1);
  CHECK(below.unreadable[0].first == (folder / "none"));
}
