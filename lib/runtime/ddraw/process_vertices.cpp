// Vertices that the runtime processes in memory.
// Source: Microsoft's Direct3D 7 API reference (ProcessVertices).
#include <algorithm>
#include <bit>

#include "d3d/states.h"
#include "runtime/core/vertex_processing.h"
#include "runtime/ddraw/ddraw.h"
#include "runtime/direct3d/state_table.h"

namespace dp2trace::runtime::ddraw {
namespace {

constexpr uint64_t kVertexSteps = 400, kLightSteps = 60;  // Allowance
constexpr uint32_t kLevel = 7;
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
  state.stage_state = [&device](uint32_t stage, d3d::TextureStageState number) {
    return device.stage_state(stage, d3d::Value(number));
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

// Direct3D 6: the vertices of a draw, without the draw.
bool DirectDraw::ProcessLegacyVertices(const LegacyDevice& device, const ProcessVerticesCall& call,
                                       VertexBuffer& dest, const VertexBuffer& source) {
  const auto geometry = device.Geometry((call.operation & kLight) != 0);
  const d3d::FvfLayout to = d3d::DecodeFvf(dest.fvf);
  if (!geometry || to.position != d3d::PositionKind::kXyzRhw) return false;
  constexpr uint64_t kProcessedSize = 192;  // of a vertex, at most
  const uint64_t lights = geometry->lights.size();
  const MemoryShare share = recorder_.KeepMemory(call.count * kProcessedSize);
  if (!share.is_granted() ||
      !recorder_.Spend((uint64_t{call.count} + 1) * (kVertexSteps + lights * kLightSteps)))
    return false;
  const auto processed = SoftwareGeometry(*geometry).Process(
      source.fvf, call.count, source.Part(call.source_index, call.count).bytes);
  const uint64_t dest_end = (uint64_t{call.dest_index} + call.count) * to.size;
  if (!processed || processed->count() < call.count || dest_end > dest.bytes.size()) return false;
  const d3d::FvfLayout from = d3d::DecodeFvf(processed->fvf);
  const bool copies_data = (call.flags & kDoNotCopyData) == 0;
  const bool has_colors = copies_data || geometry->is_lit;
  for (uint32_t i = 0; i < call.count; ++i) {
    const uint8_t* const vertex = processed->bytes.data() + size_t{i} * from.size;
    uint8_t* const out = dest.bytes.data() + (size_t{call.dest_index} + i) * to.size;
    std::copy_n(vertex, 16, out);
    if (has_colors && to.diffuse != d3d::FvfLayout::kAbsent)
      std::copy_n(vertex + from.diffuse, 4, out + to.diffuse);
    if ((has_colors || geometry->fog) && to.specular != d3d::FvfLayout::kAbsent)
      std::copy_n(vertex + from.specular, 4, out + to.specular);
    for (size_t set = 0; copies_data && set < d3d::kMaxTextureSets; ++set) {
      const auto& source_set = from.texture_sets[set];
      const auto& dest_set = to.texture_sets[set];
      const size_t size = size_t{4} * std::min(source_set.dimension, dest_set.dimension);
      if (size != 0) std::copy_n(vertex + source_set.offset, size, out + dest_set.offset);
    }
  }
  return true;
}

bool DirectDraw::ProcessVertices(const ProcessVerticesCall& call) {
  const Device* const device = FindDevice(call.device);
  VertexBuffer* const dest = FindVertexBuffer(call.dest);
  const VertexBuffer* const source = FindVertexBuffer(call.source);
  if (device == nullptr || dest == nullptr || source == nullptr) return false;
  if (const LegacyDevice* const legacy = legacy_.FindDevice(device))
    return ProcessLegacyVertices(*legacy, call, *dest, *source);
  const VertexState state = StateOf(*device);
  const auto reader = VertexReader::OfFvf(source->fvf);
  if (!reader || !VertexProcessing::IsPossible(dest->fvf)) return false;
  const uint32_t source_size = d3d::FvfVertexSize(source->fvf);
  const VertexProcessing processing(state, {.dest_fvf = dest->fvf,
                                            .is_lit = (call.operation & kLight) != 0,
                                            .copies_data = (call.flags & kDoNotCopyData) == 0});
  const uint64_t source_end = (uint64_t{call.source_index} + call.count) * source_size;
  const uint64_t dest_end = (uint64_t{call.dest_index} + call.count) * processing.dest_size();
  if (source_end > source->bytes.size() || dest_end > dest->bytes.size()) return false;
  const uint64_t lights = state.lights.size();
  if (!recorder_.Spend((uint64_t{call.count} + 1) * (kVertexSteps + lights * kLightSteps)))
    return false;
  const VertexReader::Stream stream{source->bytes, 0, source_size};
  for (uint32_t i = 0; i < call.count; ++i) {
    const SourceVertex vertex = reader->Read({&stream, 1}, uint64_t{call.source_index} + i);
    processing.Process(vertex,
                       dest->bytes.data() + (size_t{call.dest_index} + i) * processing.dest_size());
  }
  return true;
}

}  // namespace dp2trace::runtime::ddraw
