// Writes the starting corpus of stream_fuzz: random valid streams that together hold every operation.
// usage: write_stream_seeds FOLDER COUNT
#include <cstdio>
#include <cstdlib>
#include <string>

#include "base/file.h"
#include "support/stream_generator.h"

using namespace dp2trace;  // NOLINT(google-build-using-namespace): a program of tests

namespace {

// The input form of stream_fuzz: alignment, vertex size, stream.
Status WriteSeed(const std::string& path, testing::Random& random) {
  stream::Environment environment = testing::RandomEnvironment(random);
  environment.command_offset &= 0xFF;
  std::vector<uint8_t> input = {static_cast<uint8_t>(environment.command_offset),
                                static_cast<uint8_t>(environment.vertex_size)};
  const std::vector<uint8_t> commands = testing::RandomStream(random, environment, {.commands = 8});
  input.insert(input.end(), commands.begin(), commands.end());
  Result<OutputFile> file = OutputFile::Create(path);
  if (!file.ok()) return file.status();
  DP2TRACE_RETURN_IF_ERROR(file->Write(Bytes(input)));
  return file->Commit();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  testing::Random random(1);
  const int count = std::atoi(argv[2]);
  for (int i = 0; i < count; ++i) {
    const Status written = WriteSeed(std::string(argv[1]) + "/stream-" + std::to_string(i), random);
    if (written.ok()) continue;
    (void)std::fprintf(stderr, "%s\n", written.diagnostic().message.c_str());
    return 3;
  }
  return 0;
}
