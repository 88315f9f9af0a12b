#include "stream/records.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "opcode/layouts.h"

using namespace dp2trace;          // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::opcode;  // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::stream;  // NOLINT(google-build-using-namespace): test file

namespace {

// The only command of a stream. `bytes` must outlive it.
Command Only(const std::vector<uint8_t>& bytes, const Environment& environment = {}) {
  Decoder decoder(bytes, environment, nullptr);
  Command command;
  REQUIRE(decoder.Next(command));
  REQUIRE(decoder.rest().empty());
  return command;
}

// Writes the order of the calls as text.
class Recorder : public Visitor {
 public:
  void OnFixed(const StructDesc& layout, const uint8_t* /*at*/) override {
    text += std::string(layout.spec_name) + ";";
  }
  void OnRecord(uint32_t index, const StructDesc& layout, const uint8_t* /*at*/) override {
    text += std::to_string(index) + ":" + std::string(layout.spec_name) + ";";
  }
  void OnTail(uint32_t record, const TailDesc& desc, Bytes padding, Bytes bytes) override {
    text += std::to_string(record) + ":" + std::string(desc.name) + "(" + ToHex(padding) + "," +
            ToHex(bytes) + ");";
  }
  std::string text;
};

std::string Visited(const Command& command, const Environment& environment) {
  Recorder recorder;
  Visit(command, environment, recorder);
  return recorder.text;
}

}  // namespace

TEST_CASE("LoadWire: integers are zero-extended, i16 is sign-extended") {
  const uint8_t at[] = {0xFE, 0xFF, 0xFF, 0x7F};
  CHECK(LoadWire(Wire::kU8, at) == 0xFE);
  CHECK(LoadWire(Wire::kU16, at) == 0xFFFE);
  CHECK(LoadWire(Wire::kI16, at) == 0xFFFFFFFE);
  CHECK(LoadWire(Wire::kI32, at) == 0x7FFFFFFE);
}

TEST_CASE("Field: finds place, type and size at compile time") {
  constexpr FieldRef kLevel = Field(layout::kBlt, "dest_mip_level");
  static_assert(kLevel.offset == 44 && kLevel.wire == Wire::kU32 && kLevel.count == 1);
  constexpr FieldRef kMatrix = Field(layout::kSetTransform, "matrix");
  static_assert(kMatrix.offset == 4 && kMatrix.count == 16);
}

TEST_CASE("Visit: shows the fixed structure, then each record with its tails") {
  const std::vector<uint8_t> bytes = {0x36, 0,    2,    0, 1, 0, 0, 0, 2, 0, 0,
                                      0,    0xAB, 0xCD, 2, 0, 0, 0, 0, 0, 0, 0};
  CHECK(Visited(Only(bytes), {}) ==
        "0:D3DHAL_DP2CREATEPIXELSHADER;0:code(,abcd);1:D3DHAL_DP2CREATEPIXELSHADER;1:code(,);");
}

TEST_CASE("Visit: leaves out tails whose condition does not hold") {
  const std::vector<uint8_t> bytes = {0x22, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0};
  CHECK(Visited(Only(bytes), {}) == "0:D3DHAL_DP2SETLIGHT;");
}

TEST_CASE("Visit: shows the padding of immediate vertices") {
  const Environment environment{.command_offset = 3, .vertex_size = 1};
  const std::vector<uint8_t> bytes = {0x18, 0, 1, 0, 0x55, 1, 2};
  CHECK(Visited(Only(bytes, environment), environment) == "0:vertices(55,0102);");
}

TEST_CASE("ListElements: is one array of records, with the first rectangle of CLEAR") {
  std::vector<uint8_t> clear(52);
  clear[0] = 0x2A;
  clear[2] = 2;
  CHECK(ListElements(Only(clear)).size() == 32);
  CHECK(ListElements(Only(clear)).data() == clear.data() + 20);
  const std::vector<uint8_t> strip = {0x11, 0, 1, 0, 9, 9, 1, 0, 2, 0};
  CHECK(ToHex(ListElements(Only(strip))) == "01000200");
  const std::vector<uint8_t> line_list = {0x0F, 0, 1, 0, 9, 9};
  CHECK(ListElements(Only(line_list)).empty());
}

TEST_CASE("Encoder: padding aligns to the command buffer and keeps given bytes") {
  std::vector<uint8_t> out = {1, 2, 3};  // what was there before is not part of the stream
  const Environment environment{.command_offset = 2};
  Encoder encoder(out, environment);
  CHECK(encoder.offset() == 2);
  CHECK(encoder.PaddingSize() == 2);
  const uint8_t filler[] = {0xAA};
  encoder.Padding(filler);
  CHECK(encoder.offset() == 4);
  CHECK(encoder.PaddingSize() == 0);
  CHECK(ToHex(out) == "010203aa00");
}
