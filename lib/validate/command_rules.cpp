#include "validate/command_rules.h"

#include <array>
#include <vector>

#include "validate/dp2/call.h"
#include "validate/dp2/caps.h"
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

namespace dp2trace::validate {
namespace {

using Check = void (*)(const CommandView& view);

constexpr std::span<const CommandRule> (*kTopics[])() = {
    CallRules,       LevelRules,       LegacyDrawRules, VertexRules,      StreamBindingRules,
    StreamDrawRules, DeclarationRules, ConstantRules,   RenderStateRules, TextureStageRules,
    TransformRules,  LightRules,       StateBlockRules, SurfaceRules,     TargetRules,
    CopyRules,       PatchRules,       QueryRules,
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
};

// Topics whose rules remember the tokens that they see beyond what they tell. What they say here nobody hears.
constexpr std::span<const CommandRule> (*kRemembering[])() = {
    TransformRules,
    StateBlockRules,
    TargetRules,
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

void RememberDraw(const CommandView& view) {
  if (view.is_recording() || !BeginsDraw(view)) return;
  RememberDrawOfRenderStates(view);
  RememberDrawOfTransforms(view);
}

// By operation; null for most.
const std::array<Check, 256>& Remembering() {
  static const std::array<Check, 256> kTable = [] {
    std::array<Check, 256> table = {};
    for (const auto topic : kRemembering) {
      for (const CommandRule& rule : topic())
        table[static_cast<size_t>(rule.op)] = rule.check;
    }
    table[static_cast<size_t>(opcode::Op::kRenderState)] = RememberRenderState;
    table[static_cast<size_t>(opcode::Op::kSetTransform)] = RememberSetTransform;
    for (const opcode::OpInfo& op : opcode::AllOps()) {
      if (op.is(opcode::kDraw)) table[static_cast<size_t>(op.op)] = RememberDraw;
    }
    return table;
  }();
  return kTable;
}

// Rules that weigh what the token combines. Nothing is weighed twice while nothing changes.
void CheckAtDraw(const CommandView& view) {
  if (!BeginsDraw(view)) return;
  Recurring& recurring = view.memory.RecurringOf(*view.command.op);
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

void RememberCommand(const CommandView& view) {
  const Check remember = Remembering()[view.command.bytes[0]];
  if (remember != RememberDraw) view.memory.has_changed = true;
  if (remember == nullptr ||
      device::FindLevelDefect(*view.command.op, view.level(), view.header().d3d9ex))
    return;
  remember(view);
}

void RememberPlain(const device::PlainRun& run, const device::State& state, ContextMemory& memory) {
  if (run.tokens == 0) return;
  memory.has_changed = true;
  if (run.sets_transforms) RememberTransforms(run, state, memory.transform);
}

void DrawnRules::OnDraw(const device::Draw& draw) {
  for (const auto check : kDrawn)
    check(*view_, draw);
  if (sink_ != nullptr) sink_->OnDraw(draw);
}

void DrawnRules::OnPatch(const device::PatchDraw& patch) {
  if (sink_ != nullptr) sink_->OnPatch(patch);
}

void DrawnRules::OnClear(const device::ClearDraw& clear) {
  if (sink_ != nullptr) sink_->OnClear(clear);
}

}  // namespace dp2trace::validate
