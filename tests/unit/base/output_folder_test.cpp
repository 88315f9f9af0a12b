#include "base/output_folder.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <map>
#include <string>

#include "base/file_list.h"
#include "support/test_folder.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

namespace {

namespace fs = std::filesystem;

// A folder with a file below another folder.
Status Make(const std::string& path, const std::string& text, const std::string& kind = "test") {
  Result<OutputFolder> folder = OutputFolder::Create(path, kind);
  if (!folder.ok()) return folder.status();
  DP2TRACE_RETURN_IF_ERROR(folder->Write("a/b/text", text));
  return folder->Commit();
}

std::string ReasonOf(const Status& status) {
  return status.ok() ? "" : status.diagnostic().message;
}

// Every file below a folder, with its text; folders end in a slash.
std::map<std::string, std::string> Below(const std::string& folder) {
  std::map<std::string, std::string> found;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string name = fs::relative(entry.path(), folder).string();
    if (entry.is_symlink()) {
      found[name] = "-> " + fs::read_symlink(entry.path()).string();
    } else if (entry.is_directory()) {
      found[name + "/"];
    } else {
      found[name] = ReadText(entry.path().string());
    }
  }
  return found;
}

// The program refuses, and everything is as before.
void CheckRefused(const TestFolder& folder, const std::string& words) {
  const auto before = Below(folder / "");
  const std::string reason = ReasonOf(Make(folder / "out", "new"));
  CHECK_MESSAGE(reason.find(words) != std::string::npos, reason);
  CHECK(Below(folder / "") == before);
}

}  // namespace

TEST_CASE("OutputFolder: appears with all its files, and replaces its like") {
  const TestFolder folder;
  const std::string path = folder / "out";
  REQUIRE(Make(path, "one").ok());
  CHECK(ReadText(path + "/a/b/text") == "one");
  CHECK(CountListed(path) == 1);
  CHECK(CountListed(path + "/none") == 0);
  {
    Result<OutputFolder> other = OutputFolder::Create(path, "test");
    REQUIRE(other.ok());
    REQUIRE(other->Write("other", "").ok());
    REQUIRE(other->Commit().ok());
  }
  CHECK(fs::exists(path + "/other"));
  CHECK_FALSE(fs::exists(path + "/a"));
  REQUIRE(Make(path + "/", "two").ok());
  CHECK(ReadText(path + "/a/b/text") == "two");
  CHECK_FALSE(fs::exists(path + "/other"));
  CHECK(Below(folder / "").size() == 1 + 2 + 2);  // and nothing beside it
}

TEST_CASE("OutputFolder: nothing stays of one that was not finished, and the old one is whole") {
  const TestFolder folder;
  REQUIRE(Make(folder / "out", "one").ok());
  const auto before = Below(folder / "");
  {
    Result<OutputFolder> started = OutputFolder::Create(folder / "out", "test");
    REQUIRE(started.ok());
    REQUIRE(started->Write("a/text", "half").ok());
    CHECK(Below(folder / "").size() > before.size());
  }
  CHECK(Below(folder / "") == before);
}

TEST_CASE("OutputFolder: two that are written at once stay apart, and the later one is there") {
  const TestFolder folder;
  Result<OutputFolder> first = OutputFolder::Create(folder / "out", "test");
  Result<OutputFolder> second = OutputFolder::Create(folder / "out", "test");
  REQUIRE(first.ok());
  REQUIRE(second.ok());
  REQUIRE(first->Write("one", "1").ok());
  REQUIRE(second->Write("two", "2").ok());
  REQUIRE(second->Commit().ok());
  REQUIRE(first->Commit().ok());
  const auto below = Below(folder / "out");
  CHECK(below.size() == 2);
  CHECK(below.contains("one"));
  CHECK(Below(folder / "").size() == 3);
}

TEST_CASE("OutputFolder: what no earlier run wrote is refused and stays") {
  {
    const TestFolder folder;
    fs::create_directory(folder / "out");
    CHECK(Make(folder / "out", "one").ok());  // an empty folder
    WriteText(folder / "out/mine", "mine");
    CheckRefused(folder, ": the folder holds something else: mine, which is not in ");
    fs::remove(folder / "out/mine");
    fs::create_directory(folder / "out/a/empty");
    CheckRefused(folder, "a/empty/, which");
    fs::remove(folder / "out/a/empty");
    fs::create_symlink("/", folder / "out/a/root");
    CheckRefused(folder, "a/root, which");
    fs::remove(folder / "out/a/root");
    fs::create_directory(folder / "elsewhere");
    WriteText(folder / "elsewhere/text", "mine");
    fs::remove_all(folder / "out/a/b");
    fs::create_symlink(folder / "elsewhere", folder / "out/a/b");
    CheckRefused(folder, "a/b, which");
  }
  for (const std::string name : {"work.tmp", "a.png.1234.tmp", "work.1.00000000.tmp"}) {
    const TestFolder folder;
    fs::create_directories(folder / "out/" + name);
    WriteText(folder / "out/" + name + "/thesis.txt", "mine");
    CheckRefused(folder, "something else: " + name);
    fs::create_directories(folder / "out.tmp");
    WriteText(folder / "out.tmp/mine", "mine");
    CheckRefused(folder, "something else: " + name);
  }
  const TestFolder folder;
  WriteText(folder / "out", "mine");
  CheckRefused(folder, "it exists and is not a folder");
  fs::remove(folder / "out");
  REQUIRE(Make(folder / "out", "one", "other").ok());
  CheckRefused(folder, "it is of dp2trace other, not of dp2trace test");
}

TEST_CASE("OutputFolder: what comes into the old folder while a new one is written stays") {
  const TestFolder folder;
  REQUIRE(Make(folder / "out", "one").ok());
  Result<OutputFolder> started = OutputFolder::Create(folder / "out", "test");
  REQUIRE(started.ok());
  WriteText(folder / "out/mine", "mine");
  CHECK_FALSE(started->Commit().ok());
  CHECK(ReadText(folder / "out/mine") == "mine");
  CHECK(ReadText(folder / "out/a/b/text") == "one");
}

TEST_CASE("OutputFolder: a list of somebody else reaches nothing outside") {
  const TestFolder folder;
  WriteText(folder / "victim", "mine");
  fs::create_directory(folder / "out");
  WriteText(folder / "out/.dp2trace-files", FirstLineOfList("test") + "../victim\n/etc/passwd\n");
  CHECK(Make(folder / "out", "one").ok());
  CHECK(ReadText(folder / "victim") == "mine");
}

TEST_CASE("OutputFolder: folders with lists of their own belong to it where it says so") {
  const TestFolder folder;
  const auto make = [&](const std::string& path) {
    Result<OutputFolder> outer = OutputFolder::Create(path, "test");
    REQUIRE(outer.ok());
    REQUIRE(outer->AllowFoldersIn("parts").ok());
    REQUIRE(Make(outer->temporary() + "/parts/one", "inner", "part").ok());
    REQUIRE(outer->Commit().ok());
  };
  make(folder / "out");
  CHECK(ReadText(folder / "out/parts/one/a/b/text") == "inner");
  WriteText(folder / "out/parts/one/a/mine", "mine");
  CheckRefused(folder, "parts/one/a/mine, which");
  fs::remove(folder / "out/parts/one/a/mine");
  fs::create_directory(folder / "out/parts/mine");
  CheckRefused(folder, "parts/mine/, which");
  fs::remove(folder / "out/parts/mine");
  make(folder / "out");
  REQUIRE(Make(folder / "out", "new").ok());
  CHECK_FALSE(fs::exists(folder / "out/parts"));
}

TEST_CASE("OutputFolder: a link is followed, and the permissions stay") {
  const TestFolder folder;
  fs::create_directories(folder / "place/real");
  fs::permissions(folder / "place/real", fs::perms::owner_all);
  fs::create_symlink("place/real", folder / "out");
  REQUIRE(Make(folder / "out", "one").ok());
  CHECK(fs::is_symlink(folder / "out"));
  CHECK(ReadText(folder / "place/real/a/b/text") == "one");
  CHECK(fs::status(folder / "place/real").permissions() == fs::perms::owner_all);
  CHECK(Below(folder / "place").size() == 5);
}

TEST_CASE("RemoveListed: what is not listed stays, with the list") {
  const TestFolder folder;
  REQUIRE(Make(folder / "out", "one").ok());
  WriteText(folder / "out/mine", "mine");
  CHECK(RemoveListed(folder / "out") == std::errc::directory_not_empty);
  CHECK(ReadText(folder / "out/mine") == "mine");
  CHECK_FALSE(fs::exists(folder / "out/a"));
  fs::remove(folder / "out/mine");
  for (const size_t size : {0U, 1U, 20U, 200U}) {  // its writer may have been killed at any byte
    fs::create_directories(folder / "out");
    WriteText(folder / "out/.dp2trace-files", FirstLineOfList("test").substr(0, size));
    CHECK_FALSE(RemoveListed(folder / "out"));
    CHECK_FALSE(fs::exists(folder / "out"));
  }
  CHECK_FALSE(RemoveListed(folder / "out"));  // there is none
}
