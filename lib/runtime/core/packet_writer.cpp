#include "runtime/core/packet_writer.h"

#include <algorithm>
#include <array>
#include <bit>

#include "d3d/enums.h"
#include "d3d/formats.h"
#include "d3d/interface.h"
#include "kmt/flags.h"
#include "runtime/core/token.h"

namespace dp2trace::runtime {
namespace {

constexpr uint32_t kProcess = 1;
constexpr uint32_t kSuccess = 0;  // STATUS_SUCCESS
// The first triple of every context: bytes and elements.
constexpr uint32_t kCommandBufferSize = 256 * 1024, kAllocationListSize = 1024,
                   kPatchListSize = 4096;
// What one more token may add at most to the lists, beside its own handle words.
constexpr size_t kCarriedSlots = 64;
// Slots. Source: 6.6.
constexpr uint32_t kFirstTarget = 1, kDepth = 5, kFirstReadSlot = 8, kLastBoundSlot = 48;
// Offset of the flags of CLEAR in its token.
constexpr size_t kClearFlags = 4;

trace::Triple MakeTriple(uint32_t context, uint32_t command_buffer_size = kCommandBufferSize) {
  // Addresses of a 32-bit process, 16 MiB to a context; nobody follows them.
  constexpr uint32_t kContextBits = 24, kRegions = 240, kHandleShift = 6;
  trace::Triple triple;
  triple.command_buffer = uint64_t{1 + (context >> kHandleShift) % kRegions} << kContextBits;
  triple.command_buffer_size = command_buffer_size;
  triple.allocation_list = triple.command_buffer + 0xC00000;
  triple.allocation_list_size = kAllocationListSize;
  triple.patch_location_list =
      triple.allocation_list + kAllocationListSize * kmt::kAllocationElementSize;
  triple.patch_location_list_size = kPatchListSize;
  return triple;
}

trace::BindKind KindOf(const trace::SurfaceCreate& surface) {
  constexpr uint32_t kSystemMemory = 0x800, kVolume = 0x200000;
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

bool IsBound(const kmt::HandleWordDesc& desc) {
  return desc.access == kmt::Access::kBindRead || desc.access == kmt::Access::kBindWrite;
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

void PacketWriter::Bind(uint32_t space, uint32_t handle, const Binding& binding,
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
    if (sub.handle != 0)
      Bind(surface.space, sub.handle,
           {create.allocations[0].allocation, static_cast<uint32_t>(offset)}, kind, size);
  }
}

void PacketWriter::OnSurfaceDestroy(uint32_t space, uint32_t handle,
                                    std::span<const uint32_t> sub_handles) {
  const uint32_t allocation = BindingOf(space, handle).allocation;
  std::vector<uint32_t> handles = {handle};
  handles.insert(handles.end(), sub_handles.begin(), sub_handles.end());
  for (const uint32_t bound : handles) {
    if (bindings_.erase({space, bound}) == 0) continue;
    recorder_.Send(trace::Event(trace::Dp2Unbind{kProcess, DeviceOf(space), bound}));
    for (auto& [id, context] : contexts_) {
      if (context.space == space)
        std::erase_if(context.slots, [&](const auto& slot) { return slot.second == bound; });
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
  const trace::Triple triple = MakeTriple(create.context);
  create.triple = triple;
  create.d3d = trace::D3dContext{context.runtime_version, context.target, context.depth,
                                 context.pure_device};
  create.status = kSuccess;
  Context& made = contexts_[context.context];
  made = {context.space, create.context, {}, triple};
  if (context.target != 0) made.slots[kFirstTarget] = context.target;
  if (context.depth != 0) made.slots[kDepth] = context.depth;
  recorder_.Send(trace::Event(create));
}

void PacketWriter::OnContextDestroy(uint64_t context) {
  const auto found = contexts_.find(context);
  if (found == contexts_.end()) return;
  recorder_.Send(trace::Event(trace::KmtContextDestroy{kProcess, found->second.handle, kSuccess}));
  contexts_.erase(found);
}

PacketWriter::Binding PacketWriter::BindingOf(uint32_t space, uint32_t handle) const {
  const auto found = bindings_.find({space, handle});
  return found == bindings_.end() ? Binding{} : found->second;
}

uint32_t PacketWriter::Reference(Packet& packet, uint32_t allocation, bool is_write) const {
  const auto [entry, is_new] =
      packet.indices.emplace(allocation, static_cast<uint32_t>(packet.allocations.size()));
  if (is_new) packet.allocations.push_back({allocation, 0});
  kmt::AllocationElement& element = packet.allocations[entry->second];
  if (is_write && allocation != 0) element.value = kmt::kWriteOperation.Set(element.value, 1);
  return entry->second;
}

// What a draw touches and no word of the packet may name: bound targets and depth surface, textures, streams, indices.
void PacketWriter::AddCarried(Packet& packet, const Context& context,
                              const stream::Command& command) const {
  const bool is_clear = command.op->op == opcode::Op::kClear;
  const uint32_t clear_flags = is_clear ? LoadU32(command.bytes.data() + kClearFlags) : 0;
  const bool clears_targets = (clear_flags & d3d::Value(d3d::ClearFlag::Target)) != 0;
  const bool clears_depth =
      (clear_flags & (d3d::Value(d3d::ClearFlag::ZBuffer) | d3d::Value(d3d::ClearFlag::Stencil))) !=
      0;
  for (const auto& [slot, handle] : context.slots) {
    if (slot > kLastBoundSlot) continue;
    if (is_clear && (slot == kDepth ? !clears_depth : !clears_targets || slot >= kFirstReadSlot))
      continue;
    const uint32_t allocation = BindingOf(context.space, handle).allocation;
    if (allocation != 0) Reference(packet, allocation, slot < kFirstReadSlot);
  }
}

void PacketWriter::AddToken(Packet& packet, Context& context,
                            const stream::Command& command) const {
  const auto start = static_cast<uint32_t>(packet.commands.size());
  packet.commands.insert(packet.commands.end(), command.bytes.begin(), command.bytes.end());
  kmt::HandleWordCursor cursor(command.bytes);
  kmt::HandleWord word;
  while (cursor.Next(word)) {
    const Binding binding = BindingOf(context.space, word.value);
    kmt::PatchElement patch;
    patch.allocation_index = Reference(packet, binding.allocation, kmt::IsWrite(word.desc->access));
    patch.value = kmt::kSlotId.Set(0, word.slot.value_or(0));
    patch.driver_id = word.driver_id();
    patch.allocation_offset = binding.base_offset;
    patch.patch_offset = start + static_cast<uint32_t>(word.offset);
    patch.split_offset = start;
    packet.patches.push_back(patch);
    if (!IsBound(*word.desc) || !word.slot) continue;
    if (word.value == 0) context.slots.erase(*word.slot);
    if (word.value != 0) context.slots[*word.slot] = word.value;
  }
  if (command.op->is(opcode::kDraw)) AddCarried(packet, context, command);
}

void PacketWriter::AddNeutral(Packet& packet, Context& context) const {
  const auto handle_of = [&](uint32_t slot) {
    const auto found = context.slots.find(slot);
    return found == context.slots.end() ? 0 : found->second;
  };
  TokenBuffer tokens;
  if (recorder_.options().level >= 9) {
    tokens.Append(opcode::Op::kSetRenderTarget2, std::array{0U, handle_of(kFirstTarget)}, {}, {});
  } else {
    tokens.Append(opcode::Op::kSetRenderTarget,
                  std::array{handle_of(kFirstTarget), handle_of(kDepth)}, {}, {});
  }
  stream::Decoder decoder(tokens.bytes(), {}, nullptr);
  stream::Command command;
  if (decoder.Next(command)) AddToken(packet, context, command);
}

void PacketWriter::SendPacket(Packet& packet, Context& context, const trace::Dp2Env& environment,
                              uint32_t next_size) {
  std::vector<uint8_t> allocations;
  std::vector<uint8_t> patches;
  ByteWriter allocation_writer(allocations);
  ByteWriter patch_writer(patches);
  for (const kmt::AllocationElement& element : packet.allocations)
    kmt::EncodeAllocation(element, allocation_writer);
  for (const kmt::PatchElement& element : packet.patches)
    kmt::EncodePatch(element, patch_writer);
  trace::Render render;
  render.space = context.space;
  render.process = kProcess;
  render.context = context.handle;
  render.command_buffer = packet.commands;
  render.buffers = trace::Triple{.command_buffer = context.triple.command_buffer,
                                 .allocation_list = context.triple.allocation_list,
                                 .patch_location_list = context.triple.patch_location_list};
  render.allocation_list = allocations;
  render.patch_location_list = patches;
  render.status = kSuccess;
  if (next_size != 0) {
    render.flags = kmt::render_flag::kResizeCommandBuffer;
    render.new_command_buffer_size = next_size;
    context.triple = MakeTriple(context.handle, next_size);
  }
  render.out = context.triple;
  render.queued_buffer_count = 1;
  render.dp2_env = environment;
  recorder_.Send(trace::Event(render));
  packet = {};
}

bool PacketWriter::IsFull(const Packet& packet, const Context& context,
                          const stream::Command& command) {
  if (packet.commands.size() + command.bytes.size() > context.triple.command_buffer_size)
    return true;
  const bool may_name_surfaces =
      !kmt::HandleWordsOf(command.bytes[0]).empty() || command.op->is(opcode::kDraw);
  if (!may_name_surfaces) return false;
  size_t words = 0;
  kmt::HandleWordCursor cursor(command.bytes);
  for (kmt::HandleWord word; cursor.Next(word);)
    ++words;
  return packet.patches.size() + words > kPatchListSize ||
         packet.allocations.size() + words + kCarriedSlots > kAllocationListSize;
}

void PacketWriter::OnBatch(uint64_t id, Bytes commands, Bytes vertices, uint32_t vertex_type,
                           uint32_t vertex_size) {
  const auto found = contexts_.find(id);
  if (found == contexts_.end()) return;
  Context& context = found->second;
  trace::Dp2Env environment;
  if (!vertices.empty()) {
    environment.flags = d3d::kUserMemVertices;
    environment.vertex_type = vertex_type;
    environment.vertex_size = vertex_size;
    environment.vertex_source = trace::VertexSource::kInline;
    environment.vertices = vertices;
  }
  Packet packet;
  stream::Decoder decoder(commands, {.vertex_size = vertex_size}, nullptr);
  stream::Command command;
  while (decoder.Next(command)) {
    if (command.bytes.size() > context.triple.command_buffer_size) {
      // A long token needs a larger buffer: the packet before it asks for one.
      if (packet.commands.empty()) AddNeutral(packet, context);
      SendPacket(packet, context, environment,
                 static_cast<uint32_t>(std::bit_ceil(command.bytes.size())));
    } else if (!packet.commands.empty() && IsFull(packet, context, command)) {
      SendPacket(packet, context, environment);
    }
    AddToken(packet, context, command);
  }
  if (!packet.commands.empty()) SendPacket(packet, context, environment);
}

}  // namespace dp2trace::runtime
