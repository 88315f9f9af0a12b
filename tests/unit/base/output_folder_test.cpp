#include "base/output_folder.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <optional>
#include <string>

#include "support/test_folder.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

namespace {

// A folder with a mark and one more file.
Status Make(const std::string& path, const std::string& text) {
  Result<OutputFolder> folder = OutputFolder::Create(path, "mark", "made by a test");
  if (!folder.ok()) return folder.status();
  DP2TRACE_RETURN_IF_ERROR(folder->Write("mark", "# made by a test\n"));
  DP2TRACE_RETURN_IF_ERROR(folder->Write("a/b/text", text));
  return folder->Commit();
}

std::string ReasonOf(const Status& status) {
  return status.ok() ? "" : status.diagnostic().message;
}

}  // namespace

TEST_CASE("OutputFolder: appears with all its files, and replaces its like") {
  const TestFolder folder;
  const std::string path = folder / "out";
  REQUIRE(Make(path, "one").ok());
  CHECK(ReadText(path + "/a/b/text") == "one");
  WriteText(path + "/left", "");
  REQUIRE(Make(path + "/", "two").ok());
  CHECK(ReadText(path + "/a/b/text") == "two");
  CHECK_FALSE(std::filesystem::exists(path + "/left"));
  CHECK_FALSE(std::filesystem::exists(path + ".tmp"));
}

TEST_CASE("OutputFolder: nothing stays of one that was not finished, and the old one is whole") {
  const TestFolder folder;
  const std::string path = folder / "out";
  REQUIRE(Make(path, "one").ok());
  {
    Result<OutputFolder> started = OutputFolder::Create(path, "mark", "made by a test");
    REQUIRE(started.ok());
    REQUIRE(started->Write("mark", "# made by a test\n").ok());
    CHECK(std::filesystem::exists(path + ".tmp"));
  }
  CHECK_FALSE(std::filesystem::exists(path + ".tmp"));
  CHECK(ReadText(path + "/a/b/text") == "one");
  // What a program that was killed leaves is replaced, even where it was writing the mark.
  std::filesystem::create_directory(path + ".tmp");
  WriteText(path + ".tmp/mark.1234.tmp", "# made");
  REQUIRE(Make(path, "one").ok());
  std::filesystem::copy(path, path + ".tmp", std::filesystem::copy_options::recursive);
  REQUIRE(Make(path, "two").ok());
  CHECK(ReadText(path + "/a/b/text") == "two");
  CHECK_FALSE(std::filesystem::exists(path + ".tmp"));
}

TEST_CASE("OutputFolder: what somebody else made is refused and stays") {
  const TestFolder folder;
  for (const std::string name : {"out", "out.tmp"}) {
    std::filesystem::create_directory(folder / name);
    WriteText(folder / name + "/mine", "mine");
    CHECK(ReasonOf(Make(folder / "out", "one")) ==
          "cannot write " + (folder / name) +
              ": the folder holds something else; choose another, or delete it");
    CHECK(ReadText(folder / name + "/mine") == "mine");
    std::filesystem::remove_all(folder / name);
  }
  WriteText(folder / "out", "mine");
  CHECK(ReasonOf(Make(folder / "out", "one")) ==
        "cannot write " + (folder / "out") + ": it exists and is no folder");
  std::filesystem::remove(folder / "out");
  std::filesystem::create_directory(folder / "out");
  CHECK(Make(folder / "out", "one").ok());  // an empty one
}
