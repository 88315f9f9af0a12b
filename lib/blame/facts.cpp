#include "blame/facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "base/hash.h"
#include "d3d/fvf.h"
#include "d3d/states.h"
#include "state/state_snapshot.h"
#include "state/state_values.h"

namespace dp2trace::blame {
namespace {

using d3d::RenderState;
using d3d::TextureStageState;
using device::StateKey;
using device::StateKind;

// A state that matters only where another one is not 0.
struct Dependency {
  RenderState state;
  RenderState needs;
};
constexpr std::array kDependencies = {
    Dependency{RenderState::AlphaRef, RenderState::AlphaTestEnable},
    Dependency{RenderState::AlphaFunc, RenderState::AlphaTestEnable},
    Dependency{RenderState::ZFunc, RenderState::ZEnable},
    Dependency{RenderState::ZWriteEnable, RenderState::ZEnable},
    Dependency{RenderState::SrcBlend, RenderState::AlphaBlendEnable},
    Dependency{RenderState::DestBlend, RenderState::AlphaBlendEnable},
    Dependency{RenderState::BlendOp, RenderState::AlphaBlendEnable},
    Dependency{RenderState::BlendFactor, RenderState::AlphaBlendEnable},
    Dependency{RenderState::SeparateAlphaBlendEnable, RenderState::AlphaBlendEnable},
    Dependency{RenderState::SrcBlendAlpha, RenderState::SeparateAlphaBlendEnable},
    Dependency{RenderState::DestBlendAlpha, RenderState::SeparateAlphaBlendEnable},
    Dependency{RenderState::BlendOpAlpha, RenderState::SeparateAlphaBlendEnable},
    Dependency{RenderState::FogColor, RenderState::FogEnable},
    Dependency{RenderState::FogTableMode, RenderState::FogEnable},
    Dependency{RenderState::FogVertexMode, RenderState::FogEnable},
    Dependency{RenderState::FogStart, RenderState::FogEnable},
    Dependency{RenderState::FogEnd, RenderState::FogEnable},
    Dependency{RenderState::FogDensity, RenderState::FogEnable},
    Dependency{RenderState::RangeFogEnable, RenderState::FogEnable},
    Dependency{RenderState::StencilFail, RenderState::StencilEnable},
    Dependency{RenderState::StencilZFail, RenderState::StencilEnable},
    Dependency{RenderState::StencilPass, RenderState::StencilEnable},
    Dependency{RenderState::StencilFunc, RenderState::StencilEnable},
    Dependency{RenderState::StencilRef, RenderState::StencilEnable},
    Dependency{RenderState::StencilMask, RenderState::StencilEnable},
    Dependency{RenderState::StencilWriteMask, RenderState::StencilEnable},
    Dependency{RenderState::TwoSidedStencilMode, RenderState::StencilEnable},
    Dependency{RenderState::CcwStencilFail, RenderState::TwoSidedStencilMode},
    Dependency{RenderState::CcwStencilZFail, RenderState::TwoSidedStencilMode},
    Dependency{RenderState::CcwStencilPass, RenderState::TwoSidedStencilMode},
    Dependency{RenderState::CcwStencilFunc, RenderState::TwoSidedStencilMode},
    Dependency{RenderState::Ambient, RenderState::Lighting},
    Dependency{RenderState::LocalViewer, RenderState::Lighting},
    Dependency{RenderState::NormalizeNormals, RenderState::Lighting},
    Dependency{RenderState::ColorVertex, RenderState::Lighting},
    Dependency{RenderState::DiffuseMaterialSource, RenderState::Lighting},
    Dependency{RenderState::SpecularMaterialSource, RenderState::Lighting},
    Dependency{RenderState::AmbientMaterialSource, RenderState::Lighting},
    Dependency{RenderState::EmissiveMaterialSource, RenderState::Lighting},
};

bool IsInForce(const device::State& state, uint32_t code) {
  for (const Dependency& dependency : kDependencies) {
    if (d3d::Value(dependency.state) == code)
      return state.value(dependency.needs) != 0 && IsInForce(state, d3d::Value(dependency.needs));
  }
  return true;
}

// Textures of fixed function and of pixel shaders; no draw samples more than a few.
constexpr uint32_t kSlots = d3d::kPixelSamplerCount;
constexpr std::string_view kStagesInUse = "texture stages in use";
constexpr uint32_t kStageTransforms = 8;  // TEXTURE0 to TEXTURE7

// Stages that fixed function executes: those in front of the first that is off.
uint32_t StageCount(const device::State& state) {
  uint32_t count = 0;
  while (count < d3d::kCombinerStageCount &&
         state.stage(count, TextureStageState::ColorOp) != d3d::Value(d3d::TextureOp::Disable))
    ++count;
  return count;
}

std::string ShaderText(const device::ShaderObject* shader, uint32_t handle) {
  if (shader == nullptr) return "none (fixed function)";
  return fmt::format("{} (code {})", handle, Xxh3_128(shader->code).substr(0, 8));
}

std::string LayoutText(const device::VertexLayout& layout) {
  if (layout.fvf) return fmt::format("FVF 0x{:x}", *layout.fvf);
  std::string text;
  for (const device::VertexElement& element : layout.elements)
    text += (text.empty() ? "" : ", ") + state::ElementText(element);
  return text;
}

}  // namespace

std::string_view CauseOf(std::string_view name) {
  for (const Dependency& dependency : kDependencies) {
    if (d3d::Info(dependency.state).name == name) return d3d::Info(dependency.needs).name;
  }
  if (name == "material" || name == "lights that are on" || name.starts_with("light "))
    return d3d::Info(RenderState::Lighting).name;
  // The operation of a stage says more than the number of stages.
  const bool is_of_stage = name.starts_with("stage ") && !name.ends_with(" COLOROP");
  return is_of_stage ? kStagesInUse : std::string_view();
}

std::vector<uint32_t> TexturesInUse(const device::Context& context) {
  const bool has_shader = context.PixelShader() != nullptr;
  const uint32_t end = has_shader ? kSlots : StageCount(context.state);
  std::vector<uint32_t> slots;
  for (uint32_t slot = 0; slot < end; ++slot) {
    if (context.Texture(slot) != nullptr) slots.push_back(slot);
  }
  return slots;
}

size_t FactTable::Hash::operator()(const StateValue& value) const {
  constexpr uint64_t kMultiplier = 0x9E3779B97F4A7C15;
  const uint64_t mixed =
      (value.key ^ (uint64_t{value.value} << 32 | value.runtime_version << 24)) * kMultiplier;
  return static_cast<size_t>(mixed ^ mixed >> 29);
}

void FactTable::Add(Facts& facts, std::string name, std::string value) {
  const auto [found, is_new] = by_text_.try_emplace(std::pair(std::move(name), std::move(value)),
                                                    static_cast<FactNumber>(facts_.size()));
  if (is_new) facts_.push_back({found->first.first, found->first.second});
  facts.push_back(found->second);
}

// The text is made once for each value.
void FactTable::AddState(Facts& facts, const device::Context& context, StateKey key,
                         std::string_view prefix, std::string_view name, uint32_t value) {
  const StateValue state = {uint64_t{static_cast<uint8_t>(key.kind)} << 32 | key.index, value,
                            context.runtime_version};
  const auto found = by_state_.find(state);
  if (found != by_state_.end()) return facts.push_back(found->second);
  Add(facts, fmt::format("{}{}", prefix, name), state::ValueText(context, context.state, key));
  by_state_.emplace(state, facts.back());
}

void FactTable::AddSurface(Facts& facts, std::string_view what, const device::SurfaceRef& surface) {
  if (!surface) return Add(facts, fmt::format("format of {}", what), "none");
  Add(facts, fmt::format("format of {}", what), std::string(surface.surface().info().name));
}

void FactTable::AddCommon(Facts& facts, const device::Context& context,
                          std::string_view operation) {
  Add(facts, "operation", std::string(operation));
  AddSurface(facts, "target 0", context.Target(0));
  AddSurface(facts, "depth surface", context.Depth());
}

void FactTable::AddRenderStates(Facts& facts, const device::Context& context) {
  for (const d3d::StateInfo& info : d3d::AllRenderStates()) {
    if (info.has_side_effect || !IsInForce(context.state, info.code)) continue;
    AddState(facts, context, {StateKind::kRender, info.code}, "", info.name,
             context.state.render[info.code]);
  }
}

void FactTable::AddTexture(Facts& facts, const device::Context& context, uint32_t slot) {
  const device::Resource* const texture = context.Texture(slot);
  if (texture == nullptr) return Add(facts, fmt::format("texture {}", slot), "none");
  const image::SurfaceDescription& description = texture->surface.description();
  Add(facts, fmt::format("texture {}", slot), state::SurfaceText(context, texture->handle));
  Add(facts, fmt::format("format of texture {}", slot), std::string(texture->surface.info().name));
  Add(facts, fmt::format("size of texture {}", slot),
      fmt::format("{}x{}", description.width, description.height));
  Add(facts, fmt::format("levels of texture {}", slot), fmt::format("{}", description.levels));
}

void FactTable::AddStages(Facts& facts, const device::Context& context) {
  const bool has_shader = context.PixelShader() != nullptr;
  const uint32_t stages = StageCount(context.state);
  if (!has_shader) Add(facts, std::string(kStagesInUse), fmt::format("{}", stages));
  for (uint32_t slot = 0; slot < kSlots; ++slot) {
    const bool combines = !has_shader && slot < stages;
    const bool samples = (has_shader || combines) && context.Texture(slot) != nullptr;
    if (samples || combines) AddTexture(facts, context, slot);
    for (const d3d::StateInfo& info : d3d::AllTextureStageStates()) {
      const bool is_combiner = info.state_class == d3d::StateClass::kCombiner;
      const bool is_sampler = info.state_class == d3d::StateClass::kSampler &&
                              info.code != d3d::Value(TextureStageState::TextureMap);
      if ((is_combiner && combines) || (is_sampler && samples)) {
        AddState(facts, context, {StateKind::kStage, device::StageIndex(slot, info.code)},
                 fmt::format("stage {} ", slot), info.name, context.state.stages[slot][info.code]);
      }
    }
  }
}

void FactTable::AddValue(Facts& facts, const device::Context& context, StateKey key,
                         std::string_view name) {
  device::StateWords words = {};
  device::ReadState(context.state, key, words);
  const auto [found, is_new] = by_words_.try_emplace(std::pair(key, words));
  if (!is_new) return facts.push_back(found->second);
  Add(facts, std::string(name), state::ValueText(context, context.state, key));
  found->second = facts.back();
}

void FactTable::AddGeometry(Facts& facts, const device::Context& context) {
  const device::State& state = context.state;
  const auto add = [&](d3d::TransformState transform) {
    const uint32_t number = d3d::Value(transform);
    AddValue(facts, context, {StateKind::kTransform, number},
             NameOf(d3d::kTransformStateNames, number));
  };
  add(d3d::TransformState::WorldMatrix0);
  add(d3d::TransformState::View);
  add(d3d::TransformState::Projection);
  const uint32_t stages = context.PixelShader() == nullptr ? StageCount(state) : kStageTransforms;
  for (uint32_t stage = 0; stage < std::min(stages, kStageTransforms); ++stage) {
    const bool is_used = state.stage(stage, TextureStageState::TextureTransformFlags) != 0;
    if (is_used)
      add(static_cast<d3d::TransformState>(d3d::Value(d3d::TransformState::Texture0) + stage));
  }
  if (state.value(RenderState::Lighting) == 0) return;
  AddValue(facts, context, {StateKind::kMaterial, 0}, "material");
  uint32_t enabled = 0;
  for (const auto& [index, light] : state.lights) {
    if (!light.is_enabled) continue;
    ++enabled;
    AddValue(facts, context, {StateKind::kLight, index}, fmt::format("light {}", index));
  }
  Add(facts, "lights that are on", fmt::format("{}", enabled));
}

void FactTable::AddConstants(Facts& facts, const device::Context& context,
                             const shader::Program& program, bool is_vertex) {
  struct Bank {
    shader::RegisterType type;
    StateKind vertex, pixel;
    char letter;
    const std::vector<shader::Constant>* defined;
  };
  const std::array banks = {Bank{shader::RegisterType::kConst, StateKind::kVertexFloat,
                                 StateKind::kPixelFloat, 'c', &program.floats},
                            Bank{shader::RegisterType::kConstInt, StateKind::kVertexInteger,
                                 StateKind::kPixelInteger, 'i', &program.integers},
                            Bank{shader::RegisterType::kConstBool, StateKind::kVertexBoolean,
                                 StateKind::kPixelBoolean, 'b', &program.booleans}};
  std::set<std::pair<size_t, uint32_t>> read;
  for (const shader::Instruction& instruction : program.instructions) {
    for (uint32_t i = 0; i < instruction.source_count; ++i) {
      const shader::Source& source = instruction.sources[i];
      for (size_t bank = 0; bank < banks.size(); ++bank) {
        if (source.type == banks[bank].type) read.emplace(bank, source.number);
      }
    }
  }
  for (const auto& [number, index] : read) {
    const Bank& bank = banks[number];
    if (std::ranges::find(*bank.defined, index, &shader::Constant::number) != bank.defined->end())
      continue;
    AddValue(facts, context, {is_vertex ? bank.vertex : bank.pixel, index},
             fmt::format("{}.{}{}", is_vertex ? "vs" : "ps", bank.letter, index));
  }
}

void FactTable::AddPrograms(Facts& facts, const device::Context& context,
                            const device::VertexLayout* layout) {
  const device::VertexProgram& program = context.state.vertex_program;
  Add(facts, "vertex shader",
      ShaderText(context.VertexShader(), program.is_level8 ? program.format : program.function));
  const device::ShaderObject* const pixel = context.PixelShader();
  Add(facts, "pixel shader", ShaderText(pixel, context.state.pixel_shader));
  if (pixel != nullptr && pixel->program != nullptr)
    AddConstants(facts, context, *pixel->program, false);
  if (layout == nullptr) return;
  Add(facts, "vertex format", LayoutText(*layout));
  Add(facts, "vertices are transformed already", layout->is_transformed ? "yes" : "no");
  if (layout->is_transformed) return;
  const device::ShaderObject* const vertex = context.VertexShader();
  if (vertex == nullptr) return AddGeometry(facts, context);
  if (vertex->program != nullptr) AddConstants(facts, context, *vertex->program, true);
}

Facts FactTable::Finish(Facts facts) {
  std::ranges::sort(facts);
  facts.erase(std::unique(facts.begin(), facts.end()), facts.end());
  return facts;
}

Facts FactTable::OfDraw(const device::Context& context, std::string_view operation,
                        const device::Draw& draw) {
  Facts facts;
  AddCommon(facts, context, operation);
  Add(facts, "primitive type",
      state::NameOrNumber(d3d::kPrimitiveTypeNames, d3d::Value(draw.type)));
  Add(facts, "indices",
      draw.indices.size == 0 ? "none" : fmt::format("{} bits", 8 * draw.indices.size));
  Add(facts, "instances", draw.instance_count > 1 ? "several" : "one");
  AddPrograms(facts, context, draw.layout);
  AddRenderStates(facts, context);
  AddStages(facts, context);
  return Finish(std::move(facts));
}

Facts FactTable::OfPatch(const device::Context& context, std::string_view operation,
                         const device::PatchDraw& patch) {
  Facts facts;
  AddCommon(facts, context, operation);
  Add(facts, "primitive type", patch.info.is_triangle ? "triangle patch" : "rectangle patch");
  AddPrograms(facts, context, patch.points.layout);
  AddRenderStates(facts, context);
  AddStages(facts, context);
  return Finish(std::move(facts));
}

Facts FactTable::OfClear(const device::Context& context, std::string_view operation) {
  Facts facts;
  AddCommon(facts, context, operation);
  return Finish(std::move(facts));
}

}  // namespace dp2trace::blame
