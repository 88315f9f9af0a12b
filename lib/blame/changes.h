// What the draws with wrong pixels have of their own beside the same draws in a frame that is right.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "blame/frame.h"

namespace dp2trace::blame {

// A fact of both draws with another value (of a structure the members that differ), or other content.
struct Change {
  std::string name;             // "FOGSTART"
  std::string before, after;    // "250", "25"; empty: the draw has no such fact
  std::string words = {};       // of content: "the vertices are others"
  bool is_negated = false;      // all numbers have the other sign
  std::vector<uint64_t> draws;  // numbers of the wrong draws that have it
};

struct Changes {
  uint64_t right_frame = 0;      // 0: none is known
  uint64_t matched = 0;          // wrong draws that are in both frames
  uint64_t unmatched = 0;        // that the right frame lacks
  std::vector<Change> changes;   // those of more draws first
  uint64_t further_changes = 0;  // that are not kept
};

inline constexpr size_t kMaxChanges = 20;

// Draws of both frames are the same where operation, marker, primitives, vertex format, shaders, transforms, constants, vertices and bound
// textures are, in their order; what lies between two such is paired by fewer of these, in the end by the operation alone. A fact that is one
// only because of another one that has changed is not a change of its own. `wrong`: places in Frame::operations.
Changes FindChanges(const Frame& right, const Frame& frame, std::span<const uint32_t> wrong);

// "FOGSTART 250 -> 25", "texture 5 has other texels (uploaded by event 15)", "ps.c12 (0 0.5 1 0) -> (0 -0.5 -1 0), negated".
std::string TextOf(const Change& change);

}  // namespace dp2trace::blame
