// Copies between surfaces, fills, mip levels and palettes of a device.
#include <algorithm>

#include "runtime/core/token.h"
#include "runtime/direct3d/device.h"

namespace dp2trace::runtime {
namespace {

using opcode::Op;

// DP2BLT_*. Source: lib/opcode/dp2.md 16.4.
constexpr uint32_t kBltPoint = 1, kBltLinear = 2;
// D3DTEXF_*.
constexpr uint32_t kFilterPoint = 1, kFilterLinear = 2;
// DDSCAPS2_CUBEMAP_POSITIVEX; the other faces follow.
constexpr uint32_t kCaps2PositiveX = 0x400;
// DDRAWIPAL_ALPHA.
constexpr uint32_t kPaletteAlpha = 0x2000;

d3d::Rect WholeOf(const SurfaceRef& surface) {
  const Extent extent = surface.extent();
  return {0, 0, static_cast<int32_t>(extent.width), static_cast<int32_t>(extent.height)};
}

void Append(std::vector<uint32_t>& values, const d3d::Rect& rect) {
  for (const int32_t edge : {rect.left, rect.top, rect.right, rect.bottom})
    values.push_back(Bits(edge));
}

d3d::Rect MovedTo(const d3d::Rect& rect, int32_t x, int32_t y) {
  const auto edge = [](int64_t value) {
    return static_cast<int32_t>(std::clamp<int64_t>(value, INT32_MIN, INT32_MAX));
  };
  return {x, y, edge(int64_t{x} + rect.right - rect.left),
          edge(int64_t{y} + rect.bottom - rect.top)};
}

std::vector<uint32_t> BltValues(const SurfaceRef& source, const d3d::Rect& source_rect,
                                const SurfaceRef& destination, const d3d::Rect& destination_rect,
                                uint32_t flags) {
  std::vector<uint32_t> values = {source.resource->FaceHandle(source.face)};
  Append(values, source_rect);
  values.push_back(source.level);
  values.push_back(destination.resource->FaceHandle(destination.face));
  Append(values, destination_rect);
  values.push_back(destination.level);
  values.push_back(flags);
  return values;
}

// The level of the source that has the size of the destination's top level; where there is none, the first one that has no larger
// extent, or the last. Source: lib/opcode/dp2.md 16.1.
uint32_t SharedLevel(const Resource& source, const Resource& destination) {
  const Extent top = destination.LevelExtent(0);
  for (uint32_t level = 0; level < source.description().levels; ++level) {
    const Extent extent = source.LevelExtent(level);
    if (extent.width == top.width && extent.height == top.height) return level;
  }
  const auto largest = [](const Extent& extent) {
    return std::max({extent.width, extent.height, extent.depth});
  };
  uint32_t level = 0;
  while (level + 1 < source.description().levels &&
         largest(source.LevelExtent(level)) > largest(top))
    ++level;
  return level;
}

// A part of the top level, of the faces that DDSCAPS2_CUBEMAP bits name; 0: of all.
struct FaceBox {
  d3d::Box box;
  uint32_t faces = 0;
};

std::vector<FaceBox> DirtyParts(const Resource& source) {
  const d3d::Box whole = source.WholeLevel(0);
  // Other pools cannot be a source; a program that succeeded nevertheless copies all.
  if (!source.has_dirty_regions()) return {{whole}};
  const uint32_t faces = source.is_cube() ? kCubeFaceCount : 1;
  std::vector<FaceBox> parts;
  bool is_whole = true;
  for (uint32_t face = 0; face < faces; ++face) {
    const std::span<const d3d::Box> boxes = source.dirty(face);
    is_whole = is_whole && boxes.size() == 1 && boxes.front() == whole;
    for (const d3d::Box& box : boxes)
      parts.push_back({box, source.is_cube() ? kCaps2PositiveX << face : 0});
  }
  if (is_whole) return {{whole}};
  return parts;
}

}  // namespace

void Device::Stretch(const SurfaceRef& source, const std::optional<d3d::Rect>& source_rect,
                     const SurfaceRef& destination,
                     const std::optional<d3d::Rect>& destination_rect, uint32_t filter) {
  const uint32_t flags = filter == kFilterLinear  ? kBltLinear
                         : filter == kFilterPoint ? kBltPoint
                                                  : 0;
  Token(Op::kBlt, BltValues(source, source_rect.value_or(WholeOf(source)), destination,
                            destination_rect.value_or(WholeOf(destination)), flags));
  MarkWritten(destination);
}

void Device::UpdateSurface(const SurfaceRef& source, const std::optional<d3d::Rect>& rect,
                           const SurfaceRef& destination, int32_t x, int32_t y) {
  const d3d::Rect from = rect.value_or(WholeOf(source));
  Token(Op::kSurfaceBlt, BltValues(source, from, destination, MovedTo(from, x, y), 0));
  MarkWritten(destination);
}

// Level 8 has no token for it: the runtime calls the driver's Blt.
void Device::CopyRect(const SurfaceRef& source, const std::optional<d3d::Rect>& rect,
                      const SurfaceRef& destination, int32_t x, int32_t y) {
  const d3d::Rect from = rect.value_or(WholeOf(source));
  trace::Blt blt;
  blt.space = link_->space;
  blt.src = source.resource->handle();
  blt.src_face = source.face;
  blt.src_level = source.level;
  blt.src_rect = from;
  blt.dest = destination.resource->handle();
  blt.dest_face = destination.face;
  blt.dest_level = destination.level;
  blt.dest_rect = MovedTo(from, x, y);
  link_->recorder.Blt(blt);
  MarkWritten(destination);
}

// Only what is dirty is copied. Source: IDirect3DDevice9::UpdateTexture.
void Device::UpdateTexture(Resource& source, Resource& destination) {
  const uint32_t shift = SharedLevel(source, destination);
  const std::vector<FaceBox> parts = DirtyParts(source);
  for (const FaceBox& part : parts) {
    const d3d::Box& box = part.box;
    if (source.is_volume()) {
      Token(Op::kVolumeBlt,
            {destination.handle(), source.handle(), box.left >> shift, box.top >> shift,
             box.front >> shift, box.left, box.top, box.right, box.bottom, box.front, box.back, 0});
    } else {
      Token(Op::kTexBlt, {destination.handle(), source.handle(), box.left >> shift,
                          box.top >> shift, box.left, box.top, box.right, box.bottom, part.faces});
    }
  }
  source.ForgetDirty();
  if (!parts.empty()) destination.needs_levels = destination.has_auto_levels();
}

void Device::Fill(const SurfaceRef& surface, const std::optional<d3d::Rect>& rect, uint32_t color) {
  std::vector<uint32_t> values = {surface.handle()};
  Append(values, rect.value_or(WholeOf(surface)));
  values.push_back(color);
  Token(Op::kColorFill, values);
  MarkWritten(surface);
}

void Device::ReadTarget(const SurfaceRef& source, const SurfaceRef& destination) {
  d3d::Rect area = WholeOf(source);
  const d3d::Rect room = WholeOf(destination);
  area.right = std::min(area.right, room.right);
  area.bottom = std::min(area.bottom, room.bottom);
  if (level() >= 9) return Stretch(source, area, destination, area, 0);
  CopyRect(source, area, destination, 0, 0);
}

void Device::GenerateLevels(Resource& texture) {
  texture.needs_levels = false;
  if (texture.description().levels < 2) return;
  Token(Op::kGenerateMipSubLevels, {texture.handle(), texture.auto_filter});
}

void Device::SetLod(const Resource& texture, uint32_t lod) {
  Token(Op::kSetTexLod, {texture.handle(), lod});
}

void Device::ComposeRects(const SurfaceRef& source, const SurfaceRef& destination,
                          const Resource& source_rects, uint32_t count,
                          const Resource& destination_rects, uint32_t operation, int32_t x,
                          int32_t y) {
  Token(Op::kComposeRects, {source.handle(), destination.handle(), source_rects.handle(), count,
                            destination_rects.handle(), operation, Bits(x), Bits(y)});
  MarkWritten(destination);
}

// Palette n of the program is palette n + 1 of the driver: 0 detaches.
void Device::SetPaletteEntries(uint32_t palette, std::span<const uint32_t> argb) {
  std::vector<uint8_t> entries;
  ByteWriter writer(entries);
  const size_t count = std::min<size_t>(argb.size(), 256);
  for (const uint32_t entry : argb.first(count))
    writer.Write(entry);
  Token(Op::kUpdatePalette, {palette + 1, 0, static_cast<uint32_t>(count)}, entries);
  palettes_[palette].assign(argb.begin(), argb.begin() + static_cast<std::ptrdiff_t>(count));
  CountStates();
}

void Device::SetCurrentPalette(uint32_t palette) {
  if (current_palette_ == palette) return;
  current_palette_ = palette;
  for (uint32_t stage = 0; stage < 8; ++stage) {
    const StateValue* value = state_.Find({StateKind::kTexture, stage, 0});
    if (value == nullptr) continue;
    if (const auto* texture = dynamic_cast<const Resource*>(value->object.get()))
      AttachPalette(*texture);
  }
}

void Device::AttachPalette(const Resource& texture) {
  if (texture.format() == nullptr || !texture.format()->has_palette() ||
      !palettes_.contains(current_palette_))
    return;
  Token(Op::kSetPalette, {current_palette_ + 1, kPaletteAlpha, texture.handle()});
}

}  // namespace dp2trace::runtime
