#include "validate/dp2/palette.h"

#include <fmt/format.h>

#include "base/flag_text.h"
#include "d3d/interface.h"
#include "opcode/layouts.h"
#include "rules/rule.h"
#include "validate/dp2/stage_use.h"
#include "validate/memory.h"

namespace dp2trace::validate {
namespace {

namespace layout = opcode::layout;
using d3d::PaletteFlag;
using device::Resource;
using stream::FieldRef;
using stream::Record;

constexpr size_t kMaxPalettes = 65536;  // that are remembered; beyond, none counts as unknown
constexpr uint32_t kDefinedFlags = 0x3FFF;
constexpr uint32_t kUnusedFlags =
    d3d::Value(PaletteFlag::Stored8) | d3d::Value(PaletteFlag::Stored16) |
    d3d::Value(PaletteFlag::Stored24) | d3d::Value(PaletteFlag::Stored8Index) |
    d3d::Value(PaletteFlag::Gdi) | d3d::Value(PaletteFlag::Exclusive);
constexpr uint32_t kAlphaByte = 3;

// DP2-PAL-011: a written entry whose fourth byte is not 0.
bool HasAlphaEntry(const device::PaletteEntries& entries) {
  for (uint32_t i = 0; i < d3d::kPaletteSize; ++i) {
    if (entries.written[i] && entries.rgba[i][kAlphaByte] != 0) return true;
  }
  return false;
}

// DP2-PAL-009, DP2-PAL-010, DP2-PAL-011.
void CheckSampled(const CommandView& view, uint32_t slot, const Resource& texture) {
  const device::Context& context = view.context;
  // What was refused or lost may have bound one, and written its entries.
  if (context.has_loss || view.memory.target.refused_palettes.contains(texture.handle)) return;
  const auto binding = context.palette_bindings.find(texture.handle);
  if (binding == context.palette_bindings.end()) {
    view.ReportAtDraw(Rule::kDp2Pal009, slot,
                      fmt::format("texture {} is surface {} of format {}, which has no palette",
                                  slot, texture.handle, texture.surface.info().name),
                      "no palette", "SETPALETTE before");
    return;
  }
  const uint32_t palette = binding->second.palette;
  const auto entries = context.palettes.find(palette);
  // Unspecified: whether the texels need the entries that nobody wrote; chosen: a palette without any is reported.
  if (entries == context.palettes.end() || entries->second.written.none()) {
    if (view.memory.target.refused_updates.contains(palette)) return;
    view.ReportAtDraw(
        Rule::kDp2Pal010, slot,
        fmt::format("no entry of palette {} of texture {}, surface {}, was ever written", palette,
                    slot, texture.handle),
        fmt::format("{}", palette), "UPDATEPALETTE before");
    return;
  }
  const bool uses_alpha = (binding->second.flags & d3d::Value(PaletteFlag::Alpha)) != 0;
  if (!uses_alpha && !texture.surface.info().has_alpha() && view.Wants(Rule::kDp2Pal011) &&
      HasAlphaEntry(entries->second)) {
    view.ReportAtDraw(
        Rule::kDp2Pal011, slot,
        fmt::format(
            "palette {} of texture {} has alpha values, and lacks the flag ALPHA: they count as 255",
            palette, slot),
        FlagsText(d3d::kPaletteFlagNames, binding->second.flags), "ALPHA");
  }
}

}  // namespace

// DP2-PAL-002, DP2-PAL-004.
void CheckSetPalette(const CommandView& view) {
  constexpr FieldRef kPalette = stream::Field(layout::kSetPalette, "palette_handle");
  constexpr FieldRef kFlags = stream::Field(layout::kSetPalette, "palette_flags");
  constexpr FieldRef kSurface = stream::Field(layout::kSetPalette, "surface_handle");
  for (const Record& record : view.Records()) {
    const uint32_t palette = record.U32(kPalette);
    if (palette != 0 && view.memory.target.palettes.size() < kMaxPalettes)
      view.memory.target.palettes.insert(palette);
    const uint32_t flags = record.U32(kFlags);
    const device::SurfaceRef surface = view.context.space->Find(record.U32(kSurface));
    std::set<uint32_t>& refused = view.memory.target.refused_palettes;
    const bool is_refused = (flags & ~kDefinedFlags) != 0;
    if (surface && is_refused && refused.size() < kMaxPalettes)
      refused.insert(surface.resource->handle);
    if (is_refused || !surface) continue;  // reported by the device
    refused.erase(surface.resource->handle);
    if ((flags & kUnusedFlags) != 0) {
      view.Report(Rule::kDp2Pal004, record, kFlags,
                  fmt::format("palette flags {} have no meaning",
                              FlagsText(d3d::kPaletteFlagNames, flags & kUnusedFlags)),
                  FlagsText(d3d::kPaletteFlagNames, flags),
                  fmt::format("{} clear", FlagsText(d3d::kPaletteFlagNames, flags & kUnusedFlags)));
    }
    const d3d::FormatInfo& info = surface.surface().info();
    if (info.has_palette()) continue;
    view.Report(Rule::kDp2Pal002, record, kSurface,
                fmt::format("surface {} of format {} has no palette indices",
                            surface.resource->handle, info.name),
                std::string(info.name), "P8 or A8P8");
  }
}

// DP2-PAL-006, DP2-PAL-008.
void CheckUpdatePalette(const CommandView& view) {
  constexpr FieldRef kPalette = stream::Field(layout::kUpdatePalette, "palette_handle");
  constexpr FieldRef kStart = stream::Field(layout::kUpdatePalette, "start_index");
  constexpr FieldRef kCount = stream::Field(layout::kUpdatePalette, "num_entries");
  const uint32_t palette = stream::FieldU32(view.command, kPalette);
  const uint32_t count = stream::FieldU32(view.command, kCount);
  if (palette == 0) return;  // reported by the device
  if (stream::FieldU32(view.command, kStart) + count > d3d::kPaletteSize) {  // so is this
    std::set<uint32_t>& refused = view.memory.target.refused_updates;
    if (refused.size() < kMaxPalettes) refused.insert(palette);
    return;
  }
  if (count == 0)
    view.Report(Rule::kDp2Pal006, view.Fixed(), kCount, "no entries are updated", "0", "1 or more");
  const std::set<uint32_t>& known = view.memory.target.palettes;
  if (known.contains(palette) || known.size() >= kMaxPalettes ||
      view.context.palettes.contains(palette))
    return;
  view.Report(Rule::kDp2Pal008, view.Fixed(), kPalette,
              fmt::format("palette {} has not been used in SETPALETTE, it is created", palette),
              fmt::format("{}", palette), "a palette of SETPALETTE");
}

// What a pixel shader samples is not looked at.
void CheckPaletteAtDraw(const CommandView& view) {
  if (!view.trace.surface.has_palettised || view.context.state.pixel_shader != 0) return;
  const uint32_t read = UseOf(view, view.memory.texture_stage.samplers).textures;
  for (uint32_t slot = 0; read >> slot != 0; ++slot) {
    if ((read >> slot & 1) == 0) continue;
    const Resource& texture = *view.context.Texture(slot);
    if (texture.surface.info().has_palette()) CheckSampled(view, slot, texture);
  }
}

}  // namespace dp2trace::validate
