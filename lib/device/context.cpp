#include "device/context.h"

#include <algorithm>

#include "d3d/interface.h"
#include "device/state_block.h"

namespace dp2trace::device {
namespace {

// What a palette holds that was named and never updated. Source: lib/opcode/dp2.md 15.
PaletteEntries GreyRamp() {
  PaletteEntries entries;
  for (size_t i = 0; i < entries.rgba.size(); ++i) {
    const auto grey = static_cast<uint8_t>(i);
    entries.rgba[i] = {grey, grey, grey, 255};
  }
  return entries;
}

// The shader with this handle, or null where it is 0, deleted, or a declaration without code.
const ShaderObject* FindCode(const std::map<uint32_t, ShaderObject>& table, uint32_t handle) {
  const auto found = table.find(handle);
  return handle == 0 || found == table.end() || found->second.code.empty() ? nullptr
                                                                           : &found->second;
}

}  // namespace

Context::Context(uint32_t driver_level, bool d3d9ex, const trace::ContextCreate& event,
                 Space& owner)
    : space_id(event.space),
      id(event.context),
      level(driver_level),
      runtime_version(std::min(event.runtime_version, d3d::kMaxRuntimeVersion)),
      is_pure(event.pure_device),
      space(&owner),
      legal_states(driver_level, d3d9ex, runtime_version),
      state(driver_level, runtime_version, event.depth != 0) {
  targets.colors[0] = event.target;
  targets.depth = event.depth;
}

Context::Context(const Context& other, Space& owner) : Context(other) {
  space = &owner;
  for (auto& [handle, block] : state_blocks)
    block = std::make_shared<StateBlock>(*block);
  if (recording) recording = std::make_shared<StateBlock>(*recording);
}

void Context::NoteQuery(uint32_t query_id) {
  std::erase(counting_queries, query_id);
  const auto query = queries.find(query_id);
  const bool counts = query != queries.end() && query->second.state == QueryState::kBuilding &&
                      query->second.type == d3d::Value(d3d::QueryType::Occlusion);
  if (counts) counting_queries.push_back(query_id);
}

void Context::CountOcclusion(uint64_t pixels) {
  for (const uint32_t query : counting_queries)
    queries.at(query).result += pixels;
}

SurfaceRef Context::Target(uint32_t slot) const {
  const uint32_t handle = slot < kTargetCount ? targets.colors[slot] : 0;
  return handle != 0 ? space->Find(handle) : SurfaceRef{};
}

SurfaceRef Context::Depth() const {
  return targets.depth != 0 ? space->Find(targets.depth) : SurfaceRef{};
}

std::optional<image::Area> Context::ClearableArea(uint32_t flags) const {
  std::optional<image::Area> area;
  const auto add = [&area](const SurfaceRef& surface) {
    if (!surface || !surface.resource->has_pixels()) return;
    const image::Area whole = surface.surface().WholeLevel(surface.level);
    if (!area) area = whole;
    area->right = std::max(area->right, whole.right);
    area->bottom = std::max(area->bottom, whole.bottom);
  };
  if ((flags & d3d::Value(d3d::ClearFlag::Target)) != 0) {
    for (uint32_t slot = 0; slot < kTargetCount; ++slot)
      add(Target(slot));
  }
  if (!area) add(Depth());
  return area;
}

Resource* Context::Texture(uint32_t slot) const {
  if (slot >= kStageSlotCount) return nullptr;
  const uint32_t handle = state.stage(slot, d3d::TextureStageState::TextureMap);
  return handle != 0 ? space->Find(handle).resource : nullptr;
}

// Source: lib/opcode/dp2.md 18.1.
const ShaderObject* Context::VertexShader() const {
  const VertexProgram& program = state.vertex_program;
  const bool has_level8 = program.is_level8 && (program.format & 1) != 0;
  return FindCode(has_level8 ? vertex_shaders : vertex_functions,
                  has_level8 ? program.format : program.function);
}

const ShaderObject* Context::PixelShader() const {
  return FindCode(pixel_shaders, state.pixel_shader);
}

const ShaderObject* Context::VertexDeclaration() const {
  const VertexProgram& program = state.vertex_program;
  const bool is_handle = (program.format & 1) != 0;
  if (program.is_level8 && !is_handle) return nullptr;
  // A declaration that was created under an FVF code wins over the code.
  const auto& table = program.is_level8 ? vertex_shaders : declarations;
  const auto found = table.find(program.format);
  return found == table.end() ? nullptr : &found->second;
}

std::optional<image::Palette> Context::PaletteOf(const Resource& resource) const {
  const auto binding = palette_bindings.find(resource.handle);
  if (binding == palette_bindings.end()) return std::nullopt;
  const auto entries = palettes.find(binding->second.palette);
  image::Palette palette;
  palette.rgba = entries != palettes.end() ? entries->second.rgba : GreyRamp().rgba;
  palette.has_alpha = (binding->second.flags & d3d::Value(d3d::PaletteFlag::Alpha)) != 0;
  return palette;
}

}  // namespace dp2trace::device
