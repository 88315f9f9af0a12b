// Textures, surfaces and buffers, and their locks.
#include <algorithm>

#include "d3d/interface.h"
#include "import/bind/direct3d.h"

namespace dp2trace::import {
namespace {

using runtime::Pool;
using runtime::ResourceDescription;
using runtime::ResourceType;
using runtime::SurfaceRef;

// D3DLOCK_READONLY.

Pool PoolOf(uint32_t pool) {
  return pool <= 3 ? static_cast<Pool>(pool) : Pool::kDefault;
}

LockKey KeyOf(const SurfaceRef& surface) {
  return {surface.resource->id(), surface.face * 32 + surface.level};
}

// RECT (4 words) or D3DBOX (left, top, right, bottom, front, back).
std::optional<d3d::Box> BoxAt(const CallArgs& args, size_t index) {
  const std::vector<uint32_t> w = args.Words(index);
  if (w.size() >= 6) return d3d::Box{w[0], w[1], w[2], w[3], w[4], w[5]};
  if (w.size() >= 4) return d3d::Box{w[0], w[1], w[2], w[3], 0, 1};
  return std::nullopt;
}

}  // namespace

Outcome Direct3DBinding::AddResource(const CallArgs& args, const ResourceDescription& description,
                                     size_t out) {
  const ObjectEntry* entry = Find(args.U64(0));
  if (entry == nullptr) return Outcome::kUnsupported;
  const std::shared_ptr<runtime::Device> device = entry->device;
  PutSurface(args.Out(out), device,
             {std::make_shared<runtime::Resource>(device->link(), description), 0, 0});
  return Outcome::kDone;
}

Outcome Direct3DBinding::CreateTexture(const CallArgs& args) {
  ResourceDescription d;
  d.type = ResourceType::kTexture;
  d.width = args.U32(1);
  d.height = args.U32(2);
  d.levels = args.U32(3);
  d.usage = args.U32(4);
  d.format = args.U32(5);
  d.pool = PoolOf(args.U32(6));
  const Outcome outcome = AddResource(args, d, 7);
  if (d.pool == Pool::kSystemMemory) FillFromMemory(args, 7, 8);
  return outcome;
}

// pSharedHandle of system memory points to the program's own memory, which holds the rows without gaps. Source: "Sharing Resources",
// Direct3D 9Ex. Unspecified: what the program writes there later; no call tells, and it is missing.
void Direct3DBinding::FillFromMemory(const CallArgs& args, size_t out, size_t memory) {
  const Bytes bytes = args.Blob(memory);
  const SurfaceRef surface = SurfaceAt(args.Out(out));
  if (bytes.empty() || !surface || surface.resource->format() == nullptr) return;
  const auto pitch =
      static_cast<uint32_t>(d3d::RowSize(*surface.resource->format(), surface.extent().width));
  session_.Mark(args.call());
  const LockWrite write = {0, {bytes.begin(), bytes.end()}};
  runtime::WriteArea(surface, runtime::BeginLock(surface, {}, pitch, 0, 0), {&write, 1});
}

Outcome Direct3DBinding::CreateCubeTexture(const CallArgs& args) {
  ResourceDescription d;
  d.type = ResourceType::kCubeTexture;
  d.width = d.height = args.U32(1);
  d.levels = args.U32(2);
  d.usage = args.U32(3);
  d.format = args.U32(4);
  d.pool = PoolOf(args.U32(5));
  return AddResource(args, d, 6);
}

Outcome Direct3DBinding::CreateVolumeTexture(const CallArgs& args) {
  ResourceDescription d;
  d.type = ResourceType::kVolumeTexture;
  d.width = args.U32(1);
  d.height = args.U32(2);
  d.depth = args.U32(3);
  d.levels = args.U32(4);
  d.usage = args.U32(5);
  d.format = args.U32(6);
  d.pool = PoolOf(args.U32(7));
  return AddResource(args, d, 8);
}

Outcome Direct3DBinding::CreateVertexBuffer(const CallArgs& args) {
  constexpr uint32_t kVertexData = 100;
  ResourceDescription d;
  constexpr uint32_t kUsages = runtime::kUsageSoftwareProcessing | runtime::kUsagePoints |
                               runtime::kUsageRtPatches | runtime::kUsageNPatches;
  d.type = ResourceType::kVertexBuffer;
  d.width = args.U32(1);
  d.usage = args.U32(2) & kUsages;
  d.fvf = args.U32(3);
  d.format = kVertexData;
  d.pool = PoolOf(args.U32(4));
  return AddResource(args, d, 5);
}

Outcome Direct3DBinding::CreateIndexBuffer(const CallArgs& args) {
  ResourceDescription d;
  d.type = ResourceType::kIndexBuffer;
  d.width = args.U32(1);
  d.format = args.U32(3);
  d.pool = PoolOf(args.U32(4));
  return AddResource(args, d, 5);
}

Outcome Direct3DBinding::CreateRenderTarget(const CallArgs& args) {
  ResourceDescription d;
  d.width = args.U32(1);
  d.height = args.U32(2);
  d.format = args.U32(3);
  d.samples = SamplesOf(args.U32(4));
  d.sample_quality = level_ >= 9 ? args.U32(5) : 0;
  d.usage = runtime::kUsageRenderTarget;
  return AddResource(args, d, level_ >= 9 ? 7 : 6);
}

Outcome Direct3DBinding::CreateDepthStencil(const CallArgs& args) {
  ResourceDescription d;
  d.width = args.U32(1);
  d.height = args.U32(2);
  d.format = args.U32(3);
  d.samples = SamplesOf(args.U32(4));
  d.sample_quality = level_ >= 9 ? args.U32(5) : 0;
  d.usage = runtime::kUsageDepthStencil;
  return AddResource(args, d, level_ >= 9 ? 7 : 5);
}

Outcome Direct3DBinding::CreatePlainSurface(const CallArgs& args) {
  ResourceDescription d;
  d.width = args.U32(1);
  d.height = args.U32(2);
  d.format = args.U32(3);
  d.pool = PoolOf(args.U32(4));
  const Outcome outcome = AddResource(args, d, 5);
  if (d.pool == Pool::kSystemMemory) FillFromMemory(args, 5, 6);
  return outcome;
}

Outcome Direct3DBinding::CreateImageSurface(const CallArgs& args) {
  ResourceDescription d;
  d.width = args.U32(1);
  d.height = args.U32(2);
  d.format = args.U32(3);
  d.pool = Pool::kSystemMemory;
  return AddResource(args, d, 4);
}

Outcome Direct3DBinding::GetLevel(const CallArgs& args) {
  const ObjectEntry* entry = Find(args.U64(0));
  if (entry == nullptr) return Outcome::kUnsupported;
  const ObjectEntry texture = *entry;
  PutSurface(args.Out(2), texture.device, {ResourceAt(args.U64(0)), 0, args.U32(1)});
  return Outcome::kDone;
}

Outcome Direct3DBinding::GetCubeSurface(const CallArgs& args) {
  const ObjectEntry* entry = Find(args.U64(0));
  if (entry == nullptr) return Outcome::kUnsupported;
  const ObjectEntry texture = *entry;
  PutSurface(args.Out(3), texture.device, {ResourceAt(args.U64(0)), args.U32(1), args.U32(2)});
  return Outcome::kDone;
}

void Direct3DBinding::OpenSurfaceLock(const CallArgs& args, const SurfaceRef& surface,
                                      size_t locked, size_t area, uint32_t flags) {
  const bool is_volume = surface.resource->is_volume();
  const auto pitch = static_cast<uint32_t>(args.MemberOf(locked, is_volume ? "RowPitch" : "Pitch"));
  const auto slice_pitch = static_cast<uint32_t>(args.MemberOf(locked, "SlicePitch"));
  OpenLock lock;
  lock.surface = surface;
  lock.area = runtime::BeginLock(surface, BoxAt(args, area), pitch, slice_pitch, flags);
  uint64_t size = 0;
  if (lock.area.format != nullptr) {
    const d3d::Box& box = lock.area.box;
    // For ATI1 and ATI2 runtimes report a pitch as if a pixel were a byte; the rows lie without gaps.
    const uint64_t row =
        std::max<uint64_t>(pitch, d3d::RowSize(*lock.area.format, box.right - box.left));
    const uint64_t rows = row * d3d::RowCount(*lock.area.format, box.bottom - box.top);
    size = box.back - box.front > 1 ? std::max<uint64_t>(slice_pitch, rows) * (box.back - box.front)
                                    : rows;
  }
  lock.size = size;
  session_.locks.Open(KeyOf(surface), args.MemberOf(locked, "pBits"), size);
  locks_[KeyOf(surface)] = std::move(lock);
}

Outcome Direct3DBinding::CloseLock(const CallArgs& args, const LockKey& key) {
  const std::optional<std::vector<LockWrite>> writes = session_.locks.Close(key);
  const auto found = locks_.find(key);
  if (found == locks_.end()) return Outcome::kDone;
  const OpenLock lock = std::move(found->second);
  locks_.erase(found);
  if (!writes || writes->empty()) return Outcome::kDone;
  const LockWrite& first = writes->front();
  if (lock.area.is_whole && first.offset == 0 && first.bytes.size() == lock.size)
    session_.gdi.OnWholeWrite(key, session_.recorder);
  session_.Mark(args.call());
  runtime::WriteArea(lock.surface, lock.area, *writes);
  return Outcome::kDone;
}

// The locks whose reading a replay shows: those of surfaces, read-only.
Outcome Direct3DBinding::LockSurface(const CallArgs& args) {
  const SurfaceRef surface = SurfaceAt(args.U64(0));
  if (!surface) return Outcome::kUnsupported;
  const uint32_t flags = args.U32(3);
  if ((flags & d3d::kLockReadOnly) != 0 && !surface.resource->is_volume()) {
    session_.Mark(args.call());
    runtime::ReadArea(surface, RectAt(args, 2), flags);
  }
  OpenSurfaceLock(args, surface, 1, 2, flags);
  return Outcome::kDone;
}

Outcome Direct3DBinding::UnlockSurface(const CallArgs& args) {
  const SurfaceRef surface = SurfaceAt(args.U64(0));
  return surface ? CloseLock(args, KeyOf(surface)) : Outcome::kUnsupported;
}

Outcome Direct3DBinding::GetDc(const CallArgs& args) {
  const SurfaceRef surface = SurfaceAt(args.U64(0));
  if (!surface) return Outcome::kUnsupported;
  session_.gdi.OnGetDc(KeyOf(surface), args.call().function->name, session_.recorder);
  return Outcome::kNoEffect;
}

Outcome Direct3DBinding::LockTexture(const CallArgs& args) {
  const std::shared_ptr<runtime::Resource> texture = ResourceAt(args.U64(0));
  if (texture == nullptr) return Outcome::kUnsupported;
  OpenSurfaceLock(args, {texture, 0, args.U32(1)}, 2, 3, args.U32(4));
  return Outcome::kDone;
}

Outcome Direct3DBinding::UnlockTexture(const CallArgs& args) {
  const std::shared_ptr<runtime::Resource> texture = ResourceAt(args.U64(0));
  return texture != nullptr ? CloseLock(args, KeyOf({texture, 0, args.U32(1)}))
                            : Outcome::kUnsupported;
}

Outcome Direct3DBinding::LockCube(const CallArgs& args) {
  const std::shared_ptr<runtime::Resource> texture = ResourceAt(args.U64(0));
  if (texture == nullptr) return Outcome::kUnsupported;
  OpenSurfaceLock(args, {texture, args.U32(1), args.U32(2)}, 3, 4, args.U32(5));
  return Outcome::kDone;
}

Outcome Direct3DBinding::UnlockCube(const CallArgs& args) {
  const std::shared_ptr<runtime::Resource> texture = ResourceAt(args.U64(0));
  return texture != nullptr ? CloseLock(args, KeyOf({texture, args.U32(1), args.U32(2)}))
                            : Outcome::kUnsupported;
}

Outcome Direct3DBinding::LockBuffer(const CallArgs& args) {
  const std::shared_ptr<runtime::Resource> buffer = ResourceAt(args.U64(0));
  if (buffer == nullptr) return Outcome::kUnsupported;
  OpenLock lock;
  lock.offset = args.U32(1);
  lock.flags = args.U32(4);
  // Size 0: to the end of the buffer.
  const uint64_t rest =
      buffer->description().width - std::min<uint64_t>(lock.offset, buffer->description().width);
  const uint64_t size = args.U32(2) == 0 ? rest : std::min<uint64_t>(args.U32(2), rest);
  const uint32_t part = session_.locks.OpenNested(buffer->id(), args.Out(3), size);
  locks_[{buffer->id(), part}] = std::move(lock);
  return Outcome::kDone;
}

Outcome Direct3DBinding::UnlockBuffer(const CallArgs& args) {
  const std::shared_ptr<runtime::Resource> buffer = ResourceAt(args.U64(0));
  if (buffer == nullptr) return Outcome::kUnsupported;
  const uint64_t id = buffer->id();
  std::vector<LockTable::PartWrite> taken = session_.locks.CloseNested(id);
  if (!taken.empty()) session_.Mark(args.call());
  for (size_t i = 0; i < taken.size();) {
    const uint32_t part = taken[i].part;
    std::vector<LockWrite> writes;
    for (; i < taken.size() && taken[i].part == part; ++i)
      writes.push_back(std::move(taken[i].write));
    const OpenLock& lock = locks_.at({id, part});
    runtime::WriteBuffer(*buffer, lock.offset, lock.flags, writes);
  }
  if (!session_.locks.IsNestOpen(id))
    std::erase_if(locks_, [&](const auto& lock) { return lock.first.object == id; });
  return Outcome::kDone;
}

void Direct3DBinding::AddDirty(const SurfaceRef& texture, const std::optional<d3d::Box>& box) {
  texture.resource->AddDirty(texture.face, 0, box.value_or(texture.resource->WholeLevel(0)));
}

Outcome Direct3DBinding::AddDirtyBox(const CallArgs& args) {
  const std::shared_ptr<runtime::Resource> texture = ResourceAt(args.U64(0));
  if (texture == nullptr) return Outcome::kUnsupported;
  AddDirty({texture, 0, 0}, BoxAt(args, 1));
  return Outcome::kDone;
}

Outcome Direct3DBinding::AddDirtyCubeRect(const CallArgs& args) {
  const std::shared_ptr<runtime::Resource> texture = ResourceAt(args.U64(0));
  if (texture == nullptr) return Outcome::kUnsupported;
  AddDirty({texture, args.U32(1), 0}, BoxAt(args, 2));
  return Outcome::kDone;
}

Outcome Direct3DBinding::PreLoad(const CallArgs& args) {
  const ObjectEntry* const entry = Find(args.U64(0));
  const std::shared_ptr<runtime::Resource> texture = ResourceAt(args.U64(0));
  if (entry == nullptr || texture == nullptr) return Outcome::kUnsupported;
  entry->device->PreLoad(*texture);
  return Outcome::kDone;
}

// Managed textures are loaded anew at their next use.
Outcome Direct3DBinding::EvictManaged(const CallArgs& args) {
  const runtime::Device* device = DeviceOf(args);
  if (device == nullptr) return Outcome::kUnsupported;
  constexpr uint64_t kObjectSteps = 200;
  if (!session_.recorder.Spend(objects_.size() * kObjectSteps)) return Outcome::kDone;
  std::map<uint64_t, std::shared_ptr<runtime::Resource>> evicted;  // in the order of their handles
  for (const auto& [pointer, entry] : objects_) {
    const auto resource = std::dynamic_pointer_cast<runtime::Resource>(entry.object);
    if (resource != nullptr && entry.device.get() == device)
      evicted.emplace(resource->id(), resource);
  }
  for (const auto& [id, resource] : evicted)
    resource->RecordHeld();
  return Outcome::kDone;
}

Outcome Direct3DBinding::SetLod(const CallArgs& args) {
  const ObjectEntry* entry = Find(args.U64(0));
  const std::shared_ptr<runtime::Resource> texture = ResourceAt(args.U64(0));
  if (entry == nullptr || texture == nullptr) return Outcome::kUnsupported;
  // The runtime keeps the number of managed textures only.
  if (texture->description().pool == Pool::kManaged) entry->device->SetLod(*texture, args.U32(1));
  return Outcome::kDone;
}

Outcome Direct3DBinding::SetAutoGenFilter(const CallArgs& args) {
  const std::shared_ptr<runtime::Resource> texture = ResourceAt(args.U64(0));
  if (texture == nullptr) return Outcome::kUnsupported;
  texture->auto_filter = args.U32(1);
  return Outcome::kDone;
}

Outcome Direct3DBinding::GenerateLevels(const CallArgs& args) {
  const ObjectEntry* entry = Find(args.U64(0));
  const std::shared_ptr<runtime::Resource> texture = ResourceAt(args.U64(0));
  if (entry == nullptr || texture == nullptr) return Outcome::kUnsupported;
  if (texture->has_auto_levels()) entry->device->GenerateLevels(*texture);
  return Outcome::kDone;
}

}  // namespace dp2trace::import
