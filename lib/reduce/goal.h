// What a smaller trace must still do.
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
  // The frame of the input that matters; nothing: the last one.
  virtual Result<std::optional<uint64_t>> FindFrame(trace_file::Source& /*source*/,
                                                    const trace_model::Walk& /*walk*/) const {
    return std::optional<uint64_t>();
  }
};

// Which picture a goal looks at: the last one of its kind.
enum class GoalPicture : uint8_t { kFrame, kRead };

// finding=RULE | pixel=X,Y,RRGGBB[@FRAME] | differs-from=PICTURE | run=COMMAND. Fails (IO-001, TRACE-001) where a picture cannot be read or
// the text is none of these. Pictures are those of the last frame, or of frame FRAME of the input, or of the last read by the CPU.
Result<std::unique_ptr<Goal>> MakeGoal(const std::string& text,
                                       const trace_model::RenderOptions& options,
                                       GoalPicture shown = GoalPicture::kFrame);

}  // namespace dp2trace::reduce
