#include "device/state_value.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>

namespace dp2trace::device {
namespace {

// Copies fields to words, one after the other.
class ToWords {
 public:
  explicit ToWords(StateWords& words) : words_(&words) {}

  template <class T>
  void operator()(const T& field) {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) % sizeof(uint32_t) == 0);
    std::memcpy(words_->data() + at_, &field, sizeof field);
    at_ += sizeof(T) / sizeof(uint32_t);  // NOLINT(bugprone-sizeof-expression): T may be an array
  }
  void operator()(bool field) { (*words_)[at_++] = field ? 1 : 0; }
  template <class T>
  void operator()(const std::optional<T>& field) {
    (*this)(field.value_or(T{}));
    (*this)(field.has_value());
  }

 private:
  StateWords* words_;
  size_t at_ = 0;
};

// And back.
class FromWords {
 public:
  explicit FromWords(const StateWords& words) : words_(&words) {}

  template <class T>
  void operator()(T& field) {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) % sizeof(uint32_t) == 0);
    // NOLINTNEXTLINE(bugprone-sizeof-expression): T may be an array
    std::array<uint32_t, sizeof(field) / sizeof(uint32_t)> part = {};
    std::copy_n(words_->begin() + static_cast<std::ptrdiff_t>(at_), part.size(), part.begin());
    field = std::bit_cast<T>(part);
    at_ += part.size();
  }
  void operator()(bool& field) { field = (*words_)[at_++] != 0; }
  template <class T>
  void operator()(std::optional<T>& field) {
    T value;
    bool has_value = false;
    (*this)(value);
    (*this)(has_value);
    field = has_value ? std::optional<T>(value) : std::nullopt;
  }

 private:
  const StateWords* words_;
  size_t at_ = 0;
};

const Light& LightAt(const State& state, uint32_t index) {
  static const Light kDefault;
  const auto light = state.lights.find(index);
  return light != state.lights.end() ? light->second : kDefault;
}
Light& LightAt(State& state, uint32_t index) {
  return state.lights[index];
}

template <class T>
const T& RegisterAt(const std::vector<T>& registers, uint32_t index) {
  static const T kZero = {};
  return index < registers.size() ? registers[index] : kZero;
}
template <class T>
T& RegisterAt(std::vector<T>& registers, uint32_t index) {
  if (index >= registers.size()) registers.resize(size_t{index} + 1);
  return registers[index];
}

// In the order of D3DLIGHT7.
void VisitLight(auto& light, auto& move) {
  move(light.type);
  move(light.diffuse);
  move(light.specular);
  move(light.ambient);
  move(light.position);
  move(light.direction);
  move(light.range);
  move(light.falloff);
  move(light.attenuation0);
  move(light.attenuation1);
  move(light.attenuation2);
  move(light.theta);
  move(light.phi);
}

void VisitStream(auto& stream, auto& move) {
  move(stream.buffer);
  move(stream.offset);
  move(stream.stride);
  move(stream.is_user_memory);
}

void VisitPair(auto& first, auto& second, auto& move) {
  move(first);
  move(second);
}

// All kinds but those of the vertex program.
void Visit(auto& state, StateKey key, auto move) {
  const uint32_t i = key.index;
  switch (key.kind) {
    case StateKind::kRender:
      return move(state.render[i]);
    case StateKind::kStage:
      return move(state.stages[i / d3d::kTextureStageStateCount][i % d3d::kTextureStageStateCount]);
    case StateKind::kTransform:
      return move(state.transforms[i]);
    case StateKind::kViewport:
      return move(state.viewport);
    case StateKind::kZRange:
      return VisitPair(state.min_z, state.max_z, move);
    case StateKind::kWInfo:
      return VisitPair(state.w_near, state.w_far, move);
    case StateKind::kClipPlane:
      return move(state.clip_planes[i]);
    case StateKind::kMaterial:
      return move(state.material);
    case StateKind::kLight:
      return VisitLight(LightAt(state, i), move);
    case StateKind::kLightEnable:
      return move(LightAt(state, i).is_enabled);
    case StateKind::kScissor:
      return move(state.scissor);
    case StateKind::kPixelShader:
      return move(state.pixel_shader);
    case StateKind::kStream:
      return VisitStream(state.streams[i], move);
    case StateKind::kStreamDivider:
      return move(state.stream_dividers[i]);
    case StateKind::kIndices:
      return VisitPair(state.indices.buffer, state.indices.stride, move);
    case StateKind::kVertexFloat:
      return move(RegisterAt(state.vertex_constants.floats, i));
    case StateKind::kVertexInteger:
      return move(RegisterAt(state.vertex_constants.integers, i));
    case StateKind::kVertexBoolean:
      return move(RegisterAt(state.vertex_constants.booleans, i));
    case StateKind::kPixelFloat:
      return move(RegisterAt(state.pixel_constants.floats, i));
    case StateKind::kPixelInteger:
      return move(RegisterAt(state.pixel_constants.integers, i));
    case StateKind::kPixelBoolean:
      return move(RegisterAt(state.pixel_constants.booleans, i));
    case StateKind::kVertexShader:
    case StateKind::kVertexDeclaration:
    case StateKind::kVertexFunction:
      return;
  }
}

bool IsVertexProgram(StateKind kind) {
  return kind == StateKind::kVertexShader || kind == StateKind::kVertexDeclaration ||
         kind == StateKind::kVertexFunction;
}

uint32_t ReadProgram(const VertexProgram& program, StateKind kind) {
  if (kind == StateKind::kVertexFunction) return program.function;
  return program.is_level8 == (kind == StateKind::kVertexShader) ? program.format : 0;
}

// SETVERTEXSHADER replaces declaration and code; the other two leave a level 8 binding void. Source: lib/opcode/dp2.md 18.1.
void WriteProgram(VertexProgram& program, StateKind kind, uint32_t handle) {
  if (kind == StateKind::kVertexShader) {
    program = {.format = handle, .is_level8 = true, .function = 0};
    return;
  }
  if (program.is_level8) program = {};
  (kind == StateKind::kVertexDeclaration ? program.format : program.function) = handle;
}

}  // namespace

uint32_t WordCount(StateKind kind) {
  switch (kind) {
    case StateKind::kTransform:
      return 16;
    case StateKind::kViewport:
    case StateKind::kScissor:
      return 5;  // and whether there is one
    case StateKind::kMaterial:
      return 17;
    case StateKind::kLight:
      return kMaxStateWords;
    case StateKind::kZRange:
    case StateKind::kWInfo:
    case StateKind::kIndices:
      return 2;
    case StateKind::kClipPlane:
    case StateKind::kStream:
    case StateKind::kVertexFloat:
    case StateKind::kVertexInteger:
    case StateKind::kPixelFloat:
    case StateKind::kPixelInteger:
      return 4;
    case StateKind::kRender:
    case StateKind::kStage:
    case StateKind::kLightEnable:
    case StateKind::kVertexShader:
    case StateKind::kVertexDeclaration:
    case StateKind::kVertexFunction:
    case StateKind::kPixelShader:
    case StateKind::kStreamDivider:
    case StateKind::kVertexBoolean:
    case StateKind::kPixelBoolean:
      return 1;
  }
  return 0;
}

void ReadState(const State& state, StateKey key, StateWords& words) {
  if (IsVertexProgram(key.kind)) {
    words[0] = ReadProgram(state.vertex_program, key.kind);
  } else {
    Visit(state, key, ToWords(words));
  }
}

void WriteState(State& state, StateKey key, const StateWords& words) {
  if (IsVertexProgram(key.kind)) {
    WriteProgram(state.vertex_program, key.kind, words[0]);
  } else {
    Visit(state, key, FromWords(words));
  }
}

}  // namespace dp2trace::device
