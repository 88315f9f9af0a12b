#include "raster/patch/vertex_builder.h"

#include <algorithm>
#include <cmath>

#include "base/bytes.h"
#include "raster/vertex/fetch.h"
#include "raster/vertex/placement.h"

namespace dp2trace::raster {
namespace {

using d3d::DeclMethod;
using d3d::DeclType;
using d3d::DeclUsage;

bool IsColorType(const device::VertexElement& element) {
  return element.type == d3d::Value(DeclType::D3dColor);
}

bool IsMethod(const device::VertexElement& element, DeclMethod method) {
  return element.method == d3d::Value(method);
}

bool IsDerived(const device::VertexElement& element) {
  return IsMethod(element, DeclMethod::PartialU) || IsMethod(element, DeclMethod::PartialV) ||
         IsMethod(element, DeclMethod::CrossUv);
}

uint32_t OutputComponents(const device::VertexElement& element) {
  if (IsDerived(element)) return 3;
  if (IsMethod(element, DeclMethod::Uv)) return 2;
  return std::max(ComponentCount(element.type), 1U);
}

Double3 FirstThree(const Double4& v) {
  return {v[0], v[1], v[2]};
}

double Clamp01(double x) {
  return Min(Max(x, 0.0), 1.0);
}

}  // namespace

Double3 Cross(const Double3& a, const Double3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

double Dot(const Double3& a, const Double3& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

Double3 Normalize(const Double3& v) {
  const double length = std::sqrt(Dot(v, v));
  if (length == 0) return {};
  return {v[0] / length, v[1] / length, v[2] / length};
}

VertexInput ReadControlPoint(const device::Draw& points, int64_t number, uint32_t instance) {
  VertexInput input = FetchVertex(points, number, instance);
  const uint32_t indices = ElementIndex(*points.layout, DeclUsage::BlendIndices);
  if (indices == kNoElement || !IsColorType(points.layout->elements[indices])) return input;
  const Float4 color = input.values[indices];
  constexpr std::array<size_t, 4> kByteOrder = {2, 1, 0, 3};
  for (size_t i = 0; i < 4; ++i) {
    input.values[indices][i] = static_cast<float>(RoundToInt(double{color[kByteOrder[i]]} * 255.0));
  }
  return input;
}

Double4 WeightedSum(std::span<const VertexInput> points, std::span<const double> weights,
                    size_t element) {
  Double4 sum = {};
  for (size_t p = 0; p < points.size(); ++p) {
    for (size_t i = 0; i < 4; ++i)
      sum[i] = sum[i] + weights[p] * double{points[p].values[element][i]};
  }
  return sum;
}

VertexBuilder::VertexBuilder(const device::VertexLayout& source)
    : source_(&source), position_(ElementIndex(source, DeclUsage::Position)) {
  result_.layout.is_transformed = source.is_transformed;
  result_.layout.fvf = source.fvf;
  const size_t count = std::min<size_t>(source.elements.size(), kNoElement);
  values_.resize(count);
  for (size_t i = 0; i < count; ++i) {
    device::VertexElement element = source.elements[i];
    const uint32_t components = OutputComponents(element);
    element.stream = 0;
    element.offset = static_cast<uint16_t>(result_.stride);  // 64 elements of 16 bytes at most
    element.type = static_cast<uint8_t>(d3d::Value(DeclType::Float1) + components - 1);
    element.method = 0;
    result_.layout.elements.push_back(element);
    result_.stride += components * static_cast<uint32_t>(sizeof(float));
  }
}

void VertexBuilder::AppendIndices(std::span<const uint32_t> indices, uint32_t first_vertex) {
  for (const uint32_t index : indices)
    result_.indices.push_back(first_vertex + index);
}

void VertexBuilder::Append(const std::vector<Double4>& values) {
  ByteWriter writer(result_.vertices);
  for (size_t e = 0; e < values_.size(); ++e) {
    const device::VertexElement& element = source_->elements[e];
    const bool is_color = element.usage == d3d::Value(DeclUsage::Color);
    for (uint32_t i = 0; i < OutputComponents(element); ++i) {
      writer.Write(static_cast<float>(is_color ? Clamp01(values[e][i]) : values[e][i]));
    }
  }
  ++vertex_count_;
}

// Unspecified: of what PARTIALU, PARTIALV and CROSSUV are derivatives, and what LOOKUP and LOOKUPPRESAMPLED give without displacement
// maps; chosen: of the position (the surface S of lib/raster/rendering-geometry.md 6), and the element's own data.
Double4 VertexBuilder::Element(const device::VertexElement& element, size_t index,
                               const PatchSample& sample,
                               std::span<const VertexInput> points) const {
  if (IsMethod(element, DeclMethod::Uv)) return {sample.u, sample.v, 0, 1};
  if (!IsDerived(element)) return WeightedSum(points, sample.weights.value, index);
  if (position_ == kNoElement) return {};
  const Double4 by_u = WeightedSum(points, sample.weights.partial_u, position_);
  if (IsMethod(element, DeclMethod::PartialU)) return by_u;
  const Double4 by_v = WeightedSum(points, sample.weights.partial_v, position_);
  if (IsMethod(element, DeclMethod::PartialV)) return by_v;
  const Double3 normal = Normalize(Cross(FirstThree(by_u), FirstThree(by_v)));
  return {normal[0], normal[1], normal[2], 0};
}

void VertexBuilder::Append(const PatchSample& sample, std::span<const VertexInput> points) {
  for (size_t e = 0; e < values_.size(); ++e) {
    values_[e] = Element(source_->elements[e], e, sample, points);
  }
  Append(values_);
}

}  // namespace dp2trace::raster
