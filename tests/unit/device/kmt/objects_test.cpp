#include "device/kmt/objects.h"

#include <doctest/doctest.h>

#include "base/bytes.h"
#include "kmt/lists.h"

using namespace dp2trace;          // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::device;  // NOLINT(google-build-using-namespace): test file

namespace {

constexpr uint32_t kProcess = 1, kAdapter = 0x10, kDevice = 0x20, kContext = 0x30,
                   kOtherDevice = 0x40;
constexpr uint32_t kFirst = 0x100, kSecond = 0x140;
constexpr uint32_t kRemoved = 0xC00002B6, kInvalidParameter = 0xC000000D;
constexpr uint32_t kDiscard = 0x80;
constexpr trace::Triple kTriple = {0x1000, 4096, 0x3000, 256, 0x4000, 128};

trace::AllocationCreate Allocation(uint32_t handle) {
  trace::AllocationCreate create;
  create.process = kProcess;
  create.device = kDevice;
  create.allocations.resize(1);
  create.allocations[0].allocation = handle;
  create.allocations[0].model_size = 64;
  return create;
}

trace::KmtContextCreate Context(bool has_d3d) {
  trace::KmtContextCreate create;
  create.process = kProcess;
  create.device = kDevice;
  create.context = kContext;
  create.triple = kTriple;
  if (has_d3d) create.d3d = trace::D3dContext{.target = 1};
  return create;
}

// An adapter, a device in space 7, a context, an allocation.
KmtObjects Objects(bool has_d3d = true) {
  KmtObjects kmt;
  kmt.On(trace::AdapterOpen{.process = kProcess, .adapter = kAdapter});
  kmt.On(
      trace::DeviceCreate{.space = 7, .process = kProcess, .adapter = kAdapter, .device = kDevice});
  (void)kmt.OnContextCreate(Context(has_d3d));
  kmt.On(Allocation(kFirst));
  return kmt;
}

std::vector<uint8_t> List(uint32_t handle, uint32_t value = 0) {
  std::vector<uint8_t> bytes;
  ByteWriter writer(bytes);
  kmt::EncodeAllocation({handle, value}, writer);
  return bytes;
}

trace::Render Packet(Bytes list) {
  trace::Render render;
  render.process = kProcess;
  render.context = kContext;
  render.allocation_list = list;
  return render;
}

trace::Lock LockOf(uint32_t handle, uint32_t flags, uint32_t out = 0) {
  return {.process = kProcess,
          .device = kDevice,
          .allocation = handle,
          .allocation_out = out,
          .flags = flags};
}

}  // namespace

TEST_CASE(
    "KmtObjects: a handle keeps its type after destruction, and one that was never announced has none") {
  KmtObjects kmt = Objects();
  CHECK(kmt.IsLive(kProcess, kFirst, KmtType::kAllocation));
  CHECK_FALSE(kmt.Look(2, kFirst));  // another process
  kmt.On(trace::AllocationDestroy{.process = kProcess, .device = kDevice, .allocations = {kFirst}});
  REQUIRE(kmt.Look(kProcess, kFirst));
  CHECK(kmt.Look(kProcess, kFirst)->type == KmtType::kAllocation);
  CHECK_FALSE(kmt.Look(kProcess, kFirst)->is_live);
  CHECK(kmt.FindAllocation(kProcess, kFirst) == nullptr);
}

TEST_CASE("KmtObjects: a recorded failure creates and destroys nothing") {
  KmtObjects kmt = Objects();
  trace::AllocationCreate create = Allocation(kSecond);
  create.status = kInvalidParameter;
  kmt.On(create);
  CHECK_FALSE(kmt.Look(kProcess, kSecond));
  kmt.On(trace::AllocationDestroy{.process = kProcess,
                                  .device = kDevice,
                                  .allocations = {kFirst},
                                  .status = kInvalidParameter});
  CHECK(kmt.FindAllocation(kProcess, kFirst) != nullptr);
}

TEST_CASE("KmtObjects: an old instance is stale once a packet has named the new one") {
  KmtObjects kmt = Objects();
  kmt.On(LockOf(kFirst, kDiscard, kSecond));
  CHECK(kmt.FindAllocation(kProcess, kSecond)->size == 64);
  CHECK_FALSE(kmt.IsStale(*kmt.FindAllocation(kProcess, kFirst)));
  kmt.OnRender(Packet(List(kSecond)), false);  // refused: names nothing
  CHECK_FALSE(kmt.IsStale(*kmt.FindAllocation(kProcess, kFirst)));
  kmt.OnRender(Packet(List(kSecond)), true);
  CHECK(kmt.IsStale(*kmt.FindAllocation(kProcess, kFirst)));
  CHECK_FALSE(kmt.IsStale(*kmt.FindAllocation(kProcess, kSecond)));
  kmt.On(
      trace::AllocationDestroy{.process = kProcess, .device = kDevice, .allocations = {kSecond}});
  CHECK(kmt.FindAllocation(kProcess, kFirst) == nullptr);  // the same allocation
}

TEST_CASE("KmtObjects: QueuedBufferCount says which packets are still queued") {
  KmtObjects kmt = Objects();
  kmt.On(Allocation(kSecond));
  const auto submit = [&](uint32_t handle, uint32_t queued) {
    const std::vector<uint8_t> list = List(handle);
    trace::Render render = Packet(list);
    render.queued_buffer_count = queued;
    kmt.OnRender(render, true);
  };
  const auto is_queued = [&](uint32_t handle) {
    return kmt.IsQueued(kProcess, *kmt.FindAllocation(kProcess, handle));
  };
  submit(kFirst, 1);
  CHECK(is_queued(kFirst));
  submit(kSecond, 2);  // both
  CHECK(is_queued(kFirst));
  submit(kSecond, 1);  // only the last
  CHECK_FALSE(is_queued(kFirst));
  CHECK(is_queued(kSecond));
  kmt.On(LockOf(kSecond, 0));  // waits
  CHECK_FALSE(is_queued(kSecond));
  submit(kFirst, 0);  // not recorded
  CHECK_FALSE(is_queued(kFirst));
}

TEST_CASE("KmtObjects: the next triple is adopted by the three-step rule") {
  KmtObjects kmt = Objects();
  const auto current = [&] {
    return kmt.FindKmtContext(kProcess, kContext)->current->command_buffer_size;
  };
  trace::Triple next = kTriple;
  next.command_buffer_size = 8192;
  trace::Render render = Packet({});
  render.out = next;
  kmt.OnRender(render, true);
  CHECK(current() == 8192);
  render.status = kInvalidParameter;
  render.out->command_buffer_size = 512;
  kmt.OnRender(render, false);  // a failure with complete outputs
  CHECK(current() == 512);
  render.out->command_buffer_size = 1024;
  render.out->patch_location_list = 0;
  kmt.OnRender(render, false);  // incomplete
  CHECK(current() == 512);
  CHECK(kmt.FindKmtContext(kProcess, kContext)->start->command_buffer_size == 4096);
}

TEST_CASE("KmtObjects: the younger of an offer of a resource and one of its allocation holds") {
  KmtObjects kmt = Objects();
  trace::AllocationCreate create = Allocation(kSecond);
  create.resource_out = 0x200;
  kmt.On(create);
  const auto is_offered = [&] {
    return kmt.IsOffered(kProcess, *kmt.FindAllocation(kProcess, kSecond));
  };
  kmt.On(trace::Offer{.process = kProcess, .device = kDevice, .resources = {0x200}, .priority = 1});
  CHECK(is_offered());
  kmt.On(trace::Reclaim{.process = kProcess, .device = kDevice, .allocations = {kSecond}});
  CHECK_FALSE(is_offered());
  kmt.OnRender(Packet(List(kSecond, 1U << 2)), true);  // OfferPriority low
  CHECK(is_offered());
  kmt.On(trace::Reclaim{.process = kProcess, .device = kDevice, .resources = {0x200}});
  CHECK_FALSE(is_offered());
}

TEST_CASE("KmtObjects: DP2 handles stand for allocations of the device") {
  KmtObjects kmt = Objects();
  kmt.On(trace::Dp2Bind{.process = kProcess,
                        .device = kDevice,
                        .handle = 3,
                        .allocation = kFirst,
                        .base_offset = 16});
  const KmtContext& context = *kmt.FindKmtContext(kProcess, kContext);
  REQUIRE(kmt.Resolve(context, 3));
  CHECK(kmt.Resolve(context, 3)->allocation == kFirst);
  CHECK(kmt.HandleOf(kProcess, kContext, kFirst) == std::pair<uint32_t, uint64_t>{3, 16});
  CHECK_FALSE(kmt.FindBinding(kProcess, kOtherDevice, 3));
  kmt.On(trace::Dp2Unbind{.process = kProcess, .device = kDevice, .handle = 3});
  CHECK_FALSE(kmt.Resolve(context, 3));
  CHECK_FALSE(kmt.IsBound(kProcess, kDevice, kFirst));
  kmt.OnHeader({.dp2_handle_mode = trace::Dp2HandleMode::kIdentity});
  CHECK(kmt.Resolve(context, kFirst)->allocation == kFirst);
  CHECK_FALSE(kmt.Resolve(context, 3));
}

TEST_CASE(
    "KmtObjects: a context without a described D3D context gets it with its first DP2 packet") {
  KmtObjects kmt = Objects(false);
  const auto create = kmt.TakeDeferred(kProcess, kContext);
  REQUIRE(create);
  CHECK(create->space == 7);
  CHECK_FALSE(kmt.TakeDeferred(kProcess, kContext));
  CHECK(kmt.OnContextDestroy({.process = kProcess, .context = kContext}));
  KmtObjects unused = Objects(false);
  CHECK_FALSE(unused.OnContextDestroy({.process = kProcess, .context = kContext}));
}

TEST_CASE("KmtObjects: a device takes all that hangs on it along") {
  KmtObjects kmt = Objects();
  CHECK(kmt.ChildrenOf(kProcess, kDevice).contexts == 1);
  CHECK(kmt.ChildrenOf(kProcess, kDevice).allocations == 1);
  CHECK(kmt.OnDeviceDestroy({.process = kProcess, .device = kDevice}).size() == 1);
  CHECK_FALSE(kmt.Look(kProcess, kContext)->is_live);
  CHECK_FALSE(kmt.Look(kProcess, kFirst)->is_live);
}

TEST_CASE("KmtObjects: a removed device is lost for good") {
  KmtObjects kmt = Objects();
  trace::Lock lock = LockOf(kFirst, 0);
  lock.status = kRemoved;
  kmt.On(lock);
  CHECK(kmt.FindDevice(kProcess, kDevice)->loss == KmtLoss::kRemoved);
  CHECK(kmt.FindAllocation(kProcess, kFirst)->locks == 0);
}
