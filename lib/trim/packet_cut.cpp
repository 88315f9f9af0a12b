#include "trim/packet_cut.h"

#include <algorithm>

#include "kmt/lists.h"
#include "stream/stream.h"
#include "trace/command_stream.h"
#include "trace_model/model.h"

namespace dp2trace::trim {
std::vector<uint32_t> KeptElements(const trace::Render& packet, const PacketRange& range,
                                   const PacketUse& use) {
  const kmt::AllocationListView list(packet.allocation_list);
  const kmt::PatchListView patches(packet.patch_location_list);
  std::vector<uint32_t> kept;
  std::vector<bool> is_kept(list.size());
  const auto keep = [&](size_t index) {
    if (index >= list.size() || is_kept[index]) return;
    is_kept[index] = true;
    kept.push_back(static_cast<uint32_t>(index));
  };
  const auto find = [&](uint32_t handle) {
    size_t index = 0;
    while (index < list.size() && list[index].handle != handle)
      ++index;
    return index;
  };
  if (list.size() != 0 && list[0].handle == 0) keep(0);
  for (const uint32_t handle : use.named)
    keep(find(handle));
  std::vector<bool> is_needed(list.size());
  for (size_t i = 0; i < patches.size(); ++i) {
    const kmt::PatchElement entry = patches[i];
    if (entry.allocation_index < is_needed.size() && range.Holds(entry.patch_offset))
      is_needed[entry.allocation_index] = true;
  }
  if (packet.dp2_env && packet.dp2_env->vertex_source == trace::VertexSource::kAllocation &&
      packet.dp2_env->allocation_index < is_needed.size())
    is_needed[packet.dp2_env->allocation_index] = true;
  for (size_t i = 0; i < list.size(); ++i) {
    const bool is_bound = use.bound.contains(list[i].handle) && find(list[i].handle) == i;
    if (is_needed[i] || is_bound) keep(i);
  }
  return kept;
}

CutPacket::CutPacket(const trace::Render& packet, trace::LengthOrigin length_origin,
                     const PacketRange& range, const PacketUse& use)
    : packet_(packet) {
  CutCommands(packet, length_origin, range);
  CutLists(packet, range, use);
  packet_.command_length.reset();
  packet_.allocation_count.reset();
  packet_.patch_location_count.reset();
  packet_.raw_in = {};
  packet_.raw_out = {};
}

void CutPacket::CutCommands(const trace::Render& packet, trace::LengthOrigin length_origin,
                            const PacketRange& range) {
  const auto stream = trace::StreamOf(trace::Event(packet), length_origin);
  if (!stream) return;
  if (!range.begin) {
    commands_.assign(packet.command_buffer.begin(), packet.command_buffer.end());
    if (range.end) commands_.resize(std::min<size_t>(*range.end, commands_.size()));
    moves_.push_back({0, commands_.size(), 0});
  }
  stream::Decoder decoder(stream->bytes, stream->environment, nullptr);
  for (stream::Command command; range.begin && decoder.Next(command);) {
    if (!range.Holds(command.offset)) continue;
    moves_.push_back({command.offset, command.offset + command.bytes.size(), commands_.size()});
    trace_model::AppendToken(trace_model::TokenOf(command, 0), 0, commands_);
  }
  if (range.begin) packet_.command_offset = 0;
  packet_.command_buffer = commands_;
}

std::optional<uint32_t> CutPacket::Moved(uint64_t offset) const {
  const auto next =
      std::ranges::upper_bound(moves_, offset, {}, [](const Move& move) { return move.from; });
  if (next == moves_.begin()) return std::nullopt;
  const Move& move = *(next - 1);
  if (offset >= move.end) return std::nullopt;
  return static_cast<uint32_t>(offset - move.from + move.to);
}

void CutPacket::CutLists(const trace::Render& packet, const PacketRange& range,
                         const PacketUse& use) {
  const kmt::AllocationListView list(packet.allocation_list);
  const std::vector<uint32_t> kept = KeptElements(packet, range, use);
  const auto new_index = [&](uint32_t index) {
    return static_cast<uint32_t>(std::ranges::find(kept, index) - kept.begin());
  };
  ByteWriter elements(allocations_);
  for (const uint32_t index : kept) {
    kmt::AllocationElement element = list[index];
    if (!use.written.contains(element.handle))
      element.value = kmt::kWriteOperation.Set(element.value, 0);
    kmt::EncodeAllocation(element, elements);
  }
  const kmt::PatchListView patches(packet.patch_location_list);
  ByteWriter entries(patches_);
  for (size_t i = 0; i < patches.size(); ++i) {
    kmt::PatchElement entry = patches[i];
    const std::optional<uint32_t> moved = Moved(entry.patch_offset);
    if (!moved) continue;
    entry.split_offset = Moved(entry.split_offset).value_or(std::min(*moved, entry.split_offset));
    entry.patch_offset = *moved;
    if (entry.allocation_index < list.size())
      entry.allocation_index = new_index(entry.allocation_index);
    kmt::EncodePatch(entry, entries);
  }
  packet_.allocation_list = allocations_;
  packet_.patch_location_list = patches_;
  if (packet_.dp2_env && packet_.dp2_env->allocation_index < list.size() &&
      packet_.dp2_env->vertex_source == trace::VertexSource::kAllocation)
    packet_.dp2_env->allocation_index = new_index(packet_.dp2_env->allocation_index);
}

}  // namespace dp2trace::trim
