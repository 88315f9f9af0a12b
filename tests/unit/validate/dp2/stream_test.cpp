#include "validate/dp2/stream.h"

#include <doctest/doctest.h>

#include "../helpers.h"

using namespace dp2trace;            // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::validate;  // NOLINT(google-build-using-namespace): test file

namespace {

constexpr std::string_view kState = "08000100 07000000 01000000 ";   // RENDERSTATE, 1 element
constexpr std::string_view kStage = "19000100 0000 0100 01000000 ";  // TEXTURESTAGESTATE, 1 element
constexpr std::string_view kDraw = "12000100 0000 ";                 // TRIANGLELIST: 6 bytes
constexpr std::string_view kDepth = "56000100 05000000 ";            // SETDEPTHSTENCIL

}  // namespace

TEST_CASE("A clean stream yields no finding") {
  CHECK(Dp2Ids(kState) == Ids{});
  CHECK(Dp2Ids("") == Ids{});
  CHECK(PacketIds(kState) == Ids{});
}

TEST_CASE(
    "DP2-STREAM-011 fires when command bytes are missing, and their absence is not reported again") {
  trace::Dp2 call;
  call.command_length = 13;
  CHECK(Dp2Ids(kState, call) == Ids{"DP2-STREAM-011"});
  call.command_length = 24;
  CHECK(Dp2Ids(Join({kState, "08000100 07000000"}), call) == Ids{"DP2-STREAM-011"});
}

TEST_CASE("DP2-STREAM-011 accepts exactly the announced bytes, and more") {
  trace::Dp2 call;
  call.command_length = 12;
  CHECK(Dp2Ids(kState, call) == Ids{});
  CHECK(Dp2Ids(Join({kState, "ff"}), call) == Ids{});
}

TEST_CASE("DP2-STREAM-011 fires when vertex bytes are missing") {
  const std::vector<uint8_t> vertices(63);
  trace::Dp2 call;
  call.vertex_size = 32;
  call.vertex_length = 2;
  call.vertices = vertices;
  CHECK(Dp2Ids("", call) == Ids{"DP2-STREAM-011"});
  call.vertices = {};
  call.flags = 0x1;
  CHECK(Dp2Ids("", call) == Ids{"DP2-STREAM-011"});
  call.vertex_length = 0xFFFFFFFF;
  call.vertex_size = 0xFFFFFFFF;
  CHECK(Dp2Ids("", call) == Ids{"DP2-STREAM-011"});
}

TEST_CASE("DP2-STREAM-011 accepts vertices that are all there, or in a vertex buffer") {
  const std::vector<uint8_t> vertices(64);
  trace::Dp2 call;
  call.vertex_size = 32;
  call.vertex_length = 2;
  call.vertices = vertices;
  CHECK(Dp2Ids("", call) == Ids{});
  call.vertices = {};
  call.vertex_buffer = 5;
  CHECK(Dp2Ids("", call) == Ids{});
}

TEST_CASE("DP2-STREAM-012 fires where the alignment is lost, and again after it was regained") {
  CHECK(Dp2Ids(Join({kDraw, kState, kDepth})) == Ids{"DP2-STREAM-012"});
  CHECK(Dp2Ids(Join({kDraw, kDraw, kState, kDraw, kDepth})) ==
        Ids{"DP2-STREAM-012", "DP2-STREAM-012"});
  trace::Dp2 call;
  call.command_offset = 2;
  CHECK(Dp2Ids(kState, call) == Ids{"DP2-STREAM-012"});
}

TEST_CASE("DP2-STREAM-012 accepts an odd token at the end") {
  CHECK(Dp2Ids(Join({kState, kDraw})) == Ids{});
}

TEST_CASE("DP2-STREAM-013 fires for a token of 0 elements") {
  CHECK(Dp2Ids("08000000") == Ids{"DP2-STREAM-013"});
}

TEST_CASE("DP2-STREAM-013 accepts a count of 0 where something follows all the same") {
  // SETRENDERTARGET: one structure whatever the count says.
  CHECK(Dp2Ids(Join({"29000000 01000000 00000000"})) == Ids{});
}

TEST_CASE("DP2-STREAM-014 fires for neighbours of one operation") {
  CHECK(Dp2Ids(Join({kState, kState})) == Ids{"DP2-STREAM-014"});
  CHECK(Dp2Ids(Join({kStage, kStage, kStage})) == Ids{"DP2-STREAM-014", "DP2-STREAM-014"});
}

TEST_CASE(
    "DP2-STREAM-014 accepts other operations, a token between, and more elements than a count holds") {
  CHECK(Dp2Ids(Join({kState, kStage, kState})) == Ids{});
  CHECK(Dp2Ids(Join({kDepth, kDepth})) == Ids{});
  std::string full = "0800ffff";
  for (int i = 0; i < 0xFFFF; ++i)
    full += "0700000001000000";
  CHECK(Dp2Ids(Join({full, kState})) == Ids{});
}

TEST_CASE("DP2-STREAM-015 fires for an EXT of another size, DP2-STREAM-016 for every EXT") {
  CHECK(Dp2Ids("25000100 01000000 0c000000 00000000") == Ids{"DP2-STREAM-016", "DP2-STREAM-015"});
  CHECK(Dp2Ids("25000100 01000000 08000000") == Ids{"DP2-STREAM-016"});
}

TEST_CASE("DP2-STREAM-016 accepts a stream without EXT") {
  CHECK(Dp2Ids(kDepth) == Ids{});
}

TEST_CASE("KMT-DP2-001 fires for unknown operations and EXIT, DP2-STREAM-006 and -007 in a call") {
  CHECK(PacketIds("63000000") == Ids{"KMT-DP2-001"});
  CHECK(PacketIds("0b000000") == Ids{"KMT-DP2-001"});
  CHECK(Dp2Ids("63000000") == Ids{"DP2-STREAM-006"});
  CHECK(Dp2Ids("0b000000") == Ids{"DP2-STREAM-007"});
  const std::vector<uint8_t> bytes = Hex("0b000000");
  trace::Render render;
  render.command_buffer = bytes;
  CHECK(FindingsOf({}, {render})[0].severity == Severity::kError);
}

TEST_CASE("KMT-DP2-001 accepts the last defined operation") {
  CHECK(PacketIds(Join({"62000100", std::string(64, '0')})) == Ids{});
}

TEST_CASE("KMT-DP2-002 fires for operations that travel to the runtime") {
  CHECK(PacketIds("57000000 00000000") == Ids{"KMT-DP2-002"});
  CHECK(PacketIds("58000000") == Ids{"KMT-DP2-002"});
  CHECK(Dp2Ids("58000000") == Ids{"DP2-STREAM-008"});
}

TEST_CASE("KMT-DP2-002 accepts their neighbours") {
  CHECK(PacketIds("59000100 01000000 00000000") == Ids{});
}

TEST_CASE("KMT-DP2-003 fires for every truncated part of a token") {
  CHECK(PacketIds("29000100 01000000 000000") == Ids{"KMT-DP2-003"});    // fixed structure
  CHECK(PacketIds("08000200 07000000 01000000") == Ids{"KMT-DP2-003"});  // elements
  // tail: 16 bytes of constants.
  CHECK(PacketIds("30000100 00000000 01000000 00000000") == Ids{"KMT-DP2-003"});
  CHECK(PacketIds("4a000100 00000000 ffffffff") == Ids{"KMT-DP2-003"});  // tail of 4 GB
  trace::Render render;
  render.dp2_env = trace::Dp2Env{};
  render.dp2_env->vertex_size = 16;
  CHECK(PacketIds("18000100", render) == Ids{"KMT-DP2-003"});  // immediate vertices
}

TEST_CASE("KMT-DP2-003 accepts tokens that end with the extent") {
  CHECK(PacketIds("08000200 07000000 01000000 08000000 02000000") == Ids{});
  trace::Render render;
  render.dp2_env = trace::Dp2Env{};
  render.dp2_env->vertex_size = 4;
  CHECK(PacketIds("18000100 00000000 00000000", render) == Ids{});
}

TEST_CASE("KMT-DP2-004 fires for 1 to 3 bytes at the end, zero or not") {
  CHECK(PacketIds(Join({kState, "00"})) == Ids{"KMT-DP2-004"});
  CHECK(PacketIds(Join({kState, "080001"})) == Ids{"KMT-DP2-004"});
  CHECK(Dp2Ids(Join({kState, "00"})) == Ids{"DP2-STREAM-010"});
  CHECK(Dp2Ids(Join({kState, "080001"})) == Ids{"DP2-STREAM-001"});
}

TEST_CASE("KMT-DP2-004 accepts a last token that fills the extent") {
  CHECK(PacketIds(Join({kState, kDepth})) == Ids{});
}

TEST_CASE("KMT-DP2-006 fires for a reserved byte that is not 0") {
  CHECK(PacketIds("08ff0100 07000000 01000000") == Ids{"KMT-DP2-006"});
  CHECK(Dp2Ids("08ff0100 07000000 01000000") == Ids{"DP2-STREAM-009"});
}

TEST_CASE("KMT-DP2-006 accepts a reserved byte of 0") {
  CHECK(PacketIds(kState) == Ids{});
}

TEST_CASE("Findings stand at bytes of the command buffer, prefix included") {
  const std::vector<uint8_t> bytes = Hex("aabbccdd 08000100 07000000 01000000 63000000");
  trace::Render render;
  render.command_buffer = bytes;
  render.command_offset = 4;
  const auto findings = FindingsOf({}, {render});
  REQUIRE(IdsOfLonePacket(findings) == Ids{"KMT-DP2-001"});
  CHECK(findings.back().event == 1u);
  CHECK(findings.back().offset == 16u);
  CHECK(findings.back().path == "commands/1/op");
}
