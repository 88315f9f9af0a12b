#include "import/hex/dump_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "base/words.h"
#include "import/hex/comments.h"

namespace dp2trace::import {
namespace {

constexpr size_t kLeastOffset = 4;   // digits
constexpr size_t kLeastHeading = 8;  // bytes

bool IsDumpDigit(char c) {
  return std::isxdigit(static_cast<unsigned char>(c)) != 0;
}
bool IsDumpBlank(char c) {
  return c == ' ' || c == '\t';
}
bool AreDumpDigits(std::string_view text) {
  return !text.empty() &&
         std::ranges::all_of(text, [](char c) { return IsDumpDigit(c) || c == '`'; });
}
std::string OnlyDigits(std::string_view text) {
  std::string digits;
  std::ranges::copy_if(text, std::back_inserter(digits), IsDumpDigit);
  return digits;
}
uint8_t ByteOf(std::string_view digits) {
  const auto nibble = [](char c) { return c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10; };
  return static_cast<uint8_t>(nibble(digits[0]) << 4 | nibble(digits[1]));
}
std::string_view TrimDumpLine(std::string_view text) {
  while (!text.empty() && (IsDumpBlank(text.front()) || text.front() == '\r'))
    text.remove_prefix(1);
  while (!text.empty() && (IsDumpBlank(text.back()) || text.back() == '\r'))
    text.remove_suffix(1);
  return text;
}

// A group of hexadecimal digits.
struct DumpGroup {
  std::string digits;
  bool has_prefix = false;  // "0x"
  bool has_comma = false;   // after it
  size_t gap = 0;           // blanks in front of it
};

bool AppendBytes(const DumpGroup& group, GroupBytes& out) {
  std::string digits = group.digits;
  if (digits.size() % 2 != 0) {
    if (!group.has_prefix) return false;
    digits.insert(digits.begin(), '0');
  }
  const size_t count = digits.size() / 2;
  const bool is_number = digits.size() <= kLongestDumpNumber;
  for (size_t i = 0; i < count; ++i) {
    const size_t place = is_number ? count - 1 - i : i;
    out.swapped.push_back(ByteOf(std::string_view(digits).substr(2 * place, 2)));
    out.in_order.push_back(group.has_prefix ? out.swapped.back()
                                            : ByteOf(std::string_view(digits).substr(2 * i, 2)));
  }
  return true;
}

// Characters, of which all that are not ASCII count as one each.
std::string Characters(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) out += c;
    if (byte >= 0xC0) out += '.';
  }
  return out;
}

// The column shows the bytes, or the first of them: printable ones as they are, the others as something else than letters, digits and what
// begins a comment.
bool ShowsBytes(std::string_view column, const std::vector<uint8_t>& bytes) {
  if (column.size() > bytes.size()) return false;
  for (size_t i = 0; i < column.size(); ++i) {
    const bool is_printable = bytes[i] >= 0x20 && bytes[i] < 0x7F;
    if (is_printable && static_cast<uint8_t>(column[i]) != bytes[i]) return false;
    const bool is_other = std::isalnum(static_cast<unsigned char>(column[i])) == 0 &&
                          !BeginsComment(column.substr(i));
    if (!is_printable && !is_other) return false;
  }
  return true;
}

// Blanks in front may be characters, and one in the middle may part two halves.
bool FitsColumn(std::string_view column, size_t gap, const std::vector<uint8_t>& bytes) {
  for (size_t blanks = 0; blanks < std::max<size_t>(gap, 2) - 1; ++blanks) {
    const std::string whole = std::string(blanks, ' ') + std::string(column);
    if (ShowsBytes(whole, bytes)) return true;
    std::string halves = whole;
    if (halves.size() > 8 && halves[8] == ' ' && ShowsBytes(halves.erase(8, 1), bytes)) return true;
  }
  return false;
}

class DumpLineParser {
 public:
  DumpLineParser(std::string_view text, DumpLine& line) : text_(text), line_(&line) {}

  bool Read() {
    TakeOffset();
    while (at_ < text_.size()) {
      const size_t gap = TakeGap();
      if (at_ == text_.size()) break;
      const bool is_bar = text_[at_] == '|' || text_[at_] == '>' || text_[at_] == '*';
      if ((gap >= 2 || is_bar) && HasData() && TakeColumn(gap)) return true;
      if (is_bar) {
        ++at_;
        continue;
      }
      if (!TakeGroup(gap)) return HasData() && TakeColumn(gap);
    }
    return true;
  }
  const std::vector<DumpGroup>& groups() const { return groups_; }

 private:
  // "0xc0000000 <buffer+16>:", "0012ff40:", "0023:0012ff40 ".
  void TakeOffset() {
    const size_t open = text_.find('<');
    size_t colon = text_.find(':');
    std::string_view offset = TrimDumpLine(text_.substr(0, std::min({open, colon, text_.size()})));
    if (open < colon) {
      const size_t close = text_.find(">:", open);
      colon = close == std::string_view::npos ? close : close + 1;
    }
    if (offset.starts_with("0x") || offset.starts_with("0X")) offset.remove_prefix(2);
    if (colon == std::string_view::npos || !AreDumpDigits(offset)) return;
    const size_t end = std::min(text_.find_first_of(" \t", colon), text_.size());
    const std::string_view behind = text_.substr(colon + 1, end - colon - 1);
    const bool is_segment =
        offset.size() == 4 && behind.size() >= 4 && AreDumpDigits(behind) && end != text_.size();
    if (!behind.empty() && !is_segment) return;  // 12:00:01
    if (is_segment) offset = behind;
    line_->has_colon = !is_segment;
    at_ = end;
    line_->offset = OnlyDigits(offset);
  }

  // Blanks, a comma, and the dash in the middle of a line of `db`. After blanks either may begin a column.
  size_t TakeGap() {
    size_t gap = 0;
    if (at_ < text_.size() && !groups_.empty() && (text_[at_] == ',' || text_[at_] == '-')) {
      groups_.back().has_comma = text_[at_] == ',';
      ++at_;
    }
    for (; at_ < text_.size() && IsDumpBlank(text_[at_]); ++at_)
      gap += text_[at_] == '\t' ? 8U : 1U;
    return gap;
  }

  bool HasData() const { return groups_.size() > (line_->offset.empty() ? 1U : 0U); }

  bool TakeGroup(size_t gap) {
    DumpGroup group;
    group.gap = gap;
    size_t at = at_;
    if (text_.substr(at).starts_with("0x") || text_.substr(at).starts_with("0X")) {
      group.has_prefix = true;
      at += 2;
    }
    const size_t begin = at;
    while (at < text_.size() && (IsDumpDigit(text_[at]) || text_[at] == '`'))
      ++at;
    group.digits = OnlyDigits(text_.substr(begin, at - begin));
    if (group.has_prefix) {  // 0x41000000UL
      while (at < text_.size() && (text_[at] == 'u' || text_[at] == 'U' || text_[at] == 'L'))
        ++at;
    }
    const bool ends = at == text_.size() || IsDumpBlank(text_[at]) || text_[at] == ',' ||
                      text_[at] == '-' || text_[at] == '|';
    const bool is_wider = groups_.size() > 1 &&
                          group.digits.size() > groups_.back().digits.size() && !group.has_prefix;
    if (group.digits.empty() || !ends || is_wider) return false;
    groups_.push_back(std::move(group));
    has_tick_ = has_tick_ || text_.substr(begin, at - begin).find('`') != std::string_view::npos;
    at_ = at;
    return true;
  }

  // The rest as the characters of the groups before it.
  bool TakeColumn(size_t gap) {
    std::string column = Characters(text_.substr(at_));
    const bool may_be_comment = BeginsComment(column);
    for (const char bar : {'|', '*'}) {
      if (column.size() > 1 && column.front() == bar && column.back() == bar)
        column = column.substr(1, column.size() - 2);
    }
    if (column.size() > 1 && column.front() == '>' && column.back() == '<')
      column = column.substr(1, column.size() - 2);
    // The first group may be an offset.
    for (size_t first = 0; first < 2 && first < groups_.size(); ++first) {
      if (first == 1 && !line_->offset.empty()) break;
      GroupBytes bytes;
      bool is_whole = true;
      for (size_t i = first; i < groups_.size(); ++i)
        is_whole = AppendBytes(groups_[i], bytes) && is_whole;
      if (!is_whole || (may_be_comment && column.size() < bytes.in_order.size())) continue;
      ColumnFit& fit = first == 0 ? line_->whole_fit : line_->fit;
      fit.in_order = FitsColumn(column, gap, bytes.in_order);
      fit.swapped = FitsColumn(column, gap, bytes.swapped);
    }
    line_->has_column = line_->whole_fit.any() || line_->fit.any();
    return line_->has_column;
  }

  std::string_view text_;
  DumpLine* line_;
  size_t at_ = 0;
  bool has_tick_ = false;
  std::vector<DumpGroup> groups_;
};

bool IsHeading(const std::vector<DumpGroup>& groups) {
  size_t value = 0;
  return groups.size() >= kLeastHeading && std::ranges::all_of(groups, [&](const DumpGroup& group) {
           const std::string wide = fmt::format("{:02x}", value);
           const std::string lower = fmt::format("{:x}", value++);
           const std::string digits = InLowerCase(group.digits);
           return digits == wide || digits == lower;
         });
}

// Whether the first group is an address: 1 it is, 0 it is data, -1 it may be.
int JudgeFirst(const std::vector<DumpGroup>& groups, bool follows_offset) {
  const DumpGroup& first = groups.front();
  const bool stands_alone = groups.size() == 1;
  if (first.has_comma) return 0;
  if (!stands_alone && groups[1].has_comma) return 1;
  if (first.has_prefix && !stands_alone && !groups[1].has_prefix) return 1;
  if (first.digits.size() < kLeastOffset || first.digits.size() > kLongestDumpNumber) return 0;
  if (stands_alone) return follows_offset && !first.has_prefix ? 1 : 0;
  if (first.has_prefix) return -1;
  return groups[1].has_prefix || first.digits.size() != groups[1].digits.size() ? 1 : -1;
}

// "12000100 0000", "1200 01000000": an address and a word, or bytes of which one group has fewer.
bool MayBeUneven(const std::vector<DumpGroup>& groups) {
  const size_t first = groups.front().digits.size();
  if (groups.size() == 1 || first % 2 != 0 || groups[1].gap > 1) return false;
  if (groups[0].has_prefix || groups[1].has_prefix) return false;
  return groups[1].digits.size() > first || groups.size() == 2;
}

// "ffffff80" in front of single bytes, as %02x prints a char.
bool IsSignExtended(const std::vector<DumpGroup>& groups) {
  const std::string first = InLowerCase(groups.front().digits);
  return groups.size() > 1 && groups[1].digits.size() <= 2 && first.size() == 8 &&
         first.starts_with("ffffff") && first[6] >= '8';
}

void MeasureGaps(const std::vector<DumpGroup>& groups, size_t first_data, DumpLine& line) {
  const auto is_wide = [](const DumpGroup& group) { return group.gap >= 2; };
  if (groups.size() > 1) {
    size_t widest = 1;
    for (size_t i = 2; i < groups.size(); ++i)
      widest = std::max(widest, groups[i].gap);
    line.has_gap = groups[1].gap > widest;
  }
  if (groups.size() < first_data + 2) return;
  const auto second = groups.begin() + static_cast<ptrdiff_t>(first_data) + 1;
  line.is_spread = std::all_of(second, groups.end(), is_wide);
  line.is_tight = !line.is_spread;
}

}  // namespace

std::string ParseDumpLine(std::string_view text, bool follows_offset, DumpLine& line) {
  text = TrimDumpLine(text);
  if (text == "*") {
    line.is_repeat = true;
    return {};
  }
  DumpLineParser parser(text, line);
  const bool is_read = parser.Read();
  const std::vector<DumpGroup>& groups = parser.groups();
  if (!is_read || (groups.empty() && line.offset.empty()))
    return "is not a line of a hex dump (--prefix takes away what is in front of one)";
  line.is_counted = line.offset.empty() && IsHeading(groups);
  size_t first_data = 0;
  int weight = 0;
  if (line.offset.empty() && !groups.empty()) {
    weight = JudgeFirst(groups, follows_offset);
    first_data = weight == 0 ? 0 : 1;
    line.first = groups.front().digits;
    if (weight > 0 && IsSignExtended(groups))
      return fmt::format("has \"{}\", a character with a sign: dump single bytes", line.first);
    line.may_be_uneven = weight > 0 && !line.has_column && MayBeUneven(groups);
    if (weight > 0) line.offset = std::exchange(line.first, {});
    if (weight < 0) {
      if (groups.front().digits == "76543210") return "is a heading of bits (dyb): dump with db";
      line.may_be_offset = true;
      if (!AppendBytes(groups.front(), line.first_bytes)) return "has an odd number of digits";
    }
    line.is_alone = weight == 0 && groups.size() == 1 && !groups[0].has_prefix;
  }
  MeasureGaps(groups, first_data, line);
  if (weight == 0) line.fit = line.whole_fit;
  if (weight >= 0 && line.has_column && !line.fit.any()) {
    return "has characters that do not show its first group: if that is not data, --prefix takes "
           "it away";
  }
  for (size_t i = first_data; i < groups.size(); ++i) {
    const DumpGroup& group = groups[i];
    const size_t digits = group.digits.size();
    // Only the end of a line may be shorter.
    const bool is_end = i + 1 == groups.size();
    const size_t before = i == first_data ? digits : groups[i - 1].digits.size();
    const bool is_mixed =
        i > first_data && (group.has_prefix != groups[i - 1].has_prefix ||
                           (!group.has_prefix && (is_end ? digits > before : digits != before)));
    if (is_mixed) {
      return fmt::format(
          "has \"{}\" after \"{}\": if the first groups are not data, --prefix takes them away",
          group.digits, groups[i - 1].digits);
    }
    if (!AppendBytes(group, line.bytes))
      return fmt::format("has \"{}\", an odd number of digits", group.digits);
    if (group.digits == "76543210") return "is a heading of bits (dyb): dump with db";
    if (digits > 2 && digits < kLongestDumpNumber && !IsWidthOfNumber(digits) && !line.is_alone &&
        !group.has_prefix)
      return fmt::format(
          "has \"{}\": numbers have 2, 4, 8 or 16 digits (od prints octal ones "
          "unless told -t x1)",
          group.digits);
    line.is_short = line.is_short || digits < before;
    line.least_width = i == first_data ? digits : std::min(line.least_width, digits);
    line.width = std::max(line.width, digits);
    line.has_comma = line.has_comma || group.has_comma;
    line.has_letter = line.has_letter || group.has_prefix ||
                      group.digits.find_first_not_of("0123456789") != std::string::npos;
    line.is_number = line.is_number || group.has_prefix;
  }
  // gdb prints numbers after an address in decimal unless they have 0x.
  if (line.has_colon && text.starts_with("0x") && text.find('\t') != std::string_view::npos &&
      !line.is_number && !groups.empty())
    return "may be decimal numbers: dump with x/xb or x/xw";
  return {};
}

}  // namespace dp2trace::import
