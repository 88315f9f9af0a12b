#include "trim/kmt_use.h"

#include <algorithm>
#include <type_traits>
#include <variant>

#include "d3d/interface.h"
#include "kmt/handle_words.h"
#include "kmt/lists.h"
#include "trace/command_stream.h"
#include "trace_model/field_roles.h"
#include "trim/packet_cut.h"

namespace dp2trace::trim {
namespace {

using device::KmtKey;
using device::KmtObjects;

// The field is what the call returns.
template <class T>
constexpr bool IsOutput(std::string_view name) {
  if (name == "resource_out" || name == "allocation_out") return true;
  return (std::is_same_v<T, trace::AdapterOpen> && name == "adapter") ||
         (std::is_same_v<T, trace::DeviceCreate> && name == "device") ||
         (std::is_same_v<T, trace::KmtContextCreate> && name == "context") ||
         (std::is_same_v<T, trace::SyncCreate> && name == "sync") ||
         (std::is_same_v<T, trace::ResourceOpen> && name == "resource");
}

const device::KmtContext* FindKmtContext(const device::Context& context,
                                         const KmtObjects& objects) {
  const std::optional<KmtKey> key = KmtContextOf(context.id);
  return key ? objects.FindKmtContext(key->first, key->second) : nullptr;
}

}  // namespace

std::optional<KmtKey> KmtContextOf(uint64_t d3d_context) {
  if ((d3d_context & device::kPacketContext) == 0) return std::nullopt;
  return KmtKey(static_cast<uint32_t>((d3d_context & ~device::kPacketContext) >> 32),
                static_cast<uint32_t>(d3d_context));
}

bool KmtUse::WasBefore(const KmtKey& key) const {
  const KeptEvent* const made = creations_->Find(key, *objects_);
  if (made != nullptr) return made->number < part_->begin.event;
  // Nobody knows what made it: the snapshot says so.
  return IsLive(key);
}

bool KmtUse::IsLive(const KmtKey& key) const {
  const std::optional<device::KmtName> name = objects_->Look(key.first, key.second);
  return name && name->is_live;
}

void KmtUse::Name(const KmtKey& key) {
  // What no longer lives is named, too: whether it ever lived is a finding of its own.
  if (key.second == 0 || (IsLive(key) && !WasBefore(key))) return;
  part_->kmt_objects.insert(key);
  const device::KmtContext* const context = objects_->FindKmtContext(key.first, key.second);
  if (context != nullptr && !context->is_implicit && context->has_d3d)
    part_->contexts[{context->space, device::D3dContextId(key.first, key.second)}];
}

void KmtUse::End(uint64_t number, const KmtKey& key) {
  if (key.second != 0 && WasBefore(key)) part_->kmt_ends[number].push_back(key);
}

bool KmtUse::OnEnd(uint64_t number, const trace::Event& event) {
  return std::visit(
      [&](const auto& e) {
        using T = std::decay_t<decltype(e)>;
        if constexpr (std::is_same_v<T, trace::AdapterClose>) {
          End(number, {e.process, e.adapter});
        } else if constexpr (std::is_same_v<T, trace::DeviceDestroy>) {
          End(number, {e.process, e.device});
        } else if constexpr (std::is_same_v<T, trace::KmtContextDestroy>) {
          End(number, {e.process, e.context});
        } else if constexpr (std::is_same_v<T, trace::SyncDestroy>) {
          End(number, {e.process, e.sync});
        } else if constexpr (std::is_same_v<T, trace::AllocationDestroy>) {
          End(number, {e.process, e.resource});
          for (const uint32_t handle : e.allocations)
            End(number, {e.process, handle});
        } else if constexpr (std::is_same_v<T, trace::Dp2Unbind>) {
          const BindingKey key = {{e.process, e.device}, e.handle};
          const auto bound = creations_->FindBinding(key, *objects_);
          if (bound && *bound < part_->begin.event) part_->binding_ends[number] = key;
          return bound.has_value();
        } else {
          return false;
        }
        return part_->kmt_ends.contains(number);
      },
      event);
}

void KmtUse::OnEvent(uint64_t number, const trace::Event& event) {
  if (OnEnd(number, event)) return;
  std::visit(
      [&](const auto& e) {
        using T = std::decay_t<decltype(e)>;
        if constexpr (requires { e.process; }) {
          if constexpr (!std::is_same_v<T, trace::ContextCreate>) {
            trace_model::VisitKmtHandles(e, [&](const trace::Field& field, uint32_t handle) {
              if (field.name != "global_share" && !IsOutput<T>(field.name))
                Name({e.process, handle});
            });
          }
        }
        if constexpr (std::is_same_v<T, trace::ResourceOpen>) {
          const std::optional<KmtKey> share = creations_->FindShare(e.global_share);
          if (share && !e.external) Name(*share);
        } else if constexpr (std::is_same_v<T, trace::Dp2Bind>) {
          const BindingKey key = {{e.process, e.device}, e.handle};
          const auto bound = creations_->FindBinding(key, *objects_);
          if (bound && *bound < part_->begin.event) part_->bindings.insert(key);
        }
      },
      event);
}

// Of a packet that is not executed, too: its lists are judged all the same.
void KmtUse::NameWords(const trace::Render& packet, trace::LengthOrigin length_origin,
                       const PacketRange& range) {
  const device::KmtContext* const context =
      objects_->FindKmtContext(packet.process, packet.context);
  const auto stream = trace::StreamOf(trace::Event(packet), length_origin);
  if (context == nullptr || !stream) return;
  stream::Decoder decoder(stream->bytes, stream->environment, nullptr);
  for (stream::Command command; decoder.Next(command);) {
    kmt::HandleWordCursor cursor(command.bytes);
    for (kmt::HandleWord word; range.Holds(command.offset) && cursor.Next(word);)
      NameBinding(*context, word.value);
  }
}

void KmtUse::OnPacket(uint64_t number, const trace::Render& packet,
                      trace::LengthOrigin length_origin) {
  Name({packet.process, packet.context});
  for (const uint32_t handle : packet.broadcast_context)
    Name({packet.process, handle});
  const auto cut_at = [&](const Cut& place) {
    return place.event == number ? place.offset : std::nullopt;
  };
  const PacketRange range = {cut_at(part_->begin), part_->end ? cut_at(*part_->end) : std::nullopt};
  NameWords(packet, length_origin, range);
  const kmt::AllocationListView list(packet.allocation_list);
  const auto cut = part_->cut_packets.find(number);
  if (cut != part_->cut_packets.end()) {
    for (const uint32_t index : KeptElements(packet, range, cut->second))
      Name({packet.process, list[index].handle});
    return;
  }
  for (size_t i = 0; i < list.size(); ++i)
    Name({packet.process, list[i].handle});
}

void KmtUse::NameBinding(const device::KmtContext& context, uint32_t handle) {
  if (handle == 0) return;
  if (objects_->is_identity()) return Name({context.process, handle});
  const BindingKey key = {{context.process, context.device}, handle};
  const auto bound = creations_->FindBinding(key, *objects_);
  if (bound && *bound < part_->begin.event) part_->bindings.insert(key);
}

PacketUse CarriedBy(const device::Context& context, const KmtObjects& objects) {
  PacketUse use;
  const device::KmtContext* const kmt_context = FindKmtContext(context, objects);
  if (kmt_context == nullptr) return use;
  const auto bind = [&](uint32_t handle, bool is_written) {
    const auto target = objects.Resolve(*kmt_context, handle);
    if (!target) return;
    use.bound.insert(target->allocation);
    if (is_written) use.written.insert(target->allocation);
  };
  for (const uint32_t handle : context.targets.colors)
    bind(handle, true);
  bind(context.targets.depth, true);
  for (uint32_t i = 0; i < device::kStageSlotCount; ++i)
    bind(context.state.stage(i, d3d::TextureStageState::TextureMap), false);
  for (const auto& stream : context.state.streams)
    if (!stream.is_user_memory) bind(stream.buffer, false);
  bind(context.state.indices.buffer, false);
  return use;
}

void AddWords(const device::Context& context, const stream::Command& command,
              const KmtObjects& objects, PacketUse& use) {
  const device::KmtContext* const kmt_context = FindKmtContext(context, objects);
  if (kmt_context == nullptr) return;
  kmt::HandleWordCursor cursor(command.bytes);
  for (kmt::HandleWord word; cursor.Next(word);) {
    const auto target = objects.Resolve(*kmt_context, word.value);
    if (!target) continue;
    if (std::ranges::find(use.named, target->allocation) == use.named.end())
      use.named.push_back(target->allocation);
    if (kmt::IsWrite(word.desc->access)) use.written.insert(target->allocation);
  }
}

}  // namespace dp2trace::trim
