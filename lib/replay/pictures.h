// Surfaces of the device as pictures, with their names and hashes.
// Source: lib/design.md 7; lib/raster/rendering-output.md 7.6.
#pragma once

#include <cstdint>
#include <optional>

#include "d3d/geometry.h"
#include "device/device.h"
#include "replay/images.h"

namespace dp2trace::replay {

// What a picture shows, and why it is made.
struct PictureRequest {
  ImageKind kind = ImageKind::kFrame;
  uint64_t sequence = 0;
  uint64_t event = 0;
  uint32_t target = 0;
  uint32_t space = 0;
  uint32_t handle = 0;
  device::SurfaceRef surface;
  image::Area area;
  bool is_unfinished = false;
  bool names_event = false;  // "-eEVENT" in the name: a surface picture in the middle of the trace
};

// The part of the rectangle that lies on the level; nothing where there is none.
std::optional<image::Area> AreaOf(const device::SurfaceRef& surface,
                                  const std::optional<d3d::Rect>& rect);
std::optional<image::Area> AreaOf(const device::SurfaceRef& surface, const d3d::Box& box);

// Makes the picture (one for each slice of the area, and one more for a stencil part) and gives it to the sink.
// A surface that has no picture (a buffer, FOURCC NULL) gives none.
Status MakePictures(const device::Device& device, const PictureRequest& request, ImageSink& sink);

// Every face, level and slice of the surface.
Status MakeSurfacePictures(const device::Device& device, PictureRequest request, ImageSink& sink);

}  // namespace dp2trace::replay
