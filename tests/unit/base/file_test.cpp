#include "base/file.h"

#include <doctest/doctest.h>

#include <unistd.h>

#include <filesystem>

using namespace dp2trace;  // NOLINT(google-build-using-namespace): test file

namespace {

struct TemporaryFolder {
  std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("dp2trace-file-test-" + std::to_string(getpid()));
  TemporaryFolder() { std::filesystem::create_directories(path); }
  ~TemporaryFolder() { std::filesystem::remove_all(path); }
};

}  // namespace

TEST_CASE("OutputFile: the file appears at Commit and not before") {
  TemporaryFolder folder;
  const std::string path = folder.path / "out.txt";
  {
    Result<OutputFile> output = OutputFile::Create(path);
    REQUIRE(output.ok());
    REQUIRE(output->Write("hello").ok());
    CHECK_FALSE(std::filesystem::exists(path));
    REQUIRE(output->Commit().ok());
  }
  const Result<std::vector<uint8_t>> bytes = ReadWholeFile(path, 100);
  REQUIRE(bytes.ok());
  CHECK(bytes->size() == 5);
}

TEST_CASE("OutputFile: without Commit nothing is left behind") {
  TemporaryFolder folder;
  {
    Result<OutputFile> output = OutputFile::Create(folder.path / "out.txt");
    REQUIRE(output.ok());
    REQUIRE(output->Write("hello").ok());
  }
  CHECK(std::filesystem::is_empty(folder.path));
}

TEST_CASE("Files: a missing path, a folder and an unwritable place are errors with the reason") {
  TemporaryFolder folder;
  CHECK(InputFile::Open(folder.path / "none").status().diagnostic().message.find("No such file") !=
        std::string::npos);
  CHECK(InputFile::Open(folder.path).status().diagnostic().message.find("Is a directory") !=
        std::string::npos);
  CHECK(OutputFile::Create(folder.path / "no" / "where").status().diagnostic().rule ==
        kCannotWrite);
}

TEST_CASE("ReadWholeFile: refuses more than the limit") {
  TemporaryFolder folder;
  Result<OutputFile> output = OutputFile::Create(folder.path / "big");
  REQUIRE(output.ok());
  REQUIRE(output->Write(std::string(1000, 'x')).ok());
  REQUIRE(output->Commit().ok());
  CHECK_FALSE(ReadWholeFile(folder.path / "big", 999).ok());
  CHECK(ReadWholeFile(folder.path / "big", 1000).ok());
}
