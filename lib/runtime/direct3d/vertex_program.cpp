#include "runtime/direct3d/vertex_program.h"

#include <algorithm>
#include <bit>
#include <span>
#include <utility>

#include "d3d/states.h"
#include "device/device.h"
#include "device/layout.h"
#include "raster/shader/vertex_shader.h"
#include "runtime/core/vertex_processing.h"
#include "runtime/direct3d/objects.h"
#include "shader/decoder.h"

namespace dp2trace::runtime {
namespace {

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

}  // namespace

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

// A device of its own, of which the shader sees the state alone.
struct VertexProgram::Machine {
  Machine(uint32_t level, device::VertexLayout input, shader::Program code)
      : device({}), layout(std::move(input)), program(std::move(code)) {
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
  std::optional<raster::VertexShader> shader;
};

VertexProgram::VertexProgram(std::unique_ptr<Machine> machine) : machine_(std::move(machine)) {}
VertexProgram::VertexProgram(VertexProgram&& other) noexcept = default;
VertexProgram::~VertexProgram() = default;

std::optional<VertexProgram> VertexProgram::Make(const StateTable& state, uint32_t level,
                                                 const Streams& streams) {
  const Shader* const shader = FindVertexShader(state);
  std::optional<device::VertexLayout> input = InputOf(state, level);
  if (shader == nullptr || shader->code().empty() || !input || input->is_transformed)
    return std::nullopt;
  DiagnosticList findings;
  shader::Program program = shader::Decode(shader->code(), findings);
  if (program.version.is_pixel || program.instructions.empty()) return std::nullopt;
  auto machine = std::make_unique<Machine>(level, std::move(*input), std::move(program));
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
  machine->shader.emplace(*context, machine->draw, machine->program, nullptr);
  return VertexProgram(std::move(machine));
}

ShadedVertex VertexProgram::Run(uint64_t index) const {
  const raster::VertexShader& shader = *machine_->shader;
  const raster::Vertex vertex =
      shader.Process(raster::FetchVertex(machine_->draw, static_cast<int64_t>(index), 0));
  const auto varying = [&](uint32_t slot) {
    return (shader.outputs().varying_mask >> slot & 1) != 0 ? std::optional(vertex.varyings[slot])
                                                            : std::nullopt;
  };
  ShadedVertex result;
  result.position = vertex.position;
  result.diffuse = varying(raster::kDiffuseSlot);
  result.specular = varying(raster::kSpecularSlot);
  if (shader.fog()) result.fog = vertex.fog;
  if (shader.outputs().has_point_size) result.point_size = vertex.point_size;
  for (uint32_t set = 0; set < result.coordinates.size(); ++set)
    result.coordinates[set] = varying(raster::kTexcoordSlot + set);
  result.steps = vertex.steps;
  return result;
}

void StoreShaded(const ShadedVertex& vertex, const vertex::ViewportMapping& mapping,
                 const d3d::FvfLayout& layout, uint8_t* out) {
  StoreFloats(out, mapping.Map(vertex.position), 4);
  if (layout.diffuse != d3d::FvfLayout::kAbsent && vertex.diffuse)
    dp2trace::Store(out + layout.diffuse, ColorTo(*vertex.diffuse));
  if (layout.specular != d3d::FvfLayout::kAbsent && (vertex.specular || vertex.fog)) {
    Float4 specular = vertex.specular.value_or(Float4{0, 0, 0, 0});
    if (vertex.fog) specular[3] = *vertex.fog;
    dp2trace::Store(out + layout.specular, ColorTo(specular));
  }
  if (layout.point_size != d3d::FvfLayout::kAbsent && vertex.point_size)
    dp2trace::Store(out + layout.point_size, *vertex.point_size);
  for (uint32_t set = 0; set < layout.texture_sets.size(); ++set) {
    const d3d::FvfLayout::TextureSet& place = layout.texture_sets[set];
    if (vertex.coordinates[set])
      StoreFloats(out + place.offset, *vertex.coordinates[set], place.dimension);
  }
}

}  // namespace dp2trace::runtime
