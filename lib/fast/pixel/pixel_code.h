// Pixel work as a program of the block machine: what the compilers of texture stages and pixel shaders make.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "device/state.h"
#include "fast/machine/program.h"
#include "fast/texture/sampler_plan.h"

namespace dp2trace::fast {

// A component of a varying that the program reads. The rasterizer puts its value into the register before each run.
struct PixelInput {
  uint8_t slot = 0;         // raster::kVaryingCount slots
  uint8_t component = 0;    // 0 to 3
  bool is_clamped = false;  // to [0, 1] after the interpolation
  uint16_t to = 0;          // register
};

struct PixelCode {
  Program program;
  std::vector<PixelInput> inputs;
  std::vector<std::shared_ptr<const SamplerPlan>>
      samplers;  // by Instruction::data of the sampling operations
  std::optional<uint16_t> position_x, position_y;  // registers for the pixel's coordinates (vPos)
  std::optional<uint16_t> face;                    // register for +1 (front) or -1 (vFace)

  // Results, R, G, B, A, after the specular add and before alpha test and fog: operands so that constants need no run.
  std::array<std::array<Operand, 4>, device::kTargetCount> colors;
  uint32_t written_targets = 1;  // bit i: target i gets a colour
  bool limits_colors = false;    // to [0, 1] after the fog (pixel shaders 1.x)
  bool is_unit = false;          // colours are known to be in [0, 1], and not -0 or NaN
  std::optional<Operand> depth;  // in [0, 1], where the program writes depth
  bool may_kill = false;
  uint64_t steps = 0;  // upper bound of the shader instructions of one quad (WorkBudget)
};

}  // namespace dp2trace::fast
