// Vertices that the runtime processes in memory, into another vertex buffer.
// Source: Microsoft's Direct3D 8 and 9 API reference (ProcessVertices).
#include <algorithm>
#include <array>
#include <bit>

#include "runtime/core/vertex_processing.h"
#include "runtime/direct3d/device.h"
#include "runtime/direct3d/vertex_program.h"

namespace dp2trace::runtime {
namespace {

// Work, in steps (Allowance).
constexpr uint64_t kVertexSteps = 400, kLightSteps = 60, kInstructionSteps = 12;

template <size_t N>
std::array<uint32_t, N> WordsOf(const StateValue& value) {
  std::array<uint32_t, N> words = {};
  std::copy_n(value.words.begin(), std::min(N, value.words.size()), words.begin());
  return words;
}

VertexState StateOf(const StateTable& table, bool has_depth) {
  VertexState state;
  state.render_state = [&table, has_depth](d3d::RenderState number) {
    return table.Get({StateKind::kRenderState, d3d::Value(number), 0}, has_depth).word;
  };
  state.stage_state = [&table](uint32_t stage, d3d::TextureStageState number) {
    return table
        .Get({StateKind::kTextureStage, stage, static_cast<uint16_t>(d3d::Value(number))}, false)
        .word;
  };
  state.transform = [&table](uint32_t number) {
    return std::bit_cast<vertex::Matrix>(
        WordsOf<16>(table.Get({StateKind::kTransform, number, 0}, false)));
  };
  state.viewport = std::bit_cast<vertex::ViewportArea>(
      WordsOf<6>(table.Get({StateKind::kViewport, 0, 0}, false)));
  state.material =
      std::bit_cast<d3d::Material>(WordsOf<17>(table.Get({StateKind::kMaterial, 0, 0}, false)));
  for (const StateKey& key : table.Keys()) {
    if (key.kind != StateKind::kLightEnable || table.Get(key, false).word == 0) continue;
    state.lights.push_back(
        std::bit_cast<d3d::Light>(WordsOf<26>(table.Get({StateKind::kLight, key.a, 0}, false))));
  }
  return state;
}

std::optional<VertexReader> ReaderOf(const StateTable& table) {
  const StateValue format = table.Get({StateKind::kVertexFormat, 0, 0}, false);
  if (format.object == nullptr) return VertexReader::OfFvf(format.word);
  const auto* shader = dynamic_cast<const Shader*>(format.object.get());
  if (shader == nullptr) return std::nullopt;
  return shader->kind() == ShaderKind::kDeclaration
             ? VertexReader::OfDeclaration(shader->declaration())
             : VertexReader::OfTokens(shader->declaration());
}

// None where the runtime does not keep what a buffer holds.
std::optional<VertexProgram::Streams> StreamsOf(const StateTable& table) {
  VertexProgram::Streams streams;
  for (uint32_t i = 0; i < streams.size(); ++i) {
    const StateValue value = table.Get({StateKind::kStream, i, 0}, false);
    const auto buffer = std::dynamic_pointer_cast<Resource>(value.object);
    if (buffer == nullptr || value.words.size() != 2) continue;
    if (buffer->memory().empty()) return std::nullopt;
    streams[i] = {buffer->memory(), value.words[0], value.words[1]};
  }
  return streams;
}

}  // namespace

// What a vertex does not get stays as it is.
bool Device::WriteProcessed(Resource& dest, const ProcessedVertices& vertices, uint32_t vertex_size,
                            const std::function<void(uint64_t, uint8_t*)>& process) {
  const uint64_t start = uint64_t{vertices.dest_index} * vertex_size;
  const uint64_t size = uint64_t{vertices.count} * vertex_size;
  if (dest.memory().empty() || start + size > dest.memory().size()) return false;
  const Recorder& recorder = dest.link().recorder;
  const MemoryShare share = recorder.KeepMemory(size);
  if (!share.is_granted() || !recorder.Spend(vertices.count * kVertexSteps)) return false;
  MemoryWrite write{start, {}};
  const auto first = dest.memory().begin() + static_cast<std::ptrdiff_t>(start);
  write.bytes.assign(first, first + static_cast<std::ptrdiff_t>(size));
  for (uint32_t i = 0; i < vertices.count; ++i)
    process(uint64_t{vertices.source_index} + i, write.bytes.data() + size_t{i} * vertex_size);
  WriteBuffer(dest, 0, 0, std::span(&write, 1));
  return true;
}

bool Device::RunVertexShader(const ProcessedVertices& vertices, const OutputLayout& layout,
                             Resource& dest) {
  const std::optional<VertexProgram::Streams> streams = StreamsOf(state_);
  if (!streams) return false;
  const std::optional<VertexProgram> program =
      VertexProgram::Make(state_, level(), *streams, layout);
  if (!program) return false;
  const StateValue viewport = state_.Get({StateKind::kViewport, 0, 0}, false);
  const vertex::ViewportMapping mapping(std::bit_cast<vertex::ViewportArea>(WordsOf<6>(viewport)),
                                        vertex::DepthRange::kAsGiven);
  bool is_whole = true;
  const bool is_written =
      WriteProcessed(dest, vertices, layout.vertex_size, [&](uint64_t index, uint8_t* out) {
        if (!is_whole) return;
        const ShadedVertex vertex = program->Run(index);
        is_whole = link_->recorder.Spend(vertex.steps * kInstructionSteps);
        if (is_whole) StoreShaded(vertex, mapping, layout, out);
      });
  return is_written && is_whole;
}

bool Device::ProcessVertices(const ProcessedVertices& vertices, Resource& dest,
                             const Shader* declaration) {
  const Shader* const shader = FindVertexShader(state_);
  const uint32_t dest_fvf = dest.description().fvf;
  // Unspecified: a declaration without a shader of model 3; chosen: it does not count.
  if (shader != nullptr && declaration != nullptr && DeclaresOutputs(*shader)) {
    const auto layout = OutputLayout::OfDeclaration(declaration->declaration());
    return layout && RunVertexShader(vertices, *layout, dest);
  }
  if (!VertexProcessing::IsPossible(dest_fvf)) return false;
  if (shader != nullptr) return RunVertexShader(vertices, OutputLayout::OfFvf(dest_fvf), dest);
  if (!link_->recorder.Spend(state_.size() * kStateSteps)) return false;
  const VertexState state = StateOf(state_, implicit_depth_ != nullptr);
  const std::optional<VertexReader> reader = ReaderOf(state_);
  const std::optional<VertexProgram::Streams> streams = StreamsOf(state_);
  if (!reader || !streams) return false;
  const bool is_lit = state.render_state(d3d::RenderState::Lighting) != 0;
  if (!link_->recorder.Spend(state.lights.size() * vertices.count * kLightSteps)) return false;
  const VertexProcessing processing(
      state, {.dest_fvf = dest_fvf, .is_lit = is_lit, .copies_data = !vertices.do_not_copy});
  return WriteProcessed(dest, vertices, processing.dest_size(), [&](uint64_t index, uint8_t* out) {
    processing.Process(reader->Read(*streams, index), out);
  });
}

}  // namespace dp2trace::runtime
