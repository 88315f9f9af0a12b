#include "base/output_limit.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "base/file.h"
#include "base/file_measure.h"
#include "base/output_folder.h"
#include "support/test_folder.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

namespace {

// No limit after the test.
struct WithMaxOutput {
  explicit WithMaxOutput(uint64_t bytes) { SetMaxOutput(bytes); }
  ~WithMaxOutput() { SetMaxOutput(UINT64_MAX); }
  WithMaxOutput(const WithMaxOutput&) = delete;
  WithMaxOutput& operator=(const WithMaxOutput&) = delete;
};

Status MakeFile(const std::string& path, const std::string& text) {
  Result<OutputFile> file = OutputFile::Create(path);
  if (!file.ok()) return file.status();
  DP2TRACE_RETURN_IF_ERROR(file->Write(text));
  return file->Commit();
}

}  // namespace

TEST_CASE("SpendOutput: files count together, with what each takes beside its bytes") {
  const TestFolder folder;
  const WithMaxOutput limit(2 * kFileOutput + 20);
  CHECK(MakeFile(folder / "a", "0123456789").ok());
  const Status status = MakeFile(folder / "b", "0123456789-");
  REQUIRE_FALSE(status.ok());
  CHECK(status.diagnostic().message.find("--max-output") != std::string::npos);
  CHECK_FALSE(std::filesystem::exists(folder / "b"));
  CHECK_FALSE(MakeFile(folder / "c", "").ok());  // and no more from then on
}

TEST_CASE("SpendOutput: the files of a folder count") {
  const TestFolder folder;
  const WithMaxOutput limit(kFileOutput + 10);
  Result<OutputFolder> output = OutputFolder::Create(folder / "out", "test");
  REQUIRE(output.ok());
  CHECK(output->Write("a", "0123456789").ok());
  CHECK_FALSE(output->Write("b", "").ok());
}

TEST_CASE(
    "ForEachByte, ForEachMegabyte: a file counts as a megabyte at least, and as a gigabyte where its size is unknown") {
  CHECK(ForEachByte(3, 5) == uint64_t{3} << 20);
  CHECK(ForEachByte(3, (1 << 20) + 1) == (uint64_t{3} << 20) + 3);
  CHECK(ForEachByte(3, std::nullopt) == uint64_t{3} << 30);
  CHECK(ForEachByte(UINT64_MAX / 2, 1) == UINT64_MAX);
  CHECK(ForEachMegabyte(7, 5) == 7);
  CHECK(ForEachMegabyte(7, (3 << 20) + 1) == 21);
  CHECK(ForEachMegabyte(7, std::nullopt) == 7 << 10);
}
