#include "inspect/target_watch.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace dp2trace::inspect {
namespace {

const image::Palette* PointerTo(const std::optional<image::Palette>& palette) {
  return palette ? &*palette : nullptr;
}

std::optional<image::Palette> PaletteOf(const device::Device& device, const Place& place) {
  const device::Resource& resource = *place.surface.resource;
  return resource.surface.info().has_palette() ? device.PaletteOf(place.space, resource)
                                               : std::nullopt;
}

bool SamePalette(const std::optional<image::Palette>& a, const std::optional<image::Palette>& b) {
  if (a.has_value() != b.has_value()) return false;
  return !a || (a->rgba == b->rgba && a->has_alpha == b->has_alpha);
}

// A level as a surface of its own; nothing where that cannot be.
std::optional<image::Surface> CopyLevel(const device::SurfaceRef& from) {
  image::SurfaceDescription description = from.surface().description();
  const image::Area whole = from.surface().WholeLevel(from.level);
  description.width = whole.right;
  description.height = whole.bottom;
  description.levels = 1;
  description.faces = 1;
  Result<image::Surface> copy = image::Surface::Create(description);
  if (!copy.ok()) return std::nullopt;
  const image::ConstLevel source = std::as_const(from.surface()).level(from.face, from.level);
  const image::Level target = copy->level(0, 0);
  if (target.slice_pitch != source.slice_pitch || target.slices != source.slices)
    return std::nullopt;
  std::memcpy(target.bytes, source.bytes, source.slices * source.slice_pitch);
  return std::move(*copy);
}

}  // namespace

void TargetWatch::Watch(const device::Device& device, const Place& place) {
  const device::SurfaceRef& surface = place.surface;
  if (!surface || !surface.surface().has_pixels() || surface.resource->is_volume()) return;
  const Key key = KeyOf(surface);
  if (const auto found = watched_.find(key); found != watched_.end()) {
    if (found->second.generation != surface.surface().generation())
      found->second.is_outdated = true;
    return;
  }
  std::vector<Plane> planes = PlanesOf(surface.surface().info());
  if (planes.empty()) return;
  const image::ConstLevel level =
      std::as_const(surface.surface()).level(surface.face, surface.level);
  const uint64_t size = level.slices * level.slice_pitch;
  std::optional<image::Surface> copy;
  if (size <= max_bytes_ - bytes_) copy = CopyLevel(surface);
  if (!copy) {
    ++refused_;
    return;
  }
  bytes_ += size;
  watched_.emplace(key, Watched{.space = place.space,
                                .handle = surface.resource->handle,
                                .copy = std::move(*copy),
                                .generation = surface.surface().generation(),
                                .palette = PaletteOf(device, place),
                                .planes = std::move(planes),
                                .first_target = {}});
}

void TargetWatch::MakeTargets(const Place& place, Watched& watched,
                              std::vector<PlanePixels>& bases) {
  if (watched.first_target) return;
  watched.first_target = static_cast<uint32_t>(targets_.size());
  const image::Area whole = watched.copy.WholeLevel(0);
  for (const Plane plane : watched.planes) {
    bases.push_back({static_cast<uint32_t>(targets_.size()), plane, whole,
                     ReadPlane(watched.copy, 0, 0, plane, whole, PointerTo(watched.palette))});
    targets_.push_back({.space = place.space,
                        .handle = watched.handle,
                        .face = place.surface.face,
                        .level = place.surface.level,
                        .plane = plane,
                        .format = watched.copy.info().name,
                        .width = whole.right,
                        .height = whole.bottom});
  }
}

void TargetWatch::Show(const device::Device& device, const Place& place,
                       std::vector<PlanePixels>& bases) {
  Watch(device, place);
  const auto found = place.surface ? watched_.find(KeyOf(place.surface)) : watched_.end();
  if (found == watched_.end()) return;
  MakeTargets(place, found->second, bases);
}

void TargetWatch::CompareOne(const device::Device& device, const Place& place, Watched& watched,
                             std::vector<PlanePixels>& bases, std::vector<PlanePixels>& changes) {
  const image::Surface& surface = place.surface.surface();
  std::optional<image::Palette> palette = PaletteOf(device, place);
  const bool has_other_palette = !SamePalette(palette, watched.palette);
  if (watched.generation == surface.generation() && !has_other_palette) return;
  const image::ConstLevel now = surface.level(place.surface.face, place.surface.level);
  watched.generation = surface.generation();
  const bool is_whole = std::exchange(watched.is_outdated, false) || !place.area;
  const std::optional<image::Area> difference =
      FindDifference(std::as_const(watched.copy).level(0, 0), now,
                     is_whole ? watched.copy.WholeLevel(0) : *place.area);
  if (!difference && !has_other_palette) return;
  image::Area area = has_other_palette ? watched.copy.WholeLevel(0) : *difference;
  area.front = 0;
  area.back = 1;
  MakeTargets(place, watched, bases);
  for (PlaneChange& change : PlaneDifferences(
           {watched.copy, 0, 0, PointerTo(watched.palette)},
           {surface, place.surface.face, place.surface.level, PointerTo(palette)}, area)) {
    const auto at = std::ranges::find(watched.planes, change.plane) - watched.planes.begin();
    changes.push_back({*watched.first_target + static_cast<uint32_t>(at), change.plane, area,
                       std::move(change.bytes)});
  }
  if (difference) CopyBlocks(now, *difference, watched.copy.level(0, 0));
  watched.palette = palette;
}

void TargetWatch::Compare(const device::Device& device, const std::vector<Place>& places,
                          std::vector<PlanePixels>& bases, std::vector<PlanePixels>& changes) {
  for (const Place& place : places) {
    const auto found = place.surface ? watched_.find(KeyOf(place.surface)) : watched_.end();
    if (found != watched_.end()) CompareOne(device, place, found->second, bases, changes);
  }
}

PlanePixels TargetWatch::Content(uint32_t target) const {
  for (const auto& [key, watched] : watched_) {
    if (!watched.first_target || target < *watched.first_target) continue;
    const size_t plane = target - *watched.first_target;
    if (plane >= watched.planes.size()) continue;
    const image::Area whole = watched.copy.WholeLevel(0);
    return {
        target, watched.planes[plane], whole,
        ReadPlane(watched.copy, 0, 0, watched.planes[plane], whole, PointerTo(watched.palette))};
  }
  return {};
}

Place TargetWatch::PlaceOf(const device::Device& device, const Key& key, const Watched& watched) {
  const device::Space* const space = device.FindSpace(watched.space);
  device::SurfaceRef surface =
      space == nullptr ? device::SurfaceRef{} : space->Find(watched.handle);
  if (!surface || surface.surface().id() != std::get<0>(key)) return {};
  surface.face = std::get<1>(key);
  surface.level = std::get<2>(key);
  return {watched.space, surface};
}

void TargetWatch::CompareAll(const device::Device& device, std::vector<PlanePixels>& bases,
                             std::vector<PlanePixels>& changes) {
  for (auto& [key, watched] : watched_) {
    if (const Place place = PlaceOf(device, key, watched); place.surface)
      CompareOne(device, place, watched, bases, changes);
  }
}

std::vector<Place> TargetWatch::PalettePlaces(const device::Device& device) const {
  std::vector<Place> places;
  for (const auto& [key, watched] : watched_) {
    if (!watched.copy.info().has_palette()) continue;
    if (const Place place = PlaceOf(device, key, watched); place.surface) places.push_back(place);
  }
  return places;
}

void TargetWatch::Forget(const std::vector<Place>& places) {
  for (const Place& place : places) {
    const auto found = place.surface ? watched_.find(KeyOf(place.surface)) : watched_.end();
    if (found == watched_.end() || found->second.first_target) continue;
    bytes_ -= found->second.copy.size_bytes();
    watched_.erase(found);
  }
}

std::optional<uint32_t> TargetWatch::FindFirst(const Place& place) const {
  const auto found = place.surface ? watched_.find(KeyOf(place.surface)) : watched_.end();
  return found == watched_.end() ? std::nullopt : found->second.first_target;
}

void TargetWatch::Clear() {
  watched_.clear();
  targets_.clear();
  bytes_ = 0;
}

}  // namespace dp2trace::inspect
