#include "raster/shader/constants.h"

#include <bit>

namespace dp2trace::raster {
namespace {

// The register with room made for it.
template <class T>
T& Place(std::vector<T>& registers, uint32_t number) {
  if (registers.size() <= number) registers.resize(size_t{number} + 1);
  return registers[number];
}

}  // namespace

ConstantRegisters::ConstantRegisters(const device::ShaderConstants& constants,
                                     const shader::Program& program)
    : floats_(constants.floats), integers_(constants.integers), booleans_(constants.booleans) {
  for (const shader::Constant& constant : program.floats) {
    Place(floats_, constant.number) = std::bit_cast<Float4>(constant.words);
  }
  for (const shader::Constant& constant : program.integers) {
    Place(integers_, constant.number) = std::bit_cast<std::array<int32_t, 4>>(constant.words);
  }
  for (const shader::Constant& constant : program.booleans)
    Place(booleans_, constant.number) = constant.words[0];
  if (!program.version.is_pixel || program.version.major > 1) return;
  for (Float4& constant : floats_) {
    for (float& component : constant)
      component = Min(Max(component, -1.0F), 1.0F);
  }
}

Float4 ConstantRegisters::Real(int64_t number) const {
  if (number < 0 || number >= static_cast<int64_t>(floats_.size())) return {};
  return floats_[static_cast<size_t>(number)];
}

std::array<int32_t, 4> ConstantRegisters::Integer(uint32_t number) const {
  return number < integers_.size() ? integers_[number] : std::array<int32_t, 4>{};
}

bool ConstantRegisters::Boolean(uint32_t number) const {
  return number < booleans_.size() && booleans_[number] != 0;
}

}  // namespace dp2trace::raster
