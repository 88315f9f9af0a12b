#include "validate/kmt/packet_view.h"

#include "kmt/flags.h"

namespace dp2trace::validate {
namespace {

PacketView MakeView(const EventView& event, const trace::Render& render,
                    const PacketProfile& profile, std::vector<uint8_t>& allocations,
                    std::vector<uint8_t>& patches) {
  PacketView view = {
      .event = event,
      .render = render,
      .profile = profile,
      .context = event.kmt.FindKmtContext(render.process, render.context),
      .device = nullptr,
      .extent = CommandExtent(render, profile),
      .allocations = kmt::AllocationListView(render.allocation_list),
      .patches = kmt::PatchListView(render.patch_location_list),
      .flags = render.flags & ~kmt::ReservedMask(kmt::kRenderFlags, profile.os_profile),
      .allocation_defects = allocations,
      .patch_defects = patches};
  if (view.context != nullptr) view.device = event.kmt.DeviceOf(*view.context);
  return view;
}

}  // namespace

PacketFacts::PacketFacts(const EventView& event, const trace::Render& render,
                         const PacketProfile& profile)
    : allocation_defects_(render.allocation_list.size() / kmt::kAllocationElementSize),
      patch_defects_(render.patch_location_list.size() / kmt::kPatchElementSize),
      view_(MakeView(event, render, profile, allocation_defects_, patch_defects_)) {}

}  // namespace dp2trace::validate
