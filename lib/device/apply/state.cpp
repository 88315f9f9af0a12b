// RENDERSTATE and TEXTURESTAGESTATE. Source: lib/opcode/dp2.md 7 and 8; lib/raster/rendering-texture.md 4.6.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <string>

#include "base/flag_text.h"
#include "d3d/legacy_states.h"
#include "device/apply/apply.h"
#include "device/apply/plain.h"
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

// The numbers below `end` that hold: "1 to 11, 14, 15".
template <class Holds>
std::string RangesOf(uint32_t end, const Holds& holds) {
  std::string text;
  for (uint32_t value = 0; value < end; ++value) {
    if (!holds(value)) continue;
    uint32_t last = value;
    while (last + 1 < end && holds(last + 1))
      ++last;
    text += fmt::format("{}{}", text.empty() ? "" : ", ", value);
    if (last > value) text += fmt::format(" to {}", last);
    value = last;
  }
  return text;
}

// The values of a state that the context takes. Pairs with names are TEXCOORDINDEX: a set, and how its coordinates are made.
std::string LegalValues(const Token& token, const d3d::StateInfo& info, const EnumInfo* names) {
  if (info.type == d3d::ValueType::kF32) return "1 or more";
  if (names == nullptr) return "a repeat factor of 0 to 255";  // LINEPATTERN
  const bool is_pair = info.type == d3d::ValueType::kU16Pair;
  const std::string legal = ValueRangesText(*names, [&](uint32_t row) {
    return token.context.legal_states.IsLegal(info,
                                              is_pair ? row << d3d::kTexcoordGenerationShift : row);
  });
  return is_pair ? fmt::format("set 0 to {:.0f}, {}", info.max, legal) : legal;
}

// The value in the words of its state.
std::string ValueWords(const d3d::StateInfo& info, const EnumInfo* names, uint32_t value) {
  if (info.type == d3d::ValueType::kF32) return fmt::format("{}", std::bit_cast<float>(value));
  if (names == nullptr) return fmt::format("{:#x}", value);
  if (info.type == d3d::ValueType::kU16Pair) {
    return fmt::format("set {}, {}", value & d3d::kTexcoordSetMask,
                       ValueText(*names, value >> d3d::kTexcoordGenerationShift));
  }
  return value <= UINT16_MAX ? ValueText(*names, value) : fmt::format("{:#x}", value);
}

// `place` is empty or names the stage.
void ReportValue(const Token& token, const Record& record, Rule rule, const d3d::StateInfo& info,
                 uint32_t value, const std::string& place = {}) {
  const EnumInfo* const names = d3d::ValueNames(info, token.context.runtime_version);
  const std::string actual = ValueWords(info, names, value);
  const std::string expected = LegalValues(token, info, names);
  token.Report(rule, record, place.empty() ? kValue : kStageValue,
               fmt::format("{}{} cannot be {}", place, info.name, actual), actual, expected);
}

// Texture handles of level 6 are numbers of the driver: nothing is known about them. Source: lib/opcode/dp2.md 12.2.
bool CheckTexture(const Token& token, const Record& record, stream::FieldRef field, Rule not_live) {
  const uint32_t handle = record.U32(field);
  if (handle == 0 || token.context.level < 7) return true;
  const SurfaceRef texture = token.FindSurface(not_live, record, field);
  if (!texture) return false;
  const bool is_texture = CanBeTexture(*texture.resource);
  if (is_texture && texture.level == 0) return true;
  const std::string what =
      is_texture ? fmt::format("level {} of surface {}", texture.level, texture.resource->handle)
                 : Describe(*texture.resource);
  token.Report(not_live == Rule::kDp2Rs030 ? not_live : Rule::kDp2Tss006, record, field,
               fmt::format("surface {} is {}, which cannot be bound as a texture", handle, what),
               what, "the top level of a texture");
  return false;
}

// True where the texture that stage 0 will have holds alpha.
bool TextureHasAlpha(const Token& token) {
  StateWords words = {};
  token.Get(StageKey(0, TextureStageState::TextureMap), words);
  const SurfaceRef texture = token.context.space->Find(words[0]);
  if (!texture) return false;
  const std::map<uint32_t, PaletteBinding>& bindings = token.context.palette_bindings;
  const auto palette = bindings.find(texture.resource->handle);
  return texture.surface().info().has_alpha(
      palette != bindings.end() &&
      (palette->second.flags & d3d::Value(d3d::PaletteFlag::Alpha)) != 0);
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

}  // namespace

// MODULATE takes the texture's alpha where the texture has alpha: it follows the texture until a stage state replaces it.
void FollowTexture(const Token& token) {
  const Context& context = token.context;
  if (context.recording || !context.has_legacy_modulate) return;
  WriteLegacyStates(token, d3d::Value(RenderState::TextureMapBlend),
                    context.state.value(RenderState::TextureMapBlend));
}

namespace {

void NoteLegacyBlend(const Token& token, uint32_t number, uint32_t value) {
  if (token.context.recording) return;
  if (number == d3d::Value(RenderState::TextureMapBlend)) {
    token.context.has_legacy_modulate = value == d3d::Value(d3d::TextureBlend::Modulate) ||
                                        value == d3d::Value(d3d::TextureBlend::ModulateMask);
  } else if (number == d3d::Value(RenderState::TextureHandle)) {
    FollowTexture(token);
  }
}

std::string NameOfState(uint32_t number) {
  const d3d::StateInfo* const info = d3d::FindRenderState(number);
  return info != nullptr ? std::string(info->name) : fmt::format("state {}", number);
}

// D3DSTATE_OVERRIDE. Not part of state blocks. Source: lib/opcode/dp2.md 7.1.
void SetOverride(const Token& token, const Record& record, uint32_t number, uint32_t value) {
  const uint32_t state = number - d3d::kRenderStateOverrideBias;
  if (state >= d3d::kRenderStateCount) {
    token.Report(Rule::kDp2Rs001, record, kNumber,
                 fmt::format("render state {} is not defined", number), fmt::format("{}", number),
                 "a render state");
  } else if (state == 0 || token.context.runtime_version >= d3d::kFirstModernRuntime) {
    token.Report(Rule::kDp2Rs025, record, kNumber,
                 fmt::format("override of {} from runtime version {}", NameOfState(state),
                             token.context.runtime_version),
                 fmt::format("{}, the override of {}", number, NameOfState(state)),
                 "a render state");
  } else {
    token.context.overridden[state] = value != 0;
  }
}

void DeletePatch(const Token& token, const Record& record, uint32_t handle) {
  const auto patch = token.context.patches.find(handle);
  if (patch == token.context.patches.end()) {
    const Absence absence = token.context.histories.patches.Find(handle);
    if (handle != 0 && absence == Absence::kRefused) return;
    token.Report(Rule::kDp2Patch023, record, kValue,
                 handle == 0 ? std::string("patch 0 is never cached")
                             : fmt::format("patch {} {}", handle, Describe(absence)),
                 fmt::format("{}", handle), "a cached patch");
    return;
  }
  token.Release(patch->second.cost);
  token.context.patches.erase(patch);
  token.context.histories.patches.NoteDestroyed(handle);
}

bool CheckRenderState(const Token& token, const Record& record, const d3d::StateInfo& info,
                      uint32_t value) {
  if (info.code == d3d::Value(RenderState::TextureHandle))
    return CheckTexture(token, record, kValue, Rule::kDp2Rs030);
  if (token.context.legal_states.IsLegal(info, value)) return true;
  ReportValue(token, record, RuleOf(token, info, value), info, value);
  return false;
}

void SetRenderState(const Token& token, const Record& record) {
  const uint32_t number = record.U32(kNumber);
  const uint32_t value = record.U32(kValue);
  if (number >= d3d::kRenderStateOverrideBias) return SetOverride(token, record, number, value);
  const d3d::StateInfo* info = d3d::FindRenderState(number);
  if (info == nullptr) {
    token.Report(Rule::kDp2Rs001, record, kNumber,
                 fmt::format("render state {} is not defined", number), fmt::format("{}", number),
                 "a render state");
    return;
  }
  if (number == d3d::Value(RenderState::DeleteRtPatch)) return DeletePatch(token, record, value);
  if (!CheckRenderState(token, record, *info, value)) {
    if (number == d3d::Value(RenderState::TextureHandle))
      token.Refuse(StageKey(0, TextureStageState::TextureMap));
    return;
  }
  if (!token.context.recording && token.context.overridden[number]) return;
  const StateKey key = {StateKind::kRender, number};
  if (info->has_side_effect) return token.Apply(key, {value});
  token.Set(key, value);
  WriteLegacyStates(token, number, value);
  NoteLegacyBlend(token, number, value);
  ApplyVendorCode(token, number, value);
}

// The stages that have the state: "0 to 7", "0 to 15, 256 to 260".
std::string LegalStages(const Token& token, const d3d::StateInfo& info) {
  constexpr uint32_t kEnd = d3d::kLastVertexSampler + 1;
  return RangesOf(
      kEnd, [&](uint32_t stage) { return d3d::IsLegalStage(info, stage, token.context.level); });
}

bool CheckStageState(const Token& token, const Record& record, const d3d::StateInfo& info,
                     uint32_t stage, uint32_t value) {
  if (!d3d::IsLegalStage(info, stage, token.context.level)) {
    token.Report(Rule::kDp2Tss001, record, kStage,
                 fmt::format("stage {} has no {}", stage, info.name), fmt::format("{}", stage),
                 LegalStages(token, info));
    return false;
  }
  if (info.code == d3d::Value(TextureStageState::TextureMap))
    return CheckTexture(token, record, kStageValue, Rule::kDp2Tss005);
  if (token.context.legal_states.IsLegal(info, value)) return true;
  ReportValue(token, record, StageRuleOf(info, value), info, value,
              fmt::format("stage {}: ", stage));
  // Every value of this one has a meaning: 0xFFFFFFFF is projected. Source: lib/raster/rendering-geometry.md 2.9.
  return info.code == d3d::Value(TextureStageState::TextureTransformFlags);
}

void SetTextureStageState(const Token& token, const Record& record) {
  const uint32_t stage = record.U32(kStage);
  const uint32_t number = record.U32(kStageState);
  const uint32_t value = record.U32(kStageValue);
  const d3d::StateInfo* info = d3d::FindTextureStageState(number);
  if (info == nullptr) {
    token.Report(Rule::kDp2Tss002, record, kStageState,
                 fmt::format("stage state {} is not defined", number), fmt::format("{}", number),
                 "a texture stage state");
    return;
  }
  const std::optional<uint32_t> slot = StageSlot(stage);
  if (!CheckStageState(token, record, *info, stage, value)) {
    if (slot) token.Refuse({StateKind::kStage, StageIndex(*slot, number)});
    return;
  }
  if (!slot) return;
  token.Set({StateKind::kStage, StageIndex(*slot, number)}, value);
  if (number == d3d::Value(TextureStageState::Address)) {
    token.Set(StageKey(*slot, TextureStageState::AddressU), value);
    token.Set(StageKey(*slot, TextureStageState::AddressV), value);
  }
  // A key is in force from here on. Source: lib/raster/rendering-texture.md 3.9.
  if (number == d3d::Value(TextureStageState::TextureColorKeyVal))
    token.Set(StageKey(*slot, TextureStageState::DisableTextureColorKey), 0);
  if (stage != 0 || token.context.recording) return;
  const bool is_operation = number == d3d::Value(TextureStageState::ColorOp) ||
                            number == d3d::Value(TextureStageState::AlphaOp);
  if (is_operation) token.context.has_legacy_modulate = false;
  if (number == d3d::Value(TextureStageState::TextureMap)) FollowTexture(token);
}

}  // namespace

void ApplyRenderState(Token& token) {
  Context& context = token.context;
  bool is_plain = StoresRenderStates(context, token.options);
  const uint8_t* at = stream::FixedAt(token.command);
  for (uint32_t i = 0; i < token.command.count; ++i, at += layout::kRenderState.size) {
    if (is_plain && StorePlainRenderState(context, at, token.AsSetter())) continue;
    SetRenderState(token, stream::RecordAt(token.command, i));
    is_plain = StoresRenderStates(context, token.options);  // the record may have been an override
  }
}

void ApplyTextureStageState(Token& token) {
  Context& context = token.context;
  const bool is_plain = StoresStageStates(context, token.options);
  const uint8_t* at = stream::FixedAt(token.command);
  for (uint32_t i = 0; i < token.command.count; ++i, at += layout::kTextureStageState.size) {
    if (is_plain && StorePlainStageState(context, at, token.AsSetter())) continue;
    SetTextureStageState(token, stream::RecordAt(token.command, i));
  }
}

}  // namespace dp2trace::device
