// What texture stage states combine at a draw, with each other and with the textures, the vertices and the targets.
#include <fmt/format.h>

#include <optional>

#include "rules/rule.h"
#include "validate/dp2/draw_format.h"
#include "validate/dp2/texture_stage.h"
#include "validate/memory.h"

namespace dp2trace::validate {
namespace {

using d3d::TextureFilter;
using d3d::TextureOp;
using d3d::TextureStageState;
using device::State;

const State& StateOf(const CommandView& view) {
  return view.context.state;
}

bool IsBump(uint32_t operation) {
  return operation == d3d::Value(TextureOp::BumpEnvMap) ||
         operation == d3d::Value(TextureOp::BumpEnvMapLuminance);
}

// ---------- the cascade ----------

// DP2-TSS-009.
void CheckAlphaOperation(const CommandView& view, uint32_t stage) {
  if (StateOf(view).stage(stage, TextureStageState::AlphaOp) != d3d::Value(TextureOp::Disable))
    return;
  const uint32_t color = StateOf(view).stage(stage, TextureStageState::ColorOp);
  view.ReportAtDraw(Rule::kDp2Tss009, stage,
                    fmt::format("stage {}: ALPHAOP is DISABLE, COLOROP is {}", stage,
                                NameOf(d3d::kTextureOpNames, color)),
                    "DISABLE", "an operation");
}

// DP2-TSS-012, DP2-TSS-027.
void CheckLastStage(const CommandView& view, uint32_t stage) {
  if (StateOf(view).stage(stage, TextureStageState::ResultArg) ==
      d3d::Value(d3d::TextureArg::Temp)) {
    view.ReportAtDraw(
        Rule::kDp2Tss012, stage,
        fmt::format(
            "stage {} is the last enabled one and its RESULTARG is TEMP: its result is lost",
            stage),
        "TEMP", "CURRENT");
  }
  const uint32_t color = StateOf(view).stage(stage, TextureStageState::ColorOp);
  if (!IsBump(color)) return;
  view.ReportAtDraw(
      Rule::kDp2Tss027, stage,
      fmt::format("stage {} is the last enabled one and its COLOROP is {}: no texture is perturbed",
                  stage, NameOf(d3d::kTextureOpNames, color)),
      std::string(NameOf(d3d::kTextureOpNames, color)), "an enabled stage behind it");
}

// DP2-TSS-014, DP2-TSS-015: the coordinates of a stage that reads its texture.
void CheckCoordinates(const CommandView& view, const DrawFormat& format, uint32_t stage) {
  const uint32_t index = StateOf(view).stage(stage, TextureStageState::TexcoordIndex);
  if (!format.is_known) return;
  if (format.is_programmable && !format.is_transformed) {
    if (index == stage) return;
    view.ReportAtDraw(
        Rule::kDp2Tss015, stage,
        fmt::format("stage {}: TEXCOORDINDEX is {:#x} while a vertex shader is current", stage,
                    index),
        fmt::format("{:#x}", index), fmt::format("{}", stage));
    return;
  }
  // Point sprites have coordinates of their own.
  const bool is_generated =
      index >> d3d::kTexcoordGenerationShift != d3d::Value(d3d::TexcoordGeneration::PassThru) ||
      StateOf(view).value(d3d::RenderState::PointSpriteEnable) != 0;
  const uint32_t set = index & d3d::kTexcoordSetMask;
  if (is_generated || (set < 32 && ((format.texture_sets >> set) & 1) != 0)) return;
  view.ReportAtDraw(
      Rule::kDp2Tss014, stage,
      fmt::format(
          "stage {}: TEXCOORDINDEX is {}, the vertex format has no such coordinates: they read as 0",
          stage, set),
      fmt::format("{}", set), "coordinates of the vertex format");
}

// DP2-TSS-026.
void CheckBumpTexture(const CommandView& view, uint32_t stage) {
  if (!IsBump(StateOf(view).stage(stage, TextureStageState::ColorOp))) return;
  const d3d::FormatInfo& format = view.context.Texture(stage)->surface.info();
  if (format.kind == d3d::FormatKind::kBump) return;
  view.ReportAtDraw(
      Rule::kDp2Tss026, stage,
      fmt::format("stage {}: the bump operation reads a texture of format {}", stage, format.name),
      std::string(format.name), "a bump format");
}

// ---------- the bound texture ----------

// DP2-TSS-021, DP2-TSS-023. A driver that makes levels itself has all of them.
void CheckLevels(const CommandView& view, const device::Resource& texture, uint32_t stage) {
  if (texture.has_auto_levels()) return;
  const uint32_t levels = texture.surface.description().levels;
  const uint32_t off = view.runtime_version() < d3d::kFirstModernRuntime
                           ? d3d::Value(d3d::LegacyMipFilter::None)
                           : d3d::Value(TextureFilter::None);
  const uint32_t filter = StateOf(view).stage(stage, TextureStageState::MipFilter);
  if (filter != off && levels == 1) {
    view.ReportAtDraw(Rule::kDp2Tss021, stage,
                      fmt::format("stage {}: MIPFILTER is {}, texture {} has one level", stage,
                                  NameOf(*d3d::ValueNames(d3d::Info(TextureStageState::MipFilter),
                                                          view.runtime_version()),
                                         filter),
                                  texture.handle),
                      "1 level", "MIPFILTER NONE, or more levels");
  }
  const uint32_t first = StateOf(view).stage(stage, TextureStageState::MaxMipLevel);
  if (first < levels) return;
  view.ReportAtDraw(Rule::kDp2Tss023, stage,
                    fmt::format("stage {}: MAXMIPLEVEL is {}, texture {} has {} levels", stage,
                                first, texture.handle, levels),
                    fmt::format("{}", first), fmt::format("below {}", levels));
}

// DP2-TSS-028.
void CheckFeedback(const CommandView& view, const device::Resource& texture, uint32_t stage) {
  for (uint32_t slot = 0; slot < device::kTargetCount; ++slot) {
    if (view.context.targets.colors[slot] == 0 || view.context.Target(slot).resource != &texture)
      continue;
    view.ReportAtDraw(Rule::kDp2Tss028, stage,
                      fmt::format("stage {} reads texture {}, which is render target {}", stage,
                                  texture.handle, slot),
                      fmt::format("{}", texture.handle), "no render target");
    return;
  }
  if (view.context.targets.depth == 0 || view.context.Depth().resource != &texture) return;
  view.ReportAtDraw(
      Rule::kDp2Tss028, stage,
      fmt::format("stage {} reads texture {}, which is the depth surface", stage, texture.handle),
      fmt::format("{}", texture.handle), "another texture than the depth surface");
}

// D3DPTFILTERCAPS: the bit of the first filter of each state, POINT; the bits of LINEAR, ANISOTROPIC, ... follow. Source: d3d9caps.h.
constexpr uint32_t kMinFilterBit = 8, kMipFilterBit = 16, kMagFilterBit = 24;

// The capability bit of a filter above POINT, or 0. PYRAMIDALQUAD and GAUSSIANQUAD follow ANISOTROPIC, the cubic ones have no bit.
uint32_t FilterBit(uint32_t filter, uint32_t first_bit) {
  switch (static_cast<TextureFilter>(filter)) {
    case TextureFilter::Linear:
      return 1U << (first_bit + 1);
    case TextureFilter::Anisotropic:
      return 1U << (first_bit + 2);
    case TextureFilter::PyramidalQuad:
      return 1U << (first_bit + 3);
    case TextureFilter::GaussianQuad:
      return 1U << (first_bit + 4);
    default:
      return 0;
  }
}

struct FilterState {
  TextureStageState state;
  uint32_t first_bit;
};
constexpr FilterState kFilterStates[] = {{TextureStageState::MagFilter, kMagFilterBit},
                                         {TextureStageState::MinFilter, kMinFilterBit},
                                         {TextureStageState::MipFilter, kMipFilterBit}};

// DP2-TSS-029. The capabilities of a single format are in no trace: what the device lacks for all formats it lacks for these.
void CheckFloatFilter(const CommandView& view, const device::Resource& texture, uint32_t stage) {
  if (texture.surface.info().kind != d3d::FormatKind::kFloat) return;
  const d3d::Cap cap = texture.is_cube()     ? d3d::Cap::CubeTextureFilterCaps
                       : texture.is_volume() ? d3d::Cap::VolumeTextureFilterCaps
                                             : d3d::Cap::TextureFilterCaps;
  const std::optional<uint32_t> caps = view.caps.Find(cap);
  if (!caps) return;
  for (const FilterState& row : kFilterStates) {
    const uint32_t filter = StateOf(view).stage(stage, row.state);
    if ((FilterBit(filter, row.first_bit) & ~*caps) == 0) continue;
    const std::string is =
        fmt::format("{} {}", d3d::Info(row.state).name, NameOf(d3d::kTextureFilterNames, filter));
    view.ReportAtDraw(
        Rule::kDp2Tss029, stage,
        fmt::format("stage {} filters texture {} of format {} with {}, which {} lacks", stage,
                    texture.handle, texture.surface.info().name, is, d3d::Info(cap).spelling),
        is, fmt::format("a filter of {}", d3d::Info(cap).spelling));
    return;
  }
}

}  // namespace

void CheckTextureStageAtDraw(const CommandView& view) {
  if (!DrawsGeometry(view)) return;
  const StageUse use = UseOf(view, view.memory.texture_stage.samplers);
  if (use.stages == 0 && use.textures == 0) return;
  const DrawFormat format = FormatOf(view);
  for (uint32_t stage = 0; stage < use.stages; ++stage) {
    CheckAlphaOperation(view, stage);
    if (((use.textures >> stage) & 1) == 0) continue;
    CheckCoordinates(view, format, stage);
    CheckBumpTexture(view, stage);
  }
  if (use.stages != 0) CheckLastStage(view, use.stages - 1);
  for (uint32_t stage = 0; use.textures >> stage != 0; ++stage) {
    if (((use.textures >> stage) & 1) == 0) continue;
    const device::Resource& texture = *view.context.Texture(stage);
    CheckLevels(view, texture, stage);
    CheckFeedback(view, texture, stage);
    CheckFloatFilter(view, texture, stage);
  }
}

}  // namespace dp2trace::validate
