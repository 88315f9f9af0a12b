// Surfaces of a space and the handles that name them.
// Source: lib/design.md 3 ("Surfaces", "Spaces"); lib/opcode/dp2.md 12 and 13.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"
#include "device/handle_history.h"
#include "image/surface.h"
#include "trace/events.h"

namespace dp2trace::device {

// Bits of DDSCAPSEX that decide what a token may do. Source: lib/opcode/dp2.md 13.2.
inline constexpr uint32_t kCapsFlip = 0x10;
inline constexpr uint32_t kCapsPrimary = 0x200;
inline constexpr uint32_t kCapsSystemMemory = 0x800;
inline constexpr uint32_t kCapsTexture = 0x1000;
inline constexpr uint32_t kCaps3dDevice = 0x2000;
inline constexpr uint32_t kCapsVideoMemory = 0x4000;
inline constexpr uint32_t kCapsZBuffer = 0x20000;
inline constexpr uint32_t kCapsExecuteBuffer = 0x800000;
inline constexpr uint32_t kCapsLocalVideoMemory = 0x10000000;
inline constexpr uint32_t kCapsNonLocalVideoMemory = 0x20000000;
inline constexpr uint32_t kCaps2TextureManage = 0x10;
inline constexpr uint32_t kCaps2CubeMap = 0x200;
// Of DDSCAPS2_CUBEMAP_POSITIVEX; the other faces follow.
inline constexpr uint32_t kCubeFaceShift = 10;
inline constexpr uint32_t kCaps2CubeFaces = 0xFC00;
inline constexpr uint32_t kCaps2MipMapSubLevel = 0x10000;
inline constexpr uint32_t kCaps2Volume = 0x200000;
inline constexpr uint32_t kCaps3AutoGenMipMap = 0x800;

// One root surface: a texture with all its faces and levels, a target, or a buffer.
struct Resource {
  uint32_t handle = 0;  // of the root
  d3d::SurfaceKind kind = d3d::SurfaceKind::kTexture;
  uint32_t format = 0;  // D3DFORMAT as announced (buffers are stored as bytes); 0: none was
  uint32_t caps = 0, caps2 = 0, caps3 = 0;  // DDSCAPSEX
  uint32_t present_faces = 1;  // bit f: face f exists; a missing face reads as empty_face_color
  uint32_t empty_face_color = 0;
  std::optional<d3d::ColorKey> color_key;  // source colour key
  uint32_t lod = 0;                        // SETTEXLOD
  uint32_t priority = 0;                   // SETPRIORITY
  bool is_announced = true;   // false: known only from the flip chain of another surface
  uint32_t sample_count = 1;  // multisample type as recorded; the surface rounds it up
  image::Surface surface;

  // The trace recorded no caps: checks of single bits do not apply.
  bool lacks_caps() const { return caps == 0 && caps2 == 0 && caps3 == 0; }
  bool is_buffer() const { return surface.info().is_buffer(); }
  bool is_texture() const {
    return kind == d3d::SurfaceKind::kTexture || (caps & kCapsTexture) != 0;
  }
  // False for FOURCC NULL, which keeps only the depth test.
  bool has_pixels() const { return surface.info().kind != d3d::FormatKind::kNone; }
  bool is_driver_managed() const { return (caps2 & kCaps2TextureManage) != 0; }
  bool has_auto_levels() const { return (caps3 & kCaps3AutoGenMipMap) != 0; }
  bool is_cube() const { return surface.description().faces == image::kCubeFaces; }
  bool is_volume() const { return surface.description().depth > 1 || is_declared_volume; }
  bool is_declared_volume = false;  // DDSCAPS2_VOLUME
};

// Whether capabilities and format let a surface be bound as render target, or as depth surface. Source: lib/opcode/dp2.md 13.2 and 14.1.
bool CanBeTarget(const Resource& resource);
bool CanBeDepth(const Resource& resource);
// Whether it can be bound to a texture stage.
bool CanBeTexture(const Resource& resource);

// "an index buffer", "a texture of format P8": for messages.
std::string Describe(const Resource& resource);

// Whether the surface has the face and the level. Source: lib/opcode/dp2.md 13.3.
bool HasSubSurface(const Resource& resource, uint32_t face, uint32_t level);

// What contradicts itself in a DDPIXELFORMAT, as a sentence; empty where nothing does. Source: lib/opcode/dp2.md 13.5.
std::string FindPixelFormatDefect(const d3d::PixelFormat& format);

// The event describes a surface like this one: size, levels, format and kind. True also where it describes none at all.
// Unspecified: the kind of a surface that is known only from a flip chain; chosen: any.
bool IsSameSurface(const trace::SurfaceCreate& create, const Resource& resource);

// What a create event asks for. Fails where no format has this layout (DP2-SURF-014; DP2-SURF-015 where the layout contradicts itself),
// where a volume has no slices (DP2-SURF-013), and where the face of a cube is not square (DP2-SURF-011).
Result<image::SurfaceDescription> DescribeSurface(const trace::SurfaceCreate& event);

// A face and level of a resource. Valid until an event destroys or re-creates the surface.
struct SurfaceRef {
  Resource* resource = nullptr;
  uint32_t face = 0;
  uint32_t level = 0;
  explicit operator bool() const { return resource != nullptr; }
  image::Surface& surface() const { return resource->surface; }
  image::Level bits() const { return resource->surface.level(face, level); }
  bool operator==(const SurfaceRef&) const = default;
};

// The surface table of one DirectDraw object or KMT device; contexts of a space share it.
class Space {
 public:
  Space() = default;
  // `total_bytes`, which outlives the space, is kept as the sum of size_bytes() of all spaces that share it.
  explicit Space(uint64_t& total_bytes) : total_bytes_(&total_bytes) {}
  // A copy, whose surfaces share their bytes (image::Surface).
  Space(const Space& other, uint64_t& total_bytes);
  // Creates, or updates where the handle lives with equal size and format (contents stay); another size or format replaces. The
  // surfaces of the flip chain are created too. Fails (REPLAY-SURFACE-001, DP2-SURF-001, DP2-SURF-014) without a change.
  // `max_bytes` limits all new surfaces of the event together.
  Status Create(const trace::SurfaceCreate& event, const image::SurfaceLimits& limits,
                uint64_t max_bytes = UINT64_MAX);
  // Forgets a root with its sub-surface handles, or one sub-surface handle, whose root may be gone. False where nothing has this handle.
  bool Destroy(uint32_t handle);
  // Another handle of a live root, which it names from now on.
  void AddAlias(uint32_t handle, uint32_t root) { SetAlias(handle, {root, 0, 0}); }
  // The root, level or face that the handle names; empty where none does.
  SurfaceRef Find(uint32_t handle) const;
  // Roots by handle.
  const std::map<uint32_t, std::unique_ptr<Resource>>& roots() const { return roots_; }
  const Resource* FindRoot(uint32_t handle) const {
    const auto found = roots_.find(handle);
    return found == roots_.end() ? nullptr : found->second.get();
  }
  // Of all surfaces, with what the table itself needs.
  uint64_t size_bytes() const { return size_bytes_; }
  // Of the handles that name nothing.
  const HandleHistory& history() const { return history_; }
  // Part of the trace could not be read.
  void NoteLoss() { history_.NoteLoss(); }

 private:
  using Alias = HandleHistory::Part;
  std::map<uint32_t, std::unique_ptr<Resource>> roots_;
  Status TryCreate(const trace::SurfaceCreate& event, const image::SurfaceLimits& limits,
                   uint64_t max_bytes);
  void Insert(std::unique_ptr<Resource> resource);
  void AddBytes(uint64_t bytes);
  void RemoveBytes(uint64_t bytes);
  void SetAlias(uint32_t handle, const Alias& alias);
  // False where nothing has this handle.
  bool EraseAlias(uint32_t handle);
  // The handles of sub-surfaces of a root, which name nothing any more, and what they named.
  std::vector<std::pair<uint32_t, Alias>> TakeAliasesOf(uint32_t root);
  void AddAliases(const trace::SurfaceCreate& event);

  std::map<uint32_t, Alias> aliases_;                        // sub-surface handles
  std::set<std::pair<uint32_t, uint32_t>> aliases_by_root_;  // root and sub-surface handle
  // The handles of an announcement that made nothing.
  void Refuse(const trace::SurfaceCreate& event);

  HandleHistory history_;
  uint64_t size_bytes_ = 0;
  uint64_t* total_bytes_ = nullptr;
};

}  // namespace dp2trace::device
