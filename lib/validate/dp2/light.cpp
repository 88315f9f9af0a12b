#include "validate/dp2/light.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "base/flag_text.h"
#include "opcode/layouts.h"
#include "rules/rule.h"
#include "validate/dp2/draw_format.h"
#include "validate/dp2/topics.h"
#include "validate/memory.h"

namespace dp2trace::validate {
namespace {

namespace layout = opcode::layout;
using d3d::LightType;
using stream::FieldF32;
using stream::FieldRef;
using stream::Record;

constexpr FieldRef kCreateIndex = stream::Field(layout::kCreateLight, "index");
constexpr FieldRef kLightIndex = stream::Field(layout::kSetLight, "index");
constexpr FieldRef kDataType = stream::Field(layout::kSetLight, "data_type");
constexpr FieldRef kLightType = stream::Field(layout::kLight7, "type");
constexpr FieldRef kDirection = stream::Field(layout::kLight7, "direction");
constexpr FieldRef kRange = stream::Field(layout::kLight7, "range");
constexpr FieldRef kTheta = stream::Field(layout::kLight7, "theta");
constexpr FieldRef kPhi = stream::Field(layout::kLight7, "phi");
constexpr FieldRef kPower = stream::Field(layout::kSetMaterial, "power");

constexpr uint32_t kLargestModestIndex = 65535;  // DP2-LIGHT-011
// Larger tables are not counted at draws: what a draw costs is bounded.
constexpr size_t kCountedLights = 1024;
constexpr float kPi = 3.14159274F;  // the f32 next to it, which programs take for it

// Bits of light types.
constexpr uint32_t Bit(LightType type) {
  return 1U << d3d::Value(type);
}
constexpr uint32_t kSpots = Bit(LightType::Spot) | Bit(LightType::GlSpot);
constexpr uint32_t kPlaced = kSpots | Bit(LightType::Point) | Bit(LightType::ParallelPoint);
constexpr uint32_t kAttenuated = kSpots | Bit(LightType::Point);
constexpr uint32_t kDirected = kSpots | Bit(LightType::Directional);
constexpr uint32_t kEveryType = kPlaced | Bit(LightType::Directional);

// The members of D3DLIGHT7 that are numbers, and the types that use them.
struct LightField {
  const char* name = nullptr;
  FieldRef field;
  uint32_t types = 0;
};
constexpr LightField kLightFields[] = {
    {"diffuse", stream::Field(layout::kLight7, "diffuse"), kEveryType},
    {"specular", stream::Field(layout::kLight7, "specular"), kEveryType},
    {"ambient", stream::Field(layout::kLight7, "ambient"), kEveryType},
    {"position", stream::Field(layout::kLight7, "position"), kPlaced},
    {"direction", kDirection, kDirected},
    {"range", kRange, kAttenuated},
    {"falloff", stream::Field(layout::kLight7, "falloff"), kSpots},
    {"attenuation0", stream::Field(layout::kLight7, "attenuation0"), kAttenuated},
    {"attenuation1", stream::Field(layout::kLight7, "attenuation1"), kAttenuated},
    {"attenuation2", stream::Field(layout::kLight7, "attenuation2"), kAttenuated},
    {"theta", kTheta, kSpots},
    {"phi", kPhi, kSpots},
};
constexpr FieldRef kAttenuations[] = {stream::Field(layout::kLight7, "attenuation0"),
                                      stream::Field(layout::kLight7, "attenuation1"),
                                      stream::Field(layout::kLight7, "attenuation2")};

struct MaterialField {
  const char* name = nullptr;
  FieldRef field;
};
constexpr MaterialField kMaterialFields[] = {
    {"diffuse", stream::Field(layout::kSetMaterial, "diffuse")},
    {"ambient", stream::Field(layout::kSetMaterial, "ambient")},
    {"specular", stream::Field(layout::kSetMaterial, "specular")},
    {"emissive", stream::Field(layout::kSetMaterial, "emissive")},
    {"power", kPower},
};

bool IsFinite(const uint8_t* at, FieldRef field) {
  for (uint32_t i = 0; i < field.count; ++i) {
    if (!std::isfinite(FieldF32(at, field, i))) return false;
  }
  return true;
}

bool IsZero(const uint8_t* at, FieldRef field) {
  for (uint32_t i = 0; i < field.count; ++i) {
    if (FieldF32(at, field, i) != 0.0F) return false;
  }
  return true;
}

// ---------- lights ----------

// SETLIGHT DATA: the record and the structure after it.
struct LightData {
  const CommandView& view;
  const Record& record;
  const uint8_t* at;
  uint32_t index;
  uint32_t type_bit;

  bool IsOneOf(uint32_t types) const { return (type_bit & types) != 0; }
  float F32(FieldRef field) const { return FieldF32(at, field); }
  void Report(Rule rule, FieldRef field, const std::string& message, std::string actual,
              std::string expected) const {
    view.Report(rule, record, stream::TailWord(record, 0, field),
                fmt::format("light {}: {}", index, message), std::move(actual),
                std::move(expected));
  }
};

// DP2-LIGHT-006. True after a report.
bool CheckFinite(const LightData& light) {
  for (const LightField& row : kLightFields) {
    if (!light.IsOneOf(row.types) || IsFinite(light.at, row.field)) continue;
    light.Report(Rule::kDp2Light006, row.field,
                 fmt::format("{} holds a NaN or an infinity", row.name), row.name,
                 "finite numbers");
    return true;
  }
  return false;
}

// DP2-LIGHT-007.
void CheckAttenuation(const LightData& light) {
  if (!light.IsOneOf(kAttenuated)) return;
  const float range = light.F32(kRange);
  if (range < 0.0F) {
    light.Report(Rule::kDp2Light007, kRange, fmt::format("the range is {}", range),
                 fmt::format("{}", range), "0 or more");
  }
  const bool has_none =
      std::ranges::all_of(kAttenuations, [&](FieldRef field) { return light.F32(field) == 0.0F; });
  if (has_none) {
    light.Report(Rule::kDp2Light007, kAttenuations[0],
                 "all attenuation factors are 0: the light is infinitely bright", "0, 0, 0",
                 "a factor above 0");
  }
}

// DP2-LIGHT-008.
void CheckCone(const LightData& light) {
  if (!light.IsOneOf(kSpots)) return;
  const float theta = light.F32(kTheta);
  const float phi = light.F32(kPhi);
  if (theta >= 0.0F && theta <= phi && phi <= kPi) return;
  light.Report(Rule::kDp2Light008, theta >= 0.0F && theta <= phi ? kPhi : kTheta,
               fmt::format("theta is {} and phi is {}", theta, phi),
               fmt::format("{}, {}", theta, phi), "0 <= theta <= phi <= pi");
}

// DP2-LIGHT-009.
void CheckDirection(const LightData& light) {
  if (light.IsOneOf(kDirected) && IsZero(light.at, kDirection)) {
    light.Report(Rule::kDp2Light009, kDirection, "the direction is 0, 0, 0", "0, 0, 0",
                 "a direction");
  }
}

// Types that do not exist are refused: DP2-LIGHT-004.
void CheckLightData(const CommandView& view, const Record& record) {
  const uint8_t* const at = record.Tail(0).at(0);
  const uint32_t type = stream::FieldU32(at, kLightType);
  if (type < d3d::Value(LightType::Point) || type > d3d::Value(LightType::GlSpot)) return;
  const LightData light{view, record, at, record.U32(kLightIndex), 1U << type};
  if (type > d3d::Value(LightType::Directional)) {  // DP2-LIGHT-005
    light.Report(Rule::kDp2Light005, kLightType,
                 fmt::format("the type is {}", NameOf(d3d::kLightTypeNames, type)),
                 ValueText(d3d::kLightTypeNames, type),
                 ValueRangesText(d3d::kLightTypeNames, [](uint32_t row) {
                   return row <= d3d::Value(LightType::Directional);
                 }));
  }
  if (CheckFinite(light)) return;
  CheckAttenuation(light);
  CheckCone(light);
  CheckDirection(light);
}

// DP2-LIGHT-012. Records of one token see each other.
class Switches {
 public:
  explicit Switches(const CommandView& view) : view_(&view) {}

  void Check(const Record& record) {
    const uint32_t index = record.U32(kLightIndex);
    const bool enables = record.U32(kDataType) == d3d::Value(d3d::SetLightData::Enable);
    const std::optional<bool> before = Find(index);
    if (view_->command.count > 1) seen_[index] = enables;
    if (before != enables) return;
    view_->Report(Rule::kDp2Light012, record, stream::Field(layout::kSetLight, "data_type"),
                  fmt::format("light {} is {} already", index, enables ? "enabled" : "disabled"),
                  enables ? "ENABLE" : "DISABLE", enables ? "DISABLE" : "ENABLE");
  }

 private:
  // Nothing for a light that was never created.
  std::optional<bool> Find(uint32_t index) const {
    if (const auto seen = seen_.find(index); seen != seen_.end()) return seen->second;
    const auto light = view_->context.state.lights.find(index);
    return light != view_->context.state.lights.end() ? std::optional(light->second.is_enabled)
                                                      : std::nullopt;
  }

  const CommandView* view_;
  std::map<uint32_t, bool> seen_;
};

void CheckSetLight(const CommandView& view) {
  view.memory.light.is_counted = false;
  Switches switches(view);
  for (const Record& record : view.Records()) {
    const uint32_t data_type = record.U32(kDataType);
    if (data_type == d3d::Value(d3d::SetLightData::Data)) {
      CheckLightData(view, record);
    } else if (data_type < d3d::Value(d3d::SetLightData::Data) && !view.is_recording()) {
      switches.Check(record);
    }
  }
}

// DP2-LIGHT-002, DP2-LIGHT-011.
void CheckCreateLight(const CommandView& view) {
  view.memory.light.is_counted = false;
  std::set<uint32_t> created;  // by this token
  for (const Record& record : view.Records()) {
    const uint32_t index = record.U32(kCreateIndex);
    const bool is_again = view.command.count > 1 && !created.insert(index).second;
    if (is_again || view.context.state.lights.contains(index)) {
      view.Report(Rule::kDp2Light002, record, kCreateIndex,
                  fmt::format("light {} exists: its data are reset", index),
                  fmt::format("{}", index), "an index that no light has");
    } else if (index > kLargestModestIndex) {
      view.Report(
          Rule::kDp2Light011, record, kCreateIndex,
          fmt::format("the light has the index {}: a table up to it takes much memory", index),
          fmt::format("{}", index),
          fmt::format("at most {}, a fixed limit of this rule", kLargestModestIndex));
    }
  }
}

// ---------- material ----------

// DP2-LIGHT-006, DP2-LIGHT-013.
void CheckMaterial(const CommandView& view) {
  for (const Record& record : view.Records()) {
    const auto* const bad = std::ranges::find_if(kMaterialFields, [&](const MaterialField& row) {
      return !IsFinite(record.at(), row.field);
    });
    if (bad != std::end(kMaterialFields)) {
      view.Report(Rule::kDp2Light006, record, bad->field,
                  fmt::format("{} holds a NaN or an infinity", bad->name), bad->name,
                  "finite numbers");
    } else if (const float power = record.F32(kPower); power < 0.0F) {
      view.Report(Rule::kDp2Light013, record, kPower, fmt::format("the power is {}", power),
                  fmt::format("{}", power), "0 or more");
    }
  }
}

uint32_t CountEnabled(const CommandView& view) {
  LightMemory& memory = view.memory.light;
  if (!memory.is_counted) {
    memory.enabled = static_cast<uint32_t>(std::ranges::count_if(
        view.context.state.lights, [](const auto& light) { return light.second.is_enabled; }));
    memory.is_counted = true;
  }
  return memory.enabled;
}

constexpr CommandRule kLightRules[] = {
    {opcode::Op::kSetLight, CheckSetLight},
    {opcode::Op::kCreateLight, CheckCreateLight},
    {opcode::Op::kSetMaterial, CheckMaterial},
};

// DP2-LIGHT-010. Lights without lighting do nothing.
void CheckLightAtDraw(const CommandView& view) {
  const std::optional<uint32_t> limit = view.caps.Find(d3d::Cap::MaxActiveLights);
  const device::State& state = view.context.state;
  if (!limit || !DrawsGeometry(view) || state.lights.size() > kCountedLights) return;
  if (state.value(d3d::RenderState::Lighting) == 0) return;
  const uint32_t enabled = CountEnabled(view);
  if (enabled <= *limit || !FormatOf(view).is_fixed_function()) return;
  view.ReportAtDraw(Rule::kDp2Light010, 0,
                    fmt::format("{} lights are enabled, the device uses {}", enabled, *limit),
                    fmt::format("{}", enabled), fmt::format("at most {}", *limit));
}

}  // namespace

const Topic kLightTopic = {.rules = [] { return std::span<const CommandRule>(kLightRules); },
                           .at_draw = CheckLightAtDraw};

}  // namespace dp2trace::validate
