#include "device/load.h"

#include <fmt/format.h>

#include <algorithm>

#include "opcode/layouts.h"
#include "rules/rule.h"

namespace dp2trace::device {
namespace {

namespace layout = opcode::layout;
using image::Area;
using stream::Record;

// All three start with the two handles.
constexpr stream::FieldRef kDestination = stream::Field(layout::kTexBlt, "dest_surface");
constexpr stream::FieldRef kSource = stream::Field(layout::kTexBlt, "src_surface");
static_assert(stream::Field(layout::kVolumeBlt, "src_surface").offset == kSource.offset &&
              stream::Field(layout::kBufferBlt, "src_surface").offset == kSource.offset);

// The live surface with this handle.
std::optional<Defect> FindLive(const Space& space, Rule rule, std::string_view role,
                               uint32_t handle, SurfaceRef& found) {
  found = space.Find(handle);
  if (found) return std::nullopt;
  const char* const why = handle == 0                  ? "which is none"
                          : space.WasDestroyed(handle) ? "which was destroyed"
                                                       : "which was never announced";
  return Defect{rule, fmt::format("the {} is surface {}, {}", role, handle, why),
                fmt::format("{}", handle), "a live surface"};
}

// Both surfaces; destination 0 is a preload. `zero`: the rule about source 0.
std::optional<Defect> FindPair(const Space& space, const Record& record, Rule zero, Rule not_live,
                               SurfaceRef& source, SurfaceRef& destination) {
  const uint32_t from = record.U32(kSource);
  const uint32_t to = record.U32(kDestination);
  if (auto defect = FindLive(space, from == 0 ? zero : not_live, "source", from, source))
    return defect;
  return to == 0 ? std::nullopt : FindLive(space, not_live, "destination", to, destination);
}

std::string SizeOf(const Area& area) {
  return fmt::format("{} x {}", area.right, area.bottom);
}

std::optional<Defect> FindTextureDefect(const SurfaceRef& surface, std::string_view role) {
  const Resource& resource = *surface.resource;
  if (surface.level != 0) {
    return Defect{
        Rule::kDp2TexBlt004,
        fmt::format("the {} is level {} of surface {}", role, surface.level, resource.handle),
        fmt::format("level {}", surface.level), "a top level"};
  }
  const bool is_flat = (resource.is_texture() || resource.lacks_caps()) && !resource.is_volume() &&
                       !resource.is_buffer();
  if (is_flat) return std::nullopt;
  const char* const what = resource.is_buffer()   ? "a buffer"
                           : resource.is_volume() ? "a volume"
                                                  : "no texture";
  return Defect{Rule::kDp2TexBlt005,
                fmt::format("the {}, surface {}, is {}", role, resource.handle, what), what,
                "a 2D or cube texture"};
}

// Source: 16.1, "Level pairing".
std::optional<Defect> PairLevels(TextureLoad& load) {
  const Resource& source = *load.source.resource;
  const Resource& destination = *load.destination.resource;
  if (&source.surface.info() != &destination.surface.info()) {
    return Defect{Rule::kDp2TexBlt006,
                  fmt::format("the source has format {}, the destination {}",
                              source.surface.info().name, destination.surface.info().name),
                  std::string(destination.surface.info().name),
                  std::string(source.surface.info().name)};
  }
  const Area from = source.surface.WholeLevel(0);
  const Area to = destination.surface.WholeLevel(0);
  if (to.right > from.right || to.bottom > from.bottom) {
    return Defect{Rule::kDp2TexBlt007,
                  fmt::format("the destination is {}, larger than the source of {}", SizeOf(to),
                              SizeOf(from)),
                  SizeOf(to), fmt::format("at most {}", SizeOf(from))};
  }
  const std::optional<uint32_t> partner = FindPairedLevel(source.surface, destination.surface);
  if (!partner) {
    return Defect{
        Rule::kDp2TexBlt008,
        fmt::format(
            "the destination is {}, and none of the {} levels of the source of {} has that size",
            SizeOf(to), source.surface.description().levels, SizeOf(from)),
        SizeOf(to), "the size of a source level"};
  }
  if (source.has_auto_levels() && !destination.has_auto_levels()) {
    return Defect{Rule::kDp2TexBlt020,
                  fmt::format("source {} has AUTOGENMIPMAP, destination {} has not", source.handle,
                              destination.handle)};
  }
  load.source_level = *partner;
  const uint32_t rest = source.surface.description().levels - *partner;
  load.pair_count =
      destination.has_auto_levels() ? 1 : std::min(rest, destination.surface.description().levels);
  return std::nullopt;
}

bool IsOnBlocks(uint32_t position, uint32_t block, uint32_t extent) {
  return position % block == 0 || position == extent;
}

bool IsOnBlocks(const d3d::FormatInfo& info, const Area& area, const Area& from, uint32_t x,
                uint32_t y, const Area& to) {
  return IsOnBlocks(area.left, info.block_width, from.right) &&
         IsOnBlocks(area.right, info.block_width, from.right) &&
         IsOnBlocks(area.top, info.block_height, from.bottom) &&
         IsOnBlocks(area.bottom, info.block_height, from.bottom) &&
         IsOnBlocks(x, info.block_width, to.right) && IsOnBlocks(y, info.block_height, to.bottom);
}

std::string TextOf(const trace::Rect& rect) {
  return fmt::format("{}, {}, {}, {}", rect.left, rect.top, rect.right, rect.bottom);
}

// The rectangle stands in source level 0, the point in destination level 0. Source: 16.1, "Rectangles per level".
std::optional<Defect> FindRectDefect(const TextureLoad& load) {
  const trace::Rect& rect = load.rect;
  if (rect.left < 0 || rect.top < 0 || rect.left > rect.right || rect.top > rect.bottom) {
    const bool is_negative = rect.left < 0 || rect.top < 0;
    return Defect{
        Rule::kDp2TexBlt011,
        fmt::format("rectangle {} is {}", TextOf(rect), is_negative ? "negative" : "inverted"),
        TextOf(rect)};
  }
  const Area area = load.area();
  const Area from = load.source.surface().WholeLevel(0);
  if (area.right > from.right || area.bottom > from.bottom) {
    return Defect{Rule::kDp2TexBlt013,
                  fmt::format("rectangle {} leaves the source of {}", TextOf(rect), SizeOf(from)),
                  TextOf(rect), fmt::format("inside {}", SizeOf(from))};
  }
  const Area to = load.destination.surface().WholeLevel(0);
  Area reduced = area;
  for (uint32_t i = 0; i < load.source_level; ++i)
    reduced = ReduceArea(reduced);
  const bool is_inside = load.x >= 0 && load.y >= 0 &&
                         int64_t{load.x} + reduced.width() <= to.right &&
                         int64_t{load.y} + reduced.height() <= to.bottom;
  if (!is_inside) {
    return Defect{Rule::kDp2TexBlt014,
                  fmt::format("{} x {} texels at {}, {} leave the destination of {}",
                              reduced.width(), reduced.height(), load.x, load.y, SizeOf(to)),
                  fmt::format("{}, {}", load.x, load.y), fmt::format("inside {}", SizeOf(to))};
  }
  const d3d::FormatInfo& info = load.source.surface().info();
  const auto x = static_cast<uint32_t>(load.x);
  const auto y = static_cast<uint32_t>(load.y);
  if (!info.is_block() || IsOnBlocks(info, area, from, x, y, to)) return std::nullopt;
  return Defect{
      Rule::kDp2TexBlt016,
      fmt::format("rectangle {} to {}, {} cuts blocks of {}", TextOf(rect), x, y, info.name),
      fmt::format("{} to {}, {}", TextOf(rect), x, y),
      fmt::format("multiples of {}, or the edge", info.block_width)};
}

// Source: 16.1, "Preload".
std::optional<Defect> FindPreloadDefect(const SurfaceRef& source) {
  const Resource& resource = *source.resource;
  if (resource.is_driver_managed() || resource.lacks_caps()) return std::nullopt;
  return Defect{
      Rule::kDp2TexBlt003,
      fmt::format("surface {} is to be preloaded and lacks TEXTUREMANAGE", resource.handle),
      fmt::format("caps2 {:#x}", resource.caps2), "TEXTUREMANAGE"};
}

bool IsInside(uint32_t start, uint32_t size, uint32_t extent) {
  return uint64_t{start} + size <= extent;
}

std::string TextOf(const Area& box) {
  return fmt::format("{}, {}, {}, {}, {}, {}", box.left, box.top, box.right, box.bottom, box.front,
                     box.back);
}

// The box stands in source level 0, the point in destination level 0.
std::optional<Defect> FindBoxDefect(const VolumeLoad& load) {
  const Area& box = load.copy.area;
  const Area from = load.source.surface().WholeLevel(0);
  const Area to = load.destination.surface().WholeLevel(0);
  const bool is_ordered = box.left <= box.right && box.top <= box.bottom && box.front <= box.back;
  if (!is_ordered || box.right > from.right || box.bottom > from.bottom || box.back > from.back) {
    return Defect{Rule::kDp2VolBlt002,
                  fmt::format("box {} {} {} x {} x {}", TextOf(box),
                              is_ordered ? "leaves the source of" : "is inverted, in a source of",
                              from.right, from.bottom, from.back),
                  TextOf(box)};
  }
  Area reduced = box;
  for (uint32_t i = 0; i < load.copy.source_level; ++i)
    reduced = ReduceArea(reduced);
  const bool is_inside = IsInside(load.copy.x, reduced.width(), to.right) &&
                         IsInside(load.copy.y, reduced.height(), to.bottom) &&
                         IsInside(load.copy.z, reduced.depth(), to.back);
  if (is_inside) return std::nullopt;
  return Defect{
      Rule::kDp2VolBlt002,
      fmt::format("{} x {} x {} texels at {}, {}, {} leave the destination of {} x {} x {}",
                  reduced.width(), reduced.height(), reduced.depth(), load.copy.x, load.copy.y,
                  load.copy.z, to.right, to.bottom, to.back),
      fmt::format("{}, {}, {}", load.copy.x, load.copy.y, load.copy.z)};
}

std::optional<Defect> PairVolumes(VolumeLoad& load) {
  const image::Surface& source = load.source.surface();
  const image::Surface& destination = load.destination.surface();
  if (&source.info() != &destination.info()) {
    return Defect{Rule::kDp2VolBlt003,
                  fmt::format("the source has format {}, the destination {}", source.info().name,
                              destination.info().name),
                  std::string(destination.info().name), std::string(source.info().name)};
  }
  const std::optional<uint32_t> level = FindPairedLevel(source, destination);
  if (!level)
    return Defect{Rule::kDp2VolBlt002, "no level of the source has the size of the destination"};
  load.copy.source_level = *level;
  load.copy.level_count =
      load.destination.resource->has_auto_levels() ? 1 : destination.description().levels;
  return std::nullopt;
}

std::optional<Defect> FindVolumeDefect(const SurfaceRef& surface, std::string_view role) {
  if (surface.resource->is_volume()) return std::nullopt;
  return Defect{Rule::kDp2VolBlt001,
                fmt::format("the {}, surface {}, is no volume", role, surface.resource->handle),
                fmt::format("{}", surface.resource->handle), "a volume"};
}

std::optional<Defect> FindBufferDefect(const SurfaceRef& surface, std::string_view role) {
  if (surface.resource->is_buffer()) return std::nullopt;
  return Defect{Rule::kDp2BufBlt001,
                fmt::format("the {}, surface {}, is no buffer", role, surface.resource->handle),
                fmt::format("{}", surface.resource->handle), "a buffer"};
}

}  // namespace

std::optional<Defect> ReadTextureLoad(const Space& space, const Record& record, TextureLoad& load) {
  constexpr stream::FieldRef kPoint = stream::Field(layout::kTexBlt, "dest_point");
  constexpr stream::FieldRef kRect = stream::Field(layout::kTexBlt, "src_rect");
  constexpr stream::FieldRef kFlags = stream::Field(layout::kTexBlt, "flags");
  load.rect = {record.I32(kRect, 0), record.I32(kRect, 1), record.I32(kRect, 2),
               record.I32(kRect, 3)};
  load.x = record.I32(kPoint, 0);
  load.y = record.I32(kPoint, 1);
  load.flags = record.U32(kFlags);
  if (auto defect = FindPair(space, record, Rule::kDp2TexBlt001, Rule::kDp2TexBlt002, load.source,
                             load.destination))
    return defect;
  if (auto defect = FindTextureDefect(load.source, "source")) return defect;
  if (!load.destination) return FindPreloadDefect(load.source);
  if (auto defect = FindTextureDefect(load.destination, "destination")) return defect;
  if (auto defect = PairLevels(load)) return defect;
  return FindRectDefect(load);
}

std::optional<Defect> ReadVolumeLoad(const Space& space, const Record& record, VolumeLoad& load) {
  constexpr stream::FieldRef kX = stream::Field(layout::kVolumeBlt, "dest_x");
  constexpr stream::FieldRef kY = stream::Field(layout::kVolumeBlt, "dest_y");
  constexpr stream::FieldRef kZ = stream::Field(layout::kVolumeBlt, "dest_z");
  constexpr stream::FieldRef kBox = stream::Field(layout::kVolumeBlt, "src_box");
  constexpr stream::FieldRef kFlags = stream::Field(layout::kVolumeBlt, "flags");
  load.copy.area = {record.U32(kBox, 0), record.U32(kBox, 1), record.U32(kBox, 2),
                    record.U32(kBox, 3), record.U32(kBox, 4), record.U32(kBox, 5)};
  load.copy.x = record.U32(kX);
  load.copy.y = record.U32(kY);
  load.copy.z = record.U32(kZ);
  load.flags = record.U32(kFlags);
  if (auto defect = FindPair(space, record, Rule::kDp2VolBlt003, Rule::kDp2VolBlt003, load.source,
                             load.destination))
    return defect;
  if (auto defect = FindVolumeDefect(load.source, "source")) return defect;
  if (!load.destination) return std::nullopt;
  if (auto defect = FindVolumeDefect(load.destination, "destination")) return defect;
  if (auto defect = PairVolumes(load)) return defect;
  return FindBoxDefect(load);
}

std::optional<Defect> ReadBufferCopy(const Space& space, const Record& record, BufferCopy& copy) {
  constexpr stream::FieldRef kOffset = stream::Field(layout::kBufferBlt, "offset");
  constexpr stream::FieldRef kRange = stream::Field(layout::kBufferBlt, "src_range");
  constexpr stream::FieldRef kFlags = stream::Field(layout::kBufferBlt, "flags");
  copy.from = record.U32(kRange, 0);
  copy.size = record.U32(kRange, 1);
  copy.to = record.U32(kOffset);
  copy.flags = record.U32(kFlags);
  if (auto defect = FindPair(space, record, Rule::kDp2BufBlt001, Rule::kDp2BufBlt001, copy.source,
                             copy.destination))
    return defect;
  if (auto defect = FindBufferDefect(copy.source, "source")) return defect;
  if (!copy.destination) return std::nullopt;
  if (auto defect = FindBufferDefect(copy.destination, "destination")) return defect;
  const uint64_t source_size = copy.source.surface().size_bytes();
  const uint64_t destination_size = copy.destination.surface().size_bytes();
  if (copy.from + copy.size <= source_size && copy.to + copy.size <= destination_size)
    return std::nullopt;
  return Defect{Rule::kDp2BufBlt002,
                fmt::format("{} bytes from {} of {} to {} of {}", copy.size, copy.from, source_size,
                            copy.to, destination_size),
                fmt::format("{}", copy.size)};
}

}  // namespace dp2trace::device
