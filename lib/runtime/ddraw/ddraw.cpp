#include "runtime/ddraw/ddraw.h"

#include <algorithm>
#include <utility>

#include "d3d/fvf.h"

namespace dp2trace::runtime::ddraw {

namespace {

// Of looking at an object (Allowance).
constexpr uint64_t kObjectSteps = 16;

}  // namespace

DrawObject& DirectDraw::ObjectOf(ObjectId id) {
  std::shared_ptr<DrawObject>& object = recorder_.At(objects_, id);
  if (object == nullptr) object = std::make_shared<DrawObject>();
  return *object;
}

void DirectDraw::AdoptObject(ObjectId returned, uint32_t space) {
  if (objects_.contains(returned) || !recorder_.Spend(objects_.size() * kObjectSteps)) return;
  const auto found = std::ranges::find_if(
      objects_, [&](const auto& entry) { return entry.second->space == space; });
  const std::shared_ptr<DrawObject> object =
      found == objects_.end() ? std::make_shared<DrawObject>() : found->second;
  object->space = space;
  recorder_.At(objects_, returned) = object;
}

bool DirectDraw::AddInterface(ObjectId id, ObjectId returned) {
  if (Surface* const surface = surfaces_.Find(id)) {
    surfaces_.AddInterface(returned, *surface);
    return true;
  }
  if (const auto found = objects_.find(id); found != objects_.end()) {
    const std::shared_ptr<DrawObject> object = found->second;
    recorder_.At(objects_, returned) = object;
    return true;
  }
  if (Device* const device = FindDevice(id)) {
    recorder_.At(device_interfaces_, returned) = device;
    return true;
  }
  return legacy_.AddInterface(id, returned) || palettes_.contains(id) ||
         vertex_buffers_.contains(id) || clippers_.contains(id);
}

bool DirectDraw::SetReferences(ObjectId id, uint32_t count) {
  if (surfaces_.SetReferences(id, count)) {
    // The last reference of a surface whose part a device is ends both.
    const auto part = std::ranges::find_if(devices_, [id](const OwnedDevice& owned) {
      return owned.is_part_of_target && owned.device->target_interface() == id;
    });
    if (count == 0 && part != devices_.end()) CloseDevice(*part->device);
    return true;
  }
  if (const Device* const device = FindDevice(id)) {
    if (count == 0) CloseDevice(*device);
    return true;
  }
  if (legacy_.SetReferences(id, count)) return true;
  if (palettes_.contains(id)) {
    if (count == 0) recorder_.Erase(palettes_, id);
    return true;
  }
  if (vertex_buffers_.contains(id)) {
    if (count == 0) recorder_.Erase(vertex_buffers_, id);
    return true;
  }
  // Surfaces that have it keep it.
  if (clippers_.contains(id)) {
    if (count == 0) recorder_.Erase(clippers_, id);
    return true;
  }
  if (!objects_.contains(id)) return false;
  if (count == 0) recorder_.Erase(objects_, id);
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
  for (const auto& [device, is_part] : devices_) {
    if (device->space() == surface.space) device->UpdateHandles(*surface.complex);
  }
}

bool DirectDraw::Attach(ObjectId surface, ObjectId attached_id) {
  Surface* const holder = surfaces_.Find(surface);
  Surface* const attached = surfaces_.Find(attached_id);
  if (holder == nullptr || attached == nullptr) return false;
  if (!attached->Has(ddscaps::kZBuffer)) {
    surfaces_.Attach(*holder, *attached, attached_id);
    return true;
  }
  surfaces_.AttachDepth(*holder, *attached, attached_id);
  UpdateTargets(*holder);
  return true;
}

bool DirectDraw::Detach(ObjectId surface, ObjectId attached_id) {
  Surface* const holder = surfaces_.Find(surface);
  const Surface* const attached = attached_id == 0 ? nullptr : surfaces_.Find(attached_id);
  if (holder == nullptr) return false;
  if (attached != nullptr && !attached->Has(ddscaps::kZBuffer))
    return surfaces_.Detach(*holder, attached);
  if (attached_id == 0) (void)surfaces_.Detach(*holder, nullptr);
  const bool had_depth = holder->depth != nullptr;
  surfaces_.DetachDepth(*holder, attached);
  if (had_depth && holder->depth == nullptr) UpdateTargets(*holder);
  return holder->depth == nullptr;
}

void DirectDraw::UpdateTargets(const Surface& target) {
  for (const auto& [device, is_part] : devices_) {
    if (&device->target() == &target) device->UpdateTarget();
  }
}

bool DirectDraw::Flip(ObjectId front, ObjectId override) {
  Surface* const surface = surfaces_.Find(front);
  if (surface == nullptr ||
      !surfaces_.Flip(*surface, override == 0 ? nullptr : surfaces_.Find(override)))
    return false;
  for (const Surface* const buffer : SurfaceTable::ChainOf(*surface)) {
    for (const auto& [device, is_part] : devices_) {
      if (device->space() == surface->space && buffer->complex->surfaces.front().get() == buffer)
        device->UpdateHandles(*buffer->complex);
    }
  }
  return true;
}

Device* DirectDraw::AddDevice(ObjectId target, ObjectId id, uint32_t runtime_version) {
  Surface* const surface = surfaces_.Find(target);
  if (surface == nullptr) return nullptr;
  if (!recorder_.Spend(surfaces_.complexes().size() * kObjectSteps)) return nullptr;
  if (const Device* const old = FindDevice(id)) CloseDevice(*old);
  palette_contexts_.Close(surface->space);
  surfaces_.Hold(target);
  devices_.push_back(
      {std::make_unique<Device>(recorder_, surfaces_, *surface, target, runtime_version), false});
  Device* const device = devices_.back().device.get();
  recorder_.At(device_interfaces_, id) = device;
  SendTextureProperties(*device);
  return device;
}

void DirectDraw::CloseDevice(const Device& closed) {
  const auto found = std::ranges::find_if(
      devices_, [&](const OwnedDevice& owned) { return owned.device.get() == &closed; });
  const std::unique_ptr<Device> device = std::move(found->device);
  devices_.erase(found);
  const auto names = std::erase_if(device_interfaces_,
                                   [&](const auto& entry) { return entry.second == device.get(); });
  recorder_.GiveBack(names * Recorder::kEntrySize<decltype(device_interfaces_)>);
  (void)recorder_.Spend(device_interfaces_.size() * kObjectSteps);
  legacy_.RemoveDevice(*device);
  // The reference goes first: while the device pins its target the surface lives, and Close() then destroys it.
  surfaces_.LetGo(device->target_interface(), device->target());
  device->Close();
}

Device* DirectDraw::CreateDevice(ObjectId target, ObjectId id) {
  return AddDevice(target, id, kRuntimeVersion7);
}

LegacyDevice* DirectDraw::CreateLegacyDevice(ObjectId target, ObjectId id, DeviceVersion version,
                                             DeviceClass device_class) {
  // Versions 0, 1, 2 of the runtime are 3.0, 5.0, 6.0.
  Device* const device = AddDevice(target, id, static_cast<uint32_t>(version) - 1);
  if (device == nullptr) return nullptr;
  devices_.back().is_part_of_target = version == DeviceVersion::k1;
  return &legacy_.AddDevice(*device, version, device_class);
}

Device* DirectDraw::FindDevice(ObjectId id) const {
  const auto found = device_interfaces_.find(id);
  return found == device_interfaces_.end() ? nullptr : found->second;
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
  palette->share = recorder_.HoldShare(sizeof(Palette));
  palette->number = ++palette_count_;
  palette->flags = flags;
  palette->count = std::min<uint32_t>(count, 256);
  SetPaletteEntries(*palette, 0, palette_entries);
  recorder_.At(palettes_, id) = std::move(palette);
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
  for (const auto& [device, is_part] : devices_)
    device->SendPalette(palette, first, count);
  palette_contexts_.OnEntries(palette, first, count);
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

// The palette of a primary surface is that of the screen: it shows each buffer of the chain, whichever is in front.
std::vector<Surface*> DirectDraw::ShownWith(Surface& root) {
  const std::vector<Surface*>& chain = root.complex->chain;
  const bool is_screen = root.Has(ddscaps::kPrimarySurface) && !chain.empty();
  return is_screen && chain.front() == &root ? chain : std::vector<Surface*>{&root};
}

bool DirectDraw::SetPalette(ObjectId surface_id, ObjectId palette_id) {
  Surface* const surface = surfaces_.Find(surface_id);
  const auto found = palettes_.find(palette_id);
  if (surface == nullptr || (palette_id != 0 && found == palettes_.end())) return false;
  const std::vector<Surface*> buffers = ShownWith(*surface->root);
  for (Surface* const buffer : buffers)
    buffer->palette = palette_id == 0 ? nullptr : found->second;
  bool has_device = false;
  for (const auto& [device, is_part] : devices_) {
    if (device->space() != surface->space) continue;
    has_device = true;
    if (palette_id != 0) device->SendPalette(*found->second, 0, found->second->count);
    for (const Surface* const buffer : buffers)
      device->SendSurfacePalette(*buffer);
  }
  for (size_t i = 0; !has_device && i < buffers.size(); ++i)
    palette_contexts_.OnSurfacePalette(*buffers[i]);
  return true;
}

bool DirectDraw::SetClipWindow(ObjectId clipper, bool has_window) {
  const auto found = clippers_.find(clipper);
  if (found == clippers_.end()) return false;
  found->second->has_window = has_window;
  return true;
}

bool DirectDraw::SetClipList(ObjectId clipper, std::optional<d3d::Rect> bounds) {
  const auto found = clippers_.find(clipper);
  if (found == clippers_.end()) return false;
  found->second->list = bounds;
  return true;
}

bool DirectDraw::SetClipper(ObjectId surface_id, ObjectId clipper) {
  Surface* const surface = surfaces_.Find(surface_id);
  const auto found = clippers_.find(clipper);
  if (surface == nullptr || (clipper != 0 && found == clippers_.end())) return false;
  surface->clipper = clipper == 0 ? nullptr : found->second;
  return true;
}

bool DirectDraw::SetLod(ObjectId texture, uint32_t lod) {
  Surface* const surface = surfaces_.Find(texture);
  if (surface == nullptr || surface->root != surface) return false;
  surface->lod = lod;
  for (const auto& [device, is_part] : devices_) {
    if (device->space() == surface->space) device->SendLod(*surface);
  }
  return true;
}

bool DirectDraw::LoadTexture(Surface& dest, Surface& source) {
  if (&dest == &source) return true;
  const auto next_level = [](const Surface& surface) -> Surface* {
    for (Surface* const attached : surface.attached) {
      if (attached->root == surface.root && attached->level == surface.level + 1) return attached;
    }
    return nullptr;
  };
  Surface* to = &dest;
  Surface* from = &source;
  for (; to != nullptr && from != nullptr; to = next_level(*to), from = next_level(*from)) {
    const bool is_same = to->width == from->width && to->height == from->height &&
                         FormatOf(to->format) == FormatOf(from->format);
    SurfaceTable::BltCall copy;
    copy.dest = to;
    copy.source = from;
    copy.flags = ddblt::kWait;
    if (!is_same || !surfaces_.Blt(copy)) return false;
  }
  CopyProperties(source, dest);
  return true;
}

bool DirectDraw::Execute(LegacyDevice& device, ObjectId buffer, ObjectId viewport, uint32_t flags) {
  return legacy_.Execute(device, buffer, viewport, flags, [this](Surface& dest, Surface& source) {
    return LoadTexture(dest, source);
  });
}

void DirectDraw::SendTextureProperties(Device& device) {
  for (const std::unique_ptr<Complex>& complex : surfaces_.complexes()) {
    for (const std::shared_ptr<Surface>& surface : complex->surfaces) {
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
  recorder_.At(vertex_buffers_, id) = std::move(buffer);
}

uint32_t VertexBuffer::count() const {
  const uint32_t size = d3d::FvfVertexSize(fvf);
  return size == 0 ? 0 : static_cast<uint32_t>(bytes.size() / size);
}

Vertices VertexBuffer::Part(uint32_t start, uint32_t size) const {
  const uint64_t offset = uint64_t{start} * d3d::FvfVertexSize(fvf);
  if (offset > bytes.size()) return {fvf, size, {}};
  return {fvf, size, Bytes(bytes).subspan(static_cast<size_t>(offset))};
}

VertexBuffer* DirectDraw::FindVertexBuffer(ObjectId id) const {
  const auto found = vertex_buffers_.find(id);
  return found == vertex_buffers_.end() ? nullptr : found->second.get();
}

}  // namespace dp2trace::runtime::ddraw
