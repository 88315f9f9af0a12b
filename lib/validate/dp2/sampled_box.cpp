#include "validate/dp2/sampled_box.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>

#include "base/bytes.h"
#include "d3d/enums.h"
#include "d3d/states.h"

namespace dp2trace::validate {
namespace {

using d3d::RenderState;
using d3d::TextureStageState;

// Source: D3DTSS_TEXCOORDINDEX: what generates coordinates is in the upper half.
constexpr uint32_t kGenerator = 0xFFFF0000;

struct Coordinates {
  float u = 0, v = 0;
};

std::optional<Coordinates> CoordinatesAt(const device::Draw& draw,
                                         const device::VertexElement& element, int64_t vertex) {
  const device::VertexStream& stream = draw.streams[element.stream];
  if (stream.divider != 1 || vertex < 0) return std::nullopt;
  const Bytes bytes = stream.At(static_cast<uint64_t>(vertex), element.offset, 2 * sizeof(float));
  if (bytes.empty()) return std::nullopt;
  const auto part = [&](size_t i) {
    return std::bit_cast<float>(LoadU32(&bytes[i * sizeof(float)]));
  };
  return Coordinates{part(0), part(1)};
}

uint32_t Floor(float coordinate, uint32_t size) {
  return static_cast<uint32_t>(std::floor(coordinate * static_cast<float>(size)));
}

}  // namespace

image::Area SampledBox::At(const image::Area& whole) const {
  image::Area area = whole;
  const auto end = [](float coordinate, uint32_t size) {
    return static_cast<uint32_t>(std::ceil(coordinate * static_cast<float>(size)));
  };
  area.left = std::min(Floor(left, whole.right), whole.right - 1);
  area.top = std::min(Floor(top, whole.bottom), whole.bottom - 1);
  area.right = std::max(end(right, whole.right), area.left + 1);
  area.bottom = std::max(end(bottom, whole.bottom), area.top + 1);
  return area;
}

bool HasPlainCoordinates(const CommandView& view, uint32_t stage) {
  const device::Context& context = view.context;
  const device::Resource* const texture = context.Texture(stage);
  return context.VertexShader() == nullptr && context.PixelShader() == nullptr &&
         texture != nullptr && !texture->is_cube() && texture->surface.description().depth <= 1 &&
         stage < d3d::kCombinerStageCount &&
         (context.state.stage(stage, TextureStageState::TexcoordIndex) & kGenerator) == 0 &&
         context.state.stage(stage, TextureStageState::TextureTransformFlags) == 0 &&
         context.state.value(RenderState::PointSpriteEnable) == 0;
}

SampledBox FindSampledBox(const CommandView& view, const device::Draw& draw, uint32_t stage) {
  const uint32_t set = view.context.state.stage(stage, TextureStageState::TexcoordIndex);
  const device::VertexElement* const element = draw.layout->Find(d3d::DeclUsage::Texcoord, set);
  if (element == nullptr || element->type != d3d::Value(d3d::DeclType::Float2) ||
      element->stream >= device::kStreamCount)
    return {};
  SampledBox box = {.left = 1, .top = 1, .right = 0, .bottom = 0};
  const uint64_t count = device::VertexCount(draw.type, draw.primitive_count);
  for (uint64_t k = 0; k < count; ++k) {
    const auto at = CoordinatesAt(draw, *element, draw.base_vertex + device::IndexAt(draw, k));
    const bool is_inside = at && at->u >= 0 && at->u <= 1 && at->v >= 0 && at->v <= 1;
    if (!is_inside) return {};
    box = {std::min(box.left, at->u), std::min(box.top, at->v), std::max(box.right, at->u),
           std::max(box.bottom, at->v)};
  }
  return count == 0 ? SampledBox() : box;
}

}  // namespace dp2trace::validate
