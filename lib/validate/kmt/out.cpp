#include "validate/kmt/out.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/plain_text.h"
#include "kmt/flags.h"
#include "kmt/ntstatus.h"
#include "kmt/render.h"
#include "rules/rule.h"
#include "rules/rule_info.h"
#include "validate/kmt/text.h"

namespace dp2trace::validate {
namespace {

namespace render_flag = kmt::render_flag;
using kmt::NtStatus;

// Unspecified: which failures are about the content; chosen: all but these of the machine, of the moment, or with a rule of their own.
constexpr NtStatus kNotAboutContent[] = {
    NtStatus::kNoMemory,
    NtStatus::kNoVideoMemory,
    NtStatus::kDeviceRemoved,
    NtStatus::kAdapterWasReset,
    NtStatus::kAllocationInvalid,
    NtStatus::kTryAgainLater,
    NtStatus::kTryAgainNow,
    NtStatus::kGpuExceptionOnDevice,
    NtStatus::kDriverMismatch,
    NtStatus::kInsufficientDmaBuffer,
    NtStatus::kAllocationContentLost,
};

bool IsStatus(uint32_t status, NtStatus value) {
  return kmt::NormalizeStatus(status) == static_cast<uint32_t>(value);
}

// One of the three outputs.
struct Output {
  const char* path;
  uint64_t pointer;
  uint32_t size;
  uint32_t requested;
  bool is_requested;
  uint32_t start;    // 0: not known
  uint32_t current;  // 0: not known
};

// KMT-OUT-003, -004, -005.
void CheckSize(const PacketView& view, const Output& output) {
  const auto report = [&](Rule rule, const std::string& message, uint32_t expected) {
    view.Report(rule, output.path, message, fmt::format("{}", output.size),
                fmt::format("{}", expected));
  };
  if (output.size < output.start) {
    report(Rule::kKmtOut003,
           fmt::format("{} is {}, less than the {} of the context's creation", output.path,
                       output.size, output.start),
           output.start);
  } else if (output.is_requested && output.size != output.requested) {
    report(Rule::kKmtOut004,
           fmt::format("{} is {}, {} was requested", output.path, output.size, output.requested),
           output.requested);
  } else if (!output.is_requested && output.current != 0 && output.size != output.current) {
    report(Rule::kKmtOut005,
           fmt::format("{} changes from {} to {} without a request", output.path, output.current,
                       output.size),
           output.current);
  }
}

// KMT-OUT-001 to -005.
void CheckTriple(const PacketView& view) {
  if (!view.render.out || view.has(render_flag::kRenderKm)) return;
  const trace::Triple& out = *view.render.out;
  const bool is_known = view.context != nullptr;
  const trace::Triple start =
      is_known ? view.context->start.value_or(trace::Triple{}) : trace::Triple{};
  const trace::Triple now =
      is_known ? view.context->current.value_or(trace::Triple{}) : trace::Triple{};
  const trace::Render& render = view.render;
  const Output buffer = {"out/command_buffer_size",
                         out.command_buffer,
                         out.command_buffer_size,
                         render.new_command_buffer_size,
                         view.has(render_flag::kResizeCommandBuffer),
                         start.command_buffer_size,
                         now.command_buffer_size};
  if (buffer.pointer == 0 || buffer.size == 0) {
    view.Report(Rule::kKmtOut001, "out/command_buffer",
                fmt::format("success without a next command buffer: {} at {:#x}",
                            Counted(buffer.size, "byte"), buffer.pointer),
                fmt::format("{} at {:#x}", Counted(buffer.size, "byte"), buffer.pointer),
                "a buffer");
  } else {
    CheckSize(view, buffer);
  }
  const Output lists[] = {
      {"out/allocation_list_size", out.allocation_list, out.allocation_list_size,
       render.new_allocation_list_size, view.has(render_flag::kResizeAllocationList),
       start.allocation_list_size, now.allocation_list_size},
      {"out/patch_location_list_size", out.patch_location_list, out.patch_location_list_size,
       render.new_patch_location_list_size, view.has(render_flag::kResizePatchLocationList),
       start.patch_location_list_size, now.patch_location_list_size}};
  for (const Output& list : lists) {
    if (list.size != 0 && list.pointer == 0) {
      view.Report(
          Rule::kKmtOut002, list.path,
          fmt::format("success with a next list of {} at NULL", Counted(list.size, "element")),
          "NULL", "not NULL");
    } else {
      CheckSize(view, list);
    }
  }
}

// KMT-OUT-008, -011, -013.
void CheckSuccess(const PacketView& view) {
  const uint32_t status = *view.render.status;
  CheckTriple(view);
  if (const auto rule = view.findings().predicted_failure()) {
    const std::string expected = fmt::format("STATUS_{} by {}", Info(*rule).status, Info(*rule).id);
    view.Report(
        Rule::kKmtOut008, "status",
        fmt::format("the recorded status is {}, expected {}", DescribeStatus(status), expected),
        DescribeStatus(status), expected);
  }
  const bool lists_invalid = std::ranges::any_of(
      view.allocation_defects, [](uint8_t defect) { return (defect & kIsInvalidPrimary) != 0; });
  if (view.context != nullptr && view.kmt().AwaitsPrimary(*view.context) && !lists_invalid) {
    view.Report(
        Rule::kKmtOut011, "status",
        fmt::format(
            "context {:#x} succeeds after STATUS_GRAPHICS_ALLOCATION_INVALID, and no primary was created or opened since",
            view.render.context),
        DescribeStatus(status), "a new primary before");
  }
  // A count of 0 stands in the structure, or is not recorded at all.
  const auto width = view.profile.width();
  const auto raw = width ? kmt::DecodeRender(view.render.raw_out, *width, view.profile.os_profile)
                         : std::nullopt;
  if (raw && raw->queued_buffer_count == 0) {
    view.Report(Rule::kKmtOut013, "queued_buffer_count",
                "QueuedBufferCount is 0 after a success: the queue is empty already", "0",
                "1 or more");
  }
}

// KMT-OUT-006, -009, -012, -014.
void CheckFailure(const PacketView& view) {
  const uint32_t status = *view.render.status;
  const auto report = [&](Rule rule, const std::string& message, const std::string& expected) {
    view.Report(rule, "status", message, DescribeStatus(status), expected);
  };
  if (IsStatus(status, NtStatus::kInsufficientDmaBuffer)) {
    report(Rule::kKmtOut006, "STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER does not leave the kernel",
           "another status");
  }
  if (IsStatus(status, NtStatus::kGpuExceptionOnDevice) ||
      IsStatus(status, NtStatus::kDeviceRemoved)) {
    report(Rule::kKmtOut012,
           fmt::format("{}: the device counts as lost from here on", DescribeStatus(status)),
           "success");
  }
  if (IsStatus(status, NtStatus::kDriverMismatch) && kmt::NormalizeStatus(status) != status) {
    report(
        Rule::kKmtOut014,
        fmt::format("STATUS_GRAPHICS_DRIVER_MISMATCH is recorded by its older value {:#x}", status),
        DescribeStatus(static_cast<uint32_t>(NtStatus::kDriverMismatch)));
  }
  const bool is_about_content = std::ranges::none_of(
      kNotAboutContent, [&](NtStatus value) { return IsStatus(status, value); });
  if (is_about_content && !view.findings().predicted_failure() &&
      !view.findings().Explains(status)) {
    report(Rule::kKmtOut009,
           fmt::format("the recorded status is {}, and no rule objects to the packet",
                       DescribeStatus(status)),
           "success");
  }
}

// KMT-OUT-007.
void CheckFailedTriple(const PacketView& view) {
  if (!view.render.out) return;
  const bool is_complete = device::IsComplete(*view.render.out);
  view.Report(
      Rule::kKmtOut007, "out",
      is_complete
          ? "the call failed with complete outputs: the next packet goes into them"
          : "the call failed and wrote no outputs: the next packet goes into the buffers of this one",
      is_complete ? "complete" : "incomplete", "outputs of a success");
}

// KMT-OUT-010.
void CheckBuffers(const PacketView& view) {
  if (!view.render.buffers || view.context == nullptr || !view.context->current ||
      view.has(render_flag::kRenderKm))
    return;
  const trace::Triple& written = *view.render.buffers;
  const trace::Triple& adopted = *view.context->current;
  const auto check = [&](const char* path, const char* name, uint64_t found, uint64_t wanted) {
    if (found == 0 || found == wanted) return;
    view.Report(Rule::kKmtOut010, path,
                fmt::format("the {} was written at {:#x}, the context has it at {:#x}", name, found,
                            wanted),
                Hex(found), Hex(wanted));
  };
  check("buffers/command_buffer", "command buffer", written.command_buffer, adopted.command_buffer);
  if (view.allocations.size() != 0) {
    check("buffers/allocation_list", "allocation list", written.allocation_list,
          adopted.allocation_list);
  }
  if (view.patches.size() != 0) {
    check("buffers/patch_location_list", "patch-location list", written.patch_location_list,
          adopted.patch_location_list);
  }
}

}  // namespace

void CheckResults(const PacketView& view) {
  CheckBuffers(view);
  if (!view.render.status) return;
  if (!view.has_failed()) return CheckSuccess(view);
  CheckFailure(view);
  CheckFailedTriple(view);
}

}  // namespace dp2trace::validate
