// The results of `compare` as text and as JSON.
#pragma once

#include <string>
#include <vector>

#include "compare_options.h"
#include "image/compare_pairs.h"

namespace dp2trace::app {

// Of several pictures those that are not equal, and how many there are of each kind.
std::string TextOf(const CompareVerb& options, const std::vector<image::PairResult>& results);
std::string JsonOf(const std::vector<image::PairResult>& results);

}  // namespace dp2trace::app
