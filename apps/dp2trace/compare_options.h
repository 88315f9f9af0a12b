// What `compare` is asked for.
#pragma once

#include <string>

#include "arguments.h"
#include "compare/compare_pairs.h"

namespace dp2trace::app {

struct CompareOptions {
  std::string expected;
  std::string actual;
  std::string output;  // file, or folder for folders; empty: no heat maps
  bool is_forced = false;
  compare::PairOptions pairs;
  bool are_folders = false;
  bool json = false;
  bool is_sandboxed = true;
};

// --ignore-edges N
Argument& AddIgnoreEdges(Verb& command, uint8_t& edge_pixels);
// --max-pixels N
Argument& AddMaxPixels(Verb& command, uint64_t& max_pixels);
// --tolerance, --ignore-edges, --ignore-alpha, --region: of every verb that compares with pictures of drivers.
void AddLooseOptions(Verb& command, image::LooseOptions& options);
void AddCompareOptions(Verb& command, CompareOptions& options);

}  // namespace dp2trace::app
