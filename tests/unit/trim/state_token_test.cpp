#include "trim/state_token.h"

#include <doctest/doctest.h>

#include <optional>

#include "trace_model/scratch_device.h"

using namespace dp2trace;  // NOLINT(google-build-using-namespace): test file

namespace {

using device::StateKey;
using device::StateKind;
using device::StateWords;

constexpr uint32_t kContext = 1;

// A device with a target and a context.
void Prepare(trace_model::ScratchDevice& scratch, uint32_t level) {
  trace::Header header;
  header.driver_level = level;
  scratch.Add(trace::Event(header));
  trace::SurfaceCreate target;
  target.handle = 1;
  target.kind = d3d::SurfaceKind::kTarget;
  target.format = d3d::Value(d3d::Format::X8R8G8B8);
  target.width = target.height = 16;
  scratch.Add(trace::Event(target));
  trace::ContextCreate context;
  context.context = kContext;
  context.target = 1;
  context.runtime_version = level == 6 ? 2 : level - 4;
  scratch.Add(trace::Event(context));
}

const device::Context& ContextOf(const trace_model::ScratchDevice& scratch) {
  return *scratch.device().FindContext(0, kContext);
}

// A value that the context takes and does not have; nothing where there is none (handles name objects).
std::optional<uint32_t> OtherValue(const device::Context& context, const d3d::StateInfo& info,
                                   uint32_t value) {
  if (info.type == d3d::ValueType::kHandle) return std::nullopt;
  for (const uint32_t candidate : {1U, 2U, 3U, 0U, 4U, 5U, 0x3F800000U, 0x40000000U}) {
    if (candidate != value && context.legal_states.IsLegal(info, candidate)) return candidate;
  }
  return std::nullopt;
}

std::optional<StateWords> OtherWords(const device::Context& context, StateKey key) {
  StateWords words = {};
  device::ReadState(context.state, key, words);
  switch (key.kind) {
    case StateKind::kRender: {
      const auto value = OtherValue(context, *d3d::FindRenderState(key.index), words[0]);
      return value ? std::optional(StateWords{*value}) : std::nullopt;
    }
    case StateKind::kStage: {
      const uint32_t number = key.index % d3d::kTextureStageStateCount;
      const auto value = OtherValue(context, *d3d::FindTextureStageState(number), words[0]);
      return value ? std::optional(StateWords{*value}) : std::nullopt;
    }
    case StateKind::kVertexShader:
    case StateKind::kVertexDeclaration:
      return StateWords{0x44};  // XYZRHW and DIFFUSE
    case StateKind::kVertexFunction:
    case StateKind::kPixelShader:
      return std::nullopt;  // objects
    case StateKind::kViewport:
    case StateKind::kScissor:
      return StateWords{1, 2, 3, 4, 1};
    case StateKind::kStream:
      if (key.index != 0) return std::nullopt;
      return StateWords{0, 0, 24, 1};
    case StateKind::kIndices:
      return StateWords{0, 2};
    default:
      break;
  }
  for (uint32_t i = 0; i < device::WordCount(key.kind); ++i)
    words[i] = key.kind == StateKind::kLightEnable ? 1 : 0x3F000000 + i;
  if (key.kind == StateKind::kLight) words[0] = d3d::Value(d3d::LightType::Spot);
  return words;
}

}  // namespace

TEST_CASE("every value of a state has a token that sets it") {
  for (uint32_t level = 6; level <= 9; ++level) {
    CAPTURE(level);
    trace_model::ScratchDevice scratch;
    Prepare(scratch, level);
    device::State state = ContextOf(scratch).state;
    state.lights[3] = {};
    if (level >= 8) state.vertex_constants.floats.resize(2);
    if (level == 9) state.pixel_constants.booleans.resize(2);
    uint32_t set = 0;
    for (const StateKey key : trim::KeysOf(state)) {
      CAPTURE(static_cast<uint32_t>(key.kind));
      CAPTURE(key.index);
      const auto words = OtherWords(ContextOf(scratch), key);
      if (!words) continue;
      runtime::TokenBuffer tokens;
      if (level >= 7 && key.kind == StateKind::kLight)
        tokens.Append(opcode::Op::kCreateLight, std::array{key.index}, {}, {});
      if (!trim::AppendStateToken(ContextOf(scratch), key, *words, tokens)) continue;
      trace::Dp2 call;
      call.context = kContext;
      call.commands = tokens.bytes();
      scratch.Add(trace::Event(call));
      StateWords reached = {};
      device::ReadState(ContextOf(scratch).state, key, reached);
      for (uint32_t i = 0; i < device::WordCount(key.kind); ++i)
        CHECK(reached[i] == (*words)[i]);
      ++set;
    }
    // Most of the two tables, and with the level more of the rest.
    CHECK(set > 150 + 100 * (level - 6));
  }
}

TEST_CASE("what no token says is refused") {
  trace_model::ScratchDevice scratch;
  Prepare(scratch, 8);
  runtime::TokenBuffer tokens;
  const device::Context& context = ContextOf(scratch);
  // The whole target as viewport; an offset in a stream, a scissor rectangle and stage 8 below level 9.
  CHECK_FALSE(trim::AppendStateToken(context, {StateKind::kViewport}, {}, tokens));
  CHECK_FALSE(trim::AppendStateToken(context, {StateKind::kStream, 1}, {0, 4, 8, 0}, tokens));
  CHECK_FALSE(trim::AppendStateToken(context, {StateKind::kScissor}, {0, 0, 1, 1, 1}, tokens));
  CHECK_FALSE(trim::AppendStateToken(
      context, device::StageKey(8, d3d::TextureStageState::MagFilter), {2}, tokens));
  CHECK(tokens.empty());
}
