// Where two pictures differ: few regions, each of pixels that are near to each other.
#pragma once

#include <cstdint>
#include <vector>

#include "image/loose_compare.h"
#include "image/picture.h"
#include "image/surface.h"

namespace dp2trace::blame {

// Which pixels differ by more than is allowed.
class Differences {
 public:
  // The pictures have one size.
  Differences(const image::Picture& expected, const image::Picture& actual,
              const image::LooseOptions& options);

  uint32_t width() const { return width_; }
  uint32_t height() const { return height_; }
  bool At(uint32_t x, uint32_t y) const { return words_[size_t{y} * width_ + x]; }
  uint64_t count() const { return count_; }

 private:
  uint32_t width_, height_;
  std::vector<bool> words_;
  uint64_t count_ = 0;
};

struct DifferentRegion {
  image::Area area;  // the smallest around its pixels
  uint64_t pixels = 0;
  bool is_rest = false;  // what lies in no other region, wherever it is
  bool operator==(const DifferentRegion&) const = default;
};

// Numbers of no region.
inline constexpr uint16_t kNoRegion = 0xFFFF;

struct Regions {
  std::vector<DifferentRegion>
      regions;         // largest first, of equal ones the upper, the left one; the rest last
  uint32_t width = 0;  // of `numbers`
  std::vector<uint16_t> numbers;        // by cell of kCell x kCell pixels
  static constexpr uint32_t kCell = 8;  // pixels
  // The region of a pixel that differs.
  uint16_t At(uint32_t x, uint32_t y) const {
    return numbers[size_t{y / kCell} * width + x / kCell];
  }
};

// Pixels whose cells of 8x8 touch, if only at a corner, are one region. Of more than `max_regions` the smallest become one.
Regions FindRegions(const Differences& differences, uint32_t max_regions = 16);

}  // namespace dp2trace::blame
