// A part of a trace as a trace of its own: both passes.
#pragma once

#include <string>

#include "trace_file/source.h"
#include "trace_model/walk.h"
#include "trim/survey.h"
#include "trim/trimmer.h"

namespace dp2trace::trim {

// The first pass, to the end of the trace: all that is wrong with the file is found then.
Result<Part> FindPart(trace_file::Source& source, const Choice& choice,
                      const trace_model::WorkBounds& bounds, const trace_model::Walk& walk);

// The others: writes the part to `output`, whose name says the form and which appears whole or not at all. Where no snapshot can say what
// was there before, the part gets the gap, and everything before it is written too. Null sources are failures to open.
Status WritePart(const trace_model::Open& open, Part& part,
                 const trace_model::RenderOptions& options, const std::string& output,
                 const trace_model::Walk& walk);

}  // namespace dp2trace::trim
