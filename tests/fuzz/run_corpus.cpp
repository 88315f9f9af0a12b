// Gives the inputs of a kept corpus to a fuzz target, where it is built without libFuzzer.
// usage: TARGET FILE|FOLDER...     options of libFuzzer are passed over
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

namespace fs = std::filesystem;

char current[4096];  // the input that is tried, for whoever has to look at it

void NameInput(int signal) {
  (void)!write(STDERR_FILENO, current, std::strlen(current));
  (void)!write(STDERR_FILENO, "\n", 1);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

std::vector<fs::path> InputsOf(const fs::path& place) {
  if (!fs::is_directory(place)) return {place};
  std::vector<fs::path> inputs;
  for (const auto& entry : fs::directory_iterator(place))
    inputs.push_back(entry.path());
  std::ranges::sort(inputs);
  return inputs;
}

void Try(const fs::path& input) {
  std::snprintf(current, sizeof current, "%s", input.c_str());
  std::ifstream file(input, std::ios::binary);
  const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
  // A copy of exactly its size, so that tools see reads beyond its end.
  const std::vector<uint8_t> data(bytes.begin(), bytes.end());
  LLVMFuzzerTestOneInput(data.data(), data.size());
}

}  // namespace

int main(int argc, char** argv) {
  for (const int signal : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL})
    std::signal(signal, NameInput);
  size_t count = 0;
  for (int i = 1; i < argc; ++i) {
    if (argv[i][0] == '-') continue;
    for (const fs::path& input : InputsOf(argv[i])) {
      Try(input);
      ++count;
    }
  }
  std::printf("%zu inputs\n", count);
  return count == 0 ? 1 : 0;
}
