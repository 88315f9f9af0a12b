// What a smaller trace must still do.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "base/rule.h"
#include "base/status.h"
#include "base/work_budget.h"
#include "edit/model.h"
#include "edit/render_options.h"
#include "edit/trim.h"
#include "validate/rule_set.h"

namespace dp2trace::edit {

// Asked by several threads at once.
class Goal {
 public:
  virtual ~Goal() = default;
  // The model still does it; findings are not looked at. False, too, once the work is spent.
  virtual bool Holds(const Model& model, WorkBudget& work) const = 0;
  // The frame of the input that matters; nothing: the last one.
  virtual Result<std::optional<uint64_t>> FindFrame(trace_file::Source& /*source*/,
                                                    const Walk& /*walk*/) const {
    return std::optional<uint64_t>();
  }
};

// finding=RULE | pixel=X,Y,RRGGBB[@FRAME] | differs-from=PICTURE | run=COMMAND. Fails (IO-001, TRACE-001) where a picture cannot be read or
// the text is none of these. Pictures are those of the last frame, or of frame FRAME of the input.
Result<std::unique_ptr<Goal>> MakeGoal(const std::string& text, const RenderOptions& options);

// The rules that a trace breaks, of those that the preset has: errors and warnings. Up to where it cannot be run any further, or the work
// is spent.
std::set<Rule> FindBroken(const Model& model, WorkBudget& work,
                          validate::Preset preset = validate::Preset::kRecommended);
// With as much work as a small file may take.
std::set<Rule> FindBroken(const Model& model,
                          validate::Preset preset = validate::Preset::kRecommended);

}  // namespace dp2trace::edit
