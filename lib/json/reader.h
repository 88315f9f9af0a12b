// JSON text -> trace events, one at a time. Strict: what does not fit is a finding with line, offset and JSON pointer (JSON-*).
// Memory is bounded by the largest event, not by the trace. No document tree of the trace is built.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "base/status.h"
#include "trace/events.h"

namespace dp2trace::json {

// Fills the span with the next bytes of the text and returns how many; 0 is the end. InputFile::Read fits.
using TextSource = std::function<Result<size_t>(std::span<uint8_t>)>;

// Objects and arrays inside each other, the array of events included.
inline constexpr uint32_t kMaxDepth = 32;

// Errors of a text that are reported.
inline constexpr size_t kMaxErrors = 20;

struct ReaderOptions {
  std::string folder = ".";  // the folder of the JSON file, where side files are looked up
  // bytes: for the text of one event, its values and its side files.
  uint64_t max_memory = 1ull << 30;
};

// Where a piece of text stands in the input.
struct TextPosition {
  uint64_t offset = 0;  // bytes
  uint64_t line = 1;
  uint64_t column = 1;  // characters (code points) from the start of the line, counted from 1

  // Moves over text.
  void Advance(std::string_view text);
};

class Reader {
 public:
  explicit Reader(TextSource source, const ReaderOptions& options = {});
  Reader(Reader&&) noexcept;
  Reader& operator=(Reader&&) noexcept;
  ~Reader();

  // The next event, true; false at the end of the array. An error ends the reading: all events before it have been delivered, and
  // further calls return the same error. A misplaced header (JSON-015) is reported at the end, in place of false. Views in `event` live
  // until the next call.
  Result<bool> Next(trace::Event& event);

  // After an error of Next(): the next error, of the same event or further on, in an event whose end can be seen; those events are not
  // delivered. OK: there is none, or the text cannot be followed beyond the last one.
  Status FurtherError();

  // Where the last event holds the value that a finding's path names ("commands/3/states/0/value"), or what the path names as far as
  // the text has it: the record, the command, the event.
  TextPosition Locate(std::string_view path) const;
  // Locate() of the last event, on a copy of its text: it still answers when the reader has gone on.
  std::function<TextPosition(std::string_view path)> Hold() const;
  // Bytes of the values of the last event, beside its text.
  uint64_t value_bytes() const;
  // Events delivered so far.
  uint64_t event_count() const;
  // After an error: the text ends early (JSON-002) and nothing else is wrong with it.
  bool truncated() const;

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace dp2trace::json
