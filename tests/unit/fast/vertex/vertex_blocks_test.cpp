// Vertices in blocks have the bits of those that the reference processes one by one, in all instruction sets of the machine.
#include "fast/vertex/vertex_blocks.h"

#include <doctest/doctest.h>

#include <map>
#include <memory>
#include <string_view>

#include "fast/native/native_code.h"
#include "raster/shader/vertex_shader.h"
#include "raster/vertex/fixed_function.h"
#include "raster/vertex/viewport.h"
#include "shader/decoder.h"
#include "support/shader_assembler.h"
#include "unit/fast/block_shader.h"
#include "unit/raster/vertex/scene.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::fast;     // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

namespace {

using d3d::RenderState;
using d3d::TextureStageState;
using d3d::TransformState;
namespace fvf = d3d::fvf;

// Of the same vertex, in two ways.
bool HaveSameWords(const VertexRecord& a, const VertexRecord& b, uint32_t components) {
  bool is_same = a.needs_clip == b.needs_clip && a.outside == b.outside;
  for (size_t i = 0; i < 4; ++i)
    is_same = is_same && IsSame(a.position[i], b.position[i]);
  // Without a place on screen only what clipping works on counts.
  const bool is_on_screen = a.needs_clip == 0;
  if (is_on_screen) {
    is_same = is_same && IsSame(a.x, b.x) && IsSame(a.y, b.y) && IsSame(a.z, b.z) &&
              a.fixed_x == b.fixed_x && a.fixed_y == b.fixed_y;
  }
  for (uint32_t i = is_on_screen ? 0 : 1; i < components; ++i)
    is_same = is_same && IsSame(a.components()[i], b.components()[i]);
  return is_same;
}

// With the programs of draws before.
struct BlocksOf {
  BlocksOf(const Isa& isa, bool has_codegen)
      : native(isa, has_codegen), blocks(KernelsOf(isa), shaders, native) {}
  ShaderCache shaders;
  NativeCache native;
  VertexBlocks blocks;
};
// By instruction set, with machine code and without.
using Blocks = std::map<std::pair<std::string_view, bool>, BlocksOf>;

// A scene whose vertices are random floats, with most positions in front of the viewer.
struct RandomScene {
  Random& random;
  raster::Scene scene;
  uint64_t plain = 0;
  std::shared_ptr<const VertexCode> last_code;

  RandomScene(Random& source, uint32_t code, uint32_t vertex_count) : random(source), scene(code) {
    const uint32_t stride = d3d::FvfVertexSize(code);
    for (uint32_t i = 0; i < vertex_count; ++i) {
      for (uint32_t at = 0; at < stride; at += 4) {
        const bool is_number = random.OneIn(50);
        scene.Floats({is_number ? RandomNumber(random) : Small()});
      }
    }
    scene.draw.streams[0].bytes = scene.vertices;
    Randomize();
  }

  float Small() { return (static_cast<float>(random.Below(4096)) - 2048.0F) / 1024.0F; }
  raster::Float4 Vector() { return {Small(), Small(), Small(), Small()}; }
  device::Matrix Matrix() {
    device::Matrix m = device::kIdentity;
    if (random.OneIn(3)) return m;
    for (float& element : m)
      element = element + Small() * 0.25F;
    return m;
  }
  void Flag(RenderState state) { scene.Set(state, random.Below(2)); }

  void Randomize() {
    for (const RenderState flag :
         {RenderState::Lighting, RenderState::SpecularEnable, RenderState::LocalViewer,
          RenderState::ColorVertex, RenderState::NormalizeNormals, RenderState::FogEnable,
          RenderState::RangeFogEnable})
      Flag(flag);
    scene.Set(RenderState::FogVertexMode, random.Below(4));
    scene.Set(RenderState::FogStart, Small());
    scene.Set(RenderState::FogEnd, Small());
    scene.Set(RenderState::FogDensity, Small());
    scene.Set(RenderState::ShadeMode, random.OneIn(4) ? 1 : 2);
    scene.Set(RenderState::ClipPlaneEnable, random.OneIn(3) ? random.Below(64) : 0U);
    for (const RenderState source :
         {RenderState::DiffuseMaterialSource, RenderState::SpecularMaterialSource,
          RenderState::AmbientMaterialSource, RenderState::EmissiveMaterialSource})
      scene.Set(source, random.Below(3));
    for (uint32_t i = 0; i < random.Below(4); ++i) {
      device::Light& light = scene.context.state.lights[i];
      light.is_enabled = true;
      light.type = 1 + random.Below(4);
    }
    for (uint32_t stage = 0; stage < 3; ++stage)
      SetStage(stage);
    RandomizeNumbers();
  }

  // Matrices, planes, materials, lights.
  void RandomizeNumbers() {
    device::State& state = scene.context.state;
    scene.Set(RenderState::Ambient, random.Below(0xFFFFFFFF));
    for (uint32_t i = 0; i < 6; ++i)
      state.clip_planes[i] = Vector();
    state.material = {Vector(), Vector(), Vector(), Vector(), Small() * 8};
    for (const TransformState transform :
         {TransformState::WorldMatrix0, TransformState::View, TransformState::Projection})
      scene.Transform(transform) = Matrix();
    for (uint32_t stage = 0; stage < 3; ++stage)
      scene.Transform(TransformState::Texture0, stage) = Matrix();
    for (auto& [index, light] : state.lights)
      SetNumbers(light);
  }

  void SetNumbers(device::Light& light) {
    light.diffuse = Vector();
    light.specular = Vector();
    light.ambient = Vector();
    for (size_t i = 0; i < 3; ++i) {
      light.position[i] = Small();
      light.direction[i] = Small();
    }
    light.range = Small() + 2;
    light.falloff = Small() + 2;
    light.attenuation0 = Small();
    light.attenuation1 = Small();
    light.attenuation2 = random.OneIn(2) ? 0 : Small();
    light.theta = Small();
    light.phi = light.theta + Small();
  }

  void SetStage(uint32_t stage) {
    scene.SetStage(stage, TextureStageState::ColorOp, 4);
    scene.SetStage(stage, TextureStageState::TexcoordIndex,
                   random.Below(5) << d3d::kTexcoordGenerationShift | random.Below(3));
    scene.SetStage(stage, TextureStageState::TextureTransformFlags, random.Below(5));
    if (random.OneIn(8)) scene.Set(static_cast<RenderState>(d3d::WrapState(stage)), 3);
  }

  std::unique_ptr<QueuedDraw> Queued(const raster::VertexProcessor& processor) {
    raster::DrawPlan plan = {.outputs = processor.outputs(),
                             .viewport = raster::ViewportMappingOf(scene.context),
                             .is_flat = false,
                             .raster = {},
                             .output = {},
                             .stages = nullptr,
                             .pixel_shader = nullptr,
                             .surfaces = {}};
    plan.raster.fog = random.OneIn(3) ? raster::FogSource::kZ : raster::FogSource::kFactor;
    auto queued = std::make_unique<QueuedDraw>(std::move(plan));
    for (uint8_t slot = 0; slot < raster::kVaryingCount; ++slot) {
      if ((processor.outputs().varying_mask >> slot & 1U) == 0) continue;
      for (uint8_t component = 0; component < 4; ++component)
        queued->components.push_back({.slot = slot, .component = component});
    }
    queued->components.push_back({.slot = kFogSlot, .component = 0});
    queued->padded = PaddedComponents(static_cast<uint32_t>(queued->components.size()) + 1);
    return queued;
  }

  // All vertices both ways; `program` is null for fixed function.
  void Check(Blocks& blocks, const std::shared_ptr<const shader::Program>& program,
             uint32_t vertex_count) {
    std::unique_ptr<raster::VertexProcessor> processor;
    if (program != nullptr) {
      processor =
          std::make_unique<raster::VertexShader>(scene.context, scene.draw, *program, nullptr);
    } else {
      processor = std::make_unique<raster::FixedFunctionProcessor>(scene.context, scene.draw);
    }
    const std::unique_ptr<QueuedDraw> queued = Queued(*processor);
    const uint32_t planes =
        scene.layout.is_transformed ? 0 : scene.context.state.value(RenderState::ClipPlaneEnable);
    std::vector<int64_t> numbers;
    for (uint32_t i = 0; i < vertex_count; ++i)
      numbers.push_back(random.OneIn(8) ? static_cast<int64_t>(random.Below(300)) - 50 : i);
    const uint32_t instance = random.Below(3);
    CornerArena arena;
    VertexRecords expected;
    expected.Start(*queued, planes, arena);
    for (const int64_t number : numbers)
      expected.Append(processor->Process(raster::FetchVertex(scene.draw, number, instance)));
    std::vector<std::pair<Isa, bool>> ways;
    for (const Isa& isa : SupportedIsas()) {
      ways.emplace_back(isa, false);
      if (HasNativeCode(isa)) ways.emplace_back(isa, true);
    }
    for (const auto& way : ways) {
      const Isa& isa = way.first;
      const bool has_codegen = way.second;
      INFO(isa.name << (has_codegen ? " with machine code" : ""));
      VertexBlocks& of_isa =
          blocks.try_emplace({isa.name, has_codegen}, isa, has_codegen).first->second.blocks;
      const BoundVertexCode bound = of_isa.CodeOf(*processor, program, queued->plan.viewport);
      REQUIRE(bound.code != nullptr);
      last_code = bound.code;
      VertexRecords actual;
      actual.Start(*queued, planes, arena);
      of_isa.Run(bound, *processor, scene.draw, *queued, numbers, instance, actual);
      REQUIRE(actual.size() == expected.size());
      uint32_t differing = 0;
      for (uint32_t i = 0; i < numbers.size(); ++i) {
        if (expected.at(i).needs_clip == 0) ++plain;
        if (!HaveSameWords(actual.at(i), expected.at(i), queued->padded)) ++differing;
      }
      CHECK(differing == 0);
    }
  }
};

constexpr uint32_t kTwoSets = 2U << fvf::kTexcountShift;

}  // namespace

TEST_CASE("VertexBlocks: fixed function, whatever the state says") {
  Random random(20261122);
  Blocks blocks;
  uint64_t plain = 0;
  for (int round = 0; round < 300; ++round) {
    uint32_t code = random.OneIn(6) ? fvf::kXyzRhw : fvf::kXyz;
    for (const uint32_t bit : {fvf::kNormal, fvf::kDiffuse, fvf::kSpecular, kTwoSets}) {
      if (random.OneIn(2) && !(bit == fvf::kNormal && code == fvf::kXyzRhw)) code |= bit;
    }
    if (random.OneIn(8)) code |= fvf::kFog;
    const uint32_t count = 1 + random.Below(180);
    RandomScene test(random, code, count);
    test.Check(blocks, nullptr, count);
    plain += test.plain;
  }
  CHECK(plain > 1000);
}

TEST_CASE("VertexBlocks: states that differ only in numbers share a program") {
  Random random(12);
  Blocks blocks;
  uint64_t plain = 0;
  for (int round = 0; round < 150; ++round) {
    RandomScene test(random, fvf::kXyz | fvf::kNormal | fvf::kDiffuse | kTwoSets, 80);
    test.Check(blocks, nullptr, 80);
    const std::shared_ptr<const VertexCode> before = test.last_code;
    test.RandomizeNumbers();
    test.Check(blocks, nullptr, 80);
    CHECK(test.last_code == before);
    plain += test.plain;
  }
  CHECK(plain > 1000);
}

TEST_CASE("VertexBlocks: instances and dividers") {
  Random random(7);
  Blocks blocks;
  for (int round = 0; round < 40; ++round) {
    RandomScene test(random, fvf::kXyz | fvf::kDiffuse, 90);
    test.scene.Indices({0, 1, 2});
    test.scene.draw.instance_count = 3;
    test.scene.draw.streams[0].divider = random.OneIn(2) ? 0x80000002 : 0x40000003;
    test.Check(blocks, nullptr, 90);
  }
}

TEST_CASE("VertexBlocks: vertex shaders") {
  const std::vector<std::string_view> shaders = {
      "vs_1_1; dcl_position v0; dcl_color v5; dcl_texcoord v7; m4x4 oPos, v0, c0; mov oD0, v5; mov oT0, v7; mov oFog, v0.x",
      "vs_1_1; dcl_position v0; dcl_color v5; mov a0.x, v0.x; mov r0, c[a0.x + 4]; mad r1, v5, c2, -r0; lit r2, r1; expp r3, r0.x; logp r4, r1.y; dst r5, r3, r4; m3x3 r6.xyz, r5, c1;"
      "add oPos, v0, c3; mov oD0, r2; mov oD1, r6; mov oT0.xy, r5; mov oT1, r4",
      "vs_2_0; dcl_position v0; dcl_color v1; mova a0.xy, v0; mov r0, c[a0.y]; rep i0; mul r0, r0, c1; endrep; if b0; sge r1, r0, v1; else; slt r1, r0, v1; endif; sincos r2.xy, v0.x, c4, c5;"
      "pow r2.z, v1.x, v1.y; nrm r3.xyz, v0; crs r4.xyz, r3, v1; sgn r5, v0, r6, r7; add r4.xyz, r4, r5; mov r4.w, r2.z; mov oPos, v0; mov oT0, r4; mov oT1, r1; mov oD0, r2.xyxy",
      "vs_3_0; dcl_position v0; dcl_texcoord1 v1; dcl_position o0; dcl_texcoord0 o1; dcl_color0 o2; mov r0, v0; if_gt r0.x, c0.x; mov r0.y, c1.y; rep i0; add r0.xy, r0, c2; break_gt r0.x, c3.x;"
      "endrep; endif; setp_lt p0, r0, v1; mov o0, v0; mov r1, c5; (p0) mov r1, v1; mov o1, r1; mov o2, r0",
  };
  Random random(11);
  Blocks blocks;
  for (const std::string_view text : shaders) {
    DiagnosticList findings;
    const auto program =
        std::make_shared<const shader::Program>(shader::Decode(AssembleShader(text), findings));
    INFO(text);
    REQUIRE(program->is_executable);
    uint64_t plain = 0;
    for (int round = 0; round < 12; ++round) {
      RandomScene test(random, fvf::kXyz | fvf::kDiffuse | kTwoSets, 150);
      for (int i = 0; i < 16; ++i)
        test.scene.context.state.vertex_constants.floats.push_back(test.Vector());
      test.scene.context.state.vertex_constants.integers.push_back({3, 0, 0, 0});
      test.scene.context.state.vertex_constants.booleans.push_back(random.Below(2));
      test.Check(blocks, program, 150);
      plain += test.plain;
    }
    CHECK(plain > 0);
  }
}
