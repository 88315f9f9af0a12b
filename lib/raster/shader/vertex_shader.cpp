#include "raster/shader/vertex_shader.h"

#include <bit>

#include "raster/shader/linkage.h"
#include "raster/shader/shader.h"
#include "raster/vertex/placement.h"
#include "raster/vertex/point_range.h"
#include "raster/vertex/vertex_fog.h"

namespace dp2trace::raster {
namespace {

using d3d::DeclUsage;
using d3d::RenderState;
using shader::RegisterType;
using shader::Semantic;

// The element that an input register reads; kNoElement: none.
uint32_t InputElement(const shader::Program& program, const device::VertexLayout& layout,
                      uint32_t number) {
  if (const shader::Declaration* declaration =
          program.FindDeclaration(RegisterType::kInput, number)) {
    return ElementIndex(layout, static_cast<DeclUsage>(declaration->usage),
                        declaration->usage_index);
  }
  for (uint32_t i = 0; i < layout.elements.size() && i < kNoElement; ++i) {
    if (layout.elements[i].shader_register == number) return i;
  }
  const Semantic& semantic = shader::RegisterSemantic(number);
  return ElementIndex(layout, semantic.usage, semantic.index);
}

}  // namespace

VertexShader::VertexShader(const device::Context& context, const device::Draw& draw,
                           const shader::Program& program, const shader::Program* pixel)
    : program_(&program),
      state_(&context.state),
      constants_(context.state.vertex_constants, program),
      textures_(context, program, nullptr),
      interpreter_(program, constants_, textures_),
      is_pixel_3_(pixel != nullptr && pixel->version.code() >= 0x30) {
  for (uint32_t i = 0; i < kInputCount; ++i)
    elements_[i] = InputElement(program, *draw.layout, i);
  const VaryingSlots slots(pixel);
  LinkOutputs(slots);
  PrepareOutputs(draw, slots);
}

void VertexShader::LinkOutputs(const VaryingSlots& slots) {
  for (uint32_t i = 0; i < d3d::kCombinerStageCount; ++i)
    initial_[kTexcoordSlot + i] = UnwrittenVarying({DeclUsage::Texcoord, i});
  for (const shader::LinkedRegister& output : shader::OutputsOf(*program_)) {
    const Semantic& semantic = output.semantic;
    const ScalarOutput scalar = {output.type, output.number,
                                 static_cast<uint32_t>(std::countr_zero(output.mask))};
    if (semantic == Semantic{DeclUsage::Position, 0}) position_ = output;
    if (semantic == Semantic{DeclUsage::Fog, 0}) fog_ = scalar;
    if (semantic == Semantic{DeclUsage::PSize, 0}) point_size_ = scalar;
    const std::optional<uint32_t> slot = slots.Find(semantic);
    if (!slot) continue;
    links_.push_back({output.type, output.number, output.mask, *slot});
    outputs_.varying_mask |= 1U << *slot;
    // Fact V24: what is missing of a colour that is written in part is 1, of anything else 0.
    const float rest = semantic == Semantic{DeclUsage::Color, 0} ? 1.0F : 0.0F;
    initial_[*slot] = {rest, rest, rest, rest};
  }
  LinkFog();
}

// Without oFog the alpha of oD1 is the factor.
void VertexShader::LinkFog() {
  if (fog_) outputs_.fog_factor = FogFactorSource::kShader;
  for (const VertexLink& link : links_) {
    if (fog_ || link.slot != kSpecularSlot || (link.mask >> 3 & 1) == 0) continue;
    fog_ = {link.type, link.number, 3};
    outputs_.fog_factor = FogFactorSource::kSpecularAlpha;
  }
}

void VertexShader::PrepareOutputs(const device::Draw& draw, const VaryingSlots& slots) {
  outputs_.clamps_colors = !is_pixel_3_;
  outputs_.has_point_size = point_size_.has_value();
  outputs_.table_fog_uses_w = TableFogUsesW(*state_, false);
  // Unspecified: TEXCOORDINDEX after a vertex shader; chosen: ignored, stage n samples with oT n and wraps as WRAPn says.
  for (uint32_t stage = 0; stage < d3d::kCombinerStageCount; ++stage) {
    outputs_.texcoord_components[stage] = kDivisorInW;
    const bool is_linked = slots.Find({DeclUsage::Texcoord, stage}).has_value();
    if (is_linked) outputs_.wrap[stage] = state_->render[d3d::Value(RenderState::Wrap0) + stage];
  }
  // Sprites make coordinates that the shader does not write.
  const bool has_sprites = draw.type == d3d::PrimitiveType::PointList &&
                           state_->value(RenderState::PointSpriteEnable) != 0;
  if (has_sprites) outputs_.varying_mask |= 0xFFU << kTexcoordSlot;
}

const Float4& VertexShader::ValueOf(const ShaderRegisters& registers, RegisterType type,
                                    uint32_t number) const {
  static constexpr Float4 kNone = {};
  const Float4Quad* found = registers.Find(type, number);
  return found != nullptr ? (*found)[0] : kNone;
}

// Colours are clamped before fixed function and pixel shaders below 3.0 see them.
void VertexShader::StoreVaryings(const ShaderRegisters& registers, Vertex& out) const {
  out.varyings = initial_;
  for (const VertexLink& link : links_) {
    const Float4& value = ValueOf(registers, link.type, link.number);
    for (uint32_t i = 0; i < 4; ++i) {
      if ((link.mask >> i & 1) != 0) out.varyings[link.slot][i] = value[i];
    }
  }
  if (is_pixel_3_) return;
  out.varyings[kDiffuseSlot] = Saturate(out.varyings[kDiffuseSlot]);
  out.varyings[kSpecularSlot] = Saturate(out.varyings[kSpecularSlot]);
}

Vertex VertexShader::Process(const VertexInput& input) const {
  return Run(input, nullptr);
}

Vertex VertexShader::ProcessProbed(const VertexInput& input, ProbedShading& probe) const {
  return Run(input, &probe);
}

Vertex VertexShader::Run(const VertexInput& input, ProbedShading* probe) const {
  ShaderRegisters registers;
  for (uint32_t i = 0; i < kInputCount; ++i) {
    registers.inputs[i][0] =
        elements_[i] == kNoElement ? Float4{0, 0, 0, 1} : input.values[elements_[i]];
  }
  Vertex result;
  result.steps += interpreter_.Run(registers, 1, probe).steps;
  // A shader that writes no position draws nothing: w = 0 is outside of the clip volume.
  if (position_) {
    const Float4& value = ValueOf(registers, position_->type, position_->number);
    result.position = {0, 0, 0, 1};
    for (uint32_t i = 0; i < 4; ++i) {
      if ((position_->mask >> i & 1) != 0) result.position[i] = value[i];
    }
  }
  StoreVaryings(registers, result);
  result.fog =
      fog_ ? Saturate(ValueOf(registers, fog_->type, fog_->number)[fog_->component]) : 0.0F;
  const float size = point_size_ ? ValueOf(registers, point_size_->type,
                                           point_size_->number)[point_size_->component]
                                 : PointSizeOf(*state_);
  result.point_size = ClampPointSize(*state_, size);
  const uint32_t planes = state_->value(RenderState::ClipPlaneEnable);
  for (uint32_t i = 0; i < kUserPlaneCount; ++i) {
    if ((planes >> i & 1) != 0)
      result.plane_distances[i] = Dot4(state_->clip_planes[i].data(), result.position.data());
  }
  return result;
}

std::shared_ptr<const shader::Program> VertexProgramOf(const device::Context& context,
                                                       const device::Draw& draw) {
  if (draw.layout == nullptr || draw.layout->is_transformed) return nullptr;
  const device::ShaderObject* const bound = context.VertexShader();
  return bound != nullptr ? bound->program : nullptr;
}

std::unique_ptr<VertexProcessor> MakeVertexShaderProcessor(const device::Context& context,
                                                           const device::Draw& draw,
                                                           const shader::Program& vertex,
                                                           const shader::Program* pixel) {
  return std::make_unique<VertexShader>(context, draw, vertex, pixel);
}

}  // namespace dp2trace::raster
