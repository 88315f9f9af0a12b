// The lines of one dump in a log: what logs put in front of them, and other lines between them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/allowance.h"
#include "base/status.h"
#include "import/hex/c_array.h"
#include "import/hex/dump_lines.h"

namespace dp2trace::import {

class DumpText {
 public:
  // What the lines and their bytes take counts against it.
  explicit DumpText(std::shared_ptr<Allowance> allowance = std::make_shared<Allowance>())
      : allowance_(allowance), lines_(std::move(allowance)) {}

  // The next line, which lives until Finish(); `number` counts from 1. `is_cut`: something in front of it was taken away. False where it is none of
  // a dump by itself: Finish() says what becomes of it.
  bool Add(std::string_view line, uint64_t number, bool is_cut = false);
  // A line that begins with '#': a comment, unless all lines of the dump begin so.
  void AddComment(std::string_view line, uint64_t number);
  // The bytes; none where there was no line but comments. Another dump may begin. Fails (HEX-001) where the lines are none of one dump. Lines that are not of
  // it are passed over where offsets say that no byte is missing there; what stands in front of all lines alike is taken away.
  Result<std::vector<uint8_t>> Finish();

 private:
  struct Line {
    std::string_view text;
    uint64_t number = 0;
  };

  void Keep(std::vector<Line>& lines, std::string_view text, uint64_t number);
  Status Take(std::string_view line, uint64_t number, bool is_cut);
  Status TakeArray(std::string_view line, uint64_t number, bool is_cut);
  Result<std::vector<uint8_t>> Settle();
  Result<std::vector<uint8_t>> SettleComments();
  // Takes the lines without the prefix. False where one of them is none of a dump then.
  bool TakeWithout(std::string_view prefix);
  // What they begin with then are bytes, and no number that belongs to the prefix.
  bool IsWholePrefix(std::string_view prefix) const;

  std::shared_ptr<Allowance> allowance_;
  uint64_t held_ = 0;  // bytes that count against it
  DumpLines lines_;
  std::vector<Line> all_, comments_;
  CArray array_;
  std::optional<Status> broken_;  // what is wrong with the first line that cannot be passed over
  std::optional<Status> stray_;   // what is wrong with the first line that is none of a dump
  bool is_stray_first_ = false, is_stray_last_ = false;
};

}  // namespace dp2trace::import
