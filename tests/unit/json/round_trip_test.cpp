// binary -> JSON -> binary reproduces every byte, JSON -> binary -> JSON every character of the canonical form.
#include <doctest/doctest.h>

#include <string>

#include "round_trip.h"
#include "support/event_generator.h"
#include "support/stream_generator.h"
#include "trace/codec.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

namespace {

trace::Event Dp2With(Bytes commands, const stream::Environment& environment) {
  trace::Dp2 event;
  event.commands = commands;
  event.command_offset = static_cast<uint32_t>(environment.command_offset);
  event.vertex_size = environment.vertex_size;
  return event;
}

// The same stream in a packet, with `prefix` bytes before it.
trace::Event RenderWith(std::vector<uint8_t>& buffer, Bytes commands,
                        const stream::Environment& environment, uint8_t prefix) {
  buffer.assign(static_cast<size_t>(environment.command_offset), prefix);
  buffer.insert(buffer.end(), commands.begin(), commands.end());
  trace::Render event;
  event.command_buffer = buffer;
  event.command_offset = static_cast<uint32_t>(environment.command_offset);
  event.dp2_env.emplace().vertex_size = environment.vertex_size;
  return event;
}

}  // namespace

TEST_CASE("Round trip: events with random fields") {
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    EventGenerator generator(seed, 100);
    CheckRoundTrip(generator.MakeTrace(60));
  }
}

TEST_CASE("Round trip: each kind of event with all fields at their defaults") {
  std::vector<trace::Event> events;
#define DP2TRACE_EVENT(Type, code, name) events.emplace_back(trace::Type{});
#include "rules/rule.h"
#include "trace/events.def"
#undef DP2TRACE_EVENT
  CheckRoundTrip(events);
}

TEST_CASE("Round trip: streams of every operation") {
  Random random(7);
  for (const opcode::OpInfo& op : opcode::AllOps()) {
    if (op.direction != opcode::Direction::kToDriver) continue;
    CAPTURE(op.name);
    for (int i = 0; i < 12; ++i) {
      const stream::Environment environment = RandomEnvironment(random);
      const opcode::Op only[] = {op.op};
      const std::vector<uint8_t> bytes =
          RandomStream(random, environment, {.commands = 4, .only = only});
      std::vector<uint8_t> buffer;
      CheckRoundTrip({trace::Header{}, Dp2With(bytes, environment),
                      RenderWith(buffer, bytes, environment, 0)});
    }
  }
}

TEST_CASE("Round trip: damaged streams keep their bytes") {
  Random random(8);
  for (int i = 0; i < 400; ++i) {
    CAPTURE(i);
    const stream::Environment environment = RandomEnvironment(random);
    std::vector<uint8_t> bytes = RandomStream(random, environment, {.commands = 6});
    Mutate(random, 4, bytes);
    std::vector<uint8_t> buffer;
    CheckRoundTrip({trace::Header{}, Dp2With(bytes, environment),
                    RenderWith(buffer, bytes, environment, 0xA5)});
  }
}

TEST_CASE("Round trip: command buffers that are shorter than their offset, or opaque") {
  const std::vector<uint8_t> bytes(10, 0);
  for (const uint32_t offset : {0u, 9u, 10u, 11u, 4000000000u}) {
    CAPTURE(offset);
    trace::Render event;
    event.command_buffer = bytes;
    event.command_offset = offset;
    trace::Render opaque = event;
    opaque.payload = trace::PayloadKind::kOpaque;
    CheckRoundTrip({trace::Header{}, event, opaque});
  }
}

TEST_CASE("Round trip: any source piece size gives the same events") {
  EventGenerator generator(3, 40);
  const std::string text = FormatText(generator.MakeTrace(30));
  const TextResult whole = ParseText(text);
  REQUIRE(whole.status.ok());
  for (const size_t piece : {1u, 2u, 3u, 7u, 61u})
    CHECK(ParseText(text, {}, piece).lines == whole.lines);
}

TEST_CASE(
    "Round trip: an event with a text that is not UTF-8 becomes its bytes, as in the container") {
  trace::Marker marker;
  marker.text = "\xFF\xC0";
  std::vector<uint8_t> payload;
  trace::EncodePayload(marker, payload);
  const trace::Unknown unknown{12, 0, payload};
  CHECK(json::ToText(marker) == json::ToText(unknown));
  CheckRoundTrip({trace::Header{}, unknown});
}
