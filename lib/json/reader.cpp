#include "json/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>

#include "json/event_reader.h"
#include "json/excerpt.h"
#include "json/extent.h"
#include "json/locate.h"
#include "rules/rule.h"

namespace dp2trace::json {

namespace {

constexpr uint64_t kLargestText = UINT32_MAX;  // positions on the tape are 32 bits wide

}  // namespace

// A copy of an event's text, which is parsed once somebody asks for a place in it.
class HeldEvent {
 public:
  HeldEvent(std::string_view text, const TextPosition& start) : text_(text), start_(start) {}
  HeldEvent(const HeldEvent&) = delete;  // the tape points into the text
  HeldEvent& operator=(const HeldEvent&) = delete;

  TextPosition Locate(std::string_view path) {
    if (!is_parsed_) {
      TapeError error;
      is_parsed_ = true;
      is_read_ = tape_.Parse(text_, kMaxDepth - 1, arena_, error);
    }
    TextPosition position = start_;
    if (is_read_)
      position.Advance(std::string_view(text_).substr(0, FindValue(tape_, text_, path)));
    return position;
  }

 private:
  std::string text_;
  TextPosition start_;
  Arena arena_{UINT64_MAX};
  Tape tape_;
  bool is_parsed_ = false;
  bool is_read_ = false;
};

class Reader::Implementation {
 public:
  Implementation(TextSource source, const ReaderOptions& options)
      : options_(options),
        scanner_(std::move(source), std::min(options.max_memory, kLargestText)),
        arena_(options.max_memory) {}

  Result<bool> Next(trace::Event& event) {
    if (!error_.ok()) return error_;
    Result<bool> result = ReadNext(event);
    if (!result.ok()) {
      error_ = result.status();
      event = trace::Unknown{};
    }
    return result;
  }

  Status FurtherError() {
    if (!further_.empty()) {
      Status error(std::move(further_.front()));
      further_.pop_front();
      return error;
    }
    while (is_followable_) {
      trace::Event event;
      const Result<bool> result = ReadNext(event);
      if (!result.ok()) return result.status();
      if (!*result) return OkStatus();
    }
    return OkStatus();
  }

  uint64_t value_bytes() const { return arena_.used(); }
  uint64_t event_count() const { return event_count_; }
  TextPosition Locate(std::string_view path) const {
    TextPosition position = element_;
    position.Advance(text_.substr(0, FindValue(tape_, text_, path)));
    return position;
  }
  std::function<TextPosition(std::string_view)> Hold() const {
    return [held = std::make_shared<HeldEvent>(text_, element_)](std::string_view path) {
      return held->Locate(path);
    };
  }
  bool truncated() const { return scanner_.truncated(); }

 private:
  Result<bool> ReadNext(trace::Event& event) {
    std::string_view text;
    text_ = {};  // goes away
    const Result<bool> found = scanner_.Next(text);
    is_followable_ = found.ok() ? *found : scanner_.lacks_comma();
    if (!found.ok()) return Located(found.status().diagnostic());
    if (!*found) return error_.ok() ? Finish() : Result<bool>(false);
    text_ = text;
    element_ = scanner_.position();
    Result<bool> result = Parse(text, event);
    ++element_count_;
    if (result.ok()) ++event_count_;
    return result;
  }

  Result<bool> Parse(std::string_view text, trace::Event& event) {
    arena_.Reset();
    TapeError error;
    if (!tape_.Parse(text, kMaxDepth - 1, arena_, error)) {
      Diagnostic diagnostic = MakeDiagnostic(error.rule, std::move(error.message));
      diagnostic.offset = error.position;
      return Status(Placed(std::move(diagnostic), text));
    }
    Values values(tape_, arena_, options_);
    if (!ReadEvent(values, stream_, event)) {
      for (Diagnostic finding : values.findings()) {
        finding.offset = FindPlace(tape_, text, finding);
        further_.push_back(Placed(std::move(finding), text));
      }
      std::ranges::stable_sort(further_, {}, &Diagnostic::offset);
      return FurtherError();
    }
    CheckHeader(std::holds_alternative<trace::Header>(event), values, text);
    return true;
  }

  // A misplaced header loses no event: it is reported when all events have been delivered.
  void CheckHeader(bool is_header, Values& values, std::string_view text) {
    if (is_header || element_count_ != 0) return;
    values.Fail(tape_.nodes().front(), Rule::kJson015, "the first event is not the header");
    misplaced_header_ = Status(Placed(values.findings().front(), text));
  }

  Result<bool> Finish() const {
    if (!misplaced_header_.ok()) return misplaced_header_;
    if (event_count_ == 0) {
      return Status(
          MakeDiagnostic(Rule::kJson015, "the array has no events: the header is missing"));
    }
    return false;
  }

  // A finding inside the text of the event: its offset and line count from the start of the input, its pointer from the array.
  Diagnostic Placed(Diagnostic diagnostic, std::string_view text) const {
    TextPosition place = scanner_.position();
    const size_t at =
        std::min<size_t>(static_cast<size_t>(diagnostic.offset.value_or(0)), text.size());
    place.Advance(text.substr(0, at));
    ExcerptLine(text, at, diagnostic.excerpt);
    diagnostic.line = place.line;
    diagnostic.column = place.column;
    diagnostic.offset = place.offset;
    diagnostic.path = fmt::format("/{}{}", element_count_, diagnostic.path);
    return diagnostic;
  }

  // A finding between the elements, or about one that has no end.
  Status Located(Diagnostic diagnostic) const {
    if (diagnostic.line != 0) diagnostic.path = fmt::format("/{}", element_count_);
    return Status(std::move(diagnostic));
  }

  ReaderOptions options_;
  ElementScanner scanner_;
  Arena arena_;
  Tape tape_;
  std::vector<uint8_t> stream_;
  std::string_view text_;  // of the last event
  TextPosition element_;   // where it begins
  uint64_t event_count_ = 0;
  uint64_t element_count_ = 0;  // of the array, with those that are no events
  bool is_followable_ = false;  // what was read last has an end
  Status misplaced_header_;
  Status error_;
  std::deque<Diagnostic> further_;  // errors of the last event that are not returned yet
};

Reader::Reader(TextSource source, const ReaderOptions& options)
    : implementation_(std::make_unique<Implementation>(std::move(source), options)) {}
Reader::Reader(Reader&&) noexcept = default;
Reader& Reader::operator=(Reader&&) noexcept = default;
Reader::~Reader() = default;

Result<bool> Reader::Next(trace::Event& event) {
  return implementation_->Next(event);
}
Status Reader::FurtherError() {
  return implementation_->FurtherError();
}
uint64_t Reader::value_bytes() const {
  return implementation_->value_bytes();
}
uint64_t Reader::event_count() const {
  return implementation_->event_count();
}
TextPosition Reader::Locate(std::string_view path) const {
  return implementation_->Locate(path);
}
std::function<TextPosition(std::string_view)> Reader::Hold() const {
  return implementation_->Hold();
}
bool Reader::truncated() const {
  return implementation_->truncated();
}

}  // namespace dp2trace::json
