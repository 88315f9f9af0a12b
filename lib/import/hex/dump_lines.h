// The bytes of hex dumps as debuggers and tools print them.
//
// xxd, hexdump, od, the memory commands of debuggers (WinDbg, gdb, lldb, QEMU, U-Boot, DEBUG), memory windows, C arrays, and plain digits;
// with or without offsets or addresses in front and characters after. What the bytes are follows from the whole dump: a column of
// characters must show them, offsets must continue. Where neither says whether groups of digits are bytes in order or little-endian
// numbers, and no tool prints only one of them so, the dump is refused.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/allowance.h"
#include "base/status.h"
#include "import/hex/dump_line.h"

namespace dp2trace::import {

// HEX-001: what is wrong with a line of the text.
Status RefuseDumpLine(uint64_t number, std::string_view line, std::string_view wrong);

// Collects the lines of one dump.
class DumpLines {
 public:
  // What the lines and their bytes take counts against it.
  explicit DumpLines(std::shared_ptr<Allowance> allowance = std::make_shared<Allowance>())
      : allowance_(std::move(allowance)) {}

  // `number` counts the lines of the text from 1. Fails (HEX-001) where the line is not a line of a dump.
  // `is_prefixed`: something stood in front of the text that was taken away.
  Status Add(std::string_view text, uint64_t number, bool is_prefixed = false);
  // The bytes of all lines. Fails (HEX-001) where offsets leave bytes out.
  Result<std::vector<uint8_t>> Finish();
  // Forgets the lines.
  void Clear();
  bool empty() const { return lines_.empty(); }
  // Offsets in front of the lines say whether one is missing.
  bool HasOffsets() const;
  // A column of characters shows the bytes of a line.
  bool HasColumn() const;
  // The last line is `*`: what follows it must not be missed.
  bool EndsWithRepeat() const { return !lines_.empty() && lines_.back().is_repeat; }

 private:
  using Line = DumpLine;
  bool FirstGroupsAreOffsets() const;
  bool SecondGroupsAreOffsets() const;
  // Groups of more than two digits are bytes in order, as all of the dump says. Fails where it does not say which.
  Result<bool> AreInOrder();
  // The characters of a line show its first group, or leave it out.
  bool FirstGroupsAreShown() const;
  bool FirstGroupsAreLeftOut() const;
  // Headings leave; fails where some lines have offsets and others have none.
  Status SettleOffsets();
  // Without offsets. Fails where the first groups may be numbers of lines.
  Status CheckFirstGroups();
  // Fails where the numbers may be decimal, or have been printed without leading zeros.
  Status CheckNumbers();
  // The bytes of all lines, whose offsets are numbers of this base.
  Result<std::vector<uint8_t>> Join(bool is_in_order, int base);
  // The same with the base that the offsets allow; fails where they allow several that differ.
  Result<std::vector<uint8_t>> JoinOfAnyBase(bool is_in_order);

  Status Keep(Line line);
  // Counts bytes of the dump that are not a line's own; fails where they are too many.
  Status Hold(uint64_t line, uint64_t size);

  std::shared_ptr<Allowance> allowance_;
  std::vector<Line> lines_;
  bool words_are_in_order_ =
      false;  // what characters said of the words of a dump before, after a prefix
  bool repeats_too_much_ = false;  // Join() failed as `*` stands for too many bytes
  uint64_t held_ = 0;              // bytes that count against the allowance
};

}  // namespace dp2trace::import
