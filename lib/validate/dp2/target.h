// Rules about render targets, clears, palettes: DP2-RT-*, DP2-CLEAR-*, DP2-PAL-*.
// Source: lib/opcode/dp2.md 14, 15 and 25.
#pragma once

#include <cstdint>
#include <set>

namespace dp2trace::validate {

// What these rules remember of a context.
struct TargetMemory {
  std::set<uint32_t> palettes;          // that a SETPALETTE named; at most kMaxPalettes
  std::set<uint32_t> refused_palettes;  // textures whose last SETPALETTE was refused
  std::set<uint32_t> refused_updates;   // palettes of which an UPDATEPALETTE was refused
};

}  // namespace dp2trace::validate
