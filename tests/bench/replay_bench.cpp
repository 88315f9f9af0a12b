// Time of a replayed frame: the scenes of the repository, and a frame of 640x480 with 10,000 triangles and two textures. Pictures are
// made and hashed, not written.
#include <benchmark/benchmark.h>

#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "container.h"
#include "replay/replayer.h"
#include "support/random.h"
#include "trace/reader.h"
#include "trace/writer.h"

namespace {

using namespace dp2trace;  // NOLINT(google-build-using-namespace): one file
using bench::Container;
using bench::WriterInto;

class DroppingSink final : public replay::ImageSink {
 public:
  Status OnImage(const replay::ImageInfo&, const image::Picture&) override { return OkStatus(); }
};

void Replay(benchmark::State& state, const std::vector<uint8_t>& file) {
  if (file.empty()) return state.SkipWithError("no trace");
  uint64_t draws = 0;
  for (auto _ : state) {
    DiagnosticList findings;
    DroppingSink images;
    replay::Replayer replayer({}, findings, images);
    auto reader = trace::Reader::FromBytes(file, findings);
    trace::EventRecord record;
    while (reader->Next(record))
      (void)replayer.OnEvent(record.number, record.event);
    (void)replayer.Finish();
    draws = replayer.statistics().draws;
  }
  state.counters["draws"] = static_cast<double>(draws);
}

void BM_Scene(benchmark::State& state, const std::string& path) {
  Replay(state, Container(path));
}

// A strip of tokens; values are appended as they lie in memory.
template <class... Values>
void Put(std::vector<uint8_t>& out, Values... values) {
  const auto put = [&out](auto value) {
    const size_t at = out.size();
    out.resize(at + sizeof value);
    std::memcpy(out.data() + at, &value, sizeof value);
  };
  (put(values), ...);
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

// XYZRHW|DIFFUSE|TEX2 triangles of about 60 pixels each, two modulated textures, bilinear, depth test.
void BM_TenThousandTriangles(benchmark::State& state) {
  constexpr uint32_t kTriangles = 10000;
  constexpr uint32_t kFvf = 0x004 | 0x040 | 0x200;
  constexpr uint32_t kStride = 16 + 4 + 16;
  testing::Random random(1);
  std::vector<uint8_t> vertices;
  const auto unit = [&random] { return static_cast<float>(random.Below(1024)) / 1024.0F; };
  for (uint32_t i = 0; i < kTriangles; ++i) {
    const float x = unit() * 628.0F;
    const float y = unit() * 468.0F;
    for (uint32_t corner = 0; corner < 3; ++corner) {
      const float dx = corner == 1 ? 11.0F : 0.0F;
      const float dy = corner == 2 ? 11.0F : 0.0F;
      Put(vertices, x + dx, y + dy, unit(), 1.0F + unit(), random.U32(), unit(), unit(), unit(),
          unit());
    }
  }
  std::vector<uint8_t> commands;
  Put(commands, uint8_t{8}, uint8_t{0}, uint16_t{2}, 22U, 1U, 7U,
      1U);                                              // RENDERSTATE: CULLMODE NONE, ZENABLE
  Put(commands, uint8_t{25}, uint8_t{0}, uint16_t{9});  // TEXTURESTAGESTATE
  for (const uint16_t stage : {uint16_t{0}, uint16_t{1}}) {
    Put(commands, stage, uint16_t{0}, 10U + stage, stage, uint16_t{1}, 4U, stage, uint16_t{16}, 2U,
        stage, uint16_t{17}, 2U);
  }
  Put(commands, uint16_t{1}, uint16_t{11}, 1U);
  Put(commands, uint8_t{18}, uint8_t{0}, static_cast<uint16_t>(kTriangles),
      uint16_t{0});  // TRIANGLELIST

  std::vector<uint8_t> file;
  trace::Writer writer = WriterInto(file);
  bool ok = writer.Add(trace::Header{}).ok();
  ok =
      ok && writer.Add(Surface(1, d3d::SurfaceKind::kTarget, d3d::Format::X8R8G8B8, 640, 480)).ok();
  ok = ok && writer.Add(Surface(2, d3d::SurfaceKind::kDepth, d3d::Format::D24S8, 640, 480)).ok();
  ok = ok &&
       writer.Add(Surface(10, d3d::SurfaceKind::kTexture, d3d::Format::A8R8G8B8, 256, 256)).ok();
  ok =
      ok && writer.Add(Surface(11, d3d::SurfaceKind::kTexture, d3d::Format::R5G6B5, 256, 256)).ok();
  ok = ok &&
       writer.Add(trace::ContextCreate{.context = 1, .target = 1, .depth = 2, .ddrval = {}}).ok();
  trace::Dp2 call;
  call.context = 1;
  call.flags = 1;  // D3DHALDP2_USERMEMVERTICES
  call.vertex_type = kFvf;
  call.vertex_size = kStride;
  call.commands = commands;
  call.vertices = vertices;
  ok = ok && writer.Add(call).ok();
  ok = ok && writer.Add(trace::Present{.handle = 1, .rect = {}}).ok() && writer.Finish().ok();
  Replay(state, ok ? file : std::vector<uint8_t>{});
}
BENCHMARK(BM_TenThousandTriangles)->Unit(benchmark::kMillisecond);

// Words of a pixel shader 3.0: the colour of v0, added to half of itself `count` times.
std::vector<uint32_t> LongPixelShader(uint32_t count) {
  std::vector<uint32_t> words = {0xFFFF0300, 0x0200001F, 0x8000000A, 0x900F0000,
                                 0x02000001, 0x800F0000, 0x90E40000};
  for (uint32_t i = 0; i < count; ++i)
    words.insert(words.end(), {0x04000004, 0x800F0000, 0x80E40000, 0xA0E40000, 0x90E40000});
  words.insert(words.end(), {0x02000001, 0x800F0800, 0x80E40000, 0x0000FFFF});
  return words;
}

// Draws of one triangle of two pixels each, all with one pixel shader of 500 instructions: what a draw costs beside its pixels.
void BM_SmallDrawsWithShader(benchmark::State& state) {
  constexpr uint16_t kDraws = 5000;
  constexpr uint32_t kFvf = 0x004 | 0x040;
  constexpr uint32_t kStride = 16 + 4;
  const std::vector<uint32_t> shader = LongPixelShader(498);
  std::vector<uint8_t> vertices;
  for (uint32_t corner = 0; corner < 3; ++corner) {
    Put(vertices, corner == 1 ? 6.0F : 4.0F, corner == 2 ? 6.0F : 4.0F, 0.5F, 1.0F, 0xFF336699U);
  }
  std::vector<uint8_t> commands;
  Put(commands, uint8_t{8}, uint8_t{0}, uint16_t{1}, 22U, 1U);  // RENDERSTATE: CULLMODE NONE
  Put(commands, uint8_t{54}, uint8_t{0}, uint16_t{1}, 1U,
      static_cast<uint32_t>(4 * shader.size()));  // CREATEPIXELSHADER
  for (const uint32_t word : shader)
    Put(commands, word);
  Put(commands, uint8_t{56}, uint8_t{0}, uint16_t{1}, 1U);           // SETPIXELSHADER
  Put(commands, uint8_t{47}, uint8_t{0}, uint16_t{1}, kFvf);         // SETVERTEXSHADER
  Put(commands, uint8_t{50}, uint8_t{0}, uint16_t{1}, 0U, kStride);  // SETSTREAMSOURCEUM
  Put(commands, uint8_t{52}, uint8_t{0}, kDraws);                    // DRAWPRIMITIVE
  for (uint16_t i = 0; i < kDraws; ++i)
    Put(commands, 4U, 0U, 1U);  // TRIANGLELIST

  std::vector<uint8_t> file;
  trace::Writer writer = WriterInto(file);
  bool ok = writer.Add(trace::Header{}).ok();
  ok = ok && writer.Add(Surface(1, d3d::SurfaceKind::kTarget, d3d::Format::X8R8G8B8, 64, 64)).ok();
  ok = ok &&
       writer.Add(trace::ContextCreate{.context = 1, .target = 1, .depth = 0, .ddrval = {}}).ok();
  trace::Dp2 call;
  call.context = 1;
  call.flags = 1;  // D3DHALDP2_USERMEMVERTICES
  call.vertex_size = kStride;
  call.commands = commands;
  call.vertices = vertices;
  ok = ok && writer.Add(call).ok();
  ok = ok && writer.Add(trace::Present{.handle = 1, .rect = {}}).ok() && writer.Finish().ok();
  Replay(state, ok ? file : std::vector<uint8_t>{});
}
BENCHMARK(BM_SmallDrawsWithShader)->Unit(benchmark::kMillisecond);

// One benchmark for each scene of the repository.
[[maybe_unused]] const bool kAreRegistered = [] {
  const std::filesystem::path folder =
      std::filesystem::path(DP2TRACE_SOURCE_DIR) / "traces" / "scenes";
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".json") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  for (const auto& path : paths) {
    benchmark::RegisterBenchmark(("BM_Scene/" + path.stem().string()).c_str(), BM_Scene,
                                 path.string())
        ->Unit(benchmark::kMillisecond);
  }
  return true;
}();

}  // namespace
