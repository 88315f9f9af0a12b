#include "os/path.h"

#include <doctest/doctest.h>

using namespace dp2trace;  // NOLINT(google-build-using-namespace): test file

TEST_CASE("path: a text comes back as it was") {
  for (const std::string text :
       {"", "a", "a/b.json", "/a/b", "gr\xC3\xBC\xC3\x9F/\xE6\x97\xA5.dp2t", "\xF0\x9F\x98\x80",
        "a b/..", "./a", "a/"})
    CHECK(ToText(ToPath(text)) == text);
  const std::string long_name = "/folder/" + std::string(200, 'x') + "/" + std::string(200, 'y');
  CHECK(ToText(ToPath(long_name).parent_path().filename()) == std::string(200, 'x'));
}

TEST_CASE("path: folder and name") {
  CHECK(FolderOf("a") == ".");
  CHECK(FolderOf("a/b") == "a");
  CHECK(FolderOf("/a") == "/");
  CHECK(NameOf("a/b.json") == "b.json");
  CHECK(NameOf("b.json") == "b.json");
  CHECK(PrefixOf("a/b.json") == "a/");
  CHECK(PrefixOf("b.json").empty());
  CHECK(EndsInSlash("a/"));
  CHECK_FALSE(EndsInSlash("a"));
  CHECK(WithoutSlashes("a//") == "a");
  CHECK(WithoutSlashes("/") == "/");
}

TEST_CASE("HasExtension: case does not matter") {
  CHECK(HasExtension("a.png", ".png"));
  CHECK(HasExtension("A.PnG", ".png"));
  CHECK_FALSE(HasExtension("apng", ".png"));
  CHECK_FALSE(HasExtension("png", ".png"));
  CHECK_FALSE(HasExtension("a.png.bak", ".png"));
}
