#include "fast/machine/liveness.h"

namespace dp2trace::fast {

std::vector<bool> TargetsOf(const Program& program) {
  std::vector<bool> is_target(program.instructions.size() + 1);
  for (const Instruction& i : program.instructions) {
    if (IsJump(i.op)) is_target[i.data] = true;
  }
  return is_target;
}

Liveness::Liveness(const Program& program, std::span<const Operand> results)
    : program_(program), at_end_(program.register_count) {
  for (const Operand result : results) {
    if (!result.is_constant()) at_end_[result.number()] = true;
  }
  for (const Instruction& i : program.instructions) {
    if (IsJump(i.op)) at_target_.try_emplace(i.data, program.register_count);
  }
  at_target_.insert_or_assign(static_cast<uint32_t>(program.instructions.size()), at_end_);
  while (Walk([](uint32_t, const std::vector<bool>&) { return true; })) {
  }
}

void Liveness::Join(const std::vector<bool>& from, std::vector<bool>& to) {
  for (size_t i = 0; i < to.size(); ++i)
    to[i] = to[i] || from[i];
}

}  // namespace dp2trace::fast
