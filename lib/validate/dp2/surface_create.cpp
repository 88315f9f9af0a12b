#include "validate/dp2/surface_create.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <set>
#include <utility>

#include "base/flag_text.h"
#include "base/plain_text.h"
#include "d3d/interface.h"
#include "device/resource.h"
#include "image/surface.h"
#include "rules/rule.h"
#include "validate/memory.h"

namespace dp2trace::validate {
namespace {

using trace::SubSurface;
using trace::SurfaceCreate;

constexpr uint32_t kMaxHandle = 1'000'000;
constexpr uint32_t kFaceMask = 0x3F;

std::string PathOf(size_t sub) {
  return fmt::format("sub_surfaces/{}", sub);
}

// The face that the root stands for; 0 of a cube without any.
uint32_t RootFace(const SurfaceCreate& event) {
  const uint32_t faces = event.faces & kFaceMask;
  return faces == 0 ? 0 : static_cast<uint32_t>(std::countr_zero(faces));
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
      fmt::format("{}", event.handle), "a surface that is new or has changed");
}

// DP2-SURF-019. At level 6 a texture handle is the driver's own number.
void CheckHandleSize(const EventView& view, const SurfaceCreate& event) {
  const trace::Header& header = view.header();
  if (header.dp2_handle_mode == trace::Dp2HandleMode::kIdentity) return;
  if (header.driver_level < 7 && event.kind == d3d::SurfaceKind::kTexture) return;
  uint32_t largest = event.handle;
  for (const uint32_t handle : event.flip_chain)
    largest = std::max(largest, handle);
  for (const SubSurface& sub : event.sub_surfaces)
    largest = std::max(largest, sub.handle);
  if (largest <= kMaxHandle) return;
  view.findings.Add(Rule::kDp2Surf019, "handle",
                    fmt::format("surface handle {} is not a small integer", largest),
                    fmt::format("{}", largest), fmt::format("at most {}", kMaxHandle));
}

// ---------- mip chains ----------

// DP2-SURF-009.
void CheckLevelCount(const EventView& view, const SurfaceCreate& event) {
  const uint32_t full = d3d::FullLevelCount(event.width, event.height, event.depth);
  if (event.levels <= full || event.levels > d3d::kMaxMipLevels) return;
  view.findings.Add(
      Rule::kDp2Surf009, "levels",
      fmt::format("surface {} of {} x {} x {} has {} levels, level {} is already 1 x 1",
                  event.handle, event.width, event.height, event.depth, event.levels, full - 1),
      fmt::format("{}", event.levels), fmt::format("at most {}", full));
}

struct LevelSize {
  uint32_t width = 0, height = 0;
  bool operator==(const LevelSize&) const = default;
};
LevelSize ExtentOf(const SurfaceCreate& event, uint32_t level) {
  return {d3d::ClipLevelExtent(event.width, level), d3d::ClipLevelExtent(event.height, level)};
}
LevelSize ExtentOf(const SurfaceCreate& event, const SubSurface& sub) {
  const LevelSize implied = ExtentOf(event, sub.level);
  return {sub.width.value_or(implied.width), sub.height.value_or(implied.height)};
}

// The extents that the event records, or that the root implies, by face and level.
using Extents = std::array<std::array<LevelSize, d3d::kMaxMipLevels>, image::kCubeFaces>;
Extents ExtentsOf(const SurfaceCreate& event) {
  Extents extents;
  for (auto& face : extents) {
    for (uint32_t level = 0; level < d3d::kMaxMipLevels; ++level)
      face[level] = ExtentOf(event, level);
  }
  for (const SubSurface& sub : event.sub_surfaces) {
    if (sub.face < image::kCubeFaces && sub.level < d3d::kMaxMipLevels)
      extents[sub.face][sub.level] = ExtentOf(event, sub);
  }
  return extents;
}

// DP2-SURF-008. A level is right if it halves the one above, or if it is what the top level implies: then the one above is wrong.
void CheckLevelExtent(const EventView& view, const SurfaceCreate& event, const Extents& extents,
                      size_t index) {
  const SubSurface& sub = event.sub_surfaces[index];
  if (sub.level == 0 || sub.level >= d3d::kMaxMipLevels || sub.face >= image::kCubeFaces ||
      (!sub.width && !sub.height))
    return;
  const LevelSize found = ExtentOf(event, sub);
  const LevelSize expected = ExtentOf(event, sub.level);
  if (found == expected) return;
  const LevelSize above = extents[sub.face][sub.level - 1];
  if (found ==
      LevelSize{d3d::ClipLevelExtent(above.width, 1), d3d::ClipLevelExtent(above.height, 1)})
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
                    FlagsText(trace::kSurfaceCaps2Names, caps2),
                    has_bit ? "MIPMAPSUBLEVEL clear" : "MIPMAPSUBLEVEL");
}

// DP2-SURF-021, DP2-SURF-022: the handles of levels and faces, each for one that exists, and once.
void CheckSubSurfaces(const EventView& view, const SurfaceCreate& event) {
  const uint32_t faces = event.faces == 0 ? 1 : event.faces & kFaceMask;
  std::set<uint32_t> handles = {event.handle};
  std::set<std::pair<uint32_t, uint32_t>> places = {{RootFace(event), 0}};
  for (size_t i = 0; i < event.sub_surfaces.size(); ++i) {
    const SubSurface& sub = event.sub_surfaces[i];
    const bool is_root =
        sub.handle == event.handle && sub.face == RootFace(event) && sub.level == 0;
    if (sub.handle == 0 || is_root) continue;
    const std::string place = fmt::format("face {}, level {}", sub.face, sub.level);
    const bool has_face = sub.face < image::kCubeFaces && (faces >> sub.face & 1) != 0;
    if (!has_face || sub.level >= event.levels) {
      view.findings.Add(
          Rule::kDp2Surf021, fmt::format("{}/{}", PathOf(i), has_face ? "level" : "face"),
          fmt::format("surface {} is to be {} of surface {}, which has no such {}", sub.handle,
                      place, event.handle, has_face ? "level" : "face"),
          fmt::format("{}", has_face ? sub.level : sub.face),
          has_face ? fmt::format("below {}", event.levels)
                   : fmt::format("a face of {}", FlagsText(trace::kCubeFaceNames, faces)));
      continue;
    }
    if (!handles.insert(sub.handle).second) {
      view.findings.Add(
          Rule::kDp2Surf022, PathOf(i) + "/handle",
          fmt::format("handle {} is announced twice by surface {}", sub.handle, event.handle),
          fmt::format("{}", sub.handle), "a handle of its own");
    } else if (!places.emplace(sub.face, sub.level).second) {
      view.findings.Add(Rule::kDp2Surf022, PathOf(i) + "/level",
                        fmt::format("surface {} is {} of surface {}, which has a handle already",
                                    sub.handle, place, event.handle),
                        place, "one handle for each level and face");
    }
  }
}

// ---------- caps ----------

// Two sets of bits that no surface has together.
struct Contradiction {
  uint32_t SurfaceCreate::*first_word;
  uint32_t first;
  uint32_t SurfaceCreate::*second_word;
  uint32_t second;
  const char* what;
};
constexpr Contradiction kContradictions[] = {
    {&SurfaceCreate::caps, device::kCapsSystemMemory, &SurfaceCreate::caps,
     device::kCapsVideoMemory, "SYSTEMMEMORY and VIDEOMEMORY"},
    {&SurfaceCreate::caps, device::kCapsSystemMemory, &SurfaceCreate::caps,
     device::kCapsLocalVideoMemory | device::kCapsNonLocalVideoMemory,
     "SYSTEMMEMORY and a kind of video memory"},
    {&SurfaceCreate::caps, device::kCapsLocalVideoMemory, &SurfaceCreate::caps,
     device::kCapsNonLocalVideoMemory, "LOCALVIDMEM and NONLOCALVIDMEM"},
    {&SurfaceCreate::caps, device::kCapsExecuteBuffer, &SurfaceCreate::caps,
     device::kCapsTexture | device::kCaps3dDevice | device::kCapsZBuffer,
     "EXECUTEBUFFER and TEXTURE, 3DDEVICE or ZBUFFER"},
    {&SurfaceCreate::caps2, device::kCaps2CubeMap, &SurfaceCreate::caps2, device::kCaps2Volume,
     "CUBEMAP and VOLUME"},
};

// DP2-SURF-024. What the trace did not record contradicts nothing.
void CheckCapsAgree(const EventView& view, const SurfaceCreate& event,
                    const d3d::FormatInfo& info) {
  const auto report = [&](const char* path, std::string actual, std::string_view message,
                          std::string expected) {
    view.findings.Add(Rule::kDp2Surf024, path, fmt::format("surface {} {}", event.handle, message),
                      std::move(actual), std::move(expected));
  };
  const std::string caps = FlagsText(trace::kSurfaceCapsNames, event.caps);
  const std::string caps2 = FlagsText(trace::kSurfaceCaps2Names, event.caps2);
  for (const Contradiction& row : kContradictions) {
    const bool has_both =
        (event.*row.first_word & row.first) != 0 && (event.*row.second_word & row.second) != 0;
    if (!has_both) continue;
    const bool is_first = row.second_word == &SurfaceCreate::caps;
    return report(is_first ? "caps" : "caps2", is_first ? caps : caps2,
                  fmt::format("has {}", row.what), "one of them");
  }
  if ((event.caps & device::kCapsZBuffer) != 0 && !info.is_depth()) {
    return report("caps", caps, fmt::format("of format {} has ZBUFFER", info.name),
                  "a depth format with ZBUFFER");
  }
  if ((event.caps & device::kCapsExecuteBuffer) != 0 && !info.is_buffer()) {
    return report("caps", caps, fmt::format("of format {} has EXECUTEBUFFER", info.name),
                  "a buffer with EXECUTEBUFFER");
  }
  if ((event.caps2 & device::kCaps2CubeFaces) != 0 && (event.caps2 & device::kCaps2CubeMap) == 0)
    return report("caps2", caps2, "has face bits and lacks CUBEMAP", "CUBEMAP");
  const bool has_caps2 = (event.caps | event.caps2 | event.caps3) != 0;
  if (event.faces != 0 && has_caps2 && (event.caps2 & device::kCaps2CubeMap) == 0) {
    return report("faces", FlagsText(trace::kCubeFaceNames, event.faces),
                  "has cube faces and lacks CUBEMAP", "CUBEMAP");
  }
  if (event.depth > 1 && has_caps2 && (event.caps2 & device::kCaps2Volume) == 0)
    return report("depth", fmt::format("{}", event.depth), "has slices and lacks VOLUME", "VOLUME");
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
      FlagsText(trace::kSurfaceCaps2Names, event.caps2), "one face bit");
}

void CheckFaceBits(const EventView& view, size_t index, const SubSurface& sub) {
  if (!sub.caps2 || (*sub.caps2 & device::kCaps2CubeMap) == 0 ||
      std::has_single_bit(FaceBits(*sub.caps2)))
    return;
  view.findings.Add(Rule::kDp2Surf012, PathOf(index),
                    fmt::format("cube surface {} has {} face bits", sub.handle,
                                std::popcount(FaceBits(*sub.caps2))),
                    FlagsText(trace::kSurfaceCaps2Names, *sub.caps2), "one face bit");
}

// The face that a top-level surface stands for: as its caps say, else as the trace numbers it.
uint32_t FaceOf(const SubSurface& sub) {
  const uint32_t bits = sub.caps2 ? FaceBits(*sub.caps2) : 0;
  return std::has_single_bit(bits) ? static_cast<uint32_t>(std::countr_zero(bits)) : sub.face;
}

// DP2-SURF-011.
void CheckFaces(const EventView& view, const SurfaceCreate& event) {
  uint32_t seen = 1U << RootFace(event);
  uint32_t announced = 1U << RootFace(event);
  for (size_t i = 0; i < event.sub_surfaces.size(); ++i) {
    const SubSurface& sub = event.sub_surfaces[i];
    if (sub.level != 0 || sub.handle == event.handle || sub.face >= image::kCubeFaces) continue;
    const LevelSize extent = ExtentOf(event, sub);
    if (extent != ExtentOf(event, 0)) {
      view.findings.Add(Rule::kDp2Surf011, PathOf(i),
                        fmt::format("face {} of cube {} is {} x {}", sub.face, event.handle,
                                    extent.width, extent.height),
                        fmt::format("{} x {}", extent.width, extent.height),
                        fmt::format("{} x {}", event.width, event.height));
    }
    const uint32_t face = 1U << FaceOf(sub);
    const bool is_announced = (announced >> sub.face & 1) != 0;  // DP2-SURF-022
    announced |= 1U << sub.face;
    if ((seen & face) != 0 && !is_announced) {
      view.findings.Add(
          Rule::kDp2Surf011, PathOf(i),
          fmt::format("two surfaces of cube {} are face {}", event.handle, FaceOf(sub)),
          fmt::format("{}", FaceOf(sub)), "each face once");
    }
    seen |= face;
  }
}

// ---------- formats ----------

// DP2-SURF-015 where the event names the format beside the contradicting layout.
void CheckPixelFormat(const EventView& view, const SurfaceCreate& event) {
  if (!event.pixel_format) return;
  const std::string defect = device::FindPixelFormatDefect(*event.pixel_format);
  if (!defect.empty()) {
    view.findings.Add(Rule::kDp2Surf015, "pixel_format",
                      fmt::format("surface {}: {}", event.handle, defect), defect,
                      "masks inside the bit count, apart from each other");
  }
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
  view.findings.Add(Rule::kDp2Surf017, std::move(path),
                    fmt::format("the pitch of surface {} is {}, a row of {} texels of {} has {}",
                                handle, pitch, width, info.name, Counted(row, "byte")),
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
  CheckCapsAgree(view, event, info);
  if (info.is_buffer()) return;
  CheckSubSurfaces(view, event);
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
