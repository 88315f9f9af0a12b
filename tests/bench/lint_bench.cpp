// Tokens and bytes per second of a lint: framing, all rules, and the device that they look at. One call of 64 KiB, of several mixes.
#include <benchmark/benchmark.h>

#include <cstring>
#include <vector>

#include "play/runner.h"

namespace {

using namespace dp2trace;  // NOLINT(google-build-using-namespace): one file

constexpr size_t kStreamSize = 64 << 10;
constexpr uint32_t kTarget = 1, kTexture = 10, kBuffer = 20;
constexpr uint32_t kBufferSize = 64 << 10;
constexpr uint32_t kFvf = 0x142;  // XYZ|DIFFUSE|TEX1
constexpr uint32_t kStride = 24;

// Values are appended as they lie in memory.
template <class... Values>
void Put(std::vector<uint8_t>& out, Values... values) {
  const auto put = [&out](auto value) {
    const size_t at = out.size();
    out.resize(at + sizeof value);
    std::memcpy(out.data() + at, &value, sizeof value);
  };
  (put(values), ...);
}

void Header(std::vector<uint8_t>& out, opcode::Op op, uint16_t count) {
  Put(out, static_cast<uint8_t>(op), uint8_t{0}, count);
}

// States that programs set again and again, with their values of turn `i`.
struct StateValue {
  d3d::RenderState state;
  uint32_t first, second;
};
constexpr StateValue kStates[] = {
    {d3d::RenderState::ZFunc, 4, 3},
    {d3d::RenderState::ZWriteEnable, 1, 0},
    {d3d::RenderState::AlphaBlendEnable, 0, 1},
    {d3d::RenderState::SrcBlend, 5, 2},
    {d3d::RenderState::DestBlend, 6, 1},
    {d3d::RenderState::CullMode, 2, 3},
    {d3d::RenderState::AlphaRef, 127, 0},
    {d3d::RenderState::FogColor, 0xFF8080FF, 0},
    {d3d::RenderState::TextureFactor, 0xFFFFFFFF, 0x80808080},
};
constexpr size_t kStateCount = std::size(kStates);

void PutRenderStates(std::vector<uint8_t>& out, size_t turn, uint16_t count) {
  Header(out, opcode::Op::kRenderState, count);
  for (size_t i = turn; i < turn + count; ++i) {
    const StateValue& row = kStates[i % kStateCount];
    Put(out, d3d::Value(row.state), (i / kStateCount) % 2 == 0 ? row.first : row.second);
  }
}

constexpr d3d::TextureStageState kStageStates[] = {
    d3d::TextureStageState::ColorOp,   d3d::TextureStageState::ColorArg1,
    d3d::TextureStageState::ColorArg2, d3d::TextureStageState::AlphaOp,
    d3d::TextureStageState::AddressU,  d3d::TextureStageState::MinFilter,
};

void PutStageStates(std::vector<uint8_t>& out, size_t turn, uint16_t count) {
  Header(out, opcode::Op::kTextureStageState, count);
  for (size_t i = turn; i < turn + count; ++i)
    Put(out, static_cast<uint16_t>(i % 2),
        static_cast<uint16_t>(kStageStates[i % std::size(kStageStates)]), uint32_t{2});
}

void PutDraw(std::vector<uint8_t>& out) {
  Header(out, opcode::Op::kDrawPrimitive, 1);
  Put(out, uint32_t{4}, uint32_t{0}, uint32_t{16});
}

// Single records, both operations in turn: tokens of 12 bytes.
void PutStateTokens(std::vector<uint8_t>& out, size_t turn) {
  PutRenderStates(out, turn, 1);
  PutStageStates(out, turn, 1);
}

// What a program sends for each object: some states, a matrix, a draw.
void PutObject(std::vector<uint8_t>& out, size_t turn) {
  PutRenderStates(out, 4 * turn, 4);
  PutStageStates(out, turn, 4);
  Header(out, opcode::Op::kSetTransform, 1);
  Put(out, uint32_t{256});
  for (uint32_t i = 0; i < 16; ++i)
    Put(out, i % 5 == 0 ? 1.0F : 0.0F);
  PutDraw(out);
}

using PutTurn = void (*)(std::vector<uint8_t>& out, size_t turn);

struct Mix {
  const char* name;
  PutTurn put;
};
constexpr Mix kMixes[] = {
    {"state_tokens", PutStateTokens},
    {"states_by_eight",
     [](std::vector<uint8_t>& out, size_t turn) {
       PutRenderStates(out, 8 * turn, 8);
       PutStageStates(out, 8 * turn, 8);
     }},
    {"objects", PutObject},
};

std::vector<uint8_t> MakeStream(PutTurn put) {
  std::vector<uint8_t> stream;
  Header(stream, opcode::Op::kSetVertexShaderDecl, 1);
  Put(stream, kFvf);
  Header(stream, opcode::Op::kSetStreamSource, 1);
  Put(stream, uint32_t{0}, kBuffer, kStride);
  Header(stream, opcode::Op::kTextureStageState, 1);
  Put(stream, uint16_t{0}, uint16_t{0}, uint32_t{kTexture});
  PutDraw(stream);
  for (size_t turn = 0; stream.size() < kStreamSize; ++turn)
    put(stream, turn);
  return stream;
}

trace::SurfaceCreate Surface(uint32_t handle, d3d::SurfaceKind kind, d3d::Format format,
                             uint32_t width, uint32_t height) {
  trace::SurfaceCreate create;
  create.handle = handle;
  create.kind = kind;
  create.format = static_cast<uint32_t>(format);
  create.width = width;
  create.height = height;
  return create;
}

uint64_t CountTokens(Bytes stream) {
  stream::Decoder decoder(stream, {}, nullptr);
  uint64_t count = 0;
  for (stream::Command command; decoder.Next(command);)
    ++count;
  return count;
}

// All rules are on and nothing is found: what a clean stream costs.
void BM_Lint(benchmark::State& state) {
  const Mix& mix = kMixes[state.range(0)];
  const std::vector<uint8_t> stream = MakeStream(mix.put);
  DiagnosticList findings;
  play::Observer observer;
  play::Runner runner({}, findings, observer);
  (void)runner.OnEvent(0, trace::Header{});
  (void)runner.OnEvent(1,
                       Surface(kTarget, d3d::SurfaceKind::kTarget, d3d::Format::X8R8G8B8, 64, 64));
  (void)runner.OnEvent(
      2, Surface(kTexture, d3d::SurfaceKind::kTexture, d3d::Format::A8R8G8B8, 64, 64));
  (void)runner.OnEvent(3, Surface(kBuffer, d3d::SurfaceKind::kVertexBuffer, d3d::Format::VertexData,
                                  kBufferSize, 1));
  (void)runner.OnEvent(4, trace::ContextCreate{.context = 1, .target = kTarget, .ddrval = {}});
  trace::Dp2 call;
  call.context = 1;
  call.commands = stream;
  uint64_t event = 5;
  for (auto _ : state)
    (void)runner.OnEvent(event++, call);
  if (!findings.empty()) state.SkipWithError(findings.items().front().message.c_str());
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(stream.size()));
  const double tokens =
      static_cast<double>(state.iterations()) * static_cast<double>(CountTokens(stream));
  state.counters["tokens/s"] = benchmark::Counter(tokens, benchmark::Counter::kIsRate);
  state.SetLabel(mix.name);
}
BENCHMARK(BM_Lint)->DenseRange(0, 2);

}  // namespace
