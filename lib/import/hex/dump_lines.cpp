#include "import/hex/dump_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "import/hex/comments.h"
#include "rules/rule.h"

namespace dp2trace::import {
namespace {

constexpr uint64_t kMaxRepeat = uint64_t{1} << 24;  // bytes that `*` may stand for
constexpr size_t kWordOfXxd = 4;                    // digits
constexpr std::string_view kMayBeAddress =
    "the first number may be an address or data: put OFFSET: in front of the line, or commas between "
    "the numbers";

// Nothing where the digits are no number of this base.
std::optional<uint64_t> ToNumber(std::string_view digits, int base) {
  uint64_t value = 0;
  const char* const end = digits.data() + digits.size();
  const auto result = std::from_chars(digits.data(), end, value, base);
  return result.ec == std::errc() && result.ptr == end ? std::optional(value) : std::nullopt;
}
uint64_t ToNumber(std::string_view digits) {
  return ToNumber(digits, 16).value_or(0);
}

Status Refuse(uint64_t line, std::string message) {
  Diagnostic finding = MakeDiagnostic(Rule::kHex001, std::move(message));
  finding.line = line;
  return Status(std::move(finding));
}

std::string Shortened(std::string_view text) {
  constexpr size_t kShown = 40;
  while (!text.empty() && (text.back() == '\r' || text.back() == ' '))
    text.remove_suffix(1);
  return text.size() <= kShown ? std::string(text) : std::string(text.substr(0, kShown)) + "...";
}

}  // namespace

Status RefuseDumpLine(uint64_t number, std::string_view line, std::string_view wrong) {
  return Refuse(number, fmt::format("\"{}\" {}", Shortened(line), wrong));
}

Status DumpLines::Add(std::string_view text, uint64_t number, bool is_prefixed) {
  Line start;
  start.number = number;
  start.is_prefixed = is_prefixed;
  Line line = start;
  const bool follows_offset =
      !lines_.empty() && (lines_.back().is_repeat || !lines_.back().offset.empty());
  // A column of characters may look like a comment: the whole line comes first.
  std::string wrong = ParseDumpLine(text, follows_offset, line);
  if (!wrong.empty()) {
    std::string wrong_comment;
    const std::string bare = WithoutDumpComments(text, wrong_comment);
    if (!wrong_comment.empty()) {
      wrong = std::move(wrong_comment);
    } else if (bare.size() != text.size()) {
      line = start;
      wrong = ParseDumpLine(bare, follows_offset, line);
    }
  }
  if (!wrong.empty()) return RefuseDumpLine(number, text, wrong);
  if (line.is_repeat && lines_.empty())
    return Refuse(number, "'*' repeats the line before, and there is none");
  return Keep(std::move(line));
}

Status DumpLines::Hold(uint64_t line, uint64_t size) {
  if (!allowance_->Take(size)) return Refuse(line, allowance_->Reason());
  held_ += size;
  return OkStatus();
}

Status DumpLines::Keep(Line line) {
  // Three times: the vector of lines has two places for a while as it grows.
  DP2TRACE_RETURN_IF_ERROR(
      Hold(line.number, 3 * sizeof line + 4 * (line.bytes.in_order.size() + kLongestDumpNumber)));
  lines_.push_back(std::move(line));
  return OkStatus();
}

bool DumpLines::FirstGroupsAreShown() const {
  return std::ranges::any_of(lines_, [](const Line& line) {
    return line.may_be_offset && line.whole_fit.any() && !line.fit.any();
  });
}

bool DumpLines::FirstGroupsAreLeftOut() const {
  return std::ranges::any_of(lines_, [](const Line& line) {
    return line.may_be_offset && line.fit.any() && !line.whole_fit.any();
  });
}

// First groups as wide as the data: offsets where other lines have some, where each is the one before plus the bytes of that line, or, in a dump
// of one line, where more blanks follow than elsewhere (as WinDbg prints them) or the characters leave it out.
bool DumpLines::FirstGroupsAreOffsets() const {
  if (FirstGroupsAreShown()) return false;
  const auto is_certain = [](const Line& line) { return !line.offset.empty(); };
  if (std::ranges::any_of(lines_, is_certain)) return true;
  const Line* before = nullptr;
  for (const Line& line : lines_) {
    if (line.is_repeat || line.is_counted) continue;
    if (!line.may_be_offset) return false;
    if (before != nullptr &&
        ToNumber(line.first) != ToNumber(before->first) + before->bytes.in_order.size())
      return false;
    before = &line;
  }
  return before != nullptr &&
         (lines_.size() > 1 || lines_.front().has_gap || FirstGroupsAreLeftOut());
}

// A number that all lines begin with, such as a thread, and an address after it, each as wide as the data.
bool DumpLines::SecondGroupsAreOffsets() const {
  const Line* before = nullptr;
  uint64_t next = 0;
  for (const Line& line : lines_) {
    if (line.is_repeat || line.is_counted) continue;
    const size_t size = line.first.size() / 2;
    if (!line.may_be_offset || line.bytes.in_order.size() <= size || size > sizeof(uint64_t))
      return false;
    uint64_t second = 0;
    for (size_t i = 0; i < size; ++i)
      second = second << 8 | line.bytes.in_order[i];
    if (before != nullptr && (line.first != before->first || second != next)) return false;
    next = second + line.bytes.in_order.size() - size;
    before = &line;
  }
  return before != nullptr && before != &lines_.front();
}

bool DumpLines::HasOffsets() const {
  return FirstGroupsAreOffsets() || SecondGroupsAreOffsets();
}

bool DumpLines::HasColumn() const {
  return std::ranges::any_of(lines_, &Line::has_column);
}

Status DumpLines::SettleOffsets() {
  if (lines_.size() == 1 && lines_.front().may_be_uneven)
    return Refuse(lines_.front().number, std::string(kMayBeAddress));
  const bool is_second = !FirstGroupsAreOffsets() && SecondGroupsAreOffsets();
  if (is_second) {
    for (Line& line : lines_) {
      const auto size = static_cast<ptrdiff_t>(line.first.size() / 2);
      line.first.clear();
      for (ptrdiff_t i = 0; i < size; ++i)
        line.first += fmt::format("{:02x}", line.bytes.in_order[static_cast<size_t>(i)]);
      for (const auto part : {&GroupBytes::in_order, &GroupBytes::swapped})
        (line.bytes.*part).erase((line.bytes.*part).begin(), (line.bytes.*part).begin() + size);
    }
  }
  if (is_second || FirstGroupsAreOffsets()) {
    for (Line& line : lines_) {
      if (line.may_be_offset) line.offset = line.first;
    }
  } else {
    const bool is_shown = FirstGroupsAreShown();
    for (Line& line : lines_) {
      if (!line.may_be_offset) continue;
      if (!is_shown || (line.has_column && !line.whole_fit.any()))
        return Refuse(line.number, std::string(kMayBeAddress));
      line.fit = line.whole_fit;
      for (const auto part : {&GroupBytes::in_order, &GroupBytes::swapped}) {
        const std::vector<uint8_t>& first = line.first_bytes.*part;
        (line.bytes.*part).insert((line.bytes.*part).begin(), first.begin(), first.end());
      }
    }
  }
  const auto has_offset = [](const Line& line) { return !line.offset.empty(); };
  if (std::ranges::none_of(lines_, has_offset)) return CheckFirstGroups();
  std::erase_if(lines_, [](const Line& line) { return line.is_counted; });
  for (const Line& line : lines_) {
    if (!line.is_repeat && !has_offset(line))
      return Refuse(line.number, "this line of the dump has no offset, others have one");
  }
  return OkStatus();
}

Status DumpLines::CheckFirstGroups() {
  bool counts = true;
  bool has_gap = true;
  const Line* before = nullptr;
  size_t count = 0;
  for (const Line& line : lines_) {
    if (line.is_repeat)
      return Refuse(line.number, "'*' needs an offset after it, which says how often");
    const bool has_more = line.is_tight || line.is_spread;
    const bool is_lead = has_more && !line.has_comma && !line.has_column;
    has_gap = has_gap && is_lead && line.has_gap;
    counts = counts && is_lead && line.width <= 2;
    if (before != nullptr && counts) {
      // Numbers of lines grow by one, offsets from 0 by the bytes of a line.
      const auto grows_by = [&](uint64_t step, int base) {
        const std::optional<uint64_t> last = ToNumber(before->first, base);
        return last && ToNumber(line.first, base) == *last + step;
      };
      const uint64_t size = before->bytes.in_order.size() - 1;
      const bool starts = ToNumber(lines_.front().first, 16) == 0u;
      counts = grows_by(1, 10) || grows_by(1, 16) ||
               (starts && (grows_by(size, 10) || grows_by(size, 16)));
    }
    before = &line;
    ++count;
  }
  if (has_gap || (counts && count > 1)) {
    return Refuse(lines_.front().number,
                  "the first number may count lines or bytes: put a colon after it if it is an "
                  "offset, or --prefix takes it away");
  }
  return OkStatus();
}

Status DumpLines::CheckNumbers() {
  const Line* number = nullptr;  // the first with "0x"
  const Line* plain = nullptr;   // the first without
  bool may_be_decimal = true;
  bool is_list = false;
  for (const Line& line : lines_) {
    if (line.width == 0) continue;
    const Line*& first = line.is_number ? number : plain;
    if (first == nullptr) first = &line;
    may_be_decimal =
        may_be_decimal && line.width <= 2 && !line.has_letter && (line.has_comma || !line.is_tight);
    is_list = is_list || line.has_comma || line.is_spread;
    if (number == nullptr) continue;
    if (plain != nullptr) return Refuse(line.number, "some numbers have 0x and others do not");
    const size_t width = number->width;
    if ((width != 2 && !IsWidthOfNumber(width)) || line.width != width ||
        line.least_width != width) {
      return Refuse(line.number,
                    "numbers with 0x need all their digits, as 0x00 or 0x00000012, or braces after "
                    "a type such as BYTE or DWORD");
    }
  }
  if (plain != nullptr && may_be_decimal && is_list)
    return Refuse(plain->number, "may be decimal numbers: dump in hexadecimal, with 0x");
  return OkStatus();
}

Result<bool> DumpLines::AreInOrder() {
  const Line* wide = nullptr;  // the first line whose bytes depend on it
  bool fits_in_order = false;
  bool fits_swapped = false;
  bool is_long = false;
  for (const Line& line : lines_) {
    is_long = is_long || line.width > kLongestDumpNumber;
    if (line.is_number || line.bytes.in_order == line.bytes.swapped) continue;
    if (wide == nullptr) wide = &line;
    fits_in_order = fits_in_order || (line.fit.in_order && !line.fit.swapped);
    fits_swapped = fits_swapped || (line.fit.swapped && !line.fit.in_order);
  }
  if (wide == nullptr) return false;
  if (fits_in_order && fits_swapped)
    return Refuse(wide->number, "the characters of the dump contradict each other");
  const bool is_word = wide->width == kWordOfXxd && wide->has_colon;
  if (fits_in_order || fits_swapped) {
    if (is_word) words_are_in_order_ = fits_in_order;
    return fits_in_order;
  }
  if (wide->is_alone) {
    if (is_long || !IsWidthOfNumber(wide->width)) return true;
    return Refuse(wide->number,
                  "these digits may be bytes in order or a number: part the bytes by blanks, or "
                  "write 0x in front of numbers");
  }
  if (wide->offset.empty()) {
    return Refuse(wide->number,
                  "groups of more than two digits may be bytes in order or numbers: part the bytes "
                  "by blanks, or write 0x in front of numbers");
  }
  if (!wide->has_colon) return false;
  if (is_word && wide->has_column && words_are_in_order_) return true;
  return Refuse(wide->number,
                "groups of more than two digits after OFFSET: are bytes in order (xxd) or numbers "
                "(xxd -e, U-Boot, print_hex_dump), and no characters say which: dump single bytes "
                "(xxd -g1, md.b)");
}

Result<std::vector<uint8_t>> DumpLines::Finish() {
  Status status = SettleOffsets();
  if (status.ok()) status = CheckNumbers();
  Result<std::vector<uint8_t>> bytes = std::vector<uint8_t>();
  if (status.ok()) {
    const Result<bool> in_order = AreInOrder();
    if (!in_order.ok()) status = in_order.status();
    if (status.ok()) bytes = JoinOfAnyBase(*in_order);
  }
  Clear();
  if (!status.ok()) return status;
  return bytes;
}

void DumpLines::Clear() {
  lines_.clear();
  allowance_->Give(std::exchange(held_, 0));
}

// od counts in octal, or in decimal, unless it is told otherwise.
Result<std::vector<uint8_t>> DumpLines::JoinOfAnyBase(bool is_in_order) {
  constexpr size_t kDigitsOfOd = 7;
  repeats_too_much_ = false;
  Result<std::vector<uint8_t>> bytes = Join(is_in_order, 16);
  if (lines_.empty() || lines_.back().offset.empty() || repeats_too_much_) return bytes;
  const Line& last = lines_.back();
  if (bytes.ok() && !last.has_colon && last.offset.size() > kDigitsOfOd) return bytes;
  for (const int base : {8, 10}) {
    Result<std::vector<uint8_t>> other = Join(is_in_order, base);
    if (!other.ok()) continue;
    if (bytes.ok() && *bytes != *other) {
      return Refuse(last.number,
                    "the offsets may be octal, decimal or hexadecimal (dump with od -A x -v or "
                    "hexdump -v)");
    }
    bytes = std::move(other);
  }
  return bytes;
}

Result<std::vector<uint8_t>> DumpLines::Join(bool is_in_order, int base) {
  std::vector<uint8_t> out;
  std::optional<uint64_t> start;  // offset of the first byte
  const Line* repeated = nullptr;
  const Line* before = nullptr;
  for (const Line& line : lines_) {
    if (line.is_repeat) {
      repeated = before;
      continue;
    }
    const std::vector<uint8_t>& bytes = is_in_order ? line.bytes.in_order : line.bytes.swapped;
    const bool is_other =
        before != nullptr && !bytes.empty() && !line.is_alone && line.width != before->width;
    if (!is_in_order && !line.has_colon && (line.is_short || is_other))
      return Refuse(line.number, "a number has fewer digits than the others: is the line cut?");
    const std::optional<uint64_t> offset =
        line.offset.empty() ? std::nullopt : ToNumber(line.offset, base);
    if (!line.offset.empty() && !offset) return Refuse(line.number, "the offset is not a number");
    if (offset && !start && out.empty()) start = offset;
    if (offset && start) {
      const uint64_t place = *offset - *start;
      const uint64_t missing = place - out.size();
      const std::vector<uint8_t>* const again =
          repeated == nullptr ? nullptr
                              : &(is_in_order ? repeated->bytes.in_order : repeated->bytes.swapped);
      if (again != nullptr && !again->empty() && place > out.size()) {
        repeats_too_much_ = true;  // until it has been granted
        if (missing > kMaxRepeat)
          return Refuse(line.number, fmt::format("'*' stands for {} bytes, {} are allowed", missing,
                                                 kMaxRepeat));
        // Three times: the bytes have two places for a while as they grow.
        DP2TRACE_RETURN_IF_ERROR(Hold(line.number, 3 * missing));
        if (!allowance_->Spend(4 * missing)) return Refuse(line.number, allowance_->Reason());
        repeats_too_much_ = false;
        for (uint64_t i = 0; i < missing; ++i)
          out.push_back((*again)[i % again->size()]);
      }
      // The last word is filled up with zeros: the offset at the end says where the data ends.
      const bool is_end = &line == &lines_.back() && bytes.empty() && before != nullptr;
      if (is_end && place < out.size() && out.size() - place < before->width / 2 &&
          std::all_of(out.begin() + static_cast<ptrdiff_t>(place), out.end(),
                      [](uint8_t byte) { return byte == 0; }))
        out.resize(place);
      if (place != out.size()) {
        return Refuse(line.number,
                      fmt::format("the offset is {:#x}, expected {:#x}: lines are missing or "
                                  "duplicated",
                                  *offset, *start + out.size()));
      }
    }
    out.insert(out.end(), bytes.begin(), bytes.end());
    repeated = nullptr;
    before = &line;
  }
  if (repeated != nullptr)
    return Refuse(lines_.back().number, "'*' needs an offset after it, which says how often");
  return out;
}

}  // namespace dp2trace::import
