// D3DKMTPresent: KMT-PRES-*. Source: lib/kmt/packets.md 4.8 and 7.8.
#include <fmt/format.h>

#include <string_view>

#include "base/plain_text.h"
#include "kmt/flags.h"
#include "kmt/layout.h"
#include "rules/rule.h"
#include "validate/kmt/calls.h"
#include "validate/kmt/state.h"
#include "validate/kmt/text.h"

namespace dp2trace::validate {
namespace {

namespace flag = kmt::present_flag;
using device::KmtType;

constexpr uint32_t kFlips =
    flag::kFlip | flag::kFlipDoNotFlip | flag::kFlipDoNotWait | flag::kFlipRestart;
constexpr uint32_t kColorKeys = flag::kSrcColorKey | flag::kDstColorKey;

// Flags that exclude each other: `excluded` beside any of `with`.
struct Exclusion {
  uint32_t with;
  uint32_t excluded;
  std::string_view message;
};

constexpr Exclusion kExclusions[] = {
    {flag::kFlip, flag::kColorFill | flag::kBlt, "Flip with ColorFill or Blt"},
    {flag::kFlip, kColorKeys, "Flip with a colour key"},
    {flag::kFlip, flag::kSrcRectValid | flag::kDstRectValid,
     "Flip with SrcRectValid or DstRectValid"},
    {flag::kFlip, flag::kRotate | flag::kRestrictVidPnSource,
     "Flip with Rotate or RestrictVidPnSource"},
    {flag::kColorFill, flag::kBlt | kFlips, "ColorFill with Blt or a flip flag"},
    {flag::kColorFill, kColorKeys | flag::kSrcRectValid,
     "ColorFill with a colour key or SrcRectValid"},
    {flag::kBlt, kFlips, "Blt with a flip flag"},
};

// What is wrong with the destination; empty when nothing is.
std::string_view DestinationDefect(const trace::KmtPresent& event) {
  if (event.destination == 0) return {};
  // Unspecified: whether Blt and SrcRectValid are both needed; chosen: one is enough.
  if ((event.flags & (flag::kBlt | flag::kSrcRectValid)) == 0)
    return "hDestination without Blt or SrcRectValid";
  if (event.destination == event.source) return "hDestination equals hSource";
  if ((event.flags & (flag::kColorFill | kFlips | kColorKeys)) != 0)
    return "hDestination with ColorFill, a flip flag or a colour key";
  return event.sub_rects.empty() ? "hDestination without sub-rectangles" : "";
}

// KMT-PRES-001: the first combination that the call refuses.
void CheckCombination(const EventView& view, const trace::KmtPresent& event) {
  const auto report = [&](std::string path, std::string_view message) {
    view.findings.Add(Rule::kKmtPres001, std::move(path), std::string(message),
                      FlagsText(kmt::kPresentFlags, event.flags),
                      "a combination that the call takes");
  };
  for (const Exclusion& row : kExclusions) {
    if ((event.flags & row.with) != 0 && (event.flags & row.excluded) != 0)
      return report("flags", row.message);
  }
  const bool needs_rects = (event.flags & (flag::kBlt | flag::kColorFill)) != 0;
  if (needs_rects && event.sub_rects.empty())
    return report("sub_rects", "Blt or ColorFill without sub-rectangles");
  if (const std::string_view defect = DestinationDefect(event); !defect.empty())
    return report("destination", defect);
  const device::KmtAllocation* source = view.kmt.FindAllocation(event.process, event.source);
  if ((event.flags & flag::kFlip) != 0 && source != nullptr && !source->is_primary) {
    report("source",
           fmt::format("Flip from allocation {:#x}, which is not a primary", event.source));
  }
}

// KMT-PRES-002.
void CheckAllocation(const EventView& view, const trace::KmtPresent& event, const char* path,
                     uint32_t handle) {
  if (!CheckLive(view, Rule::kKmtPres002, path, event.process, handle, KmtType::kAllocation))
    return;
  const device::KmtContext* context = view.kmt.FindKmtContext(event.process, event.context);
  const uint32_t device = context != nullptr ? context->device : event.context;
  const uint32_t owner = view.kmt.FindAllocation(event.process, handle)->device;
  if (owner == device) return;
  view.findings.Add(
      Rule::kKmtPres002, path,
      fmt::format("allocation {:#x} is of device {:#x}, not {:#x}", handle, owner, device),
      Hex(owner), Hex(device));
}

// KMT-PRES-003.
void CheckBroadcast(const EventView& view, const trace::KmtPresent& event) {
  const size_t count = event.broadcast_context.size();
  const auto report = [&](std::string message, std::string actual, std::string expected) {
    view.findings.Add(Rule::kKmtPres003, "broadcast_context", std::move(message), std::move(actual),
                      std::move(expected));
  };
  if (count == 0) return;
  if ((event.flags & flag::kFlip) == 0) {
    return report(
        fmt::format("{} for a present that is not a flip", Counted(count, "broadcast context")),
        fmt::format("{}", count), "0");
  }
  if (count > kmt::kMaxBroadcastContexts) {
    return report(Counted(count, "broadcast context"), fmt::format("{}", count), "64 or less");
  }
  for (const uint32_t handle : event.broadcast_context) {
    if (handle != event.context) continue;
    return report(
        fmt::format("context {:#x} makes the call, it is not a broadcast context", handle),
        Hex(handle), "another context");
  }
}

}  // namespace

void CheckCallEvent(const EventView& view, const trace::KmtPresent& event) {
  CheckCombination(view, event);
  CheckBroadcast(view, event);
  if ((event.flags & flag::kColorFill) == 0 && (event.flags & kColorKeys) == kColorKeys) {
    view.findings.Add(Rule::kKmtPres004, "flags", "SrcColorKey and DstColorKey",
                      FlagsText(kmt::kPresentFlags, event.flags), "one of the two");
  }
  if (!CheckOwner(view, event.process, event.context, event.status)) return;
  if ((event.flags & flag::kColorFill) == 0) CheckAllocation(view, event, "source", event.source);
  if (event.destination != 0) CheckAllocation(view, event, "destination", event.destination);
}

}  // namespace dp2trace::validate
