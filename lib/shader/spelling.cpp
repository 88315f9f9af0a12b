#include "shader/spelling.h"

#include <fmt/format.h>

#include "base/words.h"
#include "d3d/enums.h"

namespace dp2trace::shader {

std::string ShiftSuffix(int shift) {
  if (shift > 0) return fmt::format("_x{}", 1 << shift);
  if (shift < 0) return fmt::format("_d{}", 1 << -shift);
  return {};
}

std::string_view ControlSuffix(Version version, Op op, uint8_t control) {
  constexpr std::array<std::string_view, 8> kComparisons = {"",    "_gt", "_eq", "_ge",
                                                            "_lt", "_ne", "_le", ""};
  switch (op) {
    case Op::IfC:
    case Op::BreakC:
    case Op::SetP:
      return kComparisons[control & 7];
    case Op::BreakP:
      return "p";
    case Op::Tex:
      if (version.major < 2) return {};
      return control == kTexProject ? "p" : control == kTexBias ? "b" : "";
    default:
      return {};
  }
}

std::string UsageName(uint32_t usage, uint32_t index) {
  std::string text = InLowerCase(NameOf(d3d::kDeclUsageNames, usage));
  if (text.empty()) text = fmt::format("usage{}_", usage);
  if (index != 0) text += fmt::format("{}", index);
  return text;
}

bool HasUsage(Version version, RegisterType type) {
  return type != RegisterType::kSampler && type != RegisterType::kMisc &&
         (!version.is_pixel || version.major >= 3);
}

}  // namespace dp2trace::shader
