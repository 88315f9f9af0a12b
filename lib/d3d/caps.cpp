#include "d3d/caps.h"

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace dp2trace::d3d {
namespace {

constexpr CapInfo kCaps[] = {
#define DP2TRACE_CAP(Enumerator, name, type, spelling, rules, why_not) \
  {Cap::Enumerator, name, CapType::type, spelling, rules, why_not},
#include "d3d/caps.def"
#undef DP2TRACE_CAP
};

static_assert(std::size(kCaps) * 4 == 304, "D3DCAPS9 has 304 bytes");

constexpr bool NamesAreUnique() {
  for (size_t i = 0; i < std::size(kCaps); ++i) {
    for (size_t j = i + 1; j < std::size(kCaps); ++j) {
      if (kCaps[i].name == kCaps[j].name) return false;
    }
  }
  return true;
}
static_assert(NamesAreUnique());

// A member has rules that read it, or a reason why none does.
static_assert(std::ranges::all_of(kCaps, [](const CapInfo& row) {
  return row.rules.empty() != row.why_not.empty();
}));

}  // namespace

std::string_view Name(CapType type) {
  switch (type) {
    case CapType::kU32:
      return "u32";
    case CapType::kI32:
      return "i32";
    case CapType::kF32:
      return "f32";
    case CapType::kHex:
      return "hex";
  }
  return "";
}

const CapInfo& Info(Cap cap) {
  return kCaps[static_cast<size_t>(cap)];
}

const CapInfo* FindCap(std::string_view name) {
  const auto* row = std::ranges::find(kCaps, name, &CapInfo::name);
  return row == std::end(kCaps) ? nullptr : row;
}

std::span<const CapInfo> AllCaps() {
  return kCaps;
}

}  // namespace dp2trace::d3d
