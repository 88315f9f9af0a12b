#include "import/hex/dump_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>

#include "rules/rule.h"

namespace dp2trace::import {
namespace {

constexpr size_t kLongestNumber = 16;               // digits; longer groups are bytes in order
constexpr size_t kLeastOffset = 4;                  // digits
constexpr size_t kHalfLine = 8;                     // bytes, behind which `hexdump -C` leaves a gap
constexpr size_t kMostPadding = 8;                  // bytes: less than a number
constexpr uint64_t kMaxRepeat = uint64_t{1} << 24;  // bytes that `*` may stand for

bool IsHex(char c) {
  return std::isxdigit(static_cast<unsigned char>(c)) != 0;
}
bool IsBlank(char c) {
  return c == ' ' || c == '\t';
}

uint64_t ToNumber(std::string_view digits) {
  uint64_t value = 0;
  for (const char c : digits) {
    if (!IsHex(c)) continue;  // the ` of a 64-bit address
    const int digit = c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10;
    value = value << 4 | static_cast<uint64_t>(digit);
  }
  return value;
}

Status Refuse(uint64_t line, std::string message) {
  Diagnostic finding = MakeDiagnostic(Rule::kHex001, std::move(message));
  finding.line = line;
  return Status(std::move(finding));
}

std::string Shortened(std::string_view text) {
  constexpr size_t kShown = 40;
  return text.size() <= kShown ? std::string(text) : std::string(text.substr(0, kShown)) + "...";
}

}  // namespace

// The groups up to the column of characters. False where something else stands there.
bool DumpLines::ReadGroups(std::string_view text, std::vector<Group>& groups, Line& line) {
  const bool has_bar = text.find('|') != std::string_view::npos;
  const size_t least = line.offset ? 0 : 1;  // groups in front of the data
  size_t at = 0;
  size_t digits = 0;  // of the data so far
  while (at < text.size()) {
    size_t gap = 0;  // blanks
    for (; at < text.size() && (IsBlank(text[at]) || text[at] == ','); ++at)
      gap += IsBlank(text[at]) ? 1U : 0U;
    if (at == text.size() || text[at] == '|') return true;
    const bool is_half = has_bar && digits == 2 * kHalfLine;
    if (gap >= 2 && groups.size() == 1) line.has_gap = true;
    if (gap >= 2 && groups.size() > least && !is_half) return true;  // the characters follow
    if (text[at] == '-' && !groups.empty()) ++at;                    // the middle of a line of `db`
    Group group;
    if (text.substr(at).starts_with("0x") || text.substr(at).starts_with("0X")) {
      group.has_prefix = true;
      at += 2;
    }
    const size_t begin = at;
    while (at < text.size() && (IsHex(text[at]) || text[at] == '`'))
      ++at;
    group.digits = text.substr(begin, at - begin);
    const bool ends = at == text.size() || IsBlank(text[at]) || text[at] == ',' || text[at] == '-';
    const bool is_other_width =
        groups.size() > 1 && group.digits.size() > groups.back().digits.size();
    if (group.digits.empty() || !ends || is_other_width)
      return groups.size() > least;  // one blank before the characters
    groups.push_back(group);
    if (groups.size() > 1 || line.offset) digits += group.digits.size();
  }
  return true;
}

bool DumpLines::AppendBytes(const Group& group, bool is_in_order, std::vector<uint8_t>& out) {
  std::string digits;
  std::ranges::copy_if(group.digits, std::back_inserter(digits), IsHex);
  if (digits.size() % 2 != 0) {
    if (!group.has_prefix) return false;
    digits.insert(digits.begin(), '0');
  }
  const size_t count = digits.size() / 2;
  const bool is_number = !is_in_order && count > 1 && digits.size() <= kLongestNumber;
  for (size_t i = 0; i < count; ++i) {
    const size_t byte = is_number ? count - 1 - i : i;
    out.push_back(static_cast<uint8_t>(ToNumber(std::string_view(digits).substr(2 * byte, 2))));
  }
  return true;
}

Status DumpLines::Add(std::string_view text, uint64_t number) {
  const std::string shown = Shortened(text);
  while (!text.empty() && IsBlank(text.front()))
    text.remove_prefix(1);
  while (!text.empty() && (IsBlank(text.back()) || text.back() == '\r'))
    text.remove_suffix(1);
  Line line;
  line.number = number;
  if (text == "*") {
    if (lines_.empty()) return Refuse(number, "'*' repeats the line before, and there is none");
    line.is_repeat = true;
    lines_.push_back(std::move(line));
    return OkStatus();
  }
  const size_t colon = text.find(':');
  const auto is_offset_part = [](char c) { return IsHex(c) || c == '`' || c == 'x'; };
  const bool has_colon = colon != std::string_view::npos && colon != 0 &&
                         std::ranges::all_of(text.substr(0, colon), is_offset_part);
  if (has_colon) {
    std::string_view offset = text.substr(0, colon);
    if (offset.starts_with("0x")) offset.remove_prefix(2);
    line.offset = ToNumber(offset);
    text.remove_prefix(colon + 1);
    while (!text.empty() && IsBlank(text.front()))
      text.remove_prefix(1);
  }
  std::vector<Group> groups;
  if (!ReadGroups(text, groups, line) || (groups.empty() && !line.offset))
    return Refuse(number, fmt::format("\"{}\" is no line of a hex dump", shown));
  size_t first_data = 0;
  if (!line.offset && !groups.front().has_prefix && groups.front().digits.size() >= kLeastOffset &&
      groups.front().digits.size() <= kLongestNumber + 1) {
    const bool stands_alone = groups.size() == 1;
    const bool is_address = groups.front().digits.find('`') != std::string_view::npos &&
                            (stands_alone || groups[1].digits.find('`') == std::string_view::npos);
    const bool is_wider = !stands_alone && groups.front().digits.size() != groups[1].digits.size();
    const bool is_end = stands_alone && !lines_.empty() && lines_.back().offset;
    if (is_address || is_wider || is_end) {
      line.offset = ToNumber(groups.front().digits);
      first_data = 1;
    } else if (!stands_alone) {
      line.may_be_offset = true;
      line.first = groups.front().digits;
      first_data = 1;
      if (!AppendBytes(groups.front(), false, line.first_bytes)) {
        return Refuse(number,
                      fmt::format("\"{}\" has an odd number of digits", groups.front().digits));
      }
    }
  }
  for (size_t i = first_data; i < groups.size(); ++i) {
    if (!AppendBytes(groups[i], has_colon, line.bytes))
      return Refuse(number, fmt::format("\"{}\" has an odd number of digits", groups[i].digits));
  }
  lines_.push_back(std::move(line));
  return OkStatus();
}

// First groups as wide as the data: offsets where each is the one before plus the bytes of that line, or, in a dump of one line, where two
// blanks follow (as WinDbg prints them).
bool DumpLines::FirstGroupsAreOffsets() const {
  const Line* before = nullptr;
  for (const Line& line : lines_) {
    if (line.is_repeat) continue;
    if (!line.may_be_offset) return false;
    if (before != nullptr && ToNumber(line.first) != ToNumber(before->first) + before->bytes.size())
      return false;
    before = &line;
  }
  return lines_.size() > 1 || (!lines_.empty() && lines_.front().has_gap);
}

Result<std::vector<uint8_t>> DumpLines::Finish() {
  if (FirstGroupsAreOffsets()) {
    for (Line& line : lines_)
      line.offset = ToNumber(line.first);
  } else {
    for (Line& line : lines_)
      line.bytes.insert(line.bytes.begin(), line.first_bytes.begin(), line.first_bytes.end());
  }
  std::vector<uint8_t> out;
  std::optional<uint64_t> base;  // offset of the first byte
  const Line* repeated = nullptr;
  const Line* before = nullptr;
  for (const Line& line : lines_) {
    if (line.is_repeat) {
      repeated = before;
      continue;
    }
    if (line.offset && !base && out.empty()) base = line.offset;
    if (line.offset && base) {
      const uint64_t place = *line.offset - *base;
      const uint64_t missing = place - out.size();
      if (repeated != nullptr && !repeated->bytes.empty() && missing <= kMaxRepeat) {
        for (uint64_t i = 0; i < missing; ++i)
          out.push_back(repeated->bytes[i % repeated->bytes.size()]);
      }
      // Words whose last one is not all data: the offset at the end says where they end.
      const bool is_end = &line == &lines_.back() && line.bytes.empty();
      if (is_end && place < out.size() && out.size() - place < kMostPadding) out.resize(place);
      if (place != out.size()) {
        return Refuse(line.number,
                      fmt::format("the offset is {:#x}, {:#x} is expected: lines are missing or "
                                  "stand twice",
                                  *line.offset, *base + out.size()));
      }
    }
    out.insert(out.end(), line.bytes.begin(), line.bytes.end());
    repeated = nullptr;
    before = &line;
  }
  if (repeated != nullptr)
    return Refuse(lines_.back().number, "'*' needs an offset behind it, which says how often");
  lines_.clear();
  return out;
}

}  // namespace dp2trace::import
