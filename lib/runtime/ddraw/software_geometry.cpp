#include "runtime/ddraw/software_geometry.h"

#include <algorithm>

#include "base/rounding.h"

namespace dp2trace::runtime::ddraw {
namespace {

using vertex::Float3;
using vertex::Float4;

constexpr uint32_t kTextureBits = 0xFFFF0F00;  // count and sizes of texture coordinates

// A D3DCOLOR of red, green, blue, alpha in 0..1.
uint32_t ColorOf(const Float4& color) {
  const auto channel = [](float value) { return ToUnorm(value, 8); };
  return channel(color[3]) << 24 | channel(color[0]) << 16 | channel(color[1]) << 8 |
         channel(color[2]);
}

}  // namespace

uint32_t ScreenFvf(uint32_t fvf) {
  return d3d::fvf::kXyzRhw | d3d::fvf::kDiffuse | d3d::fvf::kSpecular | (fvf & kTextureBits);
}

SoftwareGeometry::SoftwareGeometry(const GeometryState& state)
    : state_(state),
      normal_matrix_(vertex::NormalMatrix(state.world, state.view, vertex::NormalRule::kDirect3d6)),
      lighting_(state.lighting, state.material, state.lights, state.world, state.view),
      mapping_(state.viewport, vertex::DepthRange::kAsGiven) {}

Float4 SoftwareGeometry::Process(const SourceVertex& source, const d3d::FvfLayout& layout,
                                 uint8_t* out) const {
  const Float4 world = vertex::Transform(source.position, state_.world);
  const Float4 eye = vertex::Transform(world, state_.view);
  const Float4 clip = vertex::Transform(eye, state_.projection);
  vertex::VertexColors colors;
  if (state_.is_lit) {
    Float3 normal = vertex::Transform(source.normal.value_or(Float3{}), normal_matrix_);
    if (state_.normalizes_normals) normal = vertex::Normalize(normal);
    colors = lighting_.Apply(vertex::FirstThree(eye), normal, source.diffuse, source.specular);
  } else {
    colors.diffuse = source.diffuse.value_or(colors.diffuse);
    colors.specular = source.specular.value_or(colors.specular);
  }
  if (state_.fog) {
    const float distance = vertex::VertexFogDistance(vertex::FirstThree(eye), state_.has_range_fog);
    colors.specular[3] =
        vertex::FogFactor(*state_.fog, distance, vertex::EqualFogLimits::kFullyFogged);
  }
  const Float4 screen = mapping_.Map(clip);
  for (uint32_t i = 0; i < 4; ++i)
    Store(out + size_t{4} * i, screen[i]);
  Store(out + layout.diffuse, ColorOf(colors.diffuse));
  Store(out + layout.specular, ColorOf(colors.specular));
  for (uint32_t set = 0; set < d3d::kMaxTextureSets; ++set) {
    const d3d::FvfLayout::TextureSet& place = layout.texture_sets[set];
    const Float4& value = source.coordinates[set].value;
    for (uint32_t i = 0; i < place.dimension; ++i)
      Store(out + place.offset + size_t{4} * i, value[i]);
  }
  return clip;
}

std::optional<ScreenVertices> SoftwareGeometry::Process(uint32_t fvf, uint32_t count,
                                                        Bytes bytes) const {
  const auto reader = VertexReader::OfFvf(fvf);
  const uint32_t size = d3d::FvfVertexSize(fvf);
  if (!reader || size == 0) return std::nullopt;
  count = static_cast<uint32_t>(std::min<uint64_t>(count, bytes.size() / size));
  ScreenVertices result;
  result.fvf = ScreenFvf(fvf);
  const d3d::FvfLayout layout = d3d::DecodeFvf(result.fvf);
  result.size = layout.size;
  result.bytes.resize(size_t{count} * layout.size);
  result.clip.reserve(count);
  const VertexReader::Stream stream{bytes, 0, size};
  for (uint32_t i = 0; i < count; ++i) {
    result.clip.push_back(Process(reader->Read({&stream, 1}, i), layout,
                                  result.bytes.data() + size_t{i} * layout.size));
  }
  return result;
}

}  // namespace dp2trace::runtime::ddraw
