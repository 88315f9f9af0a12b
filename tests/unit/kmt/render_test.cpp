#include "kmt/render.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "worked_packet.h"

using namespace dp2trace;       // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::kmt;  // NOLINT(google-build-using-namespace): test file

namespace {

struct Shape {
  PointerWidth width;
  OsProfile profile;
  size_t size;
};
constexpr Shape kShapes[] = {{PointerWidth::k64, OsProfile::kWin10, 368},
                             {PointerWidth::k32, OsProfile::kWin10, 336},
                             {PointerWidth::k64, OsProfile::kVista, 344},
                             {PointerWidth::k32, OsProfile::kVista, 320}};

// Every byte of the structure different from its neighbours.
std::vector<uint8_t> Ramp(size_t size) {
  std::vector<uint8_t> bytes(size);
  for (size_t i = 0; i < size; ++i)
    bytes[i] = static_cast<uint8_t>(i * 7 + 1);
  return bytes;
}

}  // namespace

TEST_CASE("DecodeRender: reads the worked packet in every layout") {
  for (const Shape& shape : kShapes) {
    CAPTURE(shape.size);
    std::vector<uint8_t> raw(kWorkedRenderStart, kWorkedRenderStart + 20);
    raw.resize(shape.size);
    const auto render = DecodeRender(raw, shape.width, shape.profile);
    REQUIRE(render.has_value());
    RenderStruct expected;
    expected.context = 0x40000040;
    expected.command_length = 44;
    expected.allocation_count = 4;
    expected.patch_location_count = 3;
    CHECK(*render == expected);
    CHECK(EncodeRender(expected, shape.width, shape.profile) == raw);
  }
}

TEST_CASE("DecodeRender: finds every field at its documented offset") {
  std::vector<uint8_t> raw = Ramp(336);
  const auto narrow = DecodeRender(raw, PointerWidth::k32, OsProfile::kWin7);
  REQUIRE(narrow.has_value());
  CHECK(narrow->new_command_buffer_pointer == LoadU32(&raw[20]));
  CHECK(narrow->flags == LoadU32(&raw[44]));
  CHECK(narrow->present_history_token == LoadU64(&raw[48]));
  CHECK(narrow->broadcast_context[63] == LoadU32(&raw[60 + 63 * 4]));
  CHECK(narrow->new_command_buffer == LoadU64(&raw[320]));
  CHECK(narrow->private_driver_data_size == LoadU32(&raw[332]));

  raw = Ramp(368);
  const auto wide = DecodeRender(raw, PointerWidth::k64, OsProfile::kWin7);
  REQUIRE(wide.has_value());
  CHECK(wide->new_command_buffer_pointer == LoadU64(&raw[24]));
  CHECK(wide->new_patch_location_list_pointer == LoadU64(&raw[56]));
  CHECK(wide->queued_buffer_count == LoadU32(&raw[340]));
  CHECK(wide->private_driver_data == LoadU64(&raw[352]));
}

TEST_CASE("DecodeRender: rejects every size but the documented one") {
  for (const Shape& shape : kShapes) {
    for (const size_t size : {size_t{0}, size_t{19}, shape.size - 1, shape.size + 1, size_t{376}}) {
      CAPTURE(size);
      CHECK_FALSE(DecodeRender(Ramp(size), shape.width, shape.profile).has_value());
    }
  }
}

TEST_CASE("EncodeRender: reproduces all bytes but the padding") {
  for (const Shape& shape : kShapes) {
    CAPTURE(shape.size);
    const auto render = DecodeRender(Ramp(shape.size), shape.width, shape.profile);
    REQUIRE(render.has_value());
    const std::vector<uint8_t> encoded = EncodeRender(*render, shape.width, shape.profile);
    CHECK_FALSE(HasNonZeroPadding(encoded, kRenderLayout, shape.width));
    CHECK(DecodeRender(encoded, shape.width, shape.profile) == render);
    CHECK(encoded.size() == shape.size);
  }
}

TEST_CASE("EncodeRender: cuts pointers to 32 bits and drops what Vista lacks") {
  RenderStruct render;
  render.new_allocation_list_pointer = 0x1122334455667788;
  render.private_driver_data = 5;
  const std::vector<uint8_t> raw = EncodeRender(render, PointerWidth::k32, OsProfile::kVista);
  const auto decoded = DecodeRender(raw, PointerWidth::k32, OsProfile::kVista);
  REQUIRE(decoded.has_value());
  CHECK(decoded->new_allocation_list_pointer == 0x55667788);
  CHECK(decoded->private_driver_data == 0);
}

TEST_CASE("ForEachDifference: names exactly the fields that differ") {
  RenderStruct left;
  RenderStruct right;
  right.flags = 1;
  right.broadcast_context[7] = 9;
  std::vector<std::string> names;
  ForEachDifference(left, right, [&](const LayoutField& field, const auto&, const auto&) {
    names.emplace_back(field.name);
  });
  CHECK(names == std::vector<std::string>{"Flags", "BroadcastContext"});
}
