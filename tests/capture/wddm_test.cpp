// A driver that submits command buffers: what dp2trace_capture_wddm.h makes of its structures, and that a recorded packet says where it was
// written, so that a driver which keeps its old pointer is found.
#include "dp2trace_capture_wddm.h"

#include <doctest/doctest.h>

#include <array>
#include <cstring>
#include <vector>

#include "replay/replayer.h"
#include "trace/call_results.h"
#include "trace/reader.h"

using namespace dp2trace;  // NOLINT(google-build-using-namespace): test file

namespace {

// The member names of the public structures. Source: Windows Driver Kit documentation, d3dumddi.h and d3dkmthk.h.
struct RenderFlags {
  uint32_t Value = 0;
};
struct CreateContextCb {  // D3DDDICB_CREATECONTEXT
  void* hContext = nullptr;
  void* pCommandBuffer = nullptr;
  uint32_t CommandBufferSize = 0;
  void* pAllocationList = nullptr;
  uint32_t AllocationListSize = 0;
  void* pPatchLocationList = nullptr;
  uint32_t PatchLocationListSize = 0;
};
struct RenderCommon {
  uint32_t CommandLength = 0;
  uint32_t CommandOffset = 0;
  void* pNewCommandBuffer = nullptr;
  uint32_t NewCommandBufferSize = 0;
  void* pNewAllocationList = nullptr;
  uint32_t NewAllocationListSize = 0;
  void* pNewPatchLocationList = nullptr;
  uint32_t NewPatchLocationListSize = 0;
  RenderFlags Flags;
  uint32_t BroadcastContextCount = 0;
  uint32_t QueuedBufferCount = 0;
};
struct RenderCb : RenderCommon {  // D3DDDICB_RENDER
  void* hContext = nullptr;
  uint32_t NumAllocations = 0;
  uint32_t NumPatchLocations = 0;
};
struct KmtRender : RenderCommon {  // D3DKMT_RENDER
  uint32_t hContext = 0;
  uint32_t AllocationCount = 0;
  uint32_t PatchLocationCount = 0;
  uint32_t BroadcastContext[64] = {};  // NOLINT(modernize-avoid-c-arrays)
};

constexpr uint32_t kDevice = 0x40000020;
constexpr uint32_t kContext = 0x40000040;
constexpr uint32_t kListSize = 16;

struct Buffers {
  std::array<uint8_t, 4096> commands{};
  std::array<uint8_t, kListSize * D2C__ALLOCATION_SIZE> allocations{};
  std::array<uint8_t, kListSize * D2C__PATCH_LOCATION_SIZE> patches{};
};

int Append(void* file, const void* bytes, d2c_u32 size) {
  const auto* const from = static_cast<const uint8_t*>(bytes);
  auto& to = *static_cast<std::vector<uint8_t>*>(file);
  to.insert(to.end(), from, from + size);
  return 0;
}

// A driver with two sets of buffers, which the callback gives it in turn.
class Driver {
 public:
  Driver() {
    d2c_open(&recorder_, Append, &file_, nullptr, 0, nullptr, 0);
    d2c_header header;
    d2c_header_init(&header);
    header.pointer_width = sizeof(void*) * 8;
    d2c_put_header(&recorder_, &header);
    struct d2c_adapter_open adapter;
    d2c_adapter_open_init(&adapter);
    adapter.adapter = 0x40000000;
    d2c_adapter_open(&recorder_, &adapter);
    struct d2c_device_create device;
    d2c_device_create_init(&device);
    device.adapter = adapter.adapter;
    device.device = kDevice;
    d2c_device_create(&recorder_, &device);
    CreateContext();
  }

  // The packet of one RENDERSTATE token goes into `buffers`.
  template <class Argument>
  void Render(Argument& argument, Buffers& buffers, Buffers& next) {
    const std::array<uint8_t, 12> token = {8, 0, 1, 0, 8, 0, 0, 0, 3, 0, 0, 0};
    std::memcpy(buffers.commands.data(), token.data(), token.size());
    argument.CommandLength = token.size();
    struct d2c_render packet;
    if constexpr (std::is_same_v<Argument, RenderCb>) {
      D2C_WDDM_RENDER(&packet, &argument, buffers.commands.data(), buffers.allocations.data(),
                      buffers.patches.data());
    } else {
      D2C_KMT_RENDER(&packet, &argument, buffers.commands.data(), buffers.allocations.data(),
                     buffers.patches.data());
    }
    const struct d2c_u64 call = d2c_next_event(&recorder_);
    CHECK(d2c_render(&recorder_, &packet) == D2C_OK);
    argument.pNewCommandBuffer = next.commands.data();
    argument.NewCommandBufferSize = static_cast<uint32_t>(next.commands.size());
    argument.pNewAllocationList = next.allocations.data();
    argument.NewAllocationListSize = kListSize;
    argument.pNewPatchLocationList = next.patches.data();
    argument.NewPatchLocationListSize = kListSize;
    argument.QueuedBufferCount = 1;
    struct d2c_call_result result;
    D2C_WDDM_RENDER_RESULT(&result, call, &argument, 0);
    CHECK(d2c_call_result(&recorder_, &result) == D2C_OK);
  }

  DiagnosticList Findings(std::vector<trace::Render>* packets = nullptr) {
    REQUIRE(d2c_finish(&recorder_) == D2C_OK);
    DiagnosticList findings;
    replay::Replayer replayer({}, findings, images_);
    Result<trace::Reader> reader = trace::Reader::FromBytes(file_, findings);
    REQUIRE(reader.ok());
    trace::ResultJoiner joiner([&reader](trace::EventRecord& next) { return reader->Next(next); });
    for (trace::EventRecord record; joiner.Next(record);) {
      if (packets != nullptr && std::holds_alternative<trace::Render>(record.event))
        packets->push_back(std::get<trace::Render>(record.event));
      REQUIRE(replayer.OnEvent(record.number, record.event).ok());
    }
    REQUIRE(replayer.Finish().ok());
    return findings;
  }

  Buffers first;
  Buffers second;

 private:
  class NoImages final : public replay::ImageSink {
   public:
    Status OnImage(const replay::ImageInfo&, const image::Picture&) override { return OkStatus(); }
  };

  void CreateContext() {
    CreateContextCb create;
    create.hContext =
        reinterpret_cast<void*>(size_t{kContext});  // NOLINT(performance-no-int-to-ptr)
    create.pCommandBuffer = first.commands.data();
    create.CommandBufferSize = static_cast<uint32_t>(first.commands.size());
    create.pAllocationList = first.allocations.data();
    create.AllocationListSize = kListSize;
    create.pPatchLocationList = first.patches.data();
    create.PatchLocationListSize = kListSize;
    struct d2c_kmt_context_create context;
    D2C_WDDM_CONTEXT_CREATE(&context, kDevice, &create);
    d2c_kmt_context_create(&recorder_, &context);
  }

  std::vector<uint8_t> file_;
  d2c recorder_;
  NoImages images_;
};

size_t CountOf(const DiagnosticList& findings, Rule rule) {
  size_t count = 0;
  for (const Diagnostic& finding : findings.items())
    count += finding.rule == rule ? 1 : 0;
  return count;
}

}  // namespace

TEST_CASE("Recorded packets say where they were written") {
  Driver driver;
  RenderCb argument;
  argument.hContext =
      reinterpret_cast<void*>(size_t{kContext});  // NOLINT(performance-no-int-to-ptr)
  driver.Render(argument, driver.first, driver.second);
  driver.Render(argument, driver.second, driver.first);
  std::vector<trace::Render> packets;
  const DiagnosticList findings = driver.Findings(&packets);
  REQUIRE(packets.size() == 2);
  const auto address = [](const auto& bytes) { return reinterpret_cast<uintptr_t>(bytes.data()); };
  REQUIRE(packets[1].buffers);
  CHECK(packets[1].buffers->command_buffer == address(driver.second.commands));
  CHECK(packets[1].buffers->allocation_list == address(driver.second.allocations));
  CHECK(packets[1].buffers->patch_location_list == address(driver.second.patches));
  REQUIRE(packets[0].out);
  CHECK(packets[0].out->command_buffer == address(driver.second.commands));
  CHECK(packets[0].out->command_buffer_size == 4096);
  CHECK(CountOf(findings, Rule::kKmtOut010) == 0);
}

TEST_CASE("A driver that keeps its old pointer is found in its recording") {
  Driver driver;
  KmtRender argument;
  argument.hContext = kContext;
  driver.Render(argument, driver.first, driver.second);
  driver.Render(argument, driver.first, driver.second);
  CHECK(CountOf(driver.Findings(), Rule::kKmtOut010) == 1);
}
