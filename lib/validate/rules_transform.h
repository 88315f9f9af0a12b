// Rules about transforms, viewport, planes: DP2-XFORM-*, DP2-VIEW-*.
// Source: DP2 specification, 9, 20.1, 25.
#pragma once

#include <span>

#include "validate/command_rules.h"

namespace dp2trace::validate {

// What these rules remember of a context.
struct TransformMemory {};

std::span<const CommandRule> TransformRules();
// The states and objects that a draw, patch or clear combines.
void CheckTransformAtDraw(const CommandView& view);

}  // namespace dp2trace::validate
