#include "trace_file/text_input.h"

#include <algorithm>

namespace dp2trace::trace_file {

Result<Bytes> TextInput::Peek() {
  while (start_size_ < start_.size()) {
    Result<size_t> count = file_.Read(std::span(start_).subspan(start_size_));
    if (!count.ok()) return count.status();
    if (*count == 0) break;
    start_size_ += *count;
  }
  return Bytes(start_).first(start_size_);
}

Result<size_t> TextInput::Read(std::span<uint8_t> out) {
  size_t count = std::min(start_size_ - start_read_, out.size());
  std::copy_n(start_.begin() + static_cast<ptrdiff_t>(start_read_), count, out.begin());
  start_read_ += count;
  if (count == 0) {
    Result<size_t> read = file_.Read(out);
    if (!read.ok()) return read;
    count = *read;
  }
  position_ += count;
  return count;
}

}  // namespace dp2trace::trace_file
