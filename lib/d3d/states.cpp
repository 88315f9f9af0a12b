#include "d3d/states.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

namespace dp2trace::d3d {
namespace {

// The vocabulary of the tables' columns.
constexpr double kMaxU32 = 4294967295.0;
constexpr double kLowest = std::numeric_limits<float>::lowest();
constexpr double kHighest = std::numeric_limits<float>::max();
constexpr double kBelow8 = 8.0 - 0x1p-21;  // the largest f32 below 8
constexpr uint32_t F32(float value) {
  return std::bit_cast<uint32_t>(value);
}
constexpr StateDefault PerLevel(uint32_t level6, uint32_t later) {
  return {level6, later};
}
constexpr StateDefault PerStage(uint32_t stage0, uint32_t others) {
  return {stage0, others};
}
template <class... Numbers>
constexpr uint32_t Values(Numbers... values) {
  return ((uint32_t{1} << values) | ...);
}

constexpr std::string_view CurrentName(std::string_view dx7, std::string_view dx9) {
  return dx9.empty() ? dx7 : dx9;
}

constexpr StateInfo kRenderStates[] = {
#define DP2TRACE_RENDER_STATE(Enumerator, code, dx7, dx9, first, last, type, names, min, max, \
                              excluded, default_value, action, remark)                        \
  {code,                                                                                      \
   CurrentName(dx7, dx9),                                                                     \
   dx7,                                                                                       \
   dx9,                                                                                       \
   first,                                                                                     \
   last,                                                                                      \
   StateClass::kRender,                                                                       \
   ValueType::type,                                                                           \
   names,                                                                                     \
   nullptr,                                                                                   \
   min,                                                                                       \
   max,                                                                                       \
   excluded,                                                                                  \
   default_value,                                                                             \
   action,                                                                                    \
   remark},
#include "d3d/render_states.def"
#undef DP2TRACE_RENDER_STATE
};

constexpr StateInfo kTextureStageStates[] = {
#define DP2TRACE_TEXTURE_STAGE_STATE(Enumerator, code, name, first, last, state_class, type,   \
                                     names, legacy, min, max, excluded, default_value, remark) \
  {code,                                                                                       \
   name,                                                                                       \
   (first) < 8 ? (name) : "",                                                                  \
   (last) >= 8 ? (name) : "",                                                                  \
   first,                                                                                      \
   last,                                                                                       \
   StateClass::state_class,                                                                    \
   ValueType::type,                                                                            \
   names,                                                                                      \
   legacy,                                                                                     \
   min,                                                                                        \
   max,                                                                                        \
   excluded,                                                                                   \
   default_value,                                                                              \
   false,                                                                                      \
   remark},
#include "d3d/texture_stage_states.def"
#undef DP2TRACE_TEXTURE_STAGE_STATE
};

// Numbers ascend strictly, names differ, and a value type has the columns that it needs.
constexpr bool IsWellFormed(std::span<const StateInfo> rows, uint32_t count) {
  for (size_t i = 0; i < rows.size(); ++i) {
    const StateInfo& row = rows[i];
    if (row.code >= count || row.name.empty() || row.first_level > row.last_level ||
        row.min > row.max)
      return false;
    const bool needs_names = row.type == ValueType::kEnum || row.type == ValueType::kFlags;
    if (needs_names && row.names == nullptr) return false;
    if (!needs_names && row.type != ValueType::kU16Pair && row.names != nullptr) return false;
    for (size_t j = i + 1; j < rows.size(); ++j) {
      if (row.code >= rows[j].code || row.name == rows[j].name) return false;
    }
  }
  return true;
}
static_assert(IsWellFormed(kRenderStates, kRenderStateCount));
static_assert(IsWellFormed(kTextureStageStates, kTextureStageStateCount));
static_assert(std::size(kTextureStageStates) == kTextureStageStateCount);

// Position of each number's row in kRenderStates, or kNoRow.
constexpr uint8_t kNoRow = 0xFF;
static_assert(std::size(kRenderStates) < kNoRow);
constexpr std::array<uint8_t, kRenderStateCount> kRenderStateRows = [] {
  std::array<uint8_t, kRenderStateCount> rows{};
  rows.fill(kNoRow);
  for (size_t i = 0; i < std::size(kRenderStates); ++i)
    rows[kRenderStates[i].code] = static_cast<uint8_t>(i);
  return rows;
}();

const StateInfo* FindByName(std::span<const StateInfo> rows, std::string_view name) {
  if (name.empty()) return nullptr;
  const auto row = std::ranges::find_if(rows, [name](const StateInfo& info) {
    return info.name == name || info.dx7_name == name || info.dx9_name == name;
  });
  return row == rows.end() ? nullptr : &*row;
}

bool IsInRange(const StateInfo& info, double value) {
  return value >= info.min && value <= info.max;
}

// The level whose rows of an enumeration count: filters belong to the runtime's generation, everything else to the driver's.
uint32_t NamesLevel(const StateInfo& info, uint32_t level, uint32_t runtime_version) {
  if (info.legacy_names == nullptr) return level;
  // Version 4 is 8.0, version 5 is 9.0.
  return runtime_version < kFirstModernRuntime ? 7 : runtime_version + 4;
}

}  // namespace

std::string_view Name(ValueType type) {
  switch (type) {
    case ValueType::kU32:
      return "u32";
    case ValueType::kHex:
      return "hex";
    case ValueType::kBool:
      return "bool";
    case ValueType::kF32:
      return "f32";
    case ValueType::kColor:
      return "color";
    case ValueType::kEnum:
      return "enum";
    case ValueType::kFlags:
      return "flags";
    case ValueType::kU16Pair:
      return "u16 pair";
    case ValueType::kHandle:
      return "handle";
  }
  return "u32";
}

std::string_view Name(StateClass state_class) {
  switch (state_class) {
    case StateClass::kRender:
      return "render";
    case StateClass::kCombiner:
      return "combiner";
    case StateClass::kSampler:
      return "sampler";
    case StateClass::kUserMode:
      return "user mode";
  }
  return "render";
}

const StateInfo* FindRenderState(uint32_t state) {
  if (state >= kRenderStateCount || kRenderStateRows[state] == kNoRow) return nullptr;
  return &kRenderStates[kRenderStateRows[state]];
}

const StateInfo* FindTextureStageState(uint32_t state) {
  return state < kTextureStageStateCount ? &kTextureStageStates[state] : nullptr;
}

const StateInfo* FindRenderStateByName(std::string_view name) {
  return FindByName(kRenderStates, name);
}
const StateInfo* FindTextureStageStateByName(std::string_view name) {
  return FindByName(kTextureStageStates, name);
}
std::span<const StateInfo> AllRenderStates() {
  return kRenderStates;
}
std::span<const StateInfo> AllTextureStageStates() {
  return kTextureStageStates;
}

const EnumInfo* ValueNames(const StateInfo& info, uint32_t runtime_version) {
  const bool is_legacy = info.legacy_names != nullptr && runtime_version < kFirstModernRuntime;
  return is_legacy ? info.legacy_names : info.names;
}

uint32_t DefaultRenderState(uint32_t state, uint32_t level, bool has_depth) {
  const StateInfo* info = FindRenderState(state);
  if (info == nullptr || (state == Value(RenderState::ZEnable) && !has_depth)) return 0;
  return level <= 6 ? info->default_value.first : info->default_value.other;
}

uint32_t DefaultTextureStageState(uint32_t state, uint32_t stage, uint32_t runtime_version) {
  const StateInfo* info = FindTextureStageState(state);
  if (info == nullptr) return 0;
  if (state == Value(TextureStageState::TexcoordIndex)) return stage;
  if (state == Value(TextureStageState::MipFilter) && runtime_version < kFirstModernRuntime) {
    return Value(LegacyMipFilter::None);
  }
  return stage == 0 ? info->default_value.first : info->default_value.other;
}

bool IsExcluded(const StateInfo& info, uint32_t value) {
  return value < 32 && ((info.excluded >> value) & 1) != 0;
}

bool IsLegalValue(const StateInfo& info, uint32_t value, uint32_t level, bool d3d9ex,
                  uint32_t runtime_version) {
  switch (info.type) {
    case ValueType::kBool:
      return true;
    case ValueType::kU32:
    case ValueType::kHex:
    case ValueType::kColor:
    case ValueType::kHandle:
      return IsInRange(info, value);
    case ValueType::kF32:
      return IsInRange(info, std::bit_cast<float>(value));  // NaN and infinity are in no range
    case ValueType::kU16Pair:
      return IsInRange(info, value & 0xFFFF) &&
             (info.names == nullptr || IsDefined(*info.names, value >> 16, level, d3d9ex));
    case ValueType::kFlags:
      return IsInRange(info, value) && IsDefined(*info.names, value, level, d3d9ex);
    case ValueType::kEnum:
      break;
  }
  const EnumInfo* names = ValueNames(info, runtime_version);
  if (!IsDefined(*names, value, NamesLevel(info, level, runtime_version), d3d9ex)) return false;
  if (names == info.legacy_names) return true;
  return IsInRange(info, value) && !IsExcluded(info, value);
}

bool IsLegalStage(const StateInfo& info, uint32_t stage, uint32_t level) {
  if (stage < kCombinerStageCount) return true;
  if (info.state_class != StateClass::kSampler || level < 9) return false;
  return stage < kPixelSamplerCount ||
         (stage >= kDisplacementMapSampler && stage <= kLastVertexSampler);
}

}  // namespace dp2trace::d3d
