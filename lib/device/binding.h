// The bindings of a context by number: which of them do not hold what the stream asked for, and when each was set.
// Source: lib/opcode/dp2.md 12.3 and 22.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <optional>

#include "device/state_value.h"

namespace dp2trace::device {

// Numbers of all bindings that a draw may need.
inline constexpr uint32_t kFirstStreamBinding = 0;
inline constexpr uint32_t kIndexBinding = kFirstStreamBinding + kStreamCount;
inline constexpr uint32_t kFirstTextureBinding = kIndexBinding + 1;
inline constexpr uint32_t kFirstTargetBinding = kFirstTextureBinding + kStageSlotCount;
inline constexpr uint32_t kDepthBinding = kFirstTargetBinding + kTargetCount;
inline constexpr uint32_t kDeclarationBinding = kDepthBinding + 1;  // or level 8 shader, or FVF
inline constexpr uint32_t kVertexFunctionBinding = kDeclarationBinding + 1;
inline constexpr uint32_t kPixelShaderBinding = kVertexFunctionBinding + 1;
inline constexpr uint32_t kBindingCount = kPixelShaderBinding + 1;

using BindingSet = std::bitset<kBindingCount>;

struct Bindings {
  // The bound object is not known: the record that set it, or the object, was refused, or a part of the stream could not be read. Draws do
  // not report that again.
  BindingSet is_unknown;
  // Counts the records that set each binding.
  std::array<uint32_t, kBindingCount> versions = {};

  void NoteSet(uint32_t binding) {
    is_unknown.reset(binding);
    ++versions[binding];
  }
  void NoteRefused(uint32_t binding) {
    is_unknown.set(binding);
    ++versions[binding];
  }
  // Part of the stream could not be read.
  void NoteLoss() { is_unknown.set(); }
};

// The binding that a value of the state is; nothing for other values. Source: lib/opcode/dp2.md 12.1.
constexpr std::optional<uint32_t> BindingOf(StateKey key) {
  switch (key.kind) {
    case StateKind::kStream:
      return kFirstStreamBinding + key.index;
    case StateKind::kIndices:
      return kIndexBinding;
    case StateKind::kStage:
      if (key.index % d3d::kTextureStageStateCount !=
          d3d::Value(d3d::TextureStageState::TextureMap))
        return std::nullopt;
      return kFirstTextureBinding + key.index / d3d::kTextureStageStateCount;
    case StateKind::kVertexShader:
    case StateKind::kVertexDeclaration:
      return kDeclarationBinding;
    case StateKind::kVertexFunction:
      return kVertexFunctionBinding;
    case StateKind::kPixelShader:
      return kPixelShaderBinding;
    default:
      return std::nullopt;
  }
}

}  // namespace dp2trace::device
