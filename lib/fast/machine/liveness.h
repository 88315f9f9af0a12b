// Which registers of a program are read later.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "fast/machine/operands.h"
#include "fast/machine/program.h"

namespace dp2trace::fast {

inline bool IsJump(Op op) {
  return op == Op::kJump || op == Op::kJumpIfNone;
}

// By instruction, and one after the last: a jump leads to it.
std::vector<bool> TargetsOf(const Program& program);

// Goes through a program from its end. `results`: what is read after the program.
class Liveness {
 public:
  Liveness(const Program& program, std::span<const Operand> results);

  // Calls visit(instruction, live) from the last instruction to the first. live[r]: the value of register r is read after it. Where it returns
  // false the instruction is taken for one that is not there.
  template <class Visit>
  void ForEach(const Visit& visit) {
    Walk(visit);
  }

 private:
  // True where something new is live at a target.
  template <class Visit>
  bool Walk(const Visit& visit) {
    bool is_new = false;
    std::vector<bool> live = at_end_;
    for (auto number = static_cast<uint32_t>(program_.instructions.size()); number-- > 0;) {
      if (!visit(number, live)) continue;
      const Instruction& i = program_.instructions[number];
      if (i.op == Op::kJump) live = at_target_.at(i.data);
      if (i.op == Op::kJumpIfNone) Join(at_target_.at(i.data), live);
      ForEachWrite(i, [&](uint32_t to) { live[to] = false; });
      ForEachRead(i, [&](Operand read) {
        if (!read.is_constant()) live[read.number()] = true;
      });
      const auto target = at_target_.find(number);
      if (target != at_target_.end() && target->second != live) {
        target->second = live;
        is_new = true;
      }
    }
    return is_new;
  }
  static void Join(const std::vector<bool>& from, std::vector<bool>& to);

  const Program& program_;
  std::vector<bool> at_end_;
  std::map<uint32_t, std::vector<bool>> at_target_;  // by instruction
};

}  // namespace dp2trace::fast
