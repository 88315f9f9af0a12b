#include "os/relative_path.h"
#include "os/path.h"
#include "support/test_folder.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <system_error>

using namespace dp2trace;  // NOLINT(google-build-using-namespace): test file

TEST_CASE("PathFrom: below the folder, beside it, and from another spelling of it") {
  const testing::TestFolder folder;
  std::filesystem::create_directories(ToPath(folder / "a/b"));
  CHECK(PathFrom(folder / "a", folder / "a/t.json") == "t.json");
  CHECK(PathFrom(folder / "a/", folder / "a/b/../b/t.json") == "b/t.json");
  CHECK(PathFrom(folder / "a/b", folder / "t.json") == "../../t.json");
  CHECK(PathFrom(folder / "a", folder / "not/there.json") == "../not/there.json");
  CHECK(PathFrom(".", "t.json") == "t.json");
  CHECK(PathFrom("sub", "t.json") == "../t.json");
}

TEST_CASE("PathFromHere: what lies elsewhere keeps its name") {
  const testing::TestFolder folder;
  const std::string here = ToText(std::filesystem::current_path());
  CHECK(PathFromHere("a/./t.json") == "a/t.json");
  CHECK(PathFromHere(here + "/a/t.json") == "a/t.json");
  CHECK(PathFromHere(folder / "t.json") == folder / "t.json");
  CHECK(PathFromHere("../t.json") == "../t.json");
}

TEST_CASE("PathFrom: links to folders are followed, a link to a file is that name") {
  const testing::TestFolder folder;
  std::filesystem::create_directory(ToPath(folder / "real"));
  testing::WriteText(folder / "real/t.json", "x");
  std::error_code error;
  std::filesystem::create_directory_symlink("real", ToPath(folder / "link"), error);
  if (error) return;  // not everybody may make links on Windows
  std::filesystem::create_symlink("t.json", ToPath(folder / "real/l.json"));
  CHECK(PathFrom(folder / "real", folder / "link/t.json") == "t.json");
  CHECK(PathFrom(folder / "link", folder / "real/l.json") == "l.json");
}
