#include "runtime/direct3d/vertex_program.h"

#include <algorithm>
#include <bit>
#include <span>
#include <utility>

#include "d3d/states.h"
#include "device/device.h"
#include "device/layout.h"
#include "raster/shader/linkage.h"
#include "raster/shader/vertex_shader.h"
#include "runtime/core/vertex_processing.h"
#include "runtime/direct3d/objects.h"
#include "shader/decoder.h"

namespace dp2trace::runtime {
namespace {

using d3d::DeclType;
using d3d::DeclUsage;

constexpr uint64_t kContext = device::kPacketContext;  // needs no target
// Registers that software vertex processing has.
constexpr uint32_t kFloatCount = 8192, kIntegerCount = 2048, kBooleanCount = 2048;

std::array<uint32_t, 4> FourOf(const StateValue& value) {
  std::array<uint32_t, 4> words = {};
  std::copy_n(value.words.begin(), std::min<size_t>(4, value.words.size()), words.begin());
  return words;
}

template <class T>
T& At(std::vector<T>& registers, size_t index) {
  if (registers.size() <= index) registers.resize(index + 1);
  return registers[index];
}

device::ShaderConstants ConstantsOf(const StateTable& state) {
  device::ShaderConstants constants;
  for (const StateKey& key : state.Keys()) {
    const StateValue value = state.Get(key, false);
    if (key.kind == StateKind::kVertexFloat && key.a < kFloatCount)
      At(constants.floats, key.a) = std::bit_cast<Float4>(FourOf(value));
    if (key.kind == StateKind::kVertexInt && key.a < kIntegerCount)
      At(constants.integers, key.a) = std::bit_cast<std::array<int32_t, 4>>(FourOf(value));
    if (key.kind == StateKind::kVertexBool && key.a < kBooleanCount)
      At(constants.booleans, key.a) = value.word;
  }
  return constants;
}

// What the vertices of the bound format hold. None where it cannot be read.
std::optional<device::VertexLayout> InputOf(const StateTable& state, uint32_t level) {
  const StateValue format = state.Get({StateKind::kVertexFormat, 0, 0}, false);
  if (format.object == nullptr) return device::LayoutOfFvf(format.word, level);
  const auto* shader = dynamic_cast<const Shader*>(format.object.get());
  if (shader == nullptr) return std::nullopt;
  if (shader->kind() == ShaderKind::kVertexShader8) {
    const auto read = device::ReadDeclarationTokens(shader->declaration());
    return read.ok() ? std::optional(read->layout) : std::nullopt;
  }
  const auto layout = device::LayoutOfElements(shader->declaration());
  return layout.ok() ? std::optional(*layout) : std::nullopt;
}

bool IsPosition(const OutputLayout::Element& element) {
  return (element.usage == DeclUsage::Position || element.usage == DeclUsage::PositionT) &&
         element.usage_index == 0;
}

// Reads what the layout has: the registers of a declaration mean what its elements mean, as the inputs of a pixel shader do.
shader::Program MakeReader(const OutputLayout& output) {
  shader::Program reader;
  reader.version = {.is_pixel = true, .major = 3, .minor = 0};
  for (const OutputLayout::Element& element : output.elements) {
    if (IsPosition(element)) continue;
    shader::Declaration& input = reader.declarations.emplace_back();
    input.number = static_cast<uint32_t>(reader.declarations.size() - 1);
    input.usage = d3d::Value(element.usage);
    input.usage_index = element.usage_index;
  }
  return reader;
}

OutputLayout OutputOf(const device::VertexLayout& layout) {
  OutputLayout output;
  for (const device::VertexElement& element : layout.elements) {
    output.elements.push_back({element.offset, static_cast<DeclType>(element.type),
                               static_cast<DeclUsage>(element.usage), element.usage_index});
  }
  output.vertex_size = device::ElementEnds(layout)[0];
  return output;
}

}  // namespace

OutputLayout OutputLayout::OfFvf(uint32_t fvf) {
  OutputLayout output = OutputOf(device::LayoutOfFvf(fvf, 9));
  output.vertex_size = d3d::FvfVertexSize(fvf);
  return output;
}

std::optional<OutputLayout> OutputLayout::OfDeclaration(Bytes declaration) {
  const Result<device::VertexLayout> layout = device::LayoutOfElements(declaration);
  if (!layout.ok() || device::UsedStreams(*layout) != 1) return std::nullopt;
  OutputLayout output = OutputOf(*layout);
  output.is_declared = true;
  const bool is_writable = std::ranges::all_of(output.elements, [](const Element& element) {
    return element.type <= (IsPosition(element) ? DeclType::Float4 : DeclType::D3dColor);
  });
  const auto position = std::ranges::find_if(output.elements, IsPosition);
  const bool has_position = position != output.elements.end() && position->type == DeclType::Float4;
  return is_writable && has_position ? std::optional(std::move(output)) : std::nullopt;
}

const Shader* FindVertexShader(const StateTable& state) {
  for (const StateKind kind : {StateKind::kVertexShader, StateKind::kVertexFormat}) {
    const StateValue value = state.Get({kind, 0, 0}, false);
    const auto* shader = dynamic_cast<const Shader*>(value.object.get());
    if (shader == nullptr || shader->kind() == ShaderKind::kDeclaration) continue;
    // A level 8 shader without code is a declaration for the fixed function.
    if (shader->has_code()) return shader;
  }
  return nullptr;
}

bool DeclaresOutputs(const Shader& shader) {
  constexpr uint32_t kModel3 = 3;
  return shader.code().size() >= 4 && (LoadU32(shader.code().data()) >> 8 & 0xFF) >= kModel3;
}

// A device of its own, of which the shader sees only the state.
struct VertexProgram::Machine {
  Machine(uint32_t level, device::VertexLayout input, shader::Program code, OutputLayout written)
      : device({}),
        layout(std::move(input)),
        program(std::move(code)),
        output(std::move(written)),
        reader(MakeReader(output)),
        slots(output.is_declared ? &reader : nullptr) {
    trace::Header header;
    header.driver_level = level;
    device.OnHeader(header);
    constexpr uint32_t kVersionBelowLevel = 4;
    (void)device.OnContextCreate(
        {.context = kContext, .runtime_version = level - kVersionBelowLevel, .ddrval = {}});
    draw.layout = &layout;
  }

  device::Device device;
  device::VertexLayout layout;
  shader::Program program;
  device::Draw draw;
  OutputLayout output;
  shader::Program reader;
  raster::VaryingSlots slots;
  std::optional<raster::VertexShader> shader;
};

VertexProgram::VertexProgram(std::unique_ptr<Machine> machine) : machine_(std::move(machine)) {}
VertexProgram::VertexProgram(VertexProgram&& other) noexcept = default;
VertexProgram::~VertexProgram() = default;

std::optional<VertexProgram> VertexProgram::Make(const StateTable& state, uint32_t level,
                                                 const Streams& streams, OutputLayout output) {
  const Shader* const shader = FindVertexShader(state);
  std::optional<device::VertexLayout> input = InputOf(state, level);
  if (shader == nullptr || shader->code().empty() || !input || input->is_transformed)
    return std::nullopt;
  DiagnosticList findings;
  shader::Program program = shader::Decode(shader->code(), findings);
  if (program.version.is_pixel || program.instructions.empty()) return std::nullopt;
  auto machine =
      std::make_unique<Machine>(level, std::move(*input), std::move(program), std::move(output));
  device::Context* const context = machine->device.FindContext(0, kContext);
  if (context == nullptr) return std::nullopt;
  context->state.vertex_constants = ConstantsOf(state);
  for (const d3d::RenderState number : {d3d::RenderState::PointSize, d3d::RenderState::PointSizeMin,
                                        d3d::RenderState::PointSizeMax}) {
    context->state.render[d3d::Value(number)] =
        state.Get({StateKind::kRenderState, d3d::Value(number), 0}, false).word;
  }
  for (size_t i = 0; i < streams.size() && i < machine->draw.streams.size(); ++i)
    machine->draw.streams[i] = {streams[i].bytes, streams[i].offset, streams[i].stride};
  machine->shader.emplace(*context, machine->draw, machine->program,
                          machine->output.is_declared ? &machine->reader : nullptr);
  return VertexProgram(std::move(machine));
}

// What a flexible vertex format has no place for travels in the alpha of the specular colour: the fog factor.
ShadedVertex VertexProgram::Run(uint64_t index) const {
  const raster::VertexShader& shader = *machine_->shader;
  const raster::Vertex vertex =
      shader.Process(raster::FetchVertex(machine_->draw, static_cast<int64_t>(index), 0));
  const auto value = [&](const OutputLayout::Element& element) -> std::optional<Float4> {
    const bool is_first = element.usage_index == 0;
    if (IsPosition(element)) return std::nullopt;
    if (element.usage == DeclUsage::Fog && is_first)
      return shader.fog() ? std::optional(Float4{vertex.fog, 0, 0, 1}) : std::nullopt;
    if (element.usage == DeclUsage::PSize && is_first) {
      return shader.outputs().has_point_size ? std::optional(Float4{vertex.point_size, 0, 0, 1})
                                             : std::nullopt;
    }
    const std::optional<uint32_t> slot = machine_->slots.Find({element.usage, element.usage_index});
    const bool is_written = slot && (shader.outputs().varying_mask >> *slot & 1) != 0;
    const bool is_specular = element.usage == DeclUsage::Color && element.usage_index == 1;
    if (!machine_->output.is_declared && is_specular && shader.fog()) {
      Float4 color = is_written ? vertex.varyings[*slot] : Float4{};
      color[3] = vertex.fog;
      return color;
    }
    return is_written ? std::optional(vertex.varyings[*slot]) : std::nullopt;
  };
  ShadedVertex result;
  result.position = vertex.position;
  for (const OutputLayout::Element& element : machine_->output.elements)
    result.values.push_back(value(element));
  result.steps = vertex.steps;
  return result;
}

void StoreShaded(const ShadedVertex& vertex, const vertex::ViewportMapping& mapping,
                 const OutputLayout& layout, uint8_t* out) {
  for (size_t i = 0; i < layout.elements.size(); ++i) {
    const OutputLayout::Element& element = layout.elements[i];
    uint8_t* const at = out + element.offset;
    if (IsPosition(element)) {
      StoreFloats(at, mapping.Map(vertex.position), 4);
    } else if (!vertex.values[i]) {
      continue;
    } else if (element.type == DeclType::D3dColor) {
      dp2trace::Store(at, PackColor(*vertex.values[i]));
    } else {
      StoreFloats(at, *vertex.values[i], d3d::Value(element.type) + 1);
    }
  }
}

}  // namespace dp2trace::runtime
