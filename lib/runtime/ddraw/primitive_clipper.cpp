#include "runtime/ddraw/primitive_clipper.h"

#include <algorithm>
#include <bit>

#include "base/rounding.h"
#include "d3d/interface.h"

namespace dp2trace::runtime::ddraw {
namespace {

using opcode::Op;
using vertex::Float4;

constexpr uint32_t kNone = 0xFFFFFFFF;
constexpr size_t kDiffuse = 0, kSpecular = 4, kCoordinates = 8;  // of a corner's attributes
constexpr size_t kColorAttributes = 8;
// What one batch of primitives holds at most: numbers of vertices and counts of tokens have 16 bits.
constexpr size_t kMaxVertices = 60000;
constexpr uint16_t kEdge1 = 0x100, kEdge2 = 0x200, kEdge3 = 0x400;

float Lerp(float a, float b, float t) {
  return a + (b - a) * t;
}

Float4 ColorAt(const uint8_t* bytes) {
  return vertex::FromColor(LoadU32(bytes));
}

uint32_t ColorOf(const float* color) {
  const auto channel = [](float value) { return ToUnorm(value, 8); };
  return channel(color[3]) << 24 | channel(color[0]) << 16 | channel(color[1]) << 8 |
         channel(color[2]);
}

}  // namespace

float ClipVolume::Distance(size_t plane, const Float4& clip) const {
  constexpr float kLeastW = 1e-6F;
  const float w = clip[3];
  switch (plane) {
    case 0:
      return w - kLeastW;
    case 1:
      return clip[2];
    case 2:
      return w - clip[2];
    case 3:
      return clip[0] * mapping.half_width + w * (mapping.center_x + guard_band);
    case 4:
      return w * (guard_band - mapping.center_x) - clip[0] * mapping.half_width;
    case 5:
      return w * (mapping.center_y + guard_band) - clip[1] * mapping.half_height;
    default:
      return clip[1] * mapping.half_height + w * (guard_band - mapping.center_y);
  }
}

uint32_t ClipVolume::OutcodeOf(const Float4& clip) const {
  uint32_t outcode = 0;
  for (size_t plane = 0; plane < kPlanes; ++plane) {
    // What is not a number lies outside.
    if (!(Distance(plane, clip) >= 0)) outcode |= uint32_t{1} << plane;
  }
  return outcode;
}

bool IsInside(const ClipVolume& volume, const ScreenVertices& vertices) {
  return std::ranges::all_of(vertices.clip,
                             [&](const Float4& clip) { return volume.OutcodeOf(clip) == 0; });
}

PrimitiveClipper::PrimitiveClipper(Recorder& recorder, uint64_t context,
                                   const ScreenVertices& vertices, const ClipVolume& volume,
                                   bool is_flat)
    : recorder_(recorder),
      context_(context),
      vertices_(vertices),
      volume_(volume),
      is_flat_(is_flat),
      layout_(d3d::DecodeFvf(vertices.fvf)),
      indices_of_(vertices.count(), kNone) {}

void PrimitiveClipper::MakeRoom(uint32_t vertices) {
  const bool has_room = bytes_.size() / vertices_.size + vertices <= kMaxVertices &&
                        points_.size() < d3d::kMaxTokenPrimitives &&
                        lines_.size() / 2 < d3d::kMaxTokenPrimitives &&
                        triangles_.size() / 4 + vertices <= d3d::kMaxTokenPrimitives;
  if (!has_room) Finish();
}

uint32_t PrimitiveClipper::OutcodeOf(uint32_t v) const {
  return vertices_.clip.empty() ? 0 : volume_.OutcodeOf(vertices_.clip[v]);
}

uint32_t PrimitiveClipper::IndexOf(uint32_t v) {
  uint32_t& index = indices_of_[v];
  if (index != kNone) return index;
  index = static_cast<uint32_t>(bytes_.size() / vertices_.size);
  const auto from =
      vertices_.bytes.begin() + static_cast<std::ptrdiff_t>(size_t{v} * vertices_.size);
  bytes_.insert(bytes_.end(), from, from + vertices_.size);
  return index;
}

PrimitiveClipper::Corner PrimitiveClipper::CornerOf(uint32_t v) const {
  Corner corner;
  corner.clip = vertices_.clip[v];
  const uint8_t* const bytes = vertices_.bytes.data() + size_t{v} * vertices_.size;
  std::ranges::copy(ColorAt(bytes + layout_.diffuse), corner.attributes.begin() + kDiffuse);
  std::ranges::copy(ColorAt(bytes + layout_.specular), corner.attributes.begin() + kSpecular);
  for (size_t set = 0; set < d3d::kMaxTextureSets; ++set) {
    const d3d::FvfLayout::TextureSet& place = layout_.texture_sets[set];
    for (uint32_t i = 0; i < place.dimension; ++i) {
      corner.attributes[kCoordinates + 4 * set + i] =
          std::bit_cast<float>(LoadU32(bytes + place.offset + size_t{4} * i));
    }
  }
  return corner;
}

PrimitiveClipper::Corner PrimitiveClipper::Between(const Corner& inside, const Corner& outside,
                                                   size_t plane) const {
  const float a = volume_.Distance(plane, inside.clip);
  const float b = volume_.Distance(plane, outside.clip);
  const float t = a / (a - b);
  Corner corner;
  for (size_t i = 0; i < 4; ++i)
    corner.clip[i] = Lerp(inside.clip[i], outside.clip[i], t);
  for (size_t i = 0; i < kMaxAttributes; ++i)
    corner.attributes[i] = Lerp(inside.attributes[i], outside.attributes[i], t);
  return corner;
}

uint16_t PrimitiveClipper::Append(const Corner& corner) {
  const size_t index = bytes_.size() / vertices_.size;
  bytes_.resize(bytes_.size() + vertices_.size);
  uint8_t* const out = bytes_.data() + index * vertices_.size;
  const Float4 screen = volume_.mapping.Map(corner.clip);
  for (size_t i = 0; i < 4; ++i)
    Store(out + 4 * i, screen[i]);
  Store(out + layout_.diffuse, ColorOf(corner.attributes.data() + kDiffuse));
  Store(out + layout_.specular, ColorOf(corner.attributes.data() + kSpecular));
  for (size_t set = 0; set < d3d::kMaxTextureSets; ++set) {
    const d3d::FvfLayout::TextureSet& place = layout_.texture_sets[set];
    for (uint32_t i = 0; i < place.dimension; ++i)
      Store(out + place.offset + size_t{4} * i, corner.attributes[kCoordinates + 4 * set + i]);
  }
  return static_cast<uint16_t>(index);
}

void PrimitiveClipper::AddPoint(uint32_t v) {
  if (v >= vertices_.count() || OutcodeOf(v) != 0) return;
  MakeRoom(1);
  points_.push_back(static_cast<uint16_t>(IndexOf(v)));
}

void PrimitiveClipper::AddLine(uint32_t v0, uint32_t v1) {
  if (v0 >= vertices_.count() || v1 >= vertices_.count()) return;
  const uint32_t out0 = OutcodeOf(v0);
  const uint32_t out1 = OutcodeOf(v1);
  if ((out0 & out1) != 0) return;
  MakeRoom(2);
  if ((out0 | out1) == 0) {
    lines_.push_back(static_cast<uint16_t>(IndexOf(v0)));
    lines_.push_back(static_cast<uint16_t>(IndexOf(v1)));
    return;
  }
  Corner a = CornerOf(v0);
  Corner b = CornerOf(v1);
  if (is_flat_) std::copy_n(a.attributes.begin(), kColorAttributes, b.attributes.begin());
  for (size_t plane = 0; plane < ClipVolume::kPlanes; ++plane) {
    const bool is_a = volume_.Distance(plane, a.clip) >= 0;
    const bool is_b = volume_.Distance(plane, b.clip) >= 0;
    if (!is_a && !is_b) return;
    if (!is_a) a = Between(b, a, plane);
    if (!is_b) b = Between(a, b, plane);
  }
  lines_.push_back(Append(a));
  lines_.push_back(Append(b));
}

void PrimitiveClipper::AddTriangle(const std::array<uint32_t, 3>& v, uint16_t flags) {
  uint32_t any = 0;
  uint32_t all = 0xFFFFFFFF;
  for (const uint32_t number : v) {
    if (number >= vertices_.count()) return;
    const uint32_t outcode = OutcodeOf(number);
    any |= outcode;
    all &= outcode;
  }
  if (all != 0) return;
  MakeRoom(3 + ClipVolume::kPlanes);
  if (any != 0) return AddClippedTriangle(v, any, flags);
  for (const uint32_t number : v)
    triangles_.push_back(static_cast<uint16_t>(IndexOf(number)));
  triangles_.push_back(flags);
}

std::vector<PrimitiveClipper::Corner> PrimitiveClipper::Cut(const std::vector<Corner>& polygon,
                                                            size_t plane) const {
  std::vector<Corner> result;
  for (size_t i = 0; i < polygon.size(); ++i) {
    const Corner& a = polygon[i];
    const Corner& b = polygon[(i + 1) % polygon.size()];
    const bool is_a = volume_.Distance(plane, a.clip) >= 0;
    const bool is_b = volume_.Distance(plane, b.clip) >= 0;
    if (is_a) result.push_back(a);
    if (is_a == is_b) continue;
    result.push_back(is_a ? Between(a, b, plane) : Between(b, a, plane));
    // The side along the plane is not an edge of the triangle.
    result.back().starts_edge = !is_a && a.starts_edge;
  }
  return result;
}

void PrimitiveClipper::AddClippedTriangle(const std::array<uint32_t, 3>& v, uint32_t planes,
                                          uint16_t flags) {
  std::vector<Corner> polygon;
  for (size_t i = 0; i < 3; ++i) {
    polygon.push_back(CornerOf(v[i]));
    polygon.back().starts_edge = (flags & (kEdge1 << i)) != 0;
    if (is_flat_) {
      std::copy_n(polygon.front().attributes.begin(), kColorAttributes,
                  polygon.back().attributes.begin());
    }
  }
  for (size_t plane = 0; plane < ClipVolume::kPlanes && polygon.size() >= 3; ++plane) {
    if ((planes >> plane & 1) != 0) polygon = Cut(polygon, plane);
  }
  if (polygon.size() < 3) return;
  std::vector<uint16_t> numbers;
  numbers.reserve(polygon.size());
  for (const Corner& corner : polygon)
    numbers.push_back(Append(corner));
  const size_t last = polygon.size() - 1;
  for (size_t i = 1; i < last; ++i) {
    uint16_t edges = 0;
    if (i == 1 && polygon[0].starts_edge) edges |= kEdge1;
    if (polygon[i].starts_edge) edges |= kEdge2;
    if (i + 1 == last && polygon[last].starts_edge) edges |= kEdge3;
    triangles_.insert(triangles_.end(), {numbers[0], numbers[i], numbers[i + 1], edges});
  }
}

void PrimitiveClipper::Finish() {
  if (!bytes_.empty()) {
    const uint32_t first = recorder_.AddVertices(context_, vertices_.fvf, vertices_.size, bytes_);
    std::vector<uint32_t> values;
    const auto add = [&](uint16_t number) { values.push_back(first + number); };
    if (!points_.empty()) {
      for (const uint16_t number : points_) {
        values.push_back(1);
        add(number);
      }
      recorder_.Token(context_, Op::kPoints, values);
    }
    if (!lines_.empty()) {
      values.clear();
      std::ranges::for_each(lines_, add);
      recorder_.Token(context_, Op::kIndexedLineList, values);
    }
    if (!triangles_.empty()) {
      values.clear();
      for (size_t i = 0; i < triangles_.size(); ++i)
        i % 4 == 3 ? values.push_back(triangles_[i]) : add(triangles_[i]);
      recorder_.Token(context_, Op::kIndexedTriangleList, values);
    }
  }
  bytes_.clear();
  points_.clear();
  lines_.clear();
  triangles_.clear();
  std::ranges::fill(indices_of_, kNone);
}

}  // namespace dp2trace::runtime::ddraw
