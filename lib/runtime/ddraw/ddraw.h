// The model of DirectDraw and Direct3D 2 to 7: objects by interface pointer, and what their life means for the driver.
// Calls that failed must not reach it. Knows nothing of how the calls were captured.
// Source: lib/design.md 2 and 3; Microsoft's DirectDraw 7 and Direct3D 7 API reference.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "runtime/ddraw/device.h"
#include "runtime/ddraw/legacy_direct3d.h"
#include "runtime/ddraw/palette_contexts.h"
#include "runtime/ddraw/surface_table.h"

namespace dp2trace::runtime::ddraw {

// A DirectDraw object: a name space of surfaces, and the display mode that describes surfaces without size or format.
struct DrawObject {
  std::optional<uint32_t> space;  // from the first surface on
  DisplayMode mode;
};

// Vertices in the memory of the runtime.
struct VertexBuffer {
  uint32_t fvf = 0;
  MemoryShare share;           // of what the model may keep
  std::vector<uint8_t> bytes;  // empty where that was too much

  // Vertices that the bytes hold.
  uint32_t count() const;
  // Vertices [start, start + size), as far as the buffer holds them.
  Vertices Part(uint32_t start, uint32_t size) const;
};

struct ProcessVerticesCall {
  ObjectId device = 0, dest = 0, source = 0;
  uint32_t operation = 0;  // D3DVOP_*
  uint32_t dest_index = 0, source_index = 0, count = 0;
  uint32_t flags = 0;  // D3DPV_*
};

class DirectDraw {
 public:
  explicit DirectDraw(Recorder& recorder)
      : recorder_(recorder),
        surfaces_(recorder),
        legacy_(recorder, surfaces_),
        palette_contexts_(recorder) {}
  DirectDraw(const DirectDraw&) = delete;
  DirectDraw& operator=(const DirectDraw&) = delete;

  SurfaceTable& surfaces() { return surfaces_; }
  size_t device_count() const { return devices_.size(); }
  // What Direct3D 2 to 6 have beside devices.
  LegacyDirect3D& legacy() { return legacy_; }

  void OpenObject(ObjectId id) { recorder_.At(objects_, id) = std::make_shared<DrawObject>(); }
  // The object; made where the capture does not show its creation.
  DrawObject& ObjectOf(ObjectId id);
  // GetDirect3D, GetDDInterface: `returned` is the object to which the space belongs.
  void AdoptObject(ObjectId returned, uint32_t space);
  // QueryInterface: `returned` is another interface of the same object. False where nothing is known of `id`.
  bool AddInterface(ObjectId id, ObjectId returned);
  // AddRef and Release with the count that they returned. False where nothing is known of `id`.
  bool SetReferences(ObjectId id, uint32_t count);

  // A call returned this description of the surface.
  void Learn(Surface& surface, const SurfaceDescription& description);
  Surface* CreateSurface(ObjectId draw, const SurfaceDescription& description, ObjectId id);
  // A depth buffer, or another surface (a buffer of a flip chain, a level).
  bool Attach(ObjectId surface, ObjectId attached);
  // `attached` 0: whatever is attached.
  bool Detach(ObjectId surface, ObjectId attached);
  bool Flip(ObjectId front, ObjectId override);

  // The attached depth surface is bound too.
  Device* CreateDevice(ObjectId target, ObjectId id);
  // A device of Direct3D 2 to 6. One of the first interface is a part of its target: QueryInterface gives each from the other, and they
  // end together.
  LegacyDevice* CreateLegacyDevice(ObjectId target, ObjectId id, DeviceVersion version,
                                   DeviceClass device_class);
  Device* FindDevice(ObjectId id) const;
  // Null also for a device of Direct3D 7.
  LegacyDevice* FindLegacyDevice(ObjectId id) const { return legacy_.FindDevice(FindDevice(id)); }
  bool SetTarget(ObjectId device, ObjectId target);

  void CreatePalette(ObjectId id, uint32_t flags, uint32_t count,
                     const std::vector<uint32_t>& palette_entries);
  // Entries as PALETTEENTRY read in memory order: red in the low byte.
  bool SetEntries(ObjectId palette, uint32_t first, const std::vector<uint32_t>& palette_entries);
  // Palette 0 detaches.
  bool SetPalette(ObjectId surface, ObjectId palette);

  void CreateClipper(ObjectId id) { recorder_.At(clippers_, id) = std::make_shared<Clipper>(); }
  // False where the clipper is not known.
  bool SetClipWindow(ObjectId clipper, bool has_window);
  bool SetClipList(ObjectId clipper, std::optional<d3d::Rect> bounds);
  // Clipper 0 detaches.
  bool SetClipper(ObjectId surface, ObjectId clipper);

  // What Load copies beside the pixels: colour keys, and the entries of a palette to another.
  void CopyProperties(const Surface& source, Surface& dest);
  bool SetLod(ObjectId texture, uint32_t lod);
  // IDirect3DTexture::Load: all levels, the colour keys, and the entries of a palette. False where sizes or formats differ.
  bool LoadTexture(Surface& dest, Surface& source);
  // IDirect3DDevice::Execute. False where an object is not known, or something of the buffer could not be done.
  bool Execute(LegacyDevice& device, ObjectId buffer, ObjectId viewport, uint32_t flags);

  void CreateVertexBuffer(ObjectId id, uint32_t fvf, uint32_t count);
  VertexBuffer* FindVertexBuffer(ObjectId id) const;
  // False where the buffers do not hold the vertices, the formats have no position, or a state asks for what is not done.
  bool ProcessVertices(const ProcessVerticesCall& call);

 private:
  // Surfaces that a palette of this one shows.
  static std::vector<Surface*> ShownWith(Surface& root);
  // What textures got before the device was there.
  void SendTextureProperties(Device& device);
  void SendEntries(const Palette& palette, uint32_t first, uint32_t count);
  void SetPaletteEntries(Palette& palette, uint32_t first,
                         const std::vector<uint32_t>& palette_entries);

  struct OwnedDevice {
    std::unique_ptr<Device> device;
    bool is_part_of_target = false;  // of the first interface
  };

  // Devices that draw to the surface see what is attached to it now.
  void UpdateTargets(const Surface& target);
  Device* AddDevice(ObjectId target, ObjectId id, uint32_t runtime_version);
  void CloseDevice(const Device& closed);
  bool ProcessLegacyVertices(const LegacyDevice& device, const ProcessVerticesCall& call,
                             VertexBuffer& dest, const VertexBuffer& source);

  Recorder& recorder_;
  SurfaceTable surfaces_;
  LegacyDirect3D legacy_;
  PaletteContexts palette_contexts_;  // of objects without a device
  std::map<ObjectId, std::shared_ptr<DrawObject>> objects_;
  std::vector<OwnedDevice> devices_;
  std::map<ObjectId, Device*> device_interfaces_;
  std::map<ObjectId, std::shared_ptr<Palette>> palettes_;
  std::map<ObjectId, std::shared_ptr<Clipper>> clippers_;
  std::map<ObjectId, std::unique_ptr<VertexBuffer>> vertex_buffers_;
  uint32_t palette_count_ = 0;
};

}  // namespace dp2trace::runtime::ddraw
