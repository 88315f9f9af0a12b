#include "shader/disassembler.h"

#include <doctest/doctest.h>

#include "shader/decoder.h"
#include "support/shader_assembler.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::shader;   // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

namespace {

std::string TextOf(const std::vector<uint32_t>& words) {
  DiagnosticList findings;
  return Disassemble(Decode(BytesOf(words), findings));
}

// The text comes back as it was.
void CheckText(std::string_view text) {
  DiagnosticList findings;
  CHECK(Disassemble(Decode(AssembleShader(text), findings)) == text);
}

}  // namespace

TEST_CASE("Disassembler: the shader of the DP2 document reads as assembly") {
  CHECK(TextOf({0xFFFE0101, 1, 0xC00F0000, 0x90E40000, 1, 0xD00F0000, 0x90E40005, 0xFFFF}) ==
        "vs_1_1\nmov oPos, v0\nmov oD0, v5\n");
}

TEST_CASE("Disassembler: tokens of published shaders") {
  // sub r0, r0, c3; mov r0.a, r1.a; +cnd r0.rgb, r0.a, c1, c2
  CHECK(
      TextOf({0xFFFF0101, 0x51,       0xA00F0003, 0x3F000000, 0x3F000000, 0x3F000000,
              0,          0x40,       0xB00F0000, 3,          0x800F0000, 0x80E40000,
              0xA0E40003, 1,          0x80080000, 0x80FF0001, 0x40000050, 0x80070000,
              0x80FF0000, 0xA0E40001, 0xA0E40002, 0xFFFF}) ==
      "ps_1_1\ndef c3, 0.5, 0.5, 0.5, 0\ntexcoord t0\nsub r0, r0, c3\nmov r0.a, r1.a\n+cnd r0.rgb, r0.a, c1, c2\n");
}

TEST_CASE("Disassembler: vertex shaders") {
  CheckText(
      "vs_1_1\ndcl_position v0\ndcl_texcoord1 v7\ndef c0, 1, -0.5, 0, 100\nmov a0.x, v0.x\nm4x4 oPos, v0, c[a0.x + 4]\n"
      "mad oT0.xy, v7, c[a0.x], -c0.w\nmov oFog.x, c0.x\nmov oPts.x, c0.y\n");
  CheckText(
      "vs_2_x\ndefi i0, 3, 0, -1, 0\ndefb b1, true\nsetp_ge p0.xy, r0, r1\nif b1\n  loop aL, i0\n    (p0.x) mov r2, c[aL + 7]\n"
      "    breakp !p0.x\n  endloop\nelse\n  callnz l2, !b1\nendif\nret\nlabel l2\nmova a0.y, r0.y\nret\n");
  CheckText(
      "vs_3_0\ndcl_2d s0\ndcl_color1 o3.xyz\nmov o[aL + 1], v[aL]\ntexldl r0, v1, s0.wzyx\nadd_sat r1, r0_abs, -r0_abs\n");
}

TEST_CASE("Disassembler: pixel shaders") {
  CheckText(
      "ps_1_1\ntex t0\ntexbem t1, t0_bx2\ntexm3x3spec t2, t0, c1\nmul_x2_sat r0.rgb, t0, 1-v0\n+mov_d2 r0.a, -t1_bias.b\n");
  CheckText(
      "ps_1_4\ntexcrd r0.rgb, t0_dw.xyw\nphase\ntexld r1, r0_dz.xyz\nbem r2.rg, c0, r1\ntexkill r0\ntexdepth r5\ncmp r0, r1_x2, c0, -c1_x2\n");
  CheckText(
      "ps_2_0\ndcl t0.xy\ndcl_pp v0\ndcl_volume s1\ntexldp r0, t0, s1\ntexldb_pp r1, t0, s1\nmov oDepth, r0.x\nmov oC1, r1\n");
  CheckText(
      "ps_3_0\ndcl_texcoord_centroid v0.zw\ndcl vPos.xy\ndcl vFace\ndsx r0, v0\ntexldd r1, v0, s0, r0, r0.yxzw\nif_lt vFace.x, r1.y\n  mov oC0, r1\nendif\n");
}

TEST_CASE("Disassembler: version names") {
  CHECK(VersionName({false, 2, 0xFF}) == "vs_2_sw");
  CHECK(VersionName({true, 2, 1}) == "ps_2_x");
  CHECK(VersionName({true, 3, 0}) == "ps_3_0");
}

TEST_CASE("Disassembler: what has no version has no text") {
  CHECK(TextOf({0x12345678}).empty());
}
