#include "image/heat_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "image/png.h"
#include "image/small_text.h"

namespace dp2trace::image {
namespace {

using Pixel = std::array<uint8_t, 4>;

constexpr uint32_t kLeastWidth = 320;  // of the map, as far as kMostZoom allows
constexpr uint32_t kMostZoom = 16;
constexpr uint32_t kMargin = 6;
constexpr uint32_t kTextZoom = 2;
constexpr uint32_t kBarHeight = 10;
constexpr uint32_t kLine = kLetterHeight * kTextZoom + kMargin;
// The scale with its numbers, and a line of words.
constexpr uint32_t kKeyHeight = kMargin + kBarHeight + kMargin + 2 * kLine;

constexpr Pixel kPaper = {24, 24, 24, 255};
constexpr Pixel kInk = {224, 224, 224, 255};
constexpr Pixel kTolerated = {112, 64, 160, 255};
constexpr Pixel kMissing = {255, 0, 255, 255};
// Evenly spaced.
constexpr Pixel kScale[] = {{40, 80, 255, 255}, {0, 200, 255, 255}, {0, 210, 60, 255},
                            {255, 230, 0, 255}, {255, 60, 0, 255},  {255, 255, 255, 255}};
constexpr uint32_t kSteps = std::size(kScale) - 1;

// `at` of `range` along the scale.
Pixel ScaleAt(uint32_t at, uint32_t range) {
  if (range == 0) return kScale[kSteps];
  const uint32_t position = std::min(at, range) * kSteps;
  const uint32_t step = std::min(position / range, kSteps - 1);
  const uint32_t rest = position - step * range;
  Pixel pixel = {0, 0, 0, 255};
  for (size_t c = 0; c < 3; ++c) {
    const uint32_t from = kScale[step][c];
    const uint32_t to = kScale[step + 1][c];
    pixel[c] = static_cast<uint8_t>((from * (range - rest) + to * rest) / range);
  }
  return pixel;
}

// Of whole pictures, which outlive it.
class Mapper {
 public:
  Mapper(const Picture& expected, const Picture& actual, const LooseOptions& options)
      : expected_(expected),
        actual_(actual),
        options_(options),
        width_(std::max(expected_.width, actual_.width)),
        height_(std::max(expected_.height, actual_.height)),
        zoom_(ZoomThatFits()),
        block_(BlockThatFits()),
        least_(options.tolerance + 1U),
        largest_(LargestDistance()) {}

  Result<Picture> Make() const {
    const MapSize size = SizeWith(block_, zoom_);
    DP2TRACE_RETURN_IF_ERROR(CheckPngSize(size.width, size.height));
    Picture map(size.width, size.height);
    Fill(map, 0, 0, size.width, size.height, kPaper);
    for (uint32_t y = 0; y < height_; y += block_) {
      for (uint32_t x = 0; x < width_; x += block_)
        Fill(map, x / block_ * zoom_, y / block_ * zoom_, zoom_, zoom_, ColorOfBlock(x, y));
    }
    DrawKey(map);
    return map;
  }

 private:
  struct MapSize {
    uint32_t width, height;
  };
  // With the key; of blocks of so many pixels each way, enlarged.
  MapSize SizeWith(uint32_t block, uint32_t zoom) const {
    return {std::max(Rows(width_, block) * zoom, kLeastWidth),
            Rows(height_, block) * zoom + kKeyHeight};
  }
  static uint32_t Rows(uint32_t pixels, uint32_t block) {
    return pixels / block + (pixels % block != 0 ? 1U : 0U);
  }
  bool Fits(uint32_t block, uint32_t zoom) const {
    const MapSize size = SizeWith(block, zoom);
    return CheckPngSize(size.width, size.height).ok();
  }
  uint32_t ZoomThatFits() const {
    uint32_t zoom = std::clamp(width_ == 0 ? 1U : kLeastWidth / width_, 1U, kMostZoom);
    while (zoom > 1 && !Fits(1, zoom))
      --zoom;
    return zoom;
  }
  uint32_t BlockThatFits() const {
    uint32_t block = 1;
    while (block < std::max(width_, height_) && !Fits(block, zoom_))
      block *= 2;
    return block;
  }

  static void Fill(Picture& map, uint32_t x, uint32_t y, uint32_t width, uint32_t height,
                   const Pixel& color) {
    for (uint32_t row = y; row < y + height; ++row) {
      for (uint32_t column = x; column < x + width; ++column)
        std::ranges::copy(color, map.at(column, row).begin());
    }
  }

  bool IsCommon(uint32_t x, uint32_t y) const {
    return x < std::min(expected_.width, actual_.width) &&
           y < std::min(expected_.height, actual_.height);
  }

  uint32_t LargestDistance() const {
    uint32_t largest = 0;
    for (uint32_t y = 0; y < height_; ++y) {
      for (uint32_t x = 0; x < width_; ++x) {
        if (IsCommon(x, y))
          largest = std::max<uint32_t>(largest, DistanceAt(expected_, actual_, x, y, options_));
      }
    }
    return largest;
  }

  // Of the pixel of the block that is furthest off; the first of several.
  Pixel ColorOfBlock(uint32_t left, uint32_t top) const {
    if (block_ == 1) return ColorAt(left, top);
    uint32_t worst_x = left;
    uint32_t worst_y = top;
    uint32_t worst = 0;
    for (uint32_t y = top; y < std::min(top + block_, height_); ++y) {
      for (uint32_t x = left; x < std::min(left + block_, width_); ++x) {
        const uint32_t distance =
            IsCommon(x, y) ? DistanceAt(expected_, actual_, x, y, options_) : UINT32_MAX;
        if (distance <= worst) continue;
        worst = distance;
        worst_x = x;
        worst_y = y;
      }
    }
    return ColorAt(worst_x, worst_y);
  }

  Pixel ColorAt(uint32_t x, uint32_t y) const {
    if (!IsCommon(x, y)) return kMissing;
    const uint32_t distance = DistanceAt(expected_, actual_, x, y, options_);
    if (distance >= least_) return ScaleAt(distance - least_, largest_ - least_);
    if (distance != 0) return kTolerated;
    const auto pixel = expected_.at(x, y);
    const auto grey = static_cast<uint8_t>((pixel[0] + 2 * pixel[1] + pixel[2]) / 16);
    return {grey, grey, grey, 255};
  }

  static void Write(Picture& map, uint32_t x, uint32_t y, const std::string& text,
                    const Pixel& color) {
    DrawSmallText(map, x, y, text, color, kTextZoom);
  }
  static uint32_t WidthOf(const std::string& text) {
    return static_cast<uint32_t>(text.size()) * kLetterWidth * kTextZoom;
  }

  void DrawKey(Picture& map) const {
    const uint32_t top = Rows(height_, block_) * zoom_ + kMargin;
    const uint32_t width = kLeastWidth - 2 * kMargin;
    uint32_t y = top + kBarHeight + kMargin;
    if (largest_ >= least_) {
      for (uint32_t x = 0; x < width; ++x) {
        Fill(map, kMargin + x, top, 1, kBarHeight,
             ScaleAt(x * (largest_ - least_ + 1) / width, largest_ - least_));
      }
      const std::string last = fmt::format("{}", largest_);
      Write(map, kMargin, y, fmt::format("{} DIFFERENCE OF A CHANNEL", least_), kInk);
      Write(map, kMargin + width - WidthOf(last), y, last, kInk);
    } else {
      Write(map, kMargin, y, "NO DIFFERENCE OF A CHANNEL", kInk);
    }
    y += kLine;
    const std::string tolerated = fmt::format("TOLERATED {}", options_.tolerance);
    if (options_.tolerance != 0) Write(map, kMargin, y, tolerated, kTolerated);
    // Large pictures have room on the right of the scale.
    if (block_ != 1) {
      Write(map, kLeastWidth, top, fmt::format("A PIXEL IS THE WORST OF {} X {}", block_, block_),
            kInk);
    }
    const bool is_common = expected_.width == actual_.width && expected_.height == actual_.height;
    if (!is_common)
      Write(map, kMargin + width - WidthOf("ONLY IN ONE"), y, "ONLY IN ONE", kMissing);
  }

  const Picture& expected_;
  const Picture& actual_;
  LooseOptions options_;
  uint32_t width_, height_, zoom_;
  uint32_t block_;            // pixels each way that are one of the map
  uint32_t least_, largest_;  // differences at the ends of the scale
};

}  // namespace

Result<Picture> HeatMap(const Picture& expected, const Picture& actual,
                        const LooseOptions& options) {
  if (!options.region) return Mapper(expected, actual, options).Make();
  const Picture part = CutToRegion(expected, *options.region);
  return Mapper(part, CutToRegion(actual, *options.region), options).Make();
}

}  // namespace dp2trace::image
