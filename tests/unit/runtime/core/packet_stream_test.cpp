#include "runtime/core/packet_stream.h"

#include <doctest/doctest.h>

#include <array>

#include "kmt/flags.h"
#include "runtime/core/token.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::runtime;  // NOLINT(google-build-using-namespace): test file
using opcode::Op;

namespace {

constexpr trace::Triple kTriple = {.command_buffer = 0x1000,
                                   .command_buffer_size = 64,
                                   .allocation_list = 0x2000,
                                   .allocation_list_size = 4,
                                   .patch_location_list = 0x3000,
                                   .patch_location_list_size = 4};

// What a test needs of a packet.
struct Sent {
  size_t commands = 0, allocations = 0, patches = 0;
  uint32_t flags = 0;
  std::optional<trace::Triple> buffers, out;
};

struct StreamFixture {
  explicit StreamFixture(PacketStreamOptions options)
      : stream(
            options,
            [](uint32_t handle) {
              return SurfaceBinding{handle == 9 ? 0 : handle + 0x100, 0};
            },
            [this](const trace::Render& packet) {
              sent.push_back({packet.command_buffer.size(), packet.allocation_list.size() / 8,
                              packet.patch_location_list.size() / 24, packet.flags, packet.buffers,
                              packet.out});
            }) {}
  void BindStream(uint32_t number, uint32_t handle) {
    tokens.Append(Op::kSetStreamSource, std::array{number, handle, 16U}, {}, {});
  }
  std::vector<Sent> sent;
  PacketStream stream;
  TokenBuffer tokens;
};

}  // namespace

TEST_CASE("PacketStream: a packet is as long as the lists of its context") {
  StreamFixture f({.context = 1, .target = 1, .triple = kTriple});
  for (uint32_t i = 0; i < 5; ++i)
    f.BindStream(i, 10 + i);
  f.stream.Write(f.tokens.bytes(), {});
  REQUIRE(f.sent.size() == 2);
  CHECK(f.sent[0].commands == 48);  // three tokens: the lists have four elements, the first is NULL
  CHECK(f.sent[0].allocations == 4);
  CHECK(f.sent[1].patches == 2);
  CHECK(f.sent[1].buffers->allocation_list == kTriple.allocation_list);
  CHECK(f.sent[1].out == kTriple);
  CHECK_FALSE(f.stream.has_overflowed());
  CHECK(f.stream.unbound() == 0);
}

TEST_CASE("PacketStream: the last packet leaves the context with the triple that is asked for") {
  trace::Triple behind = kTriple;
  behind.command_buffer = 0x9000;
  behind.allocation_list_size = 16;
  StreamFixture f({.context = 1, .target = 1, .triple = kTriple});
  f.stream.Write({}, {}, behind);  // no tokens: one that changes nothing
  REQUIRE(f.sent.size() == 1);
  CHECK(f.sent[0].flags == kmt::render_flag::kResizeAllocationList);
  CHECK(f.sent[0].out == behind);
  CHECK(f.sent[0].buffers->command_buffer == kTriple.command_buffer);
  f.BindStream(0, 2);
  f.stream.Write(f.tokens.bytes(), {});
  CHECK(f.sent[1].buffers->command_buffer == behind.command_buffer);
  CHECK(f.sent[1].flags == 0);
}

TEST_CASE(
    "PacketStream: without a recorded triple packets have no limit and say nothing of buffers") {
  StreamFixture f({.context = 1, .target = 1});
  for (uint32_t i = 0; i < 16; ++i)
    f.BindStream(i, 10 + i);
  f.stream.Write(f.tokens.bytes(), {});
  REQUIRE(f.sent.size() == 1);
  CHECK(f.sent[0].patches == 16);
  CHECK_FALSE(f.sent[0].buffers.has_value());
  CHECK_FALSE(f.sent[0].out.has_value());
  CHECK_FALSE(f.stream.has_overflowed());
}

TEST_CASE("PacketStream: what it cannot say it tells") {
  StreamFixture f({.context = 1, .target = 1, .has_patches = false});
  f.BindStream(0, 9);
  f.stream.Write(f.tokens.bytes(), {});
  CHECK(f.stream.unbound() == 9);
  CHECK(f.stream.has_overflowed());
}
