#include "json/extent.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/plain_text.h"
#include "json/excerpt.h"
#include "json/tape.h"
#include "rules/rule.h"

namespace dp2trace::json {

namespace {

constexpr size_t kPieceSize = 256 << 10;
constexpr int kEndOfText = -1;

bool IsSpace(int c) {
  return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

// Follows braces, brackets and strings through a text.
class Nesting {
 public:
  // Scans until the first container is closed. Returns the number of bytes up to and including its end, or `size` where it stays open.
  size_t Scan(const char* text, size_t size) {
    for (size_t i = 0; i < size; ++i) {
      if (in_string_) {
        i = ScanString(text, size, i);
        continue;
      }
      switch (text[i]) {
        case '"':
          in_string_ = true;
          break;
        case '{':
        case '[':
          ++depth_;
          break;
        case '}':
        case ']':
          if (--depth_ == 0) return i + 1;
          break;
        default:
          break;
      }
    }
    return size;
  }
  bool closed() const { return depth_ == 0; }

 private:
  // From byte `i` inside a string to its closing quote, or to the last byte of the text.
  size_t ScanString(const char* text, size_t size, size_t i) {
    for (; i < size; ++i) {
      if (is_escaped_) {
        is_escaped_ = false;
      } else if (text[i] == '\\') {
        is_escaped_ = true;
      } else if (text[i] == '"') {
        in_string_ = false;
        return i;
      }
    }
    return size;
  }

  uint64_t depth_ = 0;
  bool in_string_ = false;
  bool is_escaped_ = false;
};

std::string Show(int c) {
  if (c >= 0x20 && c < 0x7F) return fmt::format("'{}'", static_cast<char>(c));
  return fmt::format("byte 0x{:02x}", c);
}

}  // namespace

void TextPosition::Advance(std::string_view text) {
  offset += text.size();
  line += static_cast<uint64_t>(std::count(text.begin(), text.end(), '\n'));
  if (const size_t end = text.rfind('\n'); end != std::string_view::npos) {
    column = 1;
    text.remove_prefix(end + 1);
  }
  // All bytes but those that go on with a character.
  column += static_cast<uint64_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

Result<bool> ElementScanner::Next(std::string_view& element) {
  lacks_comma_ = false;
  if (state_ == State::kEnd) return false;
  if (state_ == State::kStart) {
    Result<bool> begun = Begin();
    if (!begun.ok()) return begun;
    state_ = State::kFirst;
  }
  int next = SkipSpace();
  if (next == ']') return Finish();
  if (state_ == State::kNext) {
    if (next == kEndOfText) return Truncated();
    if (next == '{') {
      state_ = State::kFirst;
      lacks_comma_ = true;
    }
    if (next != ',') return Unexpected("',' or ']'");
    Advance(1);
    next = SkipSpace();
  }
  if (next == kEndOfText) return Truncated();
  state_ = State::kNext;
  return TakeElement(element);
}

Result<bool> ElementScanner::Begin() {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  while (end_ - begin_ < kByteOrderMark.size() && Fill()) {
  }
  if (std::string_view(buffer_.data() + begin_, end_ - begin_).starts_with(kByteOrderMark))
    Advance(3);
  const int next = SkipSpace();
  if (next == kEndOfText) return Truncated();
  if (next != '[') {
    return Status(
        Error(Rule::kJson003, "the text is not an array of events: it starts with " + Show(next)));
  }
  Advance(1);
  return true;
}

Result<bool> ElementScanner::TakeElement(std::string_view& element) {
  element_position_ = position_;
  const int next = Peek();
  if (next != '{') {
    if (std::strchr("[\"-0123456789tfn", next) == nullptr) return Unexpected("an event");
    return Status(
        Error(Rule::kJson003,
              fmt::format("an event is an object, this element starts with {}", Show(next))));
  }
  const Extent extent = FindEnd();
  if (!extent.is_closed) return NoEnd(extent.size);
  if (extent.size > limit_) return TooLarge();
  element = {buffer_.data() + begin_, extent.size};
  Advance(extent.size);
  return true;
}

Result<bool> ElementScanner::Finish() {
  Advance(1);
  state_ = State::kEnd;
  if (SkipSpace() != kEndOfText) return Unexpected("the end of the text");
  if (!source_status_.ok()) return source_status_;
  return false;
}

ElementScanner::Extent ElementScanner::FindEnd() {
  Nesting nesting;
  size_t scanned = 0;
  while (true) {
    scanned += nesting.Scan(buffer_.data() + begin_ + scanned, end_ - begin_ - scanned);
    if (nesting.closed()) return {scanned, true};
    if (scanned > limit_ || !Fill()) return {scanned, false};
  }
}

// The element has no end: the text is cut off, or the element is too large, or a brace or quote is missing further up.
Status ElementScanner::NoEnd(size_t size) {
  if (!source_status_.ok()) return source_status_;
  TapeError error;
  if (IsPrefixOfJson({buffer_.data() + begin_, size}, error))
    return at_end_ ? Truncated() : TooLarge();
  Advance(std::min(error.position, size));
  return Error(error.rule, error.message);
}

Status ElementScanner::TooLarge() const {
  return Error(Rule::kJson014,
               fmt::format("the text of the event is larger than {}, {}", Counted(limit_, "byte"),
                           limit_ < UINT32_MAX ? "the limit of --max-memory" : "a fixed limit"));
}

Status ElementScanner::Error(Rule rule, std::string message) const {
  Diagnostic diagnostic = MakeDiagnostic(rule, std::move(message));
  diagnostic.offset = position_.offset;
  diagnostic.line = position_.line;
  diagnostic.column = position_.column;
  ExcerptLine({buffer_.data(), end_}, begin_, diagnostic.excerpt);
  return Status(std::move(diagnostic));
}

Status ElementScanner::Truncated() {
  if (!source_status_.ok()) return source_status_;
  truncated_ = true;
  Advance(end_ - begin_);
  return Error(Rule::kJson002, "the text ends before the array of events is closed");
}

Status ElementScanner::Unexpected(std::string_view expected) {
  const int found = Peek();
  std::string habit = DescribeHabit({buffer_.data(), end_}, begin_);
  return Error(Rule::kJson001, habit.empty()
                                   ? fmt::format("expected {}, found {}", expected, Show(found))
                                   : std::move(habit));
}

bool ElementScanner::Fill() {
  if (at_end_ || !source_status_.ok()) return false;
  DropConsumed();
  if (buffer_.size() - end_ < kPieceSize)
    buffer_.resize(std::max(end_ + kPieceSize, buffer_.size() * 2));
  uint8_t* const to = reinterpret_cast<uint8_t*>(buffer_.data()) + end_;
  const Result<size_t> got = source_({to, std::min(buffer_.size() - end_, size_t{4} << 20)});
  if (!got.ok()) {
    source_status_ = got.status();
    return false;
  }
  end_ += *got;
  at_end_ = *got == 0;
  return !at_end_;
}

void ElementScanner::DropConsumed() {
  if (begin_ == 0) return;
  std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
  end_ -= begin_;
  begin_ = 0;
}

int ElementScanner::Peek() {
  if (begin_ == end_ && !Fill()) return kEndOfText;
  return static_cast<uint8_t>(buffer_[begin_]);
}

int ElementScanner::SkipSpace() {
  int next = Peek();
  while (IsSpace(next)) {
    Advance(1);
    next = Peek();
  }
  return next;
}

void ElementScanner::Advance(size_t size) {
  const char* const at = buffer_.data() + begin_;
  position_.Advance({at, size});
  begin_ += size;
}

}  // namespace dp2trace::json
