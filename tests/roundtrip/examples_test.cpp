// The committed byte examples hold the bytes that the specifications print.
#include <doctest/doctest.h>

#include <optional>

#include "traces.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

namespace {

// The last event of type T of a trace, handed to `look` while its bytes live.
template <class T, class F>
void WithLast(const std::string& path, F look) {
  const std::vector<uint8_t> container = ReadTraceFile(path);
  DiagnosticList findings;
  std::optional<uint64_t> number;
  for (const bool found : {false, true}) {
    Result<trace::Reader> reader = trace::Reader::FromBytes(container, findings);
    REQUIRE(reader.ok());
    trace::EventRecord record;
    while (reader->Next(record)) {
      const T* const event = std::get_if<T>(&record.event);
      if (event == nullptr) continue;
      if (!found) number = record.number;
      if (found && record.number == number) return look(*event);
    }
  }
  FAIL("no such event");
}

std::string Hex(std::string text) {
  std::erase(text, ' ');
  for (char& c : text) {
    if (c >= 'A' && c <= 'F') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

void CheckCommands(const std::string& name, const std::string& hex) {
  INFO(name);
  WithLast<trace::Dp2>("examples/" + name + ".dp2t",
                       [&hex](const trace::Dp2& call) { CHECK(ToHex(call.commands) == Hex(hex)); });
}

}  // namespace

// lib/opcode/dp2.md 23.
TEST_CASE("traces/examples: the commands are the bytes of E1 to E11") {
  CheckCommands("e01-two-render-states",
                "08 00 02 00 08 00 00 00 03 00 00 00 09 00 00 00 02 00 00 00");
  CheckCommands("e02-indexed-strip", "14 00 03 00 00 00 01 00 03 00 06 00 04 00 05 00");
  std::string vertices;
  for (int i = 0; i < 48; ++i)
    vertices += "AA";
  CheckCommands("e03-odd-alignment-before-an-immediate-fan",
                "12 00 01 00 00 00 17 00 01 00 07 00 00 00 00 00" + vertices +
                    "1C 00 01 00 00 00 00 00 00 00 00 00 80 02 00 00 E0 01 00 00");
  CheckCommands("e04-clear-with-zero-rectangles",
                "2A 00 00 00 09 00 00 00 FF 00 00 FF 00 00 80 3F 00 00 00 00 "
                "CC CC CC CC CC CC CC CC CC CC CC CC CC CC CC CC 3E 00 00 00");
  CheckCommands(
      "e05-rect-patch-with-segments-and-info",
      "3D 00 01 00 05 00 00 00 03 00 00 00 00 00 80 40 00 00 80 40 00 00 80 40 00 00 80 40 "
      "00 00 00 00 00 00 00 00 04 00 00 00 04 00 00 00 04 00 00 00 00 00 00 00 03 00 00 00");
  CheckCommands("e06-light-data-then-enable",
                "22 00 02 00 00 00 00 00 02 00 00 00" + std::string(2 * 112, '0'));
  CheckCommands("e07-palette",
                "1F 00 09 00 01 00 00 00 10 00 02 00 00 00 FF FF 00 FF 00 FF "
                "1E 00 01 00 01 00 00 00 00 20 00 00 07 00 00 00");
  CheckCommands("e08-texblt",
                "26 00 01 00 03 00 00 00 02 00 00 00 00 00 00 00 00 00 00 00 "
                "03 00 00 00 03 00 00 00 0A 00 00 00 0A 00 00 00 00 00 00 00");
  CheckCommands(
      "e09-vertex-shader",
      "2D 00 01 00 11 00 00 00 10 00 00 00 08 00 00 00 00 00 00 20 00 00 02 40 05 00 04 40 "
      "FF FF FF FF 01 01 FE FF FF FF 00 00 2F 00 01 00 11 00 00 00");
  CheckCommands(
      "e10-constants",
      "53 00 01 00 00 00 00 00 01 00 00 00 01 00 00 00 30 00 01 00 04 00 00 00 01 00 00 00 "
      "00 00 80 3F 00 00 00 00 00 00 00 00 00 00 80 3F");
  CheckCommands("e11-query",
                "54 00 01 00 01 00 00 00 09 00 00 00 5B 00 01 00 01 00 00 00 02 00 00 00 "
                "5B 00 01 00 01 00 00 00 01 00 00 00");
}

TEST_CASE("traces/examples: the response is the bytes of E12, over an empty stream") {
  WithLast<trace::Dp2>("examples/e12-response-buffer.dp2t", [](const trace::Dp2& call) {
    CHECK(call.commands.empty());
    CHECK(call.error_offset == 20);
    CHECK(ToHex(call.response) == "58000100140000000100000004000000d2040000");
  });
}

// lib/kmt/packets.md 6.9.
TEST_CASE("traces/packets: the worked packet has the bytes of the specification") {
  for (const std::string name : {"worked-packet", "worked-packet-32"}) {
    INFO(name);
    WithLast<trace::Render>("packets/" + name + ".dp2t", [&name](const trace::Render& packet) {
      CHECK(ToHex(packet.command_buffer) ==
            "29000100010000000200000031000100"
            "00000000030000001000000034000100040000000000000001000000");
      CHECK(ToHex(packet.allocation_list) ==
            "0000000000000000000100c001000000400100c001000000800100c000000000");
      CHECK(ToHex(packet.patch_location_list) ==
            "010000000100000029000000000000000400000000000000"
            "020000000500000029010000000000000800000000000000"
            "03000000200000003100000000000000140000000c000000");
      const size_t size = name == "worked-packet" ? 368 : 336;
      REQUIRE(packet.raw_in.size() == size);
      CHECK(ToHex(packet.raw_in) ==
            "40000040000000002c0000000400000003000000" + std::string(2 * (size - 20), '0'));
    });
  }
}
