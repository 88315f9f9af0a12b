// The byte examples of lib/opcode/dp2.md 23.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "opcode/layouts.h"
#include "stream/records.h"
#include "stream/response.h"
#include "stream/stream.h"

using namespace dp2trace;          // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::opcode;  // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::stream;  // NOLINT(google-build-using-namespace): test file

namespace {

// Hex digits, blanks ignored.
std::vector<uint8_t> Hex(std::string text) {
  std::erase(text, ' ');
  std::vector<uint8_t> bytes;
  REQUIRE(ParseHex(text, bytes));
  return bytes;
}

// All commands of a stream that must be complete and without findings.
std::vector<Command> Decode(const std::vector<uint8_t>& bytes,
                            const Environment& environment = {}) {
  DiagnosticList findings;
  Decoder decoder(bytes, environment, &findings);
  std::vector<Command> commands;
  for (Command command; decoder.Next(command);)
    commands.push_back(command);
  CHECK(decoder.end() == StreamEnd::kComplete);
  CHECK(decoder.rest().empty());
  CHECK(findings.empty());
  return commands;
}

void CheckCommand(const Command& command, Op op, uint64_t offset, size_t size) {
  CHECK(command.op->op == op);
  CHECK(command.offset == offset);
  CHECK(command.bytes.size() == size);
}

// The JSON-style value of a field of record `index`.
uint32_t RecordU32(const Command& command, uint32_t index, FieldRef field) {
  for (const Record& record : Records(command, {})) {
    if (record.index == index) return record.U32(field);
  }
  FAIL("no such record");
  return 0;
}

}  // namespace

TEST_CASE("E1: two render states") {
  const auto bytes = Hex("08 00 02 00 08 00 00 00 03 00 00 00 09 00 00 00 02 00 00 00");
  const auto commands = Decode(bytes);
  REQUIRE(commands.size() == 1);
  CheckCommand(commands[0], Op::kRenderState, 0, 20);
  constexpr FieldRef kState = Field(layout::kRenderState, "render_state");
  constexpr FieldRef kValue = Field(layout::kRenderState, "state");
  CHECK(RecordU32(commands[0], 0, kState) == 8);
  CHECK(RecordU32(commands[0], 0, kValue) == 3);
  CHECK(RecordU32(commands[0], 1, kState) == 9);
  CHECK(RecordU32(commands[0], 1, kValue) == 2);
}

TEST_CASE("E2: an indexed strip of three triangles carries five indices") {
  const auto bytes = Hex("14 00 03 00 00 00 01 00 03 00 06 00 04 00 05 00");
  const auto commands = Decode(bytes);
  REQUIRE(commands.size() == 1);
  CheckCommand(commands[0], Op::kIndexedTriangleStrip, 0, 16);
  CHECK(FieldU32(commands[0], Field(layout::kStartVertex, "v_start")) == 0);
  std::vector<uint32_t> indices;
  for (const Record& record : Records(commands[0], {}))
    indices.push_back(record.U32(Field(layout::kIndex, "index")));
  CHECK(indices == std::vector<uint32_t>{1, 3, 6, 4, 5});
}

TEST_CASE(
    "E3: immediate vertices are aligned to 4 bytes of the buffer, the next header follows them") {
  auto bytes = Hex("12 00 01 00 00 00  17 00 01 00 07 00 00 00 00 00");
  bytes.resize(bytes.size() + 48, 0xAA);
  const auto viewport = Hex("1C 00 01 00 00 00 00 00 00 00 00 00 80 02 00 00 E0 01 00 00");
  bytes.insert(bytes.end(), viewport.begin(), viewport.end());
  const Environment environment{.vertex_size = 16};
  const auto commands = Decode(bytes, environment);
  REQUIRE(commands.size() == 3);
  CheckCommand(commands[0], Op::kTriangleList, 0, 6);
  CheckCommand(commands[1], Op::kTriangleFanImm, 6, 58);
  CheckCommand(commands[2], Op::kViewportInfo, 64, 20);
  CHECK(FieldU32(commands[1], Field(layout::kTriangleFanImm, "edge_flags")) == 7);
  const TailPart vertices = Tail(FixedTails(commands[1], environment), 0);
  CHECK(vertices.padding.size() == 2);
  CHECK(vertices.bytes.size() == 48);
  CHECK(vertices.bytes[0] == 0xAA);
  CHECK(RecordU32(commands[2], 0, Field(layout::kViewportInfo, "width")) == 640);
}

TEST_CASE("E3: the command offset takes part in the alignment of immediate vertices") {
  auto bytes = Hex("17 00 01 00 07 00 00 00");
  bytes.resize(bytes.size() + 48, 0xAA);
  CHECK(Decode(bytes, {.vertex_size = 16}).at(0).bytes.size() == 56);
  bytes.resize(bytes.size() + 3, 0xAA);
  const auto commands = Decode(bytes, {.command_offset = 101, .vertex_size = 16});
  CheckCommand(commands.at(0), Op::kTriangleFanImm, 101, 59);
}

TEST_CASE("E4: a clear of zero rectangles has the bytes of one") {
  const auto bytes =
      Hex("2A 00 00 00 09 00 00 00 FF 00 00 FF 00 00 80 3F 00 00 00 00"
          "CC CC CC CC CC CC CC CC CC CC CC CC CC CC CC CC  3E 00 00 00");
  const auto commands = Decode(bytes);
  REQUIRE(commands.size() == 2);
  CheckCommand(commands[0], Op::kClear, 0, 36);
  CheckCommand(commands[1], Op::kDrawTriPatch, 36, 4);
  CHECK(FieldU32(commands[0], Field(layout::kClear, "flags")) == 9);
  CHECK(FieldF32(commands[0], Field(layout::kClear, "fill_depth")) == 1.0F);
  CHECK(ListElements(commands[0]).size() == 16);
  CHECK(ListElements(commands[0])[0] == 0xCC);
}

TEST_CASE("E5: a rectangle patch with segments and info") {
  const auto bytes =
      Hex("3D 00 01 00 05 00 00 00 03 00 00 00 00 00 80 40 00 00 80 40 00 00 80 40 00 00 80 40"
          "00 00 00 00 00 00 00 00 04 00 00 00 04 00 00 00 04 00 00 00 00 00 00 00 03 00 00 00");
  const auto commands = Decode(bytes);
  REQUIRE(commands.size() == 1);
  CheckCommand(commands[0], Op::kDrawRectPatch, 0, 56);
  const Record record = *Records(commands[0], {}).begin();
  CHECK(record.U32(Field(layout::kDrawRectPatch, "handle")) == 5);
  REQUIRE(record.Tail(0).size() == 4);
  CHECK(FieldF32(record.Tail(0).at(3), Field(layout::kFloat, "value")) == 4.0F);
  REQUIRE(record.Tail(1).size() == 1);
  CHECK(FieldU32(record.Tail(1).at(0), Field(layout::kRectPatchInfo, "width")) == 4);
  CHECK(FieldU32(record.Tail(1).at(0), Field(layout::kRectPatchInfo, "degree")) == 3);
}

TEST_CASE("E6: only a light record with data has the light after it") {
  auto bytes = Hex("22 00 02 00  00 00 00 00 02 00 00 00");
  bytes.resize(bytes.size() + 104, 0);
  const auto enable = Hex("00 00 00 00 00 00 00 00");
  bytes.insert(bytes.end(), enable.begin(), enable.end());
  const auto commands = Decode(bytes);
  REQUIRE(commands.size() == 1);
  CheckCommand(commands[0], Op::kSetLight, 0, 124);
  std::vector<bool> has_light;
  std::vector<uint64_t> offsets;
  for (const Record& record : Records(commands[0], {})) {
    has_light.push_back(record.Tail(0).is_present);
    offsets.push_back(record.offset());
  }
  CHECK(has_light == std::vector<bool>{true, false});
  CHECK(offsets == std::vector<uint64_t>{4, 116});
}

TEST_CASE("E7: the count of UPDATEPALETTE is ignored") {
  const auto bytes =
      Hex("1F 00 09 00 01 00 00 00 10 00 02 00 00 00 FF FF 00 FF 00 FF"
          "1E 00 01 00 01 00 00 00 00 20 00 00 07 00 00 00");
  const auto commands = Decode(bytes);
  REQUIRE(commands.size() == 2);
  CheckCommand(commands[0], Op::kUpdatePalette, 0, 20);
  CheckCommand(commands[1], Op::kSetPalette, 20, 16);
  const TailPart entries = Tail(FixedTails(commands[0], {}), 0);
  REQUIRE(entries.size() == 2);
  CHECK(FieldU32(entries.at(1), Field(layout::kPaletteEntry, "entry")) == 0xFF00FF00);
  CHECK(RecordU32(commands[1], 0, Field(layout::kSetPalette, "surface_handle")) == 7);
}

TEST_CASE("E8: a texture blit") {
  const auto bytes =
      Hex("26 00 01 00 03 00 00 00 02 00 00 00 00 00 00 00 00 00 00 00"
          "03 00 00 00 03 00 00 00 0A 00 00 00 0A 00 00 00 00 00 00 00");
  const auto commands = Decode(bytes);
  REQUIRE(commands.size() == 1);
  CheckCommand(commands[0], Op::kTexBlt, 0, 40);
  const Record record = *Records(commands[0], {}).begin();
  CHECK(record.U32(Field(layout::kTexBlt, "dest_surface")) == 3);
  CHECK(record.I32(Field(layout::kTexBlt, "src_rect"), 0) == 3);
  CHECK(record.I32(Field(layout::kTexBlt, "src_rect"), 3) == 10);
}

TEST_CASE("E9: a vertex shader carries its declaration, then its code") {
  const auto bytes = Hex(
      "2D 00 01 00 11 00 00 00 10 00 00 00 08 00 00 00 00 00 00 20 00 00 02 40 05 00 04 40 FF FF FF FF"
      "01 01 FE FF FF FF 00 00  2F 00 01 00 11 00 00 00");
  const auto commands = Decode(bytes);
  REQUIRE(commands.size() == 2);
  CheckCommand(commands[0], Op::kCreateVertexShader, 0, 40);
  CheckCommand(commands[1], Op::kSetVertexShader, 40, 8);
  const Record record = *Records(commands[0], {}).begin();
  CHECK(ToHex(record.Tail(0).bytes) == "000000200000024005000440ffffffff");
  CHECK(ToHex(record.Tail(1).bytes) == "0101feffffff0000");
}

TEST_CASE("E10: a BOOL constant takes 4 bytes, a float constant 16") {
  const auto bytes =
      Hex("53 00 01 00 00 00 00 00 01 00 00 00 01 00 00 00"
          "30 00 01 00 04 00 00 00 01 00 00 00 00 00 80 3F 00 00 00 00 00 00 00 00 00 00 80 3F");
  const auto commands = Decode(bytes);
  REQUIRE(commands.size() == 2);
  CheckCommand(commands[0], Op::kSetVertexShaderConstB, 0, 16);
  CheckCommand(commands[1], Op::kSetVertexShaderConst, 16, 28);
  const Record record = *Records(commands[1], {}).begin();
  REQUIRE(record.Tail(0).size() == 1);
  CHECK(FieldF32(record.Tail(0).at(0), Field(layout::kFloat4, "value"), 3) == 1.0F);
}

TEST_CASE("E11: create, begin and end of a query") {
  const auto bytes =
      Hex("54 00 01 00 01 00 00 00 09 00 00 00  5B 00 01 00 01 00 00 00 02 00 00 00"
          "5B 00 01 00 01 00 00 00 01 00 00 00");
  const auto commands = Decode(bytes);
  REQUIRE(commands.size() == 3);
  CheckCommand(commands[0], Op::kCreateQuery, 0, 12);
  CheckCommand(commands[1], Op::kIssueQuery, 12, 12);
  CheckCommand(commands[2], Op::kIssueQuery, 24, 12);
  CHECK(RecordU32(commands[0], 0, Field(layout::kCreateQuery, "query_type")) == 9);
  CHECK(RecordU32(commands[1], 0, Field(layout::kIssueQuery, "flags")) == 2);
}

TEST_CASE("E12: a response buffer") {
  const auto bytes = Hex("58 00 01 00 14 00 00 00 01 00 00 00 04 00 00 00 D2 04 00 00");
  ResponseDecoder decoder(bytes);
  Command group;
  REQUIRE(decoder.Next(group));
  CheckCommand(group, Op::kResponseQuery, 0, 20);
  CHECK(TotalSize(group) == 20);
  const Record record = *Records(group, {}).begin();
  CHECK(record.U32(Field(layout::kResponseQuery, "query_id")) == 1);
  CHECK(ToHex(record.Tail(0).bytes) == "d2040000");
  CHECK_FALSE(decoder.Next(group));
  CHECK(decoder.end() == ResponseEnd::kComplete);
}
