// What verbs may do that read what anybody may have made: --sandbox, --max-output.
#pragma once

#include <string>
#include <vector>

#include "arguments.h"

namespace dp2trace::app {

// Both options; the second one counts from Confine() on.
void AddSandboxOption(Verb& command, bool& is_sandboxed);

// What a verb reads and writes from here on. Empty paths and "-" are none.
struct Confinement {
  std::vector<std::string> traces = {};  // of JSON ones, side files, too; - has some as well
  std::vector<std::string> inputs = {};  // other files and folders
  // Folders that are filled; where one is not there yet, what is above it.
  std::vector<std::string> folders = {};
  // Files, and folders that are written as a whole, under another name first. Where one is a link, beside what it leads to.
  std::vector<std::string> files = {};
  // A folder that ends with the program.
  std::string temporary = {};
  // What is read grows meanwhile: its size says nothing.
  bool is_growing = false;
  // Of sockets that listen already.
  bool accepts_connections = false;
};
// Bounds the output. Enters the sandbox, before other threads are started, unless it is off.
void Confine(bool is_sandboxed, const Confinement& confinement);

}  // namespace dp2trace::app
