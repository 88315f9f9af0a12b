// A shader in its internal form: what the token array says, with flow control resolved. The interpreter and other back ends work on it.
// Source: lib/raster/rendering-shaders.md 8.1.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "shader/registers.h"

namespace dp2trace::shader {

enum class Modifier : uint8_t {
  kNone,
  kNegate,
  kBias,
  kBiasNegate,
  kSigned,
  kSignedNegate,
  kComplement,
  kDouble,
  kDoubleNegate,
  kDivideZ,
  kDivideW,
  kAbsolute,
  kAbsoluteNegate,
  kNot,
};
inline constexpr uint32_t kModifierCount = 14;

// Comparison of IfC, BreakC and SetP: Instruction::control.
enum class Comparison : uint8_t {
  kGreater = 1,
  kEqual,
  kGreaterEqual,
  kLess,
  kNotEqual,
  kLessEqual
};

// Instruction::control of Tex from version 2.0 on.
inline constexpr uint8_t kTexProject = 1, kTexBias = 2;

// Texture type of a sampler declaration.
inline constexpr uint32_t kSampler2d = 2, kSamplerCube = 3, kSamplerVolume = 4;

inline constexpr std::array<uint8_t, 4> kIdentitySwizzle = {0, 1, 2, 3};
inline constexpr uint8_t kMaskX = 0x1, kMaskXy = 0x3, kMaskXyz = 0x7, kMaskW = 0x8, kFullMask = 0xF;

// The register whose value is added to a register number.
struct RelativeAddress {
  RegisterType type = RegisterType::kAddress;  // or kLoop
  uint32_t number = 0;
  uint8_t component = 0;
};

struct Source {
  RegisterType type = RegisterType::kTemp;
  uint32_t number = 0;
  std::array<uint8_t, 4> swizzle = kIdentitySwizzle;
  Modifier modifier = Modifier::kNone;
  bool is_relative = false;
  RelativeAddress relative;

  // All four components are the same one.
  bool is_replicate() const {
    return swizzle[0] == swizzle[1] && swizzle[1] == swizzle[2] && swizzle[2] == swizzle[3];
  }
};

struct Destination {
  RegisterType type = RegisterType::kTemp;
  uint32_t number = 0;
  uint8_t mask = kFullMask;  // bit c: component c is written
  int8_t shift = 0;          // result * 2^shift, -8 to 7
  bool saturates = false;
  bool is_partial_precision = false;
  bool is_centroid = false;
  bool is_relative = false;
  RelativeAddress relative;
};

inline constexpr uint32_t kNoTarget = 0xFFFFFFFF;

struct Instruction {
  const InstructionInfo* info = nullptr;
  uint32_t offset = 0;  // bytes from the start of the code
  uint32_t size = 0;    // bytes, operands included
  uint8_t control = 0;  // bits 23:16
  bool is_coissued = false;
  bool is_predicated = false;
  bool has_destination = false;
  Destination destination;  // also the operand of TexKill and the declared or defined register
  uint8_t source_count = 0;
  std::array<Source, 4> sources;
  Source predicate;  // where is_predicated
  // Of Def, DefI, DefB; of Dcl: usage, usage index, texture type.
  std::array<uint32_t, 4> literals = {};
  // If, Else: the instruction of Else or EndIf. Loop, Rep: of EndLoop or EndRep, and back. Call: of Label.
  uint32_t target = kNoTarget;

  Op op() const { return info->op; }
  // Components of the destination that get a result: macros write no more than they compute, whatever the mask says.
  uint8_t result_mask() const;
};

// A register that a Dcl names.
struct Declaration {
  RegisterType type = RegisterType::kInput;
  uint32_t number = 0;
  uint8_t mask = kFullMask;
  uint32_t usage = 0;  // D3DDECLUSAGE; without meaning for samplers and in pixel shaders below 3.0
  uint32_t usage_index = 0;
  uint32_t texture_type = 0;  // of samplers
  bool is_centroid = false;
};

struct Constant {
  uint32_t number = 0;
  std::array<uint32_t, 4> words = {};  // bits of floats or integers; booleans in the first
};

struct Program {
  Version version;
  std::vector<Instruction> instructions;  // up to END, comments left out
  std::vector<Declaration> declarations;
  std::vector<Constant> floats, integers, booleans;  // Def, DefI, DefB
  uint32_t size = 0;                                 // bytes, END included
  bool is_executable = false;  // false: a defect stands against running it; it draws nothing

  // The declaration of a register that covers a component of the mask, or null.
  const Declaration* FindDeclaration(RegisterType type, uint32_t number,
                                     uint8_t mask = kFullMask) const;
  // Components of a register that any instruction may write; relative writes count for all registers of the type.
  uint8_t WrittenMask(RegisterType type, uint32_t number) const;
};

// Bytes that the lists of a program take, beside the structure itself.
uint64_t MemorySize(const Program& program);

}  // namespace dp2trace::shader
