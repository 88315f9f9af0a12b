#include "validate/command_rules.h"

#include <array>
#include <vector>

#include "validate/dp2/topics.h"
#include "validate/memory.h"
#include "validate/recording.h"

namespace dp2trace::validate {
namespace {

using Check = void (*)(const CommandView& view);

using Table = std::array<std::vector<Check>, 256>;

const Table& ChecksByOperation() {
  static const Table kTable = [] {
    Table table;
    for (const Topic* const topic : kTopics) {
      if (topic->rules == nullptr) continue;
      for (const CommandRule& rule : topic->rules())
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

// Rules about what the token combines. Nothing is checked twice while nothing changes.
void CheckAtDraw(const CommandView& view) {
  Recurring& recurring = view.memory.RecurringOf(*view.command.op);
  if (!BeginsDraw(view) && !view.findings.lists_each()) {
    for (const Recurring::Entry& met : recurring.met())
      view.findings.CountAgain(met.rule, met.cause);
    return;
  }
  recurring.Begin();
  for (const Topic* const topic : kTopics) {
    if (topic->at_draw != nullptr) topic->at_draw(view);
  }
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
  for (const Topic* const topic : kTopics) {
    if (topic->drawn != nullptr) topic->drawn(*view_, draw);
  }
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
