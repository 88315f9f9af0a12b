// The whole program, for main() and for tests that fork it.
#pragma once

namespace dp2trace::app {

// Takes what main() is given; returns the exit code (README). Never throws.
int RunProgram(int argc, char** argv);

}  // namespace dp2trace::app
