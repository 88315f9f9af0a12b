// A part of a trace as a trace of its own: both passes.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "edit/survey.h"
#include "edit/trimmer.h"
#include "trace_file/source.h"

namespace dp2trace::edit {

// Calls the visitor for each event of the source, in order, until it returns false; `label` says what for. Returns the source's status:
// nothing that a failed pass found may be used.
using Visit = std::function<bool(const trace::EventRecord& record)>;
using Walk =
    std::function<Status(trace_file::Source& source, const std::string& label, const Visit& visit)>;
// Opens the input from its beginning (trace_file::OpenAgain).
using Open = std::function<std::unique_ptr<trace_file::Source>()>;

// Calls the visitor, and nothing else.
Status WalkQuietly(trace_file::Source& source, const std::string& label, const Visit& visit);

// The first pass, to the end of the trace: all that is wrong with the file is found then.
Result<Part> FindPart(trace_file::Source& source, const Choice& choice, const WorkBounds& bounds,
                      const Walk& walk);

// The others: writes the part to `output`, whose name says the form and which appears whole or not at all. Where no snapshot can say what
// was there before, the part gets the gap, and everything before it is written too. Null sources are failures to open.
Status WritePart(const Open& open, Part& part, const RenderOptions& options,
                 const std::string& output, const Walk& walk);

}  // namespace dp2trace::edit
