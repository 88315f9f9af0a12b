// Makes other traces of traces, by a seed: more frames from the calls that are there, then a few wrong or odd numbers, calls and tokens.
#pragma once

#include <cstdint>
#include <string>

#include "support/random.h"
#include "trace_model/model.h"

namespace dp2trace::testing {

// False where the file is not a whole trace, or a large one.
bool LoadModel(const std::string& path, trace_model::Model& model);

// Puts frames after the last event that draws or shows, of copies of such events.
void AddFrames(trace_model::Model& model, Random& random);
// Changes, drops, copies or moves an event or a token.
void Mutate(trace_model::Model& model, Random& random);

// The same trace in other words; false where there is nothing that could be said so.
// One DP2 call becomes two.
bool SplitCall(trace_model::Model& model, Random& random);
// States that are set are set once more.
bool RepeatStates(trace_model::Model& model, Random& random);

// False where it cannot be written.
bool WriteTrace(const trace_model::Model& model, const std::string& path);

}  // namespace dp2trace::testing
