#include "device/blt_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/flag_text.h"
#include "base/plain_text.h"
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

void Add(RecordDefects& defects, std::optional<RecordDefect> defect) {
  if (defect) defects.push_back(std::move(*defect));
}

std::optional<RecordDefect> ReadRect(const Record& record, FieldRef field, BltSide& side) {
  const d3d::Rect rect = {record.I32(field, 0), record.I32(field, 1), record.I32(field, 2),
                          record.I32(field, 3)};
  const image::Area whole = side.surface.surface().WholeLevel(side.place.level);
  const bool edges[] = {rect.left >= 0, rect.top >= 0,
                        rect.left <= rect.right && rect.right <= int64_t{whole.right},
                        rect.top <= rect.bottom && rect.bottom <= int64_t{whole.bottom}};
  const auto* const wrong = std::ranges::find(edges, false);
  if (wrong != std::end(edges)) {
    return RecordDefect{
        Rule::kDp2Blt003, stream::PartOf(field, static_cast<uint32_t>(wrong - std::begin(edges))),
        fmt::format("the rectangle {}, {}, {}, {} is not inside the level of {} x {}", rect.left,
                    rect.top, rect.right, rect.bottom, whole.right, whole.bottom),
        fmt::format("{}, {}, {}, {}", rect.left, rect.top, rect.right, rect.bottom),
        fmt::format("inside {} x {}", whole.right, whole.bottom)};
  }
  side.place.area = {static_cast<uint32_t>(rect.left), static_cast<uint32_t>(rect.top),
                     static_cast<uint32_t>(rect.right), static_cast<uint32_t>(rect.bottom)};
  return std::nullopt;
}

// The surface of a side: live, no buffer.
std::optional<RecordDefect> FindSide(const Space& space, const Record& record, FieldRef field,
                                     BltSide& side) {
  const uint32_t handle = record.U32(field);
  side.surface = space.Find(handle);
  if (!side.surface) {
    const Absence absence = space.history().Find(handle);
    if (handle != 0 && absence == Absence::kRefused) return FollowUp();
    return RecordDefect{
        Rule::kDp2Blt001, field,
        fmt::format("surface {} {}", handle, handle == 0 ? "is none" : Describe(absence)),
        fmt::format("{}", handle), "a live surface"};
  }
  side.place.face = side.surface.face;
  if (!side.surface.resource->is_buffer()) return std::nullopt;
  return RecordDefect{Rule::kDp2Blt012, field, fmt::format("surface {} is a buffer", handle),
                      Describe(*side.surface.resource), "a surface with texels"};
}

// Source, or destination, of BLT and SURFACEBLT. Tokens name top levels, and the level by its number.
std::optional<RecordDefect> ReadSide(const Space& space, const Record& record,
                                     const SideFields& fields, BltSide& side) {
  if (auto defect = FindSide(space, record, fields.handle, side)) return defect;
  if (side.surface.level != 0) {
    return RecordDefect{
        Rule::kDp2Blt013, fields.handle,
        fmt::format("surface {} is level {} of surface {}", record.U32(fields.handle),
                    side.surface.level, side.surface.resource->handle),
        fmt::format("level {}", side.surface.level), "a top level"};
  }
  const uint32_t number = record.U32(fields.level);
  const uint32_t levels = side.surface.surface().description().levels;
  if (number >= levels) {
    return RecordDefect{
        Rule::kDp2Blt002, fields.level,
        fmt::format("surface {} has {}, none is level {}", side.surface.resource->handle,
                    Counted(levels, "level"), number),
        fmt::format("{}", number), fmt::format("below {}", levels)};
  }
  side.place.level = number;
  return ReadRect(record, fields.rect, side);
}

bool Overlap(const BltSide& a, const BltSide& b) {
  if (a.surface.resource != b.surface.resource || a.place.face != b.place.face ||
      a.place.level != b.place.level)
    return false;
  const image::Area& p = a.place.area;
  const image::Area& q = b.place.area;
  return p.left < q.right && q.left < p.right && p.top < q.bottom && q.top < p.bottom;
}

RecordDefects ReadSides(const Space& space, const Record& record, BltRecord& blt) {
  RecordDefects defects;
  blt.flags = record.U32(kFlags);
  const std::optional<RecordDefect> source = ReadSide(space, record, kSource, blt.source);
  const std::optional<RecordDefect> destination =
      ReadSide(space, record, kDestination, blt.destination);
  Add(defects, source);
  // From buffer to buffer is one mistake: it is the token that is the wrong one.
  const bool is_said = source && destination && source->rule == Rule::kDp2Blt012 &&
                       destination->rule == source->rule;
  if (!is_said) Add(defects, destination);
  if (!defects.empty() || !Overlap(blt.source, blt.destination)) return defects;
  const image::Area& area = blt.destination.place.area;
  defects.push_back({Rule::kDp2Blt009, kDestination.rect,
                     fmt::format("source and destination overlap in level {} of surface {}",
                                 blt.source.place.level, blt.source.surface.resource->handle),
                     fmt::format("{}, {}, {}, {}", area.left, area.top, area.right, area.bottom),
                     "beside the source rectangle"});
  return defects;
}

// Depth, block and palette formats have no conversion.
std::optional<RecordDefect> FindConversionDefect(const BltRecord& blt) {
  const d3d::FormatInfo& from = blt.source.surface.surface().info();
  const d3d::FormatInfo& to = blt.destination.surface.surface().info();
  const auto has_none = [](const d3d::FormatInfo& info) {
    return info.is_depth() || info.is_block() || info.has_palette() || info.is_buffer();
  };
  if (&from == &to || (!has_none(from) && !has_none(to))) return std::nullopt;
  return RecordDefect{Rule::kDp2Blt010, kDestination.handle,
                      fmt::format("no conversion from {} to {}", from.name, to.name),
                      std::string(to.name), std::string(from.name)};
}

}  // namespace

RecordDefects ReadBlt(const Space& space, const Record& record, BltRecord& blt) {
  RecordDefects defects;
  const uint32_t flags = record.U32(kFlags);
  if (flags > d3d::Value(d3d::BltFlag::Linear)) {
    defects.push_back({Rule::kDp2Blt005, kFlags,
                       fmt::format("Flags is {}", FlagsText(d3d::kBltFlagNames, flags)),
                       FlagsText(d3d::kBltFlagNames, flags), "0, POINT (1) or LINEAR (2)"});
  }
  for (RecordDefect& defect : ReadSides(space, record, blt))
    defects.push_back(std::move(defect));
  if (defects.empty()) Add(defects, FindConversionDefect(blt));
  return defects;
}

RecordDefects ReadSurfaceBlt(const Space& space, const Record& record, BltRecord& blt) {
  RecordDefects defects = ReadSides(space, record, blt);
  if (!defects.empty()) return defects;
  const d3d::FormatInfo& from = blt.source.surface.surface().info();
  const d3d::FormatInfo& to = blt.destination.surface.surface().info();
  if (&from != &to) {
    defects.push_back(
        {Rule::kDp2Blt006, kDestination.handle,
         fmt::format("the source has format {}, the destination {}", from.name, to.name),
         std::string(to.name), std::string(from.name)});
  }
  const image::Area& p = blt.source.place.area;
  const image::Area& q = blt.destination.place.area;
  if (p.width() != q.width() || p.height() != q.height()) {
    defects.push_back({Rule::kDp2Blt006, kDestination.rect,
                       fmt::format("the source is {} x {}, the destination {} x {}", p.width(),
                                   p.height(), q.width(), q.height()),
                       fmt::format("{} x {}", q.width(), q.height()),
                       fmt::format("{} x {}", p.width(), p.height())});
  }
  return defects;
}

// The level that the handle names. Source: lib/opcode/dp2.md 16.6.
RecordDefects ReadColorFill(const Space& space, const Record& record, BltSide& side) {
  constexpr FieldRef kSurface = stream::Field(layout::kColorFill, "surface");
  constexpr FieldRef kRect = stream::Field(layout::kColorFill, "rect");
  RecordDefects defects;
  Add(defects, FindSide(space, record, kSurface, side));
  if (!defects.empty()) return defects;
  side.place.level = side.surface.level;
  Add(defects, ReadRect(record, kRect, side));
  const d3d::FormatInfo& info = side.surface.surface().info();
  if (info.is_depth() || info.is_block()) {
    defects.push_back(
        {Rule::kDp2Blt011, kSurface,
         fmt::format("surface {} has format {}", side.surface.resource->handle, info.name),
         std::string(info.name), "a colour format"});
  }
  return defects;
}

}  // namespace dp2trace::device
