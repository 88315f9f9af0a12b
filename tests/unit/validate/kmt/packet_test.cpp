#include "validate/kmt/packet.h"

#include <doctest/doctest.h>

#include "../helpers.h"
#include "kmt/render.h"

using namespace dp2trace;            // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::validate;  // NOLINT(google-build-using-namespace): test file

namespace {

trace::Header Wide(kmt::OsProfile profile = kmt::OsProfile::kWin10) {
  trace::Header header;
  header.pointer_width = 64;
  header.os_profile = profile;
  return header;
}

Ids Check(const trace::Header& header, const trace::Render& render) {
  return IdsOfLonePacket(FindingsOf(header, {render}));
}

trace::Render Opaque() {
  trace::Render render;
  render.payload = trace::PayloadKind::kOpaque;
  return render;
}

}  // namespace

TEST_CASE("KMT-DEC-001 fires for another structure size, in both directions of the call") {
  const std::vector<uint8_t> raw(368);
  trace::Render render = Opaque();
  render.raw_in = raw;
  CHECK(Check({}, render) == Ids{"KMT-DEC-001"});
  CHECK(Check(Wide(kmt::OsProfile::kVista), render) == Ids{"KMT-DEC-001"});
  render.raw_in = {};
  render.raw_out = Bytes(raw).first(367);
  CHECK(Check(Wide(), render) == Ids{"KMT-DEC-001"});
}

TEST_CASE("KMT-DEC-001 accepts the documented sizes") {
  const std::vector<uint8_t> raw(368);
  trace::Render render = Opaque();
  render.raw_in = Bytes(raw).first(368);
  CHECK(Check(Wide(), render) == Ids{});
  render.raw_in = Bytes(raw).first(344);
  CHECK(Check(Wide(kmt::OsProfile::kVista), render) == Ids{});
  render.raw_in = Bytes(raw).first(336);
  CHECK(Check({}, render) == Ids{});
}

TEST_CASE("KMT-DEC-002 fires once for a trace of another pointer width, and no packet is decoded") {
  trace::Header header;
  header.pointer_width = 16;
  const std::vector<uint8_t> commands = Hex("63000000");
  trace::Render render;
  render.command_buffer = commands;
  CHECK(IdsOf(FindingsOf(header, {render, render})) == Ids{"KMT-DEC-002"});
}

TEST_CASE("KMT-DEC-002 accepts 32 and 64 bits") {
  CHECK(Check({}, Opaque()) == Ids{});
  CHECK(Check(Wide(), Opaque()) == Ids{});
}

TEST_CASE("KMT-DEC-003 fires for another payload kind, and the payload is not read") {
  const std::vector<uint8_t> commands = Hex("63000000");
  trace::Render render;
  render.command_buffer = commands;
  render.payload = static_cast<trace::PayloadKind>(3);
  CHECK(Check({}, render) == Ids{"KMT-DEC-003"});
}

TEST_CASE("KMT-DEC-003 accepts an opaque payload of any bytes") {
  const std::vector<uint8_t> commands = Hex("63000000");
  trace::Render render = Opaque();
  render.command_buffer = commands;
  CHECK(Check({}, render) == Ids{});
  render.payload = trace::PayloadKind::kRenderKm;
  CHECK(Check({}, render) == Ids{});
}

TEST_CASE(
    "KMT-DEC-004 fires when the command bytes differ from CommandLength, from either origin") {
  const std::vector<uint8_t> commands(16);
  trace::Render render = Opaque();
  render.command_buffer = commands;
  render.command_offset = 4;
  render.command_length = 12;
  CHECK(Check({}, render) == Ids{"KMT-DEC-004"});
  trace::Header from_offset;
  from_offset.length_origin = trace::LengthOrigin::kOffset;
  CHECK(Check(from_offset, render) == Ids{});
  render.command_length = 0xFFFFFFFF;
  render.command_offset = 0xFFFFFFFF;
  CHECK(Check(from_offset, render) == Ids{"KMT-DEC-004"});
}

TEST_CASE("KMT-DEC-004 accepts CommandLength bytes counted from zero") {
  const std::vector<uint8_t> commands(16);
  trace::Render render = Opaque();
  render.command_buffer = commands;
  render.command_offset = 4;
  render.command_length = 16;
  CHECK(Check({}, render) == Ids{});
}

TEST_CASE("KMT-DEC-005 fires for an allocation list of another size") {
  const std::vector<uint8_t> list(16);
  trace::Render render = Opaque();
  render.allocation_list = list;
  render.allocation_count = 1;
  CHECK(Check({}, render) == Ids{"KMT-DEC-005"});
  render.allocation_count = 0x20000002;  // * 8 is 16 in 32 bits
  CHECK(Check({}, render) == Ids{"KMT-DEC-005"});
  render.allocation_count.reset();
  render.allocation_list = Bytes(list).first(15);
  CHECK(Check({}, render) == Ids{"KMT-DEC-005"});
}

TEST_CASE("KMT-DEC-005 accepts whole elements") {
  const std::vector<uint8_t> list(16);
  trace::Render render = Opaque();
  render.allocation_list = list;
  CHECK(Check({}, render) == Ids{});
  render.allocation_count = 2;
  CHECK(Check({}, render) == Ids{});
}

TEST_CASE("KMT-DEC-006 fires for a patch list of another size") {
  const std::vector<uint8_t> list(48);
  trace::Render render = Opaque();
  render.patch_location_list = list;
  render.patch_location_count = 3;
  CHECK(Check({}, render) == Ids{"KMT-DEC-006"});
  render.patch_location_count.reset();
  render.patch_location_list = Bytes(list).first(47);
  CHECK(Check({}, render) == Ids{"KMT-DEC-006"});
}

TEST_CASE("KMT-DEC-006 accepts whole elements") {
  const std::vector<uint8_t> list(48);
  trace::Render render = Opaque();
  render.patch_location_list = list;
  render.patch_location_count = 2;
  CHECK(Check({}, render) == Ids{});
}

TEST_CASE("KMT-DEC-007 fires for fields that Vista lacks") {
  trace::Render render = Opaque();
  render.new_command_buffer = 0;
  CHECK(Check(Wide(kmt::OsProfile::kVista), render) == Ids{"KMT-DEC-007"});
  render.private_driver_data = 0;
  render.private_driver_data_size = 0;
  CHECK(Check(Wide(kmt::OsProfile::kVista), render).size() == 3);
}

TEST_CASE("KMT-DEC-007 accepts them from Windows 7 on, and their absence on Vista") {
  CHECK(Check(Wide(kmt::OsProfile::kVista), Opaque()) == Ids{});
  trace::Render render = Opaque();
  render.new_command_buffer = 0;
  CHECK(Check(Wide(kmt::OsProfile::kWin7), render) == Ids{});
}

TEST_CASE("KMT-DEC-008 fires for each field that the bytes give another value") {
  kmt::RenderStruct fields;
  fields.flags = 2;
  fields.broadcast_context[5] = 7;
  const auto raw = kmt::EncodeRender(fields, kmt::PointerWidth::k64, kmt::OsProfile::kWin10);
  trace::Render render = Opaque();
  render.raw_in = raw;
  render.broadcast_context.assign(6, 0);
  const auto findings = FindingsOf(Wide(), {render});
  REQUIRE(IdsOfLonePacket(findings) == Ids{"KMT-DEC-008", "KMT-DEC-008"});
  CHECK(findings[0].path == "raw_in/Flags");
  CHECK(findings[0].actual == "ResizeAllocationList");
  CHECK(findings[1].path == "raw_in/BroadcastContext/5");
}

TEST_CASE("KMT-DEC-008 fires for outputs that disagree") {
  kmt::RenderStruct fields;
  fields.new_command_buffer_size = 4096;
  const auto raw = kmt::EncodeRender(fields, kmt::PointerWidth::k64, kmt::OsProfile::kWin10);
  trace::Render render = Opaque();
  render.raw_out = raw;
  render.out = trace::Triple{.command_buffer_size = 8192};
  CHECK(Check(Wide(), render) == Ids{"KMT-DEC-008"});
}

TEST_CASE("KMT-DEC-008 accepts equal values, and bytes whose fields are not recorded by name") {
  kmt::RenderStruct fields;
  fields.flags = 2;
  fields.command_length = 8;
  fields.queued_buffer_count = 3;
  fields.private_driver_data = 5;
  fields.broadcast_context[5] = 7;
  const auto raw = kmt::EncodeRender(fields, kmt::PointerWidth::k64, kmt::OsProfile::kWin10);
  const std::vector<uint8_t> commands(8);
  trace::Render render = Opaque();
  render.command_buffer = commands;
  render.raw_in = raw;
  render.raw_out = raw;
  render.flags = 2;
  CHECK(Check(Wide(), render) == Ids{});
}

TEST_CASE(
    "KMT-DEC-009 fires for a pointer that a 32-bit process cannot have, and for nothing else") {
  kmt::RenderStruct fields;
  fields.new_command_buffer_pointer = 0x10;
  const auto raw = kmt::EncodeRender(fields, kmt::PointerWidth::k32, kmt::OsProfile::kWin10);
  trace::Render render = Opaque();
  render.raw_in = raw;
  render.new_command_buffer_pointer = 0x100000010;
  CHECK(Check({}, render) == Ids{"KMT-DEC-009"});
  trace::Render after = Opaque();
  after.out = trace::Triple{.patch_location_list = 0x100000000};
  CHECK(Check({}, after) == Ids{"KMT-DEC-009"});
}

TEST_CASE("KMT-DEC-009 accepts 32-bit pointers, and all pointers of a 64-bit process") {
  trace::Render render = Opaque();
  render.new_allocation_list_pointer = 0xFFFFFFFF;
  CHECK(Check({}, render) == Ids{});
  render.new_allocation_list_pointer = 0xFFFFFFFFFFFFFFFF;
  CHECK(Check(Wide(), render) == Ids{});
}

TEST_CASE("KMT-DEC-010 fires once per trace for padding that is not 0") {
  std::vector<uint8_t> raw(368);
  raw[20] = 1;
  trace::Render render = Opaque();
  render.raw_in = raw;
  render.raw_out = raw;
  CHECK(IdsOfLonePacket(FindingsOf(Wide(), {render, render})) == Ids{"KMT-DEC-010"});
}

TEST_CASE("KMT-DEC-010 accepts padding of 0") {
  const std::vector<uint8_t> raw(368);
  trace::Render render = Opaque();
  render.raw_in = raw;
  CHECK(Check(Wide(), render) == Ids{});
}
