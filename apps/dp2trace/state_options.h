// What `state` is asked for.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "exit_code.h"
#include "options.h"
#include "state/draw_finder.h"

namespace dp2trace::app {

struct StateOptions {
  std::string trace;
  std::vector<std::string> draw_words;  // "12", "last": one or two
  std::vector<uint64_t> draws;          // the same as numbers
  std::string textures;                 // folder; empty: none
  std::string mesh;                     // file; empty: none
  bool is_forced = false;
  bool lists_all = false;  // also what nobody ever set
  bool json = false;
  uint64_t max_memory = kDefaultMaxMemory;
  bool is_sandboxed = true;
  state::FinderOptions finder;
};

void AddStateOptions(Verb& command, StateOptions& options);
// Makes numbers of the words, and says what the finder has to do. kOk, or the code to end with after a message.
ExitCode PrepareState(StateOptions& options);

}  // namespace dp2trace::app
