// How the parts of an instruction are spelled: what the disassembler writes and the assembler reads, once. Internal to this folder.
// Source: Direct3D 9 assembly shader reference.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "shader/program.h"

namespace dp2trace::shader {

inline constexpr std::string_view kPositionNames = "xyzw";
inline constexpr std::string_view kColorNames = "rgba";

// A modifier stands around the register of a source: "-r0_bx2".
struct ModifierSpelling {
  std::string_view prefix, suffix;
};
inline constexpr std::array<ModifierSpelling, kModifierCount> kModifiers = {{
    {"", ""},        // kNone
    {"-", ""},       // kNegate
    {"", "_bias"},   // kBias
    {"-", "_bias"},  // kBiasNegate
    {"", "_bx2"},    // kSigned
    {"-", "_bx2"},   // kSignedNegate
    {"1-", ""},      // kComplement
    {"", "_x2"},     // kDouble
    {"-", "_x2"},    // kDoubleNegate
    {"", "_dz"},     // kDivideZ
    {"", "_dw"},     // kDivideW
    {"", "_abs"},    // kAbsolute
    {"-", "_abs"},   // kAbsoluteNegate
    {"!", ""},       // kNot
}};

// A flag of a destination stands after the name of the instruction.
struct ResultFlag {
  bool Destination::*flag;
  std::string_view suffix;
};
inline constexpr std::array<ResultFlag, 3> kResultFlags = {{
    {&Destination::saturates, "_sat"},
    {&Destination::is_partial_precision, "_pp"},
    {&Destination::is_centroid, "_centroid"},
}};
inline constexpr int kMinShift = -8, kMaxShift = 7;
// "_x4" of 2, "_d2" of -1, nothing of 0.
std::string ShiftSuffix(int shift);

// Texture types of sampler declarations; types that there are not have none.
inline constexpr std::array<std::string_view, 5> kSamplerSuffixes = {"", "", "_2d", "_cube",
                                                                     "_volume"};

// What the control field adds to the name: "_lt" of an IfC, "p" of a Tex.
std::string_view ControlSuffix(Version version, Op op, uint8_t control);

inline constexpr uint32_t kUsageCount = 32, kUsageIndexCount = 16;
// "texcoord1", "position".
std::string UsageName(uint32_t usage, uint32_t index);
// Declarations of these registers name a usage.
bool HasUsage(Version version, RegisterType type);

}  // namespace dp2trace::shader
