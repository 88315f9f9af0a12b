// State blocks: kept by the runtime, applied as plain state tokens.
// Source: lib/opcode/dp2.md 11; Microsoft's Direct3D 7 API reference (BeginStateBlock, CreateStateBlock).
#include <type_traits>
#include <utility>

#include "d3d/states.h"
#include "runtime/ddraw/device.h"

namespace dp2trace::runtime::ddraw {
namespace {

// Of one state of a block (Allowance), and how many a block of all states has at least, about.
constexpr uint64_t kStateSteps = 100, kLeastStates = 256;
constexpr uint32_t kLevel7 = 7;
constexpr uint32_t kRenderStateEnd = 153;  // the last of level 7 is CLIPPLANEENABLE
constexpr uint32_t kStageStateEnd = 25;    // TEXTURETRANSFORMFLAGS

}  // namespace

void Device::BeginStateBlock() {
  if (!recorded_) recorded_ = std::make_unique<StateSet>();
}

void Device::EndStateBlock(uint32_t block) {
  if (recorded_) Replace(block, std::move(recorded_));
}

void Device::CreateStateBlock(uint32_t block, StateBlockType type) {
  if (!recorder_.Spend((kLeastStates + EntriesOf(state_)) * kStateSteps)) return;
  auto set = std::make_unique<StateSet>(Collect(type));
  recorder_.Hold(MemoryOf(*set) +
                 set->textures.size() * Recorder::kEntrySize<decltype(set->textures)>);
  Replace(block, std::move(set));
}

uint64_t Device::EntriesOf(const StateSet& set) {
  return set.render_states.size() + set.stage_states.size() + set.transforms.size() +
         set.lights.size() + set.enabled_lights.size() + set.clip_planes.size();
}

uint64_t Device::MemoryOf(const StateSet& set) {
  const auto size_of = [](const auto& table) {
    return table.size() * Recorder::kEntrySize<std::remove_cvref_t<decltype(table)>>;
  };
  return size_of(set.render_states) + size_of(set.stage_states) + size_of(set.transforms) +
         size_of(set.lights) + size_of(set.enabled_lights) + size_of(set.clip_planes);
}

void Device::Release(StateSet& set) {
  ReleaseTextures(set);
  recorder_.GiveBack(MemoryOf(set));
}

void Device::Replace(uint32_t block, std::unique_ptr<StateSet> set) {
  std::unique_ptr<StateSet>& place = recorder_.At(blocks_, block);
  if (place) Release(*place);
  place = std::move(set);
}

StateSet Device::Collect(StateBlockType type) const {
  StateSet set;
  const auto value_of = [](const auto& values, const auto& key, uint32_t other) {
    const auto found = values.find(key);
    return found == values.end() ? other : found->second;
  };
  const bool has_depth = depth_ != nullptr;
  for (uint32_t state = 0; state < kRenderStateEnd; ++state) {
    if (!HoldsRenderState(type, state) || d3d::FindRenderState(state) == nullptr) continue;
    set.render_states[state] =
        value_of(state_.render_states, state, d3d::DefaultRenderState(state, kLevel7, has_depth));
  }
  for (uint32_t stage = 0; stage < d3d::kCombinerStageCount; ++stage) {
    for (uint32_t state = 0; state < kStageStateEnd; ++state) {
      if (!HoldsStageState(type, state)) continue;
      set.stage_states[{stage, state}] =
          value_of(state_.stage_states, std::pair(stage, state),
                   d3d::DefaultTextureStageState(state, stage, kRuntimeVersion7));
    }
  }
  if (type == StateBlockType::kPixelState) return set;
  set.lights = state_.lights;
  set.enabled_lights = state_.enabled_lights;
  if (type == StateBlockType::kVertexState) return set;
  set.transforms = state_.transforms;
  set.viewport = state_.viewport;
  set.material = state_.material;
  set.clip_planes = state_.clip_planes;
  for (const auto& [stage, texture] : state_.textures) {
    if (texture != nullptr) surfaces_.Pin(*texture);
    set.textures[stage] = texture;
  }
  return set;
}

bool Device::CaptureStateBlock(uint32_t block) {
  const auto found = blocks_.find(block);
  if (found == blocks_.end()) return false;
  StateSet& set = *found->second;
  if (!recorder_.Spend((EntriesOf(set) + set.textures.size()) * kStateSteps)) return false;
  const auto capture = [](auto& held, const auto& current) {
    for (auto& [key, value] : held) {
      if (const auto now = current.find(key); now != current.end()) value = now->second;
    }
  };
  const bool has_depth = depth_ != nullptr;
  for (auto& [state, value] : set.render_states)
    value = d3d::DefaultRenderState(state, kLevel7, has_depth);
  for (auto& [key, value] : set.stage_states)
    value = d3d::DefaultTextureStageState(key.second, key.first, kRuntimeVersion7);
  capture(set.render_states, state_.render_states);
  capture(set.stage_states, state_.stage_states);
  capture(set.transforms, state_.transforms);
  capture(set.lights, state_.lights);
  capture(set.enabled_lights, state_.enabled_lights);
  capture(set.clip_planes, state_.clip_planes);
  if (set.viewport) set.viewport = state_.viewport;
  if (set.material && state_.material) set.material = state_.material;
  for (const auto& [stage, texture] : std::map(set.textures)) {
    const auto now = state_.textures.find(stage);
    ReplaceTexture(set, stage, now == state_.textures.end() ? nullptr : now->second);
  }
  return true;
}

bool Device::ApplyStateBlock(uint32_t block) {
  const auto found = blocks_.find(block);
  if (found == blocks_.end() || recorded_) return false;
  Apply(*found->second);
  return true;
}

void Device::Apply(const StateSet& set) {
  if (!recorder_.Spend((EntriesOf(set) + set.textures.size()) * kStateSteps)) return;
  for (const auto& [state, value] : set.render_states)
    SetRenderState(state, value);
  for (const auto& [key, value] : set.stage_states)
    SetStageState(key.first, key.second, value);
  for (const auto& [stage, texture] : set.textures)
    SetTexture(stage, texture);
  for (const auto& [state, matrix] : set.transforms)
    SetTransform(state, matrix);
  if (set.viewport) SetViewport(*set.viewport);
  if (set.material) SetMaterial(*set.material);
  for (const auto& [index, light] : set.lights)
    SetLight(index, light);
  for (const auto& [index, enabled] : set.enabled_lights)
    EnableLight(index, enabled);
  for (const auto& [index, plane] : set.clip_planes)
    SetClipPlane(index, plane);
}

bool Device::DeleteStateBlock(uint32_t block) {
  const auto found = blocks_.find(block);
  if (found == blocks_.end()) return false;
  Release(*found->second);
  recorder_.Erase(blocks_, block);
  return true;
}

}  // namespace dp2trace::runtime::ddraw
