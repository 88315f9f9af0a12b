#include "validate/dp2/texture_stage.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cmath>

#include "base/flag_text.h"
#include "d3d/ignored_states.h"
#include "d3d/interface.h"
#include "d3d/vendor_codes.h"
#include "opcode/layouts.h"
#include "rules/rule.h"
#include "validate/dp2/topics.h"
#include "validate/memory.h"

namespace dp2trace::validate {
namespace {

namespace layout = opcode::layout;
using d3d::TextureStageState;
using stream::Record;

constexpr stream::FieldRef kStageNumber = stream::Field(layout::kTextureStageState, "stage");
constexpr stream::FieldRef kStageState = stream::Field(layout::kTextureStageState, "ts_state");
constexpr stream::FieldRef kStageValue = stream::Field(layout::kTextureStageState, "value");

constexpr uint64_t kAllValues = uint64_t{1} << 32;

// One record whose value needs more than a look into the table.
struct StageSetting {
  const CommandView& view;
  const Record& record;
  const d3d::StateInfo& info;
  uint32_t value;

  bool Is(TextureStageState state) const { return info.code == d3d::Value(state); }
  // Reports and says so.
  bool Found(Rule rule, const std::string& message, std::string actual,
             std::string expected = {}) const {
    const bool is_about_state = rule == Rule::kDp2Tss003 || rule == Rule::kDp2Tss004;
    view.Report(rule, record, is_about_state ? kStageState : kStageValue,
                fmt::format("stage {}: {}", record.U32(kStageNumber), message), std::move(actual),
                std::move(expected));
    return true;
  }
};

// DP2-TSS-003, DP2-TSS-004. The functions that follow are true after a report.
bool CheckStageLevel(const StageSetting& setting) {
  const d3d::StateInfo& info = setting.info;
  const bool is_packet = (setting.view.context.id & device::kPacketContext) != 0;
  if (info.state_class == d3d::StateClass::kUserMode) {
    return !is_packet && setting.Found(Rule::kDp2Tss004,
                                       fmt::format("{} ({}) is a state of user-mode drivers",
                                                   info.name, info.code),
                                       std::string(info.name), "a state of the kernel interface");
  }
  if (info.first_level <= setting.view.level()) return false;
  return setting.Found(Rule::kDp2Tss003,
                       fmt::format("{} belongs to level {}, the driver has level {}", info.name,
                                   info.first_level, setting.view.level()),
                       fmt::format("{}", setting.view.level()),
                       fmt::format("{} or higher", info.first_level));
}

// DP2-TSS-024, DP2-TSS-025. Only the bump matrix has a range.
bool CheckStageReal(const StageSetting& setting) {
  if (setting.info.type != d3d::ValueType::kF32) return false;
  const auto real = std::bit_cast<float>(setting.value);
  const std::string text = RealText(real);
  if (!std::isfinite(real)) {
    return setting.Found(
        Rule::kDp2Tss025,
        fmt::format("{} is {}, which is not a finite number", setting.info.name, text), text,
        "a finite number");
  }
  if (real >= setting.info.min && real <= setting.info.max) return false;
  return setting.Found(Rule::kDp2Tss024, fmt::format("{} is {}", setting.info.name, text), text,
                       "-8 or more, below 8");
}

// DP2-TSS-031.
bool CheckStageVendorCode(const StageSetting& setting) {
  const d3d::VendorCode* const code = d3d::FindVendorCode(setting.info, setting.value);
  if (code == nullptr || setting.view.level() < d3d::kLastDriverLevel) return false;
  return setting.Found(Rule::kDp2Tss031,
                       fmt::format("{} is {}, the code of a vendor's extension: {}",
                                   setting.info.name, code->name, code->Words()),
                       std::string(code->name), "a number");
}

// DP2-TSS-017, 020, 022.
bool CheckZero(const StageSetting& setting) {
  if (setting.Is(TextureStageState::TextureTransformFlags) &&
      setting.value == d3d::kTextureTransformProjected) {
    return setting.Found(Rule::kDp2Tss017, "TEXTURETRANSFORMFLAGS is PROJECTED without a count",
                         ValueText(d3d::kTextureTransformNames, setting.value),
                         ValueRangesText(d3d::kTextureTransformNames, [](uint32_t value) {
                           return value > d3d::kTextureTransformProjected;
                         }));
  }
  if (setting.value != 0) return false;
  const bool is_filter =
      setting.Is(TextureStageState::MagFilter) || setting.Is(TextureStageState::MinFilter);
  if (is_filter && setting.view.runtime_version() >= d3d::kFirstModernRuntime) {
    return setting.Found(Rule::kDp2Tss020, fmt::format("{} is NONE", setting.info.name), "NONE",
                         "POINT or better");
  }
  if (setting.Is(TextureStageState::MaxAnisotropy)) {
    return setting.Found(Rule::kDp2Tss022, "MAXANISOTROPY is 0, which counts as 1", "0",
                         "1 or more");
  }
  return false;
}

// REPLAY-STATE-001: once for each state of a context.
void CheckIgnored(const StageSetting& setting) {
  std::bitset<d3d::kTextureStageStateCount>& reported =
      setting.view.memory.texture_stage.reported_ignored;
  const d3d::IgnoredState* const row = d3d::FindIgnoredValue(setting.info, setting.value);
  if (row == nullptr || reported[setting.info.code]) return;
  reported.set(setting.info.code);
  setting.Found(Rule::kReplayState001,
                fmt::format("{} is {}, which is not modelled: {}", setting.info.name, setting.value,
                            row->why),
                fmt::format("{}", setting.value), fmt::format("{}", row->drawn_as));
}

void CheckStageSetting(const CommandView& view, const Record& record) {
  const d3d::StateInfo* const info = d3d::FindTextureStageState(record.U32(kStageState));
  const uint32_t value = record.U32(kStageValue);
  const bool is_refused = info == nullptr ||
                          !d3d::IsLegalStage(*info, record.U32(kStageNumber), view.level()) ||
                          !view.context.legal_states.IsLegal(*info, value);
  if (is_refused) return;
  const StageSetting setting{view, record, *info, value};
  if (CheckStageLevel(setting) || CheckStageVendorCode(setting) || CheckStageReal(setting) ||
      CheckZero(setting))
    return;
  CheckIgnored(setting);
}

// Which values have no defect, whatever the driver and the runtime: those from `first` to below `end`.
struct QuietValues {
  uint32_t first = 0;
  uint64_t end = kAllValues;
  uint32_t first_level = 6;  // of the driver
};

std::array<QuietValues, d3d::kTextureStageStateCount> MakeQuietValues(
    std::span<const d3d::StateInfo> rows) {
  std::array<QuietValues, d3d::kTextureStageStateCount> quiet{};
  for (const d3d::StateInfo& info : rows) {
    QuietValues& values = quiet[info.code];
    values.first_level = info.first_level;
    if (info.type == d3d::ValueType::kF32) values.end = kExponentBits;
    if (info.state_class == d3d::StateClass::kUserMode || d3d::HasVendorCodes(info)) values.end = 0;
    const d3d::IgnoredState* const ignored = d3d::FindIgnoredState(info);
    if (ignored != nullptr && ignored->drawn_as != d3d::kDrawsAlike)
      values = {ignored->drawn_as, uint64_t{ignored->drawn_as} + 1, info.first_level};
  }
  for (const TextureStageState state :
       {TextureStageState::BumpEnvMat00, TextureStageState::BumpEnvMat01,
        TextureStageState::BumpEnvMat10, TextureStageState::BumpEnvMat11}) {
    quiet[d3d::Value(state)].end = std::bit_cast<uint32_t>(8.0F);
  }
  for (const TextureStageState state : {TextureStageState::MagFilter, TextureStageState::MinFilter,
                                        TextureStageState::MaxAnisotropy}) {
    quiet[d3d::Value(state)].first = 1;
  }
  quiet[d3d::Value(TextureStageState::TextureTransformFlags)].end = d3d::kTextureTransformProjected;
  return quiet;
}

void CheckTextureStageState(const CommandView& view) {
  static const auto kQuiet = MakeQuietValues(d3d::AllTextureStageStates());
  const device::LegalStates& legal = view.context.legal_states;
  const uint32_t level = view.level();
  const uint8_t* at = stream::FixedAt(view.command);
  for (uint32_t i = 0; i < view.command.count; ++i, at += layout::kTextureStageState.size) {
    const uint32_t number = stream::FieldU32(at, kStageState);
    const uint32_t value = stream::FieldU32(at, kStageValue);
    if (legal.IsSurelyLegalStage(number, value)) {
      const QuietValues& quiet = kQuiet[number];
      if (value >= quiet.first && value < quiet.end && quiet.first_level <= level) continue;
    }
    CheckStageSetting(view, stream::RecordAt(view.command, i));
  }
}

constexpr stream::FieldRef kCreated = stream::Field(layout::kCreatePixelShader, "handle");
static_assert(stream::Field(layout::kPixelShader, "handle").offset == kCreated.offset);

void ForgetShaders(const CommandView& view) {
  for (const Record& record : view.Records())
    view.memory.texture_stage.samplers.Forget(record.U32(kCreated));
}

constexpr CommandRule kTextureStageRules[] = {
    {opcode::Op::kTextureStageState, CheckTextureStageState},
    {opcode::Op::kCreatePixelShader, ForgetShaders},
    {opcode::Op::kDeletePixelShader, ForgetShaders},
};

}  // namespace

const Topic kTextureStageTopic = {
    .rules = [] { return std::span<const CommandRule>(kTextureStageRules); },
    .at_draw = CheckTextureStageAtDraw};

}  // namespace dp2trace::validate
