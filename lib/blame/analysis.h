// Who is to blame for the pixels of a picture that differ from the replay's.
//
// An operation is measured by the pixels of the picture that can still show what it wrote, and a draw also by all that its primitives
// cover, with those that its tests held back, that faced away, or that it left as they were. Its share is the part of these that differ.
// How well it explains a region, its fit, is the better of
//
//   share of the written^2 * sqrt(part of the region's pixels that it wrote)
//   share of the covered^2 * sqrt(part of the region's pixels that it covers) * (1 + part of these that it wrote) / 2
//
// An operation that is right in many places explains little, and one that explains all of a region more than one that explains a corner.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "blame/changes.h"
#include "blame/common.h"
#include "blame/frame.h"
#include "blame/regions.h"
#include "image/diagnosis.h"
#include "image/loose_compare.h"

namespace dp2trace::blame {

struct Candidate {
  uint32_t operation = 0;  // of Frame::operations
  // The counts are those of the pixels that it covers, else of those that it wrote.
  bool is_by_cover = false;
  uint64_t pixels = 0;   // of the region
  uint64_t written = 0;  // of these: those that it wrote
  uint64_t wrong = 0;    // of the picture: those that differ
  uint64_t reached = 0;  // of the picture, differing or not
  double fit = 0;        // 0 to 1
};

struct BlamedRegion {
  DifferentRegion where;
  image::PixelDifference first;       // in row order; `expected` is the replay's
  uint64_t unwritten = 0;             // pixels that nothing in the frame wrote
  std::vector<Candidate> candidates;  // best first, of equal ones the later operation
  uint64_t further_candidates = 0;    // that are not kept
};

// A level of a texture that all wrong pixels of a draw sample, of those that were looked at, and few of the right ones of the draw, or of
// other draws that have the texture.
struct BlamedLevel {
  uint64_t draw = 0;  // its number
  uint32_t sampler = 0;
  uint32_t texture = 0;  // root handle
  uint32_t level = 0;
  uint64_t wrong = 0, right = 0;  // pixels that were looked at
  uint64_t right_that_sample = 0;
  bool is_right_of_others = false;
};

struct Blame {
  image::LooseComparison comparison;  // of the whole picture; `expected` is the replay's
  std::optional<image::Diagnosis> diagnosis;
  // Of PictureFault::kHalfPixel: the draws whose edges lie off, by their number in Frame::operations, the one with the most pixels first.
  std::vector<uint32_t> edge_draws;
  std::vector<BlamedRegion> regions;
  // Draws by their number in Frame::operations. Those are wrong that explain differing pixels better than all others that reach them, with a
  // share of at least a quarter of the largest; those are right that wrote pixels and cover none that differs.
  std::vector<uint32_t> wrong_draws, right_draws;
  uint64_t unclear_draws = 0;        // the others that wrote a pixel
  Common common;                     // of the wrong draws
  std::optional<Changes> changes;    // since a frame that is right (FindChanges)
  std::optional<BlamedLevel> level;  // (FindLevel)
  bool is_equal() const { return regions.empty(); }
};

inline constexpr size_t kMaxCandidates = 8;

// `actual` has the size of the frame's picture.
Blame FindBlame(const Frame& frame, const image::Picture& actual,
                const image::LooseOptions& options);

}  // namespace dp2trace::blame
