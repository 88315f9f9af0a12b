// What `compare` is asked for.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "image/compare_pairs.h"

namespace dp2trace::app {

struct CompareVerb {
  std::string expected;
  std::string actual;
  std::string output;  // file, or folder for folders; empty: no heat maps
  image::PairOptions pairs;
  bool are_folders = false;
  bool json = false;
};

// --tolerance, --ignore-alpha, --region: of every verb that compares with pictures of drivers.
void AddLooseOptions(CLI::App& command, image::LooseOptions& options);
void AddCompareOptions(CLI::App& command, CompareVerb& options);

}  // namespace dp2trace::app
