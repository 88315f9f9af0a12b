#include "inspect/resource_writer.h"

#include <fmt/format.h>

#include "base/hash.h"
#include "inspect/planes.h"
#include "json/append.h"

namespace dp2trace::inspect {
namespace {

void AppendPicture(json::Builder& out, DataSink& data, const image::Surface& surface, uint32_t face,
                   uint32_t level, image::Area area, const image::Palette* palette) {
  out.Separate();
  out.Raw('{');
  AppendNumber(out, "width", area.width());
  AppendNumber(out, "height", area.height());
  out.Key("data");
  data.AppendPixels(out, ReadPlane(surface, face, level, Plane::kColor, area, palette));
  out.Raw('}');
}

// Faces of a cube or slices of a volume.
void AppendLevel(json::Builder& out, DataSink& data, const image::Surface& surface, uint32_t level,
                 const image::Palette* palette) {
  const image::Area whole = surface.WholeLevel(level);
  for (uint32_t face = 0; face < surface.description().faces; ++face) {
    for (uint32_t slice = 0; slice < whole.back; ++slice) {
      image::Area area = whole;
      area.front = slice;
      area.back = slice + 1;
      AppendPicture(out, data, surface, face, level, area, palette);
    }
  }
}

std::string HashOfTexels(const image::Surface& surface) {
  const image::SurfaceDescription& description = surface.description();
  Xxh3_128Stream hash;
  hash.Add(fmt::format("{} {} {} {} {} {} {};", surface.info().name, description.width,
                       description.height, description.depth, description.levels, description.faces,
                       description.samples));
  for (uint32_t face = 0; face < description.faces; ++face) {
    for (uint32_t level = 0; level < description.levels; ++level) {
      const image::ConstLevel texels = surface.level(face, level);
      hash.Add(Bytes(texels.bytes, texels.slices * texels.slice_pitch));
    }
  }
  return hash.Digest();
}

}  // namespace

std::string ResourceWriter::HashOf(const device::Resource& resource,
                                   const std::optional<image::Palette>& palette) {
  const image::Surface& surface = resource.surface;
  Known& known = known_[surface.id()];
  if (known.hash.empty() || known.generation != surface.generation()) {
    known.generation = surface.generation();
    known.hash = HashOfTexels(surface);
  }
  if (!palette) return known.hash;
  Xxh3_128Stream hash;
  hash.Add(known.hash);
  for (const auto& entry : palette->rgba)
    hash.Add(Bytes(entry));
  hash.Add(palette->has_alpha ? "a" : "o");
  return hash.Digest();
}

bool ShowsPicture(const device::Resource& resource) {
  return !PlanesOf(resource.surface.info()).empty();
}

void AppendShape(json::Builder& out, const device::Resource& resource) {
  const image::SurfaceDescription& description = resource.surface.description();
  AppendText(out, "format_name", resource.surface.info().name);
  AppendText(out, "kind", resource.is_cube() ? "cube" : resource.is_volume() ? "volume" : "2d");
  AppendNumber(out, "width", description.width);
  AppendNumber(out, "height", description.height);
  AppendNumber(out, "depth", description.depth);
}

Result<std::string> ResourceWriter::Add(const device::Resource& resource,
                                        const std::optional<image::Palette>& bound_palette) {
  const image::Surface& surface = resource.surface;
  if (!surface.has_pixels() || !ShowsPicture(resource)) return std::string();
  const std::optional<image::Palette> palette =
      surface.info().has_palette() ? bound_palette : std::nullopt;
  const std::string name = "resources/" + HashOf(resource, palette);
  if (!written_.insert(name).second) return name;
  const Status status = Write(name, resource, palette);
  if (!status.ok()) return status;
  return name;
}

Status ResourceWriter::Write(const std::string& name, const device::Resource& resource,
                             const std::optional<image::Palette>& palette) {
  const image::Surface& surface = resource.surface;
  json::Builder out;
  out.Raw('{');
  AppendShape(out, resource);
  out.Key("levels");
  out.Raw('[');
  for (uint32_t level = 0; level < surface.description().levels; ++level) {
    out.Separate();
    out.Raw('[');
    AppendLevel(out, *data_, surface, level, palette ? &*palette : nullptr);
    out.Raw(']');
  }
  out.Raw("]}");
  return data_->Write(name, out.string());
}

}  // namespace dp2trace::inspect
