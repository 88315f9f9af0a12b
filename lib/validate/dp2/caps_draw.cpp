// What a draw combines against what the device claims: DP2-CAPS-009 to -013, -022 to -024 and -030; tables do the rest (caps_states.cpp).
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <string>

#include "base/flag_text.h"
#include "d3d/enums.h"
#include "device/resource.h"
#include "rules/rule.h"
#include "validate/causes.h"
#include "validate/dp2/caps.h"
#include "validate/dp2/caps_samplers.h"
#include "validate/dp2/caps_use.h"

namespace dp2trace::validate {
namespace {

using d3d::Cap;
using d3d::RenderState;
using d3d::TextureStageState;

constexpr uint32_t kLastOperation = 26;  // D3DTOP_LERP

// ---------- texture stages at a draw ----------

// Bit n - 1 of TextureOpCaps is operation n.
std::string ClaimedOperations(uint32_t claimed) {
  return ValueRangesText(d3d::kTextureOpNames, [claimed](uint32_t operation) {
    return operation >= 1 && operation <= kLastOperation && (claimed >> (operation - 1) & 1) != 0;
  });
}

// DP2-CAPS-011.
void CheckOperations(const CommandView& view, uint32_t stages, uint32_t claimed) {
  for (uint32_t stage = 0; stage < stages; ++stage) {
    for (const auto part : {TextureStageState::ColorOp, TextureStageState::AlphaOp}) {
      const uint32_t operation = view.context.state.stage(stage, part);
      const bool is_known = operation >= 1 && operation <= kLastOperation;
      if (!is_known || (claimed >> (operation - 1) & 1) != 0) continue;
      const bool is_color = part == TextureStageState::ColorOp;
      view.ReportAtDraw(
          Rule::kDp2Caps011, stage * 2 + (is_color ? 0 : 1),
          fmt::format("{} {} of stage {} is not in TextureOpCaps", is_color ? "COLOROP" : "ALPHAOP",
                      NameOf(d3d::kTextureOpNames, operation), stage),
          std::string(NameOf(d3d::kTextureOpNames, operation)),
          fmt::format("one of TextureOpCaps: {}", ClaimedOperations(claimed)));
    }
  }
}

// The last slot of a mask, which has one.
uint32_t LastOf(uint32_t slots) {
  return static_cast<uint32_t>(std::bit_width(slots)) - 1;
}

// DP2-CAPS-009 to -011: the fixed-function cascade.
void CheckCascade(const CommandView& view, const StageUse& use) {
  const auto max_stages = view.caps.Find(Cap::MaxTextureBlendStages);
  const auto max_textures = view.caps.Find(Cap::MaxSimultaneousTextures);
  const auto operations = view.caps.Find(Cap::TextureOpCaps);
  if (!max_stages && !max_textures && !operations) return;
  const uint32_t stages = use.stages;
  if (max_stages && stages > *max_stages) {
    view.ReportAtDraw(
        Rule::kDp2Caps009, DetailOf(*max_stages, TextureStageState::ColorOp, 0),
        fmt::format("{} stages are enabled, MaxTextureBlendStages is {}", stages, *max_stages),
        fmt::format("{}", stages), fmt::format("at most {}", *max_stages));
  }
  const auto textures = static_cast<uint32_t>(std::popcount(use.textures));
  if (max_textures && textures > *max_textures) {
    view.ReportAtDraw(
        Rule::kDp2Caps010, DetailOf(LastOf(use.textures), TextureStageState::TextureMap, 0),
        fmt::format("{} textures are read, MaxSimultaneousTextures is {}", textures, *max_textures),
        fmt::format("{}", textures), fmt::format("at most {}", *max_textures));
  }
  if (operations) CheckOperations(view, stages, *operations);
}

// The filter numbers of D3DTEXF, or before runtime 8 of D3DTFG and D3DTFN. Source: lib/opcode/dp2.md 8.3.
bool IsAnisotropic(const CommandView& view, uint32_t slot) {
  const uint32_t magnification = view.runtime_version() >= 4 ? 3 : 5;
  return view.context.state.stage(slot, TextureStageState::MagFilter) == magnification ||
         view.context.state.stage(slot, TextureStageState::MinFilter) == 3;
}

// DP2-CAPS-012.
void CheckAnisotropy(const CommandView& view) {
  const auto max = view.caps.Find(Cap::MaxAnisotropy);
  if (!max) return;
  for (uint32_t slot = 0; slot < d3d::kPixelSamplerCount; ++slot) {
    const uint32_t value = view.context.state.stage(slot, TextureStageState::MaxAnisotropy);
    if (value <= *max || !IsAnisotropic(view, slot) || view.context.Texture(slot) == nullptr)
      continue;
    view.ReportAtDraw(
        Rule::kDp2Caps012, slot,
        fmt::format("MAXANISOTROPY of stage {} is {}, MaxAnisotropy is {}", slot, value, *max),
        fmt::format("{}", value), fmt::format("at most {}", *max));
  }
}

// ---------- vertices at a draw ----------

// DP2-CAPS-022. An FVF code asks for what declarations get by DeclTypes.
void CheckVertexFormat(const CommandView& view, const CapsUse& use) {
  constexpr uint32_t kSetMask = 0xFFFF, kPointSize = 0x100000;  // D3DFVFCAPS
  const auto claimed = view.caps.Find(Cap::FvfCaps);
  if (!claimed) return;
  const auto sets = static_cast<uint32_t>(std::bit_width(use.format.texture_sets));
  if (sets > (*claimed & kSetMask)) {
    view.ReportAtDraw(Rule::kDp2Caps022, 0,
                      fmt::format("vertices have {} texture coordinate sets, and FVFCaps says {}",
                                  sets, *claimed & kSetMask),
                      fmt::format("{}", sets), fmt::format("at most {}", *claimed & kSetMask));
  }
  if (use.format.has_point_size && (*claimed & kPointSize) == 0) {
    view.ReportAtDraw(
        Rule::kDp2Caps022, 1,
        fmt::format("vertices have a point size, and FVFCaps is {:#x}, without PSIZE", *claimed),
        "PSIZE", "vertices without a point size");
  }
}

// DP2-CAPS-024.
void CheckVertexBlend(const CommandView& view, const CapsUse& use) {
  const device::State& state = view.context.state;
  const uint32_t blend = state.value(RenderState::VertexBlend);
  if (!use.Has(kFixedVertices) || blend == d3d::Value(d3d::VertexBlend::Disable) ||
      blend == d3d::Value(d3d::VertexBlend::Tweening))
    return;
  const std::string_view name = NameOf(d3d::kVertexBlendNames, blend);
  const bool is_indexed = state.value(RenderState::IndexedVertexBlendEnable) != 0;
  const uint32_t matrices = blend <= d3d::Value(d3d::VertexBlend::Weights3) ? blend + 1 : 1;
  const auto most = view.caps.Find(Cap::MaxVertexBlendMatrices);
  if (most && matrices > std::max(*most, 1U)) {
    view.ReportAtDraw(Rule::kDp2Caps024, 0,
                      fmt::format("VERTEXBLEND {} blends {} matrices, MaxVertexBlendMatrices is {}",
                                  name, matrices, *most),
                      fmt::format("{}", matrices), fmt::format("at most {}", *most));
  }
  if (is_indexed && view.caps.Find(Cap::MaxVertexBlendMatrixIndex) == 0U) {
    view.ReportAtDraw(Rule::kDp2Caps024, 1,
                      fmt::format("INDEXEDVERTEXBLENDENABLE is TRUE with VERTEXBLEND {}, and "
                                  "MaxVertexBlendMatrixIndex is 0: the device does not blend by "
                                  "indices",
                                  name),
                      "TRUE", "FALSE");
  }
}

// Which bit of VertexProcessingCaps a light needs. Source: D3DVTXPCAPS.
struct LightBit {
  d3d::LightType type;
  uint32_t bit;
  std::string_view name;
};
constexpr LightBit kLightBits[] = {
    {d3d::LightType::Point, 0x10, "POSITIONALLIGHTS"},
    {d3d::LightType::Spot, 0x10, "POSITIONALLIGHTS"},
    {d3d::LightType::Directional, 0x8, "DIRECTIONALLIGHTS"},
};

// DP2-CAPS-023: the lights.
void CheckLights(const CommandView& view, const CapsUse& use) {
  const auto claimed = view.caps.Find(Cap::VertexProcessingCaps);
  constexpr size_t kMost = 64;  // the rest is not checked
  if (!claimed || !use.Has(kFixedVertices | kLighting)) return;
  size_t count = 0;
  for (const auto& [index, light] : view.context.state.lights) {
    if (++count > kMost) return;
    if (!light.is_enabled) continue;
    for (const LightBit& row : kLightBits) {
      if (light.type != d3d::Value(row.type) || (*claimed & row.bit) != 0) continue;
      view.ReportAtDraw(
          Rule::kDp2Caps023, row.bit,
          fmt::format("light {} is of type {}, and VertexProcessingCaps is {:#x}, without {}",
                      index, NameOf(d3d::kLightTypeNames, light.type), *claimed, row.name),
          std::string(NameOf(d3d::kLightTypeNames, light.type)),
          fmt::format("VertexProcessingCaps with {}, or another light", row.name));
    }
  }
}

// DP2-CAPS-030. Patches have capabilities of their own: DP2-PATCH-025. What the states of N-patches and adaptive tessellation need is a table of CheckCapsOfStates().
void CheckGeometry(const CommandView& view, const CapsUse& use) {
  constexpr uint32_t kTransforms = 0x10000;  // D3DDEVCAPS_HWTRANSFORMANDLIGHT
  const auto claimed = view.caps.Find(Cap::DevCaps);
  if (claimed && (*claimed & kTransforms) == 0 && use.Has(kUntransformed) && !use.Has(kPatches)) {
    view.ReportAtDraw(Rule::kDp2Caps030, 0,
                      fmt::format("the vertices are not transformed, and DevCaps is {:#x}, without "
                                  "HWTRANSFORMANDLIGHT",
                                  *claimed),
                      "vertices to transform", "transformed vertices");
  }
  const auto most = view.caps.FindReal(Cap::MaxNpatchTessellationLevel);
  const float segments = view.context.state.real(RenderState::PatchSegments);
  if (!most || !use.Has(kNPatches) || !(segments > *most)) return;
  view.ReportAtDraw(
      Rule::kDp2Caps030, 1,
      fmt::format("N-patches have {} segments, MaxNpatchTessellationLevel is {}", segments, *most),
      fmt::format("{}", segments), fmt::format("at most {}", *most));
}

// DP2-CAPS-013: targets of several depths.
void CheckTargets(const CommandView& view, const CapsUse& use) {
  constexpr uint32_t kIndependentDepths = 0x40000;  // D3DPMISCCAPS_MRTINDEPENDENTBITDEPTHS
  const auto claimed = view.caps.Find(Cap::PrimitiveMiscCaps);
  if (!claimed || (*claimed & kIndependentDepths) != 0 || !use.Has(kSeveralTargets)) return;
  uint32_t bits = 0;
  for (uint32_t slot = 0; slot < device::kTargetCount; ++slot) {
    const device::SurfaceRef target = view.context.Target(slot);
    if (!target) continue;
    const uint32_t own = target.surface().info().block_size * 8U;
    if (bits != 0 && own != bits) {
      view.ReportAtDraw(Rule::kDp2Caps013, slot,
                        fmt::format("render target {} has {} bits a pixel, another {}, and "
                                    "PrimitiveMiscCaps is {:#x}, without MRTINDEPENDENTBITDEPTHS",
                                    slot, own, bits, *claimed),
                        fmt::format("{}", own), fmt::format("{}", bits));
      return;
    }
    bits = own;
  }
}

}  // namespace

void CheckCapsAtDraw(const CommandView& view) {
  if (view.caps.empty() || !DrawsGeometry(view)) return;
  const CapsUse use = CapsUseOf(view);
  if (view.context.state.pixel_shader == 0) CheckCascade(view, use.stages);
  CheckAnisotropy(view);
  CheckCapsOfStates(view, use);
  CheckCapsOfStages(view, use);
  CheckCapsOfSamplers(view, use.stages.textures);
  CheckVertexFormat(view, use);
  CheckVertexBlend(view, use);
  CheckLights(view, use);
  CheckGeometry(view, use);
  CheckTargets(view, use);
}

}  // namespace dp2trace::validate
