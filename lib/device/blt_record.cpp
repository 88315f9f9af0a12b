#include "device/blt_record.h"

#include <fmt/format.h>

#include "opcode/layouts.h"
#include "rules/rule.h"

namespace dp2trace::device {
namespace {

namespace layout = opcode::layout;
using stream::FieldRef;
using stream::Record;

constexpr FieldRef kFlags = stream::Field(layout::kBlt, "flags");

struct SideFields {
  FieldRef handle, rect, level;
};
constexpr SideFields kSource = {stream::Field(layout::kBlt, "source"),
                                stream::Field(layout::kBlt, "source_rect"),
                                stream::Field(layout::kBlt, "source_mip_level")};
constexpr SideFields kDestination = {stream::Field(layout::kBlt, "dest"),
                                     stream::Field(layout::kBlt, "dest_rect"),
                                     stream::Field(layout::kBlt, "dest_mip_level")};
// SURFACEBLT has the same fields in the same places.
static_assert(stream::Field(layout::kSurfaceBlt, "source_rect").offset == kSource.rect.offset &&
              stream::Field(layout::kSurfaceBlt, "dest").offset == kDestination.handle.offset &&
              stream::Field(layout::kSurfaceBlt, "dest_mip_level").offset ==
                  kDestination.level.offset &&
              stream::Field(layout::kSurfaceBlt, "flags").offset == kFlags.offset);

std::optional<Defect> ReadRect(const Record& record, FieldRef field, BltSide& side) {
  const trace::Rect rect = {record.I32(field, 0), record.I32(field, 1), record.I32(field, 2),
                            record.I32(field, 3)};
  const image::Area whole = side.surface.surface().WholeLevel(side.place.level);
  const bool is_inside = rect.left >= 0 && rect.top >= 0 && rect.left <= rect.right &&
                         rect.top <= rect.bottom &&
                         static_cast<uint32_t>(rect.right) <= whole.right &&
                         static_cast<uint32_t>(rect.bottom) <= whole.bottom;
  if (!is_inside) {
    return Defect{Rule::kDp2Blt003,
                  fmt::format("rectangle {}, {}, {}, {} of a level of {} x {}", rect.left, rect.top,
                              rect.right, rect.bottom, whole.right, whole.bottom),
                  fmt::format("{}, {}, {}, {}", rect.left, rect.top, rect.right, rect.bottom),
                  fmt::format("inside {} x {}", whole.right, whole.bottom)};
  }
  side.place.area = {static_cast<uint32_t>(rect.left), static_cast<uint32_t>(rect.top),
                     static_cast<uint32_t>(rect.right), static_cast<uint32_t>(rect.bottom)};
  return std::nullopt;
}

std::optional<Defect> ReadSide(const Space& space, const Record& record, uint32_t handle,
                               uint32_t level, FieldRef rect, BltSide& side) {
  side.surface = space.Find(handle);
  if (!side.surface) {
    const char* const why = handle == 0                  ? "none"
                            : space.WasDestroyed(handle) ? "destroyed"
                                                         : "not announced";
    return Defect{Rule::kDp2Blt001, fmt::format("surface {} is {}", handle, why),
                  fmt::format("{}", handle), "a live surface"};
  }
  side.place.face = side.surface.face;
  const uint64_t number = uint64_t{side.surface.level} + level;
  const uint32_t levels = side.surface.surface().description().levels;
  if (number >= levels) {
    return Defect{Rule::kDp2Blt002,
                  fmt::format("surface {} has no level {}", side.surface.resource->handle, number),
                  fmt::format("{}", number), fmt::format("below {}", levels)};
  }
  side.place.level = static_cast<uint32_t>(number);
  return ReadRect(record, rect, side);
}

bool Overlap(const BltSide& a, const BltSide& b) {
  if (a.surface.resource != b.surface.resource || a.place.face != b.place.face ||
      a.place.level != b.place.level)
    return false;
  const image::Area& p = a.place.area;
  const image::Area& q = b.place.area;
  return p.left < q.right && q.left < p.right && p.top < q.bottom && q.top < p.bottom;
}

std::optional<Defect> ReadSides(const Space& space, const Record& record, BltRecord& blt) {
  blt.flags = record.U32(kFlags);
  if (auto defect = ReadSide(space, record, record.U32(kSource.handle), record.U32(kSource.level),
                             kSource.rect, blt.source))
    return defect;
  if (auto defect = ReadSide(space, record, record.U32(kDestination.handle),
                             record.U32(kDestination.level), kDestination.rect, blt.destination))
    return defect;
  if (!Overlap(blt.source, blt.destination)) return std::nullopt;
  return Defect{Rule::kDp2Blt009,
                fmt::format("source and destination overlap in level {} of surface {}",
                            blt.source.place.level, blt.source.surface.resource->handle)};
}

// Depth, block and palette formats have no conversion.
std::optional<Defect> FindConversionDefect(const BltRecord& blt) {
  const d3d::FormatInfo& from = blt.source.surface.surface().info();
  const d3d::FormatInfo& to = blt.destination.surface.surface().info();
  const auto has_none = [](const d3d::FormatInfo& info) {
    return info.is_depth() || info.is_block() || info.has_palette() || info.is_buffer();
  };
  if (&from == &to || (!has_none(from) && !has_none(to))) return std::nullopt;
  return Defect{Rule::kDp2Blt010, fmt::format("no conversion from {} to {}", from.name, to.name),
                std::string(to.name), std::string(from.name)};
}

}  // namespace

std::optional<Defect> ReadBlt(const Space& space, const Record& record, BltRecord& blt) {
  const uint32_t flags = record.U32(kFlags);
  if (flags > d3d::Value(d3d::BltFlag::Linear))
    return Defect{Rule::kDp2Blt005, fmt::format("Flags is {:#x}", flags),
                  fmt::format("{:#x}", flags), "0, 1 or 2"};
  if (auto defect = ReadSides(space, record, blt)) return defect;
  return FindConversionDefect(blt);
}

std::optional<Defect> ReadSurfaceBlt(const Space& space, const Record& record, BltRecord& blt) {
  if (auto defect = ReadSides(space, record, blt)) return defect;
  const d3d::FormatInfo& from = blt.source.surface.surface().info();
  const d3d::FormatInfo& to = blt.destination.surface.surface().info();
  if (&from != &to) {
    return Defect{Rule::kDp2Blt006,
                  fmt::format("the source has format {}, the destination {}", from.name, to.name),
                  std::string(to.name), std::string(from.name)};
  }
  const image::Area& p = blt.source.place.area;
  const image::Area& q = blt.destination.place.area;
  if (p.width() == q.width() && p.height() == q.height()) return std::nullopt;
  return Defect{Rule::kDp2Blt006,
                fmt::format("the source is {} x {}, the destination {} x {}", p.width(), p.height(),
                            q.width(), q.height()),
                fmt::format("{} x {}", q.width(), q.height()),
                fmt::format("{} x {}", p.width(), p.height())};
}

std::optional<Defect> ReadColorFill(const Space& space, const Record& record, BltSide& side) {
  constexpr FieldRef kSurface = stream::Field(layout::kColorFill, "surface");
  constexpr FieldRef kRect = stream::Field(layout::kColorFill, "rect");
  if (auto defect = ReadSide(space, record, record.U32(kSurface), 0, kRect, side)) return defect;
  const d3d::FormatInfo& info = side.surface.surface().info();
  if (!info.is_depth() && !info.is_block() && !info.is_buffer()) return std::nullopt;
  return Defect{Rule::kDp2Blt011, fmt::format("the format is {}", info.name),
                std::string(info.name), "a colour format"};
}

}  // namespace dp2trace::device
