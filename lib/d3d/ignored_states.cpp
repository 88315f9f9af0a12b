#include "d3d/ignored_states.h"

#include <algorithm>
#include <iterator>
#include <type_traits>

namespace dp2trace::d3d {
namespace {

constexpr IgnoredState kRows[] = {
#define DP2TRACE_IGNORED_STATE(table, Enumerator, drawn_as, why) \
  {Value(table::Enumerator), std::is_same_v<table, RenderState>, drawn_as, why},
#include "d3d/ignored_states.def"
#undef DP2TRACE_IGNORED_STATE
};

}  // namespace

const IgnoredState* FindIgnoredState(const StateInfo& info) {
  const bool is_render = info.state_class == StateClass::kRender;
  const auto* const row = std::ranges::find_if(kRows, [&](const IgnoredState& ignored) {
    return ignored.code == info.code && ignored.is_render == is_render;
  });
  return row == std::end(kRows) ? nullptr : row;
}

const IgnoredState* FindIgnoredValue(const StateInfo& info, uint32_t value) {
  const IgnoredState* const row = FindIgnoredState(info);
  if (row == nullptr || row->drawn_as == kDrawsAlike) return row;
  const bool is_same =
      info.type == ValueType::kBool ? (value != 0) == (row->drawn_as != 0) : value == row->drawn_as;
  return is_same ? nullptr : row;
}

}  // namespace dp2trace::d3d
