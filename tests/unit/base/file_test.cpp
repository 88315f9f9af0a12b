#include "base/file.h"

#include <doctest/doctest.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <thread>

#include "base/temporaries.h"
#include "support/test_folder.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

namespace {

namespace fs = std::filesystem;

Status WriteFile(const std::string& path, std::string_view text) {
  Result<OutputFile> output = OutputFile::Create(path);
  if (!output.ok()) return output.status();
  DP2TRACE_RETURN_IF_ERROR(output->Write(text));
  return output->Commit();
}

std::string MessageOf(const Status& status) {
  return status.ok() ? "" : status.diagnostic().message;
}

size_t Count(const std::string& folder) {
  return static_cast<size_t>(
      std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

}  // namespace

TEST_CASE("OutputFile: the file appears at Commit and not before") {
  const TestFolder folder;
  const std::string path = folder / "out.txt";
  {
    Result<OutputFile> output = OutputFile::Create(path);
    REQUIRE(output.ok());
    REQUIRE(output->Write("hello").ok());
    CHECK_FALSE(fs::exists(path));
    REQUIRE(output->Commit().ok());
  }
  CHECK(ReadText(path) == "hello");
  CHECK(Count(folder / "") == 1);
}

TEST_CASE("OutputFile: without Commit nothing is left behind") {
  const TestFolder folder;
  {
    Result<OutputFile> output = OutputFile::Create(folder / "out.txt");
    REQUIRE(output.ok());
    REQUIRE(output->Write("hello").ok());
  }
  CHECK(fs::is_empty(folder / ""));
}

TEST_CASE("OutputFile: pieces of all sizes arrive in their order") {
  const TestFolder folder;
  std::string all;
  Result<OutputFile> output = OutputFile::Create(folder / "out");
  REQUIRE(output.ok());
  for (const size_t size : {1U, 65535U, 1U, 65536U, 0U, 200000U, 3U}) {
    const std::string piece(size, static_cast<char>('a' + all.size() % 26));
    REQUIRE(output->Write(piece).ok());
    all += piece;
  }
  CHECK(output->written() == all.size());
  REQUIRE(output->Commit().ok());
  CHECK(ReadText(folder / "out") == all);
}

TEST_CASE("Files: a missing path, a folder and an unwritable place are errors with the reason") {
  const TestFolder folder;
  CHECK(MessageOf(InputFile::Open(folder / "none").status()).find("No such file") !=
        std::string::npos);
  CHECK(MessageOf(InputFile::Open(folder / "").status()).find("Is a directory") !=
        std::string::npos);
  CHECK(OutputFile::Create(folder / "no/where").status().diagnostic().rule == kCannotWrite);
  CHECK(MessageOf(OutputFile::Create(folder / "").status()).find("Is a directory") !=
        std::string::npos);
}

TEST_CASE("InputFile: what was looked at is still to be read") {
  const TestFolder folder;
  WriteText(folder / "a", "abcdefgh");
  Result<InputFile> file = InputFile::Open(folder / "a");
  REQUIRE(file.ok());
  const auto text = [](const Result<Bytes>& bytes) {
    return std::string(bytes->begin(), bytes->end());
  };
  std::vector<uint8_t> part(3);
  const auto read = [&] {
    const Result<size_t> count = file->Read(part);
    return std::string(part.begin(), part.begin() + static_cast<ptrdiff_t>(*count));
  };
  CHECK(text(file->Peek(2)) == "ab");
  CHECK(text(file->Peek(4)) == "abcd");
  CHECK(read() == "abc");
  CHECK(text(file->Peek(100)) == "defgh");
  CHECK(read() == "def");
  CHECK(read() == "gh");
  CHECK(read().empty());
  CHECK(text(file->Peek(1)).empty());
  REQUIRE(file->Seek(1).ok());
  CHECK(text(file->Peek(1)) == "b");
  REQUIRE(file->Seek(0).ok());
  CHECK(read() == "abc");
}

TEST_CASE("OutputFile: a device is written, and stays a device") {
  const TestFolder folder;
  const std::string path = folder / "null";
  if (mknod(path.c_str(), S_IFCHR | 0666, makedev(1, 3)) != 0 || access(path.c_str(), W_OK) != 0) {
    MESSAGE("no right to make devices");
    return;
  }
  CHECK(WriteFile(path, "hello").ok());
  CHECK(fs::is_character_file(path));
  CHECK(Count(folder / "") == 1);
}

TEST_CASE("OutputFile: a device after a link is written") {
  const TestFolder folder;
  fs::create_symlink("/dev/null", folder / "null");
  CHECK(WriteFile(folder / "null", "hello").ok());
  CHECK(fs::is_character_file("/dev/null"));
  CHECK(fs::is_symlink(folder / "null"));
  fs::create_symlink("/dev/full", folder / "full");
  if (fs::exists(folder / "full"))
    CHECK(MessageOf(WriteFile(folder / "full", "hello")) ==
          "cannot write " + (folder / "full") + ": No space left on device");
}

TEST_CASE("OutputFile: a pipe gets the bytes, and stays a pipe") {
  const TestFolder folder;
  const std::string path = folder / "pipe";
  REQUIRE(mkfifo(path.c_str(), 0600) == 0);
  std::string got;
  std::thread reader([&] { got = ReadText(path); });
  const Status status = WriteFile(path, "hello");
  reader.join();
  CHECK(status.ok());
  CHECK(got == "hello");
  CHECK(fs::is_fifo(path));
  CHECK(Count(folder / "") == 1);
}

TEST_CASE("OutputFile: an open file of the program goes on where it is") {
  const TestFolder folder;
  const int number = open((folder / "log").c_str(), O_WRONLY | O_CREAT, 0600);  // NOLINT
  REQUIRE(number >= 0);
  REQUIRE(write(number, "first ", 6) == 6);
  const std::string path = "/dev/fd/" + std::to_string(number);
  if (fs::exists(path)) {
    CHECK(WriteFile(path, "second").ok());
    REQUIRE(write(number, " third", 6) == 6);
    CHECK(ReadText(folder / "log") == "first second third");
  }
  (void)close(number);
}

TEST_CASE("OutputFile: links are followed, and stay, also to what is not there") {
  const TestFolder folder;
  fs::create_directory(folder / "place");
  WriteText(folder / "place/real", "old");
  fs::create_symlink("real", folder / "place/second");
  fs::create_symlink("place/second", folder / "link");
  CHECK(WriteFile(folder / "link", "new").ok());
  CHECK(ReadText(folder / "place/real") == "new");
  CHECK(fs::is_symlink(folder / "link"));
  CHECK(fs::is_symlink(folder / "place/second"));
  fs::create_symlink(folder / "place/later", folder / "dangling");
  CHECK(WriteFile(folder / "dangling", "made").ok());
  CHECK(ReadText(folder / "place/later") == "made");
  CHECK(fs::is_symlink(folder / "dangling"));
  fs::create_symlink("circle", folder / "circle");
  CHECK_FALSE(WriteFile(folder / "circle", "").ok());
  CHECK(Count(folder / "place") == 3);
}

TEST_CASE("OutputFile: the permissions of a file that is replaced stay") {
  const TestFolder folder;
  for (const auto mode : {fs::perms{0600}, fs::perms{0444}, fs::perms{0755}, fs::perms{0666}}) {
    WriteText(folder / "out", "old");
    fs::permissions(folder / "out", mode);
    CHECK(WriteFile(folder / "out", "new").ok());
    CHECK(fs::status(folder / "out").permissions() == mode);
    CHECK(ReadText(folder / "out") == "new");
    fs::remove(folder / "out");
  }
}

TEST_CASE("OutputFile: while it is written, nobody reads what the old file hid") {
  const TestFolder folder;
  WriteText(folder / "out", "old");
  fs::permissions(folder / "out", fs::perms{0600});
  Result<OutputFile> output = OutputFile::Create(folder / "out");
  REQUIRE(output.ok());
  for (const auto& entry : fs::directory_iterator(folder / ""))
    CHECK(entry.status().permissions() == fs::perms{0600});
}

TEST_CASE("OutputFile: what comes to lie in its place and is not a file stays") {
  const TestFolder folder;
  Result<OutputFile> output = OutputFile::Create(folder / "out");
  REQUIRE(output.ok());
  fs::create_symlink("nowhere", folder / "out");
  CHECK_FALSE(output->Commit().ok());
  CHECK(fs::is_symlink(folder / "out"));
}

TEST_CASE("OutputFile: links laid at names that can be guessed lead nowhere") {
  const TestFolder folder;
  WriteText(folder / "victim", "mine");
  const std::string name = TemporaryName("out");
  const size_t random = name.rfind('.', name.size() - 5);
  REQUIRE(name.size() - 4 - random == 17);  // the part that nobody can foresee
  const std::string known = name.substr(0, random);
  CHECK(TemporaryName("out") != name);
  for (const std::string& guess : {known + ".tmp", name, known + ".0000000000000000.tmp"})
    fs::create_symlink("victim", folder / guess);
  CHECK(WriteFile(folder / "out", "hello").ok());
  CHECK(ReadText(folder / "victim") == "mine");
  CHECK_FALSE(fs::is_symlink(folder / "out"));
  Descriptor file;
  CHECK(CreateNew(folder / name, kNewFileMode, file) == std::errc::file_exists);
}

TEST_CASE("OutputFile: CommitOver replaces what was read, and nothing else") {
  const TestFolder folder;
  const std::string path = folder / "out";
  const auto commit = [&](const std::string& hash, std::string_view text, auto meanwhile) {
    Result<OutputFile> output = OutputFile::Create(path);
    REQUIRE(output.ok());
    REQUIRE(output->Write(text).ok());
    meanwhile();
    return output->CommitOver(hash);
  };
  const auto nothing = [] {};
  const auto edit = [&] { WriteText(path, "edited"); };
  CHECK_FALSE(commit("", "new", edit).ok());
  CHECK(ReadText(path) == "edited");
  fs::remove(path);
  CHECK(commit("", "one", nothing).ok());
  const std::string hash = *HashOfContent(path);
  CHECK(commit(hash, "two", nothing).ok());
  CHECK(ReadText(path) == "two");
  CHECK(MessageOf(commit(hash, "three", nothing)).find("it was changed after it was read") !=
        std::string::npos);
  CHECK_FALSE(commit(*HashOfContent(path), "three", edit).ok());
  CHECK(ReadText(path) == "edited");
  CHECK_FALSE(commit(*HashOfContent(path), "three", [&] { fs::remove(path); }).ok());
  CHECK(fs::is_empty(folder / ""));
}

TEST_CASE("OutputFile: the longest name that the system allows") {
  const TestFolder folder;
  const std::string name(255, 'n');
  CHECK(WriteFile(folder / name, "hello").ok());
  CHECK(ReadText(folder / name) == "hello");
}

TEST_CASE("OutputFile: what killed programs leave goes away, what others leave stays") {
  const TestFolder folder;
  const std::string name = TemporaryName("out");
  const size_t host = name.find('.', 4);
  const std::string killed = "out.999999999" + name.substr(host);  // no system has this process
  for (const std::string& left :
       {killed, name, std::string("out.999999999.tmp"), "other" + killed.substr(3)})
    WriteText(folder / left, "half");
  std::string other_host = killed;
  other_host[14] = other_host[14] == '0' ? '1' : '0';
  WriteText(folder / other_host, "half");
  CHECK(WriteFile(folder / "out", "hello").ok());
  CHECK_FALSE(fs::exists(folder / killed));
  CHECK(Count(folder / "") == 5);
}

TEST_CASE("AppendToFile: writes past what is there, and makes what is not") {
  const TestFolder folder;
  CHECK(AppendToFile(folder / "log", "one\n").ok());
  CHECK(AppendToFile(folder / "log", "two\n").ok());
  CHECK(ReadText(folder / "log") == "one\ntwo\n");
  CHECK_FALSE(AppendToFile(folder / "no/log", "").ok());
}

TEST_CASE("PlaceToWrite: the folder of a file, and a device itself") {
  const TestFolder folder;
  fs::create_directory(folder / "place");
  fs::create_symlink("place/file", folder / "link");
  CHECK(PlaceToWrite(folder / "place/file") == folder / "place");
  CHECK(PlaceToWrite(folder / "link") == folder / "place");
  CHECK(PlaceToWrite(folder / "place/folder/") == folder / "place");
  CHECK(PlaceToWrite("/dev/null") == "/dev/null");
  CHECK(PlaceToWrite("file") == ".");
}

TEST_CASE("ReadWholeFile: refuses more than the limit") {
  const TestFolder folder;
  REQUIRE(WriteFile(folder / "big", std::string(1000, 'x')).ok());
  CHECK_FALSE(ReadWholeFile(folder / "big", 999).ok());
  CHECK(ReadWholeFile(folder / "big", 1000).ok());
}
