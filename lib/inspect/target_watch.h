// The surfaces that a frame writes: what each held when it was last looked at, and what has changed since.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "device/device.h"
#include "inspect/planes.h"

namespace dp2trace::inspect {

// A face and level in memory, as it was found.
struct Place {
  uint32_t space = 0;
  device::SurfaceRef surface;
  // What of it may be written; it may reach over the edges. Nothing: all.
  std::optional<image::Area> area = {};
};

// One plane of a place, as the page lists it.
struct TargetPlane {
  uint32_t space = 0;
  uint32_t handle = 0;  // of the root
  uint32_t face = 0, level = 0;
  Plane plane{};
  std::string_view format;  // of the surface
  uint32_t width = 0, height = 0;
};

// What one plane holds in an area, or how that differs (before XOR after).
struct PlanePixels {
  uint32_t target = 0;  // place in TargetWatch::targets()
  Plane plane{};
  image::Area area;
  std::vector<uint8_t> bytes;  // ReadPlane
};

class TargetWatch {
 public:
  // Copies of surfaces take `max_bytes` at most: what would need more is not watched.
  explicit TargetWatch(uint64_t max_bytes) : max_bytes_(max_bytes) {}

  // The places that are watched and show another picture where a palette changes.
  std::vector<Place> PalettePlaces(const device::Device& device) const;
  // From here on changes of the place are found. Places without pixels, and slices of volumes, are not watched.
  void Watch(const device::Device& device, const Place& place);
  // Places of these that are watched and never became targets are forgotten.
  void Forget(const std::vector<Place>& places);
  // The planes become targets even where nothing changes. Appends what they hold, where they were none before.
  void Show(const device::Device& device, const Place& place, std::vector<PlanePixels>& bases);

  // What changed since the last call. What became a target by that held `bases` before.
  // Of these places, each surface once; they are watched.
  void Compare(const device::Device& device, const std::vector<Place>& places,
               std::vector<PlanePixels>& bases, std::vector<PlanePixels>& changes);
  // Of all that are watched and still there.
  void CompareAll(const device::Device& device, std::vector<PlanePixels>& bases,
                  std::vector<PlanePixels>& changes);

  // What the target held when it was last compared.
  PlanePixels Content(uint32_t target) const;

  const std::vector<TargetPlane>& targets() const { return targets_; }
  // The target that shows the first plane of the place; nothing where it is none (yet).
  std::optional<uint32_t> FindFirst(const Place& place) const;
  // Surfaces that were too large to be watched.
  uint64_t refused() const { return refused_; }
  // Another frame: nothing is watched, there are no targets.
  void Clear();

 private:
  // Surface (image::Surface::id), face and level.
  using Key = std::tuple<uint64_t, uint32_t, uint32_t>;
  struct Watched {
    uint32_t space = 0, handle = 0;
    image::Surface copy;       // one level
    uint64_t generation = 0;   // that `copy` is of
    bool is_outdated = false;  // something wrote it that no place reported
    std::optional<image::Palette> palette;
    std::vector<Plane> planes;
    std::optional<uint32_t> first_target;  // of planes[0]; the others follow
  };
  static Key KeyOf(const device::SurfaceRef& surface) {
    return {surface.surface().id(), surface.face, surface.level};
  }
  // What is watched under the key; empty where it is gone.
  static Place PlaceOf(const device::Device& device, const Key& key, const Watched& watched);
  void MakeTargets(const Place& place, Watched& watched, std::vector<PlanePixels>& bases);
  void CompareOne(const device::Device& device, const Place& place, Watched& watched,
                  std::vector<PlanePixels>& bases, std::vector<PlanePixels>& changes);

  uint64_t max_bytes_;
  uint64_t bytes_ = 0;
  uint64_t refused_ = 0;
  std::map<Key, Watched> watched_;
  std::vector<TargetPlane> targets_;
};

}  // namespace dp2trace::inspect
