// Rules about what an instruction finds when it runs: masks, chains, addresses, components, outputs.
#include "check_helpers.h"
#include "shader/divergence.h"

using namespace dp2trace;          // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::shader;  // NOLINT(google-build-using-namespace): test file

namespace {

std::string Repeated(std::string text, std::string_view line, int count) {
  for (int i = 0; i < count; ++i)
    text += std::string(line) + ";";
  return text;
}

}  // namespace

TEST_CASE("Checker: pixel shaders 1.x") {
  CheckFires("DP2-SHADER-051", "ps_1_1; mov r0, v0; mov r0.r, c0");
  CheckFires("DP2-SHADER-051", "ps_1_1; tex t0.rgb; mov r0, v0");
  CheckFires("DP2-SHADER-051", "ps_1_4; texld r0.rgb, t0; mov r0, c0");
  CheckClean("ps_1_1; mov r0, v0; mov r0.a, c0");
  CheckClean("ps_1_4; texcrd r0.rgb, t0; mov r0, c0");
  CheckFires("DP2-SHADER-052", "ps_1_4; mov r0, c0; phase; texdepth r0; mov r0, c0");
  CheckFires("DP2-SHADER-052", "ps_1_4; mov r5, c0; texdepth r5; phase; mov r0, c0");
  CheckFires("DP2-SHADER-052",
             "ps_1_4; mov r0, c0; phase; texcrd r5.rgb, t0; texdepth r5; mov r0.rgb, r5");
  CheckClean("ps_1_4; mov r0, c0; phase; texcrd r5.rgb, t0; texdepth r5; mov r0, c0");
  CheckFires("DP2-SHADER-077", "ps_1_1; mul r0, v0, t0");
  CheckFires("DP2-SHADER-077", "ps_1_3; texkill t1; mov r0, t1");
  CheckClean("ps_1_1; texcoord t0; mul r0, v0, t0");
  CheckClean("ps_1_1; mov t0, v0; mul r0, v0, t0");
  CheckFires("DP2-SHADER-078", "ps_1_4; texld r1, t0; phase; mov r0, r1");
  CheckClean("ps_1_4; texld r1, t0; phase; mov r0.rgb, r1; mov r0.a, c0.a");
}

TEST_CASE("Checker: values that differ between pixels") {
  CheckFires("DP2-SHADER-064",
             "ps_3_0; dcl_texcoord v0; dcl_2d s0; mov oC0, c0; mul r0, v0, c0; if_gt v0.x, "
             "c0.x;texld r1, r0, s0; endif");
  CheckFires("DP2-SHADER-064",
             "ps_2_x; dcl t0; mul r0, t0, c0; rep i0; break_gt r0.x, c0.x; add r0, r0, c1;dsx "
             "r1, r0; endrep; mov oC0, r0");
  CheckFires("DP2-SHADER-064",
             "ps_3_0; dcl_texcoord v0; dcl_2d s0; mov oC0, c0; mul r0, v0, c0; setp_gt p0, "
             "r0, c0;callnz l0, p0.x; ret; label l0; texld r1, r0, s0; ret");
  CheckClean(
      "ps_3_0; dcl_texcoord v0; dcl_2d s0; mov oC0, c0;if_gt v0.x, c0.x; texld r1, v0, s0; endif");
  CheckClean(
      "ps_3_0; dcl_texcoord v0; dcl_2d s0; mov oC0, c0; mul r0, v0, c0;if_gt v0.x, c0.x; texldl r1, r0, "
      "s0; endif");
  CheckClean(
      "ps_3_0; dcl_texcoord v0; dcl_2d s0; mov oC0, c0;mul r0, v0, c0; mov r1.w, c1.x; rep i0; break_gt "
      "r1.w, c0.x; texld r2, r0, s0;add r1.w, r1.w, c0.y; endrep");
  CheckFires("DP2-SHADER-074",
             "ps_2_0; dcl t0; dcl_2d s0; texld r0, t0, s0; texld r0, r0, s0; add r1, r0, "
             "c0;texld r0, r1, s0; texld r0, r0, s0; texld r0, r0, s0; mov oC0, r0");
  CheckClean(
      "ps_2_0; dcl t0; dcl_2d s0; texld r0, t0, s0; texld r0, r0, s0;texld r0, r0, s0; texld r0, r0, s0; "
      "texld r1, t0, s0; add r0, r0, r1; mov oC0, r0");
}

TEST_CASE("Checker: registers that are used before they are written") {
  CheckFires("DP2-SHADER-065", "vs_2_x; dcl_position v0; mov oPos, v0; (p0) mov r0, c0");
  CheckFires("DP2-SHADER-065",
             "ps_3_0; dcl_texcoord v0; mov oC0, c0; setp_gt p0.x, v0, c0; if p0.y; mov oC0, "
             "c1; endif");
  CheckClean("ps_3_0; dcl_texcoord v0; mov oC0, c0; setp_gt p0.x, v0, c0;(p0.x) mov oC0, c1");
  CheckFires("DP2-SHADER-066", "vs_1_1; mov oPos, c[a0.x]");
  CheckFires("DP2-SHADER-066", "vs_2_0; mova a0.x, c0.x; mov oPos, c[a0.y]");
  CheckClean("vs_2_0; mova a0.y, c0; mov oPos, c[a0.y]");
}

TEST_CASE("Checker: components and usages of declarations") {
  CheckFires("DP2-SHADER-067", "ps_3_0; dcl vPos.xyz; mov oC0, c0");
  CheckFires("DP2-SHADER-067", "ps_3_0; dcl vPos.xy; mov oC0, vPos");
  CheckFires("DP2-SHADER-067", "ps_3_0; dcl vFace.yz; mov oC0, c0");
  CheckClean("ps_3_0; dcl vPos.xy; dcl vFace; add r0, vPos.xyyx, vFace.x;mov oC0, r0");
  CheckFires("DP2-SHADER-068", "ps_2_0; dcl t0.xy; mov r0, t0; mov oC0, r0");
  CheckFires("DP2-SHADER-068",
             "vs_3_0; dcl_position v0; dcl_position o0; dcl_texcoord o1.xyz; mov o0, v0; mov "
             "o1, v0");
  CheckClean("ps_3_0; dcl_texcoord v0.xy; dcl_color v0.zw; mov oC0, v0");
  CheckFires("DP2-SHADER-069", "ps_3_0; dcl_position v0; mov oC0, v0");
  CheckFires("DP2-SHADER-069", "vs_2_0; dcl_positiont v0; mov oPos, v0");
  CheckClean("ps_3_0; dcl_position1 v0; mov oC0, v0");
}

TEST_CASE("Checker: counts") {
  CheckFires("DP2-SHADER-075",
             Repeated("vs_2_0; mov oPos, c0;", "callnz l0, b0", 17) + "ret; label l0; ret");
  CheckFires("DP2-SHADER-075", Repeated("vs_2_0; mov oPos, c0;", "if b0; else; endif", 9));
  CheckClean(Repeated("vs_2_0; mov oPos, c0;", "callnz l0, b0", 16) + "ret; label l0; ret");
  CheckClean(Repeated("vs_3_0; dcl_position o0; mov o0, c0;", "if b0; endif", 17));
  CheckFires("DP2-SHADER-076", "vs_2_0; defi i0, 256, 0, 0, 0; rep i0; mov oPos, c0; endrep");
  CheckFires("DP2-SHADER-076", "vs_2_0; defi i0, 1, 0, 128, 0; loop aL, i0; mov oPos, c0; endloop");
  CheckClean("vs_2_0; defi i0, 255, 255, -128, 0; loop aL, i0; mov oPos, c0; endloop");
}

TEST_CASE("Checker: outputs of pixel shaders 2.x") {
  CheckFires("DP2-SHADER-079", "ps_2_0; mov oC0, c0; mov oC0, c1");
  CheckFires("DP2-SHADER-079",
             "ps_2_0; mov r0, c0; mov oC0, c0; mov oDepth, r0.x; mov oDepth, r0.y");
  CheckFires("DP2-SHADER-079", "ps_2_x; dcl t0; setp_gt p0, t0, c0; (p0) mov oC0, c0");
  CheckFires("DP2-SHADER-079", "ps_2_x; dcl t0; if_gt t0.x, c0.x; mov oC0, c0; endif");
  CheckClean("ps_2_x; if b0; mov oC0, c0; endif");
  CheckFires("DP2-SHADER-080", "ps_2_0; mov oC0, c0; mov oC2, c0");
  CheckClean("ps_2_0; mov oC2, c0; mov oC1, c0; mov oC0, c0");
  CheckFires("DP2-SHADER-081", "ps_2_0; mov oC0, c0.x");
  CheckFires("DP2-SHADER-081", "ps_2_0; mov oC0, -c0");
  CheckFires("DP2-SHADER-081", "ps_2_0; mov r0, c0; mov oC0, r0; mov oDepth, r0");
  CheckClean("ps_2_0; mov r0, c0; mov oC0, r0; mov oDepth, r0.x");
}

TEST_CASE("Checker: rules that other versions do not have are silent there") {
  CheckClean("ps_3_0; dcl_texcoord v0; mov oC0, v0.x; mov oC0, -v0");
  CheckClean("ps_2_sw; dcl t0; mov oC0, t0; mov oC0, t0");
  CheckClean(Repeated("ps_2_x; dcl t0; dcl_2d s0; texld r0, t0, s0;", "texld r0, r0, s0", 9) +
             "mov oC0, r0");
  CheckClean("ps_1_4; texld r0, t0; mov r0.r, c0");
  CheckClean("ps_3_0; dcl_texcoord v0.xyz; nrm r0, v0; mov oC0, r0");
  // The w of an input of a vertex shader is 1 where the declaration does not name it.
  CheckClean("vs_2_0; dcl_position v0.xyz; mov oPos, v0");
}

TEST_CASE("Divergence: goes with inputs through registers, predicates, breaks and calls") {
  const auto find = [](std::string_view text) { return FindDivergence(ProgramOf(text)); };
  // The component that is written, not the others.
  const Divergence components = find(
      "ps_3_0; dcl_texcoord v0; mov r0.xy, c0; mov r0.z, v0.x; mov r1.w, r0.y; mov r1.x, r0.z");
  CHECK(components.varying_temps[0] == 0x4);
  CHECK(components.varying_temps[1] == 0x1);
  // 0 dcl, 1 if, 2 mov, 3 else, 4 mov, 5 endif, 6 mov
  const Divergence branch = find(
      "ps_3_0; dcl_texcoord v0; if_gt v0.x, c0.x; mov r0, c0; else; mov r1, c0; endif; mov r2, c0");
  CHECK(branch.is_divergent[2]);
  CHECK(branch.is_divergent[4]);
  CHECK_FALSE(branch.is_divergent[6]);
  CHECK(branch.varying_temps[0] == 0xF);
  CHECK(branch.varying_temps[2] == 0);
  // What a later iteration writes is there in the next one: 0 dcl, 1 rep, 2 break, 3 mov, 4 mov, 5 endrep, 6 mov.
  const Divergence loop = find(
      "ps_3_0; dcl_texcoord v0; rep i0; break_gt r1.x, c0.x; mov r1, r0; mov r0, v0; endrep; mov r2, c0");
  CHECK(loop.is_divergent[3]);
  CHECK_FALSE(loop.is_divergent[6]);
  CHECK(loop.varying_temps[1] == 0xF);
  const Divergence face = find("ps_3_0; dcl vFace; if_gt vFace.x, c0.x; mov r0, c0; endif");
  CHECK_FALSE(face.is_divergent[2]);
  const Divergence predicate =
      find("ps_3_0; dcl_texcoord v0; setp_gt p0, v0, c0; (p0) mov r0, c0; (!p0) mov r1.x, c0");
  CHECK(predicate.varying_temps[0] == 0xF);
  CHECK(predicate.varying_temps[1] == 0x1);
  CHECK_FALSE(predicate.is_divergent[2]);
}

TEST_CASE("Divergence: code in which each pass finds one thing more ends in bounded work") {
  // 8,000 subroutines, each of which calls the one before it; the last one is called for some of the pixels.
  std::vector<uint32_t> words =
      AssembleWords("ps_3_0; dcl_texcoord v0; setp_gt p0, v0, c0; callnz l7999, p0.x; ret");
  words.pop_back();  // END
  const auto label = [](uint32_t number) { return 0xA0E41000 | (number & 0x7FF); };
  for (uint32_t i = 0; i < 8000; ++i) {
    words.insert(words.end(),
                 {0x0100001E, label(i), 0x01000019, label(i == 0 ? 0 : i - 1), 0x0000001C});
  }
  words.push_back(0x0000FFFF);
  DiagnosticList findings;
  const Program program = Decode(BytesOf(words), findings);
  CHECK(FindDivergence(program).is_divergent.size() == program.instructions.size());
  CHECK(program.instructions.size() > 20000);
}
