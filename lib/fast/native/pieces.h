// What of a program becomes machine code: pieces of straight code whose operations go lane by lane.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fast/machine/program.h"

namespace dp2trace::fast {

// Instructions [first, last) of a program.
struct Piece {
  uint32_t first = 0, last = 0;
  std::vector<bool> live;  // by register: its value is read after the piece
};

// In order, without overlaps; no jump leads into the middle of one. `results`: what is read after the program.
std::vector<Piece> FindPieces(const Program& program, std::span<const Operand> results);

}  // namespace dp2trace::fast
