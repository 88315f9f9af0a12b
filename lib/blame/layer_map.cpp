#include "blame/layer_map.h"

#include <algorithm>

namespace dp2trace::blame {
namespace {

constexpr uint32_t kHeldBack = 1;

}  // namespace

LayerMap::LayerMap(const image::Area& area) : area_(area) {
  const uint64_t pixels = uint64_t{area.width()} * area.height();
  const uint64_t affordable = kMaxBytes / (sizeof(uint32_t) * std::max<uint64_t>(pixels, 1));
  depth_ = static_cast<uint32_t>(std::clamp<uint64_t>(affordable, 1, kMaxLayers));
  counts_.resize(pixels);
  words_.resize(pixels * depth_);
}

void LayerMap::Push(size_t place, uint32_t word) {
  uint32_t* const first = &words_[place * depth_];
  uint8_t& count = counts_[place];
  if (count != 0 && first[count - 1] == word) return;
  if (count == depth_) {
    uint32_t* const last = first + count;
    uint32_t* gone =
        std::find_if(first, last, [](uint32_t kept) { return (kept & kHeldBack) != 0; });
    if (gone == last) gone = first;
    std::copy(gone + 1, last, gone);
    --count;
    ++dropped_;
  }
  first[count++] = word;
}

void LayerMap::Write(uint32_t x, uint32_t y, uint32_t operation, bool hides_others) {
  if (!Contains(x, y)) return;
  const size_t place = PlaceOf(x, y);
  if (hides_others) counts_[place] = 0;
  Push(place, operation << 1);
}

void LayerMap::HoldBack(uint32_t x, uint32_t y, uint32_t operation) {
  if (!Contains(x, y)) return;
  Push(PlaceOf(x, y), operation << 1 | kHeldBack);
}

void LayerMap::WriteAll(uint32_t operation) {
  std::ranges::fill(counts_, uint8_t{0});
  for (size_t place = 0; place < counts_.size(); ++place)
    Push(place, operation << 1);
}

void LayerMap::Find(uint32_t x, uint32_t y, std::vector<Layer>& layers) const {
  const size_t place = PlaceOf(x, y);
  layers.clear();
  for (size_t i = 0; i < counts_[place]; ++i) {
    const uint32_t word = words_[place * depth_ + i];
    const Layer layer = {word >> 1, (word & kHeldBack) != 0};
    if (std::ranges::find(layers, layer) == layers.end()) layers.push_back(layer);
  }
}

std::optional<uint32_t> LayerMap::LastWriter(uint32_t x, uint32_t y) const {
  const size_t place = PlaceOf(x, y);
  for (size_t i = counts_[place]; i-- > 0;) {
    const uint32_t word = words_[place * depth_ + i];
    if ((word & kHeldBack) == 0) return word >> 1;
  }
  return std::nullopt;
}

}  // namespace dp2trace::blame
