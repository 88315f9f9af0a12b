#include "trace_file/inputs.h"

#include <doctest/doctest.h>

#include <filesystem>

#include "support/test_folder.h"

using namespace dp2trace::trace_file;  // NOLINT(google-build-using-namespace): test file

TEST_CASE("MatchesName: stars, question marks and sets match inside one name") {
  CHECK(MatchesName("*.json", "a.json"));
  CHECK_FALSE(MatchesName("*.json", "a.jsonl"));
  CHECK(MatchesName("a?c", "abc"));
  CHECK_FALSE(MatchesName("a?c", "ac"));
  CHECK(MatchesName("[a-c]1", "b1"));
  CHECK_FALSE(MatchesName("[a-c]1", "d1"));
  CHECK(MatchesName("[!a-c]1", "d1"));
  CHECK(MatchesName("a*b*c", "axxbyybzc"));
  CHECK_FALSE(MatchesName("a*b*c", "axxbyybz"));
}

TEST_CASE("MatchesName: a set that is not closed stands for itself") {
  CHECK(MatchesName("[ab", "[ab"));
  CHECK_FALSE(MatchesName("[ab", "a"));
}

TEST_CASE("ExpandInputs: folders, patterns and names become one sorted list") {
  const dp2trace::testing::TestFolder folder;
  const auto write = [&](const std::string& name, std::string_view text) {
    std::filesystem::create_directories(std::filesystem::path((folder / name)).parent_path());
    dp2trace::testing::WriteText(folder / name, text);
  };
  write("deep/b.json", R"([{"event":"header"}])");
  write("deep/other.json", R"({"no":"trace"})");
  write("a.dp2t", "anything");
  write("note.txt", "[]");
  const Inputs all = ExpandInputs({(folder / "")});
  CHECK(all.paths == std::vector<std::string>{(folder / "a.dp2t"), (folder / "deep/b.json")});
  CHECK(all.unmatched.empty());
  const Inputs some = ExpandInputs({(folder / "**/*.json"), (folder / "none*"), (folder / "lost")});
  CHECK(some.paths == std::vector<std::string>{(folder / "deep/b.json"), (folder / "lost")});
  CHECK(some.unmatched == std::vector<std::string>{(folder / "none*")});
}

TEST_CASE("ExpandInputs: capital letters") {
  const dp2trace::testing::TestFolder folder;
  dp2trace::testing::WriteText(folder / "UP.DP2T", "anything");
  dp2trace::testing::WriteText(folder / "Cube.JSON", R"([{"event":"header"}])");
  const Inputs found = ExpandInputs({(folder / "")});
  CHECK(found.paths == std::vector<std::string>{(folder / "Cube.JSON"), (folder / "UP.DP2T")});
}

TEST_CASE("ExpandInputs: linked folders, links to nothing") {
  const dp2trace::testing::TestFolder folder;
  const dp2trace::testing::TestFolder other;
  dp2trace::testing::WriteText(other / "far.json", R"([{"event":"header"}])");
  std::error_code without_links;
  std::filesystem::create_directory_symlink(other / "", folder / "link", without_links);
  if (without_links) return;
  std::filesystem::create_symlink("nothing", folder / "gone");
  const Inputs found = ExpandInputs({(folder / "")});
  CHECK(found.paths == std::vector<std::string>{(folder / "link/far.json")});
  REQUIRE(found.passed_over.size() == 1);
  CHECK(found.passed_over[0].find("gone is a dangling link") != std::string::npos);
}
