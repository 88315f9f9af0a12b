#include "validate/command_rules.h"

#include <array>
#include <vector>

#include "validate/dp2/call.h"
#include "validate/dp2/caps.h"
#include "validate/dp2/caps_token.h"
#include "validate/dp2/constant.h"
#include "validate/dp2/copy.h"
#include "validate/dp2/declaration.h"
#include "validate/dp2/legacy_draw.h"
#include "validate/dp2/level.h"
#include "validate/dp2/light.h"
#include "validate/dp2/patch.h"
#include "validate/dp2/query.h"
#include "validate/dp2/render_state.h"
#include "validate/dp2/state_block.h"
#include "validate/dp2/stream_binding.h"
#include "validate/dp2/stream_draw.h"
#include "validate/dp2/surface.h"
#include "validate/dp2/target.h"
#include "validate/dp2/texture_stage.h"
#include "validate/dp2/transform.h"
#include "validate/dp2/vertex.h"
#include "validate/memory.h"
#include "validate/recording.h"

namespace dp2trace::validate {
namespace {

using Check = void (*)(const CommandView& view);

constexpr std::span<const CommandRule> (*kTopics[])() = {
    CallRules,       LevelRules,       LegacyDrawRules, VertexRules,      StreamBindingRules,
    StreamDrawRules, DeclarationRules, ConstantRules,   RenderStateRules, TextureStageRules,
    TransformRules,  LightRules,       StateBlockRules, SurfaceRules,     TargetRules,
    CopyRules,       PatchRules,       QueryRules,      CapsRules,
};
constexpr Check kAtDraw[] = {
    CheckBindingsAtDraw,    CheckLegacyDrawAtDraw, CheckVertexAtDraw,      CheckStreamDrawAtDraw,
    CheckDeclarationAtDraw, CheckConstantAtDraw,   CheckRenderStateAtDraw, CheckTextureStageAtDraw,
    CheckTransformAtDraw,   CheckLightAtDraw,      CheckTargetAtDraw,      CheckCapsAtDraw,
};
constexpr void (*kDrawn[])(const CommandView& view, const device::Draw& draw) = {
    CheckDrawnLegacyDraw,
    CheckDrawnVertex,
    CheckDrawnStreamDraw,
    CheckDrawnCaps,
};

using Table = std::array<std::vector<Check>, 256>;

const Table& ChecksByOperation() {
  static const Table kTable = [] {
    Table table;
    for (const auto topic : kTopics) {
      for (const CommandRule& rule : topic())
        table[static_cast<size_t>(rule.op)].push_back(rule.check);
    }
    return table;
  }();
  return kTable;
}

// False where the draw before was of the same kind, and nothing has changed since.
bool BeginsDraw(const CommandView& view) {
  ContextMemory& memory = view.memory;
  if (!memory.has_changed && memory.last_draw == view.command.op) return false;
  memory.has_changed = false;
  memory.last_draw = view.command.op;
  return true;
}

// Rules that weigh what the token combines. Nothing is weighed twice while nothing changes.
void CheckAtDraw(const CommandView& view) {
  Recurring& recurring = view.memory.RecurringOf(*view.command.op);
  if (!BeginsDraw(view) && !view.findings.lists_each()) {
    for (const Recurring::Entry& met : recurring.met())
      view.findings.CountAgain(met.rule, met.cause);
    return;
  }
  recurring.Begin();
  for (const Check check : kAtDraw)
    check(view);
  view.trace.shader_links.Check(view.context, view.command, view.findings);
  recurring.End();
}

}  // namespace

void CheckCommand(const CommandView& view) {
  // The device reports an operation that its driver does not know, and skips it.
  if (device::FindLevelDefect(*view.command.op, view.level(), view.header().d3d9ex)) return;
  for (const Check check : ChecksByOperation()[static_cast<size_t>(view.command.op->op)])
    check(view);
  if (view.command.op->is(opcode::kDraw)) {
    if (view.is_recording()) return;
    CheckAtDraw(view);
  } else {
    view.memory.has_changed = true;
  }
}

void DrawnRules::OnDraw(const device::Draw& draw) {
  for (const auto check : kDrawn)
    check(*view_, draw);
  recording_->OnDraw(*view_, draw);
  if (sink_ != nullptr) sink_->OnDraw(draw);
}

void DrawnRules::OnPatch(const device::PatchDraw& patch) {
  if (sink_ != nullptr) sink_->OnPatch(patch);
}

void DrawnRules::OnClear(const device::ClearDraw& clear) {
  recording_->OnClear(*view_, clear);
  if (sink_ != nullptr) sink_->OnClear(clear);
}

}  // namespace dp2trace::validate
