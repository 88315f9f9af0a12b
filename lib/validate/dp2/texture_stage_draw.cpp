// What texture stage states combine at a draw, with each other and with the textures, the vertices and the targets.
#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "base/plain_text.h"
#include "rules/rule.h"
#include "validate/causes.h"
#include "validate/dp2/draw_format.h"
#include "validate/dp2/texture_stage.h"
#include "validate/memory.h"

namespace dp2trace::validate {
namespace {

using d3d::TextureFilter;
using d3d::TextureOp;
using d3d::TextureStageState;
using device::State;

// ---------- the cascade ----------

// DP2-TSS-009.
void CheckAlphaOperation(const CommandView& view, uint32_t stage) {
  if (view.context.state.stage(stage, TextureStageState::AlphaOp) != d3d::Value(TextureOp::Disable))
    return;
  const uint32_t color = view.context.state.stage(stage, TextureStageState::ColorOp);
  view.ReportAtDraw(Rule::kDp2Tss009, stage,
                    fmt::format("stage {}: ALPHAOP is DISABLE, COLOROP is {}", stage,
                                NameOf(d3d::kTextureOpNames, color)),
                    "DISABLE", "an operation");
}

// DP2-TSS-012, DP2-TSS-027.
void CheckLastStage(const CommandView& view, uint32_t stage) {
  if (view.context.state.stage(stage, TextureStageState::ResultArg) ==
      d3d::Value(d3d::TextureArg::Temp)) {
    view.ReportAtDraw(
        Rule::kDp2Tss012, stage,
        fmt::format(
            "stage {} is the last enabled one and its RESULTARG is TEMP: its result is lost",
            stage),
        "TEMP", "CURRENT");
  }
  const uint32_t color = view.context.state.stage(stage, TextureStageState::ColorOp);
  if (!IsBump(color)) return;
  view.ReportAtDraw(
      Rule::kDp2Tss027, stage,
      fmt::format("stage {} is the last enabled one and its COLOROP is {}: no texture is perturbed",
                  stage, NameOf(d3d::kTextureOpNames, color)),
      std::string(NameOf(d3d::kTextureOpNames, color)), "an enabled stage after it");
}

// A handle that names nothing is reported where it is set, or where its surface goes.
void ReportMissingTexture(const CommandView& view, uint32_t stage, std::string_view what,
                          std::string_view expected) {
  if (view.context.state.stage(stage, TextureStageState::TextureMap) != 0) return;
  view.ReportAtDraw(Rule::kDp2Tss030, DetailOf(stage, TextureStageState::TextureMap, 0),
                    std::string(what), "no texture", std::string(expected));
}

bool IsSet(const CommandView& view, uint32_t stage, TextureStageState state) {
  const device::StateKey key = {device::StateKind::kStage,
                                device::StageIndex(stage, d3d::Value(state))};
  return view.context.setters.Of(key).event != 0;
}

// The alpha of a stage whose colour does without the texture, which no stage reads but by default.
void CheckMissingAlpha(const CommandView& view, uint32_t stage) {
  const bool is_asked = IsSet(view, stage, TextureStageState::AlphaArg1) ||
                        IsSet(view, stage, TextureStageState::AlphaArg2);
  if (!is_asked || view.context.Texture(stage) != nullptr ||
      !StageReads(view.context.state, stage, d3d::TextureArg::Texture))
    return;
  ReportMissingTexture(
      view, stage,
      fmt::format("the ALPHAOP of stage {} reads a texture and none is bound: the alpha of CURRENT "
                  "passes",
                  stage),
      "a texture, or another argument");
}

void CheckMissingSamplers(const CommandView& view) {
  const uint32_t read = ReadTextures(view, view.memory.texture_stage.samplers);
  for (uint32_t sampler = 0; sampler < d3d::kPixelSamplerCount; ++sampler) {
    if ((read >> sampler & 1) == 0 || view.context.Texture(sampler) != nullptr) continue;
    ReportMissingTexture(view, sampler,
                         fmt::format("the pixel shader samples texture {} and none is bound: it "
                                     "reads opaque black",
                                     sampler),
                         "a texture");
  }
}

// Only stage 0: MODULATE of the texture and the diffuse colour is how untextured primitives are drawn.
bool IsPlain(const CommandView& view) {
  const auto is = [&view](TextureStageState state, d3d::TextureArg argument) {
    return view.context.state.stage(0, state) == d3d::Value(argument);
  };
  using Arg = d3d::TextureArg;
  const auto is_diffuse = [&is](TextureStageState state) {
    return is(state, Arg::Diffuse) || is(state, Arg::Current);
  };
  using Stage = TextureStageState;
  return view.context.state.stage(0, Stage::ColorOp) == d3d::Value(TextureOp::Modulate) &&
         (is(Stage::ColorArg1, Arg::Texture) ? is_diffuse(Stage::ColorArg2)
                                             : is_diffuse(Stage::ColorArg1));
}

// DP2-TSS-030.
void CheckMissingTexture(const CommandView& view, const StageUse& use) {
  if (use.has_shader) return CheckMissingSamplers(view);
  for (uint32_t stage = 0; stage < use.stages; ++stage)
    CheckMissingAlpha(view, stage);
  const bool is_plain = use.stages == 0 && !use.loses_stages && IsPlain(view);
  if (!use.lacks_texture || is_plain) return;
  ReportMissingTexture(
      view, use.stages,
      fmt::format("stage {} reads a texture and none is bound: it is off{}", use.stages,
                  use.loses_stages ? ", and so are those after it" : ""),
      "a texture, or COLOROP DISABLE");
}

// DP2-TSS-014, DP2-TSS-015: the coordinates of a stage that reads its texture.
void CheckCoordinates(const CommandView& view, const DrawFormat& format, uint32_t stage) {
  const uint32_t index = view.context.state.stage(stage, TextureStageState::TexcoordIndex);
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
      view.context.state.value(d3d::RenderState::PointSpriteEnable) != 0;
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
  if (!IsBump(view.context.state.stage(stage, TextureStageState::ColorOp))) return;
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
  const uint32_t filter = view.context.state.stage(stage, TextureStageState::MipFilter);
  if (filter != off && levels == 1) {
    view.ReportAtDraw(Rule::kDp2Tss021, stage,
                      fmt::format("stage {}: MIPFILTER is {}, texture {} has one level", stage,
                                  NameOf(*d3d::ValueNames(d3d::Info(TextureStageState::MipFilter),
                                                          view.runtime_version()),
                                         filter),
                                  texture.handle),
                      "1 level", "MIPFILTER NONE, or more levels");
  }
  const uint32_t first = view.context.state.stage(stage, TextureStageState::MaxMipLevel);
  if (first < levels) return;
  view.ReportAtDraw(Rule::kDp2Tss023, stage,
                    fmt::format("stage {}: MAXMIPLEVEL is {}, texture {} has {}", stage, first,
                                texture.handle, Counted(levels, "level")),
                    fmt::format("{}", first), fmt::format("below {}", levels));
}

// The write mask of each target, by slot.
constexpr d3d::RenderState kWriteMasks[device::kTargetCount] = {
    d3d::RenderState::ColorWriteEnable, d3d::RenderState::ColorWriteEnable1,
    d3d::RenderState::ColorWriteEnable2, d3d::RenderState::ColorWriteEnable3};
constexpr uint32_t kAllChannels = 0xF;

using d3d::RenderState;
constexpr uint32_t kNever = 1;  // D3DCMP_NEVER
constexpr uint32_t kKeep = 1;   // D3DSTENCILOP_KEEP

// No pixel passes the alpha test, which comes first.
bool IsAlphaNever(const State& state) {
  return state.value(RenderState::AlphaTestEnable) != 0 &&
         state.value(RenderState::AlphaFunc) == kNever;
}

bool IsDepthNever(const State& state) {
  return state.value(RenderState::ZEnable) != 0 && state.value(RenderState::ZFunc) == kNever;
}

bool WritesStencil(const State& state) {
  if (state.value(RenderState::StencilEnable) == 0 ||
      state.value(RenderState::StencilWriteMask) == 0)
    return false;
  constexpr RenderState kOperations[] = {RenderState::StencilFail,     RenderState::StencilZFail,
                                         RenderState::StencilPass,     RenderState::CcwStencilFail,
                                         RenderState::CcwStencilZFail, RenderState::CcwStencilPass};
  const size_t count = state.value(RenderState::TwoSidedStencilMode) != 0 ? 6 : 3;
  return std::ranges::any_of(std::span(kOperations).first(count), [&](RenderState operation) {
    return state.value(operation) != kKeep;
  });
}

// Without the depth test nothing is written to the depth surface but the stencil.
bool WritesDepth(const State& state) {
  const bool writes_z = state.value(RenderState::ZEnable) != 0 &&
                        state.value(RenderState::ZWriteEnable) != 0 && !IsDepthNever(state);
  return writes_z || WritesStencil(state);
}

// A pixel shader of version 2.0 or above writes the targets that it names.
bool WritesTarget(const CommandView& view, uint32_t slot) {
  const State& state = view.context.state;
  if ((state.value(kWriteMasks[slot]) & kAllChannels) == 0 || IsDepthNever(state)) return false;
  const device::ShaderObject* const shader = view.context.PixelShader();
  if (shader == nullptr || shader->program->version.major < 2) return true;
  return shader->program->WrittenMask(shader::RegisterType::kColorOut, slot) != 0;
}

// DP2-TSS-028. What is not written can be read.
void CheckFeedback(const CommandView& view, const device::Resource& texture, uint32_t stage) {
  if (IsAlphaNever(view.context.state)) return;
  for (uint32_t slot = 0; slot < device::kTargetCount; ++slot) {
    if (view.context.targets.colors[slot] == 0 || view.context.Target(slot).resource != &texture ||
        !WritesTarget(view, slot))
      continue;
    view.ReportAtDraw(Rule::kDp2Tss028, stage,
                      fmt::format("stage {} reads texture {}, which is render target {}", stage,
                                  texture.handle, slot),
                      fmt::format("{}", texture.handle), "no render target");
    return;
  }
  if (view.context.targets.depth == 0 || view.context.Depth().resource != &texture ||
      !WritesDepth(view.context.state))
    return;
  view.ReportAtDraw(
      Rule::kDp2Tss028, stage,
      fmt::format("stage {} reads texture {}, which is the depth surface", stage, texture.handle),
      fmt::format("{}", texture.handle), "another texture than the depth surface");
}

}  // namespace

void CheckTextureStageAtDraw(const CommandView& view) {
  if (!DrawsGeometry(view)) return;
  const StageUse use = UseOf(view, view.memory.texture_stage.samplers);
  CheckMissingTexture(view, use);
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
  }
}

}  // namespace dp2trace::validate
