// Random events and random command streams survive both conversions.
#include <doctest/doctest.h>

#include <set>

#include "json/writer.h"
#include "stream/records.h"
#include "support/event_generator.h"
#include "support/random.h"
#include "support/stream_generator.h"
#include "trace/codec.h"
#include "traces.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

namespace {

StoredEvent Store(const trace::Event& event) {
  StoredEvent stored;
  stored.kind = trace::CodeOf(event);
  const auto* const unknown = std::get_if<trace::Unknown>(&event);
  stored.flags = unknown == nullptr ? uint16_t{0} : unknown->flags;
  trace::EncodePayload(event, stored.payload);
  return stored;
}

// Container -> JSON -> container -> JSON.
void CheckIdentity(const std::vector<StoredEvent>& events, const trace::WriterOptions& options) {
  const std::vector<uint8_t> container = WriteContainer(events, options);
  const std::string text = ToJson(container);
  const auto back = ToContainer(text);
  if (!back.ok()) {
    FAIL(back.status().diagnostic().message << " at " << back.status().diagnostic().path);
  }
  CHECK(ReadContainer(*back).events == events);
  CHECK(ToJson(*back) == text);
}

trace::Dp2 RandomCall(const stream::Environment& environment, const std::vector<uint8_t>& stream) {
  trace::Dp2 call;
  call.context = 1;
  call.command_offset = static_cast<uint32_t>(environment.command_offset);
  call.vertex_size = environment.vertex_size;
  call.commands = stream;
  return call;
}

// A packet with the stream after a prefix of random bytes; `buffer` keeps the bytes.
trace::Render RandomPacket(Random& random, const stream::Environment& environment,
                           const std::vector<uint8_t>& stream, std::vector<uint8_t>& buffer) {
  trace::Render packet;
  packet.context = 1;
  packet.command_offset = static_cast<uint32_t>(environment.command_offset);
  for (uint64_t i = 0; i < environment.command_offset; ++i)
    buffer.push_back(random.Byte());
  buffer.insert(buffer.end(), stream.begin(), stream.end());
  packet.command_buffer = buffer;
  packet.dp2_env.emplace().vertex_size = environment.vertex_size;
  return packet;
}

// The operations of a stream.
void Count(const std::vector<uint8_t>& stream, const stream::Environment& environment,
           std::set<opcode::Op>& seen) {
  stream::Decoder decoder(stream, environment, nullptr);
  for (stream::Command command; decoder.Next(command);)
    seen.insert(command.op->op);
}

}  // namespace

TEST_CASE("random events: container -> JSON -> container reproduces every byte") {
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    INFO("seed ", seed);
    EventGenerator generator(seed);
    std::vector<StoredEvent> events;
    for (const trace::Event& event : generator.MakeTrace(150))
      events.push_back(Store(event));
    CheckIdentity(events, {.compression = seed % 2 == 0 ? trace::Compression::kZstd
                                                        : trace::Compression::kNone});
  }
}

TEST_CASE("random streams: every operation survives JSON, in calls and in packets") {
  std::set<opcode::Op> seen;
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    INFO("seed ", seed);
    Random random(seed);
    std::vector<StoredEvent> events = {Store(trace::Header{})};
    for (int i = 0; i < 4; ++i) {
      stream::Environment environment = RandomEnvironment(random);
      const std::vector<uint8_t> stream = RandomStream(random, environment);
      Count(stream, environment, seen);
      events.push_back(Store(RandomCall(environment, stream)));
      std::vector<uint8_t> buffer;
      environment.command_offset %= 256;  // the prefix is stored
      const std::vector<uint8_t> submitted = RandomStream(random, environment);
      events.push_back(Store(RandomPacket(random, environment, submitted, buffer)));
    }
    CheckIdentity(events, {});
  }
  for (const opcode::OpInfo& op : opcode::AllOps()) {
    INFO(op.name);
    CHECK(seen.contains(op.op) == (op.direction == opcode::Direction::kToDriver));
  }
}

TEST_CASE("random streams: damaged ones survive JSON, too") {
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    INFO("seed ", seed);
    Random random(seed);
    const stream::Environment environment = RandomEnvironment(random);
    std::vector<uint8_t> stream = RandomStream(random, environment);
    Mutate(random, 6, stream);
    CheckIdentity({Store(trace::Header{}), Store(RandomCall(environment, stream))}, {});
  }
}
