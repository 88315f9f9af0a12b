// A trace ends where it takes more work than it may: one finding, and nothing after it.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdint>
#include <string>

#include "device/trace_work.h"
#include "replay_run.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

namespace {

constexpr uint64_t kPicture = device::kPictureSteps + 8 * 8 * device::kPicturePixelSteps;

replay::Options WithSteps(uint64_t steps, const std::string& renderer = {}) {
  replay::Options options;
  options.validation.max_steps = steps;
  options.renderer = renderer;
  return options;
}

std::string Present() {
  return R"({"event":"present","handle":1})";
}

// A target of 64x64 pixels that is cleared `count` times by one call, then shown.
std::string Clears(uint32_t count) {
  std::string commands;
  for (uint32_t i = 0; i < count; ++i) {
    commands += fmt::format(
        R"({}{{"op":"CLEAR","flags":["TARGET"],"fill_color":"0xFF{:06X}","rects":[[0,0,64,64]]}})",
        i == 0 ? "" : ",", i);
  }
  return fmt::format(
      R"({{"event":"surface_create","handle":1,"kind":"target","format":"X8R8G8B8","width":64,"height":64}},
{{"event":"context_create","context":1,"target":1}},
{{"event":"dp2","context":1,"commands":[{}]}},{})",
      commands, Present());
}

}  // namespace

TEST_CASE("work: events count, and what follows the last one that was paid for does nothing") {
  const std::string events = std::string(kTarget) + Present() + "," + Present() + "," + Present();
  const uint64_t all = 6 * device::kEventSteps + device::kNewContextSteps + 3 * kPicture;
  const ReplayRun whole = Replay(events, WithSteps(all));
  CHECK(whole.Rules().empty());
  CHECK(whole.statistics.frames == 3);
  const ReplayRun cut = Replay(events, WithSteps(all - device::kEventSteps - kPicture - 1));
  CHECK(cut.Rules() == "REPLAY-WORK-001");
  CHECK(cut.statistics.is_stopped);
  CHECK(cut.findings.items()[0].event == 4);
  CHECK(cut.findings.items()[0].expected ==
        fmt::format("at most {}", all - device::kEventSteps - kPicture - 1));
}

TEST_CASE("work: what is drawn counts, with every renderer") {
  constexpr uint64_t kOverhead =
      (1U << 18) + device::kPictureSteps +
      64 * 64 * device::kPicturePixelSteps;  // events, the context, tokens, the frame
  constexpr uint64_t kClear = 64 * 64 / 4 * device::kClearStepSteps;
  for (const char* renderer : {"reference", "fast", "check"}) {
    CAPTURE(renderer);
    CHECK(Replay(Clears(10), WithSteps(kOverhead + 10 * kClear + (10U << 12), renderer))
              .Rules()
              .empty());
    CHECK(Replay(Clears(1000), WithSteps(kOverhead + 500 * kClear, renderer)).Rules() ==
          "REPLAY-WORK-001");
  }
}

TEST_CASE("work: without an option the budget grows with the file, and is never small") {
  CHECK(device::StepsFor(0) == uint64_t{1} << 37);
  CHECK(device::StepsFor(1 << 20) == uint64_t{1} << 37);
  CHECK(device::StepsFor(30 << 20) == uint64_t{30} << 37);
  CHECK(device::StepsFor({}) == uint64_t{1} << 47);
  CHECK(device::StepsFor(UINT64_MAX) == UINT64_MAX);
}

TEST_CASE(
    "work: surfaces of a small file take less, and as many as there are where none has pixels") {
  const std::string large =
      R"({"event":"surface_create","handle":1,"kind":"target","caps":["3DDEVICE","VIDEOMEMORY"],"format":"A16B16G16R16F","width":8192,"height":8192})";
  replay::Options options;
  CHECK(Replay(large, options).Rules().empty());
  options.validation.file_bytes = 1000;
  CHECK(Replay(large, options).Rules() == "REPLAY-SURFACE-001");
  options.validation.device.surfaces.keeps_pixels = false;
  CHECK(Replay(large, options).Rules().empty());
  options.validation.max_surface_bytes = 1000;
  CHECK(Replay(large, options).Rules() == "REPLAY-SURFACE-001");
}

TEST_CASE(
    "work: without an option the memory of surfaces grows with the file, up to that of a program") {
  CHECK(device::SurfaceBytesFor(0) == uint64_t{160} << 20);
  CHECK(device::SurfaceBytesFor(1 << 20) == uint64_t{192} << 20);
  CHECK(device::SurfaceBytesFor(123 << 20) == uint64_t{4} << 30);
  CHECK(device::SurfaceBytesFor(UINT64_MAX) == uint64_t{4} << 30);
  CHECK(device::SurfaceBytesFor({}) == uint64_t{4} << 30);
}
