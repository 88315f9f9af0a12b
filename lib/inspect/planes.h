// What a surface shows, as the page gets it: pixels of one plane of one face and level, and where two contents differ.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "image/output.h"
#include "image/surface.h"
#include "image/texel.h"

namespace dp2trace::inspect {

enum class Plane : uint8_t { kColor, kDepth, kStencil };
// "color", "depth", "stencil".
std::string_view Name(Plane plane);
// How its pixels are stored: "rgba8" (R, G, B, A), "depth" (f32, 0 to 1), "stencil" (u8).
std::string_view FormatOf(Plane plane);

// Planes of a surface with this format; none of one that shows nothing: buffers, FOURCC NULL.
std::vector<Plane> PlanesOf(const d3d::FormatInfo& info);

// Pixels of the area (one slice), rows from top to bottom without padding; colours as a replay writes them. Empty where the area is no
// part of the level, or too large for a picture.
std::vector<uint8_t> ReadPlane(const image::Surface& surface, uint32_t face, uint32_t level,
                               Plane plane, const image::Area& area, const image::Palette* palette);

// How two contents of one size and format differ in the area, by planes: ReadPlane() of the one XOR that of the other. Planes that are
// the same are left out.
struct PlaneChange {
  Plane plane{};
  std::vector<uint8_t> bytes;
};
std::vector<PlaneChange> PlaneDifferences(const image::PictureSource& before,
                                          const image::PictureSource& after,
                                          const image::Area& area);

// The smallest area of whole blocks, within `area` grown to blocks, outside of which that part of two levels of equal size and format (in
// all slices and samples) holds the same bytes. Of planar formats the whole level is looked at.
std::optional<image::Area> FindDifference(const image::ConstLevel& a, const image::ConstLevel& b,
                                          const image::Area& area);
// Copies the area, which is one of FindDifference(), in all slices and samples.
void CopyBlocks(const image::ConstLevel& from, const image::Area& area, const image::Level& to);

}  // namespace dp2trace::inspect
