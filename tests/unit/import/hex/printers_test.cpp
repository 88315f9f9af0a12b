// What tools print of many byte strings is read as those bytes, or refused.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "import/hex/dump_text.h"
#include "import/hex/log_text.h"
#include "support/random.h"

using namespace dp2trace;  // NOLINT(google-build-using-namespace): test file

namespace {

using Buffer = std::vector<uint8_t>;

std::string ReadPrinted(std::string_view text) {
  import::DumpText dump;
  for (uint64_t number = 1; !text.empty(); ++number) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    if (!import::IsTypedCommand(line)) dump.Add(line, number);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  const Result<Buffer> bytes = dump.Finish();
  return bytes.ok() ? ToHex(*bytes) : "refused";
}

struct Sample {
  std::string_view name;
  Buffer bytes;
  bool has_open_order =
      false;  // no letters in it say in which order words of two or four bytes are
};

Buffer Ramp(size_t size, uint8_t first = 0, uint8_t step = 1) {
  Buffer bytes(size);
  for (size_t i = 0; i < size; ++i)
    bytes[i] = static_cast<uint8_t>(first + i * step);
  return bytes;
}

Buffer Noise(size_t size, uint32_t seed, uint8_t least = 0) {
  testing::Random random(seed);
  Buffer bytes(size);
  for (uint8_t& byte : bytes)
    byte = static_cast<uint8_t>(least + random.Below(256U - least));
  return bytes;
}

// Sizes are multiples of 4, for words.
std::vector<Sample> Samples() {
  const std::string_view text = "Hello DP2 stream, this is text! , x, -y, |z| *> 0123 41 42 FACE ";
  Buffer zeros_inside = Ramp(16);
  zeros_inside.resize(80);
  const Buffer tail = Ramp(16, 1);
  zeros_inside.insert(zeros_inside.end(), tail.begin(), tail.end());
  return {{"call", {0x12, 0, 1, 0, 0, 0, 0, 0x41, 0, 0xff, 0xff, 0x42}},
          {"call without characters", {0x12, 0, 1, 0, 0, 0, 0, 0}, true},
          {"zeros", Buffer(64)},
          {"zeros inside", zeros_inside, true},
          {"white", Buffer(64, 0xff)},
          {"a row of white", Buffer(16, 0xff)},
          {"white and less", Buffer(20, 0xff)},
          {"bright", Noise(64, 1, 0x80), true},
          {"a row of bright", Ramp(16, 0x80), true},
          {"text", Buffer(text.begin(), text.end())},
          {"ramp", Ramp(256)},
          {"tens", Ramp(48, 0x10)},
          {"small", {10, 20, 30, 40, 50, 60, 70, 80, 90, 12, 34, 56}},
          {"same", Buffer(32, 0x20)},
          {"not printable", {1, 2, 3, 0x80, 0x81, 5, 6, 7, 1, 2, 3, 0x80, 0x81, 5, 6, 7}, true},
          {"noise", Noise(64, 2)},
          {"a row of noise", Noise(16, 3)},
          {"four bytes of noise", Noise(4, 4)},
          {"more noise", Noise(300, 5)}};
}

enum Reads : uint8_t {
  kMayBeRefused,
  kReadsAll,
  kReadsLetters,  // what the characters show the order of words in, or what is the same in either
};

// How a tool prints: the parts of a line and what stands around them.
struct Printer {
  std::string_view name;
  size_t row = 16;                       // bytes
  size_t word = 1;                       // bytes of a number
  std::string_view offset = "{:08x}: ";  // in front of a row; {} is the offset
  std::string_view format = "{:0{}x}";   // of a number and its digits
  std::string_view between = " ";
  std::string_view column = "";  // in front of the characters; empty: none
  std::string_view begin = "";
  std::string_view end = "";
  bool is_in_order = false;
  uint64_t start = 0;
  Reads reads = kMayBeRefused;
};

std::string Print(const Printer& printer, const Buffer& bytes, std::string_view comment) {
  std::string out(printer.begin);
  for (size_t at = 0; at < bytes.size(); at += printer.row) {
    const size_t size = std::min(printer.row, bytes.size() - at);
    const uint64_t offset = printer.start + at;
    const uint64_t row = 10 + at / printer.row;
    out += fmt::format(fmt::runtime(printer.offset), offset, row);
    std::string line;
    for (size_t i = 0; i < size; i += printer.word) {
      uint64_t value = 0;
      for (size_t k = 0; k < printer.word; ++k) {
        const size_t place = printer.is_in_order ? k : printer.word - 1 - k;
        value = value << 8 | bytes[at + i + place];
      }
      if (i != 0) line += printer.between;
      line += fmt::format(fmt::runtime(printer.format), value, 2 * printer.word);
    }
    if (!printer.column.empty()) {
      line.resize(std::max(line.size(), printer.row / printer.word *
                                                (2 * printer.word + printer.between.size()) -
                                            printer.between.size()),
                  ' ');
      line += printer.column;
      for (size_t i = 0; i < size; ++i)
        line +=
            bytes[at + i] >= 0x20 && bytes[at + i] < 0x7f ? static_cast<char>(bytes[at + i]) : '.';
      if (printer.column.ends_with("|")) line += '|';
    }
    out += line;
    out += comment;
    out += '\n';
  }
  return out + fmt::format(fmt::runtime(printer.end), printer.start + bytes.size());
}

constexpr uint64_t kAddress = 0x12ff40;

constexpr Printer kPrinters[] = {
    {.name = "xxd -g1", .column = "  ", .reads = kReadsAll},
    {.name = "xxd", .word = 2, .column = "  ", .is_in_order = true, .reads = kReadsLetters},
    {.name = "xxd -g4", .word = 4, .column = "  ", .is_in_order = true, .reads = kReadsLetters},
    {.name = "xxd -e", .word = 4, .column = "  ", .reads = kReadsLetters},
    {.name = "xxd -e -g2", .word = 2, .column = "  ", .reads = kReadsLetters},
    {.name = "xxd -p", .row = 30, .offset = "", .between = ""},
    {.name = "hexdump -C",
     .offset = "{:08x}  ",
     .column = "  |",
     .end = "{:08x}\n",
     .reads = kReadsAll},
    {.name = "hexdump", .word = 2, .offset = "{:07x} ", .end = "{:07x}\n", .reads = kReadsAll},
    {.name = "hexdump -x",
     .word = 2,
     .offset = "{:07x}    ",
     .between = "    ",
     .end = "{:07x}\n",
     .reads = kReadsAll},
    {.name = "od -tx1", .offset = "{:07o} ", .end = "{:07o}\n", .reads = kReadsAll},
    {.name = "od -tx4", .word = 4, .offset = "{:07o} ", .end = "{:07o}\n", .reads = kReadsAll},
    {.name = "od -Ad -tx1", .offset = "{:07} ", .end = "{:07}\n", .reads = kReadsAll},
    {.name = "od -Ad -tx4", .word = 4, .offset = "{:07} ", .end = "{:07}\n"},
    {.name = "od -Ax -tx1", .offset = "{:06x} ", .end = "{:06x}\n", .reads = kReadsAll},
    {.name = "od -An -tx2", .word = 2, .offset = " "},
    {.name = "od -An -tx4", .word = 4, .offset = " "},
    {.name = "od -tu1", .offset = "{:07o} ", .format = "{:3}", .end = "{:07o}\n"},
    {.name = "od -An -tu1", .offset = " ", .format = "{:3}"},
    {.name = "gdb x/xb",
     .row = 8,
     .offset = "{:#x}:\t",
     .format = "{:#04x}",
     .between = "\t",
     .start = kAddress,
     .reads = kReadsAll},
    {.name = "gdb x/xh",
     .word = 2,
     .offset = "{:#x} <buf>:\t",
     .format = "{:#06x}",
     .between = "\t",
     .start = kAddress,
     .reads = kReadsAll},
    {.name = "gdb x/xw",
     .word = 4,
     .offset = "{:#x}:\t",
     .format = "{:#010x}",
     .between = "\t",
     .start = kAddress,
     .reads = kReadsAll},
    {.name = "gdb x/xw and a prompt",
     .word = 4,
     .offset = "{:#x}:\t",
     .format = "{:#010x}",
     .between = "\t",
     .begin = "(gdb) x/4xw buf\n",
     .end = "(gdb) \n",
     .start = kAddress,
     .reads = kReadsAll},
    {.name = "gdb x/ub",
     .row = 8,
     .offset = "{:#x}:\t",
     .format = "{}",
     .between = "\t",
     .start = kAddress},
    {.name = "gdb p/x",
     .row = 12,
     .offset = "",
     .format = "{:#x}",
     .between = ", ",
     .begin = "$1 = {"},
    {.name = "gdb p/x of words",
     .word = 4,
     .offset = "",
     .format = "{:#x}",
     .between = ", ",
     .begin = "$1 = {"},
    {.name = "QEMU xp /xw",
     .word = 4,
     .offset = "{:016x}: ",
     .format = "{:#010x}",
     .start = kAddress,
     .reads = kReadsAll},
    {.name = "QEMU, decimal", .row = 8, .offset = "{:016x}: ", .format = "{:3}", .start = kAddress},
    {.name = "WinDbg db",
     .offset = "{:08x}  ",
     .column = "  ",
     .start = kAddress,
     .reads = kReadsAll},
    {.name = "WinDbg db and its prompt",
     .offset = "{:08x}  ",
     .column = "  ",
     .begin = "0:000> db buf\n",
     .end = "0:000> \n",
     .start = kAddress,
     .reads = kReadsAll},
    {.name = "WinDbg db and the prompt of a kernel",
     .offset = "{:08x}  ",
     .column = "  ",
     .end = "0: kd>",
     .start = kAddress,
     .reads = kReadsAll},
    {.name = "WinDbg dw", .word = 2, .offset = "{:08x}  ", .start = kAddress, .reads = kReadsAll},
    {.name = "WinDbg dd", .word = 4, .offset = "{:08x}  ", .start = kAddress, .reads = kReadsAll},
    {.name = "WinDbg dc",
     .word = 4,
     .offset = "{:08x}  ",
     .column = "  ",
     .start = kAddress,
     .reads = kReadsAll},
    {.name = "WinDbg dp",
     .row = 4,
     .word = 4,
     .offset = "{:08x}  ",
     .start = kAddress,
     .reads = kReadsAll},
    {.name = "Visual Studio",
     .offset = "0x{:08X}  ",
     .format = "{:02X}",
     .column = "  ",
     .start = kAddress,
     .reads = kReadsAll},
    {.name = "Visual Studio, words",
     .word = 4,
     .offset = "0x{:08X}  ",
     .column = "  ",
     .start = kAddress,
     .reads = kReadsAll},
    {.name = "DEBUG",
     .offset = "1234:{:04X}  ",
     .format = "{:02X}",
     .column = "   ",
     .start = 0x100,
     .reads = kReadsAll},
    {.name = "Wireshark", .offset = "{:04x}   ", .column = "   ", .reads = kReadsAll},
    {.name = "tcpdump -x", .word = 2, .offset = "\t0x{:04x}:  ", .is_in_order = true},
    {.name = "tcpdump -X",
     .word = 2,
     .offset = "\t0x{:04x}:  ",
     .column = "  ",
     .is_in_order = true,
     .reads = kReadsLetters},
    {.name = "U-Boot md.b", .column = "    ", .start = kAddress, .reads = kReadsAll},
    {.name = "U-Boot md.w", .word = 2, .column = "    ", .start = kAddress, .reads = kReadsLetters},
    {.name = "U-Boot md.l", .word = 4, .column = "    ", .start = kAddress, .reads = kReadsLetters},
    {.name = "U-Boot md.w after a prefix",
     .word = 2,
     .offset = "[    1.5] {:08x}: ",
     .column = "    ",
     .start = kAddress,
     .reads = kReadsLetters},
    {.name = "print_hex_dump",
     .offset = "[   12.345678] buf: {:08x}: ",
     .column = "  ",
     .reads = kReadsAll},
    {.name = "printk %*ph", .row = 64, .offset = "<7>[    1.0] vb "},
    {.name = "printk %*phC", .row = 64, .offset = "<7>[    1.0] vb: ", .between = ":"},
    {.name = "parted by colons", .offset = "", .between = ":"},
    {.name = "parted by dashes", .offset = "", .between = "-", .reads = kReadsAll},
    {.name = "DebugView",
     .offset = "00000012\t3.14159265\t[1234] {:08x}  ",
     .column = "  ",
     .reads = kReadsAll},
    {.name = "radare pxw",
     .word = 4,
     .offset = "{:#010x}  ",
     .format = "0x{:08x}",
     .column = "  ",
     .start = kAddress,
     .reads = kReadsAll},
    {.name = "radare pxW",
     .row = 4,
     .word = 4,
     .offset = "{:#010x} ",
     .format = "0x{:08x}",
     .start = kAddress},
    {.name = "printf of a pointer and words",
     .row = 8,
     .word = 4,
     .offset = "0x{:08x} ",
     .format = "0x{:08x}",
     .start = kAddress},
    {.name = "words with 0x in lines", .word = 4, .offset = "", .format = "0x{:08x}"},
    {.name = "words in lines", .word = 4, .offset = ""},
    {.name = "words in lines and characters", .word = 4, .offset = "", .column = "  "},
    {.name = "short words in lines", .word = 2, .offset = ""},
    {.name = "bytes.hex(' ', 4)", .row = 4096, .word = 4, .offset = "", .is_in_order = true},
    {.name = "bytes.hex(' ', 2)", .row = 4096, .word = 2, .offset = "", .is_in_order = true},
    {.name = "a list of Python", .row = 4096, .offset = "[", .format = "{}", .between = ", "},
    {.name = "a list of Rust", .offset = "[", .format = "{:#04x}", .between = ", ", .end = "]\n"},
    {.name = "bytes.fromhex", .row = 4096, .offset = "bytes.fromhex('", .between = ""},
    {.name = "bytes", .offset = "", .reads = kReadsAll},
    {.name = "bytes and characters", .offset = "", .column = "  ", .reads = kReadsAll},
    {.name = "a byte in each line", .row = 1, .offset = "", .reads = kReadsAll},
    {.name = "bytes between commas",
     .offset = "",
     .format = "0x{:02x}",
     .between = ", ",
     .reads = kReadsAll},
    {.name = "bytes without their zeros", .offset = "", .format = "{:#x}", .between = ", "},
    {.name = "decimal bytes", .offset = "", .format = "{}", .between = ", "},
    {.name = "decimal bytes in columns", .offset = "", .format = "{:3}", .between = ", "},
    {.name = "BYTE[]",
     .row = 8,
     .offset = "  ",
     .format = "0x{:02X},",
     .begin = "static const BYTE vb[] = {\n",
     .end = "}};\n",
     .reads = kReadsAll},
    {.name = "BYTE[], decimal",
     .row = 4096,
     .offset = "",
     .format = "{}",
     .between = ", ",
     .begin = "unsigned char buf[] = { ",
     .end = "}};\n",
     .reads = kReadsAll},
    {.name = "BYTE[] and comments",
     .row = 8,
     .offset = "/* {:04x} */ ",
     .format = "{:#x},",
     .begin = "BYTE vb[] = {\n",
     .end = "}};\n",
     .reads = kReadsAll},
    {.name = "WORD[]",
     .word = 2,
     .offset = "",
     .format = "{:#x}, ",
     .begin = "WORD vb[] = {\n",
     .end = "}};\n",
     .reads = kReadsAll},
    {.name = "DWORD[]",
     .word = 4,
     .offset = "",
     .format = "{:#x}, ",
     .begin = "DWORD vb[] = {\n",
     .end = "}};\n",
     .reads = kReadsAll},
    {.name = "an array of what is not known",
     .word = 4,
     .offset = "",
     .format = "{:#x}, ",
     .begin = "{\n",
     .end = "}};\n"},
    {.name = "xxd -i",
     .row = 12,
     .offset = "  ",
     .format = "0x{:02x}",
     .between = ", ",
     .begin = "unsigned char x[] = {\n",
     .end = "}};\nunsigned int x_len = 12;\n"},
    {.name = "lldb, a variable",
     .row = 1,
     .offset = "  [{}] = ",
     .format = "0x{:02x}",
     .begin = "(unsigned char [12]) buf = {\n",
     .end = "}}\n",
     .reads = kReadsAll},
    {.name = "a thread in front of words", .word = 4, .offset = "00000a3c "},
    {.name = "a thread far in front of words", .word = 4, .offset = "00000a3c  "},
    {.name = "numbers of lines in front of words", .word = 4, .offset = "{1:08x} "},
    {.name = "a thread in front of bytes", .offset = "0a3c "},
    {.name = "cat -n of xxd -g1", .offset = "{1:6}\t{0:08x}: ", .column = "  "},
};

}  // namespace

// What people write after a line.
struct Comment {
  std::string_view text;
  bool is_sure = false;              // nothing else than a comment
  bool is_sure_after_bytes = false;  // where neither characters nor braces are
};
constexpr Comment kComments[] = {{"", true, true},
                                 {"  // vertex 0: x 41 42", true, true},
                                 {" // 41 42", true, true},
                                 {"\t//", true, true},
                                 {" /* 0x10: 00 01 */", true, true},
                                 {" ; w = 1.0", false, true},
                                 {" # be careful", false, true},
                                 {"  #", false, true},
                                 {" # 41 42"},
                                 {" ; 01 ; 02"},
                                 {" ' 41 42"},
                                 {"  -- 00 01"},
                                 {" /* 41 42"}};

TEST_CASE("Printers: what is printed is read as it was, or refused") {
  size_t count = 0;
  for (const Printer& printer : kPrinters) {
    for (const Sample& sample : Samples()) {
      for (const Comment& comment : kComments) {
        const std::string printed = Print(printer, sample.bytes, comment.text);
        CAPTURE(printer.name);
        CAPTURE(sample.name);
        CAPTURE(printed);
        const std::string read = ReadPrinted(printed);
        const bool is_read = printer.reads == kReadsAll ||
                             (printer.reads == kReadsLetters && !sample.has_open_order);
        const bool are_bytes = printer.begin.empty() && printer.column.empty();
        const bool is_sure = are_bytes ? comment.is_sure_after_bytes : comment.is_sure;
        if ((is_read && is_sure) || read != "refused") CHECK(read == ToHex(sample.bytes));
        ++count;
      }
    }
  }
  CHECK(count > 1500 * std::size(kComments));
}
