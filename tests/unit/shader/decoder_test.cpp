#include "shader/decoder.h"

#include <doctest/doctest.h>

#include <vector>

#include "rules/rule.h"
#include "shader/checker.h"
#include "shader/disassembler.h"
#include "support/random.h"
#include "support/shader_assembler.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::shader;   // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

namespace {

struct Decoded {
  DiagnosticList findings;
  Program program;
};

Decoded DecodeWords(const std::vector<uint32_t>& words) {
  Decoded result;
  result.program = Decode(BytesOf(words), result.findings);
  return result;
}

void CheckRefused(const std::vector<uint32_t>& words, Rule rule, uint64_t offset) {
  const Decoded result = DecodeWords(words);
  CHECK_FALSE(result.program.is_executable);
  REQUIRE_FALSE(result.findings.empty());
  CHECK(result.findings.items()[0].rule == rule);
  CHECK(result.findings.items()[0].offset == offset);
}

}  // namespace

TEST_CASE("Decoder: the vertex shader of the DP2 document is read token by token") {
  // vs_1_1, mov oPos, v0, mov oD0, v5, end
  const Decoded result =
      DecodeWords({0xFFFE0101, 1, 0xC00F0000, 0x90E40000, 1, 0xD00F0000, 0x90E40005, 0xFFFF});
  CHECK(result.findings.empty());
  REQUIRE(result.program.is_executable);
  REQUIRE(result.program.instructions.size() == 2);
  const Instruction& color = result.program.instructions[1];
  CHECK(color.op() == Op::Mov);
  CHECK(color.offset == 16);
  CHECK(color.size == 12);
  CHECK(color.destination.type == RegisterType::kAttributeOut);
  CHECK(color.destination.mask == 0xF);
  CHECK(color.sources[0].type == RegisterType::kInput);
  CHECK(color.sources[0].number == 5);
  CHECK(result.program.size == 32);
}

TEST_CASE("Decoder: parameter fields are taken apart") {
  // ps_1_4: mad_x4_sat r1.ga, -r2_bx2.b, 1-c3, r5
  const Decoded result =
      DecodeWords({0xFFFF0104, 4, 0x821A0001, 0x85AA0002, 0xA6E40003, 0x80E40005, 0xFFFF});
  REQUIRE(result.program.instructions.size() == 1);
  const Instruction& mad = result.program.instructions[0];
  CHECK(mad.destination.shift == 2);
  CHECK(mad.destination.saturates);
  CHECK(mad.destination.mask == 0xA);
  CHECK(mad.sources[0].modifier == Modifier::kSignedNegate);
  CHECK(mad.sources[0].swizzle == std::array<uint8_t, 4>{2, 2, 2, 2});
  CHECK(mad.sources[1].modifier == Modifier::kComplement);
}

TEST_CASE("Decoder: negative shifts, centroid, partial precision") {
  const Decoded result = DecodeWords({0xFFFF0200, 0x02000001, 0x8F6F0001, 0xA0E40000, 0xFFFF});
  const Destination& target = result.program.instructions.at(0).destination;
  CHECK(target.shift == -1);
  CHECK(target.is_partial_precision);
  CHECK(target.is_centroid);
}

TEST_CASE("Decoder: c2048 and above have register types of their own") {
  // vs_2_sw: mov r0, c2050; mov r0, c8191 (type 13, number 2047)
  const Decoded result = DecodeWords(
      {0xFFFE02FF, 0x02000001, 0x800F0000, 0xB0E40802, 0x02000001, 0x800F0000, 0xD0E40FFF, 0xFFFF});
  REQUIRE(result.program.instructions.size() == 2);
  CHECK(result.program.instructions[0].sources[0].type == RegisterType::kConst);
  CHECK(result.program.instructions[0].sources[0].number == 2050);
  CHECK(result.program.instructions[1].sources[0].number == 8191);
}

TEST_CASE("Decoder: relative addressing has a token of its own from version 2.0 on") {
  const Decoded old = DecodeWords({0xFFFE0101, 1, 0x800F0000, 0xA0E42005, 0xFFFF});
  const Source& implicit = old.program.instructions.at(0).sources[0];
  CHECK(implicit.is_relative);
  CHECK(implicit.number == 5);
  CHECK(implicit.relative.type == RegisterType::kAddress);
  CHECK(implicit.relative.component == 0);
  const Decoded later =
      DecodeWords({0xFFFE0200, 0x03000001, 0x800F0000, 0xA0E42005, 0xF0E40800, 0xFFFF});
  const Source& loop = later.program.instructions.at(0).sources[0];
  CHECK(loop.relative.type == RegisterType::kLoop);
  CHECK(later.findings.empty());
}

TEST_CASE("Decoder: declarations, constants and predicates") {
  DiagnosticList findings;
  const Program program = Decode(
      AssembleShader(
          "ps_3_0; dcl_texcoord3 v2.xy; dcl_cube s4; def c1, 1, -2, 0.5, 3; defi i2, 4, -1, 2, 0;"
          "defb b5, true; setp_gt p0, v2.x, c1.x; (!p0.y) mov r0.x, c1; mov oC0, r0"),
      findings);
  CHECK(findings.empty());
  REQUIRE(program.declarations.size() == 2);
  CHECK(program.declarations[0].usage == 5);
  CHECK(program.declarations[0].usage_index == 3);
  CHECK(program.declarations[0].mask == 3);
  CHECK(program.declarations[1].texture_type == kSamplerCube);
  REQUIRE(program.floats.size() == 1);
  CHECK(program.floats[0].words[1] == 0xC0000000);
  CHECK(program.integers.at(0).words[1] == 0xFFFFFFFF);
  CHECK(program.booleans.at(0).number == 5);
  const Instruction& predicated = program.instructions.at(6);
  REQUIRE(predicated.is_predicated);
  CHECK(predicated.predicate.type == RegisterType::kPredicate);
  CHECK(predicated.predicate.modifier == Modifier::kNot);
  CHECK(predicated.predicate.swizzle[0] == 1);
  CHECK(predicated.sources[0].type == RegisterType::kConst);
}

TEST_CASE("Decoder: comments are skipped") {
  const Decoded result = DecodeWords(
      {0xFFFF0200, 0x0002FFFE, 0xFFFF, 0x12345678, 0x02000001, 0x800F0800, 0xA0E40000, 0xFFFF});
  CHECK(result.findings.empty());
  CHECK(result.program.instructions.size() == 1);
  CHECK(result.program.instructions[0].offset == 16);
}

TEST_CASE("DP2-SHADER-001 fires without a version that exists") {
  CheckRefused({}, Rule::kDp2Shader001, 0);
  CheckRefused({0xFFFE0401, 0xFFFF}, Rule::kDp2Shader001, 0);
}

TEST_CASE("DP2-SHADER-002 fires where END is missing") {
  CheckRefused({0xFFFE0101, 0}, Rule::kDp2Shader002, 8);
}

TEST_CASE("DP2-SHADER-003 fires where a comment is cut") {
  CheckRefused({0xFFFE0101, 0x7FFFFFFE, 0xFFFF}, Rule::kDp2Shader003, 4);
}

TEST_CASE("DP2-SHADER-004 fires where operands are cut") {
  CheckRefused({0xFFFE0101, 1, 0xC00F0000}, Rule::kDp2Shader004, 4);
  CheckRefused({0xFFFE0200, 0x02000001, 0xC00F0000}, Rule::kDp2Shader004, 4);
}

TEST_CASE("DP2-SHADER-005 fires on unknown opcodes") {
  CheckRefused({0xFFFE0101, 0x63, 0xFFFF}, Rule::kDp2Shader005, 4);
}

TEST_CASE("DP2-SHADER-006 fires on wrong top bits") {
  CheckRefused({0xFFFE0101, 1, 0x400F0000, 0x90E40000, 0xFFFF}, Rule::kDp2Shader006, 4);
  CheckRefused({0xFFFE0101, 0x80000001, 0xFFFF}, Rule::kDp2Shader006, 4);
}

TEST_CASE("DP2-SHADER-007 fires on a wrong length") {
  CheckRefused({0xFFFE0200, 0x01000001, 0xC00F0000, 0xFFFF}, Rule::kDp2Shader007, 4);
  CheckRefused({0xFFFE0200, 0x03000001, 0xC00F0000, 0x90E40000, 0x90E40000, 0xFFFF},
               Rule::kDp2Shader007, 4);
}

TEST_CASE("DP2-SHADER-008 warns about bytes after END") {
  const Decoded result = DecodeWords({0xFFFE0101, 0xFFFF, 0});
  CHECK(result.program.is_executable);
  REQUIRE(result.findings.items().size() == 1);
  CHECK(result.findings.items()[0].rule == Rule::kDp2Shader008);
  CHECK(result.findings.items()[0].offset == 8);
}

TEST_CASE("DP2-SHADER-009 fires on register types that do not exist") {
  CheckRefused({0xFFFE0200, 0x02000001, 0xC00F1800, 0x90E40000, 0xFFFF}, Rule::kDp2Shader009, 4);
}

TEST_CASE("Decoder: blocks and calls know their other end") {
  DiagnosticList findings;
  const Program program = Decode(
      AssembleShader("vs_2_0; if b0; rep i0; endrep; else; call l3; endif; ret; label l3; ret"),
      findings);
  CHECK(findings.empty());
  REQUIRE(program.is_executable);
  CHECK(program.instructions[0].target == 3);
  CHECK(program.instructions[1].target == 2);
  CHECK(program.instructions[2].target == 1);
  CHECK(program.instructions[3].target == 5);
  CHECK(program.instructions[4].target == 7);
}

TEST_CASE("Decoder: flow control that does not fit is refused") {
  const auto rule_of = [](std::string_view text) {
    DiagnosticList findings;
    const Program program = Decode(AssembleShader(text), findings);
    CHECK_FALSE(program.is_executable);
    REQUIRE_FALSE(findings.empty());
    return findings.items()[0].rule;
  };
  CHECK(rule_of("vs_2_0; endif") == Rule::kDp2Shader053);
  CHECK(rule_of("vs_2_0; if b0; else; else; endif") == Rule::kDp2Shader053);
  CHECK(rule_of("vs_2_0; rep i0; endloop; endrep") == Rule::kDp2Shader053);
  CHECK(rule_of("vs_2_0; if b0") == Rule::kDp2Shader054);
  CHECK(rule_of("vs_3_0; if b0; break; endif") == Rule::kDp2Shader055);
  CHECK(rule_of("vs_2_0; call l1; ret") == Rule::kDp2Shader057);
  CHECK(rule_of("vs_2_0; ret; label l1; ret; label l1; ret") == Rule::kDp2Shader058);
  CHECK(rule_of("vs_2_0; if b0; label l1; endif") == Rule::kDp2Shader059);
}

TEST_CASE("REPLAY-SHADER-002 stops endless shaders") {
  std::vector<uint32_t> words(kMaxInstructions + 3, 0);  // nop
  words[0] = 0xFFFE0101;
  words.back() = 0xFFFF;
  const Decoded result = DecodeWords(words);
  CHECK(result.program.instructions.size() == kMaxInstructions);
  CHECK(result.findings.items().at(0).rule == Rule::kReplayShader002);
}

TEST_CASE("Decoder: every cut and every change of bits of a shader is survived") {
  const std::vector<std::string_view> shaders = {
      "vs_1_1; dcl_position v0; def c4, 1, 2, 3, 4; m4x4 oPos, v0, c[a0.x + 1]; mov oD0, -c4",
      "ps_1_4; texld r0, t0_dw.xyw; phase; texld r1, r0; mad_x2_sat r0.rgb, r1_bx2, 1-r0, c0; +mov r0.a, c1.a",
      "ps_3_0; dcl_texcoord v0; dcl_2d s0; loop aL, i0; texldl r0, v[aL], s0; if_gt r0.x, c0.x; break; endif; endloop; mov oC0, r0",
      "ps_2_x; dcl t0.xy; dcl_2d s0; defi i0, 3, 0, 0, 0; rep i0; texld r0, t0, s0; setp_gt p0, r0, c0; (p0.x) mul r0, r0, c1; break_gt r0.x, c0.x;"
      "dsx r1, r0; endrep; mov oC0, r0; mov oDepth, r1.x",
  };
  Random random(7);
  for (const std::string_view text : shaders) {
    const std::vector<uint8_t> code = AssembleShader(text);
    for (size_t size = 0; size < code.size(); ++size) {
      DiagnosticList findings;
      const Program program = Decode(Bytes(code).first(size), findings);
      CHECK_FALSE(program.is_executable);
      CHECK_FALSE(findings.empty());
    }
    for (int round = 0; round < 2000; ++round) {
      std::vector<uint8_t> changed = code;
      for (uint32_t i = 0; i <= random.Below(4); ++i) {
        changed[random.Below(static_cast<uint32_t>(changed.size()))] ^=
            static_cast<uint8_t>(1U << random.Below(8));
      }
      DiagnosticList findings;
      const Program program = Decode(changed, findings);
      Check(program, findings);
      CHECK(Disassemble(program).size() < 100000);
    }
  }
}
