// What submissions and their results change: the triple of a context, lost devices, instances and offers of allocations.
// Source: lib/kmt/packets.md 1.3, 3.1 and 4.3 to 4.6.
#include <algorithm>

#include "device/kmt/objects.h"
#include "kmt/flags.h"
#include "kmt/lists.h"
#include "kmt/ntstatus.h"

namespace dp2trace::device {
namespace {

namespace render_flag = kmt::render_flag;
using kmt::NtStatus;

bool IsStatus(const std::optional<uint32_t>& status, NtStatus value) {
  return status && kmt::NormalizeStatus(*status) == static_cast<uint32_t>(value);
}

// The triple of the next packet. Source: lib/kmt/packets.md 1.3, "chosen rule for state tracking".
void TakeTriple(const trace::Render& event, bool is_accepted, KmtContext& context) {
  if (!event.out || (event.flags & render_flag::kRenderKm) != 0) return;
  // A success without a buffer breaks a rule of its own; the old triple stays, so that the packets after it are not blamed.
  const bool has_buffer = event.out->command_buffer != 0 && event.out->command_buffer_size != 0;
  if (is_accepted ? !has_buffer : !IsComplete(*event.out)) return;
  context.current = event.out;
  const bool is_requested = (event.flags & render_flag::kResizeCommandBuffer) != 0;
  if (is_requested && event.out->command_buffer_size >= event.new_command_buffer_size)
    context.is_resize_granted = true;
}

// Unspecified: when a packet is complete; chosen: QueuedBufferCount buffers, this one among them, are still to be executed, and where it
// is 0, which may mean that it was not recorded, none is known to be.
void TakeQueue(const trace::Render& event, KmtContext& context) {
  ++context.submitted;
  context.completed =
      context.submitted - std::min<uint64_t>(event.queued_buffer_count, context.submitted);
}

}  // namespace

bool IsComplete(const trace::Triple& triple) {
  return triple.command_buffer != 0 && triple.command_buffer_size != 0 &&
         triple.allocation_list != 0 && triple.allocation_list_size != 0 &&
         triple.patch_location_list != 0 && triple.patch_location_list_size != 0;
}

KmtContext* KmtObjects::ContextAt(uint32_t process, uint32_t handle) {
  const auto found = contexts_.find({process, handle});
  if (found != contexts_.end()) return &found->second;
  const auto implicit = implicit_contexts_.find({process, handle});
  return implicit == implicit_contexts_.end() ? nullptr : &implicit->second;
}

void KmtObjects::TakeStatus(uint32_t process, uint32_t device,
                            const std::optional<uint32_t>& status) {
  const auto found = devices_.find({process, device});
  if (found == devices_.end()) return;
  if (IsStatus(status, NtStatus::kGpuExceptionOnDevice)) found->second.loss = KmtLoss::kError;
  if (IsStatus(status, NtStatus::kDeviceRemoved)) found->second.loss = KmtLoss::kRemoved;
}

void KmtObjects::TakeInvalidPrimaries(const trace::Render& event, KmtContext& context) {
  if (!IsStatus(event.status, NtStatus::kAllocationInvalid)) return;
  const auto device = devices_.find({context.process, context.device});
  if (device != devices_.end()) context.awaited_primary = device->second.primaries;
  const kmt::AllocationListView list(event.allocation_list);
  for (size_t i = 0; i < list.size(); ++i) {
    const auto found = allocations_.find({event.process, list[i].handle});
    if (found != allocations_.end() && found->second.is_primary)
      found->second.is_invalidated = true;
  }
}

void KmtObjects::UseAllocations(const trace::Render& event, const KmtContext& context) {
  ++offer_calls_;
  const kmt::AllocationListView list(event.allocation_list);
  for (size_t i = 0; i < list.size(); ++i) {
    const kmt::AllocationElement element = list[i];
    const auto found = allocations_.find({event.process, element.handle});
    if (found == allocations_.end()) continue;
    KmtAllocation& allocation = found->second;
    allocation.used_context = context.handle;
    allocation.used_packet = context.submitted;
    allocation.is_discarded = false;  // written now, or reported
    const auto family = families_.find(allocation.family);
    if (family != families_.end()) {
      family->second.newest_used = std::max(family->second.newest_used, allocation.instance);
    }
    if (has_offer_priority_ && element.offer_priority() != 0)
      allocation.offer = {offer_calls_, true};
  }
}

void KmtObjects::OnRender(const trace::Render& event, bool is_accepted) {
  KmtContext* const context = ContextAt(event.process, event.context);
  if (context == nullptr) return;
  TakeStatus(event.process, context->device, event.status);
  const auto device = devices_.find({context->process, context->device});
  if (device != devices_.end() && FindAdapter(event.process, device->second.adapter) == nullptr) {
    device->second.has_rendered_closed = true;
  }
  TakeTriple(event, is_accepted, *context);
  TakeInvalidPrimaries(event, *context);
  if (!is_accepted) return;
  context->awaited_primary.reset();
  TakeQueue(event, *context);
  UseAllocations(event, *context);
}

void KmtObjects::On(const trace::KmtPresent& event) {
  const KmtContext* context = FindKmtContext(event.process, event.context);
  const uint32_t device = context != nullptr ? context->device : event.context;
  TakeStatus(event.process, device, event.status);
  if (!IsStatus(event.status, NtStatus::kAllocationInvalid)) return;
  for (const uint32_t handle : {event.source, event.destination}) {
    const auto found = allocations_.find({event.process, handle});
    if (found != allocations_.end() && found->second.is_primary)
      found->second.is_invalidated = true;
  }
}

void KmtObjects::On(const trace::SubmitCommand& event) {
  for (const uint32_t handle : event.broadcast_context) {
    const KmtContext* context = FindKmtContext(event.process, handle);
    if (context != nullptr) TakeStatus(event.process, context->device, event.status);
  }
}

}  // namespace dp2trace::device
