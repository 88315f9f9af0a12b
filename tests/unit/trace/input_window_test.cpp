#include "trace/input_window.h"

#include <doctest/doctest.h>

#include <string>

#include "support/test_folder.h"

using namespace dp2trace;  // NOLINT(google-build-using-namespace): test file
using trace::InputWindow;

namespace {

// A file with the bytes 0, 1, 2, ... of `size`, removed at the end.
struct CountingFile {
  testing::TestFolder folder;
  std::string path = folder / "counting";
  std::vector<uint8_t> bytes;
  explicit CountingFile(size_t size) : bytes(size) {
    for (size_t i = 0; i < size; ++i)
      bytes[i] = static_cast<uint8_t>(i % 251);
    Result<OutputFile> file = OutputFile::Create(path);
    REQUIRE(file.ok());
    REQUIRE(file->Write(bytes).ok());
    REQUIRE(file->Commit().ok());
  }
  InputWindow Open() const {
    Result<InputFile> file = InputFile::Open(path);
    REQUIRE(file.ok());
    return InputWindow(std::move(*file));
  }
};

void CheckReads(InputWindow& window, Bytes all) {
  size_t at = 0;
  for (size_t step = 1; at < all.size(); step = step * 3 + 1) {
    const Bytes peeked = window.Peek(step * 2);
    REQUIRE(peeked.size() == std::min(step * 2, all.size() - at));
    REQUIRE(
        std::equal(peeked.begin(), peeked.end(), all.begin() + static_cast<std::ptrdiff_t>(at)));
    window.Skip(step);
    at = std::min(at + step, all.size());
    REQUIRE(window.position() == at);
  }
  CHECK(window.Peek(1).empty());
  CHECK(window.status().ok());
}

}  // namespace

TEST_CASE("InputWindow: a file and memory give the same bytes") {
  const CountingFile file(3'000'000);
  InputWindow window = file.Open();
  CheckReads(window, file.bytes);
  InputWindow memory{Bytes(file.bytes)};
  CheckReads(memory, file.bytes);
  CHECK(memory.capacity() == 0);
}

TEST_CASE("InputWindow: a size that is a lie takes no memory") {
  const CountingFile file(100);
  InputWindow window = file.Open();
  CHECK(window.Peek(size_t{1} << 40).size() == 100);
  CHECK(window.capacity() <= size_t{2} << 20);
}

TEST_CASE("InputWindow: ReadAt keeps window and position") {
  const CountingFile file(5000);
  InputWindow window = file.Open();
  const Bytes before = window.Peek(100);
  const auto there = window.ReadAt(4000, 8);
  REQUIRE(there.has_value());
  CHECK((*there)[0] == file.bytes[4000]);
  CHECK(before[99] == file.bytes[99]);
  CHECK(window.position() == 0);
  CHECK(window.Peek(5000).back() == file.bytes[4999]);
  CHECK_FALSE(window.ReadAt(4999, 2).has_value());
  CHECK_FALSE(window.ReadAt(~uint64_t{0}, 2).has_value());
}

TEST_CASE("InputWindow: Seek and ShrinkTo keep what follows right") {
  const CountingFile file(2'000'000);
  InputWindow window = file.Open();
  window.Peek(1'500'000);
  window.Skip(1'499'990);
  window.ShrinkTo(1000);
  CHECK(window.capacity() <= 1000);
  CHECK(window.Peek(20)[0] == file.bytes[1'499'990]);
  CHECK(window.Peek(20)[19] == file.bytes[1'500'009]);
  REQUIRE(window.Seek(3));
  CHECK(window.Peek(1)[0] == 3);
  window.Skip(10'000'000);
  CHECK(window.position() == 2'000'000);
  CHECK(window.Peek(1).empty());
}
