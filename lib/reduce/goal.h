// The behaviour that a smaller trace must keep.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/status.h"
#include "base/work_budget.h"
#include "trace_model/model.h"
#include "trace_model/render_options.h"
#include "trim/trim.h"

namespace dp2trace::reduce {

// Asked by several threads at once.
class Goal {
 public:
  virtual ~Goal() = default;
  // The model still does it; findings are not looked at. False, too, once the work is spent.
  virtual bool Holds(const trace_model::Model& model, WorkBudget& work) const = 0;
  // Why it does not hold for the model: "pixel (3, 1) is 0000ff, expected ff0000".
  virtual std::string WhyNot(const trace_model::Model& /*model*/, WorkBudget& /*work*/) const {
    return "the trace does not do it";
  }
  // The frame that the user names; nothing: none.
  virtual std::optional<uint64_t> asked_frame() const { return std::nullopt; }
  // The frame of the input that matters; nothing: the last one.
  virtual Result<std::optional<uint64_t>> FindFrame(trace_file::Source& /*source*/,
                                                    const trace_model::Walk& /*walk*/) const {
    return asked_frame();
  }
};

// Which picture a goal looks at: the last one of its kind.
enum class GoalPicture : uint8_t { kFrame, kRead };

// finding=RULE | pixel=X,Y,#rrggbb[@FRAME] | differs-from=PICTURE | run=COMMAND. Fails (IO-001, TRACE-001) where a picture cannot be read or
// the text is none of these. Pictures are those of the last frame, or of frame FRAME of the input, or of the last read by the CPU.
Result<std::unique_ptr<Goal>> MakeGoal(const std::string& text,
                                       const trace_model::RenderOptions& options,
                                       GoalPicture shown = GoalPicture::kFrame);

}  // namespace dp2trace::reduce
