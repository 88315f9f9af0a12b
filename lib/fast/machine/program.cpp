#include "fast/machine/program.h"

#include <algorithm>
#include <bit>

namespace dp2trace::fast {

Operand Program::AddConstant(float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  const auto found = std::ranges::find_if(constants, [&](const Constant& constant) {
    return std::bit_cast<uint32_t>(constant.lanes[0]) == bits &&
           std::bit_cast<uint32_t>(constant.lanes[1]) == bits;
  });
  const auto number = static_cast<uint32_t>(found - constants.begin());
  if (found == constants.end()) constants.emplace_back().lanes.fill(value);
  return Operand::OfConstant(number);
}

void Program::Add(Op op, uint32_t to, Operand a, Operand b, Operand c, uint32_t data) {
  instructions.push_back(
      {.op = op, .to = static_cast<uint16_t>(to), .a = a, .b = b, .c = c, .data = data});
}

}  // namespace dp2trace::fast
