#include "device/kmt_objects.h"

#include "kmt/ntstatus.h"

namespace dp2trace::device {
namespace {

bool HasFailed(const std::optional<uint32_t>& status) { return status && !kmt::IsSuccess(*status); }

// D3D contexts of packets beside those of dp2 events, whose ids are pointers of a process: the highest bit is set.
uint64_t IdOf(uint32_t process, uint32_t context) {
  return uint64_t{1} << 63 | uint64_t{process} << 32 | context;
}

// D3DKMT_CLIENTHINT to the runtime version of a context: DX7 is 3, DX8 4; the others count as 9.
uint32_t RuntimeVersionOf(uint32_t client_hint) {
  constexpr uint32_t kHintDx7 = 7;
  constexpr uint32_t kHintDx8 = 8;
  return client_hint == kHintDx7 ? 3 : client_hint == kHintDx8 ? 4 : 5;
}

}  // namespace

void KmtObjects::OnDeviceCreate(const trace::DeviceCreate& event) {
  if (!HasFailed(event.status)) device_spaces_[{event.process, event.device}] = event.space;
}

uint32_t KmtObjects::SpaceOf(uint32_t process, uint32_t device) const {
  const auto found = device_spaces_.find({process, device});
  return found == device_spaces_.end() ? 0 : found->second;
}

std::optional<trace::ContextCreate> KmtObjects::OnContextCreate(const trace::KmtContextCreate& event) {
  if (HasFailed(event.status)) return std::nullopt;
  const uint32_t space = SpaceOf(event.process, event.device);
  contexts_[{event.process, event.context}] = {space, event.device};
  trace::D3dContext d3d;
  d3d.runtime_version = RuntimeVersionOf(event.client_hint);
  if (event.d3d) d3d = *event.d3d;
  trace::ContextCreate create;
  create.space = space;
  create.context = IdOf(event.process, event.context);
  create.target = d3d.target;
  create.depth = d3d.depth;
  create.runtime_version = d3d.runtime_version;
  create.pure_device = d3d.pure_device;
  create.process = event.process;
  return create;
}

std::optional<trace::ContextDestroy> KmtObjects::OnContextDestroy(const trace::KmtContextDestroy& event) {
  if (HasFailed(event.status)) return std::nullopt;
  const auto found = contexts_.find({event.process, event.context});
  if (found == contexts_.end()) return std::nullopt;
  const trace::ContextDestroy destroy{found->second.space, IdOf(event.process, event.context)};
  contexts_.erase(found);
  return destroy;
}

void KmtObjects::OnBind(const trace::Dp2Bind& event) {
  bindings_[{{event.process, event.device}, event.allocation}] = {event.handle, event.base_offset};
}

void KmtObjects::OnUnbind(const trace::Dp2Unbind& event) {
  const Key device{event.process, event.device};
  std::erase_if(bindings_, [&](const auto& entry) { return entry.first.first == device && entry.second.handle == event.handle; });
}

std::optional<ContextKey> KmtObjects::FindContext(uint32_t process, uint32_t context) const {
  const auto found = contexts_.find({process, context});
  if (found == contexts_.end()) return std::nullopt;
  return ContextKey{found->second.space, IdOf(process, context)};
}

std::pair<uint32_t, uint64_t> KmtObjects::HandleOf(uint32_t process, uint32_t context, uint32_t allocation) const {
  const auto owner = contexts_.find({process, context});
  if (owner == contexts_.end()) return {allocation, 0};
  const auto found = bindings_.find({{process, owner->second.device}, allocation});
  if (found == bindings_.end()) return {allocation, 0};
  return {found->second.handle, found->second.base_offset};
}

}  // namespace dp2trace::device
