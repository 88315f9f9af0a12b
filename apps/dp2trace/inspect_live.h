// `inspect --live`: the page that can show any frame by itself, as one file.
#pragma once

#include <string>
#include <vector>

#include "exit_code.h"

namespace dp2trace::app {

struct LiveVerb {
  std::string trace;                  // empty: the page waits for one
  std::string engine;                 // empty: beside the program, or where it is installed
  std::vector<std::string> examples;  // that the page offers
  std::string output;                 // - is standard output
  bool is_sandboxed = true;
};

ExitCode WriteLivePage(const LiveVerb& options);

}  // namespace dp2trace::app
