// The constant registers of a shader during a draw: those of the context, with the ones that the shader defines on top.
// Source: lib/raster/rendering-shaders.md 8.3.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "device/state.h"
#include "raster/math.h"
#include "shader/program.h"

namespace dp2trace::raster {

class ConstantRegisters {
 public:
  ConstantRegisters(const device::ShaderConstants& constants, const shader::Program& program);

  // Registers that nobody wrote, or that do not exist, are 0.
  Float4 Real(int64_t number) const;
  std::array<int32_t, 4> Integer(uint32_t number) const;
  bool Boolean(uint32_t number) const;

  const std::vector<Float4>& floats() const { return floats_; }
  const std::vector<std::array<int32_t, 4>>& integers() const { return integers_; }
  const std::vector<uint32_t>& booleans() const { return booleans_; }

 private:
  std::vector<Float4> floats_;
  std::vector<std::array<int32_t, 4>> integers_;
  std::vector<uint32_t> booleans_;
};

}  // namespace dp2trace::raster
