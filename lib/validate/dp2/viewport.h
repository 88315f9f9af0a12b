// Rules about viewport, ranges, clip planes and scissor rectangle: DP2-VIEW-*. Rows of TransformRules().
// Source: lib/opcode/dp2.md 9.2, 9.3, 20.1 and 25.
#pragma once

#include "validate/command_view.h"

namespace dp2trace::validate {

void CheckZRange(const CommandView& view);
void CheckWInfo(const CommandView& view);
void CheckClipPlane(const CommandView& view);
void CheckViewportAtDraw(const CommandView& view);

}  // namespace dp2trace::validate
