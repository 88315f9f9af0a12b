#include "shader/assembler.h"

#include <doctest/doctest.h>

#include "shader/disassembler.h"

using namespace dp2trace;          // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::shader;  // NOLINT(google-build-using-namespace): test file

namespace {

constexpr Version kVertex1 = {false, 1, 1}, kVertex2x = {false, 2, 1}, kVertex3 = {false, 3, 0};
constexpr Version kPixel1 = {true, 1, 1}, kPixel14 = {true, 1, 4}, kPixel2 = {true, 2, 0},
                  kPixel3 = {true, 3, 0};

using Words = std::vector<uint32_t>;

Words WordsOf(Version version, std::string_view text) {
  const Result<Words> words = Assemble(version, text);
  INFO((words.ok() ? std::string() : words.status().diagnostic().message));
  REQUIRE(words.ok());
  return *words;
}

std::string ErrorOf(Version version, std::string_view text) {
  const Result<Words> words = Assemble(version, text);
  return words.ok() ? std::string() : words.status().diagnostic().message;
}

// The text of what the line is assembled to.
std::string Again(Version version, std::string_view line) {
  const Result<Instruction> instruction = ReadInstruction(version, line);
  REQUIRE(instruction.ok());
  Program program;
  program.version = version;
  return InstructionText(program, *instruction);
}

}  // namespace

TEST_CASE("Assembler: tokens of published shaders") {
  CHECK(WordsOf(kVertex1, "mov oD0, v5") == Words{1, 0xD00F0000, 0x90E40005});
  CHECK(WordsOf(kPixel1, "+cnd r0.rgb, r0.a, c1, c2") ==
        Words{0x40000050, 0x80070000, 0x80FF0000, 0xA0E40001, 0xA0E40002});
  CHECK(WordsOf(kPixel1, "def c3, 0.5, -0, 0, 1e3") ==
        Words{0x51, 0xA00F0003, 0x3F000000, 0x80000000, 0, 0x447A0000});
  // From version 2 on the length stands in the instruction.
  CHECK(WordsOf(kPixel2, "texldp_pp r0, t0, s1") ==
        Words{0x03010042, 0x802F0000, 0xB0E40000, 0xA0E40801});
  CHECK(WordsOf(kPixel2, "dcl t0.xy") == Words{0x0200001F, 0x80000000, 0xB0030000});
  CHECK(WordsOf(kVertex3, "dcl_texcoord1 o3.xyz") == Words{0x0200001F, 0x80010005, 0xE0070003});
  CHECK(WordsOf(kPixel3, "dcl_2d s0") == Words{0x0200001F, 0x90000000, 0xA00F0800});
}

TEST_CASE("Assembler: addresses, predicates and constants beyond 2047") {
  // Version 1 has no token for the address.
  CHECK(WordsOf(kVertex1, "mov r0, c[a0.x + 4]") == Words{1, 0x800F0000, 0xA0E42004});
  CHECK(WordsOf(kVertex2x, "mov r0, c[a0.y + 4]") ==
        Words{0x03000001, 0x800F0000, 0xA0E42004, 0xB0550000});
  CHECK(WordsOf(kVertex3, "mov r0, c[aL]") ==
        Words{0x03000001, 0x800F0000, 0xA0E42000, 0xF0E40800});
  CHECK(WordsOf(kVertex2x, "(!p0.x) mov r2, r1") ==
        Words{0x13000001, 0x800F0002, 0xBD001000, 0x80E40001});
  CHECK(WordsOf(kVertex2x, "if_lt r0.x, c0.y") == Words{0x02040029, 0x80000000, 0xA0550000});
  CHECK(WordsOf(kVertex2x, "if b2") == Words{0x01000028, 0xE0E40802});
  CHECK(WordsOf(kVertex2x, "break") == Words{0x2C});
  CHECK(WordsOf(kVertex2x, "breakp p0.x") == Words{0x01000060, 0xB0001000});
  CHECK(WordsOf({false, 2, 0xFF}, "mov r0, c4097") == Words{0x02000001, 0x800F0000, 0xC0E40801});
  CHECK(WordsOf(kVertex2x, "defi i0, 3, -1, 0, 1") ==
        Words{0x05000030, 0xF00F0000, 3, 0xFFFFFFFF, 0, 1});
  CHECK(WordsOf(kVertex2x, "defb b1, true") == Words{0x0200002F, 0xE00F0801, 1});
}

TEST_CASE(
    "Assembler: blanks and names of components are free, several instructions stand between semicolons") {
  CHECK(WordsOf(kPixel1, "  mul_x2_sat   r0.xyz ,t0,1-v0 ") ==
        WordsOf(kPixel1, "mul_sat_x2 r0.rgb, t0, 1-v0"));
  CHECK(Again(kPixel1, "mul_x2_sat r0.xyz,t0,1-v0.w") == "mul_x2_sat r0.rgb, t0, 1-v0.a");
  CHECK(Again(kPixel14, "texcrd r0.rgb, t0_dw.xyw") == "texcrd r0.rgb, t0_dw.xyw");
  CHECK(Again(kPixel2, "add r0, r1.xyzw, -r2_abs.x") == "add r0, r1, -r2_abs.x");
  CHECK(WordsOf(kVertex1, "nop; nop;") == Words{0, 0});
  CHECK(WordsOf(kVertex1, " ").empty());
  CHECK(WordsOf(kVertex1, "").empty());
}

TEST_CASE(
    "Assembler: what is wrong is named with its column, what was found and what was expected") {
  CHECK(ErrorOf(kPixel2, "mull r0, r1, r2") ==
        "column 1: 'mull' is not an instruction of ps_2_0; did you mean mul?");
  CHECK(ErrorOf(kPixel2, "mul r0, r1") == "column 1: mul has 2 operands, expected 3");
  CHECK(ErrorOf(kVertex1, "mov r0, q1") ==
        "column 9: 'q1', expected a register of vs_1_1: r0, v0, c0, a0, oPos, oD0, oT0, ...");
  CHECK(ErrorOf(kPixel2, "mov_foo r0, r1") ==
        "column 4: '_foo', expected _sat, _pp, _centroid, _x2, _x4, _x8, _d2, _d4 or _d8");
  CHECK(ErrorOf(kVertex2x, "rep_sat i0") == "column 4: '_sat', expected no modifier here");
  CHECK(ErrorOf(kPixel2, "mov r0.yx, r1") ==
        "column 8: 'yx', expected some of x, y, z and w (or r, g, b and a), in this order");
  CHECK(ErrorOf(kPixel2, "mov r0, r1.xq") ==
        "column 12: 'xq', expected 1 to 4 of x, y, z and w (or r, g, b and a)");
  CHECK(ErrorOf(kPixel2, "mov r0, r1_foo") ==
        "column 11: '_foo', expected _bias, _bx2, _x2, _dz, _dw or _abs");
  CHECK(ErrorOf(kPixel1, "mov r0, 1-r1_bias") == "column 9: '1-' and '_bias' do not go together");
  CHECK(ErrorOf(kVertex1, "mov r0, c[a0.y]") == "column 11: 'a0.y]', expected a0.x");
  CHECK(ErrorOf(kVertex2x, "mov r0, c[a0.x + 9999]") ==
        "column 18: '9999]', expected a number from 0 to 8191");
  CHECK(ErrorOf(kVertex2x, "mov r0, c[a0.x") == "column 15: the end of the line, expected ']'");
  CHECK(ErrorOf(kPixel2, "def c0, 1, x, 0, 0") == "column 12: 'x', expected a number");
  CHECK(ErrorOf(kVertex2x, "defi i0, 1, 2, 3, 4.5") ==
        "column 20: '.5', expected the end of the line");
  CHECK(ErrorOf(kVertex2x, "defb b0, 1") == "column 10: '1', expected true or false");
  CHECK(ErrorOf(kVertex3, "dcl v0") ==
        "column 4: ' v0', expected a usage: _position, _blendweight, _blendindices, _normal, "
        "_psize, _texcoord, _tangent, _binormal, _tessfactor, _positiont, _color, _fog, _depth, "
        "_sample");
  CHECK(ErrorOf(kPixel3, "dcl_texcoord s0") ==
        "column 4: a sampler has a texture type, expected _2d, _cube or _volume");
  CHECK(ErrorOf(kPixel3, "dcl_2d v0") == "column 4: only a sampler has a texture type");
  CHECK(ErrorOf(kPixel2, "dcl_texcoord t0") ==
        "column 4: '_texcoord', expected no usage: this register of ps_2_0 has none");
  CHECK(ErrorOf(kPixel2, "mov r0, r1 r2") == "column 12: 'r2', expected the end of the line");
  CHECK(ErrorOf(kPixel1, "(p0) mov r0, r1") == "column 1: ps_1_1 has no predicates");
  CHECK(ErrorOf(kPixel2, "nop; mov r0, q").starts_with("column 14: 'q', expected a register"));
  CHECK(ErrorOf(kPixel2, "(p0") == "column 4: the end of the line, expected ')'");
  CHECK(ErrorOf(kPixel2, "+") ==
        "column 2: the end of the line, expected the name of an instruction");
}
