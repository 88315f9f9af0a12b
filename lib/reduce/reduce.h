// From a trace in a file to the smallest one that still does what it does: the frame that matters first, then all that is in it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "reduce/goal.h"
#include "reduce/reducer.h"
#include "trim/trim.h"

namespace dp2trace::reduce {

// Events of a trace by their numbers, the first and the last.
struct EventSpan {
  uint64_t first = 0, last = 0;
};

struct Start {
  std::optional<trace_model::Model> model;  // nothing: the goal holds for none
  std::string why_not;
};
// The model that a search starts from: the frame that matters as a trace of its own, or everything up to its end, or the whole trace,
// whichever is the first for which the goal holds. `presents`: those of the trace. `part` takes the place of the frame: the search ends with it.
// Fails (TRACE-010) where it takes more than `max_bytes`.
Result<Start> FindStart(const trace_model::Open& open, const Goal& goal, uint64_t presents,
                        const trace_model::RenderOptions& options, uint64_t max_bytes,
                        const trace_model::Walk& walk, const std::optional<EventSpan>& part = {});

// Writes a model as a trace, whole or not at all; the name says the form.
Status WriteModel(const trace_model::Model& model, const std::string& output);

}  // namespace dp2trace::reduce
