// The part of dp2trace_capture.h that follows from the table of events: structures, functions, and how their members are written.
#pragma once

#include <string>

namespace dp2trace::testing {

// Structures, initialisers and functions, in C89.
std::string EventDeclarations();
// The tables after them and the definitions of the functions.
std::string EventDefinitions();

}  // namespace dp2trace::testing
