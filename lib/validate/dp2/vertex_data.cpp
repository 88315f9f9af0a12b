// The values of drawn vertices: DP2-FVF-016 to -020. Source: lib/opcode/dp2.md 6.2, 21.3 and 25; lib/raster/rendering-geometry.md 2.1.
#include <fmt/format.h>

#include <array>
#include <bit>
#include <cmath>

#include "base/bytes.h"
#include "base/flag_text.h"
#include "d3d/stream_source.h"
#include "rules/rule.h"
#include "validate/dp2/vertex.h"
#include "validate/memory.h"

namespace dp2trace::validate {
namespace {

using d3d::DeclUsage;
using device::VertexElement;

constexpr size_t kMaxAttributes = 64;  // the rest is not checked

enum Defect : uint32_t { kNotFinite, kReciprocalW, kDepth, kOutside, kPointSize, kDefectCount };
constexpr Rule kRuleOf[kDefectCount] = {Rule::kDp2Fvf016, Rule::kDp2Fvf017, Rule::kDp2Fvf018,
                                        Rule::kDp2Fvf019, Rule::kDp2Fvf020};

// Floats of a vertex that are checked together.
struct Attribute {
  enum class Kind : uint8_t { kPlain, kTransformed, kPointSize };
  const device::VertexStream* stream = nullptr;
  uint32_t offset = 0;
  uint32_t count = 0;  // floats
  uint32_t divider = 1;
  Kind kind = Kind::kPlain;
  uint8_t usage = 0;
};

// The first vertex with a defect.
struct Example {
  int64_t vertex = 0;
  float value = 0;
  uint8_t usage = 0;
};

struct Band {
  float left = -32768, top = -32768, right = 32767, bottom = 32767;
};

// The 16-bit range, and the guard band where the device has one.
Band FindBand(const Caps& caps) {
  Band band;
  const auto left = caps.FindReal(d3d::Cap::GuardBandLeft);
  const auto right = caps.FindReal(d3d::Cap::GuardBandRight);
  const auto top = caps.FindReal(d3d::Cap::GuardBandTop);
  const auto bottom = caps.FindReal(d3d::Cap::GuardBandBottom);
  // 0: the device has none on this side.
  if (left && *left < 0) band.left = std::max(band.left, *left);
  if (right && *right > 0) band.right = std::min(band.right, *right);
  if (top && *top < 0) band.top = std::max(band.top, *top);
  if (bottom && *bottom > 0) band.bottom = std::min(band.bottom, *bottom);
  return band;
}

bool IsChecked(const VertexElement& element, bool draws_points) {
  switch (static_cast<DeclUsage>(element.usage)) {
    case DeclUsage::Position:
    case DeclUsage::PositionT:
    case DeclUsage::BlendWeight:
    case DeclUsage::Normal:
    case DeclUsage::Texcoord:
      return true;
    case DeclUsage::PSize:
      return draws_points;
    default:
      return false;
  }
}

class DataScan {
 public:
  DataScan(const CommandView& view, const device::Draw& draw)
      : draw_(draw), band_(FindBand(view.caps)) {
    for (uint32_t i = 0; i < kDefectCount; ++i) {
      if (view.Wants(kRuleOf[i])) missing_ |= 1U << i;
    }
    const bool draws_points =
        draw.type == d3d::PrimitiveType::PointList ||
        view.context.state.value(d3d::RenderState::FillMode) == d3d::Value(d3d::FillMode::Point);
    for (const VertexElement& element : draw.layout->elements) {
      if (IsChecked(element, draws_points)) Add(element);
    }
  }

  // Bits of the defects that the drawn vertices have.
  uint32_t Run() {
    if (count_ == 0) return 0;
    const uint32_t wanted = missing_;
    const uint64_t vertices = device::VertexCount(draw_.type, draw_.primitive_count);
    if (IsRangeClean(vertices)) return 0;
    for (uint64_t k = 0; k < vertices && missing_ != 0; ++k)
      CheckVertex(draw_.base_vertex + device::IndexAt(draw_, k));
    return wanted & ~missing_;
  }

  const Example& example(uint32_t defect) const { return examples_[defect]; }

 private:
  // True where no vertex between the first and the last that the indices of a stream draw name has a defect: each is looked at once, not
  // once per use. Says nothing where it is false.
  bool IsRangeClean(uint64_t vertices) const {
    if (draw_.indices.size == 0 || draw_.last_index <= draw_.first_index) return false;
    const uint64_t count = uint64_t{draw_.last_index} - draw_.first_index + 1;
    const int64_t first = draw_.base_vertex + int64_t{draw_.first_index};
    constexpr int64_t kLimit = int64_t{1} << 28;
    if (count > vertices || count > kLimit || first < 0 || first > kLimit) return false;
    for (size_t i = 0; i < count_; ++i) {
      if (!IsClean(attributes_[i], static_cast<uint64_t>(first), count)) return false;
    }
    return true;
  }

  static bool IsClean(const Attribute& attribute, uint64_t first, uint64_t count) {
    if (attribute.kind != Attribute::Kind::kPlain || attribute.divider != 1) return false;
    const device::VertexStream& stream = *attribute.stream;
    const uint64_t size = (count - 1) * stream.stride + attribute.count * uint64_t{sizeof(float)};
    const Bytes bytes = stream.At(first, attribute.offset, size);
    if (bytes.empty()) return false;
    const uint8_t* const at = bytes.data();
    switch (attribute.count) {
      case 1:
        return AreFinite<1>(at, stream.stride, count);
      case 2:
        return AreFinite<2>(at, stream.stride, count);
      case 3:
        return AreFinite<3>(at, stream.stride, count);
      default:
        return AreFinite<4>(at, stream.stride, count);
    }
  }

  template <uint32_t kCount>
  static bool AreFinite(const uint8_t* at, uint64_t stride, uint64_t count) {
    uint32_t any = 0;
    for (uint64_t i = 0; i < count; ++i, at += stride) {
      for (uint32_t part = 0; part < kCount; ++part) {
        const uint32_t word = LoadU32(at + part * sizeof(float));
        // The sum reaches the sign bit where all bits of the exponent are set.
        any |= (word & kExponentBits) + (uint32_t{1} << 23);
      }
    }
    return any >> 31 == 0;
  }

  void Add(const VertexElement& element) {
    constexpr uint32_t kLastFloat = d3d::Value(d3d::DeclType::Float4);
    if (element.type > kLastFloat || element.stream >= device::kStreamCount ||
        count_ == kMaxAttributes)
      return;
    const device::VertexStream& stream = draw_.streams[element.stream];
    const bool is_indexed = draw_.indices.size != 0;
    if (stream.bytes.empty() || (stream.divider & d3d::kInstanceData) != 0) return;
    const bool divides =
        !is_indexed && stream.divider == (stream.divider & d3d::kDividerMask) && stream.divider > 1;
    const auto usage = static_cast<DeclUsage>(element.usage);
    attributes_[count_++] = {.stream = &stream,
                             .offset = element.offset,
                             .count = element.type + 1U,
                             .divider = divides ? stream.divider : 1,
                             .kind = usage == DeclUsage::PositionT && element.type == kLastFloat
                                         ? Attribute::Kind::kTransformed
                                     : usage == DeclUsage::PSize ? Attribute::Kind::kPointSize
                                                                 : Attribute::Kind::kPlain,
                             .usage = element.usage};
  }

  void CheckVertex(int64_t vertex) {
    for (size_t i = 0; i < count_; ++i) {
      const Attribute& attribute = attributes_[i];
      const int64_t element = attribute.divider == 1 ? vertex : vertex / attribute.divider;
      const device::VertexStream& stream = *attribute.stream;
      if (element < 0) continue;
      const Bytes bytes = stream.At(static_cast<uint64_t>(element), attribute.offset,
                                    attribute.count * sizeof(float));
      if (bytes.empty()) continue;
      std::array<float, 4> values = {};
      bool is_finite = true;
      for (uint32_t part = 0; part < attribute.count; ++part) {
        const uint32_t word = LoadU32(&bytes[part * sizeof(float)]);
        values[part] = std::bit_cast<float>(word);
        if ((word & kExponentBits) != kExponentBits) continue;
        is_finite = false;
        if (attribute.kind != Attribute::Kind::kPointSize)
          Found(kNotFinite, vertex, values[part], attribute);
      }
      if (attribute.kind == Attribute::Kind::kPointSize) {
        if (!(values[0] >= 0)) Found(kPointSize, vertex, values[0], attribute);
      } else if (attribute.kind == Attribute::Kind::kTransformed && is_finite) {
        CheckTransformed(vertex, values, attribute);
      }
    }
  }

  void CheckTransformed(int64_t vertex, const std::array<float, 4>& values,
                        const Attribute& attribute) {
    if (values[3] <= 0) Found(kReciprocalW, vertex, values[3], attribute);
    if (values[2] < 0 || values[2] > 1) Found(kDepth, vertex, values[2], attribute);
    if (values[0] < band_.left || values[0] > band_.right)
      Found(kOutside, vertex, values[0], attribute);
    if (values[1] < band_.top || values[1] > band_.bottom)
      Found(kOutside, vertex, values[1], attribute);
  }

  void Found(Defect defect, int64_t vertex, float value, const Attribute& attribute) {
    if ((missing_ >> defect & 1) == 0) return;
    missing_ &= ~(1U << defect);
    examples_[defect] = {vertex, value, attribute.usage};
  }

  const device::Draw& draw_;
  Band band_;
  uint32_t missing_ = 0;  // defects that were not found yet
  size_t count_ = 0;
  std::array<Attribute, kMaxAttributes> attributes_;
  std::array<Example, kDefectCount> examples_;
};

void Report(const CommandView& view, Defect defect, const Example& example) {
  const std::string actual = RealText(example.value);
  switch (defect) {
    case kNotFinite:
      return view.Report(kRuleOf[defect],
                         fmt::format("vertex {} has {} in its {}", example.vertex, actual,
                                     NameOf(d3d::kDeclUsageNames, example.usage)),
                         actual, "a finite number");
    case kReciprocalW:
      return view.Report(kRuleOf[defect],
                         fmt::format("vertex {} has an rhw of {}", example.vertex, actual), actual,
                         "above 0");
    case kDepth:
      return view.Report(kRuleOf[defect],
                         fmt::format("vertex {} has a z of {}", example.vertex, actual), actual,
                         "0 to 1");
    case kOutside:
      return view.Report(kRuleOf[defect],
                         fmt::format("vertex {} has a coordinate of {}", example.vertex, actual),
                         actual, "inside the guard band and 16 bits");
    case kPointSize:
      return view.Report(kRuleOf[defect],
                         fmt::format("vertex {} has a point size of {}", example.vertex, actual),
                         actual, "0 or more");
    case kDefectCount:
      return;
  }
}

}  // namespace

// Unspecified: whether each draw from the same vertices is news; chosen: a defect is, once, until a draw does not show it.
void CheckDrawnVertex(const CommandView& view, const device::Draw& draw) {
  DataScan scan(view, draw);
  const uint32_t found = scan.Run();
  uint32_t& shown = view.memory.vertex_data.shown;
  const uint32_t news = found & ~shown;
  shown = found;
  if (news == 0) return;
  for (uint32_t i = 0; i < kDefectCount; ++i) {
    if ((news >> i & 1) != 0) Report(view, static_cast<Defect>(i), scan.example(i));
  }
}

}  // namespace dp2trace::validate
