// One trace on several threads, with the findings of one thread.
//
// Every thread has a device of its own and takes it through the whole trace, part by part. A part is weighed by the first thread that comes
// to it; the others pass over it, which costs a fraction: draws are skipped, states are set. All that the rules remember follows from the
// tokens, but for what has been told (replay::News). Who weighs a part supposes that the parts before it, which others still weigh, tell
// nothing new. Where that proves wrong, what was found is thrown away, and the thread that comes from there weighs the part again.
#pragma once

#include "lint/lint_run.h"
#include "trace_file/source.h"

namespace dp2trace::lint {

// Checks a container with as many threads as the job says, or one where it is small. `reading`: the findings of the source so far. False
// where the trace takes more work than it may: the result is not whole, and one thread has to find out where.
bool LintSplit(trace_file::Source& source, DiagnosticList& reading, const LintJob& job,
               LintResult& result);

}  // namespace dp2trace::lint
