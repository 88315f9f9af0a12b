// The registers of one invocation: four pixels of a quad, or one vertex in lane 0.
// Source: lib/raster/rendering-shaders.md 8.1 to 8.3.
#pragma once

#include <array>
#include <cstdint>

#include "raster/lanes.h"
#include "raster/shader/constants.h"
#include "shader/program.h"

namespace dp2trace::raster {

struct ShaderRegisters {
  std::array<Float4Quad, 32> temps = {};
  std::array<Float4Quad, 16> inputs = {};
  std::array<Float4Quad, 8> textures = {};  // t#: results in ps_1_1 to 1_3, coordinates from 1_4 on
  std::array<Float4Quad, 8> coordinates = {};  // of the stages, for ps_1_1 to 1_3
  std::array<Float4Quad, 12> outputs = {};     // o#, oT#
  std::array<Float4Quad, 2> attributes = {};   // oD#
  std::array<Float4Quad, 3> rasterizer = {};   // oPos, oFog, oPts
  std::array<Float4Quad, 4> colors = {};       // oC#
  std::array<Float4Quad, 2> misc = {};         // vPos, vFace
  Float4Quad depth = {};
  Float4Quad address = {};  // integers
  std::array<std::array<bool, 4>, kLaneCount> predicate = {};
  int64_t loop_counter = 0;  // aL of the innermost loop

  // Null for registers that do not exist, constants and what holds no vectors.
  Float4Quad* Find(shader::RegisterType type, int64_t number);
  const Float4Quad* Find(shader::RegisterType type, int64_t number) const;
};

// Evaluates operands: register, swizzle, modifier.
class OperandReader {
 public:
  OperandReader(const ShaderRegisters& registers, const ConstantRegisters& constants)
      : registers_(&registers), constants_(&constants) {}

  // `row` is added to the register number (matrices).
  Float4 Read(const shader::Source& source, uint32_t lane, uint32_t row = 0) const;
  Float4Quad ReadAll(const shader::Source& source, uint32_t lane_count) const;
  // The register that a number with relative address means.
  int64_t Place(uint32_t number, bool is_relative, const shader::RelativeAddress& relative,
                uint32_t lane) const;
  // A boolean constant, or a component of p0.
  bool IsTrue(const shader::Source& condition, uint32_t lane, uint32_t component = 0) const;

 private:
  const ShaderRegisters* registers_;
  const ConstantRegisters* constants_;
};

// Scales, saturates, masks and predicates a result and stores it in the lanes whose bits are set.
void WriteResult(const shader::Program& program, const shader::Instruction& instruction,
                 const Float4Quad& result, uint32_t lanes, const OperandReader& operands,
                 ShaderRegisters& registers);

}  // namespace dp2trace::raster
