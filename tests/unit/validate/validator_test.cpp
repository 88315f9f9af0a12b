#include "play/runner.h"

#include <doctest/doctest.h>

#include <random>

#include "helpers.h"
#include "kmt/lists.h"
#include "rules/rule.h"

using namespace dp2trace;            // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::validate;  // NOLINT(google-build-using-namespace): test file

namespace {

// The worked packet of lib/kmt/packets.md 6.9.
constexpr std::string_view kCommands =
    "29000100 01000000 02000000 31000100 00000000 03000000 10000000 34000100 04000000 00000000 01000000";
constexpr std::string_view kAllocations =
    "0000000000000000 000100c001000000 400100c001000000 800100c000000000";
constexpr std::string_view kPatches =
    "010000000100000029000000000000000400000000000000 020000000500000029010000000000000800000000000000"
    "0300000020000000310000000000000014000000 0c000000";

struct Packet {
  std::vector<uint8_t> commands = Hex(kCommands);
  std::vector<uint8_t> allocations = Hex(kAllocations);
  std::vector<uint8_t> patches = Hex(kPatches);

  trace::Render Event() const {
    trace::Render render;
    render.context = 0x40000040;
    render.command_length = static_cast<uint32_t>(commands.size());
    render.allocation_count = static_cast<uint32_t>(allocations.size() / 8);
    render.patch_location_count = static_cast<uint32_t>(patches.size() / 24);
    render.command_buffer = commands;
    render.allocation_list = allocations;
    render.patch_location_list = patches;
    return render;
  }
};

}  // namespace

TEST_CASE("Validator: the worked packet is clean") {
  const Packet packet;
  REQUIRE(packet.commands.size() == 44);
  REQUIRE(packet.patches.size() == 72);
  CHECK(IdsOfLonePacket(FindingsOf({}, {packet.Event()})) == Ids{});
}

TEST_CASE("Validator: the worked packet cut to 43 bytes ends in a truncated token") {
  Packet packet;
  packet.commands.pop_back();
  CHECK(IdsOfLonePacket(FindingsOf({}, {packet.Event()})) == Ids{"KMT-DP2-003"});
}

TEST_CASE("Validator: without a header the defaults hold") {
  DiagnosticList findings;
  play::Observer observer;
  play::Runner validator({}, findings, observer);
  const Packet packet;
  (void)validator.OnEvent(5, packet.Event());
  validator.Finish();
  CHECK(IdsOfLonePacket(findings.items()) == Ids{});
}

TEST_CASE("Validator: an offset after the buffer reads nothing") {
  Packet packet;
  trace::Render render = packet.Event();
  render.command_offset = 45;
  const Ids ids = IdsOfLonePacket(FindingsOf({}, {render}));
  CHECK(ids == Ids{});
  render.command_length.reset();
  render.command_offset = 0xFFFFFFFF;
  CHECK(IdsOfLonePacket(FindingsOf({}, {render})) == ids);
}

TEST_CASE("Validator: every repeat in one event is a finding of its own") {
  std::string commands;
  for (int i = 0; i < 100; ++i)
    commands += "08000000";
  const std::vector<uint8_t> bytes = Hex(commands);
  trace::Dp2 call;
  call.commands = bytes;
  size_t empty_tokens = 0;
  for (const Diagnostic& finding : FindingsOf({}, {call})) {
    if (finding.rule == Rule::kDp2Stream013) ++empty_tokens;
  }
  CHECK(empty_tokens == 100);
}

TEST_CASE("Validator: every prefix and random damage of a packet is survived") {
  const Packet packet;
  for (size_t size = 0; size <= packet.commands.size(); ++size) {
    Packet cut = packet;
    cut.commands.resize(size);
    FindingsOf({}, {cut.Event()});
  }
  std::mt19937 engine(1);  // a fixed seed
  const auto random = [&engine] { return static_cast<uint32_t>(engine()); };
  for (int round = 0; round < 2000; ++round) {
    Packet damaged = packet;
    for (int i = 0; i < 4; ++i)
      damaged.commands[random() % damaged.commands.size()] = static_cast<uint8_t>(random());
    trace::Render render = damaged.Event();
    render.command_offset = random() % 50;
    render.dp2_env = trace::Dp2Env{};
    render.dp2_env->vertex_size = random();
    trace::Dp2 call;
    call.commands = damaged.commands;
    call.vertex_size = random();
    call.command_length = random() % 60;
    FindingsOf({}, {render, call});
  }
}
