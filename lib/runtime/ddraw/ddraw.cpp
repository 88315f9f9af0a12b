#include "runtime/ddraw/ddraw.h"

#include <algorithm>
#include <utility>

#include "d3d/fvf.h"

namespace dp2trace::runtime::ddraw {

DrawObject& DirectDraw::ObjectOf(ObjectId id) {
  std::shared_ptr<DrawObject>& object = objects_[id];
  if (object == nullptr) object = std::make_shared<DrawObject>();
  return *object;
}

void DirectDraw::AdoptObject(ObjectId returned, uint32_t space) {
  if (objects_.contains(returned)) return;
  const auto found = std::ranges::find_if(
      objects_, [&](const auto& entry) { return entry.second->space == space; });
  const std::shared_ptr<DrawObject> object =
      found == objects_.end() ? std::make_shared<DrawObject>() : found->second;
  object->space = space;
  objects_[returned] = object;
}

bool DirectDraw::AddInterface(ObjectId id, ObjectId returned) {
  if (Surface* const surface = surfaces_.Find(id)) {
    surfaces_.AddInterface(returned, *surface);
    return true;
  }
  if (const auto found = objects_.find(id); found != objects_.end()) {
    const std::shared_ptr<DrawObject> object = found->second;
    objects_[returned] = object;
    return true;
  }
  return devices_.contains(id) || palettes_.contains(id) || vertex_buffers_.contains(id);
}

bool DirectDraw::SetReferences(ObjectId id, uint32_t count) {
  if (surfaces_.SetReferences(id, count)) return true;
  if (const auto found = devices_.find(id); found != devices_.end()) {
    if (count != 0) return true;
    const std::unique_ptr<Device> device = std::move(found->second);
    devices_.erase(found);
    // The reference goes first: while the device pins its target the surface lives, and Close() then destroys it.
    surfaces_.LetGo(device->target_interface(), device->target());
    device->Close();
    return true;
  }
  if (palettes_.contains(id)) {
    if (count == 0) palettes_.erase(id);
    return true;
  }
  if (vertex_buffers_.contains(id)) {
    if (count == 0) vertex_buffers_.erase(id);
    return true;
  }
  if (!objects_.contains(id)) return false;
  if (count == 0) objects_.erase(id);
  return true;
}

Surface* DirectDraw::CreateSurface(ObjectId draw, const SurfaceDescription& description,
                                   ObjectId id) {
  DrawObject& object = ObjectOf(draw);
  if (!object.space) object.space = recorder_.NewSpace();
  return surfaces_.Create(*object.space, object.mode, description, id);
}

void DirectDraw::Learn(Surface& surface, const SurfaceDescription& description) {
  if (!surfaces_.Learn(surface, description)) return;
  for (const auto& [id, device] : devices_) {
    if (device->space() == surface.space) device->UpdateHandles(*surface.complex);
  }
}

bool DirectDraw::AttachDepth(ObjectId surface, ObjectId depth) {
  Surface* const holder = surfaces_.Find(surface);
  Surface* const attached = surfaces_.Find(depth);
  if (holder == nullptr || attached == nullptr || !attached->Has(ddscaps::kZBuffer)) return false;
  surfaces_.AttachDepth(*holder, *attached, depth);
  for (const auto& [id, device] : devices_) {
    if (&device->target() == holder) device->UpdateTarget();
  }
  return true;
}

bool DirectDraw::DetachDepth(ObjectId surface, ObjectId depth) {
  Surface* const holder = surfaces_.Find(surface);
  if (holder == nullptr) return false;
  const bool had_depth = holder->depth != nullptr;
  surfaces_.DetachDepth(*holder, depth == 0 ? nullptr : surfaces_.Find(depth));
  if (!had_depth || holder->depth != nullptr) return !had_depth;
  for (const auto& [id, device] : devices_) {
    if (&device->target() == holder) device->UpdateTarget();
  }
  return true;
}

bool DirectDraw::Flip(ObjectId front, ObjectId override) {
  Surface* const surface = surfaces_.Find(front);
  if (surface == nullptr ||
      !surfaces_.Flip(*surface, override == 0 ? nullptr : surfaces_.Find(override)))
    return false;
  for (const auto& [id, device] : devices_) {
    if (device->space() == surface->space) device->UpdateHandles(*surface->complex);
  }
  return true;
}

Device* DirectDraw::CreateDevice(ObjectId target, ObjectId id) {
  Surface* const surface = surfaces_.Find(target);
  if (surface == nullptr) return nullptr;
  if (devices_.contains(id)) (void)SetReferences(id, 0);
  surfaces_.Hold(target);
  std::unique_ptr<Device>& device = devices_[id];
  device = std::make_unique<Device>(recorder_, surfaces_, *surface, target);
  SendTextureProperties(*device);
  return device.get();
}

Device* DirectDraw::FindDevice(ObjectId id) const {
  const auto found = devices_.find(id);
  return found == devices_.end() ? nullptr : found->second.get();
}

bool DirectDraw::SetTarget(ObjectId device_id, ObjectId target) {
  Device* const device = FindDevice(device_id);
  Surface* const surface = surfaces_.Find(target);
  if (device == nullptr || surface == nullptr || surface->space != device->space()) return false;
  surfaces_.Hold(target);
  surfaces_.LetGo(device->target_interface(), device->target());
  device->SetTarget(*surface, target);
  return true;
}

void DirectDraw::CreatePalette(ObjectId id, uint32_t flags, uint32_t count,
                               const std::vector<uint32_t>& palette_entries) {
  auto palette = std::make_shared<Palette>();
  palette->number = ++palette_count_;
  palette->flags = flags;
  palette->count = std::min<uint32_t>(count, 256);
  SetPaletteEntries(*palette, 0, palette_entries);
  palettes_[id] = std::move(palette);
}

void DirectDraw::SetPaletteEntries(Palette& palette, uint32_t first,
                                   const std::vector<uint32_t>& palette_entries) {
  const bool has_alpha = (palette.flags & kPaletteAlpha) != 0;
  for (size_t i = 0; i < palette_entries.size() && first + i < palette.count; ++i) {
    const uint32_t entry = palette_entries[i];
    const uint32_t alpha = has_alpha ? entry >> 24 : 0xFF;
    palette.entries[first + i] =
        alpha << 24 | (entry & 0xFF) << 16 | (entry & 0xFF00) | (entry >> 16 & 0xFF);
    palette.known = std::max(palette.known, first + static_cast<uint32_t>(i) + 1);
  }
}

bool DirectDraw::SetEntries(ObjectId palette_id, uint32_t first,
                            const std::vector<uint32_t>& palette_entries) {
  const auto found = palettes_.find(palette_id);
  if (found == palettes_.end() || first >= found->second->count) return false;
  SetPaletteEntries(*found->second, first, palette_entries);
  SendEntries(*found->second, first,
              static_cast<uint32_t>(std::min<size_t>(palette_entries.size(), 256)));
  return true;
}

void DirectDraw::SendEntries(const Palette& palette, uint32_t first, uint32_t count) {
  for (const auto& [id, device] : devices_)
    device->SendPalette(palette, first, count);
}

void DirectDraw::CopyProperties(const Surface& source, Surface& dest) {
  if (source.dest_key)
    surfaces_.SetColorKey(dest, ddckey::kDestBlt | ddckey::kColorSpace, source.dest_key);
  if (source.source_key)
    surfaces_.SetColorKey(dest, ddckey::kSourceBlt | ddckey::kColorSpace, source.source_key);
  const Palette* const from = source.root->palette.get();
  Palette* const to = dest.root->palette.get();
  if (from == nullptr || to == nullptr || from == to) return;
  to->entries = from->entries;
  to->known = std::min(from->known, to->count);
  SendEntries(*to, 0, to->known);
}

bool DirectDraw::SetPalette(ObjectId surface_id, ObjectId palette_id) {
  Surface* const surface = surfaces_.Find(surface_id);
  const auto found = palettes_.find(palette_id);
  if (surface == nullptr || (palette_id != 0 && found == palettes_.end())) return false;
  surface->root->palette = palette_id == 0 ? nullptr : found->second;
  for (const auto& [id, device] : devices_) {
    if (device->space() != surface->space) continue;
    if (palette_id != 0) device->SendPalette(*found->second, 0, found->second->count);
    device->SendSurfacePalette(*surface->root);
  }
  return true;
}

bool DirectDraw::SetLod(ObjectId texture, uint32_t lod) {
  Surface* const surface = surfaces_.Find(texture);
  if (surface == nullptr || surface->root != surface) return false;
  surface->lod = lod;
  for (const auto& [id, device] : devices_) {
    if (device->space() == surface->space) device->SendLod(*surface);
  }
  return true;
}

void DirectDraw::SendTextureProperties(Device& device) {
  for (const std::unique_ptr<Complex>& complex : surfaces_.complexes()) {
    for (const std::unique_ptr<Surface>& surface : complex->surfaces) {
      if (surface->space != device.space() || surface->root != surface.get()) continue;
      if (surface->lod != 0) device.SendLod(*surface);
      if (surface->palette == nullptr) continue;
      device.SendPalette(*surface->palette, 0, surface->palette->count);
      device.SendSurfacePalette(*surface);
    }
  }
}

void DirectDraw::CreateVertexBuffer(ObjectId id, uint32_t fvf, uint32_t count) {
  auto buffer = std::make_unique<VertexBuffer>();
  buffer->fvf = fvf;
  const uint64_t size = uint64_t{count} * d3d::FvfVertexSize(fvf);
  buffer->share = recorder_.KeepMemory(size);
  if (buffer->share.is_granted()) buffer->bytes.resize(static_cast<size_t>(size));
  vertex_buffers_[id] = std::move(buffer);
}

VertexBuffer* DirectDraw::FindVertexBuffer(ObjectId id) const {
  const auto found = vertex_buffers_.find(id);
  return found == vertex_buffers_.end() ? nullptr : found->second.get();
}

}  // namespace dp2trace::runtime::ddraw
