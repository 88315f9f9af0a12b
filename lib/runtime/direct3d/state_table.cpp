#include "runtime/direct3d/state_table.h"

#include <algorithm>
#include <span>

#include "d3d/states.h"
#include "runtime/core/token.h"

namespace dp2trace::runtime {
namespace {

// Numbers of the runtime's interfaces: D3DTEXF filters and modern defaults. Source: lib/opcode/dp2.md 8.3.
constexpr uint32_t kRuntimeVersion = 5;
constexpr uint32_t kLevel = 9;

struct NumberRange {
  uint16_t first, last;
};

// Source: lib/opcode/dp2.md 11 (CREATE contents); the level 9 states as chosen there.
constexpr NumberRange kAllRenderStates[] = {
    {7, 10},    {14, 16},   {19, 20},   {22, 29},   {33, 38},   {40, 40},   {47, 48},   {52, 60},
    {128, 137}, {139, 143}, {145, 148}, {151, 164}, {166, 168}, {170, 176}, {178, 195}, {198, 209}};
constexpr NumberRange kPixelRenderStates[] = {
    {7, 10},  {14, 16},   {19, 20},   {23, 27},   {33, 33},   {36, 38},   {40, 40},  {47, 47},
    {52, 60}, {128, 135}, {168, 168}, {171, 171}, {174, 176}, {185, 195}, {198, 209}};
constexpr NumberRange kVertexRenderStates[] = {
    {9, 9},     {22, 22},   {28, 29},   {34, 38},   {48, 48},   {136, 137}, {139, 143},
    {145, 148}, {151, 164}, {166, 167}, {170, 170}, {172, 173}, {178, 184}};
constexpr uint32_t kIdentity[16] = {Bits(1.0f), 0, 0,          0, 0, Bits(1.0f), 0, 0,
                                    0,          0, Bits(1.0f), 0, 0, 0,          0, Bits(1.0f)};
// D3DTSS numbers that the API calls sampler states. Source: lib/opcode/dp2.md 8.1.
constexpr bool IsSamplerNumber(uint32_t state) {
  return (state >= 13 && state <= 21) || state == 25 || (state >= 29 && state <= 31);
}
constexpr uint32_t kTexcoordIndex = 11, kTransformFlags = 24;

std::span<const NumberRange> RenderStatesOf(StateBlockType type) {
  if (type == StateBlockType::kPixel) return kPixelRenderStates;
  if (type == StateBlockType::kVertex) return kVertexRenderStates;
  return kAllRenderStates;
}

bool HoldsStage(StateBlockType type, uint32_t state) {
  const bool is_vertex_state = state == kTexcoordIndex || state == kTransformFlags;
  return type == StateBlockType::kVertex ? is_vertex_state : true;
}

bool Holds(StateBlockType type, const StateKey& key) {
  switch (key.kind) {
    case StateKind::kRenderState:
      return std::ranges::any_of(RenderStatesOf(type), [&](const NumberRange& r) {
        return key.a >= r.first && key.a <= r.last;
      });
    case StateKind::kTextureStage:
      return HoldsStage(type, key.b);
    case StateKind::kSampler:
      return type != StateBlockType::kVertex;
    case StateKind::kLight:
    case StateKind::kLightEnable:
    case StateKind::kVertexFormat:
    case StateKind::kVertexShader:
    case StateKind::kVertexFloat:
    case StateKind::kVertexInt:
    case StateKind::kVertexBool:
    case StateKind::kStreamFrequency:
      return type != StateBlockType::kPixel;
    case StateKind::kPixelShader:
    case StateKind::kPixelFloat:
    case StateKind::kPixelInt:
    case StateKind::kPixelBool:
      return type != StateBlockType::kVertex;
    default:
      return type == StateBlockType::kAll;
  }
}

}  // namespace

uint32_t HandleOf(const Object* object) {
  if (const auto* resource = dynamic_cast<const Resource*>(object)) return resource->handle();
  if (const auto* shader = dynamic_cast<const Shader*>(object)) return shader->handle();
  return 0;
}

const StateValue* StateTable::Find(const StateKey& key) const {
  const auto found = values_.find(key.Packed());
  return found == values_.end() ? nullptr : &found->second;
}

StateValue StateTable::Get(const StateKey& key, bool has_depth) const {
  const StateValue* value = Find(key);
  return value != nullptr ? *value : DefaultValue(key, has_depth);
}

void StateTable::Clear() {
  for (const StateKey& key : Keys())
    Erase(key);
}

std::vector<StateKey> StateTable::Keys() const {
  std::vector<StateKey> keys;
  for (const auto& [packed, value] : values_) {
    keys.push_back({static_cast<StateKind>(packed >> 48), static_cast<uint32_t>(packed >> 16),
                    static_cast<uint16_t>(packed)});
  }
  std::ranges::sort(keys);
  return keys;
}

StateValue DefaultValue(const StateKey& key, bool has_depth) {
  StateValue value;
  switch (key.kind) {
    case StateKind::kRenderState:
      value.word = d3d::DefaultRenderState(key.a, kLevel, has_depth);
      break;
    case StateKind::kTextureStage:
    case StateKind::kSampler:
      value.word = d3d::DefaultTextureStageState(key.b, key.a, kRuntimeVersion);
      break;
    case StateKind::kTransform:
      value.words.assign(std::begin(kIdentity), std::end(kIdentity));
      break;
    case StateKind::kMaterial:
      value.words.assign(kDefaultMaterial.begin(), kDefaultMaterial.end());
      break;
    case StateKind::kLight:
      // Directional, white, towards +z.
      value.words.assign(26, 0);
      value.words[0] = 3;
      for (const size_t i : {1u, 2u, 3u})
        value.words[i] = Bits(1.0f);
      value.words[18] = Bits(1.0f);
      break;
    case StateKind::kStreamFrequency:
      value.word = 1;
      break;
    case StateKind::kStream:
      value.words.assign(2, 0);
      break;
    case StateKind::kClipPlane:
    case StateKind::kVertexFloat:
    case StateKind::kVertexInt:
    case StateKind::kPixelFloat:
    case StateKind::kPixelInt:
      value.words.assign(4, 0);
      break;
    default:
      break;
  }
  return value;
}

std::vector<StateKey> KeysOfBlock(StateBlockType type, const StateTable& state, uint32_t level) {
  std::vector<StateKey> keys;
  for (const NumberRange& range : RenderStatesOf(type)) {
    for (uint32_t number = range.first; number <= range.last; ++number) {
      const d3d::StateInfo* info = d3d::FindRenderState(number);
      if (info == nullptr || info->has_side_effect || info->first_level > level ||
          info->last_level < level)
        continue;
      keys.push_back({StateKind::kRenderState, number, 0});
    }
  }
  for (const d3d::StateInfo& info : d3d::AllTextureStageStates()) {
    const bool is_sampler = IsSamplerNumber(info.code);
    const bool is_known = info.code != 0 && info.first_level <= level && info.last_level >= level &&
                          info.state_class != d3d::StateClass::kUserMode;
    if (!is_known || !HoldsStage(type, info.code) ||
        (is_sampler && type == StateBlockType::kVertex))
      continue;
    const uint32_t stages =
        is_sampler && level >= 9 ? d3d::kPixelSamplerCount : d3d::kCombinerStageCount;
    const StateKind kind = is_sampler ? StateKind::kSampler : StateKind::kTextureStage;
    for (uint32_t stage = 0; stage < stages; ++stage)
      keys.push_back({kind, stage, static_cast<uint16_t>(info.code)});
  }
  if (type != StateBlockType::kPixel) keys.push_back({StateKind::kVertexFormat, 0, 0});
  if (type != StateBlockType::kPixel && level >= 9)
    keys.push_back({StateKind::kVertexShader, 0, 0});
  if (type != StateBlockType::kVertex) keys.push_back({StateKind::kPixelShader, 0, 0});
  if (type == StateBlockType::kAll) {
    for (uint32_t stage = 0; stage < d3d::kCombinerStageCount; ++stage)
      keys.push_back({StateKind::kTexture, stage, 0});
  }
  // What has no fixed number of instances: as far as it was set.
  for (const StateKey& key : state.Keys()) {
    if (Holds(type, key)) keys.push_back(key);
  }
  std::ranges::sort(keys);
  keys.erase(std::unique(keys.begin(), keys.end()),
             keys.end());  // NOLINT(modernize-use-ranges): Clang 14
  return keys;
}

}  // namespace dp2trace::runtime
