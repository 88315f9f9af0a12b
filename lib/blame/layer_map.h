// Which operations of a frame a pixel of its picture still shows, pixel by pixel.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "image/surface.h"

namespace dp2trace::blame {

// An operation at a pixel: one that wrote there and may still be seen, or a draw that covers the pixel and left it as it was: a test
// held it back, it faced away, or it wrote what stood there.
struct Layer {
  uint32_t operation = 0;  // its number in the frame, from 0, below 2^31
  bool is_held_back = false;
  bool operator==(const Layer&) const = default;
};

// An operation that writes without looking at what was there hides all before it. A pixel keeps a few layers: of more the oldest that
// was held back goes first, then the oldest.
class LayerMap {
 public:
  static constexpr uint32_t kMaxLayers = 16;
  static constexpr uint64_t kMaxBytes = uint64_t{256} << 20;

  LayerMap() = default;
  // Of the pixels of the area; pixels are named as those of the surface. All are without layers.
  // Fewer layers are kept where kMaxBytes would be exceeded, but at least one.
  explicit LayerMap(const image::Area& area);

  const image::Area& area() const { return area_; }
  uint32_t layers_kept() const { return depth_; }
  // Pixels outside of the area are nobody's.
  void Write(uint32_t x, uint32_t y, uint32_t operation, bool hides_others);
  void HoldBack(uint32_t x, uint32_t y, uint32_t operation);
  // The operation made all pixels anew.
  void WriteAll(uint32_t operation);
  // Oldest first, each operation once as a writer and once as held back at most. The pixel is in the area.
  void Find(uint32_t x, uint32_t y, std::vector<Layer>& layers) const;
  // The last operation that wrote the pixel, which is in the area.
  std::optional<uint32_t> LastWriter(uint32_t x, uint32_t y) const;
  // Layers that were given up.
  uint64_t dropped() const { return dropped_; }

 private:
  bool Contains(uint32_t x, uint32_t y) const {
    return x >= area_.left && x < area_.right && y >= area_.top && y < area_.bottom;
  }
  size_t PlaceOf(uint32_t x, uint32_t y) const {
    return size_t{y - area_.top} * area_.width() + (x - area_.left);
  }
  void Push(size_t place, uint32_t word);

  image::Area area_;
  uint32_t depth_ = 0;
  std::vector<uint8_t> counts_;  // by pixel
  std::vector<uint32_t> words_;  // depth_ for each pixel: operation << 1 | is_held_back
  uint64_t dropped_ = 0;
};

}  // namespace dp2trace::blame
