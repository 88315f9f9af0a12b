#include "d3d/caps.h"

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace dp2trace::d3d {
namespace {

constexpr CapInfo kCaps[] = {
#define DP2TRACE_CAP(Enumerator, name, type, spelling) \
  {Cap::Enumerator, name, CapType::type, spelling},
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

}  // namespace

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
