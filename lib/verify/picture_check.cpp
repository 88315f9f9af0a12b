#include "verify/picture_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "d3d/notation.h"
#include "image/output.h"
#include "rules/rule.h"

namespace dp2trace::verify {
namespace {

constexpr size_t kAlpha = 3;
constexpr uint8_t kOpaque = 255;

Status Refuse(std::string message) {
  return Status(MakeDiagnostic(Rule::kRecordPicture002, std::move(message)));
}

// The pixels of the event as a surface of their own, in the format that it names.
Result<image::Surface> SurfaceOf(const trace::Picture& event, const device::Resource& resource,
                                 const image::Area& area) {
  trace::SurfaceCreate create;
  create.kind = trace::SurfaceKind::kPlain;
  create.format = event.format;
  create.pixel_format = event.pixel_format;
  if (event.format == 0 && !event.pixel_format)
    create.format = static_cast<uint32_t>(resource.surface.info().format);
  create.width = area.width();
  create.height = area.height();
  const Result<image::SurfaceDescription> description = device::DescribeSurface(create);
  if (!description.ok()) return Refuse(description.status().diagnostic().message);
  Result<image::Surface> surface = image::Surface::Create(*description);
  if (!surface.ok()) return Refuse(surface.status().diagnostic().message);
  const image::AreaBytes bytes{.bytes = event.data, .pitch = event.pitch.value_or(0)};
  const Status updated = surface->Update(0, 0, surface->WholeLevel(0), bytes);
  if (!updated.ok()) return Refuse(updated.diagnostic().message);
  return surface;
}

Result<image::Area> AreaOf(const trace::Picture& event, const device::SurfaceRef& surface) {
  image::Area area = surface.surface().WholeLevel(surface.level);
  area.back = area.front + 1;
  if (!event.rect) return area;
  const trace::Rect& rect = *event.rect;
  const bool is_inside = rect.left >= 0 && rect.top >= 0 && rect.left < rect.right &&
                         rect.top < rect.bottom && rect.right <= static_cast<int64_t>(area.right) &&
                         rect.bottom <= static_cast<int64_t>(area.bottom);
  if (!is_inside) {
    return Refuse(fmt::format("the region {},{},{},{} is not part of a level of {}x{}", rect.left,
                              rect.top, int64_t{rect.right} - rect.left,
                              int64_t{rect.bottom} - rect.top, area.right, area.bottom));
  }
  area.left = static_cast<uint32_t>(rect.left);
  area.top = static_cast<uint32_t>(rect.top);
  area.right = static_cast<uint32_t>(rect.right);
  area.bottom = static_cast<uint32_t>(rect.bottom);
  return area;
}

void MakeOpaque(image::Picture& picture) {
  for (size_t i = kAlpha; i < picture.rgba.size(); i += 4)
    picture.rgba[i] = kOpaque;
}

}  // namespace

Result<PicturePair> PairPictures(const device::Device& device, const trace::Picture& event) {
  const device::Space* const space = device.FindSpace(event.space);
  device::SurfaceRef surface = space != nullptr ? space->Find(event.handle) : device::SurfaceRef{};
  if (!surface) {
    const std::string where = event.space == 0 ? "" : fmt::format(" in space {}", event.space);
    return Refuse(fmt::format("surface {} does not exist{}", event.handle, where));
  }
  // Numbers beside a sub-level's own handle count from that level.
  surface.face = std::max(surface.face, event.face);
  surface.level += event.level;
  if (!surface.surface().HasLevel(surface.face, surface.level)) {
    return Refuse(fmt::format("surface {} has no face {}, level {}", event.handle, surface.face,
                              surface.level));
  }
  if (surface.resource->is_buffer() || !surface.resource->has_pixels())
    return Refuse(fmt::format("surface {} has no pixels", event.handle));
  Result<image::Area> area = AreaOf(event, surface);
  if (!area.ok()) return area.status();
  const Result<image::Surface> given = SurfaceOf(event, *surface.resource, *area);
  if (!given.ok()) return given.status();

  const std::optional<image::Palette> palette = device.PaletteOf(event.space, *surface.resource);
  const image::Palette* const colors = palette ? &*palette : nullptr;
  const image::Surface& stored = surface.surface();
  Result<image::Picture> replay =
      image::ToPicture(stored, surface.face, surface.level, *area, colors);
  Result<image::Picture> driver = image::ToPicture(*given, 0, 0, given->WholeLevel(0), colors);
  if (!replay.ok()) return Refuse(replay.status().diagnostic().message);
  if (!driver.ok()) return Refuse(driver.status().diagnostic().message);
  if (!stored.info().has_alpha() || !given->info().has_alpha()) {
    MakeOpaque(*replay);
    MakeOpaque(*driver);
  }
  return PicturePair{*area, surface.face, surface.level, std::move(*driver), std::move(*replay)};
}

PictureDifference Compare(const PicturePair& pair, const image::LooseOptions& options) {
  const image::LooseComparison found = image::CompareLoosely(pair.driver, pair.replay, options);
  const image::Comparison& beyond = found.beyond;
  PictureDifference result;
  result.pixels = beyond.differing_pixels;
  result.largest = std::max(beyond.largest_difference, found.largest_tolerated);
  if (result.pixels == 0) return result;
  const image::Area& area = pair.area;
  result.left = area.left + beyond.left;
  result.top = area.top + beyond.top;
  result.right = area.left + beyond.right;
  result.bottom = area.top + beyond.bottom;
  const image::PixelDifference& first = *beyond.first;
  result.first = {area.left + first.x, area.top + first.y, first.expected, first.actual};
  return result;
}

std::string Describe(const PictureDifference& difference, const image::Area& area,
                     uint32_t tolerance) {
  const std::string beyond = tolerance == 0 ? "" : fmt::format(" by more than {}", tolerance);
  return fmt::format(
      "{} of {} pixels differ{}, in region {}; first at {},{}: the driver has {}, the "
      "replay {}; largest difference {}",
      difference.pixels, uint64_t{area.width()} * area.height(), beyond,
      d3d::RectangleText(difference.left, difference.top, difference.right, difference.bottom),
      difference.first->x, difference.first->y, d3d::ColorText(difference.first->driver),
      d3d::ColorText(difference.first->replay), difference.largest);
}

}  // namespace dp2trace::verify
