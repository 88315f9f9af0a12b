// The single values that a State consists of, as keys and words: what state blocks record, capture and replay. The words of a key
// are in the order of the token that sets it.
// Source: lib/opcode/dp2.md 11.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>

#include "device/state.h"

namespace dp2trace::device {

enum class StateKind : uint8_t {
  kRender,     // index: state number
  kStage,      // index: StageIndex()
  kTransform,  // index: canonical number
  kViewport,
  kZRange,
  kWInfo,
  kClipPlane,
  kMaterial,
  kLight,  // data of a light; index: light
  kLightEnable,
  kScissor,
  kVertexShader,       // SETVERTEXSHADER
  kVertexDeclaration,  // SETVERTEXSHADERDECL
  kVertexFunction,     // SETVERTEXSHADERFUNC
  kPixelShader,
  kStream,  // buffer, offset, stride, is_user_memory
  kStreamDivider,
  kIndices,      // buffer, stride
  kVertexFloat,  // index: register
  kVertexInteger,
  kVertexBoolean,
  kPixelFloat,
  kPixelInteger,
  kPixelBoolean,
};
inline constexpr size_t kStateKindCount = static_cast<size_t>(StateKind::kPixelBoolean) + 1;

struct StateKey {
  StateKind kind{};
  uint32_t index = 0;
  auto operator<=>(const StateKey&) const = default;
};

inline constexpr uint32_t kMaxStateWords = 26;  // D3DLIGHT7
using StateWords = std::array<uint32_t, kMaxStateWords>;

constexpr uint32_t StageIndex(uint32_t slot, uint32_t state) {
  return slot * d3d::kTextureStageStateCount + state;
}
constexpr StateKey RenderKey(d3d::RenderState state) {
  return {StateKind::kRender, d3d::Value(state)};
}
constexpr StateKey StageKey(uint32_t slot, d3d::TextureStageState state) {
  return {StateKind::kStage, StageIndex(slot, d3d::Value(state))};
}

uint32_t WordCount(StateKind kind);

// Fills the first WordCount() words. Lights and registers that do not exist read as their defaults. Of the vertex shader kinds those of
// the model that is not in force read as 0.
void ReadState(const State& state, StateKey key, StateWords& words);
// Indices are in range: the callers check what the stream names. Creates the light, grows the registers.
void WriteState(State& state, StateKey key, const StateWords& words);

}  // namespace dp2trace::device
