// Bytes per second of framing: calls of 4 and 64 KiB of several mixes of tokens.
#include <benchmark/benchmark.h>

#include <vector>

#include "stream/records.h"
#include "stream/stream.h"
#include "support/stream_generator.h"

namespace {

using dp2trace::opcode::Op;
using dp2trace::testing::StreamOptions;

// 4 to 6 bytes a token: primitives that refer to the vertex buffer, and empty tokens.
constexpr Op kSmallest[] = {Op::kLineList, Op::kTriangleList, Op::kTriangleStrip, Op::kTriangleFan};
// 12 to 36 bytes a token, one record each.
constexpr Op kStates[] = {Op::kRenderState, Op::kTextureStageState, Op::kDrawPrimitive,
                          Op::kSetStreamSource, Op::kSetTexLod};
// Level 8 and 9: state, constants, draws.
constexpr Op kShaderMix[] = {
    Op::kRenderState,      Op::kTextureStageState,    Op::kSetVertexShader,
    Op::kSetPixelShader,   Op::kSetVertexShaderConst, Op::kSetPixelShaderConst,
    Op::kSetStreamSource2, Op::kSetIndices,           Op::kDrawIndexedPrimitive};
// Level 7: state, transforms, lights, immediate and indexed primitives.
constexpr Op kFixedFunctionMix[] = {
    Op::kRenderState,    Op::kTextureStageState,    Op::kSetTransform, Op::kSetLight,
    Op::kTriangleFanImm, Op::kIndexedTriangleList2, Op::kTriangleList, Op::kClear};

struct Mix {
  std::span<const Op> operations;
  uint32_t max_records;
};
constexpr Mix kMixes[] = {
    {kSmallest, 1}, {kStates, 3}, {kShaderMix, 2}, {kFixedFunctionMix, 4}, {{}, 4}};
constexpr const char* kMixNames[] = {"smallest", "states", "shader", "fixed_function", "all"};

constexpr dp2trace::stream::Environment kEnvironment{.vertex_size = 32};

std::vector<uint8_t> MakeStream(const Mix& mix, size_t size) {
  const StreamOptions options{
      .commands = 64, .max_records = mix.max_records, .reserved_one_in = 0, .only = mix.operations};
  dp2trace::testing::Random random(1);
  std::vector<uint8_t> stream;
  while (stream.size() < size) {
    // Each part starts at a multiple of 4, as its alignment was computed.
    const auto part = dp2trace::testing::RandomStream(random, kEnvironment, options);
    if (part.size() % 4 == 0) stream.insert(stream.end(), part.begin(), part.end());
  }
  return stream;
}

void BM_Frame(benchmark::State& state) {
  const std::vector<uint8_t> stream =
      MakeStream(kMixes[state.range(0)], static_cast<size_t>(state.range(1)));
  uint64_t commands = 0;
  for (auto _ : state) {
    dp2trace::DiagnosticList findings;
    dp2trace::stream::Decoder decoder(stream, kEnvironment, &findings);
    for (dp2trace::stream::Command command; decoder.Next(command);) {
      benchmark::DoNotOptimize(command);
      ++commands;
    }
    if (decoder.end() != dp2trace::stream::StreamEnd::kComplete)
      state.SkipWithError("the stream is not framed to its end");
  }
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(stream.size()));
  const double bytes = static_cast<double>(state.iterations()) * static_cast<double>(stream.size());
  state.counters["bytes/command"] = bytes / static_cast<double>(commands);
  state.SetLabel(kMixNames[state.range(0)]);
}
BENCHMARK(BM_Frame)->ArgsProduct({{0, 1, 2, 3, 4}, {4 << 10, 64 << 10}});

// Framing and a walk over the records and tails of each command.
void BM_Records(benchmark::State& state) {
  const std::vector<uint8_t> stream =
      MakeStream(kMixes[state.range(0)], static_cast<size_t>(state.range(1)));
  for (auto _ : state) {
    dp2trace::stream::Decoder decoder(stream, kEnvironment, nullptr);
    for (dp2trace::stream::Command command; decoder.Next(command);) {
      for (const dp2trace::stream::Record& record :
           dp2trace::stream::Records(command, kEnvironment)) {
        benchmark::DoNotOptimize(record.host.at);
      }
    }
  }
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(stream.size()));
  state.SetLabel(kMixNames[state.range(0)]);
}
BENCHMARK(BM_Records)->ArgsProduct({{1, 2, 3}, {64 << 10}});

}  // namespace
