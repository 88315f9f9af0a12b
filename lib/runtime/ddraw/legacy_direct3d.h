// The objects of Direct3D 2 to 6 by interface pointer: devices, viewports, materials, lights, execute buffers.
// Source: Microsoft's DirectX 6 API reference.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <vector>

#include "runtime/ddraw/execute_buffer.h"
#include "runtime/ddraw/legacy_device.h"
#include "runtime/ddraw/surface_table.h"

namespace dp2trace::runtime::ddraw {

class LegacyDirect3D {
 public:
  LegacyDirect3D(Recorder& recorder, SurfaceTable& surfaces)
      : recorder_(recorder), surfaces_(surfaces) {}
  LegacyDirect3D(const LegacyDirect3D&) = delete;
  LegacyDirect3D& operator=(const LegacyDirect3D&) = delete;

  LegacyDevice& AddDevice(Device& device, DeviceVersion version, DeviceClass device_class);
  // Null for a device of Direct3D 7.
  LegacyDevice* FindDevice(const Device* device) const;
  // The device ends: what belongs to it has none any more.
  void RemoveDevice(const Device& device);

  void CreateViewport(ObjectId id) {
    recorder_.At(viewports_, id) = std::make_shared<LegacyViewport>();
  }
  void CreateMaterial(ObjectId id) {
    recorder_.At(materials_, id) = std::make_shared<LegacyMaterial>();
  }
  void CreateLight(ObjectId id) { recorder_.At(lights_, id) = std::make_shared<LegacyLight>(); }
  void CreateExecuteBuffer(ObjectId id, uint32_t size);
  // Null where no such object lives.
  LegacyViewport* FindViewport(ObjectId id) const;
  LegacyMaterial* FindMaterial(ObjectId id) const;
  LegacyLight* FindLight(ObjectId id) const;
  ExecuteBuffer* FindExecuteBuffer(ObjectId id) const;
  // AddRef and Release with the count that they returned. False where nothing is known of `id`.
  bool SetReferences(ObjectId id, uint32_t count);
  // QueryInterface: `returned` is the same object. False where nothing is known of `id`.
  bool AddInterface(ObjectId id, ObjectId returned);

  bool AddViewport(LegacyDevice& device, ObjectId id);
  bool DeleteViewport(LegacyDevice& device, ObjectId id);
  bool SetCurrentViewport(LegacyDevice& device, ObjectId id);
  bool AddLight(ObjectId viewport, ObjectId light);
  bool DeleteLight(ObjectId viewport, ObjectId light);
  bool NameMaterial(LegacyDevice& device, uint32_t handle, ObjectId id);
  bool NameTexture(LegacyDevice& device, uint32_t handle, ObjectId id);
  // Surface 0 removes it.
  bool SetBackgroundDepth(ObjectId viewport, ObjectId surface);
  // IDirect3DViewport::Clear: the background material, and depth 1 or what the surface of the background depth holds. False where the
  // depth buffer cannot take it from that surface.
  bool ClearToBackground(const LegacyViewport& viewport, std::span<const d3d::Rect> rects,
                         uint32_t flags);
  // False where an object is not known, or something of the buffer could not be done.
  bool Execute(LegacyDevice& device, ObjectId buffer, ObjectId viewport, uint32_t flags,
               TextureLoader loader);

 private:
  Recorder& recorder_;
  SurfaceTable& surfaces_;
  std::map<const Device*, std::unique_ptr<LegacyDevice>> devices_;
  std::map<ObjectId, std::shared_ptr<LegacyViewport>> viewports_;
  std::map<ObjectId, std::shared_ptr<LegacyMaterial>> materials_;
  std::map<ObjectId, std::shared_ptr<LegacyLight>> lights_;
  std::map<ObjectId, std::unique_ptr<ExecuteBuffer>> execute_buffers_;
};

}  // namespace dp2trace::runtime::ddraw
