#include "validate/kmt/state.h"

#include <fmt/format.h>

#include "base/plain_text.h"
#include "rules/rule.h"
#include "validate/kmt/text.h"

namespace dp2trace::validate {
namespace {

using device::KmtLoss;
using device::KmtType;

// KMT-STATE-007 and -008.
void CheckLoss(const EventView& view, const device::KmtDevice& device,
               const std::optional<uint32_t>& status) {
  if (device.loss == KmtLoss::kNone || device::HasKmtFailed(status)) return;
  if (device.loss == KmtLoss::kError) {
    view.findings.Add(
        Rule::kKmtState007, "context",
        fmt::format("device {:#x} is in an error state since an earlier call", device.handle),
        "error", "active");
  } else {
    view.findings.Add(
        Rule::kKmtState008, "context",
        fmt::format("device {:#x} was removed: an earlier call returned STATUS_DEVICE_REMOVED",
                    device.handle),
        "removed", "active");
  }
}

// KMT-STATE-004 to -006.
void CheckKind(const PacketView& view) {
  const device::KmtObjects& kmt = view.kmt();
  const uint32_t handle = view.render.context;
  const bool is_device = kmt.IsLive(view.render.process, handle, KmtType::kDevice);
  if (is_device && view.context == nullptr) {
    view.Report(
        Rule::kKmtState004, "context",
        fmt::format("device {:#x} has no implicit context: it was created without a command buffer",
                    handle),
        Hex(handle), "a context");
  } else if (is_device) {
    view.Report(Rule::kKmtState005, "context",
                fmt::format("handle {:#x} names a device: its implicit context is used", handle),
                Hex(handle), "a context");
  } else if (view.context != nullptr && view.context->kind == trace::ContextKind::kVirtual) {
    view.Report(
        Rule::kKmtState006, "context",
        fmt::format("context {:#x} is virtual: it submits with D3DKMTSubmitCommand", handle),
        "virtual", "legacy");
  }
}

// KMT-STATE-009. Unspecified: how often; chosen: at the first packet after the closing.
void CheckAdapter(const PacketView& view) {
  const device::KmtDevice& device = *view.device;
  if (!device.was_adapter_open || device.has_rendered_closed) return;
  if (view.kmt().FindAdapter(device.process, device.adapter) != nullptr) return;
  view.Report(Rule::kKmtState009, "context",
              fmt::format("adapter {:#x} of device {:#x} is closed", device.adapter, device.handle),
              "closed", "open");
}

// KMT-STATE-019. Unspecified: how a context of GDI is known; chosen: by its ClientHint, or by its first packet being of kernel origin.
void CheckGdiContext(const PacketView& view) {
  const device::KmtContext& context = *view.context;
  if (view.render.origin != trace::Origin::kKernel || context.client_hint == kHintCdd ||
      context.submitted != 0)
    return;
  if (!context.start || context.start->allocation_list_size >= kGdiAllocationCount) return;
  view.Report(Rule::kKmtState019, "context",
              fmt::format("context {:#x} of kernel origin has an allocation list of {}",
                          context.handle, Counted(context.start->allocation_list_size, "element")),
              fmt::format("{}", context.start->allocation_list_size),
              fmt::format("{} or more", kGdiAllocationCount));
}

}  // namespace

bool CheckOwner(const EventView& view, uint32_t process, uint32_t handle,
                const std::optional<uint32_t>& status) {
  constexpr const char* kExpected = "a live context or device";
  if (handle == 0) {
    view.findings.Add(Rule::kKmtState001, "context", "hContext is 0: the call names no context",
                      "0", kExpected);
    return false;
  }
  const auto name = view.kmt.Look(process, handle);
  const auto describe = [&] {
    return fmt::format("hContext {:#x} {}", handle, DescribeHandle(view.kmt, process, handle));
  };
  if (!name || !name->is_live) {
    view.findings.Add(Rule::kKmtState002, "context", describe(), Hex(handle), kExpected);
    return false;
  }
  if (name->type != KmtType::kContext && name->type != KmtType::kDevice) {
    view.findings.Add(Rule::kKmtState003, "context", describe(), Hex(handle), kExpected);
    return false;
  }
  const device::KmtContext* context = view.kmt.FindKmtContext(process, handle);
  const device::KmtDevice* device =
      view.kmt.FindDevice(process, context != nullptr ? context->device : handle);
  if (device != nullptr) CheckLoss(view, *device, status);
  return true;
}

void CheckPacketState(const PacketView& view) {
  if (!CheckOwner(view.event, view.render.process, view.render.context, view.render.status)) return;
  CheckKind(view);
  if (view.device != nullptr) CheckAdapter(view);
  if (view.context != nullptr) CheckGdiContext(view);
}

}  // namespace dp2trace::validate
