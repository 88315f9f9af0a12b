// The options of `inspect`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "inspect/histories.h"
#include "inspect/inspector.h"
#include "options.h"
#include "rule_options.h"

namespace dp2trace::app {

// Without --frames a page has so many from the start: no trace is too long for it.
inline constexpr uint64_t kFirstFrames = 3;

struct InspectOptions {
  std::string trace;
  std::string output;
  bool is_forced = false;
  bool json = false;
  bool is_sandboxed = true;
  uint64_t max_memory = kDefaultMaxMemory;
  RuleOptions rules;
  inspect::Options inspect;
  std::vector<inspect::HistoryPixel> pixels;
  const Argument* frames = nullptr;  // --frames
  const Argument* draws = nullptr;   // --draws
  bool is_live = false;              // one file that shows any frame by itself
  std::string engine;                // of such a page
  std::vector<std::string> examples;
};

void AddInspectOptions(Verb& command, InspectOptions& options);
// What is asked for and not there: a line about it.
std::string FindAbsent(const InspectOptions& options, const inspect::Inspector& inspector);

}  // namespace dp2trace::app
