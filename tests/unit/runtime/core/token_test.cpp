#include "runtime/core/token.h"

#include <doctest/doctest.h>

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::runtime;  // NOLINT(google-build-using-namespace): test file
using opcode::Op;

namespace {

std::string Hex(const TokenBuffer& buffer) {
  return ToHex(buffer.bytes());
}

}  // namespace

TEST_CASE("TokenBuffer: a record is written field by field with the widths of the table") {
  TokenBuffer buffer;
  // u16 stage, u16 state, u32 value.
  CHECK(buffer.Append(Op::kTextureStageState, std::vector<uint32_t>{3, 1, 0x11223344}, {}, {}));
  CHECK(Hex(buffer) ==
        "19000100"
        "0300"
        "0100"
        "44332211");
}

TEST_CASE("TokenBuffer: consecutive render states become one token, other operations end it") {
  TokenBuffer buffer;
  CHECK(buffer.Append(Op::kRenderState, std::vector<uint32_t>{7, 1}, {}, {}));
  CHECK(buffer.Append(Op::kRenderState, std::vector<uint32_t>{22, 2}, {}, {}));
  CHECK(buffer.Append(Op::kTextureStageState, std::vector<uint32_t>{0, 1, 4}, {}, {}));
  CHECK(buffer.Append(Op::kRenderState, std::vector<uint32_t>{7, 0}, {}, {}));
  CHECK(Hex(buffer) ==
        "08000200"
        "0700000001000000"
        "1600000002000000"
        "19000100"
        "0000010004000000"
        "08000100"
        "0700000000000000");
}

TEST_CASE(
    "TokenBuffer: the count of CLEAR is that of the rectangles, the first of which lies in the fixed structure") {
  TokenBuffer buffer;
  CHECK(buffer.Append(Op::kClear, std::vector<uint32_t>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, {},
                      {}));
  CHECK(LoadU16(buffer.bytes().data() + 2) == 2);
  CHECK(buffer.bytes().size() == 4 + 16 + 32);
}

TEST_CASE("TokenBuffer: indices of a strip count as primitives") {
  TokenBuffer buffer;
  // wVStart, then count + 2 indices.
  CHECK(buffer.Append(Op::kIndexedTriangleStrip, std::vector<uint32_t>{9, 0, 1, 2, 3}, {}, {}));
  CHECK(Hex(buffer) ==
        "14000200"
        "0900"
        "0000"
        "0100"
        "0200"
        "0300");
}

TEST_CASE("TokenBuffer: a count that the values do not tell is given") {
  TokenBuffer buffer;
  CHECK(buffer.Append(Op::kTriangleList, std::vector<uint32_t>{6}, {}, uint16_t{5}));
  CHECK(Hex(buffer) ==
        "12000500"
        "0600");
}

TEST_CASE("TokenBuffer: a tail follows the record") {
  TokenBuffer buffer;
  const uint8_t code[] = {1, 2, 3, 4};
  CHECK(buffer.Append(Op::kCreatePixelShader, std::vector<uint32_t>{7, 4}, code, {}));
  CHECK(Hex(buffer) ==
        "36000100"
        "0700000004000000"
        "01020304");
}

TEST_CASE(
    "TokenBuffer: values that do not fill whole records are refused and nothing is appended") {
  TokenBuffer buffer;
  CHECK_FALSE(buffer.Append(Op::kRenderState, std::vector<uint32_t>{7}, {}, {}));
  CHECK_FALSE(buffer.Append(Op::kClear, std::vector<uint32_t>{1, 2}, {}, {}));
  CHECK(buffer.empty());
}
