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

constexpr bool IsWidthOfNumber(size_t digits) {
  return digits == 4 || digits == 8 || digits == kLongestDumpNumber;
}

// The bytes of groups of more than two digits, read either way.
struct GroupBytes {
  std::vector<uint8_t> in_order;
  std::vector<uint8_t> swapped;  // little-endian numbers
};

// How the characters of a line fit its bytes.
struct ColumnFit {
  bool in_order = false;
  bool swapped = false;
  bool any() const { return in_order || swapped; }
};

struct DumpLine {
  uint64_t number = 0;  // in the text, from 1
  std::string
      offset;  // digits of a certain offset: "OFFSET:", an address, or other digits than the data; empty: none
  bool has_colon = false;
  // The first group has the width of the others: its digits are in `first`.
  bool may_be_offset = false;
  bool may_be_uneven = false;  // its first group has another width, and may be data
  bool has_gap = false;        // more blanks follow the first group than the others
  bool is_repeat = false;      // `*`
  bool is_prefixed = false;    // something was in front of it that is not a dump
  bool is_number = false;      // "0x" says that its groups are numbers
  bool is_alone = false;       // one group without offset
  bool is_counted = false;     // 00 01 02 ...: a heading
  bool is_short = false;       // its last group has fewer digits than the others
  bool has_letter = false;     // one of a to f, or a number with "0x": not decimal
  bool has_comma = false;
  bool is_tight = false;   // one blank between groups
  bool is_spread = false;  // more between all
  size_t least_width = 0;  // digits of the narrowest group
  size_t width = 0;        // digits of the widest group
  bool has_column = false;
  ColumnFit fit;        // of the bytes without the group that may be an offset
  ColumnFit whole_fit;  // with it
  std::string first;    // digits of the first group, where that is no certain offset
  GroupBytes first_bytes;
  GroupBytes bytes;  // without that group
};

// Fills in the line. Empty, or what is wrong with it: "is not a line of a hex dump".
std::string ParseDumpLine(std::string_view text, bool follows_offset, DumpLine& line);

}  // namespace dp2trace::import
