// The part of a trace that was chosen, as a trace of its own.
#pragma once

#include "exit_code.h"
#include "trim/part.h"
#include "trim_options.h"

namespace dp2trace::app {

// Writes the part to options.output, after Confine(). Prints why it cannot be written; the part is not found then.
ExitCode WriteChosenPart(TrimOptions options, trim::Part& part);

// Prints what the numbers of the input are in the output.
void DescribePart(const trim::Part& part);

}  // namespace dp2trace::app
