// Draws a JSON trace with the reference and with the fast renderer.
#pragma once

#include <cstdint>
#include <string>

namespace dp2trace::testing {

// What differs between the reference and the fast renderer with one and three threads: a picture, a finding, a count. Empty: nothing.
// `pictures` counts what was compared; `error` says what is wrong with the text itself.
struct Comparison {
  std::string difference;
  std::string error;
  uint64_t pictures = 0;
  uint64_t pixels = 0;
};
Comparison CompareRenderers(const std::string& json);

}  // namespace dp2trace::testing
