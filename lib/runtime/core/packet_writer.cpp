#include "runtime/core/packet_writer.h"

#include <algorithm>

#include "d3d/formats.h"
#include "d3d/interface.h"
#include "kmt/handle_words.h"
#include "kmt/lists.h"

namespace dp2trace::runtime {
namespace {

constexpr uint32_t kProcess = 1;
constexpr uint32_t kSuccess = 0;  // STATUS_SUCCESS
// Of looking through the slots of a context (Allowance).
constexpr uint64_t kContextSteps = 200;
// The first triple of every context: bytes and elements.
constexpr uint32_t kCommandBufferSize = 256 * 1024, kAllocationListSize = 1024,
                   kPatchListSize = 4096;

trace::Triple MakeTriple(uint32_t context) {
  // Addresses of a 32-bit process, 16 MiB to a context; nobody follows them.
  constexpr uint32_t kContextBits = 24;
  constexpr uint32_t kRegions = 240;
  constexpr uint32_t kHandleShift = 6;
  trace::Triple triple;
  triple.command_buffer = uint64_t{1 + (context >> kHandleShift) % kRegions} << kContextBits;
  triple.command_buffer_size = kCommandBufferSize;
  triple.allocation_list = triple.command_buffer + 0xC00000;
  triple.allocation_list_size = kAllocationListSize;
  triple.patch_location_list =
      triple.allocation_list + kAllocationListSize * kmt::kAllocationElementSize;
  triple.patch_location_list_size = kPatchListSize;
  return triple;
}

trace::BindKind KindOf(const trace::SurfaceCreate& surface) {
  constexpr uint32_t kSystemMemory = 0x800;
  constexpr uint32_t kVolume = 0x200000;
  switch (surface.kind) {
    case d3d::SurfaceKind::kTarget:
      return trace::BindKind::kTarget;
    case d3d::SurfaceKind::kDepth:
      return trace::BindKind::kDepth;
    case d3d::SurfaceKind::kVertexBuffer:
      return trace::BindKind::kVertexBuffer;
    case d3d::SurfaceKind::kIndexBuffer:
      return trace::BindKind::kIndexBuffer;
    case d3d::SurfaceKind::kTexture:
      if ((surface.caps & kSystemMemory) != 0) return trace::BindKind::kSystemMemory;
      if ((surface.caps2 & kVolume) != 0) return trace::BindKind::kVolume;
      return surface.faces != 0 ? trace::BindKind::kCube : trace::BindKind::kTexture;
    default:
      return (surface.caps & kSystemMemory) != 0 ? trace::BindKind::kSystemMemory
                                                 : trace::BindKind::kOther;
  }
}

const d3d::FormatInfo* FormatOf(const trace::SurfaceCreate& surface) {
  if (!surface.pixel_format) return d3d::FindFormat(surface.format);
  const d3d::PixelFormat& p = *surface.pixel_format;
  return d3d::FormatFromPixelFormat(p.flags, p.four_cc, p.bit_count, p.red_mask, p.green_mask,
                                    p.blue_mask, p.alpha_mask);
}

// Bytes before a face and level: faces one after the other, each with its levels, without padding. 0 where a size is not known.
uint64_t OffsetOf(const trace::SurfaceCreate& surface, uint32_t face, uint32_t level) {
  const d3d::FormatInfo* format = FormatOf(surface);
  if (format == nullptr) return 0;
  uint64_t chain = 0;
  uint64_t offset = 0;
  for (uint32_t i = 0; i < std::max<uint32_t>(surface.levels, 1); ++i) {
    if (i == level) offset = chain;
    chain += d3d::LevelSize(*format, d3d::ClipLevelExtent(surface.width, i),
                            d3d::ClipLevelExtent(surface.height, i),
                            d3d::ClipLevelExtent(surface.depth, i))
                 .value_or(0);
  }
  return level >= surface.levels ? chain * (face + 1) : chain * face + offset;
}

bool IsBuffer(const trace::SurfaceCreate& surface) {
  return surface.kind == d3d::SurfaceKind::kVertexBuffer ||
         surface.kind == d3d::SurfaceKind::kIndexBuffer;
}

uint64_t SizeOf(const trace::SurfaceCreate& surface) {
  if (IsBuffer(surface)) return surface.width;
  const uint32_t last_face = surface.faces != 0 ? 5 : 0;
  return OffsetOf(surface, last_face, std::max<uint32_t>(surface.levels, 1));
}

}  // namespace

uint32_t PacketWriter::NewKmtHandle() {
  next_handle_ += 0x40;
  return next_handle_;
}

uint32_t PacketWriter::DeviceOf(uint32_t space) {
  const auto found = devices_.find(space);
  if (found != devices_.end()) return found->second;
  if (adapter_ == 0) {
    adapter_ = NewKmtHandle();
    trace::AdapterOpen adapter;
    adapter.process = kProcess;
    adapter.adapter = adapter_;
    adapter.max_allocation_list_slot_id = kmt::kMinimumMaxSlotId + 31;
    adapter.status = kSuccess;
    recorder_.Send(trace::Event(adapter));
  }
  trace::DeviceCreate device;
  device.space = space;
  device.process = kProcess;
  device.adapter = adapter_;
  device.device = NewKmtHandle();
  device.status = kSuccess;
  recorder_.Send(trace::Event(device));
  devices_[space] = device.device;
  return device.device;
}

void PacketWriter::Bind(uint32_t space, uint32_t handle, const SurfaceBinding& binding,
                        trace::BindKind kind, uint64_t size) {
  bindings_[{space, handle}] = binding;
  trace::Dp2Bind bind;
  bind.process = kProcess;
  bind.device = DeviceOf(space);
  bind.handle = handle;
  bind.allocation = binding.allocation;
  bind.base_offset = binding.base_offset;
  bind.kind = kind;
  bind.size = size;
  recorder_.Send(trace::Event(bind));
}

void PacketWriter::OnSurface(const trace::SurfaceCreate& surface) {
  const uint32_t device = DeviceOf(surface.space);
  const uint64_t size = SizeOf(surface);
  const trace::BindKind kind = KindOf(surface);
  trace::AllocationCreate create;
  create.process = kProcess;
  create.device = device;
  create.status = kSuccess;
  // Buffers of a flip chain come here with the first and, announced one by one, again.
  std::vector<uint32_t> roots;
  if (!bindings_.contains({surface.space, surface.handle})) roots.push_back(surface.handle);
  for (const uint32_t buffer : surface.flip_chain) {
    if (!bindings_.contains({surface.space, buffer})) roots.push_back(buffer);
  }
  if (roots.empty()) return;
  for (size_t i = 0; i < roots.size(); ++i) {
    trace::AllocationInfo info;
    info.allocation = NewKmtHandle();
    info.model_size = size;
    info.model_kind = kind;
    create.allocations.push_back(info);
  }
  recorder_.Send(trace::Event(create));
  for (size_t i = 0; i < roots.size(); ++i)
    Bind(surface.space, roots[i], {create.allocations[i].allocation, 0}, kind, size);
  for (const trace::SubSurface& sub : surface.sub_surfaces) {
    const uint64_t offset = OffsetOf(surface, sub.face, sub.level);
    if (sub.handle != 0) {
      Bind(surface.space, sub.handle,
           {create.allocations[0].allocation, static_cast<uint32_t>(offset)}, kind, size);
    }
  }
}

void PacketWriter::OnSurfaceDestroy(uint32_t space, uint32_t handle,
                                    std::span<const uint32_t> sub_handles) {
  const uint32_t allocation = BindingOf(space, handle).allocation;
  std::vector<uint32_t> handles = {handle};
  handles.insert(handles.end(), sub_handles.begin(), sub_handles.end());
  for (const uint32_t bound : handles) {
    if (bindings_.erase({space, bound}) == 0) continue;
    if (!recorder_.Spend(contexts_.size() * kContextSteps)) return;
    recorder_.Send(trace::Event(trace::Dp2Unbind{kProcess, DeviceOf(space), bound}));
    for (auto& [id, context] : contexts_) {
      if (context.space() == space) context.Release(bound);
    }
  }
  if (allocation == 0) return;
  trace::AllocationDestroy destroy;
  destroy.process = kProcess;
  destroy.device = DeviceOf(space);
  destroy.allocations = {allocation};
  destroy.status = kSuccess;
  recorder_.Send(trace::Event(destroy));
}

void PacketWriter::OnContext(const trace::ContextCreate& context) {
  // D3DKMT_CLIENTHINT: 7 = DX7, 8, 9.
  constexpr uint32_t kHintOfVersion0 = 4;
  trace::KmtContextCreate create;
  create.process = kProcess;
  create.device = DeviceOf(context.space);
  create.context = NewKmtHandle();
  create.client_hint = std::max<uint32_t>(7, context.runtime_version + kHintOfVersion0);
  create.triple = MakeTriple(create.context);
  create.d3d = trace::D3dContext{context.runtime_version, context.target, context.depth,
                                 context.pure_device};
  create.status = kSuccess;
  const PacketStreamOptions options = {.space = context.space,
                                       .process = kProcess,
                                       .context = create.context,
                                       .level = recorder_.options().level,
                                       .target = context.target,
                                       .depth = context.depth,
                                       .triple = create.triple};
  contexts_.insert_or_assign(
      context.context,
      PacketStream(
          options,
          [this, space = context.space](uint32_t handle) { return BindingOf(space, handle); },
          [this](const trace::Render& packet) { recorder_.Send(trace::Event(packet)); }));
  recorder_.Send(trace::Event(create));
}

void PacketWriter::OnContextDestroy(uint64_t context) {
  const auto found = contexts_.find(context);
  if (found == contexts_.end()) return;
  recorder_.Send(
      trace::Event(trace::KmtContextDestroy{kProcess, found->second.context(), kSuccess}));
  contexts_.erase(found);
}

SurfaceBinding PacketWriter::BindingOf(uint32_t space, uint32_t handle) const {
  const auto found = bindings_.find({space, handle});
  return found == bindings_.end() ? SurfaceBinding{} : found->second;
}

void PacketWriter::OnBatch(uint64_t id, Bytes commands, Bytes vertices, uint32_t vertex_type,
                           uint32_t vertex_size) {
  const auto found = contexts_.find(id);
  if (found == contexts_.end()) return;
  trace::Dp2Env environment;
  if (!vertices.empty()) {
    environment.flags = d3d::kUserMemVertices;
    environment.vertex_type = vertex_type;
    environment.vertex_size = vertex_size;
    environment.vertex_source = trace::VertexSource::kInline;
    environment.vertices = vertices;
  }
  found->second.Write(commands, environment);
}

}  // namespace dp2trace::runtime
