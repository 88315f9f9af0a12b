#include "fast/pixel/unused_code.h"

#include <algorithm>

namespace dp2trace::fast {
namespace {

// Registers that an operand names, from its number on.
constexpr uint32_t kCoordinates = 3;
constexpr uint32_t kColors = 4;

class Liveness {
 public:
  explicit Liveness(uint32_t register_count) : live_(register_count, false) {}

  bool IsLive(uint32_t first, uint32_t count) const {
    return std::any_of(live_.begin() + first, live_.begin() + first + count,
                       [](bool is_live) { return is_live; });
  }
  void Set(uint32_t first, uint32_t count, bool is_live) {
    std::fill_n(live_.begin() + first, count, is_live);
  }
  void Read(const Operand& operand, uint32_t count = 1) {
    if (!operand.is_constant() && operand.number() + count <= live_.size())
      Set(operand.number(), count, true);
  }

 private:
  std::vector<bool> live_;
};

}  // namespace

void RemoveUnused(bool needs_alpha, PixelCode& code) {
  Liveness live(code.program.register_count);
  for (size_t i = 0; i < 3; ++i)
    live.Read(code.colors[0][i]);
  if (needs_alpha) {
    live.Read(code.colors[0][3]);
  } else {
    code.colors[0][3] = code.program.AddConstant(1.0F);
  }
  std::vector<Instruction> kept;
  for (auto i = code.program.instructions.rbegin(); i != code.program.instructions.rend(); ++i) {
    const bool is_sample = i->op == Op::kSample;
    const uint32_t count = is_sample ? kColors : 1;
    if (!live.IsLive(i->to, count) && !(is_sample && code.may_kill)) continue;
    kept.push_back(*i);
    live.Set(i->to, count, false);
    if (is_sample) {
      live.Read(i->a, kCoordinates);
      continue;
    }
    live.Read(i->a);
    live.Read(i->b);
    live.Read(i->c);
  }
  code.program.instructions.assign(kept.rbegin(), kept.rend());
  std::erase_if(code.inputs, [&](const PixelInput& input) { return !live.IsLive(input.to, 1); });
}

}  // namespace dp2trace::fast
