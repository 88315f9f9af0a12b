// Watches one pixel of all render targets during a replay: which draw changed it last?
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "play/player.h"

namespace dp2trace::replay {

// The draw that gave a pixel the value that it has in a picture.
struct CausingDraw {
  uint64_t number = 0;  // from 1
  uint64_t event = 0;
  uint64_t offset = 0;
  std::string operation;
  bool operator==(const CausingDraw&) const = default;
};

// Of the draws after two pixels beside each other: the one whose edge is between them, which lies on top.
inline std::optional<CausingDraw> DrawOfEdge(std::optional<CausingDraw> a,
                                             std::optional<CausingDraw> b) {
  return !b || (a && a->number > b->number) ? a : b;
}

class LastWriterFinder final : public play::Listener {
 public:
  // The pixel (x, y) of slice `slice`, in pixels of the surface.
  LastWriterFinder(uint32_t x, uint32_t y, uint32_t slice) : x_(x), y_(y), slice_(slice) {}

  // The draw that gave the pixel of the surface the value that it has now. Nothing where no draw changed it, or something else did
  // after the last draw that did: an update, a blit, the creation of the surface.
  std::optional<CausingDraw> LastChange(const device::Device& device, uint32_t space,
                                        uint32_t handle, uint32_t face, uint32_t level) const;

  bool is_done() const override { return true; }  // who asks it says how long

 private:
  play::Detail detail() const override { return play::Detail::kPictures; }
  void BeforeApply(const device::Context& context, const stream::Command& command) override;
  Status OnApplied(device::Context& context, const stream::Command& command) override;

  using Bits = std::vector<uint8_t>;  // of the block that holds the pixel, all samples
  // A face and level; memory is known by its root handle, which lives as long as it does.
  struct Place {
    uint32_t space = 0;
    uint32_t root = 0;
    uint32_t face = 0;
    uint32_t level = 0;
    auto operator<=>(const Place&) const = default;
  };
  struct Change {
    Bits bits;  // after it
    CausingDraw draw;
  };
  static Place PlaceOf(uint32_t space, const device::SurfaceRef& surface);
  // Nothing where the surface does not have the pixel.
  std::optional<Bits> BitsOf(const device::SurfaceRef& surface) const;

  uint32_t x_;
  uint32_t y_;
  uint32_t slice_;
  std::map<Place, Bits> before_;  // of the current draw
  std::map<Place, Change> changes_;
};

}  // namespace dp2trace::replay
