// The objects around a render packet, as data: adapters, devices, contexts, resources, allocations, synchronisation objects.
// Source: lib/kmt/packets.md 4; DP2 bindings: 6.6.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "trace/events.h"

namespace dp2trace::device {

enum class KmtType : uint8_t { kAdapter, kDevice, kContext, kResource, kAllocation, kSync };
// "adapter", "device", ...
std::string_view Name(KmtType type);

// A handle of one process. Source: lib/kmt/packets.md 4.1.
using KmtKey = std::pair<uint32_t, uint32_t>;  // process and handle

// What a handle names, or named before it was destroyed.
struct KmtName {
  KmtType type = KmtType::kAdapter;
  bool is_live = false;
};

// True for a recorded NTSTATUS that is a failure; what was not recorded has not failed.
bool HasKmtFailed(const std::optional<uint32_t>& status);

// True when a call wrote all six outputs: a zero means that it wrote nothing. Source: lib/kmt/packets.md 1.3.
bool IsComplete(const trace::Triple& triple);

struct KmtAdapter {
  std::optional<uint32_t> max_slot;      // MaxAllocationListSlotId
  std::optional<uint32_t> wddm_version;  // major * 100 + minor * 10
  bool no_dma_patching = false;
};

// Why a device can no longer be used. Source: lib/kmt/packets.md 4.3.
enum class KmtLoss : uint8_t { kNone, kError, kRemoved };

struct KmtDevice {
  uint32_t process = 0;
  uint32_t handle = 0;
  uint32_t space = 0;  // handle space of its surfaces
  uint32_t adapter = 0;
  bool was_adapter_open = false;     // when the device was created
  bool has_rendered_closed = false;  // a packet ran after the adapter was closed
  bool has_guaranteed_contract = false;
  KmtLoss loss = KmtLoss::kNone;
  uint64_t primaries = 0;  // that were created or opened so far
};

struct KmtContext {
  uint32_t process = 0;
  uint32_t handle = 0;  // of the device for an implicit context
  uint32_t device = 0;
  uint32_t space = 0;
  bool is_implicit = false;  // of a device: Direct3D 10 compatibility
  trace::ContextKind kind = trace::ContextKind::kLegacy;
  uint32_t client_hint = 0;  // D3DKMT_CLIENTHINT
  bool no_patching = false;
  std::optional<trace::Triple> start;    // as returned at creation, where recorded
  std::optional<trace::Triple> current;  // what the next packet is written into
  // A call asked for a command buffer of at least the size that it returned.
  bool is_resize_granted = false;
  // After STATUS_GRAPHICS_ALLOCATION_INVALID, until a packet succeeds: KmtDevice::primaries at that time.
  std::optional<uint64_t> awaited_primary;
  uint64_t submitted = 0;  // packets that were accepted
  // How many of them are not known to be still queued, by QueuedBufferCount.
  uint64_t completed = 0;
  bool has_d3d = false;  // owns a D3D context, or will
  // That context, where the first DP2 packet brings it to life.
  std::optional<trace::ContextCreate> deferred;
};

// Whether something is offered, and since which call: the younger of a resource's and its allocation's holds.
struct KmtOffer {
  uint64_t call = 0;
  bool is_offered = false;
};

struct KmtResource {
  uint32_t device = 0;
  uint32_t global_share = 0;  // 0: not shared
  bool is_shared = false;
  std::set<uint32_t> allocations;  // live ones
  bool is_emptied = false;         // the last of them was destroyed on its own
  KmtOffer offer;
};

// One handle of an allocation: a Discard lock makes another one for a new instance of the same allocation. Source: lib/kmt/packets.md 4.5 and 4.6.
struct KmtAllocation {
  uint32_t device = 0;
  uint32_t resource = 0;  // 0: none
  uint64_t size = 0;      // bytes; 0: unknown
  trace::BindKind kind = trace::BindKind::kOther;
  bool is_primary = false;
  bool is_shared = false;
  bool is_opened = false;  // through a share: the creator is another device
  bool is_read_only = false;
  bool is_swap_chain = false;
  KmtOffer offer;
  // A reclaim said that its contents were lost; nothing has written them since.
  bool is_discarded = false;
  bool is_invalidated = false;              // a primary, by a mode change
  uint32_t locks = 0;                       // not yet unlocked
  bool is_locked_with_aperture = false;     // one of them with AcquireAperture
  bool is_locked_without_aperture = false;  // one of them without
  bool is_locked_alternate = false;         // with UseAlternateVA
  uint64_t family = 0;                      // the same for all instances of one allocation
  uint32_t instance = 0;                    // 0: as created; a larger number is newer
  // The last packet that listed it, and its place in the queue of that context.
  uint32_t used_context = 0;
  uint64_t used_packet = 0;
};

// What a DP2 surface handle stands for. Source: lib/kmt/packets.md 6.6.
struct Dp2Target {
  uint32_t allocation = 0;
  uint64_t base_offset = 0;
  trace::BindKind kind = trace::BindKind::kOther;
  uint64_t size = 0;  // bytes; 0: unknown
};

// Live objects that hang on a device.
struct KmtChildren {
  uint32_t contexts = 0;
  uint32_t allocations = 0;
  uint32_t syncs = 0;
};

}  // namespace dp2trace::device
