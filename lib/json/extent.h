// Finds the elements of the top-level array in a text that is read in pieces, without looking inside them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "json/reader.h"

namespace dp2trace::json {

class ElementScanner {
 public:
  // Elements of more than `limit` bytes are refused.
  ElementScanner(TextSource source, uint64_t limit) : source_(std::move(source)), limit_(limit) {}

  // The text of the next element, valid until the next call; false at the end of the array.
  Result<bool> Next(std::string_view& element);

  // Where the element that Next() returned begins.
  TextPosition position() const { return element_position_; }
  bool truncated() const { return truncated_; }
  // Only a comma was missing: Next() goes on with the element after it.
  bool lacks_comma() const { return lacks_comma_; }

 private:
  // Appends to the buffer; false at the end of the text or after an error of the source.
  bool Fill();
  void DropConsumed();
  int Peek();  // next byte, or -1 at the end
  int SkipSpace();
  void Advance(size_t size);

  Result<bool> Begin();
  Result<bool> TakeElement(std::string_view& element);
  Result<bool> Finish();
  struct Extent {
    size_t size = 0;  // bytes of the element that are in the buffer
    bool is_closed = false;
  };
  // Reads on until the element at the start of the unread text is closed, the limit is passed or the text ends.
  Extent FindEnd();
  Status NoEnd(size_t size);
  Status TooLarge() const;
  Status Error(Rule rule, std::string message) const;
  Status Truncated();
  Status Unexpected(std::string_view expected);

  TextSource source_;
  uint64_t limit_;
  std::vector<char> buffer_;
  size_t begin_ = 0;  // first unread byte of the buffer
  size_t end_ = 0;    // after the last byte of the buffer
  bool at_end_ = false;
  bool truncated_ = false;
  bool lacks_comma_ = false;
  enum class State : uint8_t { kStart, kFirst, kNext, kEnd } state_ = State::kStart;
  TextPosition position_;  // of begin_
  TextPosition element_position_;
  Status source_status_;
};

}  // namespace dp2trace::json
