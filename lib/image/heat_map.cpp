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

class Mapper {
 public:
  Mapper(const Picture& expected, const Picture& actual, const LooseOptions& options)
      : expected_(CutToRegion(expected, options)),
        actual_(CutToRegion(actual, options)),
        options_(options),
        width_(std::max(expected_.width, actual_.width)),
        height_(std::max(expected_.height, actual_.height)),
        zoom_(std::clamp(width_ == 0 ? 1U : kLeastWidth / width_, 1U, kMostZoom)),
        least_(options.tolerance + 1U),
        largest_(LargestDistance()) {}

  Result<Picture> Make() const {
    const uint64_t width = std::max<uint64_t>(uint64_t{width_} * zoom_, kLeastWidth);
    const uint64_t height = uint64_t{height_} * zoom_ + kKeyHeight;
    if (width > UINT32_MAX || height > UINT32_MAX) return CheckPngSize(UINT32_MAX, UINT32_MAX);
    const auto map_width = static_cast<uint32_t>(width);
    const auto map_height = static_cast<uint32_t>(height);
    DP2TRACE_RETURN_IF_ERROR(CheckPngSize(map_width, map_height));
    Picture map(map_width, map_height);
    Fill(map, 0, 0, map_width, map_height, kPaper);
    for (uint32_t y = 0; y < height_; ++y) {
      for (uint32_t x = 0; x < width_; ++x)
        Fill(map, x * zoom_, y * zoom_, zoom_, zoom_, ColorAt(x, y));
    }
    DrawKey(map);
    return map;
  }

 private:
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
    const uint32_t top = height_ * zoom_ + kMargin;
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
    const bool is_common = expected_.width == actual_.width && expected_.height == actual_.height;
    if (!is_common)
      Write(map, kMargin + width - WidthOf("ONLY IN ONE"), y, "ONLY IN ONE", kMissing);
  }

  Picture expected_, actual_;
  LooseOptions options_;
  uint32_t width_, height_, zoom_;
  uint32_t least_, largest_;  // differences at the ends of the scale
};

}  // namespace

Result<Picture> HeatMap(const Picture& expected, const Picture& actual,
                        const LooseOptions& options) {
  return Mapper(expected, actual, options).Make();
}

}  // namespace dp2trace::image
