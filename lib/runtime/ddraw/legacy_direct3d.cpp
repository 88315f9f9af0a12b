#include "runtime/ddraw/legacy_direct3d.h"

#include <algorithm>
#include <utility>

namespace dp2trace::runtime::ddraw {
namespace {

// Of looking at an object (Allowance).
constexpr uint64_t kFindSteps = 16;
// Unspecified: how many lights a viewport takes; chosen: many more than any program adds.
constexpr size_t kMaxViewportLights = 4096;

template <class Map>
auto Find(const Map& map, ObjectId id) -> decltype(map.begin()->second.get()) {
  const auto found = map.find(id);
  return found == map.end() ? nullptr : found->second.get();
}

}  // namespace

LegacyDevice& LegacyDirect3D::AddDevice(Device& device, DeviceVersion version,
                                        DeviceClass device_class) {
  std::unique_ptr<LegacyDevice>& place = recorder_.At(devices_, &device);
  place = std::make_unique<LegacyDevice>(recorder_, device, version, device_class);
  return *place;
}

LegacyDevice* LegacyDirect3D::FindDevice(const Device* device) const {
  const auto found = devices_.find(device);
  return found == devices_.end() ? nullptr : found->second.get();
}

void LegacyDirect3D::RemoveDevice(const Device& device) {
  const LegacyDevice* const dying = FindDevice(&device);
  if (dying == nullptr) return;
  (void)recorder_.Spend(viewports_.size() * kFindSteps);
  for (const auto& [id, viewport] : viewports_) {
    if (viewport->device == dying) viewport->device = nullptr;
  }
  recorder_.Erase(devices_, &device);
}

void LegacyDirect3D::CreateExecuteBuffer(ObjectId id, uint32_t size) {
  auto buffer = std::make_unique<ExecuteBuffer>();
  buffer->share = recorder_.KeepMemory(size);
  if (buffer->share.is_granted()) buffer->bytes.resize(size);
  recorder_.At(execute_buffers_, id) = std::move(buffer);
}

LegacyViewport* LegacyDirect3D::FindViewport(ObjectId id) const {
  return Find(viewports_, id);
}

LegacyMaterial* LegacyDirect3D::FindMaterial(ObjectId id) const {
  return Find(materials_, id);
}

LegacyLight* LegacyDirect3D::FindLight(ObjectId id) const {
  return Find(lights_, id);
}

ExecuteBuffer* LegacyDirect3D::FindExecuteBuffer(ObjectId id) const {
  return Find(execute_buffers_, id);
}

bool LegacyDirect3D::SetReferences(ObjectId id, uint32_t count) {
  const bool is_known = viewports_.contains(id) || materials_.contains(id) ||
                        lights_.contains(id) || execute_buffers_.contains(id);
  if (count == 0) {
    recorder_.Erase(viewports_, id);
    recorder_.Erase(materials_, id);
    recorder_.Erase(lights_, id);
    recorder_.Erase(execute_buffers_, id);
  }
  return is_known;
}

bool LegacyDirect3D::AddInterface(ObjectId id, ObjectId returned) {
  const auto add = [&](auto& map) {
    const auto found = map.find(id);
    if (found == map.end()) return false;
    const auto object = found->second;
    recorder_.At(map, returned) = object;
    return true;
  };
  return add(viewports_) || add(materials_) || add(lights_) || execute_buffers_.contains(id);
}

bool LegacyDirect3D::AddViewport(LegacyDevice& device, ObjectId id) {
  LegacyViewport* const viewport = FindViewport(id);
  if (viewport == nullptr) return false;
  viewport->device = &device;
  return true;
}

bool LegacyDirect3D::DeleteViewport(LegacyDevice& device, ObjectId id) {
  LegacyViewport* const viewport = FindViewport(id);
  if (viewport == nullptr) return false;
  if (viewport->device == &device) viewport->device = nullptr;
  if (device.viewport().get() == viewport) device.SetViewport(nullptr);
  return true;
}

bool LegacyDirect3D::SetCurrentViewport(LegacyDevice& device, ObjectId id) {
  const auto found = viewports_.find(id);
  if (found == viewports_.end()) return false;
  device.SetViewport(found->second);
  return true;
}

bool LegacyDirect3D::AddLight(ObjectId viewport_id, ObjectId light_id) {
  LegacyViewport* const viewport = FindViewport(viewport_id);
  const auto light = lights_.find(light_id);
  if (viewport == nullptr || light == lights_.end() ||
      viewport->lights.size() >= kMaxViewportLights)
    return false;
  if (std::ranges::find(viewport->lights, light->second) == viewport->lights.end())
    viewport->lights.push_back(light->second);
  return true;
}

bool LegacyDirect3D::DeleteLight(ObjectId viewport_id, ObjectId light_id) {
  LegacyViewport* const viewport = FindViewport(viewport_id);
  const LegacyLight* const light = FindLight(light_id);
  if (viewport == nullptr || light == nullptr) return false;
  std::erase_if(viewport->lights, [light](const auto& added) { return added.get() == light; });
  return true;
}

bool LegacyDirect3D::SetBackgroundDepth(ObjectId viewport_id, ObjectId surface) {
  LegacyViewport* const viewport = FindViewport(viewport_id);
  const std::shared_ptr<Surface> depth = surfaces_.Share(surface);
  if (viewport == nullptr || (surface != 0 && depth == nullptr)) return false;
  viewport->background_depth = depth;
  return true;
}

// Unspecified: which pixel of the background depth a pixel takes; chosen: the one at the same place of the surface.
bool LegacyDirect3D::ClearToBackground(const LegacyViewport& viewport,
                                       std::span<const d3d::Rect> rects, uint32_t flags) {
  constexpr uint32_t kDepth = d3d::Value(d3d::ClearFlag::ZBuffer);
  LegacyDevice& device = *viewport.device;
  const std::shared_ptr<Surface> background = viewport.background_depth.lock();
  Surface* const depth = device.device().target().depth;
  if ((flags & kDepth) == 0 || background == nullptr || depth == nullptr) {
    device.ClearToBackground(viewport, rects, flags);
    return true;
  }
  if ((flags & ~kDepth) != 0) device.ClearToBackground(viewport, rects, flags & ~kDepth);
  const d3d::Rect area =
      Overlap(Overlap(RectOf(viewport.area), WholeOf(*depth)), WholeOf(*background));
  return std::ranges::all_of(rects, [&](const d3d::Rect& rect) {
    SurfaceTable::BltCall copy;
    copy.dest = depth;
    copy.source = background.get();
    copy.dest_rect = copy.source_rect = Overlap(rect, area);
    return surfaces_.Blt(copy);
  });
}

bool LegacyDirect3D::NameMaterial(LegacyDevice& device, uint32_t handle, ObjectId id) {
  const auto found = materials_.find(id);
  if (found == materials_.end()) return false;
  device.NameMaterial(handle, found->second);
  return true;
}

bool LegacyDirect3D::NameTexture(LegacyDevice& device, uint32_t handle, ObjectId id) {
  const std::shared_ptr<Surface> texture = surfaces_.Share(id);
  if (texture == nullptr || texture->space != device.device().space()) return false;
  device.NameTexture(handle, texture);
  return true;
}

bool LegacyDirect3D::Execute(LegacyDevice& device, ObjectId buffer_id, ObjectId viewport,
                             uint32_t flags, TextureLoader loader) {
  ExecuteBuffer* const buffer = FindExecuteBuffer(buffer_id);
  if (buffer == nullptr || !SetCurrentViewport(device, viewport)) return false;
  return ExecuteBufferRun(device, *buffer, std::move(loader), flags).Run();
}

}  // namespace dp2trace::runtime::ddraw
