// --sandbox of the verbs that draw a trace of anybody's making.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace dp2trace::app {

void AddSandboxOption(CLI::App& command, bool& is_sandboxed);

// What a verb reads and writes from here on.
struct Confinement {
  std::vector<std::string> traces;  // of JSON ones, side files, too; - is none
  std::vector<std::string>
      folders;                     // that are filled; where one is not there yet, what is above it
  std::vector<std::string> files;  // that are written, under another name first; may be empty
};
// Enters the sandbox, before other threads are started. Does nothing where it is off.
void Confine(bool is_sandboxed, const Confinement& confinement);

}  // namespace dp2trace::app
