// The same bytes as fifty tools and loggers print them are read right, or refused: never as other bytes.
#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "import/hex/dump_text.h"
#include "import/hex/log_text.h"

using namespace dp2trace;  // NOLINT(google-build-using-namespace): test file

namespace {

// The bytes of the lines as digits; "refused" where they are none.
std::string Read(std::string_view text) {
  const std::string plain = import::PlainLog(text);
  import::DumpText dump;
  uint64_t number = 0;
  for (std::string_view rest = plain; !rest.empty();) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    ++number;
    if (import::IsTypedCommand(line)) continue;
    if (line.starts_with('#')) {
      dump.AddComment(line, number);
    } else {
      dump.Add(line, number);
    }
  }
  const Result<std::vector<uint8_t>> bytes = dump.Finish();
  return bytes.ok() ? ToHex(*bytes) : "refused";
}

constexpr std::string_view kBytes = "120001000000004100ffff42";

struct Dialect {
  std::string_view name;
  std::string_view text;
  bool is_refused = false;
};

// The first ten are shapes of lines in public bug reports and logs, with these bytes.
constexpr Dialect kDialects[] = {
    {"printk with a prefix",
     "[   12.345678] buf: 00000000: 12 00 01 00 00 00 00 41 00 ff ff 42  .......A...B\n"},
    {"print_hex_dump by words", "[   12.345678] buf: 00000000: 00010012 41000000 42ffff00\n", true},
    {"syslog of a host", "<7>[ 1.5] drm: 0000: 12 00 01 00 00 00 00 41 00 ff ff 42\n"},
    {"Wine channel", "trace:d3d:dump 00000000: 12 00 01 00 00 00 00 41 00 ff ff 42\n"},
    {"DebugView", "00000012\t3.14159265\t[1234] 0012ff40  00010012 41000000 42ffff00\n"},
    {"DebugView with the time of day",
     "00000012\t10:23:45\t[1234] 0012ff40  00010012 41000000 42ffff00\n"},
    {"DebugView with milliseconds, before noon",
     "00000012\t10:23:45.678 AM\t[1234] d3d: 12 00 01 00 00 00 00 41 00 ff ff 42\n"},
    {"DebugView with blanks", "00000012  3.14159265  [1234] 12 00 01 00 00 00 00 41 00 ff ff 42\n"},
    {"blanks between numbers that DebugView does not write",
     "00000012  3.1415  [1234] 12 00 01 00 00 00 00 41 00 ff ff 42\n", true},
    {"log4j", "2024-01-02 12:00:00,123 INFO  [main] pkg - 12 00 01 00 00 00 00 41 00 ff ff 42\n"},
    {"logback", "12:00:00.123 [main] DEBUG com.a.B - 0012ff40  00010012 41000000 42ffff00\n"},
    {"log4j without a name", "12:00:00,123 INFO 12 00 - 01 00 00 00 00 41 00 ff ff 42\n", true},
    {"x64dbg", "DebugString: \"12 00 01 00 00 00 00 41\\n\"\nDebugString: \"00 ff ff 42\"\n"},
    {"x64dbg with addresses and words",
     "DebugString: \"driver: 0012ff40  12 00 01 00 00 00 00 41 00 ff ff 42  .......A...B\\r\\n\"\r\n"},
    {"quotes of another tool", "Text: \"12 00 01 00 00 00 00 41 00 ff ff 42\"\n", true},
    {"DebugView without time", "[1234] 12 00 01 00 00 00 00 41 00 ff ff 42\n"},
    {"logcat-like", "2026-11-25 12:34:56.789 D3D: 12 00 01 00 00 00 00 41 00 ff ff 42\n"},
    {"emulator log", "T|d3d.c:342| 12 00 01 00 00 00 00 41 00 ff ff 42\n"},
    // Prefixes that public issue trackers show in front of lines, with these bytes: rust-osdev/bootimage 56 (VirtualBox), docs.u-boot.org (md), ...
    {"VirtualBox, guest log",
     "00:00:02.949857 VMMDev: Guest Log: 00000000: 12 00 01 00 00 00 00 41 00 ff ff 42\n"},
    {"U-Boot with its prompt",
     "=> md.b 80000000 c\n80000000: 12 00 01 00 00 00 00 41 00 ff ff 42    .......A...B\n=> \n"},
    {"journalctl",
     "Nov 28 07:43:59 host kernel: buf: 00000000: 12 00 01 00 00 00 00 41 00 ff ff 42\n"},
    {"printk with its caller",
     "[   12.345678][ T1234] buf: 00000000: 12 00 01 00 00 00 00 41 00 ff ff 42\n"},
    {"logcat, threadtime",
     "11-28 07:43:59.123  1234  1240 D d3d     : 00000000: 12 00 01 00 00 00 00 41 00 ff ff 42\n"},
    {"ESP-IDF",
     "I (328) dump: 0x3ffb4e20   12 00 01 00 00 00 00 41  00 ff ff 42  |.......A...B|\n"},
    {"GitHub Actions",
     "2026-11-28T07:43:59.1234567Z 00000000  12 00 01 00 00 00 00 41  00 ff ff 42  |.......A...B|\n"},
    {"docker compose", "driver-1  | 00000000: 12 00 01 00 00 00 00 41 00 ff ff 42\n"},
    {"Bochs", "00000012345i[DEV  ] 00000000: 12 00 01 00 00 00 00 41 00 ff ff 42\n"},
    {"Wine channel with its thread",
     "0024:trace:d3d:dump 00000000: 12 00 01 00 00 00 00 41 00 ff ff 42\n"},
    {"Windows event trace",
     "[0]0A3C.0B40::11/28/2026-07:43:59.123 [d3d]00000000: 12 00 01 00 00 00 00 41 00 ff ff 42\n"},
    {"IDA", ".data:00401000  12 00 01 00 00 00 00 41 00 FF FF 42  .......A...B\n"},
    {"U-Boot md.l", "80000000: 00010012 41000000 42ffff00    .......A...B\n"},
    {"U-Boot md.b", "80000000: 12 00 01 00 00 00 00 41 00 ff ff 42    .......A...B\n"},
    {"gdb x/xw", "0xc0000000:\t0x00010012\t0x41000000\t0x42ffff00\n"},
    {"gdb x/xb",
     "0xc0000000 <buffer>:\t0x12\t0x00\t0x01\t0x00\t0x00\t0x00\t0x00\t0x41\n0xc0000008 <buffer+8>:\t0x00\t0xff\t0xff\t0x42\n"},
    {"gdb x/dw", "0xc0000000:\t65554\t1090519040\t1124073216\n", true},
    {"gdb x/db", "0xc0000000:\t18\t10\t11\t10\n", true},
    {"gdb with its prompt",
     "(gdb) x/3xw 0xc0000000\n0xc0000000:\t0x00010012\t0x41000000\t0x42ffff00\n"},
    {"QEMU x", "00000000c0000000: 0x00010012 0x41000000 0x42ffff00\n"},
    {"lldb", "0xc0000000: 12 00 01 00 00 00 00 41 00 ff ff 42  .......A...B\n"},
    {"xxd", "00000000: 1200 0100 0000 0041 00ff ff42            .......A...B\n"},
    {"xxd -e", "00000000: 00010012 41000000 42ffff00           .......A...B\n"},
    {"xxd -g4", "00000000: 12000100 00000041 00ffff42           .......A...B\n"},
    {"xxd -e without letters", "00000000: 00010012 01000000           ........\n", true},
    {"xxd -p", "120001000000004100ffff42\n"},
    {"xxd -p of six bytes and more lines", "120001000000004100ff\nff42\n"},
    {"only eight digits", "00010012\n", true},
    {"xxd -i",
     "unsigned char x[] = {\n  0x12, 0x00, 0x01, 0x00, 0x00, 0x00, 0x00, 0x41, 0x00, 0xff, 0xff, 0x42\n};\nunsigned int x_len = 12;\n"},
    {"braces", "{ 0x12, 0x00, 0x01, 0x00, 0x00, 0x00, 0x00, 0x41, 0x00, 0xff, 0xff, 0x42 };\n"},
    {"an array of words", "0x00010012u, 0x41000000u, 0x42ffff00u\n"},
    {"decimal array", "{ 18, 0, 1, 0, 0, 0, 0, 65, 0, 255, 255, 66 };\n", true},
    {"Visual Studio, bytes", "0x0012FF40  12 00 01 00 00 00 00 41 00 ff ff 42  .......A...B\n"},
    {"Visual Studio, words", "0x0012FF40  00010012 41000000 42ffff00\n"},
    {"WinDbg db", "0012ff40  12 00 01 00 00 00 00 41-00 ff ff 42              .......A...B\n"},
    {"WinDbg dd after its prompt", "0: kd> dd 12ff40 L3\n0012ff40  00010012 41000000 42ffff00\n"},
    {"WinDbg dyb", "          76543210 76543210\n0012ff40  00010010 01000001\n", true},
    {"DEBUG", "0B3C:0100  12 00 01 00 00 00 00 41-00 FF FF 42   .......A...B\n"},
    {"Wireshark", "0000  12 00 01 00 00 00 00 41  00 ff ff 42               .......A ...B\n"},
    {"tcpdump -X", "\t0x0000:  1200 0100 0000 0041 00ff ff42            .......A...B\n"},
    {"PowerShell Format-Hex",
     "           00 01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F\n00000000   12 00 01 00 00 00 00 41 00 FF FF 42              .......A...B\n"},
    {"x64dbg", "0012FF40  12 00 01 00|00 00 00 41|00 FF FF 42|  .......A...B\n"},
    {"od -t x1, octal offsets", "0000000 12 00 01 00 00 00 00 41\n0000010 00 ff ff 42\n0000014\n"},
    {"od, octal words", "0000000 000022 000001 000000 040400 177400 041377\n0000014\n", true},
    {"hexdump -x", "0000000    0012    0001    0000    4100    ff00    42ff\n000000c\n"},
    {"od -t x1z",
     "000000 12 00 01 00 00 00 00 41 00 ff ff 42              >.......A...B<\n00000c\n"},
    {"with a byte order mark",
     "\xEF\xBB\xBF"
     "12 00 01 00 00 00 00 41 00 ff ff 42\n"},
    {"Intel HEX", ":0C000000120001000000004100FFFF4260\n", true},
    {"thread and address in front of dd",
     "00001a2c 0012ff40  00010012 41000000\n00001a2c 0012ff48  42ffff00\n"},
    {"comments of a shell", "# 00000000: 12 00 01 00 00 00 00 41\n# 00000008: 00 ff ff 42\n"},
    {"a status line between addresses",
     "0012ff40  12 00 01 00 00 00 00 41\nd3d: Flip called\n0012ff48  00 ff ff 42\n"},
    {"a status line between bytes without addresses",
     "12 00 01 00 00 00 00 41\nd3d: Flip called\n00 ff ff 42\n", true},
    {"a status line where a line is missing",
     "0012ff40  12 00 01 00\nd3d: Flip called\n0012ff48  00 ff ff 42\n", true},
    {"a status line at the end",
     "0012ff40  12 00 01 00 00 00 00 41\n0012ff48  00 ff ff 42\nd3d: Flip called\n", true},
    {"own words", "my driver says 12 00 01 00 00 00 00 41\nmy driver says 00 ff ff 42\n"},
    {"own words that count", "zork-9~ 12 00 01 00 00 00 00 41\nzork-10~ 00 ff ff 42\n"},
    {"own words and an address", "-> 0012ff40  12 00 01 00 00 00 00 41 00 ff ff 42\n"},
    {"own words and a number that may be a byte",
     "GL 12 12 00 01 00 00 00 00 41\nGL 12 00 ff ff 42\n", true},
    {"own words and a number that counts", "GL 12 12 00 01 00 00 00 00 41\nGL 13 00 ff ff 42\n",
     true},
    {"own words in one line without address", "zork~ 12 00 01 00 00 00 00 41 00 ff ff 42\n", true},
    {"brackets around a line of bytes", "12 00 01 00\n[00 00 00 41]\n00 ff ff 42\n", true},
    {"angles around a line of bytes", "12 00 01 00\n<00 00 00 41>\n00 ff ff 42\n", true},
    {"colons in a line of bytes", "12 00 01 00\n00:00:00:41\n00 ff ff 42\n", true},
    {"three bytes as a time", "12 00 01 00\n00:00:00\n00 ff ff 42\n", true},
    {"bytes that a name has", "data=120001000000004100ffff42;\n", true},
    {"a list of Python", "[0x12, 0x00, 0x01, 0x00]\n", true},
    {"bytes of Python", "bytes.fromhex('120001000000004100ffff42')\n", true},
    {"gdb/MI", "^done,memory=[{begin=\"0x12ff40\",contents=\"120001000000004100ffff42\"}]\n", true},
    {"base64 of white", "//////////////////8=\n", true},
    {"words of Python", "12000100 00000041 00ffff42\n", true},
    {"words of Python that are fewer in front", "1200 01000000 004100ff\n", true},
    {"* without addresses", "12 00 01 00\n*\n00 ff ff 42\n", true},
    {"* before a line that is none", "0012ff40  12 00\n*\nzork\n0012ff46  00 ff ff 42\n", true},
    {"od whose base is open", "0000000 00 00 00 00\n*\n0000020\n", true},
    {"characters with a sign", "12 00 01 00 00 00 00 41 00 ffffffff ffffffff 42\n", true},
    {"characters with a sign at the start", "ffffff80 12 00 01\n", true},
    {"characters with a sign and 0x", "0x12, 0x00, 0xffffff80\n", true},
    {"a word that is cut", "0012ff40  00010012 41000000\n0012ff48  42ff\n", true},
    {"DWORD[]", "DWORD vb[] = { 0x10012, 0x41000000, 1124073216 };\n"},
    {"WORD[] in lines", "WORD vb[] = {\n0x12, 1, 0, /* x */ 0x4100, // y\n65280, 0x42ffUL\n};\n"},
    {"BYTE[] of rows", "BYTE vb[2][6] = {\n{18, 0, 1, 0, 0, 0},\n{0, 65, 0, 255, 255, 66}\n};\n"},
    {"octal numbers in an array", "BYTE vb[] = { 0x12, 010 };\n", true},
    {"a number too large for its array", "BYTE vb[] = { 0x12, 256 };\n", true},
    {"numbers with a sign in an array", "char vb[] = { 18, -1 };\n", true},
    {"an address in a comment of an array",
     "BYTE vb[] = {\n/* http://x */ 0x12, 0,\n1, 0, 0, 0, 0, 0x41, 0, 255, 255, 66 };\n"},
    {"a comment of several lines in an array",
     "BYTE vb[] = {\n0x12, 0, 1, 0, /* 7,\n 8 } 9 */ 0, 0, 0, 0x41, 0, 255, 255, 66 };\n"},
    {"a comment in an array that does not end", "BYTE vb[] = { 0x12 /* 7 };\n", true},
    {"comments in front of bytes and between them",
     "/* 0 */ 12 00 01 00 /* 41 42 */ 00 00 00 41\n/* 8 */ 00 ff ff 42;\n"},
    {"comments after own words",
     "my driver says 12 00 01 00 00 00 00 41 // x 1.0\nmy driver says 00 ff ff 42 # w\n"},
    {"comments after half a byte", "12 00 1 // 41 42\n00 ff f // 43 44\n", true},
    {"comments that a log has words in, after half a byte", "12 00 1 // pos: 41 42\n", true},
    {"words after bytes", "12 00 pos 41 42\n13 01 pos 43 44\n", true},
    {"places in an array that are left out", "BYTE vb[] = { [0] = 18, [2] = 1 };\n", true},
    {"long[]", "long vb[] = { 0x10012, 0x41 };\n", true},
    {"text after braces", "{ 0x12 } 0x00\n", true},
    {"a number in braces before bytes", "{12} 00 01\n", true},
    {"a number of the line before bytes", "    10\t12 00 01 00\n    11\t00 00 00 41\n", true},
    {"a number of one line before bytes", "    10\t12 00 01 00\n", true},
    {"a number that the characters leave out", "10 41 42 43  ABC\n", true},
    {"a comment that is no dump among some", "# 12 00 01 00\n# zork\n", true},
    {"characters of other bytes", "0012ff40  12 00 01 00 00 00 00 41-00 ff ff 42  .......Z...Q\n",
     true},
};

}  // namespace

TEST_CASE("Dialects: read right, or refused") {
  CHECK(std::size(kDialects) >= 60);
  for (const Dialect& dialect : kDialects) {
    CAPTURE(dialect.name);
    CHECK(Read(dialect.text) == (dialect.is_refused ? "refused" : kBytes));
  }
}

TEST_CASE("Dialects: characters that look like a comment are characters") {
  CHECK(Read("00000000: 2f2f 4142 2321            //AB#!\n") == "2f2f41422321");
  CHECK(Read("00000000: 412f 2f42            A//B  // the first\n") == "412f2f42");
  CHECK(Read("00000000: 412f 2f42  // none\n") == "refused");
  CHECK(Read("00000000: 0001 4142  // ;\n") == "refused");
}

TEST_CASE("Dialects: UTF-16 of either byte order") {
  for (const bool is_big : {false, true}) {
    std::string text = is_big ? "\xFE\xFF" : "\xFF\xFE";
    for (const char c : std::string_view("12 00 01 00 00 00 00 41 00 ff ff 42\r\n")) {
      if (is_big) text += '\0';
      text += c;
      if (!is_big) text += '\0';
    }
    CHECK(Read(text) == kBytes);
  }
}

TEST_CASE("DumpText: words after a prefix are in the order that characters said of another dump") {
  import::DumpText dump;
  const auto read = [&](std::string_view line) {
    dump.Add(line, 1);
    const Result<std::vector<uint8_t>> bytes = dump.Finish();
    return bytes.ok() ? ToHex(*bytes) : "refused";
  };
  constexpr std::string_view kOpen = "[   12.3] 00000000: 1200 0100            ....";
  CHECK(read(kOpen) == "refused");
  CHECK(read("[   12.3] 00000000: 4100 0100            A...") == "41000100");
  CHECK(read(kOpen) == "12000100");
  CHECK(read("[   12.3] 00000000: 0041 0100            A...") == "41000001");
  CHECK(read(kOpen) == "refused");
}

TEST_CASE("Dialects: a line that is missing is not a prefix") {
  CHECK(Read("0012ff40: 01 02\n0012ff44: 03 04\n") == "refused");
  CHECK(Read("VB: 0012ff40: 01 02\nVB: 0012ff44: 03 04\n") == "refused");
}
