#include "validate/dp2/render_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/flag_text.h"
#include "base/plain_text.h"
#include "d3d/ignored_states.h"
#include "d3d/interface.h"
#include "d3d/legacy_states.h"
#include "d3d/vendor_codes.h"
#include "opcode/layouts.h"
#include "rules/rule.h"
#include "validate/dp2/topics.h"
#include "validate/memory.h"

namespace dp2trace::validate {
namespace {

namespace layout = opcode::layout;
using d3d::RenderState;
using stream::Record;
using Scene = RenderStateMemory::Scene;

constexpr stream::FieldRef kNumber = stream::Field(layout::kRenderState, "render_state");
constexpr stream::FieldRef kValue = stream::Field(layout::kRenderState, "state");

constexpr uint32_t kOverrides = 256;  // numbers of overrides, from the bias on

// One record whose value needs more than a look into the table.
struct Setting {
  const CommandView& view;
  const Record& record;
  const d3d::StateInfo& info;
  const RenderStateCheck& check;
  uint32_t value;

  float real() const { return std::bit_cast<float>(value); }
  // Reports and says so.
  bool Found(Rule rule, const std::string& message, std::string actual,
             std::string expected = {}) const {
    const bool is_about_state = rule == Rule::kDp2Rs002 || rule == Rule::kDp2Rs003;
    view.Report(rule, record, is_about_state ? kNumber : kValue, message, std::move(actual),
                std::move(expected));
    return true;
  }
};

// DP2-RS-023, DP2-RS-014, DP2-RS-013. The functions that follow are true after a report.
bool CheckReal(const Setting& setting) {
  const float real = setting.real();
  const std::string text = RealText(real);
  if (!std::isfinite(real)) {
    return setting.Found(
        Rule::kDp2Rs013,
        fmt::format("{} is {}, which is not a finite number", setting.info.name, text), text,
        "a finite number");
  }
  if (setting.check.check == ValueCheck::kSize && real < 0.0F) {
    return setting.Found(Rule::kDp2Rs023,
                         fmt::format("{} is {}, which is negative", setting.info.name, text), text,
                         "0 or more");
  }
  if (setting.check.check == ValueCheck::kFogDensity && (real < 0.0F || real > 1.0F))
    return setting.Found(Rule::kDp2Rs014, fmt::format("FOGDENSITY is {}", text), text, "0 to 1");
  return false;
}

// DP2-RS-009, 011, 020, 032.
bool CheckLargest(const Setting& setting) {
  if (setting.value <= setting.check.bound) return false;
  if (setting.info.names != nullptr) {
    const std::string_view name = NameOf(*setting.info.names, setting.value);
    const std::string_view last = NameOf(*setting.info.names, setting.check.bound);
    return setting.Found(setting.check.rule,
                         fmt::format("{} is {}, which is not supported", setting.info.name, name),
                         std::string(name), fmt::format("up to {}", last));
  }
  return setting.Found(setting.check.rule,
                       fmt::format("{} is {}, values above {} have no meaning of their own",
                                   setting.info.name, setting.value, setting.check.bound),
                       fmt::format("{}", setting.value),
                       fmt::format("at most {}", setting.check.bound));
}

// DP2-RS-016, 019.
bool CheckBits(const Setting& setting) {
  const uint32_t others = setting.value & ~setting.check.bound;
  if (others == 0) return false;
  return setting.Found(
      setting.check.rule,
      fmt::format("{} is {}, its bits {:#x} mean nothing", setting.info.name,
                  FlagsText(*setting.info.names, setting.value), others),
      FlagsText(*setting.info.names, setting.value),
      fmt::format("bits of {}", FlagsText(*setting.info.names, setting.check.bound)));
}

// DP2-RS-031.
bool CheckMaskBlend(const Setting& setting) {
  if (setting.value != d3d::Value(d3d::TextureBlend::DecalMask) &&
      setting.value != d3d::Value(d3d::TextureBlend::ModulateMask))
    return false;
  const std::string_view name = NameOf(d3d::kTextureBlendNames, setting.value);
  return setting.Found(Rule::kDp2Rs031,
                       fmt::format("TEXTUREMAPBLEND is {}, which devices do not support", name),
                       std::string(name), "another operation");
}

// DP2-RS-035.
bool CheckInstructionCount(const Setting& setting) {
  if (std::has_single_bit(setting.value) || setting.value == UINT32_MAX) return false;
  return setting.Found(
      Rule::kDp2Rs035,
      fmt::format("{} is {}, which is not a power of two", setting.info.name, setting.value),
      fmt::format("{}", setting.value), "a power of two or 0xffffffff");
}

// DP2-RS-017.
bool CheckClipPlanes(const Setting& setting) {
  const std::optional<uint32_t> planes = setting.view.caps.Find(d3d::Cap::MaxUserClipPlanes);
  if (!planes || *planes >= device::kClipPlaneCount || setting.value >> *planes == 0) return false;
  return setting.Found(Rule::kDp2Rs017,
                       fmt::format("CLIPPLANEENABLE is {:#x}, the device has {} clip planes",
                                   setting.value, *planes),
                       fmt::format("{:#x}", setting.value),
                       fmt::format("below {:#x}", uint64_t{1} << *planes));
}

// DP2-RS-027. The bracket opens and closes whatever was found.
bool CheckScene(const Setting& setting) {
  Scene& scene = setting.view.memory.render_state.scene;
  const bool begins = setting.value != 0;
  const bool is_open = scene == Scene::kOpen;
  scene = begins ? Scene::kOpen : Scene::kClosed;
  // What could not be read may have begun or ended one.
  if (begins != is_open || setting.view.context.has_loss) return false;
  return setting.Found(Rule::kDp2Rs027,
                       begins ? "SCENECAPTURE is TRUE in a scene that has begun"
                              : "SCENECAPTURE is FALSE without a scene that has begun",
                       begins ? "TRUE" : "FALSE", begins ? "FALSE" : "TRUE");
}

// Surfaces without recorded caps may be anything. Tokens create no surfaces: one look per event.
bool MayManageTextures(const CommandView& view) {
  RenderStateMemory& memory = view.memory.render_state;
  if (memory.managed_event == view.findings.event()) return memory.may_be_managed;
  memory.managed_event = view.findings.event();
  memory.may_be_managed = std::ranges::any_of(view.context.space->roots(), [](const auto& root) {
    const device::Resource& resource = *root.second;
    return resource.lacks_caps() || (resource.is_texture() && resource.is_driver_managed());
  });
  return memory.may_be_managed;
}

// DP2-RS-029.
bool CheckEviction(const Setting& setting) {
  if (setting.value == 0 || !setting.view.Wants(Rule::kDp2Rs029) || MayManageTextures(setting.view))
    return false;
  return setting.Found(Rule::kDp2Rs029,
                       "EVICTMANAGEDTEXTURES finds no texture that the driver manages",
                       "0 managed textures", "a texture with TEXTUREMANAGE");
}

bool CheckValue(const Setting& setting) {
  switch (setting.check.check) {
    case ValueCheck::kNone:
      return false;
    case ValueCheck::kReal:
    case ValueCheck::kSize:
    case ValueCheck::kFogDensity:
      return CheckReal(setting);
    case ValueCheck::kAtMost:
      return CheckLargest(setting);
    case ValueCheck::kBits:
      return CheckBits(setting);
    case ValueCheck::kMaskBlend:
      return CheckMaskBlend(setting);
    case ValueCheck::kPowerOfTwo:
      return CheckInstructionCount(setting);
    case ValueCheck::kClipPlanes:
      return CheckClipPlanes(setting);
    case ValueCheck::kScene:
      return CheckScene(setting);
    case ValueCheck::kEviction:
      return CheckEviction(setting);
  }
  return false;
}

// DP2-RS-002.
bool CheckLevel(const Setting& setting) {
  if (!setting.check.is_above_level) return false;
  return setting.Found(
      Rule::kDp2Rs002,
      fmt::format("{} belongs to level {}, the driver has level {}", setting.info.name,
                  setting.info.first_level, setting.view.level()),
      fmt::format("{}", setting.view.level()),
      fmt::format("{} or higher", setting.info.first_level));
}

// DP2-RS-003.
bool CheckLegacy(const Setting& setting) {
  if (!setting.check.is_legacy) return false;
  return setting.Found(
      Rule::kDp2Rs003,
      fmt::format("{} ended with level {}, the runtime is of level {}", setting.info.name,
                  setting.info.last_level, GenerationOf(setting.view.runtime_version())),
      std::string(setting.info.name),
      fmt::format("a state of level {}", GenerationOf(setting.view.runtime_version())));
}

// DP2-RS-005.
bool CheckBoolean(const Setting& setting) {
  if (setting.info.type != d3d::ValueType::kBool || setting.value <= 1) return false;
  return setting.Found(
      Rule::kDp2Rs005,
      fmt::format("{} is {}, which counts as TRUE", setting.info.name, NumberText(setting.value)),
      NumberText(setting.value), "0 or 1");
}

// The value in the words of its state; `names` null: it has none.
std::string Words(const d3d::StateInfo& info, const EnumInfo* names, uint32_t value) {
  if (info.type == d3d::ValueType::kF32) return RealText(std::bit_cast<float>(value));
  if (info.type == d3d::ValueType::kBool && value <= 1) return value != 0 ? "TRUE" : "FALSE";
  if (info.type == d3d::ValueType::kEnum && names != nullptr) return ValueText(*names, value);
  if (info.type == d3d::ValueType::kFlags && names != nullptr) return FlagsText(*names, value);
  return fmt::format("{:#x}", value);
}

// REPLAY-STATE-001: once for each state of a context.
void CheckIgnored(const Setting& setting, RenderStateMemory& memory) {
  const d3d::IgnoredState* const row = d3d::FindIgnoredValue(setting.info, setting.value);
  if (row == nullptr || memory.reported_ignored[setting.info.code]) return;
  memory.reported_ignored.set(setting.info.code);
  const EnumInfo* const names = d3d::ValueNames(setting.info, setting.view.runtime_version());
  const std::string is = Words(setting.info, names, setting.value);
  if (row->drawn_as == d3d::kDrawsAlike) {
    setting.Found(
        Rule::kReplayState001,
        fmt::format("{} is set, and no picture depends on it: {}", setting.info.name, row->why), is,
        "the state left out");
    return;
  }
  setting.Found(Rule::kReplayState001,
                fmt::format("{} is {}, which is not modelled: {}", setting.info.name, is, row->why),
                is, Words(setting.info, names, row->drawn_as));
}

// DP2-RS-040.
bool CheckVendorCode(const Setting& setting) {
  const d3d::VendorCode* const code = d3d::FindVendorCode(setting.info, setting.value);
  if (code == nullptr || setting.view.level() < d3d::kLastDriverLevel) return false;
  return setting.Found(Rule::kDp2Rs040,
                       fmt::format("{} is {}, the code of a vendor's extension: {}",
                                   setting.info.name, code->name, code->Words()),
                       std::string(code->name), "a number");
}

// True where the state was set to the same value since the last draw. Notes the value.
bool IsRepeat(RenderStateMemory& memory, uint32_t number, uint32_t value) {
  const bool is_repeat = memory.set_before[number] == memory.draw && memory.values[number] == value;
  memory.set_before[number] = memory.draw;
  memory.values[number] = value;
  return is_repeat;
}

void ReportRepeat(const CommandView& view, const Record& record, uint32_t value) {
  if (!view.Wants(Rule::kDp2Rs039)) return;
  const d3d::StateInfo& info = *d3d::FindRenderState(record.U32(kNumber));
  const std::string is = Words(info, d3d::ValueNames(info, view.runtime_version()), value);
  view.Report(Rule::kDp2Rs039, record, kValue,
              fmt::format("{} is set to {}, which it is since the last draw", info.name, is), is,
              "another value, or a draw before");
}

// DP2-RS-026. Others are refused: DP2-RS-001, DP2-RS-025.
void CheckOverride(const CommandView& view, const Record& record) {
  const uint32_t state = record.U32(kNumber) - d3d::kRenderStateOverrideBias;
  if (state == 0 || state >= kOverrides || view.runtime_version() >= d3d::kFirstModernRuntime)
    return;
  const d3d::StateInfo* const info = d3d::FindRenderState(state);
  view.Report(
      Rule::kDp2Rs026, record, kNumber,
      fmt::format("override of state {} ({})", state, info != nullptr ? info->name : "not defined"),
      fmt::format("{}, the override of {}", record.U32(kNumber),
                  info != nullptr ? info->name : "a state that is not defined"),
      "a render state");
}

// True where the device refuses the record.
bool IsRefused(const CommandView& view, const d3d::StateInfo& info, uint32_t value) {
  const bool is_texture = info.code == d3d::Value(RenderState::TextureHandle);
  if (is_texture && value != 0 && view.level() >= 7 && !view.context.space->Find(value))
    return true;
  return !view.context.legal_states.IsLegal(info, value);
}

void CheckSetting(const CommandView& view, const Record& record) {
  const uint32_t number = record.U32(kNumber);
  const uint32_t value = record.U32(kValue);
  if (number >= d3d::kRenderStateOverrideBias) return CheckOverride(view, record);
  const d3d::StateInfo* const info = d3d::FindRenderState(number);
  if (info == nullptr || IsRefused(view, *info, value)) return;
  RenderStateMemory& memory = view.memory.render_state;
  if (d3d::LegacyWrapBit(number) != 0) memory.set_before[d3d::Value(RenderState::Wrap0)] = 0;
  const Setting setting{view, record, *info,
                        ChecksFor(view.level(), view.runtime_version())[number], value};
  const bool is_repeat =
      !info->has_side_effect && !view.is_recording() && IsRepeat(memory, number, value);
  if (CheckLevel(setting) || CheckVendorCode(setting) || CheckValue(setting) ||
      CheckLegacy(setting) || CheckBoolean(setting))
    return;
  CheckIgnored(setting, memory);
  if (is_repeat) ReportRepeat(view, record, value);
}

void CheckRenderState(const CommandView& view) {
  RenderStateMemory& memory = view.memory.render_state;
  const RenderStateChecks& checks = ChecksFor(view.level(), view.runtime_version());
  const bool is_recording = view.is_recording();
  const uint8_t* at = stream::FixedAt(view.command);
  for (uint32_t i = 0; i < view.command.count; ++i, at += layout::kRenderState.size) {
    const uint32_t number = stream::FieldU32(at, kNumber);
    const uint32_t value = stream::FieldU32(at, kValue);
    const bool is_quiet = view.context.legal_states.IsSurelyLegalRender(number, value) &&
                          value < checks[number].quiet_end;
    if (!is_quiet) {
      CheckSetting(view, stream::RecordAt(view.command, i));
    } else if (!is_recording && IsRepeat(memory, number, value)) {
      ReportRepeat(view, stream::RecordAt(view.command, i), value);
    }
  }
}

constexpr CommandRule kRenderStateRules[] = {{opcode::Op::kRenderState, CheckRenderState}};

}  // namespace

const Topic kRenderStateTopic = {
    .rules = [] { return std::span<const CommandRule>(kRenderStateRules); },
    .at_draw = CheckRenderStateAtDraw};

}  // namespace dp2trace::validate
