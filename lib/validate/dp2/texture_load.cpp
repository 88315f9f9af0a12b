#include "validate/dp2/texture_load.h"

#include <fmt/format.h>

#include <bit>

#include "base/flag_text.h"
#include "base/plain_text.h"
#include "device/load.h"
#include "opcode/layouts.h"
#include "rules/rule.h"
#include "validate/memory.h"

namespace dp2trace::validate {
namespace {

using device::Resource;
using device::TextureLoad;
using image::Area;
using stream::FieldRef;
using stream::Record;

constexpr FieldRef kTexBltSource = stream::Field(opcode::layout::kTexBlt, "src_surface");
constexpr FieldRef kTexBltDestination = stream::Field(opcode::layout::kTexBlt, "dest_surface");
constexpr FieldRef kRect = stream::Field(opcode::layout::kTexBlt, "src_rect");
constexpr FieldRef kTexBltFlags = stream::Field(opcode::layout::kTexBlt, "flags");

// DP2-TEXBLT-022, once while it lasts.
void CheckSharing(const CommandView& view) {
  uint32_t count = 0;
  if (view.device.contexts().size() > 1) {
    const uint32_t process = view.memory.surface.process;
    for (const auto& [key, context] : view.device.contexts()) {
      if (!view.device.work().Spend(device::kContextSteps)) return;
      const auto memory = view.trace.contexts.find(key);
      if ((memory == view.trace.contexts.end() ? 0 : memory->second.surface.process) == process)
        ++count;
    }
  }
  bool& is_reported = view.memory.is_sharing_reported;
  if (count > 1 && !is_reported) {
    view.Report(Rule::kDp2TexBlt022,
                fmt::format("{} of the process are alive", Counted(count, "context")),
                fmt::format("{}", count), "1");
  }
  is_reported = count > 1;
}

// DP2-TEXBLT-019, DP2-TEXBLT-021.
void CheckSurfaces(const CommandView& view, const Record& record, const TextureLoad& load) {
  const Resource& source = *load.source.resource;
  if (load.source == load.destination) {
    view.Report(Rule::kDp2TexBlt019, record, kTexBltDestination,
                fmt::format("surface {} is loaded from itself", source.handle),
                fmt::format("{}", source.handle), "another surface than the source");
    return;
  }
  const bool is_elsewhere = (source.caps & device::kCapsSystemMemory) == 0 &&
                            !source.lacks_caps() && !source.is_driver_managed();
  if (is_elsewhere) {
    view.Report(Rule::kDp2TexBlt021, record, kTexBltSource,
                fmt::format("source {} is not in system memory", source.handle),
                FlagsText(trace::kSurfaceCapsNames, source.caps), "SYSTEMMEMORY");
  }
}

// DP2-TEXBLT-009, DP2-TEXBLT-010.
void CheckLevels(const CommandView& view, const Record& record, const TextureLoad& load) {
  if (load.destination.resource->has_auto_levels()) return;  // only the topmost pair is copied
  const uint32_t from = load.source.surface().description().levels - load.source_level;
  const uint32_t to = load.destination.surface().description().levels;
  if (to > from) {
    view.Report(
        Rule::kDp2TexBlt009, record, kTexBltDestination,
        fmt::format("the destination has {}, the source {} to copy", Counted(to, "level"), from),
        fmt::format("{}", to), fmt::format("at most {}", from));
  } else if (to < from) {
    view.Report(Rule::kDp2TexBlt010, record, kTexBltDestination,
                fmt::format("the source has {} from level {} on, the destination {}",
                            Counted(from, "level"), load.source_level, to),
                fmt::format("{}", to), fmt::format("{}", from));
  }
}

bool IsInside(const Area& area, const Area& level) {
  return area.right <= level.right && area.bottom <= level.bottom;
}

// DP2-TEXBLT-012, DP2-TEXBLT-015.
void CheckRect(const CommandView& view, const Record& record, const TextureLoad& load) {
  Area area = load.area();
  if (area.width() == 0 || area.height() == 0) {
    view.Report(Rule::kDp2TexBlt012, record, kRect,
                fmt::format("rectangle {}, {}, {}, {} is empty", area.left, area.top, area.right,
                            area.bottom),
                fmt::format("{} x {}", area.width(), area.height()), "1 x 1 or more");
  }
  if (!view.Wants(Rule::kDp2TexBlt015)) return;
  for (uint32_t i = 0; i < load.source_level; ++i)
    area = device::ReduceArea(area);
  auto x = static_cast<uint32_t>(load.x);
  auto y = static_cast<uint32_t>(load.y);
  for (uint32_t level = 1; level < load.pair_count; ++level) {
    area = device::ReduceArea(area);
    x >>= 1;
    y >>= 1;
    const Area from = load.source.surface().WholeLevel(load.source_level + level);
    const Area to = load.destination.surface().WholeLevel(level);
    if (IsInside(area, from) && x + area.width() <= to.right && y + area.height() <= to.bottom)
      continue;
    view.Report(
        Rule::kDp2TexBlt015, record, kRect,
        fmt::format(
            "in level {} of {} x {}, rectangle {}, {}, {}, {} goes to {}, {} and is clipped", level,
            to.right, to.bottom, area.left, area.top, area.right, area.bottom, x, y),
        fmt::format("{} x {} at {}, {}", area.width(), area.height(), x, y),
        fmt::format("inside {} x {}", to.right, to.bottom));
    return;
  }
}

std::string FaceNames(uint32_t faces) {
  return FlagsText(d3d::kCubeFaceNames, faces << device::kCubeFaceShift);
}

// DP2-TEXBLT-018. dwFlags 0 loads each face that both have.
void CheckFaces(const CommandView& view, const Record& record, const TextureLoad& load) {
  const Resource& destination = *load.destination.resource;
  const Resource& source = *load.source.resource;
  if (!destination.is_cube()) return;
  const uint32_t named = load.flags >> device::kCubeFaceShift & device::kCubeFaceMask;
  const uint32_t faces = named != 0 ? named : destination.present_faces;
  if (!source.is_cube() && std::popcount(faces) > 1) {
    view.Report(Rule::kDp2TexBlt018, record, kTexBltFlags,
                fmt::format("source {} is not a cube map: each of {} gets the same texels",
                            source.handle, FaceNames(faces)),
                FaceNames(faces), "one of POSITIVEX to NEGATIVEZ, or a cube map");
    return;
  }
  for (const Resource* const resource : {&destination, &source}) {
    const uint32_t missing = named & ~resource->present_faces;
    if (!resource->is_cube() || missing == 0) continue;
    view.Report(Rule::kDp2TexBlt018, record, kTexBltFlags,
                fmt::format("dwFlags names faces that surface {} does not have: {}",
                            resource->handle, FaceNames(missing)),
                FlagsText(d3d::kCubeFaceNames, load.flags),
                fmt::format("bits of {}", FaceNames(resource->present_faces)));
    return;
  }
}

// DP2-TEXBLT-017.
void CheckFlags(const CommandView& view, const Record& record, const TextureLoad& load) {
  const Resource& destination = *load.destination.resource;
  const bool is_cube = destination.is_cube();
  if ((load.flags & ~device::kCaps2CubeFaces) != 0 || (load.flags != 0 && !is_cube)) {
    view.Report(
        Rule::kDp2TexBlt017, record, kTexBltFlags,
        fmt::format("dwFlags is {}, and the destination is {} cube map",
                    FlagsText(d3d::kCubeFaceNames, load.flags), is_cube ? "a" : "not a"),
        FlagsText(d3d::kCubeFaceNames, load.flags),
        is_cube ? fmt::format("bits of {}", FlagsText(d3d::kCubeFaceNames, device::kCaps2CubeFaces))
                : "0");
  }
}

constexpr uint32_t kCanManageTexture = 0x10000000;  // D3DCAPS2_CANMANAGETEXTURE

// DP2-TEXBLT-017, DP2-TEXBLT-023: rectangle and point of a preload are ignored, the flags are not.
void CheckPreload(const CommandView& view, const Record& record, const TextureLoad& load) {
  if (load.flags != 0) {
    view.Report(
        Rule::kDp2TexBlt017, record, kTexBltFlags,
        fmt::format("dwFlags of a preload is {}", FlagsText(d3d::kCubeFaceNames, load.flags)),
        FlagsText(d3d::kCubeFaceNames, load.flags), "0");
  }
  const std::optional<uint32_t> caps = view.caps.Find(d3d::Cap::Caps2);
  if (!caps || (*caps & kCanManageTexture) != 0) return;
  view.Report(Rule::kDp2TexBlt023, record, kTexBltDestination,
              "a preload, and the device does not advertise CANMANAGETEXTURE",
              fmt::format("Caps2 {:#x}", *caps), "CANMANAGETEXTURE, or a source");
}

}  // namespace

void CheckTextureLoads(const CommandView& view) {
  if (view.is_recording()) return;
  CheckSharing(view);
  for (const Record& record : view.Records()) {
    TextureLoad load;
    if (!device::ReadTextureLoad(*view.context.space, record, load).empty()) continue;
    if (!load.destination) {
      CheckPreload(view, record, load);
      continue;
    }
    CheckSurfaces(view, record, load);
    CheckLevels(view, record, load);
    CheckRect(view, record, load);
    CheckFlags(view, record, load);
    CheckFaces(view, record, load);
  }
}

}  // namespace dp2trace::validate
