// The events of a device that concern surfaces. Source: lib/design.md 3; lib/opcode/dp2.md 12 and 13; lib/raster/rendering-output.md 7.2.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/plain_text.h"
#include "device/blt.h"
#include "device/device.h"
#include "device/place.h"
#include "rules/rule.h"

namespace dp2trace::device {
namespace {

constexpr uint32_t kKeySource = 0x8000;  // DDBLT_KEYSRC

// The area of an update or blit; nothing where a number is negative.
std::optional<image::Area> AreaOf(const d3d::Rect& rect) {
  if (rect.left < 0 || rect.top < 0 || rect.right < 0 || rect.bottom < 0) return std::nullopt;
  return image::Area{static_cast<uint32_t>(rect.left), static_cast<uint32_t>(rect.top),
                     static_cast<uint32_t>(rect.right), static_cast<uint32_t>(rect.bottom)};
}

// What the data looks like where its pitch says, in front of a message: a picture of the wrong size is seen so. Empty where texels have no bytes of their own.
std::string ExtentClause(const trace::SurfaceUpdate& update, const d3d::FormatInfo& info,
                         const image::Area& area) {
  const uint64_t pitch = update.pitch.value_or(0);
  const bool has_texels = info.block_width == 1 && info.block_height == 1 && info.block_size != 0;
  if (!has_texels || area.depth() != 1 || pitch == 0 || pitch % info.block_size != 0 ||
      update.data.size() % pitch != 0)
    return {};
  return fmt::format(
      "the data has {} of {}, the area {} of {}: ", Counted(update.data.size() / pitch, "row"),
      Counted(pitch / info.block_size, "texel"), Counted(area.height(), "row"), area.width());
}

std::optional<image::Area> AreaOf(const trace::SurfaceUpdate& update, const image::Area& whole) {
  if (update.box) {
    const d3d::Box& box = *update.box;
    return image::Area{box.left, box.top, box.right, box.bottom, box.front, box.back};
  }
  return update.rect ? AreaOf(*update.rect) : whole;
}

Status NegativeRect(std::string path, const d3d::Rect& rect) {
  Diagnostic finding = MakeDiagnostic(Rule::kReplaySurface002, "a coordinate is negative");
  finding.path = std::move(path);
  finding.actual = fmt::format("{}, {}, {}, {}", rect.left, rect.top, rect.right, rect.bottom);
  finding.expected = "0 or more";
  return Status(std::move(finding));
}

Status WriteArea(const trace::SurfaceUpdate& update, const SurfaceRef& target) {
  image::Surface& surface = target.surface();
  if (update.range)
    return surface.UpdateRange(target.face, target.level, update.range->offset, update.data);
  if (target.resource->is_buffer())
    return surface.UpdateRange(target.face, target.level, 0, update.data);
  const std::optional<image::Area> area = AreaOf(update, surface.WholeLevel(target.level));
  if (!area) return NegativeRect("rect", *update.rect);
  return surface.Update(target.face, target.level, *area,
                        {update.data, update.pitch.value_or(0), update.slice_pitch.value_or(0)});
}

// DP2-SURF-017, DP2-SURF-018, DP2-SURF-030: what is wrong with the bytes of an update, or nothing. The last row needs no padding.
std::optional<Defect> FindContentDefect(const trace::SurfaceUpdate& update,
                                        const SurfaceRef& target) {
  if (update.range || target.resource->is_buffer()) return std::nullopt;
  const image::Surface& surface = target.surface();
  const std::optional<image::Area> area = AreaOf(update, surface.WholeLevel(target.level));
  if (!area || !surface.CheckArea(target.face, target.level, *area).ok())
    return std::nullopt;  // reported by the write
  if (area->width() == 0 || area->height() == 0 || area->depth() == 0) return std::nullopt;
  const d3d::FormatInfo& info = surface.info();
  const uint64_t row = d3d::RowSize(info, area->width());
  const uint64_t pitch = update.pitch.value_or(0) == 0 ? row : *update.pitch;
  if (pitch < row) {
    return EventDefect(Rule::kDp2Surf017, "pitch",
                       fmt::format("{}the pitch is {}, a row of {} texels of {} has {}",
                                   ExtentClause(update, info, *area), Counted(pitch, "byte"),
                                   area->width(), info.name, row),
                       fmt::format("{}", pitch), fmt::format("{} or more", row));
  }
  const uint64_t rows = d3d::RowCount(info, area->height());
  const uint64_t slice = update.slice_pitch.value_or(0) == 0 ? pitch * rows : *update.slice_pitch;
  if (slice < pitch * (rows - 1) + row) return std::nullopt;  // REPLAY-SURFACE-004
  const uint64_t slices = area->depth();
  const uint64_t needed = slice * (slices - 1) + pitch * (rows - 1) +
                          row;  // 32-bit factors, at most 16384 slices and rows
  if (info.kind == d3d::FormatKind::kPlanarYuv) return std::nullopt;
  const uint64_t most = std::max(needed, slice * slices);
  const auto wrong_size = [&](Rule rule, const std::string& expected) {
    return EventDefect(
        rule, "data",
        fmt::format("{}{} given, {} expected for {} of {} {}", ExtentClause(update, info, *area),
                    Counted(update.data.size(), "byte"), expected, Counted(slices, "slice"),
                    Counted(rows, "row"),
                    update.pitch.value_or(0) == 0
                        ? fmt::format("of {}; no pitch given", Counted(row, "byte"))
                        : fmt::format("with a pitch of {}", pitch)),
        fmt::format("{}", update.data.size()), expected);
  };
  if (update.data.size() > most)
    return wrong_size(Rule::kDp2Surf030, fmt::format("at most {}", most));
  if (needed <= update.data.size()) return std::nullopt;
  return wrong_size(Rule::kDp2Surf018, fmt::format("{} or more", needed));
}

// DP2-SURF-004: the handle of another live surface among those that the event announces; 0 where there is none.
uint32_t FindTakenHandle(const Space& owner, const trace::SurfaceCreate& create) {
  if (const SurfaceRef live = owner.Find(create.handle);
      live && live.resource->handle != create.handle)
    return create.handle;
  for (const trace::SubSurface& sub : create.sub_surfaces) {
    if (sub.handle == 0 || sub.handle == create.handle) continue;
    const SurfaceRef live = owner.Find(sub.handle);
    if (live && live.resource->handle != create.handle) return sub.handle;
  }
  return 0;
}

// A change of the display mode gives the surfaces of the primary flip chain another size; they keep their handles.
bool IsModeChange(const trace::SurfaceCreate& create, const Resource& resource) {
  return (create.caps & resource.caps & (kCapsFlip | kCapsPrimary)) != 0;
}

std::optional<BltPlace> PlaceOf(const SurfaceRef& surface, const std::optional<d3d::Rect>& rect) {
  const std::optional<image::Area> area =
      rect ? AreaOf(*rect) : surface.surface().WholeLevel(surface.level);
  if (!area) return std::nullopt;
  return BltPlace{surface.face, surface.level, *area};
}

// Unspecified: DDBLT_KEYDEST without a recorded key; chosen: no key, since surfaces keep only their source key.
BltOptions OptionsOf(const trace::Blt& blt, const Resource& source) {
  BltOptions options = {.source_key = blt.src_color_key, .destination_key = blt.dest_color_key};
  if (!options.source_key && (blt.flags & kKeySource) != 0) options.source_key = source.color_key;
  return options;
}

// That an event names no live surface; nothing where it was refused, which has been reported.
Defects AbsenceOf(const Space& owner, uint32_t handle, std::string path) {
  const Absence absence = owner.history().Find(handle);
  if (handle != 0 && absence == Absence::kRefused) return {};
  const Rule rule = handle == 0                      ? Rule::kDp2Surf001
                    : absence == Absence::kDestroyed ? Rule::kDp2Surf003
                                                     : Rule::kDp2Surf002;
  return {EventDefect(rule, std::move(path),
                      handle == 0
                          ? "surface handle 0 has no meaning here"
                          : fmt::format("surface {} {}", handle, owner.history().Describe(handle)),
                      fmt::format("{}", handle), "a live surface")};
}

}  // namespace

std::optional<uint64_t> LargestUpdate(const trace::SurfaceUpdate& update, const SurfaceRef& place) {
  const image::Surface& surface = place.surface();
  if (update.range) return update.range->size;
  if (place.resource->is_buffer()) return surface.size_bytes();
  const std::optional<image::Area> area = AreaOf(update, surface.WholeLevel(place.level));
  const d3d::FormatInfo& info = surface.info();
  if (!area || !surface.CheckArea(place.face, place.level, *area).ok() ||
      info.kind == d3d::FormatKind::kPlanarYuv)
    return std::nullopt;
  const uint64_t pitch =
      std::max<uint64_t>(update.pitch.value_or(0), d3d::RowSize(info, area->width()));
  const uint64_t slice = std::max<uint64_t>(update.slice_pitch.value_or(0),
                                            pitch * d3d::RowCount(info, area->height()));
  return slice * area->depth();
}

Defects Device::OnSurfaceCreate(const trace::SurfaceCreate& create) {
  Defects defects;
  Space& owner = space(create.space);
  const auto live = owner.roots().find(create.handle);
  if (live != owner.roots().end() && !IsSameSurface(create, *live->second) &&
      !IsModeChange(create, *live->second)) {
    defects.push_back(EventDefect(
        Rule::kDp2Surf004, "handle",
        fmt::format("surface {} lives with other properties and is replaced", create.handle),
        fmt::format("{}", create.handle), "a handle that is not in use"));
  } else if (const uint32_t taken = FindTakenHandle(owner, create); taken != 0) {
    defects.push_back(
        EventDefect(Rule::kDp2Surf004, "handle",
                    fmt::format("surface {} takes handle {}, which surface {} has", create.handle,
                                taken, owner.Find(taken).resource->handle),
                    fmt::format("{}", taken), "a handle that is not in use"));
  }
  const uint64_t rest =
      options_.max_surface_bytes - std::min(options_.max_surface_bytes, surface_bytes_);
  const Status status = owner.Create(create, options_.surfaces, rest);
  if (!status.ok()) defects.push_back(EventDefect("handle", status));
  return defects;
}

Defects Device::OnSurfaceDestroy(const trace::SurfaceDestroy& destroy) {
  Space& owner = space(destroy.space);
  if (!owner.Destroy(destroy.handle)) {
    if (destroy.handle != 0 && owner.history().IsReported(destroy.handle)) return {};
    return {EventDefect(
        Rule::kDp2Surf006, "handle",
        fmt::format("surface {} {}", destroy.handle, owner.history().Describe(destroy.handle)),
        fmt::format("{}", destroy.handle), "a live surface")};
  }
  // A later surface with this number starts without palette.
  for (const auto& [key, context] : ContextsOf(destroy.space)) {
    if (!work_.Spend(kContextSteps)) break;
    context->palette_bindings.erase(destroy.handle);
  }
  return {};
}

Defects Device::OnSurfaceUse(uint32_t space_id, uint32_t handle, std::string path) {
  const Space& owner = space(space_id);
  return owner.Find(handle) ? Defects() : AbsenceOf(owner, handle, std::move(path));
}

SurfaceRef Device::FindArea(uint32_t space_id, uint32_t handle, uint32_t face, uint32_t level,
                            std::string path, Defects& defects) {
  const Space& owner = space(space_id);
  SurfaceRef found = owner.Find(handle);
  if (!found) {
    defects = AbsenceOf(owner, handle, std::move(path));
    return {};
  }
  // A sub-surface handle names its face; the root takes the face that the event says.
  if (found.resource->handle == handle) found.face = face;
  const uint64_t number = uint64_t{found.level} + level;
  if (found.face < found.surface().description().faces &&
      number < found.surface().description().levels) {
    found.level = static_cast<uint32_t>(number);
    return found;
  }
  defects = {EventDefect(
      Rule::kReplaySurface002, std::move(path),
      fmt::format("surface {} has no face {}, level {}", handle, found.face, number),
      fmt::format("face {}, level {}", found.face, number),
      fmt::format("a face below {}, a level below {}", found.surface().description().faces,
                  found.surface().description().levels))};
  return {};
}

Defects Device::OnSurfaceUpdate(const trace::SurfaceUpdate& update) {
  Defects defects;
  const SurfaceRef target =
      FindArea(update.space, update.handle, update.face, update.level, "handle", defects);
  if (!target) return defects;
  std::optional<Defect> defect = FindContentDefect(update, target);
  const bool has_surplus = defect && defect->rule == Rule::kDp2Surf030;
  if (defect && !has_surplus) return {*std::move(defect)};
  if (!work_.Spend(update.data.size())) return {};
  const Status status = WriteArea(update, target);
  if (!status.ok()) return {EventDefect("data", status)};
  return has_surplus ? Defects{*std::move(defect)} : Defects();
}

Defects Device::OnBlt(const trace::Blt& blt) {
  if (HasFailed(blt.ddrval)) return {};
  Defects defects;
  const SurfaceRef destination =
      FindArea(blt.space, blt.dest, blt.dest_face, blt.dest_level, "dest", defects);
  if (!destination) return defects;
  const std::optional<BltPlace> to = PlaceOf(destination, blt.dest_rect);
  if (!to) return {EventDefect("dest_rect", NegativeRect("dest_rect", *blt.dest_rect))};
  if (blt.kind != trace::BltKind::kCopy) {
    if (!work_.Spend(StepsOf(destination.surface(), *to))) return {};
    const bool is_depth = blt.kind == trace::BltKind::kDepthFill;
    const Status status = is_depth ? FillRawDepth(destination.surface(), *to, blt.fill)
                                   : FillRaw(destination.surface(), *to, blt.fill);
    return status.ok() ? Defects() : Defects{EventDefect("dest", status)};
  }
  const SurfaceRef source =
      FindArea(blt.space, blt.src, blt.src_face, blt.src_level, "src", defects);
  if (!source) return defects;
  const std::optional<BltPlace> from = PlaceOf(source, blt.src_rect);
  if (!from) return {EventDefect("src_rect", NegativeRect("src_rect", *blt.src_rect))};
  BltOptions options = OptionsOf(blt, *source.resource);
  // A palette is bound by a context.
  const std::optional<image::Palette> palette = PaletteOf(blt.space, *source.resource);
  if (palette) options.palette = &*palette;
  if (!work_.Spend(StretchSteps(source.surface(), destination.surface(), *to))) return {};
  const Status status = Stretch(source.surface(), *from, destination.surface(), *to, options);
  return status.ok() ? Defects() : Defects{EventDefect("src", status)};
}

}  // namespace dp2trace::device
