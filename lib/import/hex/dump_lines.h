// The bytes of hex dumps as debuggers and tools print them.
//
// xxd and `hexdump -C`, `db`, `dw`, `dd` and `dq` of WinDbg, C arrays (0x11, 0x00), and plain hexadecimal digits; with or without offsets or
// addresses in front and characters behind. Groups of more than two digits are bytes in order behind "OFFSET:" (xxd) or where they have more
// than 16 digits, and little-endian numbers elsewhere. A line of `*` repeats the line before up to the next offset.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace dp2trace::import {

// Collects the lines of one dump.
class DumpLines {
 public:
  // `number` counts the lines of the text from 1. Fails (HEX-001) where the line is no line of a dump.
  Status Add(std::string_view text, uint64_t number);
  // The bytes of all lines. Fails (HEX-001) where offsets leave bytes out.
  Result<std::vector<uint8_t>> Finish();
  bool empty() const { return lines_.empty(); }

 private:
  // A group of hexadecimal digits.
  struct Group {
    std::string_view digits;
    bool has_prefix = false;  // "0x"
  };
  struct Line {
    uint64_t number = 0;
    std::optional<uint64_t>
        offset;                  // certain: "OFFSET:", an address, or other digits than the data
    bool may_be_offset = false;  // the first group has the width of the others
    bool has_gap = false;        // behind the first group stand two blanks
    bool is_repeat = false;      // `*`
    std::string first;           // digits of a first group that may be an offset
    std::vector<uint8_t> bytes;  // without that group
    std::vector<uint8_t> first_bytes;
  };
  static bool ReadGroups(std::string_view text, std::vector<Group>& groups, Line& line);
  static bool AppendBytes(const Group& group, bool is_in_order, std::vector<uint8_t>& out);
  bool FirstGroupsAreOffsets() const;

  std::vector<Line> lines_;
};

}  // namespace dp2trace::import
