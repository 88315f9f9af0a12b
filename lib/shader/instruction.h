// The instruction table: what an opcode is called, which operands it has and where it is legal.
// Source: lib/raster/rendering-shaders.md 8.1.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace dp2trace::shader {

// Which language a token array is written in.
struct Version {
  bool is_pixel = false;
  uint8_t major = 0;
  uint8_t minor = 0;  // 1 for 2_x, 0xFF for 2_sw and 3_sw

  bool is_software() const { return minor == 0xFF; }
  // major * 16 + minor for comparisons: 2_sw counts as 2_x (0x21), 3_sw as 3_0 (0x30), 1.0 as 1.1.
  uint8_t code() const;
  bool operator==(const Version&) const = default;
};

// True for a version token of a language that exists.
bool ReadVersion(uint32_t token, Version& out);

// One value for each opcode; rows that share an opcode share the value.
// clang-format off
enum class Op : uint16_t {
  Nop = 0, Mov, Add, Sub, Mad, Mul, Rcp, Rsq, Dp3, Dp4, Min, Max, Slt, Sge, Exp, Log, Lit, Dst, Lrp, Frc, M4x4, M4x3, M3x4, M3x3,
  M3x2, Call, CallNz, Loop, Ret, EndLoop, Label, Dcl, Pow, Crs, Sgn, Abs, Nrm, SinCos, Rep, EndRep, If, IfC, Else, EndIf, Break,
  BreakC, Mova, DefB, DefI,
  TexCoord = 64, TexKill, Tex, TexBem, TexBemL, TexReg2Ar, TexReg2Gb, TexM3x2Pad, TexM3x2Tex, TexM3x3Pad, TexM3x3Tex,
  TexM3x3Spec = 76, TexM3x3VSpec, ExpP, LogP, Cnd, Def, TexReg2Rgb, TexDp3Tex, TexM3x2Depth, TexDp3, TexM3x3, TexDepth, Cmp, Bem,
  Dp2Add, Dsx, Dsy, TexLdd, SetP, TexLdl, BreakP,
  Phase = 0xFFFD,
};
// clang-format on

enum class OpKind : uint8_t { kArithmetic, kTexture, kFlow, kDeclaration };

struct InstructionInfo {
  Op op;
  std::string_view name;
  OpKind kind;
  std::string_view operands;                                   // letters of instruction.def
  uint8_t vertex_first, vertex_last, pixel_first, pixel_last;  // Version::code(); 0: none
  uint8_t slots1, slots2;
  uint8_t matrix_rows;

  bool IsIn(Version version) const;
  uint8_t slots(Version version) const { return version.major < 2 ? slots1 : slots2; }
};

// The row of an opcode for a version; where the version has none, the first row of the opcode; null for what is not an opcode.
const InstructionInfo* FindInstruction(uint32_t opcode, Version version);
std::span<const InstructionInfo> AllInstructions();

}  // namespace dp2trace::shader
