#include "trim/event_cut.h"

#include <doctest/doctest.h>

#include <array>

#include "d3d/interface.h"
#include "runtime/core/token.h"

using namespace dp2trace;  // NOLINT(google-build-using-namespace): test file

namespace {

// Three tokens of 12 bytes from offset 64 on.
runtime::TokenBuffer ThreeTokens() {
  runtime::TokenBuffer tokens;
  for (const uint32_t near : {1U, 2U, 3U})
    tokens.Append(opcode::Op::kWInfo, std::array{near, near}, {}, std::nullopt);
  return tokens;
}

}  // namespace

TEST_CASE("cut of a call: tokens keep their offsets") {
  const runtime::TokenBuffer tokens = ThreeTokens();
  trace::Dp2 call;
  call.command_offset = 64;
  call.command_length = 36;
  call.commands = tokens.bytes();
  const trace::Dp2 cut = trim::CutCall(call, 76, 88);
  CHECK(cut.command_offset == 76);
  CHECK(cut.command_length == 12U);
  REQUIRE(cut.commands.size() == 12);
  CHECK(cut.commands.data() == call.commands.data() + 12);
  CHECK(trim::CutCall(call, std::nullopt, 88).commands.size() == 24);
  CHECK(trim::CutCall(call, 88, std::nullopt).commands.size() == 12);
  CHECK(trim::CutCall(call, std::nullopt, std::nullopt).commands.size() == 36);
}

TEST_CASE("cut of a call: a failure after the cut is none of the part") {
  const runtime::TokenBuffer tokens = ThreeTokens();
  trace::Dp2 call;
  call.commands = tokens.bytes();
  call.ddrval = 0x88760BB8;  // D3DERR_COMMAND_UNPARSED
  call.error_offset = 24;
  CHECK(trim::CutCall(call, 12, std::nullopt).ddrval == call.ddrval);
  const trace::Dp2 cut = trim::CutCall(call, std::nullopt, 24);
  CHECK_FALSE(cut.ddrval.has_value());
  CHECK(cut.error_offset == 0);
  call.ddrval = 0;
  CHECK(trim::CutCall(call, std::nullopt, 24).ddrval == 0U);
}
