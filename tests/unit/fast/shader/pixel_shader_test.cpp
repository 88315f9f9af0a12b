// Pixel shaders on the block machine give the bits of the interpreter, in all instruction sets of the machine.
#include "fast/shader/pixel_shader.h"

#include <doctest/doctest.h>

#include <string_view>

#include "raster/shader/shader.h"
#include "shader/decoder.h"
#include "shader/disassembler.h"
#include "support/shader_assembler.h"
#include "unit/fast/block_shader.h"
#include "unit/raster/shader/shader_scene.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::fast;     // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

namespace {

constexpr uint64_t kSeed = 20261122;
constexpr int32_t kX = 16, kY = 40;  // of the block

struct Comparison {
  ShaderScene scene;
  Random random{kSeed};
  ShaderCache shaders;
  Workers workers{1};
  TextureCache cache{SupportedIsas().front(), workers};
  std::array<std::array<raster::Float4, raster::kVaryingCount>, kLanes> varyings{};
  uint32_t compiled = 0, refused = 0;

  Comparison() {
    for (uint32_t i = 0; i < 40; ++i) {
      scene.SetReal(i, {RandomNumber(random), RandomNumber(random), RandomNumber(random),
                        RandomNumber(random)});
    }
    scene.SetInteger(0, {3, 1, 1, 0});
    scene.SetInteger(1, {2, 4, -2, 0});
    scene.SetBoolean(0, true);
    scene.BindValue(0, {0.5F, 0.25F, -1, 2});
    std::vector<uint8_t> texels(16 * 16 * 4);
    for (uint8_t& byte : texels)
      byte = static_cast<uint8_t>(random.Below(256));
    for (uint32_t slot = 1; slot < 5; ++slot)
      scene.Bind(slot, d3d::Format::A8R8G8B8, 16, 16, texels);
    scene.SetReal(1, d3d::TextureStageState::BumpEnvMat00, 0.5F);
    scene.SetReal(1, d3d::TextureStageState::BumpEnvMat10, -0.25F);
    scene.SetReal(2, d3d::TextureStageState::BumpEnvMat01, 2.0F);
    scene.SetReal(1, d3d::TextureStageState::BumpEnvLScale, 0.5F);
    scene.SetReal(1, d3d::TextureStageState::BumpEnvLOffset, 0.125F);
    NewVaryings();
  }

  void NewVaryings() {
    for (auto& lane : varyings) {
      for (raster::Float4& varying : lane) {
        for (float& component : varying)
          component = RandomNumber(random);
      }
    }
  }

  void Check(const shader::Program& program, std::string_view text = {}) {
    const raster::PixelShaderPlan plan(
        scene.context(), std::make_shared<const shader::Program>(program), scene.outputs());
    const auto reference = raster::MakePixelShader(scene.context(), program, scene.outputs());
    const auto code = CompilePixelShader(plan, shaders, cache);
    if (code == nullptr) {
      ++refused;
      return;
    }
    ++compiled;
    for (const Isa& isa : SupportedIsas())
      Compare(*code, *reference, isa, text);
  }

  void Compare(const PixelCode& code, const raster::PixelProgram& reference, const Isa& isa,
               std::string_view text) {
    GuardedBlocks blocks(code.program.register_count);
    std::vector<const SamplerPlan*> samplers;
    for (const auto& sampler : code.samplers)
      samplers.push_back(sampler.get());
    Frame frame;
    frame.registers = blocks.data();
    frame.samplers = samplers.data();
    for (size_t lane = 0; lane < kLanes; ++lane) {
      for (const PixelInput& input : code.inputs) {
        const float value = varyings[lane][input.slot][input.component];
        blocks[input.to].lanes[lane] = input.is_clamped ? raster::Saturate(value) : value;
      }
      const size_t column = lane % 8;
      const size_t row = lane / 8;
      if (code.position_x)
        blocks[*code.position_x].lanes[lane] = static_cast<float>(size_t{kX} + column);
      if (code.position_y)
        blocks[*code.position_y].lanes[lane] = static_cast<float>(size_t{kY} + row);
      if (code.face) blocks[*code.face].lanes[lane] = -1;
    }
    KernelsOf(isa).Run(code.program, frame);
    CHECK(blocks.is_intact());
    for (const size_t first : {0U, 2U, 4U, 6U, 16U, 18U, 32U, 38U, 48U, 54U})
      CompareQuad(code, reference, frame, first, isa, text);
  }

  void CompareQuad(const PixelCode& code, const raster::PixelProgram& reference, const Frame& frame,
                   size_t first, const Isa& isa, std::string_view text) {
    raster::Quad quad;
    quad.x = kX + static_cast<int32_t>(first % 8);
    quad.y = kY + static_cast<int32_t>(first / 8);
    quad.covered = 15;
    quad.is_front = false;
    const auto at = [&](uint32_t i) { return first + (i & 1U) + 8 * (i >> 1U); };
    for (uint32_t i = 0; i < 4; ++i) {
      for (uint32_t slot = 0; slot < raster::kVaryingCount; ++slot)
        quad.varyings[slot][i] = varyings[at(i)][slot];
    }
    raster::QuadColors expected = {};
    reference.Shade(quad, expected);
    bool is_same = code.written_targets == expected.written_targets &&
                   code.limits_colors == expected.limits_colors &&
                   code.depth.has_value() == expected.writes_depth && code.steps >= expected.steps;
    for (uint32_t i = 0; i < 4; ++i) {
      is_same = is_same && (frame.killed >> at(i) & 1U) == (expected.killed >> i & 1U);
      if (expected.writes_depth)
        is_same = is_same && IsSame(ValueAt(*code.depth, frame, at(i)), expected.depth[i]);
      for (uint32_t target = 0; target < device::kTargetCount; ++target) {
        if ((expected.written_targets >> target & 1U) == 0) continue;
        for (uint32_t c = 0; c < 4; ++c) {
          is_same = is_same && IsSame(ValueAt(code.colors[target][c], frame, at(i)),
                                      expected.colors[target][i][c]);
        }
      }
    }
    INFO(isa.name);
    INFO(text);
    CHECK(is_same);
  }

  void CheckText(std::string_view text) {
    DiagnosticList findings;
    const shader::Program program = shader::Decode(AssembleShader(text), findings);
    REQUIRE(program.is_executable);
    const uint32_t before = compiled;
    for (int round = 0; round < 3; ++round) {
      NewVaryings();
      Check(program, text);
    }
    INFO(text);
    CHECK(compiled == before + 3);
  }
};

}  // namespace

TEST_CASE("CompilePixelShader: every arithmetic instruction") {
  Comparison comparison;
  for (
      const std::string_view text : {
          "ps_2_0; dcl v0; dcl t0; mov r0, v0; add r1, r0, t0; sub r2, -r1, c0; mul r3, r2, c1.wzyx; mad r0, r3, c2, -r1; mov oC0, r0",
          "ps_2_0; dcl t0; dcl t1; mov r0, t0; lrp r1, r0, t1, c3; min r2, r0, t1; max r3, r0, t1; cmp r4, r0, r1, r2; add r4, r4, r3; mov oC0, r4",
          "ps_2_0; dcl t0; mov r0, t0; rcp r1.x, r0.x; rsq r1.y, r0.y; exp r1.z, r0.z; log r1.w, r0.w; mov oC0, r1",
          "ps_2_0; dcl t0; mov r0, t0; pow r1, r0.x, r0.y; frc r2, r0; abs r3, r0; add r1, r1, r2; add r1, r1, r3; mov oC0, r1",
          "ps_2_0; dcl t0; dcl t1; mov r0, t0; mov r1, t1; dp3 r2.x, r0, r1; dp4 r2.y, r0, r1; dp2add r2.z, r0, r1, c0.w; mov r2.w, c1.x; mov oC0, r2",
          "ps_2_0; dcl t0; dcl t1; mov r0, t0; mov r1, t1; crs r2.xyz, r0, r1; mov r2.w, r1.w; nrm r3, r0; add r2, r2, r3; mov oC0, r2",
          "ps_2_0; dcl t0; mov r0, t0; m3x3 r1.xyz, r0, c0; m4x4 r2, r0, c4; add r1.xyz, r1, r2; mov r1.w, r2.w; mov oC0, r1",
          "ps_2_0; dcl t0; mov r0, t0; sincos r1.xy, r0.x, c0, c1; mov r1.zw, r0; mov oC0, r1; mov oDepth, r0.x",
          "ps_3_0; dcl_texcoord0 v0; dcl_color0 v1; dcl vPos.xy; dcl vFace; mov r0, v0; dsx r1, r0; dsy r2, r0; add r1, r1, r2; mad r1, vPos.x, c0, r1; add oC0, r1, vFace; mov oC2, v1",
          "ps_3_0; dcl_texcoord0 v0; mov r0.xy, v0; mov r0.zw, v0.yxwz; mul_sat r0, r0.wzyx, r0; mov oC0, r0",
          "ps_2_0; dcl t0; texkill t0; mov r0, c0; mov oC0, r0",
      })
    comparison.CheckText(text);
}

TEST_CASE("CompilePixelShader: versions 1") {
  Comparison comparison;
  for (
      const std::string_view text : {
          "ps_1_1; def c0, 1, 2, -3, 0.25; tex t0; tex t1; mul_x2 r0, t0, v0; mad_sat r1, t1_bx2, 1-c0, -v1; add_d2 r0, r0, r1",
          "ps_1_1; tex t1; texbem t2, t1; mov r0, t2; cnd r0, r0.a, t1, v0",
          "ps_1_1; tex t1; texbeml t2, t1; texcoord t3; dp3_sat r0, t2_bx2, t3; lrp r0, r0, v0, v1; + mov r0.a, 1-t1.a",
          "ps_1_3; tex t1; texm3x3pad t2, t1_bx2; texm3x3pad t3, t1_bx2; texm3x3 t4, t1_bx2; mov r0, t4",
          "ps_1_3; def c0, 1, 0.5, -1, 1; tex t0; texm3x2pad t1, t0; texm3x2tex t2, t0; texdp3 t3, t0; mad r0, t2, c0, t3",
          "ps_1_3; tex t1; texreg2ar t2, t1; texreg2gb t3, t1; texkill t0; add r0, t2, t3",
          "ps_1_3; tex t1; texm3x2pad t2, t1; texm3x2depth t3, t1; mov r0, t1",
          "ps_1_4; texld r0, t0; texcrd r1.rgb, t1; phase; texld r2, r1; texkill r1; bem r1.rg, r0, r2; mad_x4 r0, r2, r1, v0",
          "ps_1_4; texcrd r5.rgb, t1; phase; texdepth r5; mov r0, v0; + mov r0.a, v1.a",
          "ps_1_4; texld r1, t1_dz.xyz; texcrd r2.rgb, t2_dw.xyw; mul r0.rgb, r1_x2, r2; + mad_d4 r0.a, r1, 1-v0, c1",
      }) {
    DiagnosticList findings;
    const shader::Program program = shader::Decode(AssembleShader(text), findings);
    INFO(text);
    CHECK(program.is_executable);
    if (program.is_executable) comparison.CheckText(text);
  }
}

TEST_CASE("CompilePixelShader: flow control and predicates") {
  Comparison comparison;
  for (
      const std::string_view text : {
          "ps_3_0; dcl_texcoord0 v0; mov r0, v0; if_gt r0.x, r0.y; add r0, r0, c0; else; mul r0, r0, c1; endif; mov oC0, r0",
          "ps_3_0; dcl_texcoord0 v0; mov r0, v0; if b0; add r0, r0, c0; else; mov r0, c1; endif; if !b0; mov r0, c2; endif; mov oC0, r0",
          "ps_3_0; dcl_texcoord0 v0; mov r0, v0; rep i0; add r0, r0, c0; break_gt r0.x, c1.y; mul r0, r0, r0; endrep; mov oC0, r0",
          "ps_3_0; dcl_texcoord0 v0; dcl_texcoord1 v1; dcl_texcoord2 v2; dcl_texcoord3 v3; dcl_texcoord4 v4; mov r0, c0; loop aL, i0; add r0, r0, v[aL]; if_lt r0.y, v0.x; break; endif; mad r0, r0, c2, v0; endloop; mov oC0, r0",
          "ps_3_0; dcl_texcoord0 v0; mov r0, v0; setp_ge p0, r0, c0; (p0) mov r0, c1; (!p0.x) add r0.xy, r0, c2; if p0.y; mul r0, r0, c3; endif; mov oC0, r0",
          "ps_3_0; dcl_texcoord0 v0; mov r0, v0; rep i0; rep i1; if_gt r0.z, c0.x; add r0, r0, c1; if_lt r0.w, c2.x; break; endif; else; mov r0.x, r0.y; endif; endrep; endrep; mov oC0, r0",
          "ps_3_0; dcl_texcoord0 v0; mov r0, v0; call l0; callnz l1, b0; mov oC0, r0; ret; label l0; if_gt r0.x, c0.y; ret; endif; add r0, r0, c1; ret; label l1; mul r0, r0, c2; ret",
          "ps_3_0; dcl_texcoord0 v0; dcl_2d s1; mov r1, c0; mov r0, v0; if_ge r0.x, c5.y; texldl r1, r0, s1; texkill r0; endif; mov oC0, r1",
      })
    comparison.CheckText(text);
}

TEST_CASE("CompilePixelShader: textures") {
  Comparison comparison;
  for (
      const std::string_view text : {
          "ps_2_0; dcl t0; dcl t1; dcl_2d s1; dcl_2d s2; texld r0, t0, s1; texld r1, t1, s2; mul r0, r0, r1; mov oC0, r0",
          "ps_2_0; dcl t0; dcl t1; dcl_2d s1; dcl_2d s2; texldp r0, t0, s1; texldb r1, t1, s2; add r0, r0, r1; texld r2, r0, s1; mov oC0, r2",
          "ps_3_0; dcl_texcoord0 v0; dcl_2d s1; dcl_2d s9; dsx r1, v0; dsy r2, v0; texldd r0, v0, s1, r1, r2; texldl r3, v0.wzyx, s1.wzyx; texld r4, v0, s9; add r0, r0, r3; add oC0, r0, r4",
      })
    comparison.CheckText(text);
}

TEST_CASE("CompilePixelShader: changed bits of whole shaders") {
  Comparison comparison;
  const std::vector<std::string_view> shaders = {
      "ps_1_3; def c0, 1, 2, 3, 4; tex t0; texm3x3pad t1, t0_bx2; texm3x3pad t2, t0_bx2; texm3x3spec t3, t0_bx2, c0; mad_x2_sat r0, t3, v0, 1-c0",
      "ps_1_4; texld r0, t0_dw.xyw; phase; texld r1, r0; bem r2.rg, r0, r1; texkill r2; mad_x2_sat r0.rgb, r1_bx2, 1-r0, c0; +mov r0.a, c1.a; texdepth r5",
      "ps_3_0; dcl_texcoord v0; dcl vPos; dcl_2d s0; loop aL, i0; texldl r0, v[aL], s0; if_gt r0.x, c0.x; break; endif; dsx r1, r0; endloop; texldd r2, v0, s0, r1, r1; mov oC0, r2; mov oDepth, r2.x",
      "ps_2_0; dcl t0; dcl t1; dcl v0; dcl_2d s1; texld r0, t0, s1; lrp r1, r0, v0, c3; cmp r2, r1, r0, -c2; mad_sat r3, r2.zyxw, r1.w, t1; pow r4, r3.x, c1.y; add r0, r4, r3; mov oC0, r0",
      "ps_3_0; dcl_texcoord0 v0; mov r0, v0; setp_ge p0, r0, c0; (p0) mov r0, c1; rep i0; (!p0.x) add r0.xy, r0, c2; if p0.y; mul r0, r0, c3; break_lt r0.x, c4.y; endif; endrep; crs r1.xyz, r0, v0; nrm r2, r0; add r0.xyz, r1, r2; mov oC0, r0",
  };
  for (const std::string_view text : shaders) {
    const std::vector<uint32_t> words = AssembleWords(text);
    for (int round = 0; round < 500; ++round) {
      std::vector<uint32_t> changed = words;
      for (uint32_t i = 0; i <= comparison.random.Below(3); ++i) {
        changed[1 + comparison.random.Below(static_cast<uint32_t>(changed.size()) - 2)] ^=
            1U << comparison.random.Below(32);
      }
      DiagnosticList findings;
      const shader::Program program = shader::Decode(BytesOf(changed), findings);
      if (program.is_executable) comparison.Check(program, shader::Disassemble(program));
    }
  }
  CHECK(comparison.compiled > 300);
  CHECK(comparison.refused < comparison.compiled / 4);
}
