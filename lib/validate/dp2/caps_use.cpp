#include "validate/dp2/caps_use.h"

#include "device/table_fog.h"
#include "opcode/layouts.h"
#include "validate/memory.h"

namespace dp2trace::validate {
namespace {

namespace layout = opcode::layout;
using d3d::RenderState;
using device::State;
using opcode::Op;

// ---------- primitives ----------

constexpr stream::FieldRef kDrawType = stream::Field(layout::kDrawPrimitive, "prim_type");
static_assert(kDrawType.offset ==
                  stream::Field(layout::kDrawIndexedPrimitive, "prim_type").offset &&
              kDrawType.offset == stream::Field(layout::kDrawPrimitive2, "prim_type").offset &&
              kDrawType.offset ==
                  stream::Field(layout::kDrawIndexedPrimitive2, "prim_type").offset);

uint32_t PartOfType(uint32_t type) {
  switch (static_cast<d3d::PrimitiveType>(type)) {
    case d3d::PrimitiveType::PointList:
      return 0;
    case d3d::PrimitiveType::LineList:
    case d3d::PrimitiveType::LineStrip:
      return kLines;
    case d3d::PrimitiveType::TriangleList:
    case d3d::PrimitiveType::TriangleStrip:
    case d3d::PrimitiveType::TriangleFan:
      return kTriangles;
  }
  return 0;
}

// kLines, kTriangles, or neither for points; of all records.
uint32_t PrimitivesOf(const CommandView& view) {
  switch (view.command.op->op) {
    case Op::kPoints:
      return 0;
    case Op::kLineList:
    case Op::kLineStrip:
    case Op::kLineListImm:
    case Op::kIndexedLineList:
    case Op::kIndexedLineList2:
    case Op::kIndexedLineStrip:
      return kLines;
    case Op::kDrawPrimitive:
    case Op::kDrawPrimitive2:
    case Op::kDrawIndexedPrimitive:
    case Op::kDrawIndexedPrimitive2: {
      uint32_t parts = 0;
      for (const stream::Record& record : view.Records())
        parts |= PartOfType(record.U32(kDrawType));
      return parts;
    }
    default:
      return kTriangles;
  }
}

uint32_t PatchParts(const CommandView& view, uint32_t primitives) {
  const Op op = view.command.op->op;
  if (op == Op::kDrawRectPatch || op == Op::kDrawTriPatch) return kPatches;
  const bool is_tessellated = view.level() >= 8 && primitives == kTriangles &&
                              view.context.state.real(RenderState::PatchSegments) > 1.0F;
  return is_tessellated ? uint32_t{kNPatches} : 0;
}

// ---------- states ----------

// Which part a state that is on brings.
struct Switch {
  RenderState state;
  uint32_t part;
};
constexpr Switch kSwitches[] = {
    {RenderState::AlphaTestEnable, kAlphaTest},
    {RenderState::AlphaBlendEnable, kBlending},
    {RenderState::FogEnable, kFog},
    {RenderState::StencilEnable, kStencilTest},
    {RenderState::Lighting, kLighting},
};

uint32_t TargetParts(const CommandView& view) {
  constexpr uint32_t kParts[device::kTargetCount] = {0, kTarget1, kTarget2, kTarget3};
  uint32_t parts = 0;
  for (uint32_t slot = 1; slot < device::kTargetCount; ++slot) {
    if (view.context.targets.colors[slot] != 0) parts |= kParts[slot] | kSeveralTargets;
  }
  const device::SurfaceRef target = view.context.Target(0);
  if (target && target.resource->sample_count > 1) parts |= kMultisampled;
  return parts;
}

uint32_t VertexParts(const CommandView& view, const CapsUse& use) {
  const State& state = view.context.state;
  const DrawFormat& format = use.format;
  uint32_t parts = 0;
  if (format.is_known && !format.is_transformed) parts |= kUntransformed;
  if (format.is_fixed_function()) parts |= kFixedVertices;
  // Level 6 has no bit for it.
  if ((use.parts & (kFog | kVertexFog)) == kFog && view.level() >= 7)
    parts |= device::TableFogUsesW(state, format.is_fixed_function()) ? kWFog : kZFog;
  const bool is_lit = format.is_fixed_function() && (use.parts & kLighting) != 0;
  if (format.has_diffuse || is_lit) parts |= kVertexColor;
  if (state.value(RenderState::SpecularEnable) != 0) {
    if (is_lit) parts |= kSpecularLight;
    if (format.has_specular || is_lit) parts |= kVertexSpecular;
  }
  if (is_lit && state.value(RenderState::ColorVertex) != 0 &&
      (format.has_diffuse || format.has_specular))
    parts |= kVertexMaterial;
  return parts;
}

uint32_t StateParts(const CommandView& view) {
  const State& state = view.context.state;
  uint32_t parts = 0;
  for (const Switch& row : kSwitches) {
    if (state.value(row.state) != 0) parts |= row.part;
  }
  if ((parts & kStencilTest) != 0 && state.value(RenderState::TwoSidedStencilMode) != 0)
    parts |= kBothStencils;
  if ((parts & kBlending) != 0 && state.value(RenderState::SeparateAlphaBlendEnable) != 0)
    parts |= kAlphaBlending;
  if ((parts & kFog) != 0 &&
      state.value(RenderState::FogTableMode) == d3d::Value(d3d::FogMode::None))
    parts |= kVertexFog;
  if (state.value(RenderState::ZEnable) != 0 && view.context.targets.depth != 0)
    parts |= kDepthTest;
  return parts;
}

}  // namespace

CapsUse CapsUseOf(const CommandView& view) {
  const State& state = view.context.state;
  CapsUse use;
  use.stages = UseOf(view, view.memory.texture_stage.samplers);
  use.format = FormatOf(view);
  const uint32_t primitives = PrimitivesOf(view);
  use.parts = primitives | PatchParts(view, primitives) | StateParts(view) | TargetParts(view);
  use.parts |= VertexParts(view, use);
  if (primitives == 0 && (state.real(RenderState::PointSize) > 1.0F || use.format.has_point_size ||
                          state.value(RenderState::PointScaleEnable) != 0))
    use.parts |= kLargePoints;
  if (use.stages.textures != 0) use.parts |= kTexture;
  if (view.level() < 8) use.parts |= kBelowLevel8;
  if (view.level() < 9) use.parts |= kBelowLevel9;
  return use;
}

}  // namespace dp2trace::validate
