#include <doctest/doctest.h>

#include <limits>

#include "scene.h"

using namespace dp2trace;          // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::raster;  // NOLINT(google-build-using-namespace): test file

namespace {

// A small generator whose numbers are the same everywhere.
class Random {
 public:
  uint32_t Next() {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return static_cast<uint32_t>(state_ >> 33U);
  }
  uint32_t Below(uint32_t limit) { return Next() % limit; }
  float Number() {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    constexpr float kSpecial[] = {
        0.0F,     -0.0F,     1e-40F,     1e30F,
        -1e30F,   kInfinity, -kInfinity, std::numeric_limits<float>::quiet_NaN(),
        32767.0F, -32767.0F};
    if (Below(4) == 0) return kSpecial[Below(10)];
    return static_cast<float>(Below(4096)) / 128.0F - 8.0F;
  }
  ScreenVertex Vertex() {
    ScreenVertex vertex = At(Number(), Number(), Number(), Number());
    for (Float4& varying : vertex.varyings)
      varying = {Number(), Number(), Number(), Number()};
    vertex.fog = Number();
    vertex.point_size = Number();
    return vertex;
  }

 private:
  uint64_t state_ = 1;
};

constexpr Format kTargets[] = {
    Format::A8R8G8B8,      Format::R5G6B5, Format::A16B16G16R16F, Format::G16R16, Format::Q8W8V8U8,
    Format::A32B32G32R32F, Format::L8,     Format::Null,          Format::P8,     Format::DXT1};
constexpr Format kDepths[] = {Format::D16, Format::D24S8, Format::D32FLockable, Format::D24FS8,
                              Format::D15S1};

void DrawSomething(Random& random, PrimitiveSink& sink) {
  switch (random.Below(3)) {
    case 0:
      return sink.Point(random.Vertex());
    case 1:
      return sink.Line(random.Vertex(), random.Vertex(), true, true);
    default:
      break;
  }
  std::vector<ScreenVertex> polygon;
  const uint32_t count = 3 + random.Below(4);
  for (uint32_t i = 0; i < count; ++i)
    polygon.push_back(random.Vertex());
  sink.Polygon(polygon.data(), count, random.Next());
}

}  // namespace

// The sanitizers watch this one.
TEST_CASE("Any states, numbers and formats are drawn without a trap") {
  Random random;
  for (uint32_t round = 0; round < 400; ++round) {
    const uint32_t samples = 1U << random.Below(4);
    Scene scene(kTargets[random.Below(10)], 1 + random.Below(20), 1 + random.Below(20), samples);
    if (random.Below(2) == 0) scene.AddDepth(kDepths[random.Below(5)]);
    for (uint32_t& value : scene.state.render) {
      if (random.Below(3) == 0) value = random.Below(2) == 0 ? random.Below(18) : random.Next();
    }
    scene.SetReal(RenderState::DepthBias, random.Number());
    scene.SetReal(RenderState::FogEnd, random.Number());
    scene.state.w_far = random.Number();
    scene.outputs.varying_mask = random.Next() & 0xFFFU;
    scene.outputs.is_transformed = random.Below(2) == 0;
    scene.outputs.table_fog_uses_w = random.Below(2) == 0;
    scene.program.uses_diffuse = random.Below(2) == 0;
    scene.program.color = {random.Number(), random.Number(), random.Number(), random.Number()};
    const uint64_t passed = scene.Draw([&random](PrimitiveSink& sink) {
      for (uint32_t i = 0; i < 4; ++i)
        DrawSomething(random, sink);
    });
    CHECK(passed <= uint64_t{4} * 8 * 20 * 20);
  }
}
