#include "blame/regions.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace dp2trace::blame {
namespace {

constexpr uint32_t kCell = Regions::kCell;

void Include(DifferentRegion& region, uint32_t x, uint32_t y) {
  image::Area& area = region.area;
  if (region.pixels++ == 0) {
    area = {x, y, x + 1, y + 1};
    return;
  }
  area.left = std::min(area.left, x);
  area.top = std::min(area.top, y);
  area.right = std::max(area.right, x + 1);
  area.bottom = std::max(area.bottom, y + 1);
}

struct Cells {
  uint32_t width = 0, height = 0;
  std::vector<uint32_t> labels;  // 0: none of its pixels differs

  // Gives all cells that are joined with the one the label.
  void Fill(size_t seed, uint32_t label, std::vector<size_t>& stack) {
    labels[seed] = label;
    stack.assign(1, seed);
    while (!stack.empty()) {
      const auto x = static_cast<uint32_t>(stack.back() % width);
      const auto y = static_cast<uint32_t>(stack.back() / width);
      stack.pop_back();
      for (uint32_t v = y - std::min(y, 1U); v <= std::min(y + 1, height - 1); ++v) {
        for (uint32_t u = x - std::min(x, 1U); u <= std::min(x + 1, width - 1); ++u) {
          uint32_t& other = labels[size_t{v} * width + u];
          if (other != kUnlabelled) continue;
          other = label;
          stack.push_back(size_t{v} * width + u);
        }
      }
    }
  }
  static constexpr uint32_t kUnlabelled = UINT32_MAX;
};

}  // namespace

Differences::Differences(const image::Picture& expected, const image::Picture& actual,
                         const image::LooseOptions& options)
    : width_(expected.width), height_(expected.height), words_(size_t{width_} * height_) {
  const image::Region whole = {0, 0, width_, height_};
  const image::Region part = options.region.value_or(whole);
  const uint64_t right = std::min<uint64_t>(width_, uint64_t{part.x} + part.width);
  const uint64_t bottom = std::min<uint64_t>(height_, uint64_t{part.y} + part.height);
  for (uint32_t y = part.y; y < bottom; ++y) {
    for (uint32_t x = part.x; x < right; ++x) {
      if (image::IsForgiven(expected, actual, x, y, options)) continue;
      words_[size_t{y} * width_ + x] = true;
      ++count_;
    }
  }
}

Regions FindRegions(const Differences& differences, uint32_t max_regions) {
  Cells cells;
  cells.width = (differences.width() + kCell - 1) / kCell;
  cells.height = (differences.height() + kCell - 1) / kCell;
  cells.labels.resize(size_t{cells.width} * cells.height);
  const auto for_each = [&](const auto& visit) {
    for (uint32_t y = 0; y < differences.height(); ++y) {
      for (uint32_t x = 0; x < differences.width(); ++x) {
        if (differences.At(x, y))
          visit(x, y, cells.labels[size_t{y / kCell} * cells.width + x / kCell]);
      }
    }
  };
  for_each([](uint32_t, uint32_t, uint32_t& label) { label = Cells::kUnlabelled; });
  std::vector<DifferentRegion> found;
  std::vector<size_t> stack;
  for (size_t i = 0; i < cells.labels.size(); ++i) {
    if (cells.labels[i] != Cells::kUnlabelled) continue;
    found.emplace_back();
    cells.Fill(i, static_cast<uint32_t>(found.size()), stack);
  }
  for_each([&](uint32_t x, uint32_t y, uint32_t label) { Include(found[label - 1], x, y); });

  std::vector<size_t> order(found.size());
  for (size_t i = 0; i < order.size(); ++i)
    order[i] = i;
  std::ranges::sort(order, {}, [&](size_t i) {
    const DifferentRegion& region = found[i];
    return std::tuple(UINT64_MAX - region.pixels, region.area.top, region.area.left, i);
  });
  const bool has_rest = found.size() > max_regions;
  const size_t whole = has_rest ? max_regions - 1 : found.size();
  std::vector<uint16_t> number(found.size() + 1, kNoRegion);
  for (size_t place = 0; place < order.size(); ++place)
    number[order[place] + 1] = static_cast<uint16_t>(std::min(place, whole));

  Regions regions;
  regions.width = cells.width;
  for (size_t place = 0; place < whole; ++place)
    regions.regions.push_back(found[order[place]]);
  for (const uint32_t label : cells.labels)
    regions.numbers.push_back(number[label]);
  if (has_rest) {
    DifferentRegion rest;
    rest.is_rest = true;
    for_each([&](uint32_t x, uint32_t y, uint32_t label) {
      if (number[label] == whole) Include(rest, x, y);
    });
    regions.regions.push_back(rest);
  }
  return regions;
}

}  // namespace dp2trace::blame
