// Vertices that the runtime processes in memory.
// Source: Direct3D 7 API reference facts (ProcessVertices).
#include <bit>

#include "d3d/states.h"
#include "runtime/core/vertex_processing.h"
#include "runtime/ddraw/ddraw.h"
#include "runtime/direct3d/state_table.h"

namespace dp2trace::runtime::ddraw {
namespace {

constexpr uint32_t kLevel = 7, kRuntimeVersion = 3;
constexpr uint32_t kLight = 0x400;      // D3DVOP_LIGHT
constexpr uint32_t kDoNotCopyData = 1;  // D3DPV_DONOTCOPYDATA

// WORLD, WORLD1 to WORLD3 of Direct3D 7 are 1, 4, 5, 6.
uint32_t NumberOf(uint32_t canonical) {
  constexpr uint32_t kFirstWorld = 256;
  if (canonical < kFirstWorld) return canonical;
  return canonical == kFirstWorld ? 1 : canonical - kFirstWorld + 3;
}

VertexState StateOf(const Device& device) {
  const StateSet& set = device.state();
  VertexState state;
  state.render_state = [&set](d3d::RenderState number) {
    const auto found = set.render_states.find(d3d::Value(number));
    return found != set.render_states.end() ? found->second
                                            : d3d::DefaultRenderState(d3d::Value(number), kLevel);
  };
  state.stage_state = [&set](uint32_t stage, d3d::TextureStageState number) {
    const auto found = set.stage_states.find({stage, d3d::Value(number)});
    return found != set.stage_states.end()
               ? found->second
               : d3d::DefaultTextureStageState(d3d::Value(number), stage, kRuntimeVersion);
  };
  state.transform = [&set](uint32_t canonical) {
    const auto found = set.transforms.find(NumberOf(canonical));
    return std::bit_cast<vertex::Matrix>(found == set.transforms.end() ? IdentityMatrix()
                                                                       : found->second);
  };
  state.viewport = std::bit_cast<vertex::ViewportArea>(device.viewport());
  state.material = std::bit_cast<d3d::Material>(set.material.value_or(kDefaultMaterial));
  for (const auto& [index, is_enabled] : set.enabled_lights) {
    const auto light = set.lights.find(index);
    if (is_enabled && light != set.lights.end())
      state.lights.push_back(std::bit_cast<d3d::Light>(light->second));
  }
  return state;
}

}  // namespace

bool DirectDraw::ProcessVertices(const ProcessVerticesCall& call) {
  const Device* const device = FindDevice(call.device);
  VertexBuffer* const dest = FindVertexBuffer(call.dest);
  const VertexBuffer* const source = FindVertexBuffer(call.source);
  if (device == nullptr || dest == nullptr || source == nullptr) return false;
  const VertexState state = StateOf(*device);
  const auto reader = VertexReader::OfFvf(source->fvf);
  if (!reader || !VertexProcessing::IsPossible(state, dest->fvf)) return false;
  const uint32_t source_size = d3d::FvfVertexSize(source->fvf);
  const VertexProcessing processing(state, {.dest_fvf = dest->fvf,
                                            .is_lit = (call.operation & kLight) != 0,
                                            .copies_data = (call.flags & kDoNotCopyData) == 0});
  const uint64_t source_end = (uint64_t{call.source_index} + call.count) * source_size;
  const uint64_t dest_end = (uint64_t{call.dest_index} + call.count) * processing.dest_size();
  if (source_end > source->bytes.size() || dest_end > dest->bytes.size()) return false;
  const VertexReader::Stream stream{source->bytes, 0, source_size};
  for (uint32_t i = 0; i < call.count; ++i) {
    const SourceVertex vertex = reader->Read({&stream, 1}, uint64_t{call.source_index} + i);
    processing.Process(vertex,
                       dest->bytes.data() + (size_t{call.dest_index} + i) * processing.dest_size());
  }
  return true;
}

}  // namespace dp2trace::runtime::ddraw
