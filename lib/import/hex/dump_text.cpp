#include "import/hex/dump_text.h"

#include <algorithm>
#include <string>

#include "import/hex/log_text.h"

namespace dp2trace::import {
namespace {

std::string_view FirstWord(std::string_view text) {
  return text.substr(0, std::min(text.find_first_of(" \t:"), text.size()));
}

bool IsNumberOfLine(std::string_view word) {
  return !word.empty() && word.size() < 10 &&
         std::ranges::all_of(word, [](char c) { return c >= '0' && c <= '9'; });
}

// Not the same in all lines, and no number that counts up.
bool AreBytes(const std::vector<std::string_view>& words) {
  const bool are_same =
      std::ranges::all_of(words, [&](std::string_view word) { return word == words.front(); });
  const bool are_numbers = std::ranges::all_of(words, IsNumberOfLine);
  const bool counts_up =
      are_numbers && std::ranges::is_sorted(words, {}, [](std::string_view word) {
        return std::stoul(std::string(word));
      });
  return !are_same && !counts_up;
}

}  // namespace

void DumpText::Keep(std::vector<Line>& lines, std::string_view text, uint64_t number) {
  const uint64_t size = 3 * sizeof(Line);  // the vector has two places for a while as it grows
  if (!allowance_->Take(size)) return;
  held_ += size;
  lines.push_back({text, number});
}

Status DumpText::TakeArray(std::string_view line, uint64_t number, bool is_cut) {
  std::string numbers;
  const std::string wrong = array_.Read(line, numbers);
  Status taken = wrong.empty() ? OkStatus() : RefuseDumpLine(number, line, wrong);
  if (taken.ok() && !numbers.empty()) taken = lines_.Add(numbers, number, is_cut);
  if (!taken.ok() && !broken_) broken_ = taken;
  return taken;
}

Status DumpText::Take(std::string_view line, uint64_t number, bool is_cut) {
  if (array_.is_open()) return TakeArray(line, number, is_cut);
  Status taken = lines_.Add(line, number, is_cut);
  if (taken.ok()) return taken;
  const std::string_view bare = WithoutLogPrefix(line);
  const bool is_bare_cut = is_cut || bare.size() != line.size();
  if (CArray::Begins(bare)) return TakeArray(bare, number, is_bare_cut);
  if (IsLengthOfArray(bare)) return OkStatus();
  const std::string_view numbers = WithoutSemicolon(bare);
  if (numbers.size() != line.size() && lines_.Add(numbers, number, is_bare_cut).ok())
    return OkStatus();
  if (lines_.EndsWithRepeat() && !broken_) broken_ = taken;
  return taken;
}

bool DumpText::Add(std::string_view line, uint64_t number, bool is_cut) {
  const bool is_first = lines_.empty();
  Status added = Take(line, number, is_cut);
  Keep(all_, line, number);
  is_stray_last_ = !added.ok();
  if (added.ok()) return true;
  is_stray_first_ = is_stray_first_ || is_first;
  if (!stray_) stray_ = std::move(added);
  return false;
}

void DumpText::AddComment(std::string_view line, uint64_t number) {
  line.remove_prefix(line.find('#') + 1);
  Keep(comments_, line, number);
}

bool DumpText::TakeWithout(std::string_view prefix) {
  lines_.Clear();
  return std::ranges::all_of(all_, [&](const Line& line) {
    const std::string_view text = SkipBlanks(line.text);
    const size_t size = MatchPrefix(prefix, text);
    return size != std::string_view::npos && allowance_->Spend(4 * text.size()) &&
           lines_.Add(text.substr(size), line.number, true).ok();
  });
}

bool DumpText::IsWholePrefix(std::string_view prefix) const {
  if (lines_.HasOffsets() || lines_.HasColumn()) return true;
  std::vector<std::string_view> words;
  for (const Line& line : all_) {
    const std::string_view text = SkipBlanks(line.text);
    words.push_back(FirstWord(SkipBlanks(text.substr(MatchPrefix(prefix, text)))));
  }
  return words.size() > 1 && AreBytes(words);
}

Result<std::vector<uint8_t>> DumpText::SettleComments() {
  size_t count = 0;
  for (const Line& line : comments_)
    count += lines_.Add(line.text, line.number, true).ok() ? 1U : 0U;
  if (count == 0) return std::vector<uint8_t>();
  if (count == comments_.size()) return lines_.Finish();
  return RefuseDumpLine(comments_.front().number, comments_.front().text,
                        "and other comments may be a dump: take away the # in front of it");
}

Result<std::vector<uint8_t>> DumpText::Settle() {
  if (broken_) return *broken_;
  if (array_.is_in_comment()) {
    return RefuseDumpLine(all_.back().number, all_.back().text,
                          "ends the dump, and a comment in braces has no end");
  }
  if (!stray_ && lines_.empty()) {
    return all_.empty() ? SettleComments()
                        : RefuseDumpLine(all_.front().number, all_.front().text,
                                         "and what follows it has no bytes");
  }
  if (!stray_) return lines_.Finish();
  if (!is_stray_first_ && !is_stray_last_ && lines_.HasOffsets()) {
    Result<std::vector<uint8_t>> bytes = lines_.Finish();
    if (bytes.ok()) return bytes;
  }
  const std::string_view first = SkipBlanks(all_.empty() ? "" : all_.front().text);
  for (const size_t end : PrefixEnds(first)) {
    const std::string_view prefix = first.substr(0, end);
    if (!TakeWithout(prefix)) continue;
    if (IsWholePrefix(prefix)) return lines_.Finish();
    break;
  }
  return *stray_;
}

Result<std::vector<uint8_t>> DumpText::Finish() {
  Result<std::vector<uint8_t>> bytes = Settle();
  lines_.Clear();
  all_.clear();
  comments_.clear();
  array_ = {};
  broken_.reset();
  stray_.reset();
  is_stray_first_ = is_stray_last_ = false;
  allowance_->Give(std::exchange(held_, 0));
  return bytes;
}

}  // namespace dp2trace::import
