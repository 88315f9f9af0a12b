// RENDERSTATE and TEXTURESTAGESTATE. Source: DP2 specification, 7 and 8; rendering specification, 4.6.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <string>

#include "d3d/legacy_states.h"
#include "device/apply/apply.h"
#include "device/token.h"
#include "rules/rule.h"

namespace dp2trace::device {
namespace {

namespace layout = opcode::layout;
using d3d::RenderState;
using d3d::TextureStageState;
using stream::Record;

constexpr stream::FieldRef kNumber = stream::Field(layout::kRenderState, "render_state");
constexpr stream::FieldRef kValue = stream::Field(layout::kRenderState, "state");
constexpr stream::FieldRef kStage = stream::Field(layout::kTextureStageState, "stage");
constexpr stream::FieldRef kStageState = stream::Field(layout::kTextureStageState, "ts_state");
constexpr stream::FieldRef kStageValue = stream::Field(layout::kTextureStageState, "value");

// States whose illegal values have a rule of their own; other enumerations are DP2-RS-004.
struct RenderStateRule {
  RenderState state;
  Rule rule;
};
constexpr RenderStateRule kRenderStateRules[] = {
    {RenderState::LinePattern, Rule::kDp2Rs010},
    {RenderState::SrcBlend, Rule::kDp2Rs006},
    {RenderState::SrcBlendAlpha, Rule::kDp2Rs006},
    {RenderState::DestBlend, Rule::kDp2Rs007},
    {RenderState::DestBlendAlpha, Rule::kDp2Rs007},
    {RenderState::VertexBlend, Rule::kDp2Rs021},
    {RenderState::PositionDegree, Rule::kDp2Rs034},
    {RenderState::NormalDegree, Rule::kDp2Rs034},
    {RenderState::MinTessellationLevel, Rule::kDp2Rs033},
    {RenderState::MaxTessellationLevel, Rule::kDp2Rs033},
};

struct StageStateRule {
  TextureStageState state;
  Rule rule;
};
constexpr StageStateRule kStageStateRules[] = {
    {TextureStageState::ColorOp, Rule::kDp2Tss007},
    {TextureStageState::AlphaOp, Rule::kDp2Tss007},
    {TextureStageState::ResultArg, Rule::kDp2Tss011},
    {TextureStageState::TexcoordIndex, Rule::kDp2Tss013},
    {TextureStageState::Address, Rule::kDp2Tss018},
    {TextureStageState::AddressU, Rule::kDp2Tss018},
    {TextureStageState::AddressV, Rule::kDp2Tss018},
    {TextureStageState::AddressW, Rule::kDp2Tss018},
    {TextureStageState::MagFilter, Rule::kDp2Tss019},
    {TextureStageState::MinFilter, Rule::kDp2Tss019},
    {TextureStageState::MipFilter, Rule::kDp2Tss019},
    {TextureStageState::TextureTransformFlags, Rule::kDp2Tss016},
};

Rule RuleOf(const Token& token, const d3d::StateInfo& info, uint32_t value) {
  const auto* const row = std::ranges::find_if(
      kRenderStateRules,
      [&info](const RenderStateRule& rule) { return d3d::Value(rule.state) == info.code; });
  if (row == std::end(kRenderStateRules)) return Rule::kDp2Rs004;
  const bool is_blend = row->rule == Rule::kDp2Rs006 || row->rule == Rule::kDp2Rs007;
  const bool is_factor = value == d3d::Value(d3d::BlendFactor::BlendFactor) ||
                         value == d3d::Value(d3d::BlendFactor::InvBlendFactor);
  return is_blend && is_factor && token.context.level < 9 ? Rule::kDp2Rs008 : row->rule;
}

Rule StageRuleOf(const d3d::StateInfo& info, uint32_t value) {
  const bool is_colour_only = value >= d3d::Value(d3d::TextureOp::ModulateAlphaAddColor) &&
                              value <= d3d::Value(d3d::TextureOp::BumpEnvMapLuminance);
  if (info.code == d3d::Value(TextureStageState::AlphaOp) && is_colour_only)
    return Rule::kDp2Tss008;
  const auto* const row = std::ranges::find_if(
      kStageStateRules,
      [&info](const StageStateRule& rule) { return d3d::Value(rule.state) == info.code; });
  return row == std::end(kStageStateRules) ? Rule::kDp2Tss010
                                           : row->rule;  // the rest are arguments
}

// The values of an enumeration that the context takes: "1 to 11, 14, 15". Nothing of reals and pairs.
std::string LegalValues(const Token& token, const d3d::StateInfo& info) {
  constexpr uint32_t kEnd = 0x106;  // behind the largest value of any enumeration, D3DTTFF
  std::string text;
  if (info.type != d3d::ValueType::kEnum) return text;
  for (uint32_t value = 0; value < kEnd; ++value) {
    if (!token.context.legal_states.Takes(info, value)) continue;
    uint32_t last = value;
    while (last + 1 < kEnd && token.context.legal_states.Takes(info, last + 1))
      ++last;
    text += fmt::format("{}{}", text.empty() ? "" : ", ", value);
    if (last > value) text += fmt::format(" to {}", last);
    value = last;
  }
  return text;
}

// `place` is empty or names the stage.
void ReportValue(const Token& token, const Record& record, Rule rule, const d3d::StateInfo& info,
                 uint32_t value, const std::string& place = {}) {
  const bool is_number = info.type == d3d::ValueType::kEnum && value <= UINT16_MAX;
  const std::string actual = info.type == d3d::ValueType::kF32
                                 ? fmt::format("{}", std::bit_cast<float>(value))
                             : is_number ? fmt::format("{}", value)
                                         : fmt::format("{:#x}", value);
  const std::string expected =
      info.type == d3d::ValueType::kF32 ? "1 or more" : LegalValues(token, info);
  token.Report(rule, record, fmt::format("{}{} cannot be {}", place, info.name, actual), actual,
               expected);
}

// Texture handles of level 6 are numbers of the driver: nothing is known about them. Source: 12.2.
bool CheckTexture(const Token& token, const Record& record, uint32_t handle, Rule not_live) {
  if (handle == 0 || token.context.level < 7) return true;
  const SurfaceRef texture = token.FindSurface(not_live, record, handle);
  if (!texture) return false;
  const bool is_texture = texture.resource->is_texture() || texture.resource->lacks_caps();
  if (is_texture && texture.level == 0) return true;
  token.Report(
      not_live == Rule::kDp2Rs030 ? not_live : Rule::kDp2Tss006, record,
      fmt::format("surface {} is {}", handle, is_texture ? "a mip sub-level" : "no texture"),
      fmt::format("{}", handle));
  return false;
}

// True where the texture that stage 0 will have holds alpha.
bool TextureHasAlpha(const Token& token) {
  StateWords words = {};
  token.Get(StageKey(0, TextureStageState::TextureMap), words);
  const SurfaceRef texture = token.context.space->Find(words[0]);
  return texture && texture.surface().info().has_alpha();
}

void WriteLegacyStates(const Token& token, uint32_t number, uint32_t value) {
  const d3d::StageWrites writes =
      d3d::LegacyStageWrites(number, value, token.context.runtime_version, TextureHasAlpha(token));
  for (const d3d::StageWrite& write : writes.items())
    token.Set(StageKey(0, write.state), write.value);
  if (const uint32_t bit = d3d::LegacyWrapBit(number); bit != 0) {
    StateWords wrap = {};
    token.Get(RenderKey(RenderState::Wrap0), wrap);
    token.Set(RenderKey(RenderState::Wrap0), value != 0 ? wrap[0] | bit : wrap[0] & ~bit);
  }
}

// MODULATE takes the texture's alpha where the texture has alpha: it follows the texture until a stage state replaces it.
void FollowTexture(const Token& token) {
  const Context& context = token.context;
  if (context.recording || !context.has_legacy_modulate) return;
  WriteLegacyStates(token, d3d::Value(RenderState::TextureMapBlend),
                    context.state.value(RenderState::TextureMapBlend));
}

void NoteLegacyBlend(const Token& token, uint32_t number, uint32_t value) {
  if (token.context.recording) return;
  if (number == d3d::Value(RenderState::TextureMapBlend)) {
    token.context.has_legacy_modulate = value == d3d::Value(d3d::TextureBlend::Modulate) ||
                                        value == d3d::Value(d3d::TextureBlend::ModulateMask);
  } else if (number == d3d::Value(RenderState::TextureHandle)) {
    FollowTexture(token);
  }
}

// D3DSTATE_OVERRIDE. Not part of state blocks. Source: 7.1.
void SetOverride(const Token& token, const Record& record, uint32_t number, uint32_t value) {
  const uint32_t state = number - d3d::kRenderStateOverrideBias;
  if (state >= d3d::kRenderStateCount) {
    token.Report(Rule::kDp2Rs001, record, fmt::format("render state {} is not defined", number),
                 fmt::format("{}", number));
  } else if (state == 0 || token.context.runtime_version >= d3d::kFirstModernRuntime) {
    token.Report(Rule::kDp2Rs025, record,
                 fmt::format("override of state {} from runtime version {}", state,
                             token.context.runtime_version),
                 fmt::format("{}", number));
  } else {
    token.context.overridden[state] = value != 0;
  }
}

void DeletePatch(const Token& token, const Record& record, uint32_t handle) {
  const auto patch = token.context.patches.find(handle);
  if (patch == token.context.patches.end()) {
    token.Report(Rule::kDp2Patch023, record, fmt::format("patch {} is not cached", handle),
                 fmt::format("{}", handle));
    return;
  }
  token.Release(patch->second.cost);
  token.context.patches.erase(patch);
}

bool CheckRenderState(const Token& token, const Record& record, const d3d::StateInfo& info,
                      uint32_t value) {
  if (info.code == d3d::Value(RenderState::TextureHandle))
    return CheckTexture(token, record, value, Rule::kDp2Rs030);
  if (token.context.legal_states.Takes(info, value)) return true;
  ReportValue(token, record, RuleOf(token, info, value), info, value);
  return false;
}

void SetRenderState(const Token& token, const Record& record) {
  const uint32_t number = record.U32(kNumber);
  const uint32_t value = record.U32(kValue);
  if (number >= d3d::kRenderStateOverrideBias) return SetOverride(token, record, number, value);
  const d3d::StateInfo* info = d3d::FindRenderState(number);
  if (info == nullptr) {
    token.Report(Rule::kDp2Rs001, record, fmt::format("render state {} is not defined", number),
                 fmt::format("{}", number));
    return;
  }
  if (number == d3d::Value(RenderState::DeleteRtPatch)) return DeletePatch(token, record, value);
  if (!CheckRenderState(token, record, *info, value)) return;
  if (!token.context.recording && token.context.overridden[number]) return;
  const StateKey key = {StateKind::kRender, number};
  if (info->has_side_effect) return token.Apply(key, {value});
  token.Set(key, value);
  WriteLegacyStates(token, number, value);
  NoteLegacyBlend(token, number, value);
}

bool CheckStageState(const Token& token, const Record& record, const d3d::StateInfo& info,
                     uint32_t stage, uint32_t value) {
  if (!d3d::IsLegalStage(info, stage, token.context.level)) {
    token.Report(Rule::kDp2Tss001, record, fmt::format("stage {} has no {}", stage, info.name),
                 fmt::format("{}", stage));
    return false;
  }
  if (info.code == d3d::Value(TextureStageState::TextureMap))
    return CheckTexture(token, record, value, Rule::kDp2Tss005);
  if (token.context.legal_states.Takes(info, value)) return true;
  ReportValue(token, record, StageRuleOf(info, value), info, value,
              fmt::format("stage {}: ", stage));
  // Every value of this one has a meaning: 0xFFFFFFFF is projected. Source: rendering specification, 2.9.
  return info.code == d3d::Value(TextureStageState::TextureTransformFlags);
}

void SetTextureStageState(const Token& token, const Record& record) {
  const uint32_t stage = record.U32(kStage);
  const uint32_t number = record.U32(kStageState);
  const uint32_t value = record.U32(kStageValue);
  const d3d::StateInfo* info = d3d::FindTextureStageState(number);
  if (info == nullptr) {
    token.Report(Rule::kDp2Tss002, record, fmt::format("stage state {} is not defined", number),
                 fmt::format("{}", number));
    return;
  }
  if (!CheckStageState(token, record, *info, stage, value)) return;
  const std::optional<uint32_t> slot = StageSlot(stage);
  if (!slot) return;
  token.Set({StateKind::kStage, StageIndex(*slot, number)}, value);
  if (number == d3d::Value(TextureStageState::Address)) {
    token.Set(StageKey(*slot, TextureStageState::AddressU), value);
    token.Set(StageKey(*slot, TextureStageState::AddressV), value);
  }
  if (stage != 0 || token.context.recording) return;
  const bool is_operation = number == d3d::Value(TextureStageState::ColorOp) ||
                            number == d3d::Value(TextureStageState::AlphaOp);
  if (is_operation) token.context.has_legacy_modulate = false;
  if (number == d3d::Value(TextureStageState::TextureMap)) FollowTexture(token);
}

// Stores a value that needs no more than that; false where the whole way has to be gone. Most records of a stream end here.
bool StorePlainRenderState(Context& context, uint32_t number, uint32_t value) {
  const LegalStates& legal = context.legal_states;
  if (!legal.CertainlyTakesRender(number, value) || !legal.IsPlainRender(number)) return false;
  context.state.render[number] = value;
  return true;
}

// Stage 0 to 15: their slots have the same numbers.
bool StorePlainStageState(Context& context, uint32_t stage, uint32_t number, uint32_t value) {
  const LegalStates& legal = context.legal_states;
  if (!legal.CertainlyTakesStage(number, value) || !legal.IsPlainStage(number) ||
      !legal.HasStage(number, stage))
    return false;
  context.state.stages[stage][number] = value;
  return true;
}

}  // namespace

void ApplyRenderState(Token& token) {
  Context& context = token.context;
  const auto stores = [&context] {
    return context.recording == nullptr && context.overridden.none();
  };
  bool is_plain = stores();
  const uint8_t* at = stream::FixedAt(token.command);
  for (uint32_t i = 0; i < token.command.count; ++i, at += layout::kRenderState.size) {
    if (is_plain &&
        StorePlainRenderState(context, stream::FieldU32(at, kNumber), stream::FieldU32(at, kValue)))
      continue;
    SetRenderState(token, stream::RecordAt(token.command, i));
    is_plain = stores();  // the record may have been an override
  }
}

void ApplyTextureStageState(Token& token) {
  Context& context = token.context;
  const bool is_plain = context.recording == nullptr && !context.has_legacy_modulate;
  const uint8_t* at = stream::FixedAt(token.command);
  for (uint32_t i = 0; i < token.command.count; ++i, at += layout::kTextureStageState.size) {
    const uint32_t stage = stream::FieldU32(at, kStage);
    const uint32_t number = stream::FieldU32(at, kStageState);
    if (is_plain && StorePlainStageState(context, stage, number, stream::FieldU32(at, kStageValue)))
      continue;
    SetTextureStageState(token, stream::RecordAt(token.command, i));
  }
}

}  // namespace dp2trace::device
