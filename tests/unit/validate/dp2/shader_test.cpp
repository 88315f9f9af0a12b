#include "validate/dp2/shader.h"

#include <doctest/doctest.h>

#include "../helpers.h"
#include "rules/rule.h"

using namespace dp2trace;            // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::validate;  // NOLINT(google-build-using-namespace): test file

namespace {

// vs_1_1; mov oPos, v0; 20 bytes
constexpr std::string_view kCode = "0101feff 01000000 00000fc0 0000e490 ffff0000 ";
// vs_1_1 without END; 4 bytes
constexpr std::string_view kCut = "0101feff ";

// The findings of a DP2 call with these commands.
std::vector<Diagnostic> Dp2Findings(std::string_view commands, uint32_t command_offset = 0) {
  const std::vector<uint8_t> bytes = Hex(commands);
  trace::Dp2 call;
  call.commands = bytes;
  call.command_offset = command_offset;
  return FindingsOf({}, {call});
}

}  // namespace

TEST_CASE("Shader rules are silent about sound code") {
  CHECK(Dp2Ids(Join({"4a000100 01000000 14000000 ", kCode})) == Ids{});
  CHECK(PacketIds(Join({"4a000100 01000000 14000000 ", kCode})) == Ids{});
}

TEST_CASE("Shader rules need code where the token does not make it optional") {
  CHECK(Dp2Ids("4a000100 01000000 00000000") == Ids{"DP2-VSH-006"});
  CHECK(Dp2Ids("36000100 01000000 00000000") == Ids{"DP2-VSH-006"});
  CHECK(Dp2Ids("2d000100 11000000 04000000 00000000 ffffffff") == Ids{});
}

TEST_CASE("Code that is not a whole number of tokens is not read") {
  CHECK(Dp2Ids("36000100 01000000 03000000 0101ff") == Ids{"DP2-VSH-006"});
}

TEST_CASE(
    "DP2-VSH-011 stands for a token that is not a version, DP2-SHADER-001 for a version that does not exist") {
  CHECK(Dp2Ids("36000100 01000000 04000000 01013412") == Ids{"DP2-VSH-011"});
  CHECK(Dp2Ids("36000100 01000000 04000000 0104ffff") == Ids{"DP2-SHADER-001"});
}

TEST_CASE("DP2-VSH-011 fires on a vertex shader in a token of pixel shaders") {
  CHECK(Dp2Ids(Join({"36000100 01000000 14000000 ", kCode})) == Ids{"DP2-VSH-011"});
}

TEST_CASE("A finding about code stands at its place in the command buffer, and names the record") {
  // A sound function, then one whose END is missing after its 4 bytes.
  const std::string commands =
      Join({"4a000200 01000000 14000000 ", kCode, "02000000 04000000 ", kCut});
  const std::vector<Diagnostic> findings = Dp2Findings(commands, 64);
  REQUIRE(IdsOf(findings) == Ids{"DP2-VSH-012", "DP2-COUNT-006"});
  CHECK(findings[0].event == 1);
  CHECK(findings[0].offset == 64 + 4 + 28 + 8 + 4);
  CHECK(findings[0].path == "commands/0/records/1/code");
}

TEST_CASE("A finding about code after a declaration counts the declaration") {
  const std::vector<Diagnostic> findings =
      Dp2Findings(Join({"2d000100 11000000 04000000 04000000 ffffffff ", kCut}));
  REQUIRE(IdsOf(findings) == Ids{"DP2-VSH-012"});
  CHECK(findings[0].offset == 16 + 4 + 4);
}

TEST_CASE("A finding about an instruction has its length") {
  // vs_1_1; mov oPos, v0; mov r0, oPos
  const std::vector<Diagnostic> findings = Dp2Findings(
      "4a000100 01000000 20000000 0101feff 01000000 00000fc0 0000e490 01000000 00000f80 0000e4c0 ffff0000");
  REQUIRE(IdsOf(findings) == Ids{"DP2-SHADER-012"});
  CHECK(findings[0].offset == 12 + 16);
  CHECK(findings[0].length == 12);
}

TEST_CASE("A matrix over its own source: an error at level 9, a warning where drivers drew it") {
  // vs_1_1; mov r0, v0; m3x3 r0.xyz, r0, c0; mov oPos, r0; 48 bytes
  const std::vector<uint8_t> bytes =
      Hex("2d000100 11000000 04000000 30000000 ffffffff 0101feff 01000000 00000f80 0000e490 "
          "17000000 00000780 0000e480 0000e4a0 01000000 00000fc0 0000e480 ffff0000");
  const auto severity_at = [&bytes](uint32_t level) {
    trace::Header header;
    header.driver_level = level;
    trace::Dp2 call;
    call.commands = bytes;
    for (const Diagnostic& finding : FindingsOf(header, {call})) {
      if (finding.rule == Rule::kDp2Shader029) return finding.severity;
    }
    return Severity::kAdvice;
  };
  CHECK(severity_at(9) == Severity::kError);
  CHECK(severity_at(8) == Severity::kWarning);
}
