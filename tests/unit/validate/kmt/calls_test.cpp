// What traces show badly: that a rule reports once, and what the predicted status is. The rules themselves: traces/rules/KMT-*.
#include <doctest/doctest.h>

#include <algorithm>

#include "../helpers.h"
#include "base/bytes.h"
#include "kmt/ntstatus.h"
#include "rules/rule_info.h"

using namespace dp2trace;            // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::validate;  // NOLINT(google-build-using-namespace): test file

namespace {

constexpr uint32_t kProcess = 1, kAdapter = 0x10, kDevice = 0x20, kContext = 0x30;

trace::AdapterOpen Adapter() {
  trace::AdapterOpen adapter;
  adapter.process = kProcess;
  adapter.adapter = kAdapter;
  return adapter;
}

trace::DeviceCreate Device() {
  trace::DeviceCreate device;
  device.process = kProcess;
  device.adapter = kAdapter;
  device.device = kDevice;
  return device;
}

trace::KmtContextCreate Context() {
  trace::KmtContextCreate context;
  context.process = kProcess;
  context.device = kDevice;
  context.context = kContext;
  context.d3d = trace::D3dContext{};
  context.d3d->target = 1;  // of FindingsOf()
  return context;
}

// RENDERSTATE FILLMODE SOLID.
const std::vector<uint8_t> kCommands = Hex("08000100 08000000 03000000");

trace::Render Packet() {
  trace::Render render;
  render.process = kProcess;
  render.context = kContext;
  render.command_buffer = kCommands;
  return render;
}

Ids IdsOfPacket(const trace::Render& render) {
  return IdsOf(FindingsOf({}, {Adapter(), Device(), Context(), render}));
}

}  // namespace

TEST_CASE("KMT-STATE-009 is reported for the first packet on a device whose adapter is closed") {
  trace::AdapterClose close;
  close.process = kProcess;
  close.adapter = kAdapter;
  CHECK(IdsOf(FindingsOf({}, {Adapter(), Device(), Context(), close, Packet(), Packet()})) ==
        Ids{"KMT-STATE-009", "DP2-RS-039"});
}

TEST_CASE(
    "KMT-OUT-008 names the status that the first rule predicts, KMT-OUT-009 fires without one") {
  trace::Render render = Packet();
  render.status = 0;
  render.private_driver_data = 8;
  render.flags = 0x80;
  const auto findings = FindingsOf({}, {Adapter(), Device(), Context(), render});
  CHECK(IdsOf(findings) == Ids{"KMT-RENDER-017", "KMT-FLAGS-001", "KMT-OUT-008"});
  CHECK(findings.back().expected == "STATUS_INVALID_PARAMETER by KMT-RENDER-017");
  render.status = static_cast<uint32_t>(kmt::NtStatus::kInvalidUserBuffer);
  CHECK(IdsOfPacket(render) == Ids{"KMT-RENDER-017", "KMT-FLAGS-001"});
  render.private_driver_data.reset();
  render.flags = 0;
  CHECK(IdsOfPacket(render) == Ids{"KMT-OUT-009"});
}

TEST_CASE(
    "KMT-OUT-009 is silent for a status that a warning explains, or that is not about the content") {
  // Element 1 is locked: KMT-ALLOC-012 is a warning with a status.
  trace::AllocationCreate create;
  create.process = kProcess;
  create.device = kDevice;
  create.allocations.resize(1);
  create.allocations[0].allocation = 0x100;
  trace::Lock lock;
  lock.process = kProcess;
  lock.device = kDevice;
  lock.allocation = 0x100;
  const std::vector<uint8_t> list = Hex("00000000 00000000 00010000 00000000");
  trace::Render render = Packet();
  render.allocation_list = list;
  render.status = static_cast<uint32_t>(kmt::NtStatus::kCantRenderLockedAllocation);
  CHECK(IdsOf(FindingsOf({}, {Adapter(), Device(), Context(), create, lock, render})) ==
        Ids{"KMT-ALLOC-012"});
  trace::Render other = Packet();
  other.status = static_cast<uint32_t>(kmt::NtStatus::kNoMemory);
  CHECK(IdsOfPacket(other) == Ids{});
}

TEST_CASE("A status in the rule table has a value") {
  for (const RuleInfo& rule : AllRules()) {
    INFO(rule.id);
    CHECK((rule.status.empty() || kmt::FindStatus(rule.status).has_value()));
  }
  CHECK(kmt::FindStatus("ALLOCATION_CLOSED") == kmt::NtStatus::kAllocationClosed);
  CHECK_FALSE(kmt::FindStatus("CLOSED"));
}

TEST_CASE("Lists of 1000 elements and entries of one defect give a finding for each") {
  std::vector<uint8_t> list;
  std::vector<uint8_t> patches;
  for (int i = 0; i < 1000; ++i) {
    const auto element = Hex("01020304 00000000");
    list.insert(list.end(), element.begin(), element.end());
    const auto patch = Hex("ffffffff 00000000 00000000 00000000 00000000 00000000");
    patches.insert(patches.end(), patch.begin(), patch.end());
  }
  trace::Render render = Packet();
  render.allocation_list = list;
  render.patch_location_list = patches;
  render.payload = trace::PayloadKind::kOpaque;
  const Ids ids = IdsOfPacket(render);
  CHECK(std::ranges::count(ids, "KMT-ALLOC-001") == 1000);
  CHECK(std::ranges::count(ids, "KMT-PATCH-002") == 1000);
}
