#include "runtime/direct3d/objects.h"

#include <algorithm>
#include <utility>

#include "d3d/interface.h"

namespace dp2trace::runtime {
namespace {

using opcode::Op;

// DDSCAPS_*, DDSCAPS2_*, DDSCAPS3_*. Source: lib/opcode/dp2.md 13.2.
constexpr uint32_t kCapsSystemMemory = 0x800, kCapsTexture = 0x1000, kCaps3dDevice = 0x2000,
                   kCapsVideoMemory = 0x4000;
constexpr uint32_t kCapsZBuffer = 0x20000, kCapsMipMap = 0x400000, kCapsExecuteBuffer = 0x800000,
                   kCapsLocalVideoMemory = 0x10000000;
constexpr uint32_t kCaps2Points = 0x800000, kCaps2RtPatches = 0x1000000, kCaps2NPatches = 0x2000000;
constexpr uint32_t kCaps2VertexBuffer = 0x20, kCaps2CubeMap = 0xFE00, kCaps2Volume = 0x200000;
constexpr uint32_t kCaps3LightWeight = 0x400, kCaps3AutoGen = 0x800, kCaps3QualityShift = 5;

// What is kept of a shader beside its bytes.
constexpr uint64_t kShaderSize = 256;

bool IsTexture(const ResourceDescription& d) {
  return d.type == ResourceType::kTexture || d.type == ResourceType::kCubeTexture ||
         d.type == ResourceType::kVolumeTexture;
}

bool IsSystem(Pool pool) {
  return pool == Pool::kSystemMemory || pool == Pool::kScratch;
}

d3d::SurfaceKind KindOf(const ResourceDescription& d) {
  if (d.type == ResourceType::kVertexBuffer) return d3d::SurfaceKind::kVertexBuffer;
  if (d.type == ResourceType::kIndexBuffer) return d3d::SurfaceKind::kIndexBuffer;
  if (IsTexture(d)) return d3d::SurfaceKind::kTexture;
  if ((d.usage & kUsageDepthStencil) != 0) return d3d::SurfaceKind::kDepth;
  return (d.usage & kUsageRenderTarget) != 0 ? d3d::SurfaceKind::kTarget : d3d::SurfaceKind::kPlain;
}

uint32_t CapsOf(const ResourceDescription& d) {
  uint32_t caps = IsSystem(d.pool) ? kCapsSystemMemory : kCapsVideoMemory | kCapsLocalVideoMemory;
  if (d.type == ResourceType::kVertexBuffer || d.type == ResourceType::kIndexBuffer)
    return caps | kCapsExecuteBuffer;
  if (IsTexture(d)) caps |= kCapsTexture | (d.levels > 1 ? kCapsMipMap : 0);
  if ((d.usage & kUsageRenderTarget) != 0) caps |= kCaps3dDevice;
  if ((d.usage & kUsageDepthStencil) != 0) caps |= kCapsZBuffer;
  return caps;
}

uint32_t Caps2Of(const ResourceDescription& d) {
  switch (d.type) {
    case ResourceType::kVertexBuffer:
      return kCaps2VertexBuffer | ((d.usage & kUsagePoints) != 0 ? kCaps2Points : 0) |
             ((d.usage & kUsageRtPatches) != 0 ? kCaps2RtPatches : 0) |
             ((d.usage & kUsageNPatches) != 0 ? kCaps2NPatches : 0);
    case ResourceType::kCubeTexture:
      return kCaps2CubeMap;
    case ResourceType::kVolumeTexture:
      return kCaps2Volume;
    default:
      return 0;
  }
}

uint32_t Caps3Of(const ResourceDescription& d, bool is_light_weight) {
  uint32_t caps = d.samples | d.sample_quality << kCaps3QualityShift;
  if (is_light_weight && d.levels > 1) caps |= kCaps3LightWeight;
  if ((d.usage & kUsageAutoGenMipMap) != 0) caps |= kCaps3AutoGen;
  return caps;
}

ResourceDescription Completed(ResourceDescription d) {
  d.width = std::max<uint32_t>(d.width, 1);
  d.height = std::max<uint32_t>(d.height, 1);
  d.depth = std::max<uint32_t>(d.depth, 1);
  // Only a volume has depth in its chain, and no chain goes below one pixel.
  const uint32_t full =
      d3d::FullLevelCount(d.width, d.height, d.type == ResourceType::kVolumeTexture ? d.depth : 1);
  const bool is_auto = (d.usage & kUsageAutoGenMipMap) != 0;
  d.levels = d.levels == 0 || is_auto ? full : std::min(d.levels, full);
  return d;
}

}  // namespace

Resource::Resource(std::shared_ptr<DeviceLink> link, const ResourceDescription& description)
    : Object(std::move(link)),
      description_(Completed(description)),
      format_(d3d::FindFormat(description.format)) {
  KeepContent();
  Announce();
  const bool has_copy =
      description_.pool == Pool::kManaged || description_.pool == Pool::kSystemMemory;
  if (!has_copy || !IsTexture(description_)) return;
  dirty_.resize(is_cube() ? kCubeFaceCount : 1);
  for (DirtyRegion& face : dirty_)
    face.Add(WholeLevel(0));
}

void Resource::KeepContent() {
  const bool is_kept = link().keeps_vertices || IsSystem(description_.pool) ||
                       (description_.usage & kUsageSoftwareProcessing) != 0;
  if (description_.type != ResourceType::kVertexBuffer || !is_kept) return;
  share_ = link().recorder.KeepMemory(description_.width);
  if (share_.is_granted()) memory_.resize(description_.width);
}

Resource::~Resource() {
  if (link().is_silent) return;
  link().recorder.DestroySurface(link().space, handle_);
  UncountBoxes();
}

void Resource::Rotate(std::span<const std::shared_ptr<Resource>> resources) {
  for (size_t i = 1; i < resources.size(); ++i)
    std::swap(resources[i - 1]->handle_, resources[i]->handle_);
}

bool Resource::is_buffer() const {
  return description_.type == ResourceType::kVertexBuffer ||
         description_.type == ResourceType::kIndexBuffer;
}

Extent Resource::LevelExtent(uint32_t level) const {
  if (is_buffer()) return {description_.width, 1, 1};
  return {d3d::ClipLevelExtent(description_.width, level),
          d3d::ClipLevelExtent(description_.height, level),
          is_volume() ? d3d::ClipLevelExtent(description_.depth, level) : 1};
}

uint32_t Resource::Handle(uint32_t face, uint32_t level) const {
  const size_t index = size_t{face} * description_.levels + level;
  return index < sub_handles_.size() ? sub_handles_[index] : handle_;
}

void Resource::Announce() {
  Recorder& recorder = link().recorder;
  const uint32_t space = link().space;
  handle_ = recorder.NewHandle(space);
  trace::SurfaceCreate event;
  event.space = space;
  event.handle = handle_;
  event.kind = KindOf(description_);
  event.width = description_.width;
  event.height = description_.height;
  event.depth = description_.depth;
  event.levels = description_.levels;
  event.faces = is_cube() ? d3d::kAllCubeFaces : 0;
  event.samples = description_.samples;
  event.sample_quality = description_.sample_quality;
  event.format = description_.format;
  // Tokens name a level or face by a handle of its own only where it can be a target.
  const bool has_faces = is_cube();
  const bool is_target = (description_.usage & (kUsageRenderTarget | kUsageDepthStencil)) != 0;
  const bool has_sub_handles =
      !is_buffer() && (has_faces || (is_target && description_.levels > 1));
  event.caps = CapsOf(description_);
  event.caps2 = Caps2Of(description_);
  event.caps3 = Caps3Of(description_, link().level >= 9 && !has_sub_handles);
  const uint32_t faces = has_faces ? kCubeFaceCount : 1;
  for (uint32_t face = 0; has_sub_handles && face < faces; ++face) {
    for (uint32_t level = 0; level < description_.levels; ++level) {
      sub_handles_.push_back(face == 0 && level == 0 ? handle_ : recorder.NewHandle(space));
      if (face == 0 && level == 0) continue;
      trace::SubSurface sub;
      sub.handle = sub_handles_.back();
      sub.face = face;
      sub.level = level;
      event.sub_surfaces.push_back(sub);
    }
  }
  recorder.CreateSurface(event);
}

Shader::Shader(std::shared_ptr<DeviceLink> shared, ShaderKind kind, Bytes declaration, Bytes code)
    : Object(std::move(shared)), kind_(kind), has_code_(!code.empty()) {
  DeviceLink& device = link();
  share_ = device.recorder.HoldShare(kShaderSize + declaration.size());
  if (device.keeps_vertices && kind != ShaderKind::kPixelShader) {
    code_share_ = device.recorder.KeepMemory(code.size());
    if (code_share_.is_granted()) code_.assign(code.begin(), code.end());
  }
  std::vector<uint8_t> tail(declaration.begin(), declaration.end());
  tail.insert(tail.end(), code.begin(), code.end());
  const auto declaration_size = static_cast<uint32_t>(declaration.size());
  const auto code_size = static_cast<uint32_t>(code.size());
  // Level 8 vertex shaders and declarations have bit 0 set: the other values are FVF codes.
  switch (kind) {
    case ShaderKind::kVertexShader8:
      declaration_.assign(declaration.begin(), declaration.end());
      handle_ = device.next_vertex_shader++ * 2 + 1;
      device.recorder.Token(device.context, Op::kCreateVertexShader,
                            {handle_, declaration_size, code_size}, tail);
      break;
    case ShaderKind::kDeclaration:
      declaration_.assign(declaration.begin(), declaration.end());
      handle_ = device.next_declaration++ * 2 + 1;
      device.recorder.Token(device.context, Op::kCreateVertexShaderDecl,
                            {handle_, declaration_size / 8}, tail);
      break;
    case ShaderKind::kVertexFunction:
      handle_ = ++device.next_vertex_shader;
      device.recorder.Token(device.context, Op::kCreateVertexShaderFunc, {handle_, code_size},
                            tail);
      break;
    case ShaderKind::kPixelShader:
      handle_ = ++device.next_pixel_shader;
      device.recorder.Token(device.context, Op::kCreatePixelShader, {handle_, code_size}, tail);
      break;
  }
}

Shader::~Shader() {
  static constexpr Op kDeletes[] = {Op::kDeleteVertexShader, Op::kDeleteVertexShaderDecl,
                                    Op::kDeleteVertexShaderFunc, Op::kDeletePixelShader};
  if (!link().is_open || link().is_silent) return;
  link().recorder.Token(link().context, kDeletes[static_cast<size_t>(kind_)], {handle_});
}

Query::Query(std::shared_ptr<DeviceLink> shared, uint32_t type)
    : Object(std::move(shared)), id_(++link().next_query) {
  link().recorder.Token(link().context, Op::kCreateQuery, {id_, type});
}

Query::~Query() {
  if (link().is_open && !link().is_silent)
    link().recorder.Token(link().context, Op::kDeleteQuery, {id_});
}

void Query::Issue(uint32_t flags) {
  link().recorder.Token(link().context, Op::kIssueQuery, {id_, flags});
}

namespace {

// DDLOCK bits for D3DLOCK bits: they are the same, but for one. Source: lib/opcode/dp2.md 13.
uint32_t DriverLockFlags(uint32_t flags) {
  constexpr uint32_t kNoDirtyUpdate = 0x8000;  // D3DLOCK_NO_DIRTY_UPDATE
  return (flags & kNoDirtyUpdate) == 0 ? flags : (flags & ~kNoDirtyUpdate) | kLockNoDirtyUpdate;
}

// A lock (DDLOCK bits) with neither of the flags that keep the texture clean. Source: IDirect3DTexture9::LockRect.
bool MakesDirty(uint32_t flags) {
  return (flags & (d3d::kLockReadOnly | kLockNoDirtyUpdate)) == 0;
}

}  // namespace

LockedArea BeginLock(const SurfaceRef& surface, const std::optional<d3d::Box>& box, uint32_t pitch,
                     uint32_t slice_pitch, uint32_t flags) {
  const Resource& resource = *surface.resource;
  const Extent extent = surface.extent();
  LockedArea area;
  area.space = resource.link().space;
  area.handle = resource.handle();
  area.face = surface.face;
  area.level = surface.level;
  area.box = resource.WholeLevel(surface.level);
  area.is_whole = !box || *box == area.box;
  if (box) {
    area.box = {std::min(box->left, extent.width),  std::min(box->top, extent.height),
                std::min(box->right, extent.width), std::min(box->bottom, extent.height),
                std::min(box->front, extent.depth), std::min(box->back, extent.depth)};
  }
  area.is_volume = resource.is_volume();
  area.pitch = pitch;
  area.slice_pitch = slice_pitch;
  area.flags = DriverLockFlags(flags);
  area.format = resource.format();
  if (MakesDirty(area.flags)) surface.resource->AddDirty(surface.face, surface.level, area.box);
  return area;
}

void WriteArea(const SurfaceRef& surface, const LockedArea& area,
               std::span<const MemoryWrite> writes) {
  Resource& resource = *surface.resource;
  // A draw since the lock began has made it clean.
  if (MakesDirty(area.flags)) resource.AddDirty(surface.face, surface.level, area.box);
  SplitWrites(area, writes,
              [&](const trace::SurfaceUpdate& update) { resource.RecordUpdate(update); });
  if (surface.level == 0 && !writes.empty()) resource.needs_levels = resource.has_auto_levels();
}

void MarkWritten(const SurfaceRef& surface) {
  if (!surface) return;
  Resource& resource = *surface.resource;
  if (surface.level == 0 && resource.has_auto_levels()) resource.needs_levels = true;
  if (!resource.has_dirty_regions()) return;
  resource.AddDirty(surface.face, surface.level, resource.WholeLevel(surface.level));
}

void WriteBuffer(Resource& buffer, uint64_t offset, uint32_t flags,
                 std::span<const MemoryWrite> writes) {
  std::vector<uint8_t>& memory = buffer.memory();
  for (const MemoryWrite& write : writes) {
    const uint64_t start = offset + write.offset;
    if (start >= memory.size()) continue;
    const auto size = std::min<uint64_t>(write.bytes.size(), memory.size() - start);
    std::copy_n(write.bytes.begin(), size, memory.begin() + static_cast<std::ptrdiff_t>(start));
  }
  RecordBufferWrites(buffer.link().recorder, buffer.link().space, buffer.handle(), offset,
                     buffer.description().width, DriverLockFlags(flags), writes);
}

void ReadArea(const SurfaceRef& surface, const std::optional<d3d::Rect>& rect, uint32_t flags) {
  trace::SurfaceRead read;
  read.space = surface.resource->link().space;
  read.handle = surface.resource->handle();
  read.face = surface.face;
  read.level = surface.level;
  read.rect = rect;
  read.flags = DriverLockFlags(flags);
  surface.resource->link().recorder.ReadSurface(read);
}

}  // namespace dp2trace::runtime
