#include "trim/packet_cut.h"

#include <doctest/doctest.h>

#include <array>
#include <vector>

#include "kmt/lists.h"
#include "runtime/core/token.h"

using namespace dp2trace;  // NOLINT(google-build-using-namespace): test file
using opcode::Op;

namespace {

// A packet of a token of 6 bytes, one that binds a texture, and one with immediate vertices, which begin at a multiple of 4.
struct Fixture {
  Fixture() {
    commands = {18, 0, 1, 0, 7, 0};                                          // 6 bytes
    commands.insert(commands.end(), {25, 0, 1, 0, 0, 0, 0, 0, 5, 0, 0, 0});  // to 18
    commands.insert(commands.end(), {24, 0, 1, 0});                          // to 22
    commands.insert(commands.end(), {0xAA, 0xAA});                           // to 24
    for (uint8_t i = 0; i < 8; ++i)
      commands.push_back(i);
    ByteWriter elements(allocations);
    for (const uint32_t handle : {0x0U, 0x100U, 0x200U, 0x300U})
      kmt::EncodeAllocation({handle, handle != 0 ? 1U : 0U}, elements);
    ByteWriter entries(patches);
    kmt::EncodePatch({3, 16, 25, 0, 14, 6}, entries);
    packet.command_buffer = commands;
    packet.command_length = 32;
    packet.allocation_list = allocations;
    packet.allocation_count = 4;
    packet.patch_location_list = patches;
    packet.dp2_env.emplace().vertex_size = 4;
  }
  std::vector<uint8_t> commands, allocations, patches;
  trace::Render packet;
};

std::vector<uint32_t> HandlesOf(const trace::Render& packet) {
  std::vector<uint32_t> handles;
  const kmt::AllocationListView list(packet.allocation_list);
  for (size_t i = 0; i < list.size(); ++i)
    handles.push_back(list[i].handle);
  return handles;
}

}  // namespace

TEST_CASE("cut of a packet: the tokens begin at byte 0, vertices stay where they are aligned") {
  const Fixture f;
  const trim::PacketUse use = {.named = {0x300}, .bound = {0x100}, .written = {0x100}};
  const trim::CutPacket cut(f.packet, trace::LengthOrigin::kZero, {6, {}}, use);
  const trace::Render& packet = cut.packet();
  CHECK(packet.command_offset == 0);
  CHECK_FALSE(packet.command_length.has_value());
  CHECK_FALSE(packet.allocation_count.has_value());
  // The filler is gone: 12 and 4 bytes before the vertices.
  REQUIRE(packet.command_buffer.size() == 24);
  CHECK(packet.command_buffer[16] == 0);
  CHECK(packet.command_buffer[23] == 7);
  // The NULL element, what a word names, what is bound; nobody needs 0x200.
  CHECK(HandlesOf(packet) == std::vector<uint32_t>{0, 0x300, 0x100});
  const kmt::AllocationListView list(packet.allocation_list);
  CHECK_FALSE(list[1].write_operation());
  CHECK(list[2].write_operation());
  const kmt::PatchListView patches(packet.patch_location_list);
  REQUIRE(patches.size() == 1);
  CHECK(patches[0] == kmt::PatchElement{1, 16, 25, 0, 8, 0});
}

TEST_CASE("cut of a packet: a cut at its end leaves what is before as it is") {
  const Fixture f;
  const trim::CutPacket cut(f.packet, trace::LengthOrigin::kZero, {{}, 18},
                            {.named = {0x300}, .bound = {}, .written = {}});
  const trace::Render& packet = cut.packet();
  CHECK(packet.command_buffer.size() == 18);
  CHECK(HandlesOf(packet) == std::vector<uint32_t>{0, 0x300});
  const kmt::PatchListView patches(packet.patch_location_list);
  REQUIRE(patches.size() == 1);
  CHECK(patches[0] == kmt::PatchElement{1, 16, 25, 0, 14, 6});
  const trim::CutPacket none(f.packet, trace::LengthOrigin::kZero, {18, {}}, {});
  CHECK(none.packet().patch_location_list.empty());
  CHECK(none.packet().command_buffer.size() == 12);
}

TEST_CASE("cut of a packet: vertices out of an allocation keep it") {
  Fixture f;
  f.packet.dp2_env->vertex_source = trace::VertexSource::kAllocation;
  f.packet.dp2_env->allocation_index = 2;
  const trim::CutPacket cut(f.packet, trace::LengthOrigin::kZero, {18, {}}, {});
  CHECK(HandlesOf(cut.packet()) == std::vector<uint32_t>{0, 0x200});
  CHECK(cut.packet().dp2_env->allocation_index == 1);
}
