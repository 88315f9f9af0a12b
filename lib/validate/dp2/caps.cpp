#include "validate/dp2/caps.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <string>

#include "d3d/formats.h"
#include "device/buffer_kind.h"
#include "device/resource.h"
#include "rules/rule.h"

namespace dp2trace::validate {
namespace {

using d3d::Cap;

// D3DPTEXTURECAPS_*.
constexpr uint32_t kPow2 = 0x2;
constexpr uint32_t kSquareOnly = 0x20;
constexpr uint32_t kNonPow2Conditional = 0x100;
constexpr uint32_t kCubeMap = 0x800;
constexpr uint32_t kVolumeMap = 0x2000;
constexpr uint32_t kMipMap = 0x4000;
constexpr uint32_t kMipVolumeMap = 0x8000;
constexpr uint32_t kMipCubeMap = 0x10000;
constexpr uint32_t kCubeMapPow2 = 0x20000;
constexpr uint32_t kVolumeMapPow2 = 0x40000;

// ---------- surfaces ----------

// What the bits of TextureCaps say about one kind of texture.
struct KindBits {
  std::string_view name;
  uint32_t kind;  // 0: every device has it
  uint32_t mip;
  uint32_t pow2;
  std::string_view kind_name;  // D3DPTEXTURECAPS_*
  std::string_view mip_name;
};
constexpr KindBits kPlainBits = {"texture", 0, kMipMap, kPow2, "", "MIPMAP"};
constexpr KindBits kCubeBits = {"cube texture", kCubeMap,  kMipCubeMap,
                                kCubeMapPow2,   "CUBEMAP", "MIPCUBEMAP"};
constexpr KindBits kVolumeBits = {"volume texture", kVolumeMap,  kMipVolumeMap,
                                  kVolumeMapPow2,   "VOLUMEMAP", "MIPVOLUMEMAP"};

struct SurfaceCheck {
  const EventView& view;
  const trace::SurfaceCreate& event;
  const KindBits& bits;
  bool is_volume;

  std::string Size() const {
    return is_volume ? fmt::format("{}x{}x{}", event.width, event.height, event.depth)
                     : fmt::format("{}x{}", event.width, event.height);
  }
  void Report(Rule rule, std::string_view path, const std::string& message, std::string actual,
              std::string expected) const {
    view.findings.Add(rule, std::string(path), fmt::format("surface {}: {}", event.handle, message),
                      std::move(actual), std::move(expected));
  }
};

// DP2-CAPS-001, -002, -004.
void CheckExtents(const SurfaceCheck& check) {
  const auto max_of = [&check](Cap cap) { return check.view.caps.Find(cap).value_or(UINT32_MAX); };
  const uint32_t width = check.event.width;
  const uint32_t height = check.event.height;
  if (check.is_volume) {
    const uint32_t max = max_of(Cap::MaxVolumeExtent);
    if (std::max({width, height, check.event.depth}) > max) {
      check.Report(Rule::kDp2Caps002, "width",
                   fmt::format("the volume is {}, MaxVolumeExtent is {}", check.Size(), max),
                   check.Size(), fmt::format("at most {} along each axis", max));
    }
    return;
  }
  const bool is_too_wide = width > max_of(Cap::MaxTextureWidth);
  if (is_too_wide || height > max_of(Cap::MaxTextureHeight)) {
    const uint32_t max = max_of(is_too_wide ? Cap::MaxTextureWidth : Cap::MaxTextureHeight);
    check.Report(Rule::kDp2Caps001, is_too_wide ? "width" : "height",
                 fmt::format("the texture is {}, {} is {}", check.Size(),
                             is_too_wide ? "MaxTextureWidth" : "MaxTextureHeight", max),
                 check.Size(),
                 fmt::format("a {} of at most {}", is_too_wide ? "width" : "height", max));
  }
  const uint32_t max_ratio = max_of(Cap::MaxTextureAspectRatio);  // 0: no limit
  const uint64_t limit = uint64_t{std::min(width, height)} * max_ratio;
  if (max_ratio != 0 && std::max(width, height) > limit) {
    check.Report(
        Rule::kDp2Caps004, "width",
        fmt::format("the sides are {}, MaxTextureAspectRatio is {}", check.Size(), max_ratio),
        check.Size(), fmt::format("a ratio of at most {}", max_ratio));
  }
}

// DP2-CAPS-005 to -008.
void CheckTextureCaps(const SurfaceCheck& check) {
  const auto claimed = check.view.caps.Find(Cap::TextureCaps);
  if (!claimed) return;
  const trace::SurfaceCreate& event = check.event;
  const KindBits& bits = check.bits;
  if (bits.kind != 0 && (*claimed & bits.kind) == 0) {
    check.Report(Rule::kDp2Caps007, "faces",
                 fmt::format("a {}, TextureCaps has no {}", bits.name, bits.kind_name),
                 fmt::format("TextureCaps {:#x}, without {}", *claimed, bits.kind_name),
                 std::string(bits.kind_name));
    return;
  }
  const bool has_levels = event.levels != 1;
  const bool is_pow2 = std::has_single_bit(event.width) && std::has_single_bit(event.height) &&
                       std::has_single_bit(event.depth);
  const bool is_conditional =
      bits.kind == 0 && (*claimed & kNonPow2Conditional) != 0 && !has_levels;
  if (!is_pow2 && (*claimed & bits.pow2) != 0 && !is_conditional) {
    check.Report(
        Rule::kDp2Caps005, "width",
        fmt::format("the {} is {}, the device has powers of two only", bits.name, check.Size()),
        check.Size(), "powers of two");
  }
  if (!check.is_volume && event.width != event.height && (*claimed & kSquareOnly) != 0) {
    check.Report(Rule::kDp2Caps006, "width",
                 fmt::format("the texture is {}, the device has square ones only", check.Size()),
                 check.Size(), "width and height equal");
  }
  if (has_levels && (*claimed & bits.mip) == 0) {
    check.Report(
        Rule::kDp2Caps008, "levels",
        fmt::format("a {} with several levels, TextureCaps has no {}", bits.name, bits.mip_name),
        fmt::format("{}", event.levels), "1");
  }
}

// DP2-CAPS-031.
void CheckDriverTextures(const SurfaceCheck& check) {
  constexpr uint32_t kDynamic = 0x20000000, kAutoGenMipMap = 0x40000000;  // D3DCAPS2
  constexpr uint32_t kCaps2HintDynamic = 0x4;                             // DDSCAPS2
  const auto claimed = check.view.caps.Find(Cap::Caps2);
  if (!claimed) return;
  const auto report = [&](std::string_view path, std::string_view what, std::string_view bit) {
    check.Report(Rule::kDp2Caps031, path,
                 fmt::format("{}, and Caps2 is {:#x}, without {}", what, *claimed, bit),
                 fmt::format("Caps2 {:#x}", *claimed), std::string(bit));
  };
  if ((check.event.caps2 & kCaps2HintDynamic) != 0 && (*claimed & kDynamic) == 0)
    report("caps2", "a dynamic texture", "DYNAMICTEXTURES");
  if ((check.event.caps3 & device::kCaps3AutoGenMipMap) != 0 && (*claimed & kAutoGenMipMap) == 0)
    report("caps3", "a texture whose levels the driver makes", "CANAUTOGENMIPMAP");
}

// DP2-CAPS-003. A format that nobody knows is DP2-SURF-014.
void CheckFormat(const SurfaceCheck& check) {
  if (!check.view.caps.has_formats()) return;
  const auto description = device::DescribeSurface(check.event);
  if (!description.ok() || check.view.caps.HasFormat(description->format)) return;
  const std::string name(d3d::FindFormat(description->format)->name);
  check.Report(Rule::kDp2Caps003, "format",
               fmt::format("the device does not claim the format {}", name), name,
               "a format of the device");
}

}  // namespace

void CheckCapsEvent(const EventView& view, const trace::SurfaceCreate& event) {
  if (view.caps.empty() || device::IsBuffer(event.kind)) return;
  // A surface that is announced anew was checked before.
  const device::Space* const space = view.device.FindSpace(event.space);
  if (space != nullptr && space->Find(event.handle)) return;
  const bool is_volume = event.depth > 1 || (event.caps2 & device::kCaps2Volume) != 0;
  const KindBits& bits = is_volume ? kVolumeBits : event.faces != 0 ? kCubeBits : kPlainBits;
  const SurfaceCheck check = {view, event, bits, is_volume};
  CheckFormat(check);
  const bool is_texture =
      event.kind == d3d::SurfaceKind::kTexture || (event.caps & device::kCapsTexture) != 0;
  if (!is_texture) return;
  CheckExtents(check);
  CheckTextureCaps(check);
  CheckDriverTextures(check);
}

}  // namespace dp2trace::validate
