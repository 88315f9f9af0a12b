#include "runtime/core/packet_stream.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "d3d/enums.h"
#include "d3d/interface.h"
#include "kmt/flags.h"
#include "runtime/core/token.h"

namespace dp2trace::runtime {
namespace {

namespace render_flag = kmt::render_flag;

constexpr uint32_t kAccepted = 0;  // STATUS_SUCCESS
// Where the sizes of a context are not recorded.
constexpr trace::Triple kUnlimited = {.command_buffer_size = UINT32_MAX,
                                      .allocation_list_size = UINT32_MAX,
                                      .patch_location_list_size = UINT32_MAX};
// What one more token may add at most to the lists, beside its own handle words.
constexpr size_t kCarriedSlots = 64;
// Slots. Source: lib/kmt/packets.md 6.6.
constexpr uint32_t kFirstTarget = 1, kDepth = 5, kFirstReadSlot = 8, kLastBoundSlot = 48;
// Offset of the flags of CLEAR in its token.
constexpr size_t kClearFlags = 4;

bool IsBound(const kmt::HandleWordDesc& desc) {
  return desc.access == kmt::Access::kBindRead || desc.access == kmt::Access::kBindWrite;
}

// Asks for the sizes that are not those of now.
void Request(const trace::Triple& now, const trace::Triple& next, trace::Render& render) {
  const auto request = [&render](uint32_t size, uint32_t expected, uint32_t flag, uint32_t& field) {
    if (size == expected) return;
    render.flags |= flag;
    field = expected;
  };
  request(now.command_buffer_size, next.command_buffer_size, render_flag::kResizeCommandBuffer,
          render.new_command_buffer_size);
  request(now.allocation_list_size, next.allocation_list_size, render_flag::kResizeAllocationList,
          render.new_allocation_list_size);
  request(now.patch_location_list_size, next.patch_location_list_size,
          render_flag::kResizePatchLocationList, render.new_patch_location_list_size);
}

}  // namespace

PacketStream::PacketStream(PacketStreamOptions options, FindBinding find_binding, Send send)
    : options_(options),
      find_binding_(std::move(find_binding)),
      send_(std::move(send)),
      triple_(options_.triple.value_or(kUnlimited)) {
  if (options_.target != 0) slots_[kFirstTarget] = options_.target;
  if (options_.depth != 0) slots_[kDepth] = options_.depth;
}

void PacketStream::Release(uint32_t handle) {
  std::erase_if(slots_, [&](const auto& slot) { return slot.second == handle; });
}

SurfaceBinding PacketStream::BindingOf(uint32_t handle) {
  const SurfaceBinding binding = find_binding_(handle);
  if (handle != 0 && binding.allocation == 0 && unbound_ == 0) unbound_ = handle;
  return binding;
}

uint32_t PacketStream::Reference(Packet& packet, uint32_t allocation, bool is_write) {
  const auto [entry, is_new] =
      packet.indices.emplace(allocation, static_cast<uint32_t>(packet.allocations.size()));
  if (is_new) packet.allocations.push_back({allocation, 0});
  kmt::AllocationElement& element = packet.allocations[entry->second];
  if (is_write && allocation != 0) element.value = kmt::kWriteOperation.Set(element.value, 1);
  return entry->second;
}

// What a draw touches and no word of the packet may name: bound targets and depth surface, textures, streams, indices.
void PacketStream::AddCarried(Packet& packet, const stream::Command& command) {
  const bool is_clear = command.op->op == opcode::Op::kClear;
  const uint32_t clear_flags = is_clear ? LoadU32(command.bytes.data() + kClearFlags) : 0;
  const bool clears_targets = (clear_flags & d3d::Value(d3d::ClearFlag::Target)) != 0;
  const bool clears_depth =
      (clear_flags & (d3d::Value(d3d::ClearFlag::ZBuffer) | d3d::Value(d3d::ClearFlag::Stencil))) !=
      0;
  for (const auto& [slot, handle] : slots_) {
    if (slot > kLastBoundSlot) continue;
    if (is_clear && (slot == kDepth ? !clears_depth : !clears_targets || slot >= kFirstReadSlot))
      continue;
    const uint32_t allocation = BindingOf(handle).allocation;
    if (allocation == 0) continue;
    const bool is_write = slot < kFirstReadSlot;
    const auto found =
        std::ranges::find(packet.carried, allocation, &std::pair<uint32_t, bool>::first);
    if (found == packet.carried.end()) {
      packet.carried.emplace_back(allocation, is_write);
    } else {
      found->second = found->second || is_write;
    }
  }
}

void PacketStream::ListCarried(Packet& packet) {
  for (const auto& [allocation, is_write] : packet.carried)
    Reference(packet, allocation, is_write);
}

void PacketStream::AddToken(Packet& packet, const stream::Command& command) {
  const auto start = static_cast<uint32_t>(packet.commands.size());
  packet.commands.insert(packet.commands.end(), command.bytes.begin(), command.bytes.end());
  kmt::HandleWordCursor cursor(command.bytes);
  kmt::HandleWord word;
  while (cursor.Next(word)) {
    const SurfaceBinding binding = BindingOf(word.value);
    kmt::PatchElement patch;
    patch.allocation_index = Reference(packet, binding.allocation, kmt::IsWrite(word.desc->access));
    patch.value = kmt::kSlotId.Set(0, word.slot.value_or(0));
    patch.driver_id = word.driver_id();
    patch.allocation_offset = binding.base_offset;
    patch.patch_offset = start + static_cast<uint32_t>(word.offset);
    patch.split_offset = start;
    packet.patches.push_back(patch);
    if (!IsBound(*word.desc) || !word.slot) continue;
    if (word.value == 0) slots_.erase(*word.slot);
    if (word.value != 0) slots_[*word.slot] = word.value;
  }
  if (command.op->is(opcode::kDraw)) AddCarried(packet, command);
}

void PacketStream::AddNeutral(Packet& packet) {
  const auto handle_of = [&](uint32_t slot) {
    const auto found = slots_.find(slot);
    return found == slots_.end() ? 0 : found->second;
  };
  TokenBuffer tokens;
  if (options_.level >= d3d::kLastDriverLevel) {
    tokens.Append(opcode::Op::kSetRenderTarget2, std::array{0U, handle_of(kFirstTarget)}, {}, {});
  } else {
    tokens.Append(opcode::Op::kSetRenderTarget,
                  std::array{handle_of(kFirstTarget), handle_of(kDepth)}, {}, {});
  }
  stream::Decoder decoder(tokens.bytes(), {}, nullptr);
  stream::Command command;
  if (decoder.Next(command)) AddToken(packet, command);
}

void PacketStream::SendPacket(Packet& packet, const trace::Dp2Env& environment,
                              const std::optional<trace::Triple>& next) {
  std::vector<uint8_t> allocations;
  std::vector<uint8_t> patches;
  ListCarried(packet);
  ByteWriter allocation_writer(allocations);
  ByteWriter patch_writer(patches);
  for (const kmt::AllocationElement& element : packet.allocations)
    kmt::EncodeAllocation(element, allocation_writer);
  for (const kmt::PatchElement& element : packet.patches)
    kmt::EncodePatch(element, patch_writer);
  has_overflowed_ |= packet.commands.size() > triple_.command_buffer_size ||
                     packet.allocations.size() > triple_.allocation_list_size ||
                     packet.patches.size() > triple_.patch_location_list_size ||
                     (!options_.has_patches && !packet.patches.empty());
  trace::Render render;
  render.space = options_.space;
  render.process = options_.process;
  render.context = options_.context;
  render.command_buffer = packet.commands;
  render.allocation_list = allocations;
  render.patch_location_list = patches;
  render.status = kAccepted;
  if (options_.triple) {
    render.buffers = trace::Triple{.command_buffer = triple_.command_buffer,
                                   .allocation_list = triple_.allocation_list,
                                   .patch_location_list = triple_.patch_location_list};
    Request(triple_, next.value_or(triple_), render);
  }
  if (next) options_.triple = triple_ = *next;
  render.out = options_.triple;
  render.queued_buffer_count = options_.queued_buffer_count;
  render.dp2_env = environment;
  send_(render);
  packet = {};
}

bool PacketStream::IsFull(const Packet& packet, const stream::Command& command) const {
  if (packet.commands.size() + command.bytes.size() > triple_.command_buffer_size) return true;
  const bool may_name_surfaces =
      !kmt::HandleWordsOf(command.bytes[0]).empty() || command.op->is(opcode::kDraw);
  if (!may_name_surfaces) return false;
  size_t words = 0;
  kmt::HandleWordCursor cursor(command.bytes);
  for (kmt::HandleWord word; cursor.Next(word);)
    ++words;
  const size_t carried = command.op->is(opcode::kDraw) ? kCarriedSlots : 0;
  return packet.patches.size() + words > triple_.patch_location_list_size ||
         packet.allocations.size() + packet.carried.size() + words + carried >
             triple_.allocation_list_size;
}

void PacketStream::Write(Bytes commands, const trace::Dp2Env& environment,
                         const std::optional<trace::Triple>& end_triple) {
  Packet packet;
  stream::Decoder decoder(commands, {.vertex_size = environment.vertex_size}, nullptr);
  stream::Command command;
  while (decoder.Next(command)) {
    if (command.bytes.size() > triple_.command_buffer_size) {
      // A long token needs a larger buffer: the packet before it asks for one.
      if (packet.commands.empty()) AddNeutral(packet);
      trace::Triple larger = triple_;
      larger.command_buffer_size = static_cast<uint32_t>(std::bit_ceil(command.bytes.size()));
      SendPacket(packet, environment, larger);
    } else if (!packet.commands.empty() && IsFull(packet, command)) {
      SendPacket(packet, environment, {});
    }
    AddToken(packet, command);
  }
  if (end_triple && packet.commands.empty()) AddNeutral(packet);
  if (!packet.commands.empty()) SendPacket(packet, environment, end_triple);
}

}  // namespace dp2trace::runtime
