#include "blame/content.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "base/hash.h"
#include "blame/facts.h"
#include "d3d/stream_source.h"

namespace dp2trace::blame {
namespace {

// A draw of a damaged trace may ask for more; no picture comes of it.
constexpr uint64_t kMaxVertices = uint64_t{1} << 22;

template <class Value>
uint64_t Mix(uint64_t seed, const Value& value) {
  return Xxh3_64({reinterpret_cast<const uint8_t*>(&value), sizeof value}, seed);
}

// Of the streams that the layout names, one after the other: vertex(0) to vertex(count - 1).
template <class Vertex>
uint64_t HashVertices(const device::Draw& draw, uint64_t count, const Vertex& vertex) {
  std::array<bool, device::kStreamCount> is_read = {};
  for (const device::VertexElement& element : draw.layout->elements)
    is_read.at(element.stream) = true;
  uint64_t hash = Mix(0, count);
  for (size_t i = 0; i < is_read.size(); ++i) {
    if (!is_read[i]) continue;
    const device::VertexStream& stream = draw.streams[i];
    const bool is_by_instance = (stream.divider & d3d::kInstanceData) != 0;
    const uint64_t end = std::min(is_by_instance ? draw.instance_count : count, kMaxVertices);
    for (uint64_t k = 0; k < end; ++k) {
      const uint64_t number = is_by_instance ? k : vertex(k);
      hash = Xxh3_64(stream.At(number, 0, stream.stride), hash);
    }
  }
  return hash;
}

uint64_t HashDraw(const device::Draw& draw) {
  const uint64_t count = device::VertexCount(draw.type, draw.primitive_count);
  const uint64_t hash = HashVertices(draw, count, [&draw](uint64_t k) {
    return static_cast<uint64_t>(device::IndexAt(draw, k) + draw.base_vertex);
  });
  return Mix(hash, draw.instance_count);
}

uint64_t HashPatch(const device::PatchDraw& patch) {
  const device::PatchInfo& info = patch.info;
  const uint64_t width = std::max(info.width, 1U);
  const uint64_t count = info.is_triangle ? width : width * info.height;
  uint64_t hash = HashVertices(patch.points, count, [&info, width](uint64_t k) {
    const uint64_t row = info.is_triangle ? 0 : (info.start_height + k / width) * info.stride;
    return row + info.start_width + k % width;
  });
  for (const uint32_t number : {info.width, info.height, info.basis, info.degree})
    hash = Mix(hash, number);
  return Mix(hash, patch.segments);
}

uint64_t HashTexels(const image::Surface& surface) {
  const image::SurfaceDescription& description = surface.description();
  uint64_t hash = 0;
  if (!surface.has_pixels()) return hash;
  for (uint32_t face = 0; face < description.faces; ++face) {
    for (uint32_t level = 0; surface.HasLevel(face, level); ++level) {
      const auto bytes = surface.Read(face, level, surface.WholeLevel(level));
      if (bytes.ok()) hash = Xxh3_64(*bytes, hash);
    }
  }
  return hash;
}

}  // namespace

void ContentReader::AddTextures(const device::Context& context, Content& content) {
  for (const uint32_t slot : TexturesInUse(context)) {
    const device::Resource& texture = *context.Texture(slot);
    const auto [found, is_new] = surfaces_.try_emplace(texture.surface.id());
    Hashed& hashed = found->second;
    if (is_new || hashed.generation != texture.surface.generation())
      hashed = {texture.surface.generation(), HashTexels(texture.surface)};
    content.textures.push_back({slot, texture.handle, hashed.texels});
  }
}

Content ContentReader::OfDraw(const device::Context& context, const device::Draw& draw) {
  Content content;
  content.vertices = HashDraw(draw);
  AddTextures(context, content);
  return content;
}

Content ContentReader::OfPatch(const device::Context& context, const device::PatchDraw& patch) {
  Content content;
  content.vertices = HashPatch(patch);
  AddTextures(context, content);
  return content;
}

}  // namespace dp2trace::blame
