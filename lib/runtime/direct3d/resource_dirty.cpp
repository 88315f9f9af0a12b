// The system copy of a texture: which part of it the driver's copy lacks.
// Source: IDirect3DTexture9::AddDirtyRect (regions are kept of level 0 and stand for the levels below it); lib/raster/rendering-facts.md T13.
#include <algorithm>

#include "runtime/direct3d/objects.h"

namespace dp2trace::runtime {
namespace {

// Of looking at a pixel that may be held back (Allowance).
constexpr uint64_t kHeldSteps = 4;
// Of finding what is held back of a level, and of adding to a dirty region.
constexpr uint64_t kFindSteps = 64, kDirtySteps = 600;
// What is kept of a level beside its pixels, and of a box of a dirty region.
constexpr uint64_t kLevelSize = 256, kBoxSize = 64;

// The pixels of `level` that those of the top level become: edges round outwards. Source: lib/opcode/dp2.md 16.1.
d3d::Box AtLevel(const d3d::Box& box, uint32_t level, const d3d::Box& whole) {
  const auto up = [level](uint32_t edge) {
    return static_cast<uint32_t>((uint64_t{edge} + (uint64_t{1} << level) - 1) >> level);
  };
  const auto span = [](uint32_t& begin, uint32_t& end, uint32_t size) {
    begin = std::min(begin, size - 1);
    end = std::clamp(end, begin + 1, size);
  };
  d3d::Box part = {box.left >> level, box.top >> level,   up(box.right),
                   up(box.bottom),    box.front >> level, up(box.back)};
  span(part.left, part.right, whole.right);
  span(part.top, part.bottom, whole.bottom);
  span(part.front, part.back, whole.back);
  return part;
}

// The pixels of the top level that stand for those of `level`; up to the edge where they reach it.
d3d::Box AtTop(const d3d::Box& box, uint32_t level, const d3d::Box& whole, const d3d::Box& top) {
  const auto edge = [level](uint32_t end, uint32_t size, uint32_t top_size) {
    return end >= size
               ? top_size
               : static_cast<uint32_t>(std::min<uint64_t>(uint64_t{end} << level, top_size));
  };
  return {box.left << level,
          box.top << level,
          edge(box.right, whole.right, top.right),
          edge(box.bottom, whole.bottom, top.bottom),
          box.front << level,
          edge(box.back, whole.back, top.back)};
}

// Blocks of compressed formats are dirty as a whole.
d3d::Box ToBlocks(const d3d::Box& box, const d3d::FormatInfo* format, const d3d::Box& whole) {
  if (format == nullptr || format->block_width == 0 || format->block_height == 0) return box;
  const auto down = [](uint32_t edge, uint32_t block) { return edge / block * block; };
  const auto up = [](uint32_t edge, uint32_t block, uint32_t size) {
    return std::min((edge + block - 1) / block * block, size);
  };
  return {down(box.left, format->block_width),
          down(box.top, format->block_height),
          up(box.right, format->block_width, whole.right),
          up(box.bottom, format->block_height, whole.bottom),
          box.front,
          box.back};
}

// What an update writes of a level.
d3d::Box BoxOf(const trace::SurfaceUpdate& update, const d3d::Box& whole) {
  if (update.box) return *update.box;
  if (!update.rect) return whole;
  const auto edge = [](int32_t value) { return static_cast<uint32_t>(value); };
  return {edge(update.rect->left),
          edge(update.rect->top),
          edge(update.rect->right),
          edge(update.rect->bottom),
          0,
          1};
}

}  // namespace

void Resource::UncountBoxes() const {
  link().recorder.GiveBack(counted_boxes_ * dirty_.size() * kBoxSize);
}

d3d::Box Resource::WholeLevel(uint32_t level) const {
  const Extent extent = LevelExtent(level);
  return {0, 0, extent.width, extent.height, 0, extent.depth};
}

// Unspecified: what a lock of a lower level makes dirty; chosen: the part of the top level that stands for it.
void Resource::AddDirty(uint32_t face, uint32_t level, const d3d::Box& box) {
  if (face >= dirty_.size() || level >= description_.levels) return;
  const std::optional<d3d::Box> inside = Shared(box, WholeLevel(level));
  if (!inside) return;
  const d3d::Box top = WholeLevel(0);
  const d3d::Box part = ToBlocks(AtTop(*inside, level, WholeLevel(level), top), format_, top);
  if (!link().recorder.Spend(kDirtySteps)) return;
  dirty_[face].Add(part);
  if (const size_t count = dirty_[face].boxes().size(); count > counted_boxes_) {
    link().recorder.Hold((count - counted_boxes_) * dirty_.size() * kBoxSize);
    counted_boxes_ = count;
  }
  for (const auto& [place, held] : held_) {
    if (place.first == face)
      Release(face, place.second, AtLevel(part, place.second, WholeLevel(place.second)));
  }
}

std::span<const d3d::Box> Resource::dirty(uint32_t face) const {
  return face < dirty_.size() ? dirty_[face].boxes() : std::span<const d3d::Box>();
}

void Resource::ForgetDirty() {
  for (DirtyRegion& face : dirty_)
    face.Clear();
}

void Resource::RecordHeld() {
  for (const auto& [place, held] : held_)
    Release(place.first, place.second, WholeLevel(place.second));
}

// Null where nothing can be held: the format is not known, has rows that are not rows of pixels, or the memory limit is reached.
HeldWrites* Resource::HeldOf(uint32_t face, uint32_t level) {
  const auto found = held_.find({face, level});
  if (found != held_.end()) return &found->second.writes;
  if (format_ == nullptr || format_->block_size == 0 ||
      format_->kind == d3d::FormatKind::kPlanarYuv)
    return nullptr;
  const Extent extent = LevelExtent(level);
  // The bytes, and a bit for each block.
  MemoryShare share = link().recorder.KeepMemory(
      kLevelSize + HeldWrites::Size(*format_, extent.width, extent.height, extent.depth) / 8 * 9);
  if (!share.is_granted()) return nullptr;
  HeldLevel held = {std::move(share), {*format_, extent.width, extent.height, extent.depth}};
  return &held_.emplace(std::pair(face, level), std::move(held)).first->second.writes;
}

bool Resource::SpendOn(const d3d::Box& box) const {
  const uint64_t size =
      uint64_t{box.right - box.left} * (box.bottom - box.top) * (box.back - box.front);
  return link().recorder.Spend(kFindSteps + size * kHeldSteps);
}

void Resource::RecordUpdate(const trace::SurfaceUpdate& update) {
  Recorder& recorder = link().recorder;
  if (description_.pool != Pool::kManaged || update.face >= dirty_.size())
    return recorder.UpdateSurface(update);
  const d3d::Box whole = WholeLevel(update.level);
  const d3d::Box box = BoxOf(update, whole);
  const auto part_of = [&](const d3d::Box& dirty) { return AtLevel(dirty, update.level, whole); };
  const std::span<const d3d::Box> dirty = dirty_[update.face].boxes();
  const bool is_dirty =
      std::ranges::any_of(dirty, [&](const d3d::Box& one) { return Contains(part_of(one), box); });
  const auto found = held_.find({update.face, update.level});
  if (is_dirty) {
    if (found != held_.end() && SpendOn(box)) found->second.writes.Drop(box);
    return recorder.UpdateSurface(update);
  }
  HeldWrites* held = HeldOf(update.face, update.level);
  if (held == nullptr) return recorder.UpdateSurface(update);
  held->Hold(box, update);
  for (const d3d::Box& one : dirty)
    Release(update.face, update.level, part_of(one));
}

void Resource::Release(uint32_t face, uint32_t level, const d3d::Box& box) {
  const auto found = held_.find({face, level});
  if (found == held_.end() || !SpendOn(box)) return;
  found->second.writes.Release(box, [&](const d3d::Box& part, Bytes bytes) {
    trace::SurfaceUpdate update;
    update.space = link().space;
    update.handle = handle_;
    update.face = face;
    update.level = level;
    update.data = bytes;
    const auto edge = [](uint32_t value) { return static_cast<int32_t>(value); };
    if (is_volume()) {
      update.box = part;
    } else if (part != WholeLevel(level)) {
      update.rect = d3d::Rect{edge(part.left), edge(part.top), edge(part.right), edge(part.bottom)};
    }
    link().recorder.UpdateSurface(update);
  });
}

}  // namespace dp2trace::runtime
