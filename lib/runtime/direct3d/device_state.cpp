// States of a device: filtering, blocks, and the token of each kind.
#include <algorithm>

#include "d3d/formats.h"
#include "d3d/states.h"
#include "device/layout.h"
#include "runtime/core/token.h"
#include "runtime/direct3d/device.h"

namespace dp2trace::runtime {
namespace {

using opcode::Op;

// States that every block of all states has, about.
constexpr uint64_t kLeastStates = 512;

// DDI number of a D3DSAMP number, 0 for none. Source: lib/opcode/dp2.md 8.2.
constexpr uint32_t kSamplerNumbers[] = {0, 13, 14, 25, 15, 16, 17, 18, 19, 20, 21, 29, 30, 31};

// Programs may set numbers that mean nothing to their interface: the runtime keeps them to itself.
bool IsKnown(const d3d::StateInfo* info, uint32_t level) {
  return info != nullptr && info->first_level <= level;
}

bool IsBoolKind(StateKind kind) {
  return kind == StateKind::kVertexBool || kind == StateKind::kPixelBool;
}

// Constants that a level 8 shader loads whenever it is set (CONSTMEM of its declaration).
std::vector<device::DeclaredConstant> DeclaredConstants(const StateValue& value) {
  const auto* shader = dynamic_cast<const Shader*>(value.object.get());
  if (shader == nullptr || shader->kind() != ShaderKind::kVertexShader8) return {};
  const Result<device::TokenDeclaration> read =
      device::ReadDeclarationTokens(shader->declaration());
  return read.ok() ? read->constants : std::vector<device::DeclaredConstant>();
}

std::vector<uint32_t> Multiply(std::span<const uint32_t> left, std::span<const uint32_t> right) {
  std::vector<uint32_t> product(16, 0);
  for (size_t row = 0; row < 4; ++row) {
    for (size_t column = 0; column < 4; ++column) {
      float sum = 0;
      for (size_t i = 0; i < 4; ++i) {
        sum +=
            std::bit_cast<float>(left[row * 4 + i]) * std::bit_cast<float>(right[i * 4 + column]);
      }
      product[row * 4 + column] = Bits(sum);
    }
  }
  return product;
}

}  // namespace

void Device::Set(const StateKey& key, StateValue value) {
  if (recording_ != nullptr) {
    (*recording_)[key] = std::move(value);
    return CountStates();
  }
  const StateValue* current = state_.Find(key);
  if (current != nullptr && *current == value && DeclaredConstants(value).empty()) return;
  Emit(key, value);
  state_.Set(key, std::move(value));
  CountStates();
}

void Device::CountStates() {
  const uint64_t count = state_.size() + (recording_ != nullptr ? recording_->size() : 0) +
                         lights_.size() + palettes_.size() * 4;
  if (count <= counted_states_) return;
  link_->recorder.Hold((count - counted_states_) * kStateSize);
  counted_states_ = count;
}

void Device::SetWord(StateKind kind, uint32_t a, uint32_t b, uint32_t word) {
  StateValue value;
  value.word = word;
  Set({kind, a, static_cast<uint16_t>(b)}, std::move(value));
}

void Device::SetWords(StateKind kind, uint32_t a, std::vector<uint32_t> words) {
  StateValue value;
  value.words = std::move(words);
  Set({kind, a, 0}, std::move(value));
}

void Device::SetObject(StateKind kind, uint32_t a, std::shared_ptr<Object> object) {
  StateValue value;
  value.object = std::move(object);
  Set({kind, a, 0}, std::move(value));
}

void Device::Scene(bool begins) {
  Token(Op::kRenderState, {d3d::Value(d3d::RenderState::SceneCapture), begins ? 1U : 0U});
}

void Device::SetSampler(uint32_t sampler, uint32_t state, uint32_t value) {
  if (state < std::size(kSamplerNumbers) && state != 0)
    SetWord(StateKind::kSampler, sampler, kSamplerNumbers[state], value);
}

void Device::SetConstants(StateKind kind, uint32_t first, std::span<const uint32_t> words) {
  const size_t width = IsBoolKind(kind) ? 1 : 4;
  const auto count = static_cast<uint32_t>(words.size() / width);
  bool is_same = true;
  for (uint32_t i = 0; i < count; ++i) {
    StateValue value;
    const std::span<const uint32_t> part = words.subspan(i * width, width);
    if (width == 1) {
      value.word = part[0];
    } else {
      value.words.assign(part.begin(), part.end());
    }
    const StateKey key{kind, first + i, 0};
    if (recording_ != nullptr) {
      (*recording_)[key] = std::move(value);
      continue;
    }
    const StateValue* current = state_.Find(key);
    is_same = is_same && current != nullptr && *current == value;
    state_.Set(key, std::move(value));
  }
  CountStates();
  if (recording_ == nullptr && !is_same) EmitConstants(kind, first, words.first(count * width));
}

void Device::MultiplyTransform(uint32_t transform, std::span<const uint32_t> matrix) {
  if (matrix.size() < 16) return;
  const StateKey key{StateKind::kTransform, transform, 0};
  StateValue value = Current(key);
  value.words = Multiply(matrix, value.words);
  if (recording_ != nullptr) {
    (*recording_)[key] = std::move(value);
    return;
  }
  std::vector<uint32_t> words = {transform};
  words.insert(words.end(), matrix.begin(), matrix.begin() + 16);
  Token(Op::kMultiplyTransform, words);
  state_.Set(key, std::move(value));
}

StateValue Device::Current(const StateKey& key) const {
  if (recording_ != nullptr) {
    const auto found = recording_->find(key);
    if (found != recording_->end()) return found->second;
  }
  return state_.Get(key, implicit_depth_ != nullptr);
}

StateBlock Device::EndStateBlock() {
  StateBlock block;
  if (recording_ != nullptr) block = std::move(*recording_);
  recording_.reset();
  return block;
}

StateBlock Device::CreateStateBlock(StateBlockType type) const {
  StateBlock block;
  if (!link_->recorder.Spend((kLeastStates + state_.size()) * kStateSteps)) return block;
  for (const StateKey& key : KeysOfBlock(type, state_, level()))
    block[key] = state_.Get(key, implicit_depth_ != nullptr);
  return block;
}

void Device::Apply(const StateBlock& block) {
  if (!link_->recorder.Spend(block.size() * kStateSteps)) return;
  for (const auto& [key, value] : block)
    Set(key, value);
}

void Device::Capture(StateBlock& block) const {
  if (!link_->recorder.Spend(block.size() * kStateSteps)) return;
  for (auto& [key, value] : block)
    value = state_.Get(key, implicit_depth_ != nullptr);
}

void Device::Emit(const StateKey& key, const StateValue& value) {
  const auto with_index = [&](size_t count) {
    std::vector<uint32_t> words = {key.a};
    words.insert(words.end(), value.words.begin(), value.words.end());
    words.resize(count + 1);
    return words;
  };
  switch (key.kind) {
    case StateKind::kRenderState:
      if (IsKnown(d3d::FindRenderState(key.a), level()))
        Token(Op::kRenderState, {key.a, value.word});
      return;
    case StateKind::kTextureStage:
    case StateKind::kSampler:
      if (IsKnown(d3d::FindTextureStageState(key.b), level()))
        Token(Op::kTextureStageState, {key.a, key.b, value.word});
      return;
    case StateKind::kTexture:
      return EmitTexture(key.a, value);
    case StateKind::kTransform:
      return Token(Op::kSetTransform, with_index(16));
    case StateKind::kViewport:
      return EmitViewport(value);
    case StateKind::kScissor:
      if (level() >= 9 && value.words.size() == 4) Token(Op::kSetScissorRect, value.words);
      return;
    case StateKind::kClipPlane:
      return Token(Op::kSetClipPlane, with_index(4));
    case StateKind::kMaterial:
      if (value.words.size() == 17) Token(Op::kSetMaterial, value.words);
      return;
    case StateKind::kLight:
    case StateKind::kLightEnable:
      return EmitLight(key, value);
    case StateKind::kVertexFormat: {
      const uint32_t format = value.object != nullptr ? HandleOf(value.object.get()) : value.word;
      // Nothing selects "no declaration"; a draw without one fails before it reaches the driver.
      // So the driver keeps what it has, and that lives on.
      if (format == 0) return;
      Token(level() >= 9 ? Op::kSetVertexShaderDecl : Op::kSetVertexShader, {format});
      driver_format_ = value.object;
      for (const device::DeclaredConstant& constant : DeclaredConstants(value)) {
        state_.Set({StateKind::kVertexFloat, constant.index, 0},
                   {.words = {constant.words.begin(), constant.words.end()}, .object = nullptr});
      }
      return;
    }
    case StateKind::kVertexShader:
      return Token(Op::kSetVertexShaderFunc, {HandleOf(value.object.get())});
    case StateKind::kPixelShader:
      return Token(Op::kSetPixelShader, {HandleOf(value.object.get())});
    case StateKind::kStream:
    case StateKind::kStreamFrequency:
    case StateKind::kIndices:
      return EmitStream(key, value);
    case StateKind::kVertexBool:
    case StateKind::kPixelBool:
      return EmitConstants(key.kind, key.a, std::span(&value.word, 1));
    default:
      return EmitConstants(key.kind, key.a, value.words);
  }
}

void Device::EmitViewport(const StateValue& value) {
  if (value.words.size() != 6) return;
  const StateValue* old = state_.Find({StateKind::kViewport, 0, 0});
  const std::span<const uint32_t> now = value.words;
  const auto is_changed = [&](size_t first, size_t count) {
    return old == nullptr || !std::ranges::equal(std::span(old->words).subspan(first, count),
                                                 now.subspan(first, count));
  };
  if (is_changed(0, 4)) Token(Op::kViewportInfo, now.first(4));
  if (is_changed(4, 2)) Token(Op::kZRange, now.subspan(4, 2));
}

void Device::MakeLight(uint32_t index) {
  if (!lights_.emplace(index, true).second) return;
  Token(Op::kCreateLight, {index});
  const StateKey key{StateKind::kLight, index, 0};
  if (state_.Find(key) == nullptr) {
    Token(Op::kSetLight, {index, d3d::Value(d3d::SetLightData::Data)},
          BytesOfWords(DefaultValue(key, false).words));
  }
}

void Device::EmitLight(const StateKey& key, const StateValue& value) {
  if (key.kind == StateKind::kLightEnable) {
    MakeLight(key.a);
    return Token(Op::kSetLight, {key.a, value.word != 0 ? d3d::Value(d3d::SetLightData::Enable)
                                                        : d3d::Value(d3d::SetLightData::Disable)});
  }
  if (lights_.emplace(key.a, true).second) Token(Op::kCreateLight, {key.a});
  if (value.words.size() == 26)
    Token(Op::kSetLight, {key.a, d3d::Value(d3d::SetLightData::Data)}, BytesOfWords(value.words));
}

void Device::EmitStream(const StateKey& key, const StateValue& value) {
  const uint32_t handle = HandleOf(value.object.get());
  if (key.kind == StateKind::kStreamFrequency)
    return Token(Op::kSetStreamSourceFreq, {key.a, value.word});
  if (key.kind == StateKind::kIndices) {
    const auto* buffer = dynamic_cast<const Resource*>(value.object.get());
    constexpr auto kWide = static_cast<uint32_t>(d3d::Format::Index32);
    const uint32_t stride = buffer != nullptr && buffer->description().format == kWide ? 4 : 2;
    return Token(Op::kSetIndices, {handle, stride});
  }
  const bool is_bound = handle != 0 && value.words.size() == 2;
  const uint32_t offset = is_bound ? value.words[0] : 0;
  const uint32_t stride = is_bound ? value.words[1] : 0;
  if (level() >= 9) return Token(Op::kSetStreamSource2, {key.a, handle, offset, stride});
  Token(Op::kSetStreamSource, {key.a, handle, stride});
}

void Device::EmitTexture(uint32_t stage, const StateValue& value) {
  const auto* texture = dynamic_cast<const Resource*>(value.object.get());
  if (texture != nullptr) AttachPalette(*texture);
  Token(Op::kTextureStageState,
        {stage, d3d::Value(d3d::TextureStageState::TextureMap), HandleOf(value.object.get())});
}

void Device::EmitConstants(StateKind kind, uint32_t first, std::span<const uint32_t> words) {
  static constexpr Op kOps[] = {Op::kSetVertexShaderConst,  Op::kSetVertexShaderConstI,
                                Op::kSetVertexShaderConstB, Op::kSetPixelShaderConst,
                                Op::kSetPixelShaderConstI,  Op::kSetPixelShaderConstB};
  const size_t width = IsBoolKind(kind) ? 1 : 4;
  const Op op = kOps[static_cast<size_t>(kind) - static_cast<size_t>(StateKind::kVertexFloat)];
  const auto count = static_cast<uint32_t>(words.size() / width);
  if (count != 0) Token(op, {first, count}, BytesOfWords(words));
}

}  // namespace dp2trace::runtime
