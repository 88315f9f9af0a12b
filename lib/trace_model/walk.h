// How a pass over a trace is made: who opens it, and who hears of each event.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/status.h"
#include "trace_file/source.h"

namespace dp2trace::trace_model {

// Calls the visitor for each event of the source, in order, until it returns false; `label` says what for. Returns the source's status:
// nothing that a failed pass found may be used.
using Visit = std::function<bool(const trace::EventRecord& record)>;
using Walk =
    std::function<Status(trace_file::Source& source, const std::string& label, const Visit& visit)>;
// Opens the input from its beginning (trace_file::OpenAgain).
using Open = std::function<std::unique_ptr<trace_file::Source>()>;

// Calls the visitor, and nothing else.
Status WalkQuietly(trace_file::Source& source, const std::string& label, const Visit& visit);

}  // namespace dp2trace::trace_model
