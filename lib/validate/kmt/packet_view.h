// One render packet as its rules see it: before it is applied, beside the objects that it names.
// Source: lib/kmt/packets.md 7.10.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kmt/lists.h"
#include "validate/event_view.h"
#include "validate/kmt/packet.h"

namespace dp2trace::validate {

// What a rule found in an element of a list that rules after it must not find again.
enum AllocationDefect : uint8_t {
  kIsNoAllocation = 1,    // KMT-ALLOC-001, -003, -004
  kIsInvalidPrimary = 2,  // KMT-ALLOC-018
};
enum PatchDefect : uint8_t {
  kHasNoElement = 1,     // KMT-PATCH-002: KMT-PATCH-010, -011, KMT-DP2-016 and -019 are skipped
  kHasFallingSplit = 2,  // KMT-PATCH-006, with the entry before: KMT-DP2-013 is skipped
  kWrapsAround = 4,      // KMT-RENDER-036: rules about the position are skipped
};

struct PacketView {
  const EventView& event;
  const trace::Render& render;
  const PacketProfile& profile;
  // Null where the handle names no context: rules that need one are skipped.
  const device::KmtContext* context = nullptr;
  const device::KmtDevice* device = nullptr;
  Extent extent;
  kmt::AllocationListView allocations;
  kmt::PatchListView patches;
  uint32_t flags = 0;                        // of the packet, without reserved bits
  std::vector<uint8_t>& allocation_defects;  // AllocationDefect, by element
  std::vector<uint8_t>& patch_defects;       // PatchDefect, by entry

  EventFindings& findings() const { return event.findings; }
  const device::KmtObjects& kmt() const { return event.kmt; }
  bool is_dp2() const { return render.payload == trace::PayloadKind::kDp2; }
  bool has(uint32_t flag) const { return (flags & flag) != 0; }
  bool has_failed() const { return device::HasKmtFailed(render.status); }

  // A finding about a field, or an element of a list ("allocation_list/3").
  void Report(Rule rule, std::string path, std::string message, std::string actual = {},
              std::string expected = {}) const {
    findings().Add(rule, std::move(path), std::move(message), std::move(actual),
                   std::move(expected));
  }
};

// A view with the memory behind it.
class PacketFacts {
 public:
  // The packet is decodable; `event`, `render` and `profile` outlive the object.
  PacketFacts(const EventView& event, const trace::Render& render, const PacketProfile& profile);
  PacketFacts(const PacketFacts&) = delete;
  PacketFacts& operator=(const PacketFacts&) = delete;

  const PacketView& view() const { return view_; }

 private:
  std::vector<uint8_t> allocation_defects_;
  std::vector<uint8_t> patch_defects_;
  PacketView view_;
};

}  // namespace dp2trace::validate
