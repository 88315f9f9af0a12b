#include "trace/command_stream.h"

#include <algorithm>

namespace dp2trace::trace {
namespace {

constexpr uint32_t kDefaultRuntimeVersion = 5;
// Contexts of a broken trace that never ends one are not remembered without bound.
constexpr size_t kMaxContexts = 65536;

// D3DKMT_CLIENTHINT 7 and 8 are the Direct3D 7 and 8 runtimes. Source: lib/kmt/packets.md 4.4.
uint32_t RuntimeVersionOfHint(uint32_t client_hint) {
  return client_hint == 7 ? 3 : client_hint == 8 ? 4 : kDefaultRuntimeVersion;
}

CommandStream StreamOfCall(const Dp2& call) {
  const size_t length =
      std::min<size_t>(call.command_length.value_or(UINT32_MAX), call.commands.size());
  return {call.commands.first(length), {call.command_offset, call.vertex_size, std::nullopt}};
}

CommandStream StreamOfPacket(const Render& packet, LengthOrigin length_origin) {
  const size_t recorded = packet.command_buffer.size();
  const size_t begin = std::min<size_t>(packet.command_offset, recorded);
  size_t end = recorded;
  if (packet.command_length) {
    const uint64_t base = length_origin == LengthOrigin::kOffset ? packet.command_offset : 0;
    end = static_cast<size_t>(std::min<uint64_t>(base + *packet.command_length, recorded));
  }
  const uint32_t vertex_size = packet.dp2_env ? packet.dp2_env->vertex_size : 0;
  return {packet.command_buffer.subspan(begin, std::max(begin, end) - begin),
          {packet.command_offset, vertex_size, std::nullopt}};
}

}  // namespace

std::optional<CommandStream> StreamOf(const Event& event, LengthOrigin length_origin) {
  if (const auto* call = std::get_if<Dp2>(&event)) return StreamOfCall(*call);
  const auto* packet = std::get_if<Render>(&event);
  if (packet == nullptr || packet->payload != PayloadKind::kDp2) return std::nullopt;
  return StreamOfPacket(*packet, length_origin);
}

void NamingContext::Set(std::map<Key, uint32_t>& versions, Key key, uint32_t version) {
  if (version == kDefaultRuntimeVersion) {
    versions.erase(key);
  } else if (versions.size() < kMaxContexts) {
    versions[key] = version;
  }
}

void NamingContext::Apply(const Event& event) {
  if (const auto* header = std::get_if<Header>(&event)) {
    length_origin_ = header->length_origin;
    contexts_.clear();
    kmt_contexts_.clear();
  } else if (const auto* created = std::get_if<ContextCreate>(&event)) {
    Set(contexts_, {created->space, created->context}, created->runtime_version);
  } else if (const auto* destroyed = std::get_if<ContextDestroy>(&event)) {
    contexts_.erase({destroyed->space, destroyed->context});
  } else if (const auto* kmt_created = std::get_if<KmtContextCreate>(&event)) {
    const uint32_t version = kmt_created->d3d ? kmt_created->d3d->runtime_version
                                              : RuntimeVersionOfHint(kmt_created->client_hint);
    Set(kmt_contexts_, {kmt_created->process, kmt_created->context}, version);
  } else if (const auto* kmt_destroyed = std::get_if<KmtContextDestroy>(&event)) {
    kmt_contexts_.erase({kmt_destroyed->process, kmt_destroyed->context});
  }
}

uint32_t NamingContext::RuntimeVersion(const Event& event) const {
  const auto find = [](const std::map<Key, uint32_t>& versions, Key key) {
    const auto found = versions.find(key);
    return found == versions.end() ? kDefaultRuntimeVersion : found->second;
  };
  if (const auto* call = std::get_if<Dp2>(&event))
    return find(contexts_, {call->space, call->context});
  if (const auto* packet = std::get_if<Render>(&event)) {
    return find(kmt_contexts_, {packet->process, packet->context});
  }
  return kDefaultRuntimeVersion;
}

}  // namespace dp2trace::trace
