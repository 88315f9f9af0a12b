#include "device/state_block.h"

#include <algorithm>
#include <span>

namespace dp2trace::device {
namespace {

using d3d::StateBlockType;

constexpr uint64_t kEntryCost = 96;  // bytes of an entry and its place, about

// First and last render state, inclusive.
struct StateRange {
  uint32_t first, last;
};

// What CREATE stores, level 9 states in the second lines. Source: lib/opcode/dp2.md 11.
// clang-format off
constexpr StateRange kAllStates[] = {
    {7, 10}, {14, 16}, {19, 20}, {22, 29}, {33, 38}, {40, 40}, {47, 48}, {52, 60}, {128, 137}, {139, 143}, {145, 148}, {151, 164},
    {166, 168}, {170, 171},
    {174, 176}, {178, 195}, {198, 209}};
constexpr StateRange kPixelStates[] = {
    {7, 10}, {14, 16}, {19, 20}, {23, 27}, {33, 33}, {36, 38}, {40, 40}, {47, 47}, {52, 60}, {128, 135}, {168, 168}, {171, 171},
    {174, 176}, {185, 195}, {198, 209}};
constexpr StateRange kVertexStates[] = {
    {9, 9}, {22, 22}, {28, 29}, {34, 38}, {48, 48}, {136, 137}, {139, 143}, {145, 148}, {151, 164}, {166, 167}, {170, 170},
    {172, 173}, {178, 184}};
// Unspecified: texture stage states of level 9; chosen: 29 to 32 belong to ALL and PIXELSTATE.
constexpr StateRange kPixelStageStates[] = {{1, 11}, {13, 32}};
constexpr StateRange kVertexStageStates[] = {{11, 11}, {24, 24}};
// clang-format on

std::span<const StateRange> RenderStatesOf(StateBlockType type) {
  if (type == StateBlockType::All) return kAllStates;
  return type == StateBlockType::PixelState ? std::span<const StateRange>(kPixelStates)
                                            : kVertexStates;
}

std::span<const StateRange> StageStatesOf(StateBlockType type) {
  return type == StateBlockType::VertexState ? std::span<const StateRange>(kVertexStageStates)
                                             : kPixelStageStates;
}

bool SlotHasState(uint32_t slot, const d3d::StateInfo& info) {
  return slot < d3d::kCombinerStageCount || info.state_class == d3d::StateClass::kSampler;
}

}  // namespace

StateBlock::StateBlock(uint32_t handle, StateBlockType type, const State& state) : handle_(handle) {
  AddRenderStates(type, state);
  AddStageStates(type, state);
  if (type == StateBlockType::All) AddGeometry(state);
  if (type != StateBlockType::PixelState) {
    AddLights(state);
    AddVertexProgram(state);
  }
  if (type != StateBlockType::VertexState) AddPixelProgram(state);
  if (type == StateBlockType::VertexState) {
    for (uint32_t i = 0; i < kStreamCount; ++i)
      Add({StateKind::kStreamDivider, i}, state);
  }
}

uint64_t StateBlock::LeastBytes(StateBlockType type, const State& state) {
  if (type == StateBlockType::PixelState) return 0;
  constexpr uint64_t kLightCost = 2 * kEntryCost + sizeof(d3d::Light);
  return state.lights.size() * kLightCost;
}

uint64_t StateBlock::size_bytes() const {
  return entries_.size() * kEntryCost + words_.size() * sizeof(uint32_t);
}

void StateBlock::Set(StateKey key, const StateWords& words) {
  if (const std::optional<uint32_t> binding = BindingOf(key)) refused_.reset(*binding);
  const uint32_t count = WordCount(key.kind);
  const auto [place, is_new] = places_.try_emplace(key, static_cast<uint32_t>(words_.size()));
  if (is_new) {
    entries_.push_back({key, place->second});
    words_.resize(words_.size() + count);
  }
  std::copy_n(words.begin(), count, words_.begin() + place->second);
}

bool StateBlock::Get(StateKey key, StateWords& words) const {
  const auto place = places_.find(key);
  if (place == places_.end()) return false;
  std::copy_n(words_.begin() + place->second, WordCount(key.kind), words.begin());
  return true;
}

void StateBlock::Capture(const State& state) {
  for (const Entry& entry : entries_) {
    StateWords words = {};
    ReadState(state, entry.key, words);
    std::copy_n(words.begin(), WordCount(entry.key.kind), words_.begin() + entry.at);
  }
}

void StateBlock::Add(StateKey key, const State& state) {
  StateWords words = {};
  ReadState(state, key, words);
  Set(key, words);
}

void StateBlock::AddRenderStates(StateBlockType type, const State& state) {
  for (const StateRange& range : RenderStatesOf(type)) {
    for (uint32_t number = range.first; number <= range.last; ++number) {
      if (d3d::FindRenderState(number) != nullptr) Add({StateKind::kRender, number}, state);
    }
  }
}

void StateBlock::AddStageStates(StateBlockType type, const State& state) {
  for (uint32_t slot = 0; slot < kStageSlotCount; ++slot) {
    for (const StateRange& range : StageStatesOf(type)) {
      for (uint32_t number = range.first; number <= range.last; ++number) {
        if (SlotHasState(slot, *d3d::FindTextureStageState(number)))
          Add({StateKind::kStage, StageIndex(slot, number)}, state);
      }
    }
  }
}

// Viewport (with its depth range: the API has one structure for both), transforms, clip planes, material and scissor rectangle.
void StateBlock::AddGeometry(const State& state) {
  Add({StateKind::kViewport}, state);
  Add({StateKind::kZRange}, state);
  for (uint32_t i = 0; i < d3d::kTransformSlotCount; ++i) {
    const std::optional<uint32_t> canonical = d3d::CanonicalTransform(i);
    if (canonical == i) Add({StateKind::kTransform, i}, state);
  }
  for (uint32_t i = 0; i < kClipPlaneCount; ++i)
    Add({StateKind::kClipPlane, i}, state);
  Add({StateKind::kMaterial}, state);
  Add({StateKind::kScissor}, state);
}

void StateBlock::AddLights(const State& state) {
  for (const auto& [index, light] : state.lights) {
    Add({StateKind::kLight, index}, state);
    Add({StateKind::kLightEnable, index}, state);
  }
}

void StateBlock::AddVertexProgram(const State& state) {
  if (state.vertex_program.is_level8) {
    Add({StateKind::kVertexShader}, state);
  } else {
    Add({StateKind::kVertexDeclaration}, state);
    Add({StateKind::kVertexFunction}, state);
  }
  const ShaderConstants& constants = state.vertex_constants;
  for (uint32_t i = 0; i < constants.floats.size(); ++i)
    Add({StateKind::kVertexFloat, i}, state);
  for (uint32_t i = 0; i < constants.integers.size(); ++i)
    Add({StateKind::kVertexInteger, i}, state);
  for (uint32_t i = 0; i < constants.booleans.size(); ++i)
    Add({StateKind::kVertexBoolean, i}, state);
}

void StateBlock::AddPixelProgram(const State& state) {
  Add({StateKind::kPixelShader}, state);
  const ShaderConstants& constants = state.pixel_constants;
  for (uint32_t i = 0; i < constants.floats.size(); ++i)
    Add({StateKind::kPixelFloat, i}, state);
  for (uint32_t i = 0; i < constants.integers.size(); ++i)
    Add({StateKind::kPixelInteger, i}, state);
  for (uint32_t i = 0; i < constants.booleans.size(); ++i)
    Add({StateKind::kPixelBoolean, i}, state);
}

}  // namespace dp2trace::device
