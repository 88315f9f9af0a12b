// The number of primitives of a draw: DP2-DRAW-020.
// Source: lib/opcode/dp2.md 25.
#pragma once

#include <fmt/format.h>

#include <cstdint>

#include "base/plain_text.h"
#include "validate/command_view.h"

namespace dp2trace::validate {

// `place` is what CommandView::Report() takes to say where the count stands.
template <class... Place>
void CheckPrimitiveCount(const CommandView& view, uint32_t count, const Place&... place) {
  const uint32_t most = view.caps.Find(d3d::Cap::MaxPrimitiveCount).value_or(0);
  if (most == 0 || count <= most) return;
  view.Report(Rule::kDp2Draw020, place...,
              fmt::format("{}, the device draws at most {}", Counted(count, "primitive"), most),
              fmt::format("{}", count), fmt::format("at most {}", most));
}

}  // namespace dp2trace::validate
