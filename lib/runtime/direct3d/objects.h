// The objects of a Direct3D 8 or 9 device that a driver knows by a handle. An object that dies tells the driver.
// Source: lib/opcode/dp2.md 12, 13 and 18.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "runtime/core/area_update.h"
#include "runtime/core/dirty_region.h"
#include "runtime/core/recorder.h"
#include "runtime/direct3d/held_writes.h"

namespace dp2trace::runtime {

// D3DPOOL.
enum class Pool : uint32_t { kDefault = 0, kManaged = 1, kSystemMemory = 2, kScratch = 3 };

// D3DUSAGE.
inline constexpr uint32_t kUsageRenderTarget = 1;
inline constexpr uint32_t kUsageDepthStencil = 2;
inline constexpr uint32_t kUsageSoftwareProcessing = 0x10;
inline constexpr uint32_t kUsagePoints = 0x40;
inline constexpr uint32_t kUsageRtPatches = 0x80;
inline constexpr uint32_t kUsageNPatches = 0x100;
inline constexpr uint32_t kUsageAutoGenMipMap = 0x400;

// What objects share with their device.
struct DeviceLink {
  Recorder& recorder;
  uint32_t level = 9;  // 8 or 9
  uint32_t space = 0;
  uint64_t context = 0;
  bool is_open = true;     // the context lives
  bool is_silent = false;  // the recording is over: objects die without events
  // The runtime may process vertices itself: the contents of vertex buffers are kept.
  bool keeps_vertices = false;
  // Handles of shaders, declarations, queries: counted per kind.
  uint32_t next_vertex_shader = 0;
  uint32_t next_declaration = 0;
  uint32_t next_pixel_shader = 0;
  uint32_t next_query = 0;
};

class Object {
 public:
  explicit Object(std::shared_ptr<DeviceLink> link) : link_(std::move(link)) {}
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;
  virtual ~Object() = default;

  DeviceLink& link() const { return *link_; }

 private:
  std::shared_ptr<DeviceLink> link_;
};

enum class ResourceType : uint8_t {
  kTexture,
  kCubeTexture,
  kVolumeTexture,
  kSurface,
  kVertexBuffer,
  kIndexBuffer
};

struct ResourceDescription {
  ResourceType type = ResourceType::kSurface;
  uint32_t width = 0;  // pixels; bytes of a buffer
  uint32_t height = 1;
  uint32_t depth = 1;
  uint32_t levels = 1;  // 0: the full chain
  uint32_t format = 0;  // D3DFORMAT
  uint32_t fvf = 0;     // of a vertex buffer
  uint32_t usage = 0;
  Pool pool = Pool::kDefault;
  uint32_t samples = 0;
  uint32_t sample_quality = 0;
  bool is_implicit = false;  // of a swap chain, or the depth surface of the device
};

struct Extent {
  uint32_t width = 0, height = 0, depth = 1;
};

// A texture, a surface of its own, or a buffer: one surface of the driver. A managed resource is one too: what the program writes
// reaches it at the unlock, as if the next use uploaded it then, but for what is not dirty before that use.
class Resource final : public Object {
 public:
  Resource(std::shared_ptr<DeviceLink> link, const ResourceDescription& description);
  ~Resource() override;

  const ResourceDescription& description() const { return description_; }
  const d3d::FormatInfo* format() const { return format_; }
  bool is_buffer() const;
  bool is_cube() const { return description_.type == ResourceType::kCubeTexture; }
  bool is_volume() const { return description_.type == ResourceType::kVolumeTexture; }
  bool has_auto_levels() const { return (description_.usage & kUsageAutoGenMipMap) != 0; }
  Extent LevelExtent(uint32_t level) const;
  d3d::Box WholeLevel(uint32_t level) const;
  // Names the resource among the live ones of all devices.
  uint64_t id() const { return uint64_t{link().space} << 32 | handle_; }

  // Of the root.
  uint32_t handle() const { return handle_; }
  // Of a face's top level: what blits name beside a level number.
  uint32_t FaceHandle(uint32_t face) const { return Handle(face, 0); }
  // Of a face and level; the root's where it has no own.
  uint32_t Handle(uint32_t face, uint32_t level) const;

  // The memory behind each becomes that of the next one, that of the last the first one's: handles follow the memory.
  static void Rotate(std::span<const std::shared_ptr<Resource>> resources);
  // The content of a vertex buffer that ProcessVertices may read; empty for others.
  std::vector<uint8_t>& memory() { return memory_; }

  // ---- the system copy of a texture, of the pools MANAGED and SYSTEMMEM; nothing for others (resource_dirty.cpp) ----
  // A part of a level is dirty, and so is the corresponding part of the others; what the managed pool held back there is recorded.
  void AddDirty(uint32_t face, uint32_t level, const d3d::Box& box);
  // Parts of the top level of a face. A new texture is dirty.
  std::span<const d3d::Box> dirty(uint32_t face) const;
  bool has_dirty_regions() const { return !dirty_.empty(); }
  // UpdateTexture has copied it, or a managed texture is used.
  void ForgetDirty();
  // Everything that the managed pool holds back is recorded (EvictManagedResources).
  void RecordHeld();
  // Records what the program wrote; of a managed texture what lies where nothing is dirty waits until it is.
  void RecordUpdate(const trace::SurfaceUpdate& update);

  // Lower levels of an automatic chain are out of date.
  bool needs_levels = false;
  uint32_t auto_filter = 2;  // D3DTEXF_LINEAR

 private:
  void UncountBoxes() const;
  void Announce();
  void KeepContent();
  HeldWrites* HeldOf(uint32_t face, uint32_t level);
  void Release(uint32_t face, uint32_t level, const d3d::Box& box);
  // Counts the work on what is held of a box.
  bool SpendOn(const d3d::Box& box) const;

  // What is held back of a level, and its memory.
  struct HeldLevel {
    MemoryShare share;
    HeldWrites writes;
  };

  ResourceDescription description_;
  const d3d::FormatInfo* format_;
  uint32_t handle_ = 0;
  std::vector<uint32_t> sub_handles_;  // by face * levels + level; empty: only the root has one
  MemoryShare share_;                  // of what may be kept
  std::vector<uint8_t> memory_;
  std::vector<DirtyRegion> dirty_;                           // by face
  size_t counted_boxes_ = 0;                                 // of the largest region
  std::map<std::pair<uint32_t, uint32_t>, HeldLevel> held_;  // by face and level
};

// A face and level of a resource.
struct SurfaceRef {
  std::shared_ptr<Resource> resource;
  uint32_t face = 0;
  uint32_t level = 0;

  explicit operator bool() const { return resource != nullptr; }
  bool operator==(const SurfaceRef&) const = default;
  Extent extent() const { return resource->LevelExtent(level); }
  uint32_t handle() const { return resource ? resource->Handle(face, level) : 0; }
};

// The device wrote it: its levels are made again before they are used, where the runtime makes them. Nothing for no surface.
void MarkWritten(const SurfaceRef& surface);

enum class ShaderKind : uint8_t { kVertexShader8, kDeclaration, kVertexFunction, kPixelShader };

// A shader or vertex declaration.
class Shader final : public Object {
 public:
  // `declaration`: tokens of a level 8 vertex shader, or elements of a declaration without the end marker, 8 bytes each.
  Shader(std::shared_ptr<DeviceLink> shared, ShaderKind kind, Bytes declaration, Bytes code);
  ~Shader() override;

  ShaderKind kind() const { return kind_; }
  uint32_t handle() const { return handle_; }
  // Of a kDeclaration or kVertexShader8.
  Bytes declaration() const { return declaration_; }
  // Of a vertex shader that the runtime may run itself (DeviceLink::keeps_vertices); empty for others.
  Bytes code() const { return code_; }
  bool has_code() const { return has_code_; }

 private:
  ShaderKind kind_;
  uint32_t handle_ = 0;
  std::vector<uint8_t> declaration_, code_;
  bool has_code_ = false;
  MemoryShare share_, code_share_;
};

class Query final : public Object {
 public:
  Query(std::shared_ptr<DeviceLink> shared, uint32_t type);
  ~Query() override;
  // D3DISSUE_*: END 1, BEGIN 2.
  void Issue(uint32_t flags);

 private:
  uint32_t id_;
};

// ---------- what the CPU does to resources: `flags` are D3DLOCK bits, those of LockedArea DDLOCK bits ----------

// A lock of a level begins: `box` none = the whole level. What it may write becomes dirty.
LockedArea BeginLock(const SurfaceRef& surface, const std::optional<d3d::Box>& box, uint32_t pitch,
                     uint32_t slice_pitch, uint32_t flags);
// Writes through a lock of that area, at its end; marks automatic levels.
void WriteArea(const SurfaceRef& surface, const LockedArea& area,
               std::span<const MemoryWrite> writes);
void WriteBuffer(Resource& buffer, uint64_t offset, uint32_t flags,
                 std::span<const MemoryWrite> writes);
// A read-only lock of a surface.
void ReadArea(const SurfaceRef& surface, const std::optional<d3d::Rect>& rect, uint32_t flags);

}  // namespace dp2trace::runtime
