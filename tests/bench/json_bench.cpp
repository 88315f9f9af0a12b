// Bytes of JSON text per second, both directions: command streams (states, shaders and all operations), uploads, small events.
#include <benchmark/benchmark.h>

#include <cstring>
#include <string>
#include <vector>

#include "json/reader.h"
#include "json/writer.h"
#include "support/event_generator.h"
#include "support/stream_generator.h"

namespace {

using dp2trace::OkStatus;
using dp2trace::Result;
using dp2trace::Status;
using dp2trace::opcode::Op;
using dp2trace::testing::EventGenerator;
using dp2trace::trace::Event;

constexpr Op kStates[] = {Op::kRenderState, Op::kTextureStageState, Op::kDrawPrimitive,
                          Op::kSetStreamSource, Op::kSetTexLod};
constexpr Op kFloats[] = {Op::kSetTransform, Op::kSetVertexShaderConst, Op::kSetPixelShaderConst,
                          Op::kSetLight};

enum Content : int64_t { kStateCalls, kFloatCalls, kAllCalls, kUploads, kSmallEvents };
constexpr const char* kContentNames[] = {"states", "floats", "all_operations", "uploads",
                                         "small_events"};

struct Sample {
  EventGenerator generator{1, 40};
  std::vector<Event> events;
};

// State numbers that exist: random ones would measure the writing of numbers only.
void MakePlausible(std::vector<uint8_t>& stream) {
  dp2trace::stream::Decoder decoder(stream, {}, nullptr);
  for (dp2trace::stream::Command command; decoder.Next(command);) {
    const bool is_render_state = command.op->op == Op::kRenderState;
    if (!is_render_state && command.op->op != Op::kTextureStageState) continue;
    for (size_t at = 4; at < command.bytes.size(); at += 8) {
      uint8_t* const state =
          const_cast<uint8_t*>(command.bytes.data()) + at + (is_render_state ? 0 : 2);
      *state = static_cast<uint8_t>(*state % (is_render_state ? 60 : 32) + 1);
      if (is_render_state) state[1] = state[2] = state[3] = 0;
      if (!is_render_state) state[1] = 0;
      std::memset(state + (is_render_state ? 5 : 3), 0, 3);
    }
  }
}

std::vector<uint8_t> MakeStream(dp2trace::testing::Random& random, std::span<const Op> operations) {
  const dp2trace::testing::StreamOptions options{
      .commands = 100, .reserved_one_in = 0, .only = operations};
  std::vector<uint8_t> stream =
      dp2trace::testing::RandomStream(random, {.vertex_size = 32}, options);
  MakePlausible(stream);
  return stream;
}

void AddCalls(Sample& sample, std::span<const Op> operations) {
  dp2trace::testing::Random random(2);
  for (int i = 0; i < 200; ++i) {
    const std::vector<uint8_t> stream = MakeStream(random, operations);
    const dp2trace::Bytes stored = sample.generator.MakeBytes(stream.size());
    std::memcpy(const_cast<uint8_t*>(stored.data()), stream.data(), stream.size());
    dp2trace::trace::Dp2 event;
    event.vertex_size = 32;
    event.commands = stored;
    sample.events.emplace_back(event);
  }
}

void Fill(Sample& sample, int64_t content) {
  sample.events.emplace_back(dp2trace::trace::Header{});
  if (content == kStateCalls) AddCalls(sample, kStates);
  if (content == kFloatCalls) AddCalls(sample, kFloats);
  if (content == kAllCalls) AddCalls(sample, {});
  for (int i = 0; content == kUploads && i < 20; ++i) {
    dp2trace::trace::SurfaceUpdate event;
    event.data = sample.generator.MakeBytes(256 << 10);
    sample.events.emplace_back(event);
  }
  if (content == kSmallEvents) sample.events = sample.generator.MakeTrace(5000);
}

std::string WriteAll(const std::vector<Event>& events) {
  std::string text;
  dp2trace::json::Writer writer(
      [&text](std::string_view piece) { return text += piece, OkStatus(); });
  bool ok = true;
  for (const Event& event : events)
    ok = writer.Write(event).ok() && ok;
  return writer.Finish().ok() && ok ? text : std::string();
}

void BM_Write(benchmark::State& state) {
  Sample sample;
  Fill(sample, state.range(0));
  size_t bytes = 0;
  for (auto _ : state) {
    dp2trace::json::Writer writer(
        [&bytes](std::string_view piece) { return bytes += piece.size(), OkStatus(); });
    for (const Event& event : sample.events)
      benchmark::DoNotOptimize(writer.Write(event).ok());
    benchmark::DoNotOptimize(writer.Finish().ok());
  }
  state.SetBytesProcessed(static_cast<int64_t>(bytes));
  state.SetLabel(kContentNames[state.range(0)]);
}
BENCHMARK(BM_Write)->DenseRange(kStateCalls, kSmallEvents);

void BM_Read(benchmark::State& state) {
  Sample sample;
  Fill(sample, state.range(0));
  const std::string text = WriteAll(sample.events);
  for (auto _ : state) {
    std::string_view rest = text;
    dp2trace::json::Reader reader([&rest](std::span<uint8_t> out) -> Result<size_t> {
      const size_t size = std::min(out.size(), rest.size());
      std::memcpy(out.data(), rest.data(), size);
      rest.remove_prefix(size);
      return size;
    });
    Event event;
    Result<bool> next = reader.Next(event);
    while (next.ok() && *next)
      next = reader.Next(event);
    if (!next.ok()) state.SkipWithError("the text is refused");
  }
  state.SetBytesProcessed(static_cast<int64_t>(text.size()) * state.iterations());
  state.SetLabel(kContentNames[state.range(0)]);
}
BENCHMARK(BM_Read)->DenseRange(kStateCalls, kSmallEvents);

}  // namespace
