#include "scrub/scrub.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "rules/rule.h"
#include "support/json_events.h"
#include "support/test_folder.h"
#include "trace/codec.h"
#include "trace_file/source.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file
using scrub::ScrubOptions;

namespace {

// A texture, vertices of a call and of a token, a palette, a shader with a comment, texts.
constexpr const char* kTrace = R"([
{"event":"header","generator":"the game"},
{"event":"surface_create","handle":1,"kind":"target","format":"X8R8G8B8","width":64,"height":64},
{"event":"surface_create","handle":2,"kind":"texture","format":"A8R8G8B8","width":2,"height":2},
{"event":"surface_create","handle":3,"kind":"vertex_buffer","format":"VERTEXDATA","width":16},
{"event":"surface_create","handle":4,"kind":"index_buffer","format":"INDEX16","width":16},
{"event":"context_create","context":1,"target":1},
{"event":"marker","text":"a level of the game","source":"/home/user/game.trace","position":5},
{"event":"surface_update","handle":2,"data":"AQIDBAUGBwgJCgsMDQ4PEA=="},
{"event":"surface_update","handle":3,"data":"MzOzP83MTEDNzIxAAACAPw=="},
{"event":"surface_update","handle":4,"data":"AQIDBAUGBwgJCgsMDQ4PEA=="},
{"event":"dp2","context":1,"vertex_type":66,"vertex_size":16,"commands":[{"op":"UPDATEPALETTE","palette_handle":1,"start_index":0,"num_entries":1,"entries":["0x80112233"]},{"op":"CREATEPIXELSHADER","records":[{"handle":1,"code":"AAL///7/AgBDVEFCbmFtZQEAAAIAAA+AAADkkP//AAA="}]}],"vertices":[[1.3,2.6,3.9,"0x80112233"]]}
])";

// The payloads of the trace after the scrubber.
std::vector<std::vector<uint8_t>> Payloads(const ScrubOptions* options) {
  std::vector<std::vector<uint8_t>> payloads;
  scrub::Scrubber scrubber(options != nullptr ? *options : ScrubOptions(), {});
  ForEachJsonEvent(kTrace, [&](uint64_t /*number*/, const trace::Event& event) {
    trace::EncodePayload(options != nullptr ? scrubber.Scrub(event) : event,
                         payloads.emplace_back());
    return true;
  });
  return payloads;
}

// The numbers of the events that the scrubber changes.
std::vector<size_t> Changed(const ScrubOptions& options) {
  const auto before = Payloads(nullptr);
  const auto after = Payloads(&options);
  REQUIRE(before.size() == 11);
  REQUIRE(before.size() == after.size());
  std::vector<size_t> changed;
  for (size_t i = 0; i < before.size(); ++i)
    if (before[i] != after[i]) changed.push_back(i);
  return changed;
}

}  // namespace

TEST_CASE("scrub: texts, texels, vertices and comments change, indices do not") {
  CHECK(Changed({}) == std::vector<size_t>{0, 6, 7, 8, 10});
  CHECK(Changed({.keeps_geometry = true}) == std::vector<size_t>{0, 6, 7, 10});
  CHECK(Changed({.keeps_textures = true}) == std::vector<size_t>{0, 6, 8, 10});
  CHECK(Changed({true, true, true}) == std::vector<size_t>{0, 6});
  CHECK(Changed({true, true, false}) == std::vector<size_t>{0, 6, 10});
  CHECK(Changed({true, false, true}) == std::vector<size_t>{0, 6, 7, 10});
  CHECK(Changed({false, true, true}) == std::vector<size_t>{0, 6, 8, 10});
}

TEST_CASE("scrub: what is not a number or picture is gone, in its place and size") {
  scrub::Scrubber scrubber({}, {});
  ForEachJsonEvent(kTrace, [&](uint64_t /*number*/, const trace::Event& event) {
    const trace::Event& scrubbed = scrubber.Scrub(event);
    if (const auto* const marker = std::get_if<trace::Marker>(&scrubbed)) {
      CHECK(marker->text.empty());
      CHECK(marker->source.empty());
      CHECK(marker->position == 5);
    } else if (const auto* const call = std::get_if<trace::Dp2>(&scrubbed)) {
      const std::string bytes(call->commands.begin(), call->commands.end());
      CHECK(bytes.size() == std::get<trace::Dp2>(event).commands.size());
      CHECK(bytes.find("name") == std::string::npos);
      CHECK(bytes.find("CTAB") == std::string::npos);
    }
    return true;
  });
}

TEST_CASE("scrub: what is written again becomes the same again, and textures stay apart") {
  std::vector<std::vector<uint8_t>> data;
  scrub::Scrubber scrubber({}, {});
  constexpr const char* kUpdates = R"([{"event":"header"},
{"event":"surface_create","handle":2,"kind":"texture","format":"A8R8G8B8","width":2,"height":2},
{"event":"surface_create","handle":3,"kind":"texture","format":"A8R8G8B8","width":2,"height":2},
{"event":"surface_update","handle":2,"data":"AQIDBAUGBwgJCgsMDQ4PEA=="},
{"event":"surface_update","handle":3,"data":"AQIDBAUGBwgJCgsMDQ4PEA=="},
{"event":"surface_update","handle":2,"data":"AQIDBAUGBwgJCgsMDQ4PEA=="}])";
  ForEachJsonEvent(kUpdates, [&](uint64_t /*number*/, const trace::Event& event) {
    const trace::Event& scrubbed = scrubber.Scrub(event);
    if (const auto* const update = std::get_if<trace::SurfaceUpdate>(&scrubbed))
      data.emplace_back(update->data.begin(), update->data.end());
    return true;
  });
  REQUIRE(data.size() == 3);
  CHECK(data[0] == data[2]);
  CHECK(data[0] != data[1]);
}

TEST_CASE("scrub: private data, opaque packets and unknown events say nothing any more") {
  const std::vector<uint8_t> bytes = {1, 2, 3, 4};
  scrub::Scrubber scrubber({}, {});
  trace::AllocationCreate create;
  create.private_driver_data = create.private_runtime_data = bytes;
  create.allocations.push_back({.allocation = 1, .private_driver_data = bytes});
  const trace::Event& scrubbed = scrubber.Scrub(create);
  const auto& allocation = std::get<trace::AllocationCreate>(scrubbed);
  for (const Bytes data : {allocation.private_driver_data, allocation.private_runtime_data,
                           allocation.allocations[0].private_driver_data}) {
    CHECK(data.size() == 4);
    CHECK(std::ranges::count(data, 0) == 4);
  }
  trace::Render packet;
  packet.payload = trace::PayloadKind::kOpaque;
  packet.command_buffer = bytes;
  const Bytes opaque = std::get<trace::Render>(scrubber.Scrub(packet)).command_buffer;
  CHECK(std::ranges::count(opaque, 0) == 4);
  const trace::Unknown unknown = {.kind = 999, .flags = 1, .payload = bytes};
  const Bytes payload = std::get<trace::Unknown>(scrubber.Scrub(unknown)).payload;
  CHECK(std::ranges::count(payload, 0xFF) == 4);
}

TEST_CASE("scrub: findings that hang on values are listed") {
  const TestFolder folder;
  // A vertex beyond a guard band that is not a power of two: noise brings it back.
  const std::string path = DP2TRACE_SOURCE_DIR "/tests/cli/inputs/guard-band.json";
  const trace_model::Open open = [&path] {
    static DiagnosticList findings;  // nobody reads it
    trace_file::OpenError error;
    return trace_file::Source::Open(path, uint64_t{1} << 30, findings, error);
  };
  const auto result = scrub::ScrubTrace(open, {}, folder / "out.dp2t", uint64_t{1} << 30, {},
                                        trace_model::WalkQuietly);
  REQUIRE(result.ok());
  CHECK(result->events == 6);
  REQUIRE(result->gone.size() == 1);
  CHECK(result->gone[0].rule == Rule::kDp2Fvf019);
  CHECK(result->came.empty());
  const auto kept = scrub::ScrubTrace(open, {.keeps_geometry = true}, folder / "kept.dp2t",
                                      uint64_t{1} << 30, {}, trace_model::WalkQuietly);
  REQUIRE(kept.ok());
  CHECK(kept->gone.empty());
}
