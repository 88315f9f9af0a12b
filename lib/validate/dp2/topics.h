// The topics of rules about tokens, a row each. The file of a topic has the same name.
// Source: lib/opcode/dp2.md 25.
#pragma once

#include <span>

#include "device/draw.h"
#include "validate/command_rules.h"

namespace dp2trace::validate {

// What a topic checks, and when; null: nothing.
struct Topic {
  // Tokens, by operation, before they are applied.
  std::span<const CommandRule> (*rules)() = nullptr;
  // The states and objects that a draw, patch or clear combines.
  void (*at_draw)(const CommandView& view) = nullptr;
  // What a token draws, with its data found and inside its buffers.
  void (*drawn)(const CommandView& view, const device::Draw& draw) = nullptr;
};

extern const Topic kBindingTopic;
extern const Topic kCallTopic;
extern const Topic kLevelTopic;
extern const Topic kLegacyDrawTopic;
extern const Topic kVertexTopic;
extern const Topic kStreamBindingTopic;
extern const Topic kStreamDrawTopic;
extern const Topic kDeclarationTopic;
extern const Topic kConstantTopic;
extern const Topic kRenderStateTopic;
extern const Topic kTextureStageTopic;
extern const Topic kTransformTopic;
extern const Topic kLightTopic;
extern const Topic kStateBlockTopic;
extern const Topic kSurfaceTopic;
extern const Topic kTargetTopic;
extern const Topic kCopyTopic;
extern const Topic kPatchTopic;
extern const Topic kQueryTopic;
extern const Topic kCapsTopic;

// In the order in which they report.
inline constexpr const Topic* kTopics[] = {
    &kBindingTopic,  &kCallTopic,          &kLevelTopic,        &kLegacyDrawTopic,
    &kVertexTopic,   &kStreamBindingTopic, &kStreamDrawTopic,   &kDeclarationTopic,
    &kConstantTopic, &kRenderStateTopic,   &kTextureStageTopic, &kTransformTopic,
    &kLightTopic,    &kStateBlockTopic,    &kSurfaceTopic,      &kTargetTopic,
    &kCopyTopic,     &kPatchTopic,         &kQueryTopic,        &kCapsTopic};

}  // namespace dp2trace::validate
