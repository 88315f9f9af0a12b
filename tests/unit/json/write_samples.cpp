// Writes a JSON trace of random events and streams, for the check of the schema, and a readable one: write_samples FILE READABLE SEED.
#include <cstdlib>
#include <string>

#include "base/file.h"
#include "d3d/fvf.h"
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

// Vertices of formats that have names.
void AddReadableCalls(dp2trace::Bytes vertices, std::vector<dp2trace::trace::Event>& events) {
  for (const uint32_t vertex_type : {0x44u, 0x1C4u, 0x111Au, 0x00040242u}) {
    dp2trace::trace::Dp2 event;
    event.vertex_type = vertex_type;
    event.vertex_size = dp2trace::d3d::FvfVertexSize(vertex_type) + 4;
    event.vertices = vertices;
    events.emplace_back(event);
  }
}

bool Write(const char* path, const std::vector<dp2trace::trace::Event>& events,
           const dp2trace::json::WriterOptions& options) {
  dp2trace::Result<dp2trace::OutputFile> file = dp2trace::OutputFile::Create(path);
  return file.ok() && file->Write(dp2trace::testing::FormatText(events, options)).ok() &&
         file->Commit().ok();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const uint64_t seed = std::strtoull(argv[3], nullptr, 10);
  EventGenerator generator(seed);
  std::vector<dp2trace::trace::Event> events = generator.MakeTrace(200);
  std::vector<std::vector<uint8_t>> streams;
  AddCalls(seed, streams, events);
  const std::vector<uint8_t> vertices(100, 0x81);
  AddReadableCalls(vertices, events);
  const bool ok = Write(argv[1], events, {}) &&
                  Write(argv[2], events, {.vertices = dp2trace::json::Vertices::kReadable});
  return ok ? 0 : 3;
}
