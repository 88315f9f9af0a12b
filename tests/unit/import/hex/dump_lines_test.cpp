#include "import/hex/dump_lines.h"

#include <doctest/doctest.h>

#include <initializer_list>
#include <string>

#include "base/bytes.h"

using namespace dp2trace;  // NOLINT(google-build-using-namespace): test file

namespace {

// The bytes of the lines as digits, or "LINE: message".
std::string Read(std::initializer_list<std::string_view> lines) {
  import::DumpLines dump;
  uint64_t number = 0;
  const auto message = [](const Status& status) {
    return std::to_string(status.diagnostic().line) + ": " + status.diagnostic().message;
  };
  for (const std::string_view line : lines) {
    const Status added = dump.Add(line, ++number);
    if (!added.ok()) return message(added);
  }
  const Result<std::vector<uint8_t>> bytes = dump.Finish();
  return bytes.ok() ? ToHex(*bytes) : message(bytes.status());
}

constexpr std::string_view kBytes = "44 54 32 32 00 01 02 03 04 05 06 07 08 09 0a 0b";

}  // namespace

TEST_CASE("DumpLines: xxd, whose groups are bytes in order") {
  CHECK(Read({"00000000: 4454 3232 0001 0203 0405 0607 0809 0a0b  DT22............",
              "00000010: 4142 43                                  ABC"}) ==
        Read({kBytes, "41 42 43"}));
  CHECK(Read({"00000000: 44543232 00010203  DT22...."}) == Read({"44 54 32 32 00 01 02 03"}));
}

TEST_CASE("DumpLines: hexdump -C, with its gap in the middle and the offset at the end") {
  CHECK(Read({"00000000  44 54 32 32 00 01 02 03  04 05 06 07 08 09 0a 0b  |DT22............|",
              "00000010  41 42 43                                          |ABC|", "00000013"}) ==
        Read({kBytes, "41 42 43"}));
}

TEST_CASE("DumpLines: a line of * stands for what the offset after it says") {
  CHECK(Read({"00000000  44 54 32 32 00 01 02 03  04 05 06 07 08 09 0a 0b  |DT22............|", "*",
              "00000030  41                                                |A|"}) ==
        Read({kBytes, kBytes, kBytes, "41"}));
  CHECK(Read({"0000000 00 00", "*", "2000000"}) ==
        "3: '*' stands for 33554430 bytes, 16777216 are allowed");
  CHECK(Read({"*"}) == "1: '*' repeats the line before, and there is none");
  CHECK(Read({kBytes, "*"}) == "2: '*' needs an offset after it, which says how often");
}

TEST_CASE("DumpLines: db of WinDbg, with 32-bit and 64-bit addresses") {
  CHECK(Read({"0012ff40  44 54 32 32 00 01 02 03-04 05 06 07 08 09 0a 0b  DT22............",
              "0012ff50  41 42                                            AB"}) ==
        Read({kBytes, "41 42"}));
  CHECK(Read({"00000000`0012ff40  44 54 32 32 00 01 02 03-04 05 06 07 08 09 0a 0b  DT22"}) ==
        Read({kBytes}));
}

TEST_CASE("DumpLines: dd, dw and dq of WinDbg are little-endian numbers") {
  CHECK(Read({"0012ff40  32325444 03020100 07060504 0b0a0908", "0012ff50  00434241"}) ==
        Read({kBytes, "41 42 43 00"}));
  CHECK(Read({"0012ff40  32325444 03020100"}) == Read({"44 54 32 32 00 01 02 03"}));
  CHECK(Read({"0012ff40  5444 3232 0100 0302"}) == Read({"44 54 32 32 00 01 02 03"}));
  CHECK(Read({"0012ff40  03020100`32325444"}) == Read({"44 54 32 32 00 01 02 03"}));
}

TEST_CASE("DumpLines: numbers without offsets") {
  CHECK(Read({"0x32325444, 0x03020100,", "0x07060504, 0x0b0a0908"}) == Read({kBytes}));
  CHECK(Read({"0x44, 0x54, 0x32, 0x32,", "0x00, 0x01, 0x02, 0x03"}) ==
        Read({"44 54 32 32 00 01 02 03"}));
  CHECK(Read({"4454323200010203040506070809"}) ==
        Read({"44 54 32 32 00 01 02 03 04 05 06 07 08 09"}));
  CHECK(Read({"  44 54 32 32\r"}) == "44543232");
}

TEST_CASE("DumpLines: one group and its characters") {
  CHECK(Read({"00000000: 4454 3232 0001 0203 0405 0607 0809 0a0b  DT22............",
              "00000010: 4142                                     AB"}) == Read({kBytes, "41 42"}));
}

TEST_CASE("DumpLines: words of od and hexdump, whose end the last offset says") {
  CHECK(Read({"000000 32325444 03020100 07060504 0b0a0908", "000010 00004241", "000012"}) ==
        Read({kBytes, "41 42"}));
  CHECK(Read({"0000000 5444 3232 0100 0302 0504 0706 0908 0b0a", "0000010 0041", "0000011"}) ==
        Read({kBytes, "41"}));
  CHECK(Read({"0000000 5444 0032", "0000003"}) == Read({"44 54 32"}));
  // Only a part of the last word is not data, and that is zero.
  CHECK(Read({"0000000 5444 3232", "0000002"}) ==
        "2: the offset is 0x2, expected 0x4: lines are missing or duplicated");
  CHECK(Read({"0000000 5444 3232", "0000003"}) ==
        "2: the offset is 0x3, expected 0x4: lines are missing or duplicated");
  CHECK(Read({"0000000 32325444 03020100 07060504 0b0a0908", "0000002"}) ==
        "2: the offset is 0x2, expected 0x10: lines are missing or duplicated");
}

TEST_CASE("DumpLines: a dump may start at any offset and may not leave bytes out") {
  CHECK(Read({"40: 01 02", "42: 03"}) == "010203");
  CHECK(Read({"40: 01 02", "44: 03"}) ==
        "2: the offset is 0x44, expected 0x42: lines are missing or duplicated");
  CHECK(Read({"40: 01 02", "40: 01 02"}) ==
        "2: the offset is 0x40, expected 0x42: lines are missing or duplicated");
}

TEST_CASE("DumpLines: what is not a dump is refused") {
  const std::string rest =
      " is not a line of a hex dump (--prefix takes away what is in front of one)";
  CHECK(Read({"hello"}) == "1: \"hello\"" + rest);
  CHECK(Read({"00 01", "0010: xy"}) == "2: \"0010: xy\"" + rest);
  // Numbers of a process and a thread in front, and no line that is shorter at its end.
  CHECK(Read({"1234 5678 00 00 00 41"}) ==
        "1: \"1234 5678 00 00 00 41\" has \"00\" after \"5678\": if the first groups are not data, "
        "--prefix takes them away");
  CHECK(Read({"1234 5678 0x41000000, 0x42000000"}).find("--prefix") != std::string::npos);
  CHECK(Read({"0x123 4"}) == "1: \"0x123 4\" has \"4\", an odd number of digits");
}

TEST_CASE(
    "DumpLines: a first number of two digits that counts lines or bytes is refused, data is not") {
  const std::string counts =
      "1: the first number may count lines or bytes: put a colon after it if it is an offset, or "
      "--prefix takes it away";
  CHECK(Read({"00 41 42 43 44", "04 45 46 47 48", "08 49 4a 4b 4c"}) == counts);
  CHECK(Read({"00 41 42 43 44 45 46 47 48 49 4a", "10 41 42 43 44 45 46 47 48 49 4a"}) == counts);
  CHECK(Read({"00 41 42", "01 43 44"}) == counts);
  CHECK(Read({"00: 41 42", "02: 43 44"}) == "41424344");
  CHECK(Read({"00 4a, 4b, 4c", "03 4d, 4e, 4f"}) == "4a4b4c4d4e4f");
  CHECK(Read({"00 4a, 4b, 4c", "04 4d, 4e, 4f"}).starts_with("2: the offset is 0x4"));
  CHECK(Read({"00 00 80 3f", "00 00 00 40"}) == "0000803f00000040");
}
