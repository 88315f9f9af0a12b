// Each rule that the decoder reports: an input that breaks it, and one that barely passes.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "rules/rule.h"
#include "rules/rule_info.h"
#include "stream/stream.h"

using namespace dp2trace;          // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::stream;  // NOLINT(google-build-using-namespace): test file

namespace {

struct Outcome {
  size_t commands = 0;
  StreamEnd end{};
  uint64_t rest_offset = 0;
  size_t rest_size = 0;
  std::vector<Diagnostic> findings;
};

Outcome Decode(std::string hex, const Environment& environment = {}) {
  std::erase(hex, ' ');
  std::vector<uint8_t> bytes;
  REQUIRE(ParseHex(hex, bytes));
  DiagnosticList findings;
  Decoder decoder(bytes, environment, &findings);
  Outcome outcome;
  for (Command command; decoder.Next(command);)
    ++outcome.commands;
  outcome.end = decoder.end();
  outcome.rest_offset = decoder.rest_offset();
  outcome.rest_size = decoder.rest().size();
  outcome.findings = findings.items();

  // The same stream without a list of findings is framed in the same way.
  Decoder silent(bytes, environment, nullptr);
  size_t commands = 0;
  for (Command command; silent.Next(command);)
    ++commands;
  CHECK(commands == outcome.commands);
  CHECK(silent.end() == outcome.end);
  return outcome;
}

void CheckFinding(const Outcome& outcome, Rule rule, uint64_t offset, std::string_view path) {
  REQUIRE(outcome.findings.size() == 1);
  CHECK(Info(outcome.findings[0].rule).id == Info(rule).id);
  CHECK(outcome.findings[0].offset == offset);
  CHECK(outcome.findings[0].path == path);
}

const std::string kLineList = "0F 00 01 00 00 00";

}  // namespace

TEST_CASE("DP2-STREAM-001 fires on 1 to 3 trailing bytes that are not all 0") {
  const Outcome outcome = Decode(kLineList + "00 01 00", {.command_offset = 100, .event = 7});
  CheckFinding(outcome, Rule::kDp2Stream001, 106, "commands/1");
  CHECK(outcome.end == StreamEnd::kTrailingBytes);
  CHECK(outcome.rest_offset == 106);
  CHECK(outcome.rest_size == 3);
  CHECK(outcome.findings[0].event == 7);
  CHECK(outcome.findings[0].length == 3);
  CHECK(outcome.findings[0].message ==
        "the stream ends with 3 bytes (000100), a command header has 4 (stream offset 6)");
}

TEST_CASE("DP2-STREAM-010 fires on 1 to 3 trailing zeros; no bytes are no finding") {
  CheckFinding(Decode(kLineList + "00"), Rule::kDp2Stream010, 6, "commands/1");
  CheckFinding(Decode("00 00 00"), Rule::kDp2Stream010, 0, "commands/0");
  CHECK(Decode(kLineList).findings.empty());
  CHECK(Decode("").end == StreamEnd::kComplete);
}

TEST_CASE("DP2-STREAM-002 fires on a cut fixed structure") {
  const Outcome outcome = Decode(kLineList + "0F 00 01 00 00");
  CheckFinding(outcome, Rule::kDp2Stream002, 6, "commands/1");
  CHECK(outcome.end == StreamEnd::kTruncated);
  CHECK(outcome.commands == 1);
  CHECK(outcome.rest_offset == 6);
  CHECK(outcome.findings[0].message == "LINELIST: the fixed structure needs 2 bytes and has 1");
  CHECK(outcome.findings[0].actual == "1");
  CHECK(outcome.findings[0].expected == "2");
  CHECK(Decode(kLineList + kLineList).findings.empty());
}

TEST_CASE("DP2-STREAM-003 fires on cut records") {
  const Outcome outcome = Decode("08 00 02 00 08 00 00 00 03 00 00 00 09 00 00 00 02 00 00");
  CheckFinding(outcome, Rule::kDp2Stream003, 0, "commands/0");
  CHECK(outcome.findings[0].message == "RENDERSTATE: records of 8 bytes need 16 bytes and have 15");
  CHECK(Decode("08 00 02 00 08 00 00 00 03 00 00 00 09 00 00 00 02 00 00 00").findings.empty());
}

TEST_CASE("DP2-STREAM-003 fires where the tail of an earlier record leaves no room for a record") {
  // Two patches, the first with 16 bytes of segments; of the second one only 4 bytes are there.
  const std::string first =
      "3D 00 02 00 05 00 00 00 01 00 00 00 00 00 80 40 00 00 80 40 00 00 80 40 00 00 80 40";
  CheckFinding(Decode(first + "06 00 00 00"), Rule::kDp2Stream003, 0, "commands/0/records/1");
  CHECK(Decode(first + "06 00 00 00 00 00 00 00").findings.empty());
}

TEST_CASE("DP2-STREAM-003 holds for the largest count") {
  const Outcome outcome = Decode("24 00 FF FF 00 00 00 00");
  CheckFinding(outcome, Rule::kDp2Stream003, 0, "commands/0");
  CHECK(outcome.findings[0].expected == "4456380");
}

TEST_CASE("DP2-STREAM-004 fires on a cut tail") {
  const Outcome outcome = Decode("36 00 01 00 01 00 00 00 08 00 00 00 01 01 FF FF FF FF 00");
  CheckFinding(outcome, Rule::kDp2Stream004, 0, "commands/0/records/0");
  CHECK(outcome.findings[0].message == "CREATEPIXELSHADER: code needs 8 bytes and has 7");
  CHECK(Decode("36 00 01 00 01 00 00 00 08 00 00 00 01 01 FF FF FF FF 00 00").findings.empty());
}

TEST_CASE("DP2-STREAM-004 fires on a cut tail after a fixed structure") {
  CheckFinding(Decode("1F 00 01 00 01 00 00 00 00 00 02 00 00 00 00 00 00 00 00"),
               Rule::kDp2Stream004, 0, "commands/0");
}

TEST_CASE("DP2-STREAM-005 fires where the tail of a record needs 2^32 bytes or more") {
  // 0x10000000 float constants of 16 bytes.
  CheckFinding(Decode("30 00 01 00 00 00 00 00 00 00 00 10"), Rule::kDp2Stream005, 0,
               "commands/0/records/0");
  // One register less is merely too long.
  CheckFinding(Decode("30 00 01 00 00 00 00 00 FF FF FF 0F"), Rule::kDp2Stream004, 0,
               "commands/0/records/0");
}

TEST_CASE("DP2-STREAM-005 sums the tails of a record") {
  // A declaration of 8 bytes that is there, and code that fits 32 bits without it, but not with it.
  const std::string declaration =
      "2D 00 01 00 01 00 00 00 08 00 00 00 F8 FF FF FF 00 00 00 00 00 00 00 00";
  CheckFinding(Decode(declaration), Rule::kDp2Stream005, 0, "commands/0/records/0");
}

TEST_CASE(
    "DP2-STREAM-006 fires on every value that is not an operation and ends the stream there") {
  for (uint32_t code = 0; code < 256; ++code) {
    CAPTURE(code);
    if (opcode::Find(static_cast<uint8_t>(code)) != nullptr || code == 11) continue;
    const auto byte = static_cast<uint8_t>(code);
    const Outcome outcome = Decode(kLineList + ToHex(Bytes(&byte, 1)) + "000000 0F000100");
    CheckFinding(outcome, Rule::kDp2Stream006, 6, "commands/1/op");
    CHECK(outcome.end == StreamEnd::kUnknownOperation);
    CHECK(outcome.rest_size == 8);
    CHECK(outcome.findings[0].actual == std::to_string(code));
  }
}

TEST_CASE("DP2-STREAM-006 does not fire on an operation, whatever its level") {
  CHECK(Decode("62 00 00 00").findings.empty());
}

TEST_CASE("DP2-STREAM-007 warns of operation 11, which ends the stream with success") {
  const Outcome outcome = Decode(kLineList + "0B 00 00 00 FF FF");
  CheckFinding(outcome, Rule::kDp2Stream007, 6, "commands/1/op");
  CHECK(outcome.findings[0].severity == Severity::kWarning);
  CHECK(outcome.end == StreamEnd::kExitToken);
  CHECK(outcome.rest_size == 6);
}

TEST_CASE("DP2-STREAM-008 fires on the two responses in a stream") {
  CheckFinding(Decode("57 00 00 00 08 00 00 00"), Rule::kDp2Stream008, 0, "commands/0/op");
  const Outcome outcome = Decode("58 00 00 00 08 00 00 00");
  CheckFinding(outcome, Rule::kDp2Stream008, 0, "commands/0/op");
  CHECK(outcome.end == StreamEnd::kUnknownOperation);
}

TEST_CASE("DP2-STREAM-009 warns of a bReserved that is not 0 and goes on") {
  const Outcome outcome = Decode(kLineList + "0F 80 01 00 00 00" + kLineList);
  CheckFinding(outcome, Rule::kDp2Stream009, 7, "commands/1/reserved");
  CHECK(outcome.end == StreamEnd::kComplete);
  CHECK(outcome.commands == 3);
}

TEST_CASE("DP2-STREAM-015 fires on EXT with a size other than 8, which leaves its length unknown") {
  const Outcome outcome = Decode("25 00 02 00 01 00 00 00 08 00 00 00 01 00 00 00 0C 00 00 00");
  CheckFinding(outcome, Rule::kDp2Stream015, 16, "commands/0/records/1/size");
  CHECK(outcome.end == StreamEnd::kUnknownLength);
  CHECK(outcome.findings[0].actual == "12");
  CHECK(Decode("25 00 01 00 01 00 00 00 08 00 00 00").findings.empty());
}

TEST_CASE("DP2-PATCH-001 fires on unknown patch flags, which leave the length unknown") {
  const Outcome outcome = Decode("3E 00 01 00 05 00 00 00 04 00 00 00", {.command_offset = 8});
  CheckFinding(outcome, Rule::kDp2Patch001, 16, "commands/0/records/0/flags");
  CHECK(outcome.end == StreamEnd::kUnknownLength);
  CHECK(outcome.rest_offset == 8);
  CHECK(Decode("3E 00 01 00 05 00 00 00 00 00 00 00").findings.empty());
}

TEST_CASE("DP2-IMM-001 fires on immediate vertices past the end, padding included") {
  const std::string lines = "18 00 01 00 01 02 03 04 05 06 07 08";
  const Outcome outcome = Decode(lines, {.command_offset = 2, .vertex_size = 4});
  CheckFinding(outcome, Rule::kDp2Imm001, 2, "commands/0");
  CHECK(
      outcome.findings[0].message ==
      "LINELIST_IMM: 2 vertices of 4 bytes after 2 bytes of padding need 10 bytes and have 8 (stream offset 0)");
  CHECK(Decode(lines, {.command_offset = 4, .vertex_size = 4}).findings.empty());
}

TEST_CASE("DP2-IMM-001: a huge vertex size cannot overflow") {
  const Outcome outcome = Decode("17 00 FF FF 00 00 00 00", {.vertex_size = 0xFFFFFFFF});
  CheckFinding(outcome, Rule::kDp2Imm001, 0, "commands/0");
  CHECK(outcome.findings[0].expected == "281479271612415");
}

TEST_CASE("Decoder: after its end it stays there and reports nothing more") {
  const uint8_t bytes[] = {0x63, 0, 0, 0};
  DiagnosticList findings;
  Decoder decoder(bytes, {}, &findings);
  Command command;
  CHECK_FALSE(decoder.Next(command));
  CHECK_FALSE(decoder.Next(command));
  CHECK(findings.count(Severity::kError) == 1);
}
