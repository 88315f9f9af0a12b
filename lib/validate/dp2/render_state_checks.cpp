#include "validate/dp2/render_state_checks.h"

#include <bit>

#include "d3d/ignored_states.h"
#include "d3d/vendor_codes.h"
#include "rules/rule.h"
#include "validate/command_view.h"

namespace dp2trace::validate {
namespace {

using d3d::RenderState;
using d3d::ValueType;

constexpr uint64_t kAll = uint64_t{1} << 32;
constexpr uint64_t kUnitEnd = std::bit_cast<uint32_t>(1.0F) + uint64_t{1};  // 0 to 1

constexpr uint32_t kLowestLevel = 6, kLevels = 4, kRuntimes = 6;
constexpr uint32_t kWrapSets = 16;

// States that are looked at for more than their type. The WRAP states are added below.
struct CheckRow {
  RenderState state = {};
  ValueCheck check = {};
  Rule rule = Rule::kDp2Rs001;
  uint32_t bound = 0;
};
constexpr CheckRow kCheckRows[] = {
    {RenderState::ShadeMode, ValueCheck::kAtMost, Rule::kDp2Rs009,
     d3d::Value(d3d::ShadeMode::Gouraud)},
    {RenderState::AlphaRef, ValueCheck::kAtMost, Rule::kDp2Rs011, 255},
    {RenderState::ZBias, ValueCheck::kAtMost, Rule::kDp2Rs020, 16},
    {RenderState::TextureMag, ValueCheck::kAtMost, Rule::kDp2Rs032,
     d3d::Value(d3d::LegacyFilter::Linear)},
    {RenderState::TextureMapBlend, ValueCheck::kMaskBlend},
    {RenderState::FogDensity, ValueCheck::kFogDensity},
    {RenderState::PointSize, ValueCheck::kSize},
    {RenderState::PointSizeMin, ValueCheck::kSize},
    {RenderState::PointSizeMax, ValueCheck::kSize},
    {RenderState::PointScaleA, ValueCheck::kSize},
    {RenderState::PointScaleB, ValueCheck::kSize},
    {RenderState::PointScaleC, ValueCheck::kSize},
    {RenderState::ClipPlaneEnable, ValueCheck::kClipPlanes},
    {RenderState::SceneCapture, ValueCheck::kScene},
    {RenderState::EvictManagedTextures, ValueCheck::kEviction},
    {RenderState::MaxVertexShaderInst, ValueCheck::kPowerOfTwo},
    {RenderState::MaxPixelShaderInst, ValueCheck::kPowerOfTwo},
    {RenderState::ColorWriteEnable, ValueCheck::kBits, Rule::kDp2Rs019, 0xF},
    {RenderState::ColorWriteEnable1, ValueCheck::kBits, Rule::kDp2Rs019, 0xF},
    {RenderState::ColorWriteEnable2, ValueCheck::kBits, Rule::kDp2Rs019, 0xF},
    {RenderState::ColorWriteEnable3, ValueCheck::kBits, Rule::kDp2Rs019, 0xF},
};

uint64_t QuietEnd(const RenderStateCheck& check, ValueType type) {
  switch (check.check) {
    case ValueCheck::kNone:
      return type == ValueType::kBool ? 2 : kAll;
    case ValueCheck::kReal:
    case ValueCheck::kSize:
      return kExponentBits;
    case ValueCheck::kFogDensity:
      return kUnitEnd;
    case ValueCheck::kAtMost:
    case ValueCheck::kBits:
      return uint64_t{check.bound} + 1;
    case ValueCheck::kMaskBlend:
      return d3d::Value(d3d::TextureBlend::DecalMask);
    case ValueCheck::kClipPlanes:
      return 1;
    case ValueCheck::kPowerOfTwo:
    case ValueCheck::kScene:
    case ValueCheck::kEviction:
      return 0;
  }
  return 0;
}

void AddRows(RenderStateChecks& checks, uint32_t level) {
  for (const CheckRow& row : kCheckRows) {
    RenderStateCheck& check = checks[d3d::Value(row.state)];
    check.check = row.check;
    check.rule = row.rule;
    check.bound = row.bound;
  }
  for (uint32_t set = 0; set < kWrapSets; ++set) {
    RenderStateCheck& check = checks[d3d::WrapState(set)];
    check.check = ValueCheck::kBits;
    check.rule = Rule::kDp2Rs016;
    check.bound = level < 7 ? 0x3 : 0xF;
  }
}

RenderStateChecks MakeChecks(uint32_t level, uint32_t runtime_version) {
  RenderStateChecks checks;
  for (const d3d::StateInfo& info : d3d::AllRenderStates()) {
    if (info.type == ValueType::kF32) checks[info.code].check = ValueCheck::kReal;
  }
  AddRows(checks, level);
  for (const d3d::StateInfo& info : d3d::AllRenderStates()) {
    RenderStateCheck& check = checks[info.code];
    check.is_above_level = info.first_level > level;
    check.is_legacy = info.last_level < GenerationOf(runtime_version);
    // WRAPU and WRAPV change WRAP0.
    const bool is_remarkable =
        check.is_above_level || check.is_legacy || info.has_side_effect ||
        d3d::FindIgnoredState(info) != nullptr || d3d::HasVendorCodes(info) ||
        info.code == d3d::Value(RenderState::WrapU) || info.code == d3d::Value(RenderState::WrapV);
    check.quiet_end = is_remarkable ? 0 : QuietEnd(check, info.type);
  }
  return checks;
}

}  // namespace

const RenderStateChecks& ChecksFor(uint32_t level, uint32_t runtime_version) {
  static const auto kTables = [] {
    std::array<std::array<RenderStateChecks, kRuntimes>, kLevels> tables;
    for (uint32_t i = 0; i < kLevels; ++i) {
      for (uint32_t runtime = 0; runtime < kRuntimes; ++runtime)
        tables[i][runtime] = MakeChecks(kLowestLevel + i, runtime);
    }
    return tables;
  }();
  const uint32_t row = level < kLowestLevel ? 0 : level - kLowestLevel;
  return kTables[row < kLevels ? row : kLevels - 1]
                [runtime_version < kRuntimes ? runtime_version : kRuntimes - 1];
}

}  // namespace dp2trace::validate
