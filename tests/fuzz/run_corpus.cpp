// Gives kept inputs to a fuzz target, where it is built without libFuzzer.
// usage: TARGET FILE|ARCHIVE.tar.zst...     options of libFuzzer are passed over
#include <unistd.h>
#include <zstd.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

char current[4096];  // the input that is tried, for whoever has to look at it

void NameInput(int signal) {
  (void)!write(STDERR_FILENO, current, std::strlen(current));
  (void)!write(STDERR_FILENO, "\n", 1);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

[[noreturn]] void Fail(const char* path, const char* what) {
  std::fprintf(stderr, "%s: %s\n", path, what);
  std::exit(1);
}

void Try(const char* path, const char* name, std::span<const uint8_t> input) {
  std::snprintf(current, sizeof current, "%s %s", path, name);
  // A copy of exactly its size, so that tools see reads beyond its end.
  const std::vector<uint8_t> data(input.begin(), input.end());
  LLVMFuzzerTestOneInput(data.data(), data.size());
}

std::vector<uint8_t> ReadFile(const char* path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) Fail(path, "cannot be opened");
  const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
  return {bytes.begin(), bytes.end()};
}

std::vector<uint8_t> Decompress(const char* path, std::span<const uint8_t> frame) {
  const unsigned long long size = ZSTD_getFrameContentSize(frame.data(), frame.size());
  constexpr unsigned long long kMaxSize = 1 << 30;
  if (size > kMaxSize) Fail(path, "is not a zstd frame that says its size");
  std::vector<uint8_t> bytes(size);
  if (ZSTD_decompress(bytes.data(), size, frame.data(), frame.size()) != size)
    Fail(path, "is damaged");
  return bytes;
}

// A member of an archive in the format ustar, without folders (scripts/fuzz.sh writes it so): a block with the header, and the content,
// padded to whole blocks.
constexpr size_t kBlock = 512;
constexpr size_t kNameSize = 100;
constexpr size_t kSizeAt = 124;
constexpr size_t kSizeSize = 12;  // octal digits
constexpr size_t kTypeAt = 156;   // '0': a file

size_t TryMembers(const char* path, std::span<const uint8_t> archive) {
  size_t count = 0;
  // The end is a block of zeros.
  while (archive.size() >= kBlock && archive[0] != 0) {
    const auto field = [&archive](size_t at, size_t size) {
      const auto bytes = archive.subspan(at, size);
      return std::string(bytes.begin(), std::ranges::find(bytes, 0));
    };
    const std::string name = field(0, kNameSize);
    const size_t size = std::strtoull(field(kSizeAt, kSizeSize).c_str(), nullptr, 8);
    const char type = static_cast<char>(archive[kTypeAt]);
    archive = archive.subspan(kBlock);
    if (size > archive.size() || type != '0') Fail(path, "holds something else than whole files");
    Try(path, name.c_str(), archive.first(size));
    ++count;
    archive = archive.subspan(std::min(archive.size(), (size + kBlock - 1) / kBlock * kBlock));
  }
  return count;
}

}  // namespace

int main(int argc, char** argv) {
  for (const int signal : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL})
    std::signal(signal, NameInput);
  size_t count = 0;
  for (int i = 1; i < argc; ++i) {
    const char* const path = argv[i];
    if (path[0] == '-') continue;
    const std::vector<uint8_t> bytes = ReadFile(path);
    if (std::string_view(path).ends_with(".tar.zst")) {
      count += TryMembers(path, Decompress(path, bytes));
    } else {
      Try(path, "", bytes);
      ++count;
    }
  }
  std::printf("%zu inputs\n", count);
  return count == 0 ? 1 : 0;
}
