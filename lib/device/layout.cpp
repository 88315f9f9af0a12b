#include "device/layout.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/flag_text.h"
#include "base/plain_text.h"
#include "d3d/fvf.h"
#include "rules/rule.h"

namespace dp2trace::device {
namespace {

using d3d::DeclType;
using d3d::DeclUsage;

constexpr size_t kFvfElements = 8;  // position, weights, indices, normal, size, colours, fog
constexpr uint32_t kElementSize = 8;
constexpr uint32_t kMaxElements = 64;
constexpr uint32_t kEndStream = 0xFF;
constexpr uint32_t kMaxDeclMethod = d3d::Value(d3d::DeclMethod::LookupPresampled);

uint8_t Byte(auto value) {
  return static_cast<uint8_t>(value);
}
DeclType FloatType(uint32_t count) {
  return static_cast<DeclType>(d3d::Value(DeclType::Float1) + count - 1);
}

// Adds elements of stream 0 at given offsets.
class FvfElements {
 public:
  explicit FvfElements(VertexLayout& layout) : layout_(&layout) {}
  void Add(uint32_t offset, DeclType type, DeclUsage usage, uint32_t usage_index = 0) {
    if (offset == d3d::FvfLayout::kAbsent) return;
    layout_->elements.push_back({.offset = static_cast<uint16_t>(offset),
                                 .type = Byte(type),
                                 .usage = Byte(usage),
                                 .usage_index = Byte(usage_index)});
  }

 private:
  VertexLayout* layout_;
};

void AddPosition(const d3d::FvfLayout& fvf, FvfElements& elements) {
  switch (fvf.position) {
    case d3d::PositionKind::kNone:
      return;
    case d3d::PositionKind::kXyz:
    case d3d::PositionKind::kXyzBlend:
      return elements.Add(0, DeclType::Float3, DeclUsage::Position);
    case d3d::PositionKind::kXyzw:
      return elements.Add(0, DeclType::Float4, DeclUsage::Position);
    case d3d::PositionKind::kXyzRhw:
      return elements.Add(0, DeclType::Float4, DeclUsage::PositionT);
  }
}

// Source: lib/raster/rendering-geometry.md 2.1, corner cases of the blend values.
void AddWeights(uint32_t code, const d3d::FvfLayout& fvf, FvfElements& elements) {
  const bool is_xyzb2 = (code & d3d::fvf::kXyzB5) == d3d::fvf::kXyzB2;
  if (fvf.weight_count == 5) {
    elements.Add(fvf.weights, DeclType::Float4, DeclUsage::BlendWeight);
    elements.Add(fvf.weights + 16, DeclType::Float1, DeclUsage::BlendIndices);
  } else if (is_xyzb2 && fvf.blend_indices_d3dcolor) {
    elements.Add(fvf.weights, DeclType::D3dColor, DeclUsage::BlendWeight);
    elements.Add(fvf.blend_indices, DeclType::UByte4, DeclUsage::BlendIndices);
  } else {
    if (fvf.weight_count > 0)
      elements.Add(fvf.weights, FloatType(fvf.weight_count), DeclUsage::BlendWeight);
    elements.Add(fvf.blend_indices,
                 fvf.blend_indices_d3dcolor ? DeclType::D3dColor : DeclType::UByte4,
                 DeclUsage::BlendIndices);
  }
}

// A member of D3DVERTEXELEMENT9.
struct ElementField {
  std::string_view name;
  uint32_t offset, size;  // bytes
};
constexpr ElementField kStreamField = {"stream", 0, 2};
constexpr ElementField kTypeField = {"type", 4, 1};
constexpr ElementField kMethodField = {"method", 5, 1};
constexpr ElementField kUsageField = {"usage", 6, 1};

// Offsets count from the start of the declaration.
Status Refuse(Rule rule, size_t index, const ElementField& field, std::string message,
              std::string actual, std::string expected) {
  Diagnostic finding = MakeDiagnostic(rule, std::move(message));
  finding.offset = index * kElementSize + field.offset;
  finding.length = field.size;
  finding.path = fmt::format("{}/{}", index, field.name);
  finding.actual = std::move(actual);
  finding.expected = std::move(expected);
  return Status(std::move(finding));
}

// Source: lib/opcode/dp2.md 18.3.
Status CheckElement(const VertexElement& element, size_t index) {
  const auto check = [&](const ElementField& field, uint32_t value, uint32_t last,
                         const EnumInfo* names = nullptr) {
    if (value <= last) return OkStatus();
    const std::string expected =
        names == nullptr ? fmt::format("0 to {}", last)
                         : ValueRangesText(*names, [last](uint32_t row) { return row <= last; });
    return Refuse(Rule::kDp2Vsh015, index, field,
                  fmt::format("element {}: {} {} is not defined", index, field.name, value),
                  fmt::format("{}", value), expected);
  };
  DP2TRACE_RETURN_IF_ERROR(check(kStreamField, element.stream, kStreamCount - 1));
  DP2TRACE_RETURN_IF_ERROR(
      check(kTypeField, element.type, d3d::Value(DeclType::Unused), &d3d::kDeclTypeNames));
  DP2TRACE_RETURN_IF_ERROR(
      check(kMethodField, element.method, kMaxDeclMethod, &d3d::kDeclMethodNames));
  return check(kUsageField, element.usage, d3d::Value(DeclUsage::Sample), &d3d::kDeclUsageNames);
}

}  // namespace

const VertexElement* VertexLayout::Find(d3d::DeclUsage usage, uint32_t usage_index) const {
  const auto element =
      std::ranges::find_if(elements, [usage, usage_index](const VertexElement& candidate) {
        return candidate.usage == d3d::Value(usage) && candidate.usage_index == usage_index;
      });
  return element == elements.end() ? nullptr : &*element;
}

VertexLayout LayoutOfFvf(uint32_t fvf, uint32_t level) {
  const d3d::FvfLayout decoded = d3d::DecodeFvf(fvf);
  VertexLayout layout;
  layout.fvf = fvf;
  layout.is_transformed = decoded.position == d3d::PositionKind::kXyzRhw;
  layout.elements.reserve(kFvfElements + decoded.texture_set_count);
  FvfElements elements(layout);
  AddPosition(decoded, elements);
  AddWeights(fvf, decoded, elements);
  elements.Add(decoded.normal, DeclType::Float3, DeclUsage::Normal);
  if (level >= 8) elements.Add(decoded.point_size, DeclType::Float1, DeclUsage::PSize);
  elements.Add(decoded.diffuse, DeclType::D3dColor, DeclUsage::Color, 0);
  elements.Add(decoded.specular, DeclType::D3dColor, DeclUsage::Color, 1);
  elements.Add(decoded.fog, DeclType::Float1, DeclUsage::Fog);
  for (uint32_t set = 0; set < decoded.texture_set_count; ++set) {
    const d3d::FvfLayout::TextureSet& texture = decoded.texture_sets[set];
    elements.Add(texture.offset, FloatType(texture.dimension), DeclUsage::Texcoord, set);
  }
  return layout;
}

Result<VertexLayout> LayoutOfElements(Bytes bytes) {
  VertexLayout layout;
  const size_t count = bytes.size() / kElementSize;
  for (size_t i = 0; i < count; ++i) {
    const uint8_t* at = bytes.data() + i * kElementSize;
    const VertexElement element = {.stream = LoadU16(at),
                                   .offset = LoadU16(at + 2),
                                   .type = at[4],
                                   .method = at[5],
                                   .usage = at[6],
                                   .usage_index = at[7]};
    if (element.stream == kEndStream) {
      if (i + 1 == count) break;
      return Refuse(Rule::kDp2Vsh016, i, kStreamField,
                    fmt::format("the end marker is element {} of {}", i, count),
                    fmt::format("element {}", i), fmt::format("element {}", count - 1));
    }
    DP2TRACE_RETURN_IF_ERROR(CheckElement(element, i));
    if (layout.elements.size() == kMaxElements) {
      return Refuse(Rule::kDp2Vsh016, i, kStreamField,
                    fmt::format("{}, {} are allowed", Counted(count, "element"), kMaxElements),
                    fmt::format("{}", count), fmt::format("at most {}", kMaxElements));
    }
    if (layout.Find(static_cast<DeclUsage>(element.usage), element.usage_index) != nullptr) {
      return Refuse(
          Rule::kDp2Vsh019, i, kUsageField,
          fmt::format("element {}: an earlier element has usage {} {}, too", i,
                      NameOf(d3d::kDeclUsageNames, element.usage), element.usage_index),
          fmt::format("{} {}", ValueText(d3d::kDeclUsageNames, element.usage), element.usage_index),
          "each usage and index once");
    }
    layout.elements.push_back(element);
  }
  layout.is_transformed = layout.Find(DeclUsage::PositionT) != nullptr;
  return layout;
}

std::optional<Rule> FindFvfDefect(uint32_t fvf, uint32_t level) {
  namespace bits = d3d::fvf;
  constexpr uint32_t kBothBetas = bits::kLastBetaUByte4 | bits::kLastBetaD3dColor;
  constexpr uint32_t kReserved7 = 0xD000;  // at level 6 and 7
  constexpr uint32_t kReserved8 = 0xC000;
  const d3d::PositionKind position = d3d::DecodeFvf(fvf).position;
  const uint32_t reserved = level < 8 ? kReserved7 : level == 8 ? kReserved8 : 0;
  if ((fvf & bits::kReserved0) != 0) return Rule::kDp2Fvf002;
  if (position == d3d::PositionKind::kNone) return Rule::kDp2Fvf001;
  const bool is_transformed = position == d3d::PositionKind::kXyzRhw;
  const bool has_normal = (fvf & bits::kNormal) != 0;
  if (level == 6 && (!is_transformed || has_normal || (fvf & reserved) != 0))
    return Rule::kDp2Fvf013;
  if (is_transformed && has_normal) return Rule::kDp2Fvf003;
  if ((fvf & bits::kTexcountMask) >> bits::kTexcountShift > d3d::kMaxTextureSets)
    return Rule::kDp2Fvf004;
  if ((fvf & reserved) != 0) return Rule::kDp2Fvf005;
  if ((fvf & kBothBetas) != 0 && position != d3d::PositionKind::kXyzBlend) return Rule::kDp2Fvf007;
  if ((fvf & kBothBetas) == kBothBetas) return Rule::kDp2Fvf008;
  return std::nullopt;
}

std::string_view LegalFvf(Rule defect) {
  switch (defect) {
    case Rule::kDp2Fvf001:
      return "a position";
    case Rule::kDp2Fvf002:
      return "bit 0 clear";
    case Rule::kDp2Fvf003:
      return "XYZRHW or NORMAL";
    case Rule::kDp2Fvf004:
      return "at most 8 texture coordinate sets";
    case Rule::kDp2Fvf005:
      return "reserved bits clear";
    case Rule::kDp2Fvf007:
      return "blend values with LASTBETA";
    case Rule::kDp2Fvf008:
      return "one LASTBETA flag";
    case Rule::kDp2Fvf013:
      return "XYZRHW, no NORMAL, reserved bits clear";
    default:
      return "a vertex format that can be drawn";
  }
}

std::array<uint32_t, kStreamCount> ElementEnds(const VertexLayout& layout) {
  std::array<uint32_t, kStreamCount> ends = {};
  for (const VertexElement& element : layout.elements) {
    if (element.stream >= kStreamCount) continue;
    const uint32_t size = d3d::DeclTypeSize(element.type);
    if (size != 0) ends[element.stream] = std::max(ends[element.stream], element.offset + size);
  }
  return ends;
}

uint32_t UsedStreams(const VertexLayout& layout) {
  uint32_t used = 0;
  const std::array<uint32_t, kStreamCount> ends = ElementEnds(layout);
  for (uint32_t i = 0; i < kStreamCount; ++i) {
    if (ends[i] != 0) used |= 1U << i;
  }
  return used;
}

}  // namespace dp2trace::device
