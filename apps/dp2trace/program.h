// The whole program, for main() and for tests that fork it.
#pragma once

#include "arguments.h"

namespace dp2trace::app {

// Adds every verb with its options.
void AddVerbs(Verb& program);

// Takes what main() is given; returns the exit code (README). Never throws.
int RunProgram(int argc, char** argv);

}  // namespace dp2trace::app
