// The lines of an .expected file below traces/facts.
// Source: traces/facts/README.md.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dp2trace::testing {

enum class PictureKind : uint8_t { kFrame, kRead, kStencil };

// A picture by kind and number; numbers count from 1.
using PictureKey = std::pair<PictureKind, uint64_t>;

// One line: `frame 1 8 8 ff0000 2`.
struct Expectation {
  std::string line;
  PictureKey picture;
  uint32_t x = 0, y = 0;
  std::array<uint8_t, 4> rgba = {};
  bool has_alpha = false;
  int tolerance = 0;  // of each channel
};

// Whether the pixel is the expected one, within the tolerance.
bool Matches(const Expectation& expectation, const std::array<uint8_t, 4>& rgba);

struct Expected {
  std::string fact;  // the comment of the first line: id and text
  std::vector<Expectation> expectations;
  std::vector<std::string> bad_lines;
};
Expected ParseExpected(std::string_view text);

}  // namespace dp2trace::testing
