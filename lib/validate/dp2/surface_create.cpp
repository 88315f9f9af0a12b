#include "validate/dp2/surface_create.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

#include "device/resource.h"
#include "image/surface.h"
#include "rules/rule.h"
#include "validate/memory.h"

namespace dp2trace::validate {
namespace {

using trace::SubSurface;
using trace::SurfaceCreate;

constexpr uint32_t kMaxHandle = 1'000'000;
constexpr uint32_t kMaxLevels = 32;  // a longer chain is refused
constexpr uint32_t kFaceMask = 0x3F;

std::string PathOf(size_t sub) {
  return fmt::format("sub_surfaces/{}", sub);
}

// The face that the root stands for.
uint32_t RootFace(const SurfaceCreate& event) {
  return event.faces == 0 ? 0 : static_cast<uint32_t>(std::countr_zero(event.faces & kFaceMask));
}

// ---------- handles ----------

// DP2-SURF-005.
void CheckRepeated(const EventView& view, const SurfaceCreate& event) {
  const device::Space* const space = view.device.FindSpace(event.space);
  if (space == nullptr) return;
  const auto live = space->roots().find(event.handle);
  if (live == space->roots().end() || !live->second->is_announced ||
      !device::IsSameSurface(event, *live->second))
    return;
  view.findings.Add(
      Rule::kDp2Surf005, "handle",
      fmt::format("surface {} is announced again, with the same properties", event.handle),
      fmt::format("{}", event.handle));
}

// DP2-SURF-019. At level 6 a texture handle is the driver's own number.
void CheckHandleSize(const EventView& view, const SurfaceCreate& event) {
  const trace::Header& header = view.header();
  if (header.dp2_handle_mode == trace::Dp2HandleMode::kIdentity) return;
  if (header.driver_level < 7 && event.kind == trace::SurfaceKind::kTexture) return;
  uint32_t largest = event.handle;
  for (const uint32_t handle : event.flip_chain)
    largest = std::max(largest, handle);
  for (const SubSurface& sub : event.sub_surfaces)
    largest = std::max(largest, sub.handle);
  if (largest <= kMaxHandle) return;
  view.findings.Add(Rule::kDp2Surf019, "handle",
                    fmt::format("surface handle {} is no small integer", largest),
                    fmt::format("{}", largest), fmt::format("at most {}", kMaxHandle));
}

// ---------- mip chains ----------

// DP2-SURF-009.
void CheckLevelCount(const EventView& view, const SurfaceCreate& event) {
  const uint32_t full = d3d::FullLevelCount(event.width, event.height, event.depth);
  if (event.levels <= full || event.levels > kMaxLevels) return;
  view.findings.Add(
      Rule::kDp2Surf009, "levels",
      fmt::format("surface {} of {} x {} x {} has {} levels, level {} is already 1 x 1",
                  event.handle, event.width, event.height, event.depth, event.levels, full - 1),
      fmt::format("{}", event.levels), fmt::format("at most {}", full));
}

struct Extent {
  uint32_t width = 0, height = 0;
  bool operator==(const Extent&) const = default;
};
Extent ExtentOf(const SurfaceCreate& event, uint32_t level) {
  return {d3d::ClipLevelExtent(event.width, level), d3d::ClipLevelExtent(event.height, level)};
}
Extent ExtentOf(const SurfaceCreate& event, const SubSurface& sub) {
  const Extent implied = ExtentOf(event, sub.level);
  return {sub.width.value_or(implied.width), sub.height.value_or(implied.height)};
}

// The extents that the event records, or that the root implies, by face and level.
using Extents = std::array<std::array<Extent, kMaxLevels>, image::kCubeFaces>;
Extents ExtentsOf(const SurfaceCreate& event) {
  Extents extents;
  for (auto& face : extents) {
    for (uint32_t level = 0; level < kMaxLevels; ++level)
      face[level] = ExtentOf(event, level);
  }
  for (const SubSurface& sub : event.sub_surfaces) {
    if (sub.face < image::kCubeFaces && sub.level < kMaxLevels)
      extents[sub.face][sub.level] = ExtentOf(event, sub);
  }
  return extents;
}

// DP2-SURF-008. A level is right if it halves the one above, or if it is what the top level implies: then the one above is wrong.
void CheckLevelExtent(const EventView& view, const SurfaceCreate& event, const Extents& extents,
                      size_t index) {
  const SubSurface& sub = event.sub_surfaces[index];
  if (sub.level == 0 || sub.level >= kMaxLevels || sub.face >= image::kCubeFaces ||
      (!sub.width && !sub.height))
    return;
  const Extent found = ExtentOf(event, sub);
  const Extent expected = ExtentOf(event, sub.level);
  if (found == expected) return;
  const Extent above = extents[sub.face][sub.level - 1];
  if (found == Extent{d3d::ClipLevelExtent(above.width, 1), d3d::ClipLevelExtent(above.height, 1)})
    return;
  view.findings.Add(Rule::kDp2Surf008, PathOf(index),
                    fmt::format("level {} of surface {} is {} x {}", sub.level, event.handle,
                                found.width, found.height),
                    fmt::format("{} x {}", found.width, found.height),
                    fmt::format("{} x {}", expected.width, expected.height));
}

// DP2-SURF-010.
void CheckSubLevelBit(const EventView& view, std::string path, uint32_t handle, uint32_t level,
                      uint32_t caps2) {
  const bool has_bit = (caps2 & device::kCaps2MipMapSubLevel) != 0;
  if (has_bit == (level != 0)) return;
  view.findings.Add(Rule::kDp2Surf010, std::move(path),
                    fmt::format("surface {} is level {} and {} MIPMAPSUBLEVEL", handle, level,
                                has_bit ? "has" : "lacks"),
                    fmt::format("{:#x}", caps2));
}

// ---------- cube maps ----------

uint32_t FaceBits(uint32_t caps2) {
  return (caps2 & device::kCaps2CubeFaces) >> device::kCubeFaceShift;
}

// DP2-SURF-012 of the root. Unspecified: how a trace writes the root's caps; chosen: its own face, or all faces of the cube as the
// application asked for them.
void CheckRootFaceBits(const EventView& view, const SurfaceCreate& event) {
  if ((event.caps2 & device::kCaps2CubeMap) == 0) return;
  const uint32_t bits = FaceBits(event.caps2);
  if (std::has_single_bit(bits) || (bits != 0 && bits == (event.faces & kFaceMask))) return;
  view.findings.Add(
      Rule::kDp2Surf012, "caps2",
      fmt::format("cube surface {} has {} face bits", event.handle, std::popcount(bits)),
      fmt::format("{:#x}", event.caps2), "one face bit");
}

void CheckFaceBits(const EventView& view, size_t index, const SubSurface& sub) {
  if (!sub.caps2 || (*sub.caps2 & device::kCaps2CubeMap) == 0 ||
      std::has_single_bit(FaceBits(*sub.caps2)))
    return;
  view.findings.Add(Rule::kDp2Surf012, PathOf(index),
                    fmt::format("cube surface {} has {} face bits", sub.handle,
                                std::popcount(FaceBits(*sub.caps2))),
                    fmt::format("{:#x}", *sub.caps2), "one face bit");
}

// The face that a top-level surface stands for: as its caps say, else as the trace numbers it.
uint32_t FaceOf(const SubSurface& sub) {
  const uint32_t bits = sub.caps2 ? FaceBits(*sub.caps2) : 0;
  return std::has_single_bit(bits) ? static_cast<uint32_t>(std::countr_zero(bits)) : sub.face;
}

// DP2-SURF-011.
void CheckFaces(const EventView& view, const SurfaceCreate& event) {
  uint32_t seen = 1U << RootFace(event);
  for (size_t i = 0; i < event.sub_surfaces.size(); ++i) {
    const SubSurface& sub = event.sub_surfaces[i];
    if (sub.level != 0 || sub.handle == event.handle || sub.face >= image::kCubeFaces) continue;
    const Extent extent = ExtentOf(event, sub);
    if (extent != ExtentOf(event, 0)) {
      view.findings.Add(Rule::kDp2Surf011, PathOf(i),
                        fmt::format("face {} of cube {} is {} x {}", sub.face, event.handle,
                                    extent.width, extent.height),
                        fmt::format("{} x {}", extent.width, extent.height),
                        fmt::format("{} x {}", event.width, event.height));
    }
    const uint32_t face = 1U << FaceOf(sub);
    if ((seen & face) != 0) {
      view.findings.Add(
          Rule::kDp2Surf011, PathOf(i),
          fmt::format("two surfaces of cube {} are face {}", event.handle, FaceOf(sub)),
          fmt::format("{}", FaceOf(sub)));
    }
    seen |= face;
  }
}

// ---------- formats ----------

// DP2-SURF-015 where the event names the format beside the contradicting layout.
void CheckPixelFormat(const EventView& view, const SurfaceCreate& event) {
  if (!event.pixel_format) return;
  const std::string defect = device::FindPixelFormatDefect(*event.pixel_format);
  if (!defect.empty())
    view.findings.Add(Rule::kDp2Surf015, "pixel_format",
                      fmt::format("surface {}: {}", event.handle, defect));
}

// DP2-SURF-016.
void CheckBlockExtent(const EventView& view, const SurfaceCreate& event,
                      const d3d::FormatInfo& info) {
  if (!info.is_block() ||
      (event.width % info.block_width == 0 && event.height % info.block_height == 0))
    return;
  view.findings.Add(Rule::kDp2Surf016, "width",
                    fmt::format("surface {} of format {} is {} x {}", event.handle, info.name,
                                event.width, event.height),
                    fmt::format("{} x {}", event.width, event.height),
                    fmt::format("multiples of {}", info.block_width));
}

// DP2-SURF-017.
void CheckPitch(const EventView& view, std::string path, uint32_t handle, uint32_t pitch,
                const d3d::FormatInfo& info, uint32_t width) {
  const uint64_t row = d3d::RowSize(info, width);
  if (pitch >= row) return;
  view.findings.Add(
      Rule::kDp2Surf017, std::move(path),
      fmt::format("the pitch of surface {} is {}, a row of {} texels of {} has {} bytes", handle,
                  pitch, width, info.name, row),
      fmt::format("{}", pitch), fmt::format("at least {}", row));
}

}  // namespace

void CheckAnnouncement(const EventView& view, const SurfaceCreate& event) {
  const Result<image::SurfaceDescription> description = device::DescribeSurface(event);
  if (!description.ok()) return;  // reported by the device
  const d3d::FormatInfo& info = *d3d::FindFormat(description->format);
  if (info.has_palette()) view.trace.surface.has_palettised = true;
  CheckRepeated(view, event);
  CheckHandleSize(view, event);
  CheckPixelFormat(view, event);
  if (info.is_buffer()) return;
  CheckLevelCount(view, event);
  CheckSubLevelBit(view, "caps2", event.handle, 0, event.caps2);
  CheckRootFaceBits(view, event);
  CheckFaces(view, event);
  CheckBlockExtent(view, event, info);
  if (event.pitch) CheckPitch(view, "pitch", event.handle, *event.pitch, info, event.width);
  const Extents extents = ExtentsOf(event);
  for (size_t i = 0; i < event.sub_surfaces.size(); ++i) {
    const SubSurface& sub = event.sub_surfaces[i];
    CheckLevelExtent(view, event, extents, i);
    if (sub.caps2) CheckSubLevelBit(view, PathOf(i), sub.handle, sub.level, *sub.caps2);
    CheckFaceBits(view, i, sub);
    if (sub.pitch)
      CheckPitch(view, PathOf(i), sub.handle, *sub.pitch, info, ExtentOf(event, sub).width);
  }
}

}  // namespace dp2trace::validate
