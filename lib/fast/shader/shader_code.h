// A shader as a program of the block machine, and what of it a draw fills in.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "fast/machine/program.h"
#include "fast/shader/emitter.h"
#include "raster/shader/constants.h"
#include "raster/shader/texture_bank.h"
#include "shader/program.h"

namespace dp2trace::fast {

// A constant of the program that each draw gives its value: a component of a constant register with a modifier, or a number of the bump
// environment of a stage.
struct OpenConstant {
  enum class Kind : uint8_t { kReal, kBump };
  Kind kind = Kind::kReal;
  shader::Modifier modifier = shader::Modifier::kNone;
  uint8_t component = 0;  // kBump: m00, m01, m10, m11, luminance scale, luminance offset
  int64_t number = 0;     // of the register or stage
  uint32_t index = 0;     // in Program::constants
  bool operator==(const OpenConstant&) const = default;
};

// Immutable; the same for all draws whose integer and boolean constants, bound textures and projections are those that it was made for.
struct ShaderCode {
  Program program;
  std::vector<OpenConstant> constants;
  bool reads_constants = false;         // by relative address: Frame::reals
  std::vector<uint32_t> samplers;       // numbers, by Instruction::data of the sampling operations
  std::map<uint32_t, uint32_t> inputs;  // first register of v#
  std::map<uint32_t, uint32_t> coordinates;  // of t# (from 1.4 on) or of the stage's coordinates
  std::map<uint32_t, uint32_t> misc;         // of vPos and vFace
  // Results: components of the register, 0 where nothing writes them.
  std::map<std::pair<shader::RegisterType, uint32_t>, Vector> outputs;
  std::optional<Operand> legacy_depth;  // of TexDepth and TexM3x2Depth, in [0, 1]
  bool may_kill = false;
  uint32_t steps = 0;  // upper bound of the instructions of one invocation
};

// The environment that a program is compiled for.
struct ShaderEnvironment {
  const raster::ConstantRegisters* constants = nullptr;
  const raster::TextureBank* textures = nullptr;
};

// Registers whose final values are wanted.
struct WantedOutput {
  shader::RegisterType type = shader::RegisterType::kColorOut;
  uint32_t number = 0;
};

// Null for what only the interpreter runs: programs that unroll to too many operations or nest too deeply, colour keys under flow control.
std::shared_ptr<const ShaderCode> CompileShader(const shader::Program& program,
                                                const ShaderEnvironment& environment,
                                                const std::vector<WantedOutput>& outputs);

// The program with the constants of a draw.
Program WithConstants(const ShaderCode& code, const ShaderEnvironment& environment);

}  // namespace dp2trace::fast
