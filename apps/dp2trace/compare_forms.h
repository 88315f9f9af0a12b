// What `compare` says of pictures: for people, and as JSON.
#pragma once

#include <string>
#include <vector>

#include "image/compare_pairs.h"

namespace dp2trace::app {

std::string TextOf(const std::vector<image::PairResult>& results);
std::string JsonOf(const std::vector<image::PairResult>& results);

}  // namespace dp2trace::app
