#include "os/files.h"

#include <doctest/doctest.h>

#include <vector>

#include "support/test_folder.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

TEST_CASE("files: a new file is made once, and read as it was written") {
  const TestFolder folder;
  Descriptor file;
  REQUIRE_FALSE(CreateNew(folder / "new", kNewFileMode, file));
  const std::string_view bytes("a\r\n\x1A\0b\n", 7);
  CHECK_FALSE(WriteFully(file, AsBytes(bytes)));
  CHECK(LookAt(file).size == bytes.size());
  CHECK_FALSE(file.Close());
  CHECK(CreateNew(folder / "new", kNewFileMode, file) == std::errc::file_exists);
  REQUIRE_FALSE(OpenToRead(folder / "new", file));
  std::vector<uint8_t> read(100);
  size_t count = 0;
  CHECK_FALSE(ReadFully(file, read, count));
  CHECK(std::string(read.begin(), read.begin() + static_cast<ptrdiff_t>(count)) == bytes);
  CHECK_FALSE(MoveTo(file, 3));
  CHECK_FALSE(ReadSome(file, read, count));
  CHECK(count == bytes.size() - 3);
  CHECK_FALSE(ReadSome(file, read, count));
  CHECK(count == 0);
}

TEST_CASE("files: what a name stands for") {
  const TestFolder folder;
  CHECK(LookAt(folder / "none").kind == FileKind::kMissing);
  CHECK(LookAt(folder / "").kind == FileKind::kFolder);
  WriteText(folder / "one", "1");
  WriteText(folder / "two", "22");
  CHECK(LookAt(folder / "one").kind == FileKind::kRegular);
  CHECK(LookAt(folder / "two").size == 2);
  CHECK_FALSE(LookAt(folder / "one").IsSameFile(LookAt(folder / "two")));
  Descriptor file;
  REQUIRE_FALSE(OpenToRead(folder / "one", file));
  CHECK(LookAt(folder / "one").IsSameFile(LookAt(file)));
  CHECK(OpenToRead(folder / "none", file) == std::errc::no_such_file_or_directory);
}

TEST_CASE("files: renaming replaces a file that somebody reads") {
  const TestFolder folder;
  WriteText(folder / "old", "old");
  WriteText(folder / "new", "new");
  Descriptor reader;
  REQUIRE_FALSE(OpenToRead(folder / "old", reader));
  CHECK(RenameToNew(folder / "new", folder / "old") == std::errc::file_exists);
  CHECK_FALSE(Rename(folder / "new", folder / "old"));
  CHECK(ReadText(folder / "old") == "new");
  std::vector<uint8_t> read(3);
  size_t count = 0;
  CHECK_FALSE(ReadFully(reader, read, count));
  CHECK(std::string(read.begin(), read.end()) == "old");
  CHECK_FALSE(RenameToNew(folder / "old", folder / "other"));
  CHECK(LookAt(folder / "old").kind == FileKind::kMissing);
}

TEST_CASE("files: one has the lock of a file or a folder, until it is closed") {
  const TestFolder folder;
  WriteText(folder / "file", "text");
  for (const std::string& path : {folder / "file", folder / ""}) {
    Descriptor first;
    Descriptor second;
    REQUIRE_FALSE(OpenToRead(path, first));
    REQUIRE_FALSE(OpenToRead(path, second));
    CHECK_FALSE(TakeLock(first, false));
    CHECK(TakeLock(second, false) == std::errc::resource_unavailable_try_again);
    CHECK(ReadText(folder / "file") == "text");
    WriteText(folder / "other", "text");
    (void)first.Close();
    CHECK_FALSE(TakeLock(second, true));
  }
}

TEST_CASE("files: what is appended stands at the end") {
  const TestFolder folder;
  for (const std::string_view text : {"one", "two"}) {
    Descriptor file;
    REQUIRE_FALSE(OpenToAppend(folder / "log", file));
    CHECK_FALSE(WriteFully(file, AsBytes(text)));
  }
  CHECK(ReadText(folder / "log") == "onetwo");
}
