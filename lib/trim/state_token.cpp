#include "trim/state_token.h"

#include <algorithm>
#include <optional>
#include <span>

#include "d3d/enums.h"
#include "d3d/interface.h"
#include "d3d/states.h"
#include "device/device.h"
#include "device/shader_space.h"

namespace dp2trace::trim {
namespace {

using device::Context;
using device::StateKey;
using device::StateKind;
using device::StateWords;
using opcode::Op;

constexpr uint32_t kOneRegister = 1;

// How many values of a kind a state has.
uint32_t CountOf(StateKind kind, const device::State& state) {
  const auto size = [](const auto& list) { return static_cast<uint32_t>(list.size()); };
  switch (kind) {
    case StateKind::kRender:
      return d3d::kRenderStateCount;
    case StateKind::kStage:
      return device::kStageSlotCount * d3d::kTextureStageStateCount;
    case StateKind::kTransform:
      return d3d::kTransformSlotCount;
    case StateKind::kClipPlane:
      return device::kClipPlaneCount;
    case StateKind::kStream:
    case StateKind::kStreamDivider:
      return device::kStreamCount;
    case StateKind::kVertexFloat:
      return size(state.vertex_constants.floats);
    case StateKind::kVertexInteger:
      return size(state.vertex_constants.integers);
    case StateKind::kVertexBoolean:
      return size(state.vertex_constants.booleans);
    case StateKind::kPixelFloat:
      return size(state.pixel_constants.floats);
    case StateKind::kPixelInteger:
      return size(state.pixel_constants.integers);
    case StateKind::kPixelBoolean:
      return size(state.pixel_constants.booleans);
    case StateKind::kLight:
    case StateKind::kLightEnable:
      return 0;  // by their indices
    default:
      return 1;
  }
}

// Values that exist: a number without a row, an action or a second name of a matrix is none.
bool Exists(StateKey key) {
  switch (key.kind) {
    case StateKind::kRender: {
      const d3d::StateInfo* const info = d3d::FindRenderState(key.index);
      return info != nullptr && !info->has_side_effect;
    }
    case StateKind::kStage:
      return d3d::FindTextureStageState(key.index % d3d::kTextureStageStateCount) != nullptr;
    case StateKind::kTransform:
      return d3d::CanonicalTransform(key.index) == key.index;
    default:
      return true;
  }
}

// The operations that have the words of a value after one number.
struct Row {
  StateKind kind;
  Op op;
  bool has_index;  // the number comes first
};
constexpr Row kRows[] = {
    {StateKind::kRender, Op::kRenderState, true},
    {StateKind::kTransform, Op::kSetTransform, true},
    {StateKind::kZRange, Op::kZRange, false},
    {StateKind::kWInfo, Op::kWInfo, false},
    {StateKind::kClipPlane, Op::kSetClipPlane, true},
    {StateKind::kMaterial, Op::kSetMaterial, false},
    {StateKind::kStreamDivider, Op::kSetStreamSourceFreq, true},
    {StateKind::kIndices, Op::kSetIndices, false},
};
// The operations that set registers.
struct RegisterRow {
  StateKind kind;
  Op op;
};
constexpr RegisterRow kRegisterRows[] = {
    {StateKind::kVertexFloat, Op::kSetVertexShaderConst},
    {StateKind::kVertexInteger, Op::kSetVertexShaderConstI},
    {StateKind::kVertexBoolean, Op::kSetVertexShaderConstB},
    {StateKind::kPixelFloat, Op::kSetPixelShaderConst},
    {StateKind::kPixelInteger, Op::kSetPixelShaderConstI},
    {StateKind::kPixelBoolean, Op::kSetPixelShaderConstB},
};

class Appender {
 public:
  Appender(const Context& context, runtime::TokenBuffer& out) : context_(context), out_(out) {}

  bool Append(Op op, std::span<const uint32_t> values, Bytes tail = {}) {
    const opcode::OpInfo& info = opcode::Info(op);
    return !device::FindLevelDefect(info, context_.level, false) &&
           out_.Append(op, values, tail, std::nullopt);
  }

  bool Stage(StateKey key, uint32_t value) {
    const uint32_t slot = key.index / d3d::kTextureStageStateCount;
    const uint32_t number = key.index % d3d::kTextureStageStateCount;
    const uint32_t stage = slot < d3d::kPixelSamplerCount
                               ? slot
                               : d3d::kDisplacementMapSampler + slot - d3d::kPixelSamplerCount;
    const bool is_legal =
        d3d::IsLegalStage(*d3d::FindTextureStageState(number), stage, context_.level);
    return is_legal && Append(Op::kTextureStageState, std::array{stage, number, value});
  }

  // Viewport and scissor rectangle: the fifth word says whether there is one.
  bool Area(Op op, const StateWords& words) {
    return words[4] != 0 && Append(op, std::span(words).first(4));
  }

  bool Stream(uint32_t number, const StateWords& words) {
    const auto [buffer, offset, stride, is_user_memory] =
        std::array{words[0], words[1], words[2], words[3]};
    if (is_user_memory != 0)
      return number == 0 && Append(Op::kSetStreamSourceUm, std::array{number, stride});
    if (context_.level >= opcode::Info(Op::kSetStreamSource2).level)
      return Append(Op::kSetStreamSource2, std::array{number, buffer, offset, stride});
    return offset == 0 && Append(Op::kSetStreamSource, std::array{number, buffer, stride});
  }

  bool Light(uint32_t index, d3d::SetLightData type, std::span<const uint32_t> words) {
    return Append(Op::kSetLight, std::array{index, d3d::Value(type)}, runtime::BytesOfWords(words));
  }

 private:
  const Context& context_;
  runtime::TokenBuffer& out_;
};

uint32_t WordAt(Bytes bytes, size_t offset) {
  uint32_t word = 0;
  for (size_t i = 4; i-- > 0;)
    word = word << 8 | bytes[offset + i];
  return word;
}

constexpr size_t kTokenHeader = 4;
// Of any version, with room: a register that a token names is kept by whoever executes it.
constexpr uint32_t kMaxRegister = 8192;

// Records of a first register, their number, and the values.
bool AppendRegisters(StateKind kind, Bytes bytes, std::vector<StateKey>& keys) {
  const size_t value = size_t{4} * device::WordCount(kind);
  for (size_t at = kTokenHeader; at < bytes.size();) {
    if (bytes.size() - at < 8) return false;
    const uint32_t first = WordAt(bytes, at);
    const uint32_t count = WordAt(bytes, at + 4);
    if (first > kMaxRegister || count > kMaxRegister - first) return false;
    for (uint32_t i = 0; i < count; ++i)
      keys.push_back({kind, first + i});
    at += 8 + value * count;
  }
  return true;
}

std::optional<StateKey> StageKeyOf(uint32_t word) {
  const std::optional<uint32_t> slot = device::StageSlot(word & 0xFFFF);
  const uint32_t state = word >> 16;
  if (!slot || d3d::FindTextureStageState(state) == nullptr) return std::nullopt;
  return StateKey{StateKind::kStage, device::StageIndex(*slot, state)};
}

// The value that a number names.
std::optional<StateKey> KeyOf(StateKind kind, uint32_t number) {
  if (kind == StateKind::kRender && d3d::FindRenderState(number) != nullptr)
    return StateKey{kind, number};
  const auto transform =
      kind == StateKind::kTransform ? d3d::CanonicalTransform(number) : std::nullopt;
  return transform ? std::optional(StateKey{kind, *transform}) : std::nullopt;
}

}  // namespace

bool AppendKeys(const stream::Command& command, std::vector<StateKey>& keys) {
  const Op op = command.op->op;
  const auto* const registers = std::ranges::find(kRegisterRows, op, &RegisterRow::op);
  if (registers != std::end(kRegisterRows))
    return AppendRegisters(registers->kind, command.bytes, keys);
  const bool is_stage = op == Op::kTextureStageState;
  const auto* const row = std::ranges::find(kRows, op, &Row::op);
  if (op == Op::kSetMaterial) {
    keys.push_back({StateKind::kMaterial});
    return true;
  }
  if (!is_stage && (row == std::end(kRows) || !row->has_index)) return false;
  const size_t record = is_stage ? 8 : 4 + size_t{4} * device::WordCount(row->kind);
  for (size_t at = kTokenHeader; at + record <= command.bytes.size(); at += record) {
    const uint32_t word = WordAt(command.bytes, at);
    const std::optional<StateKey> key = is_stage ? StageKeyOf(word) : KeyOf(row->kind, word);
    if (!key) return false;
    keys.push_back(*key);
  }
  return true;
}

std::vector<StateKey> KeysOf(const device::State& state) {
  std::vector<StateKey> keys;
  for (uint32_t number = 0; number <= static_cast<uint32_t>(StateKind::kPixelBoolean); ++number) {
    const auto kind = static_cast<StateKind>(number);
    if (kind == StateKind::kLight || kind == StateKind::kLightEnable) {
      for (const auto& [index, light] : state.lights)
        keys.push_back({kind, index});
    }
    for (uint32_t i = 0, count = CountOf(kind, state); i < count; ++i) {
      if (const StateKey key = {kind, i}; Exists(key)) keys.push_back(key);
    }
  }
  return keys;
}

bool AppendStateToken(const Context& context, StateKey key, const StateWords& words,
                      runtime::TokenBuffer& out) {
  Appender appender(context, out);
  const uint32_t count = device::WordCount(key.kind);
  const std::span<const uint32_t> all = std::span(words).first(count);
  switch (key.kind) {
    case StateKind::kStage:
      return appender.Stage(key, words[0]);
    case StateKind::kViewport:
      return appender.Area(Op::kViewportInfo, words);
    case StateKind::kScissor:
      return appender.Area(Op::kSetScissorRect, words);
    case StateKind::kStream:
      return appender.Stream(key.index, words);
    case StateKind::kLight:
      return appender.Light(key.index, d3d::SetLightData::Data, all);
    case StateKind::kLightEnable:
      return appender.Light(
          key.index, words[0] != 0 ? d3d::SetLightData::Enable : d3d::SetLightData::Disable, {});
    default:
      break;
  }
  const auto* const registers = std::ranges::find(kRegisterRows, key.kind, &RegisterRow::kind);
  if (registers != std::end(kRegisterRows)) {
    return appender.Append(registers->op, std::array{key.index, kOneRegister},
                           runtime::BytesOfWords(all));
  }
  const auto* const space =
      std::ranges::find(device::kShaderSpaces, key.kind, &device::ShaderSpace::kind);
  if (space != std::end(device::kShaderSpaces)) return appender.Append(space->set_op, all);
  const auto* const row = std::ranges::find(kRows, key.kind, &Row::kind);
  if (row == std::end(kRows)) return false;
  std::vector<uint32_t> values;
  if (row->has_index) values.push_back(key.index);
  values.insert(values.end(), all.begin(), all.end());
  return appender.Append(row->op, values);
}

}  // namespace dp2trace::trim
