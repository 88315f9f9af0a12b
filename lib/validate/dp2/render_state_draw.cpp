// What render states combine at a draw.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>

#include "base/flag_text.h"
#include "base/plain_text.h"
#include "device/table_fog.h"
#include "device/vertex_program.h"
#include "rules/rule.h"
#include "shader/semantics.h"
#include "validate/dp2/draw_format.h"
#include "validate/dp2/render_state.h"
#include "validate/memory.h"

namespace dp2trace::validate {
namespace {

using d3d::RenderState;
using device::State;

constexpr uint8_t kAlphaComponent = 0x8;

bool IsOn(const CommandView& view, RenderState state) {
  return view.context.state.value(state) != 0;
}

// ---------- depth and stencil ----------

// Bits of the stencil of the bound depth surface; nothing where no surface is bound.
std::optional<uint32_t> StencilBits(const CommandView& view) {
  const device::SurfaceRef depth = view.context.Depth();
  if (!depth) return std::nullopt;
  const d3d::Channel* const stencil = depth.surface().info().FindChannel('S');
  return stencil != nullptr ? stencil->width_bits : 0;
}

// DP2-RS-012, DP2-RS-037, DP2-RS-038. Without depth surface the test passes: nothing is combined.
void CheckStencil(const CommandView& view) {
  if (!IsOn(view, RenderState::StencilEnable)) return;
  const std::optional<uint32_t> bits = StencilBits(view);
  if (!bits) return;
  if (*bits == 0) {
    const uint32_t depth = view.context.targets.depth;
    view.ReportAtDraw(Rule::kDp2Rs037, 0,
                      fmt::format("STENCILENABLE is TRUE, depth surface {} has no stencil", depth),
                      std::string(view.context.Depth().surface().info().name),
                      "a depth format with stencil bits");
    return;
  }
  const uint32_t reference = view.context.state.value(RenderState::StencilRef);
  if (*bits < 32 && reference >> *bits != 0) {
    view.ReportAtDraw(Rule::kDp2Rs012, 0,
                      fmt::format("STENCILREF is {}, the stencil has {}", NumberText(reference),
                                  Counted(*bits, "bit")),
                      NumberText(reference), fmt::format("below {}", uint64_t{1} << *bits));
  }
  const uint32_t cull = view.context.state.value(RenderState::CullMode);
  if (IsOn(view, RenderState::TwoSidedStencilMode) && cull != d3d::Value(d3d::CullMode::None)) {
    view.ReportAtDraw(
        Rule::kDp2Rs038, 0,
        fmt::format("TWOSIDEDSTENCILMODE is TRUE, CULLMODE {} removes one of the two sides",
                    NameOf(d3d::kCullModeNames, cull)),
        std::string(NameOf(d3d::kCullModeNames, cull)), "NONE");
  }
}

// DP2-RS-036.
void CheckWBuffer(const CommandView& view) {
  const bool uses_w =
      view.context.state.value(RenderState::ZEnable) == d3d::Value(d3d::ZBufferType::UseW);
  if (!uses_w || view.memory.transform.has_w_info || !view.context.Depth()) return;
  view.ReportAtDraw(Rule::kDp2Rs036, 0,
                    "ZENABLE is USEW and no WINFO gave the range of w: it is 0 to 1", "no WINFO",
                    "WINFO before");
}

// ---------- vertices ----------

// DP2-RS-015. Pixel fog wins over vertex fog, which only the fixed function makes.
void CheckFog(const CommandView& view, const DrawFormat& format) {
  const State& state = view.context.state;
  if (state.real(RenderState::FogStart) != state.real(RenderState::FogEnd)) return;
  const uint32_t table = state.value(RenderState::FogTableMode);
  const bool uses_vertex = table == d3d::Value(d3d::FogMode::None) && format.is_fixed_function();
  const uint32_t mode = uses_vertex ? state.value(RenderState::FogVertexMode) : table;
  if (mode != d3d::Value(d3d::FogMode::Linear)) return;
  view.ReportAtDraw(
      Rule::kDp2Rs015, 0,
      fmt::format("linear fog starts and ends at {}", state.real(RenderState::FogStart)),
      fmt::format("{}", state.real(RenderState::FogEnd)), "an end other than the start");
}

// Without fog of the fixed function: pixel shaders from version 3.0 on make their own.
bool HasOwnFog(const CommandView& view) {
  const device::ShaderObject* const shader = view.context.PixelShader();
  return shader != nullptr && shader->program->version.major >= 3;
}

// The outputs that fog can come from.
bool WritesFog(const shader::Program& vertex) {
  const auto is_source = [](const shader::LinkedRegister& output) {
    const shader::Semantic& semantic = output.semantic;
    return semantic == shader::Semantic{d3d::DeclUsage::Fog, 0} ||
           (semantic == shader::Semantic{d3d::DeclUsage::Color, 1} &&
            (output.mask & kAlphaComponent) != 0);
  };
  return std::ranges::any_of(shader::OutputsOf(vertex), is_source);
}

// DP2-RS-045, with a vertex shader.
void CheckFogOfShader(const CommandView& view) {
  const device::ShaderObject* const vertex = device::FindBoundProgram(view.context).shader;
  if (view.context.state.value(RenderState::FogTableMode) != d3d::Value(d3d::FogMode::None) ||
      vertex == nullptr || WritesFog(*vertex->program))
    return;
  view.ReportAtDraw(
      Rule::kDp2Rs045, 1,
      "FOGENABLE is TRUE, FOGTABLEMODE is NONE, the vertex shader writes neither oFog "
      "nor the alpha of oD1: the fog factor is 0",
      "no source of the factor", "a table mode, or a shader that writes oFog");
}

// DP2-RS-045.
void CheckFogSource(const CommandView& view, const DrawFormat& format) {
  if (format.is_programmable && !format.is_transformed) return CheckFogOfShader(view);
  const State& state = view.context.state;
  const bool has_source =
      state.value(RenderState::FogTableMode) != d3d::Value(d3d::FogMode::None) ||
      format.has_specular || format.has_fog ||
      (format.is_fixed_function() &&
       (state.value(RenderState::FogVertexMode) != d3d::Value(d3d::FogMode::None) ||
        state.value(RenderState::Lighting) != 0));
  if (has_source || !format.is_known) return;
  const bool ignores_mode = format.is_transformed && state.value(RenderState::FogVertexMode) !=
                                                         d3d::Value(d3d::FogMode::None);
  view.ReportAtDraw(
      Rule::kDp2Rs045, 0,
      fmt::format(
          "FOGENABLE is TRUE, FOGTABLEMODE is NONE, {}the vertices have no specular colour: "
          "the fog factor is 0",
          ignores_mode            ? "FOGVERTEXMODE does not count for transformed vertices, "
          : format.is_transformed ? ""
                                  : "FOGVERTEXMODE too, "),
      "no source of the factor", "a fog mode, or a specular colour with the factor in its alpha");
}

// DP2-RS-046: exponential fog without density.
void CheckFogDensity(const CommandView& view) {
  const State& state = view.context.state;
  const uint32_t mode = state.value(RenderState::FogTableMode);
  if ((mode != d3d::Value(d3d::FogMode::Exp) && mode != d3d::Value(d3d::FogMode::Exp2)) ||
      state.real(RenderState::FogDensity) != 0)
    return;
  view.ReportAtDraw(Rule::kDp2Rs046, 1,
                    fmt::format("FOGTABLEMODE is {} and FOGDENSITY is 0: there is no fog",
                                NameOf(d3d::kFogModeNames, mode)),
                    "0", "a density above 0");
}

// DP2-RS-046. Linear fog that changes no depth by more than a sixteenth.
void CheckFogRange(const CommandView& view, const DrawFormat& format) {
  const State& state = view.context.state;
  const float start = state.real(RenderState::FogStart);
  const float end = state.real(RenderState::FogEnd);
  if (state.value(RenderState::FogTableMode) != d3d::Value(d3d::FogMode::Linear) ||
      !format.is_known || start == end || device::TableFogUsesW(state, format.is_fixed_function()))
    return;
  constexpr float kHardly = 1.0F - 1.0F / 16;
  const auto factor = [start, end](float depth) { return (end - depth) / (end - start); };
  if (!(factor(0) >= kHardly) || !(factor(1) >= kHardly)) return;
  view.ReportAtDraw(
      Rule::kDp2Rs046, 0,
      fmt::format("table fog from {} to {} goes by depths from 0 to 1, where there is hardly any: "
                  "there is no projection or WINFO that gives it w",
                  start, end),
      fmt::format("{} to {}", start, end), "a projection, WINFO, or a range inside 0 to 1");
}

// DP2-RS-015, DP2-RS-045, DP2-RS-046.
void CheckFogs(const CommandView& view, const DrawFormat& format) {
  if (!IsOn(view, RenderState::FogEnable) || HasOwnFog(view)) return;
  CheckFog(view, format);
  CheckFogSource(view, format);
  CheckFogRange(view, format);
  CheckFogDensity(view);
}

// DP2-RS-018. Bits at or above the device maximum are DP2-RS-017.
void CheckClipPlanes(const CommandView& view, const DrawFormat& format) {
  const uint32_t enabled = view.context.state.value(RenderState::ClipPlaneEnable);
  if (enabled == 0 || !format.is_known || format.is_transformed || view.context.has_loss) return;
  const uint32_t planes =
      std::min(view.caps.Find(d3d::Cap::MaxUserClipPlanes).value_or(device::kClipPlaneCount),
               device::kClipPlaneCount);
  for (uint32_t plane = 0; plane < planes; ++plane) {
    const bool is_enabled = ((enabled >> plane) & 1) != 0;
    const bool is_set = ((view.memory.transform.planes_set >> plane) & 1) != 0;
    if (!is_enabled || is_set) continue;
    view.ReportAtDraw(
        Rule::kDp2Rs018, plane,
        fmt::format("CLIPPLANEENABLE is {:#x}, clip plane {} was never set", enabled, plane),
        fmt::format("{:#x}", enabled), fmt::format("bit {} clear, or SETCLIPPLANE", plane));
  }
}

// DP2-RS-022.
void CheckVertexBlend(const CommandView& view, const DrawFormat& format) {
  const uint32_t blend = view.context.state.value(RenderState::VertexBlend);
  const bool has_weights = blend >= d3d::Value(d3d::VertexBlend::Weights1) &&
                           blend <= d3d::Value(d3d::VertexBlend::Weights3);
  if (!has_weights || !format.is_fixed_function() || format.weights >= blend) return;
  view.ReportAtDraw(Rule::kDp2Rs022, 0,
                    fmt::format("VERTEXBLEND needs {}, the vertex format has {}",
                                Counted(blend, "weight"), format.weights),
                    fmt::format("{}", format.weights), fmt::format("{} or more", blend));
}

// DP2-RS-023, DP2-RS-024: states of level 8. A negative size was reported where it was set.
void CheckPointSizes(const CommandView& view) {
  if (view.level() < 8 || view.runtime_version() < d3d::kFirstModernRuntime) return;
  const float least = view.context.state.real(RenderState::PointSizeMin);
  const float largest = view.context.state.real(RenderState::PointSizeMax);
  if (largest >= 0.0F && least > largest) {
    view.ReportAtDraw(Rule::kDp2Rs023, 0,
                      fmt::format("POINTSIZE_MIN is {}, POINTSIZE_MAX is {}", least, largest),
                      fmt::format("{}", least), fmt::format("at most {}", largest));
  }
  const std::optional<float> limit = view.caps.FindReal(d3d::Cap::MaxPointSize);
  if (limit && largest > *limit) {
    view.ReportAtDraw(
        Rule::kDp2Rs024, 0,
        fmt::format("POINTSIZE_MAX is {}, the device draws points up to {}", largest, *limit),
        fmt::format("{}", largest), fmt::format("at most {}", *limit));
  }
}

// DP2-RS-033. Only where something is tessellated: patches, and triangles as N-patches.
void CheckTessellation(const CommandView& view) {
  if (!IsOn(view, RenderState::EnableAdaptiveTessellation)) return;
  const opcode::Op op = view.command.op->op;
  const bool is_patch = op == opcode::Op::kDrawRectPatch || op == opcode::Op::kDrawTriPatch;
  if (!is_patch && !(view.context.state.real(RenderState::PatchSegments) > 1.0F)) return;
  const float least = view.context.state.real(RenderState::MinTessellationLevel);
  const float largest = view.context.state.real(RenderState::MaxTessellationLevel);
  if (!(least > largest)) return;
  // Unspecified: what is drawn then; chosen: the draw is executed, the levels are clamped one after the other.
  view.ReportAtDraw(
      Rule::kDp2Rs033, 0,
      fmt::format("MINTESSELLATIONLEVEL is {}, MAXTESSELLATIONLEVEL is {}", least, largest),
      fmt::format("{}", least), fmt::format("at most {}", largest));
}

// DP2-RS-028. What is drawn before the first SCENECAPTURE cannot know that the trace uses it.
void CheckScene(const CommandView& view) {
  const bool is_closed = view.memory.render_state.scene == RenderStateMemory::Scene::kClosed;
  if (!is_closed || view.context.has_loss) return;
  view.ReportAtDraw(Rule::kDp2Rs028, 0, "the scene has ended: SCENECAPTURE is FALSE", "FALSE",
                    "TRUE");
}

}  // namespace

void CheckRenderStateAtDraw(const CommandView& view) {
  view.memory.render_state.Forget();
  if (!DrawsGeometry(view)) return;
  const DrawFormat format = FormatOf(view);
  CheckStencil(view);
  CheckWBuffer(view);
  CheckFogs(view, format);
  CheckClipPlanes(view, format);
  CheckVertexBlend(view, format);
  CheckPointSizes(view);
  CheckTessellation(view);
  CheckScene(view);
}

}  // namespace dp2trace::validate
