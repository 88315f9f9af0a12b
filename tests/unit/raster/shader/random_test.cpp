// Shaders with random bits: whatever can be decoded runs, ends and touches nothing else.
#include <doctest/doctest.h>

#include <vector>

#include "raster/shader/shader.h"
#include "shader/decoder.h"
#include "shader_scene.h"
#include "support/random.h"
#include "support/shader_assembler.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::raster;   // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

namespace {

constexpr uint64_t kSeed = 20260101;

// Register types and modifiers that exist, small numbers, any mask or swizzle.
uint32_t RandomOperand(Random& random) {
  const uint32_t type = random.Below(20);
  const uint32_t modifier = random.OneIn(2) ? 0 : random.Below(14);
  return 0x80000000 | (type & 7) << 28 | (type & 0x18) << 8 | modifier << 24 |
         random.Below(256) << 16 | random.Below(20);
}

void Execute(ShaderScene& scene, const shader::Program& program) {
  if (program.version.is_pixel) {
    QuadColors colors = {};
    MakePixelShader(scene.context(), program, scene.outputs())->Shade(scene.quad(), colors);
    CHECK(colors.killed <= 0xF);
    return;
  }
  device::Draw draw;
  draw.layout = &scene.layout();
  MakeVertexShaderProcessor(scene.context(), draw, program, nullptr)->Process(scene.input());
}

}  // namespace

TEST_CASE("Random shaders: changed bits of whole shaders") {
  const std::vector<std::string_view> shaders = {
      "vs_1_1; dcl_position v0; def c4, 1, 2, 3, 4; mov a0.x, c4; m4x4 oPos, v0, c[a0.x + 1]; lit r0, v1; mov oD0, -r0; expp oT0, c4.x",
      "vs_3_0; dcl_position v0; dcl_position o0; dcl_2d s0; defi i0, 3, 0, 1, 0; loop aL, i0; mov o[aL], v[aL]; callnz l0, b0; endloop; ret; label l0; texldl r0, v0, s0; setp_gt p0, r0, c0; (p0) mov o1, r0; ret",
      "ps_1_3; def c0, 1, 2, 3, 4; tex t0; texm3x3pad t1, t0_bx2; texm3x3pad t2, t0_bx2; texm3x3spec t3, t0_bx2, c0; mad_x2_sat r0, t3, v0, 1-c0",
      "ps_1_4; texld r0, t0_dw.xyw; phase; texld r1, r0; bem r2.rg, r0, r1; texkill r2; mad_x2_sat r0.rgb, r1_bx2, 1-r0, c0; +mov r0.a, c1.a; texdepth r5",
      "ps_3_0; dcl_texcoord v0; dcl vPos; dcl_2d s0; loop aL, i0; texldl r0, v[aL], s0; if_gt r0.x, c0.x; break; endif; dsx r1, r0; endloop; texldd r2, v0, s0, r1, r1; mov oC0, r2; mov oDepth, r2.x",
  };
  ShaderScene scene;
  scene.BindValue(0, {0.5F, 0.25F, -1, 1e30F});
  scene.SetInteger(0, {3, -5, 100, 0});
  scene.SetReal(0, {1e38F, -1e38F, 0, 1});
  scene.SetBoolean(0, true);
  scene.AddElement(d3d::DeclUsage::Position, 0, {1, -2, 1e30F, 0});
  Random random(kSeed);
  uint32_t executed = 0;
  for (const std::string_view text : shaders) {
    const std::vector<uint32_t> words = AssembleWords(text);
    for (int round = 0; round < 1500; ++round) {
      std::vector<uint32_t> changed = words;
      for (uint32_t i = 0; i <= random.Below(3); ++i) {
        changed[1 + random.Below(static_cast<uint32_t>(changed.size()) - 2)] ^= 1U
                                                                                << random.Below(32);
      }
      DiagnosticList findings;
      const shader::Program program = shader::Decode(BytesOf(changed), findings);
      if (!program.is_executable) continue;
      ++executed;
      Execute(scene, program);
    }
  }
  CHECK(executed > 500);
}

TEST_CASE("Random shaders: instructions of random operands in all versions") {
  Random random(kSeed + 1);
  ShaderScene scene;
  scene.SetInteger(0, {2, 0, 1, 0});
  uint32_t executed = 0;
  for (const uint32_t version : {0xFFFE0101U, 0xFFFE0200U, 0xFFFE03FFU, 0xFFFF0101U, 0xFFFF0104U,
                                 0xFFFF0201U, 0xFFFF0300U}) {
    for (int round = 0; round < 300; ++round) {
      std::vector<uint32_t> words = {version};
      for (int i = 0; i < 6; ++i) {
        const auto rows = shader::AllInstructions();
        const shader::InstructionInfo& row = rows[random.Below(static_cast<uint32_t>(rows.size()))];
        if (row.kind == shader::OpKind::kFlow) continue;
        uint32_t size = 0;
        for (const char letter : row.operands)
          size += letter == 'f' || letter == 'n' ? 4 : letter == 'u' ? 2 : 1;
        const bool has_length = (version >> 8 & 0xFF) >= 2;
        words.push_back(static_cast<uint32_t>(row.op) | (has_length ? size << 24 : 0) |
                        (random.Below(4) << 16));
        for (uint32_t k = 0; k < size; ++k)
          words.push_back(RandomOperand(random));
      }
      words.push_back(0xFFFF);
      DiagnosticList findings;
      const shader::Program program = shader::Decode(BytesOf(words), findings);
      if (!program.is_executable) continue;
      ++executed;
      Execute(scene, program);
    }
  }
  CHECK(executed > 100);
}
