// One line of a hex dump: its offset, its groups of digits, its column of characters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dp2trace::import {

// Digits; longer groups are bytes in order.
inline constexpr size_t kLongestDumpNumber = 16;

// The bytes of groups of more than two digits, read either way.
struct GroupBytes {
  std::vector<uint8_t> in_order;
  std::vector<uint8_t> swapped;  // little-endian numbers
};

struct DumpLine {
  uint64_t number = 0;  // in the text, from 1
  std::string
      offset;  // digits of a certain offset: "OFFSET:", an address, or other digits than the data; empty: none
  bool has_colon = false;
  // The first group has the width of the others: its digits are in `first`.
  bool may_be_offset = false;
  bool has_gap = false;        // after the first group stand two blanks
  bool is_repeat = false;      // `*`
  bool is_prefixed = false;    // something was in front of it that is not a dump
  bool is_number = false;      // "0x" says that its groups are numbers
  bool is_alone = false;       // one group without offset
  bool is_counted = false;     // 00 01 02 ...: a heading
  size_t width = 0;            // digits of the widest group
  bool fits_in_order = false;  // the column of characters is that of the bytes, read this way
  bool fits_swapped = false;
  bool has_column = false;
  std::string first;
  GroupBytes first_bytes;
  GroupBytes bytes;  // without that group
};

// Fills in the line. Empty, or what is wrong with it: "is not a line of a hex dump".
std::string ParseDumpLine(std::string_view text, bool follows_offset, DumpLine& line);

}  // namespace dp2trace::import
