// Blits between levels, fills, mip generation. Source: DP2 specification, 16.4 to 16.7; rendering specification, 7.2 to 7.4.
#include <fmt/format.h>

#include <algorithm>

#include "device/apply.h"
#include "device/blt.h"
#include "device/token.h"
#include "image/fill.h"

namespace dp2trace::device {
namespace {

namespace layout = opcode::layout;
using stream::FieldRef;
using stream::Record;

constexpr FieldRef kFlags = stream::Field(layout::kBlt, "flags");
constexpr uint32_t kMaxFilter = 8;

// One side of a blit.
struct SideFields {
  FieldRef handle, rect, level;
};
constexpr SideFields kSource = {stream::Field(layout::kBlt, "source"), stream::Field(layout::kBlt, "source_rect"),
                                stream::Field(layout::kBlt, "source_mip_level")};
constexpr SideFields kDestination = {stream::Field(layout::kBlt, "dest"), stream::Field(layout::kBlt, "dest_rect"),
                                     stream::Field(layout::kBlt, "dest_mip_level")};
// SURFACEBLT has the same fields in the same places.
static_assert(stream::Field(layout::kSurfaceBlt, "source_rect").offset == kSource.rect.offset &&
              stream::Field(layout::kSurfaceBlt, "dest").offset == kDestination.handle.offset &&
              stream::Field(layout::kSurfaceBlt, "dest_mip_level").offset == kDestination.level.offset);

struct Side {
  SurfaceRef surface;
  BltPlace place;
};

// The rectangle of a level; false after a report.
bool ReadRect(const Token& token, const Record& record, FieldRef field, Side& side) {
  const trace::Rect rect = {record.I32(field, 0), record.I32(field, 1), record.I32(field, 2), record.I32(field, 3)};
  const image::Area whole = side.surface.surface().WholeLevel(side.place.level);
  const bool is_inside = rect.left >= 0 && rect.top >= 0 && rect.left <= rect.right && rect.top <= rect.bottom &&
                         static_cast<uint32_t>(rect.right) <= whole.right &&
                         static_cast<uint32_t>(rect.bottom) <= whole.bottom;
  if (!is_inside) {
    token.Report(Rule::kDp2Blt003, record,
                 fmt::format("rectangle {}, {}, {}, {} of a level of {} x {}", rect.left, rect.top, rect.right, rect.bottom,
                             whole.right, whole.bottom));
    return false;
  }
  side.place.area = {static_cast<uint32_t>(rect.left), static_cast<uint32_t>(rect.top), static_cast<uint32_t>(rect.right),
                     static_cast<uint32_t>(rect.bottom)};
  return true;
}

bool FindSide(const Token& token, const Record& record, uint32_t handle, uint32_t level, FieldRef rect, Side& side) {
  side.surface = token.FindSurface(Rule::kDp2Blt001, record, handle);
  if (!side.surface) return false;
  side.place.face = side.surface.face;
  const uint64_t number = uint64_t{side.surface.level} + level;
  const uint32_t levels = side.surface.surface().description().levels;
  if (number >= levels) {
    token.Report(Rule::kDp2Blt002, record, fmt::format("surface {} has no level {}", handle, number), fmt::format("{}", number),
                 fmt::format("below {}", levels));
    return false;
  }
  side.place.level = static_cast<uint32_t>(number);
  return ReadRect(token, record, rect, side);
}

bool FindSides(const Token& token, const Record& record, Side& source, Side& destination) {
  return FindSide(token, record, record.U32(kSource.handle), record.U32(kSource.level), kSource.rect, source) &&
         FindSide(token, record, record.U32(kDestination.handle), record.U32(kDestination.level), kDestination.rect,
                  destination);
}

bool Overlap(const Side& a, const Side& b) {
  if (a.surface.resource != b.surface.resource || a.place.face != b.place.face || a.place.level != b.place.level) return false;
  const image::Area& p = a.place.area;
  const image::Area& q = b.place.area;
  return p.left < q.right && q.left < p.right && p.top < q.bottom && q.top < p.bottom;
}

bool CheckOverlap(const Token& token, const Record& record, const Side& source, const Side& destination) {
  if (!Overlap(source, destination)) return true;
  token.Report(Rule::kDp2Blt009, record, "source and destination overlap");
  return false;
}

// Depth, block and palette formats have no conversion. Source: DP2-BLT-010.
bool CheckConversion(const Token& token, const Record& record, const Side& source, const Side& destination) {
  const d3d::FormatInfo& from = source.surface.surface().info();
  const d3d::FormatInfo& to = destination.surface.surface().info();
  const auto has_none = [](const d3d::FormatInfo& info) {
    return info.is_depth() || info.is_block() || info.has_palette() || info.is_buffer();
  };
  if (&from == &to || (!has_none(from) && !has_none(to))) return true;
  token.Report(Rule::kDp2Blt010, record, fmt::format("no conversion from {} to {}", from.name, to.name));
  return false;
}

void Blit(const Token& token, const Record& record, const Side& source, const Side& destination, StretchFilter filter) {
  const Status status = Stretch(source.surface.surface(), source.place, destination.surface.surface(), destination.place,
                                {.filter = filter, .source_key = {}, .destination_key = {}});
  if (!status.ok()) token.Report(status, record);
}

}  // namespace

void ApplyBlt(Token& token) {
  for (const Record& record : token.Records()) {
    const uint32_t flags = record.U32(kFlags);
    if (flags > d3d::Value(d3d::BltFlag::Linear)) {
      token.Report(Rule::kDp2Blt005, record, fmt::format("flags {:#x}", flags), fmt::format("{:#x}", flags), "0, 1 or 2");
      continue;
    }
    Side source;
    Side destination;
    const bool is_legal = FindSides(token, record, source, destination) && CheckOverlap(token, record, source, destination) &&
                          CheckConversion(token, record, source, destination);
    // Flags 0 leave the filter to the driver. Chosen: point, which is exact.
    const bool is_linear = flags == d3d::Value(d3d::BltFlag::Linear);
    if (is_legal) Blit(token, record, source, destination, is_linear ? StretchFilter::kLinear : StretchFilter::kPoint);
  }
}

void ApplySurfaceBlt(Token& token) {
  for (const Record& record : token.Records()) {
    Side source;
    Side destination;
    if (!FindSides(token, record, source, destination) || !CheckOverlap(token, record, source, destination)) continue;
    const bool is_equal = &source.surface.surface().info() == &destination.surface.surface().info() &&
                          source.place.area.width() == destination.place.area.width() &&
                          source.place.area.height() == destination.place.area.height();
    if (!is_equal) {
      token.Report(Rule::kDp2Blt006, record, "sizes or formats differ");
      continue;
    }
    Blit(token, record, source, destination, StretchFilter::kPoint);
  }
}

void ApplyColorFill(Token& token) {
  constexpr FieldRef kSurface = stream::Field(layout::kColorFill, "surface");
  constexpr FieldRef kRect = stream::Field(layout::kColorFill, "rect");
  constexpr FieldRef kColor = stream::Field(layout::kColorFill, "color");
  for (const Record& record : token.Records()) {
    Side side;
    if (!FindSide(token, record, record.U32(kSurface), 0, kRect, side)) continue;
    image::Surface& surface = side.surface.surface();
    if (surface.info().is_depth() || surface.info().is_block() || surface.info().is_buffer()) {
      token.Report(Rule::kDp2Blt011, record, fmt::format("the format is {}", surface.info().name));
      continue;
    }
    const Status status = image::Fill(surface, side.place.face, side.place.level, side.place.area, record.U32(kColor));
    if (!status.ok()) token.Report(status, record);
  }
}

void ApplyGenerateMipSubLevels(Token& token) {
  constexpr FieldRef kSurface = stream::Field(layout::kGenerateMipSubLevels, "surface");
  constexpr FieldRef kFilter = stream::Field(layout::kGenerateMipSubLevels, "filter");
  for (const Record& record : token.Records()) {
    const SurfaceRef texture = token.FindSurface(Rule::kDp2MipGen001, record, record.U32(kSurface));
    if (!texture) continue;
    const Resource& resource = *texture.resource;
    const uint32_t filter = record.U32(kFilter);
    if (!resource.is_texture() && !resource.lacks_caps()) {
      token.Report(Rule::kDp2MipGen001, record, fmt::format("surface {} is no texture", resource.handle));
    } else if (!resource.has_auto_levels() && !resource.lacks_caps()) {
      token.Report(Rule::kDp2MipGen002, record, fmt::format("surface {} lacks AUTOGENMIPMAP", resource.handle));
    } else if (filter == 0 || filter > kMaxFilter) {
      token.Report(Rule::kDp2MipGen003, record, fmt::format("filter {}", filter), fmt::format("{}", filter), "1 to 8");
    } else {
      const bool is_point = filter == d3d::Value(d3d::TextureFilter::Point);
      MakeSubLevels(texture.surface(), is_point ? StretchFilter::kPoint : StretchFilter::kLinear);
    }
  }
}

}  // namespace dp2trace::device
