#include "replay/pictures.h"

#include <fmt/format.h>

#include <algorithm>

#include "image/output.h"

namespace dp2trace::replay {
namespace {

// [low, high) cut to [0, extent).
std::pair<uint32_t, uint32_t> Cut(int64_t low, int64_t high, uint32_t extent) {
  const int64_t end = extent;
  return {static_cast<uint32_t>(std::clamp<int64_t>(low, 0, end)),
          static_cast<uint32_t>(std::clamp<int64_t>(high, 0, end))};
}

bool IsEmpty(const image::Area& area) {
  return area.left >= area.right || area.top >= area.bottom || area.front >= area.back;
}

// The palette in force for the surface: of the first context of its space that attached one.
std::optional<image::Palette> FindPalette(const device::Device& device,
                                          const PictureRequest& request) {
  return device.PaletteOf(request.space, *request.surface.resource);
}

std::string FileOf(const PictureRequest& request, const ImageInfo& info) {
  std::string name;
  if (request.kind == ImageKind::kSurface) {
    name = fmt::format("surface-{}-f{}-l{}", info.surface, info.face, info.level);
  } else {
    name = fmt::format("{}-{:06}", Name(request.kind), request.sequence);
  }
  if (info.slice) name += fmt::format("-s{}", *info.slice);
  if (request.target != 0) name += fmt::format("-rt{}", request.target);
  if (request.names_event) name += fmt::format("-e{}", request.event);
  if (info.is_stencil) name += "-stencil";
  return name + ".png";
}

ImageInfo InfoOf(const PictureRequest& request, const image::Area& area) {
  ImageInfo info;
  info.kind = request.kind;
  info.sequence = request.sequence;
  info.event = request.event;
  info.target = request.target;
  info.surface = request.handle;
  info.face = request.surface.face;
  info.level = request.surface.level;
  if (request.surface.resource->is_volume()) info.slice = area.front;
  info.x = area.left;
  info.y = area.top;
  info.width = area.width();
  info.height = area.height();
  info.format = request.surface.surface().info().format;
  info.is_unfinished = request.is_unfinished;
  return info;
}

// One slice of the area.
Status MakePicture(const device::Device& device, const PictureRequest& request,
                   const image::Area& area, ImageSink& sink) {
  const image::Surface& surface = request.surface.surface();
  const std::optional<image::Palette> palette = FindPalette(device, request);
  const auto picture = image::ToPicture(surface, request.surface.face, request.surface.level, area,
                                        palette ? &*palette : nullptr);
  if (!picture.ok()) return picture.status();
  ImageInfo info = InfoOf(request, area);
  info.file = FileOf(request, info);
  info.hash = image::HashOf(*picture, info.format);
  if (image::LosesStoredBits(surface)) {
    const auto raw_hash =
        image::RawHashOf(surface, request.surface.face, request.surface.level, area);
    if (!raw_hash.ok()) return raw_hash.status();
    info.raw_hash = *raw_hash;
  }
  DP2TRACE_RETURN_IF_ERROR(sink.OnImage(info, *picture));
  if (!surface.info().has_stencil()) return OkStatus();
  const auto stencil =
      image::StencilPicture(surface, request.surface.face, request.surface.level, area);
  if (!stencil.ok()) return stencil.status();
  info.is_stencil = true;
  info.file = FileOf(request, info);
  info.hash = image::HashOf(*stencil, info.format);
  return sink.OnImage(info, *stencil);
}

}  // namespace

std::string_view Name(ImageKind kind) {
  constexpr std::string_view kNames[] = {"frame", "read", "draw", "surface"};
  return kNames[static_cast<size_t>(kind)];
}

std::optional<image::Area> AreaOf(const device::SurfaceRef& surface,
                                  const std::optional<d3d::Rect>& rect) {
  image::Area area = surface.surface().WholeLevel(surface.level);
  if (rect) {
    std::tie(area.left, area.right) = Cut(rect->left, rect->right, area.right);
    std::tie(area.top, area.bottom) = Cut(rect->top, rect->bottom, area.bottom);
  }
  return IsEmpty(area) ? std::nullopt : std::optional(area);
}

std::optional<image::Area> AreaOf(const device::SurfaceRef& surface, const d3d::Box& box) {
  image::Area area = surface.surface().WholeLevel(surface.level);
  std::tie(area.left, area.right) = Cut(box.left, box.right, area.right);
  std::tie(area.top, area.bottom) = Cut(box.top, box.bottom, area.bottom);
  std::tie(area.front, area.back) = Cut(box.front, box.back, area.back);
  return IsEmpty(area) ? std::nullopt : std::optional(area);
}

Status MakePictures(const device::Device& device, const PictureRequest& request, ImageSink& sink) {
  const uint64_t pixels =
      uint64_t{request.area.width()} * request.area.height() * request.area.depth();
  if (!device.work().Spend(device::kPictureSteps + pixels * device::kPicturePixelSteps))
    return OkStatus();  // REPLAY-WORK-001
  const d3d::FormatKind kind = request.surface.surface().info().kind;
  if (kind == d3d::FormatKind::kBuffer || kind == d3d::FormatKind::kNone) return OkStatus();
  image::Area slice = request.area;
  for (uint32_t front = request.area.front; front < request.area.back; ++front) {
    slice.front = front;
    slice.back = front + 1;
    DP2TRACE_RETURN_IF_ERROR(MakePicture(device, request, slice, sink));
  }
  return OkStatus();
}

Status MakeSurfacePictures(const device::Device& device, PictureRequest request, ImageSink& sink) {
  const image::SurfaceDescription& description = request.surface.surface().description();
  for (uint32_t face = 0; face < description.faces; ++face) {
    for (uint32_t level = 0; level < description.levels; ++level) {
      request.surface.face = face;
      request.surface.level = level;
      request.area = request.surface.surface().WholeLevel(level);
      DP2TRACE_RETURN_IF_ERROR(MakePictures(device, request, sink));
    }
  }
  return OkStatus();
}

}  // namespace dp2trace::replay
