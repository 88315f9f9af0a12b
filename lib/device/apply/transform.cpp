// Transforms, viewport, ranges, clip planes, scissor, material and lights. Source: lib/opcode/dp2.md 9, 10 and 20.1.
#include <fmt/format.h>

#include <bit>
#include <utility>

#include "base/flag_text.h"
#include "device/apply/apply.h"
#include "device/token.h"
#include "rules/rule.h"

namespace dp2trace::device {
namespace {

namespace layout = opcode::layout;
using stream::Record;

constexpr uint32_t kMatrixWords = 16;
constexpr stream::FieldRef kTransformType = stream::Field(layout::kSetTransform, "transform");
constexpr stream::FieldRef kMatrix = stream::Field(layout::kSetTransform, "matrix");
static_assert(stream::Field(layout::kMultiplyTransform, "matrix").offset == kMatrix.offset);
constexpr stream::FieldRef kPlaneIndex = stream::Field(layout::kSetClipPlane, "index");
constexpr stream::FieldRef kPlane = stream::Field(layout::kSetClipPlane, "plane");
constexpr stream::FieldRef kCreateIndex = stream::Field(layout::kCreateLight, "index");
constexpr stream::FieldRef kLightIndex = stream::Field(layout::kSetLight, "index");
constexpr stream::FieldRef kLightDataType = stream::Field(layout::kSetLight, "data_type");

constexpr stream::FieldRef kViewportX = stream::Field(layout::kViewportInfo, "x");
constexpr stream::FieldRef kViewportY = stream::Field(layout::kViewportInfo, "y");
constexpr stream::FieldRef kViewportWidth = stream::Field(layout::kViewportInfo, "width");
constexpr stream::FieldRef kViewportHeight = stream::Field(layout::kViewportInfo, "height");
constexpr stream::FieldRef kMinZ = stream::Field(layout::kZRange, "min_z");
constexpr stream::FieldRef kMaxZ = stream::Field(layout::kZRange, "max_z");

constexpr uint64_t kLightCost = sizeof(Light) + 64;  // bytes, with its place in the table

// The matrix that a record names; nothing after a report. Bit 31 asks for the identity.
std::optional<uint32_t> FindTransform(const Token& token, const Record& record) {
  const uint32_t number = record.U32(kTransformType);
  const std::optional<uint32_t> canonical =
      d3d::CanonicalTransform(number & ~d3d::kTransformIdentity);
  if (!canonical) {
    token.Report(Rule::kDp2Xform001, record, kTransformType,
                 fmt::format("transform {:#x} is not defined", number),
                 fmt::format("{:#x}", number),
                 ValueRangesText(d3d::kTransformStateNames, [](uint32_t) { return true; }));
  }
  return canonical;
}

StateWords MatrixOf(const Record& record) {
  StateWords words = {};
  if ((record.U32(kTransformType) & d3d::kTransformIdentity) == 0)
    return LoadWords(record.at() + kMatrix.offset, kMatrixWords);
  for (uint32_t i = 0; i < kMatrixWords; ++i)
    words[i] = std::bit_cast<uint32_t>(kIdentity[i]);
  return words;
}

// a * b, rows times columns, each sum from left to right.
StateWords Multiply(const StateWords& a, const StateWords& b) {
  StateWords product = {};
  for (size_t row = 0; row < 4; ++row) {
    for (size_t column = 0; column < 4; ++column) {
      float sum = std::bit_cast<float>(a[4 * row]) * std::bit_cast<float>(b[column]);
      for (size_t k = 1; k < 4; ++k)
        sum += std::bit_cast<float>(a[4 * row + k]) * std::bit_cast<float>(b[4 * k + column]);
      product[4 * row + column] = std::bit_cast<uint32_t>(sum);
    }
  }
  return product;
}

// Records that are nothing but the words of one value.
void ApplyWords(Token& token, StateKind kind) {
  for (const Record& record : token.Records())
    token.Set({kind}, LoadWords(record.at(), WordCount(kind)));
}

// The light, created where it does not exist; null after a report of the memory limit.
Light* MakeLight(const Token& token, const Record& record, uint32_t index) {
  std::map<uint32_t, Light>& lights = token.context.state.lights;
  if (const auto light = lights.find(index); light != lights.end()) return &light->second;
  return token.Charge(record, kLightCost) ? &lights[index] : nullptr;
}

void SetLightData(const Token& token, const Record& record, uint32_t index) {
  const uint8_t* at = record.Tail(0).at(0);
  const uint32_t type = LoadU32(at);
  if (type < d3d::Value(d3d::LightType::Point) || type > d3d::Value(d3d::LightType::GlSpot)) {
    constexpr stream::FieldRef kLightType = stream::Field(layout::kLight7, "type");
    token.Report(Rule::kDp2Light004, record, stream::TailWord(record, 0, kLightType),
                 fmt::format("light {} has type {}", index, type), fmt::format("{}", type),
                 AllValuesText(d3d::kLightTypeNames));
    return;
  }
  token.Set({StateKind::kLight, index}, LoadWords(at, WordCount(StateKind::kLight)));
}

void SetLight(const Token& token, const Record& record) {
  const uint32_t index = record.U32(kLightIndex);
  const uint32_t data_type = record.U32(kLightDataType);
  if (data_type > d3d::Value(d3d::SetLightData::Data)) {
    token.Report(Rule::kDp2Light003, record, kLightDataType,
                 fmt::format("data type {} is not defined", data_type),
                 fmt::format("{}", data_type), AllValuesText(d3d::kSetLightDataNames));
    return;
  }
  if (!token.context.state.lights.contains(index)) {
    if (!token.context.has_loss) {
      token.Report(Rule::kDp2Light001, record, kLightIndex,
                   fmt::format("light {} was never created", index), fmt::format("{}", index),
                   "a light that CREATELIGHT made");
    }
    if (MakeLight(token, record, index) == nullptr) return;
  }
  if (data_type == d3d::Value(d3d::SetLightData::Data)) {
    SetLightData(token, record, index);
  } else {
    token.Set({StateKind::kLightEnable, index},
              data_type == d3d::Value(d3d::SetLightData::Enable) ? 1 : 0);
  }
}

// DP2-VIEW-002. Start and size of one axis: where their sum is beyond 32 bits, one of them was a negative number.
void ReportBeyond(const Token& token, const Record& record,
                  std::pair<stream::FieldRef, stream::FieldRef> axis) {
  const bool is_start = record.I32(axis.first) < 0;
  const stream::FieldRef field = is_start ? axis.first : axis.second;
  const std::string value = fmt::format("{}", record.I32(field));
  token.Report(Rule::kDp2View002, record, field,
               fmt::format("{} of the viewport is {} ({:#x}): it ends beyond 32 bits", field.name,
                           value, record.U32(field)),
               value, is_start ? "0 or more" : "1 or more");
}

bool CheckViewport(const Token& token, const Record& record, const StateWords& words) {
  const uint32_t width = words[2];
  const uint32_t height = words[3];
  if (width == 0 || height == 0) {
    token.Report(Rule::kDp2View001, record, width == 0 ? kViewportWidth : kViewportHeight,
                 fmt::format("the viewport is {} x {}", width, height),
                 fmt::format("{} x {}", width, height), "at least 1 x 1");
    return false;
  }
  if (width > UINT32_MAX - words[0]) {
    ReportBeyond(token, record, {kViewportX, kViewportWidth});
    return false;
  }
  if (height > UINT32_MAX - words[1]) {
    ReportBeyond(token, record, {kViewportY, kViewportHeight});
    return false;
  }
  return true;
}

bool IsOutsideUnit(uint32_t bits) {
  const auto value = std::bit_cast<float>(bits);
  return value < 0.0F || value > 1.0F;
}

}  // namespace

void ApplyTransform(Token& token) {
  for (const Record& record : token.Records()) {
    if (const auto index = FindTransform(token, record))
      token.Set({StateKind::kTransform, *index}, MatrixOf(record));
  }
}

// Unspecified: bit 31 of a multiplication; chosen: the given matrix is the identity.
void ApplyMultiplyTransform(Token& token) {
  for (const Record& record : token.Records()) {
    const std::optional<uint32_t> index = FindTransform(token, record);
    if (!index) continue;
    const StateKey key = {StateKind::kTransform, *index};
    StateWords current = {};
    token.Get(key, current);
    token.Set(key, Multiply(MatrixOf(record), current));
  }
}

void ApplyViewportInfo(Token& token) {
  for (const Record& record : token.Records()) {
    StateWords words = LoadWords(record.at(), 4);
    if (!CheckViewport(token, record, words)) continue;
    words[4] = 1;
    token.Set({StateKind::kViewport}, words);
  }
}

void ApplyZRange(Token& token) {
  for (const Record& record : token.Records()) {
    const StateWords words = LoadWords(record.at(), 2);
    if (IsOutsideUnit(words[0]) || IsOutsideUnit(words[1])) {
      const std::string range =
          fmt::format("{} to {}", std::bit_cast<float>(words[0]), std::bit_cast<float>(words[1]));
      token.Report(Rule::kDp2View005, record, IsOutsideUnit(words[0]) ? kMinZ : kMaxZ,
                   fmt::format("the depth range is {}", range), range, "within 0 to 1");
      continue;
    }
    token.Set({StateKind::kZRange}, words);
  }
}

void ApplyWInfo(Token& token) {
  ApplyWords(token, StateKind::kWInfo);
}

void ApplyClipPlane(Token& token) {
  for (const Record& record : token.Records()) {
    const uint32_t index = record.U32(kPlaneIndex);
    if (index >= kClipPlaneCount) {
      token.Report(Rule::kDp2View008, record, kPlaneIndex,
                   fmt::format("there is no clip plane {}", index), fmt::format("{}", index),
                   "0 to 31");
      continue;
    }
    token.Set({StateKind::kClipPlane, index}, LoadWords(record.at() + kPlane.offset, 4));
  }
}

void ApplyScissorRect(Token& token) {
  for (const Record& record : token.Records()) {
    StateWords words = LoadWords(record.at(), 4);
    const auto rect = std::bit_cast<d3d::Rect>(std::array{words[0], words[1], words[2], words[3]});
    if (rect.left > rect.right || rect.top > rect.bottom) {
      const std::string edges =
          fmt::format("{}, {}, {}, {}", rect.left, rect.top, rect.right, rect.bottom);
      constexpr stream::FieldRef kRect = stream::Field(layout::kRect, "rect");
      token.Report(Rule::kDp2View011, record, stream::PartOf(kRect, rect.left > rect.right ? 2 : 3),
                   fmt::format("the scissor rectangle is {}: it holds no pixels", edges), edges,
                   "left <= right, top <= bottom");
    }
    words[4] = 1;
    token.Set({StateKind::kScissor}, words);
  }
}

void ApplyMaterial(Token& token) {
  ApplyWords(token, StateKind::kMaterial);
}

// Executed while recording too: lights are objects. Creating an existing one resets it. Source: lib/opcode/dp2.md 10.3 and 11.
void ApplyCreateLight(Token& token) {
  for (const Record& record : token.Records()) {
    if (Light* light = MakeLight(token, record, record.U32(kCreateIndex)); light != nullptr)
      *light = Light();
  }
}

void ApplyLight(Token& token) {
  for (const Record& record : token.Records())
    SetLight(token, record);
}

}  // namespace dp2trace::device
