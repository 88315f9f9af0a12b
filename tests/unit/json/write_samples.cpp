// Writes a JSON trace of random events and streams, for the check of the schema: write_samples FILE SEED.
#include <cstdlib>
#include <string>

#include "base/file.h"
#include "json_texts.h"
#include "support/event_generator.h"
#include "support/stream_generator.h"

namespace {

using dp2trace::testing::EventGenerator;

// One call for each operation, with all of its parts.
void AddCalls(uint64_t seed, std::vector<std::vector<uint8_t>>& streams,
              std::vector<dp2trace::trace::Event>& events) {
  dp2trace::testing::Random random(seed);
  for (const dp2trace::opcode::OpInfo& op : dp2trace::opcode::AllOps()) {
    if (op.direction != dp2trace::opcode::Direction::kToDriver) continue;
    const dp2trace::opcode::Op only[] = {op.op};
    const dp2trace::stream::Environment environment = dp2trace::testing::RandomEnvironment(random);
    streams.push_back(
        dp2trace::testing::RandomStream(random, environment, {.commands = 4, .only = only}));
    dp2trace::trace::Dp2 event;
    event.command_offset = static_cast<uint32_t>(environment.command_offset);
    event.vertex_size = environment.vertex_size;
    event.commands = streams.back();
    events.emplace_back(event);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const uint64_t seed = std::strtoull(argv[2], nullptr, 10);
  EventGenerator generator(seed);
  std::vector<dp2trace::trace::Event> events = generator.MakeTrace(200);
  std::vector<std::vector<uint8_t>> streams;
  AddCalls(seed, streams, events);
  dp2trace::Result<dp2trace::OutputFile> file = dp2trace::OutputFile::Create(argv[1]);
  if (!file.ok() || !file->Write(dp2trace::testing::WriteText(events)).ok()) return 3;
  return file->Commit().ok() ? 0 : 3;
}
