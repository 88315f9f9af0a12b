// Vertices that the runtime processes in memory, into another vertex buffer.
// Source: Direct3D 8 and 9 API reference facts (ProcessVertices).
#include <algorithm>
#include <array>
#include <bit>

#include "runtime/core/vertex_processing.h"
#include "runtime/direct3d/device.h"

namespace dp2trace::runtime {
namespace {

constexpr uint32_t kStreamCount = 16;

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
  if (table.Get({StateKind::kVertexShader, 0, 0}, false).object != nullptr) return std::nullopt;
  if (format.object == nullptr) return VertexReader::OfFvf(format.word);
  const auto* shader = dynamic_cast<const Shader*>(format.object.get());
  if (shader == nullptr || shader->kind() != ShaderKind::kDeclaration) return std::nullopt;
  return VertexReader::OfDeclaration(shader->declaration());
}

}  // namespace

bool Device::ProcessVertices(uint32_t source_index, uint32_t dest_index, uint32_t count,
                             Resource& dest, bool do_not_copy) {
  const VertexState state = StateOf(state_, implicit_depth_ != nullptr);
  const std::optional<VertexReader> reader = ReaderOf(state_);
  if (!reader || !VertexProcessing::IsPossible(state, dest.description().fvf)) return false;
  std::array<VertexReader::Stream, kStreamCount> streams;
  for (uint32_t i = 0; i < kStreamCount; ++i) {
    const StateValue value = state_.Get({StateKind::kStream, i, 0}, false);
    const auto buffer = std::dynamic_pointer_cast<Resource>(value.object);
    if (buffer == nullptr || value.words.size() != 2) continue;
    if (buffer->memory().empty()) return false;
    streams[i] = {buffer->memory(), value.words[0], value.words[1]};
  }
  const bool is_lit = state.render_state(d3d::RenderState::Lighting) != 0;
  const VertexProcessing processing(
      state, {.dest_fvf = dest.description().fvf, .is_lit = is_lit, .copies_data = !do_not_copy});
  const uint32_t size = processing.dest_size();
  const uint64_t start = uint64_t{dest_index} * size;
  if (dest.memory().empty() || (uint64_t{dest_index} + count) * size > dest.memory().size())
    return false;
  MemoryWrite write{start, {}};
  // What a vertex does not get stays as it is.
  write.bytes.assign(
      dest.memory().begin() + static_cast<std::ptrdiff_t>(start),
      dest.memory().begin() + static_cast<std::ptrdiff_t>(start + uint64_t{count} * size));
  for (uint32_t i = 0; i < count; ++i)
    processing.Process(reader->Read(streams, uint64_t{source_index} + i),
                       write.bytes.data() + size_t{i} * size);
  WriteBuffer(dest, 0, 0, std::span(&write, 1));
  return true;
}

}  // namespace dp2trace::runtime
