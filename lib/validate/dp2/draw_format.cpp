#include "validate/dp2/draw_format.h"

#include "d3d/fvf.h"

namespace dp2trace::validate {
namespace {

using device::Context;
using device::VertexElement;
using device::VertexLayout;
using opcode::Op;

// Legacy and immediate draws, whose vertices have the format of the call; all are operations of level 6.
bool HasFormatOfCall(const opcode::OpInfo& op) {
  return op.level == 6;
}

DrawFormat FormatOfFvf(uint32_t fvf) {
  const d3d::FvfLayout layout = d3d::DecodeFvf(fvf);
  return {.is_known = layout.position != d3d::PositionKind::kNone,
          .is_transformed = layout.position == d3d::PositionKind::kXyzRhw,
          .weights = layout.weight_count,
          .texture_sets = (1U << layout.texture_set_count) - 1,
          .has_diffuse = layout.diffuse != d3d::FvfLayout::kAbsent,
          .has_specular = layout.specular != d3d::FvfLayout::kAbsent,
          .has_point_size = layout.point_size != d3d::FvfLayout::kAbsent,
          .has_fog = layout.fog != d3d::FvfLayout::kAbsent};
}

// FLOAT1 to FLOAT4 are the first four types; all others that can be weights have four components.
uint32_t ComponentsOf(const VertexElement& element) {
  return element.type <= d3d::Value(d3d::DeclType::Float4) ? element.type + 1U : 4U;
}

DrawFormat FormatOfLayout(const VertexLayout& layout) {
  DrawFormat format = {.is_known = true, .is_transformed = layout.is_transformed};
  format.has_diffuse = layout.Find(d3d::DeclUsage::Color, 0) != nullptr;
  format.has_specular = layout.Find(d3d::DeclUsage::Color, 1) != nullptr;
  format.has_point_size = layout.Find(d3d::DeclUsage::PSize) != nullptr;
  format.has_fog = layout.Find(d3d::DeclUsage::Fog) != nullptr;
  for (const VertexElement& element : layout.elements) {
    if (element.usage == d3d::Value(d3d::DeclUsage::BlendWeight))
      format.weights = ComponentsOf(element);
    if (element.usage == d3d::Value(d3d::DeclUsage::Texcoord) && element.usage_index < 32)
      format.texture_sets |= 1U << element.usage_index;
  }
  return format;
}

DrawFormat FormatOfProgram(const Context& context) {
  const device::VertexProgram& program = context.state.vertex_program;
  if (program.is_level8 && (program.format & 1) != 0) {
    const auto shader = context.vertex_shaders.find(program.format);
    if (shader == context.vertex_shaders.end()) return {};
    DrawFormat format = FormatOfLayout(shader->second.layout);
    format.is_programmable = !shader->second.code.empty();
    return format;
  }
  DrawFormat format;
  const auto declaration = context.declarations.find(program.format);
  if (!program.is_level8 && declaration != context.declarations.end()) {
    format = FormatOfLayout(declaration->second.layout);
  } else if ((program.format & 1) == 0 && program.format != 0) {
    format = FormatOfFvf(program.format);
  }
  format.is_programmable = program.function != 0;
  return format;
}

}  // namespace

bool DrawsGeometry(const CommandView& view) {
  const Op op = view.command.op->op;
  return view.command.op->is(opcode::kDraw) && op != Op::kClear && op != Op::kComposeRects;
}

DrawFormat FormatOf(const CommandView& view) {
  if (HasFormatOfCall(*view.command.op)) return FormatOfFvf(view.call.vertex_type);
  return FormatOfProgram(view.context);
}

}  // namespace dp2trace::validate
