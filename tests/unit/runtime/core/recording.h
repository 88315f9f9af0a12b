// Records events as the lines that `dump` prints, for tests that compare them.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include "runtime/core/recorder.h"
#include "text/dump.h"

namespace dp2trace::runtime {

class LineSink final : public EventSink {
 public:
  Status OnEvent(const trace::Event& event) override { return dumper_.Add(next_++, event); }
  // All lines so far without the header's.
  std::string Take() {
    (void)dumper_.Finish();
    std::string lines;
    std::swap(lines, lines_);
    return lines;
  }

 private:
  uint64_t next_ = 0;
  std::string lines_;
  text::Dumper dumper_{[this](std::string_view text) {
                         lines_ += text;
                         return OkStatus();
                       },
                       text::DumpOptions{}};
};

// The commands of `lines`: those that start with an offset, without it.
inline std::string Commands(std::string_view lines) {
  std::string result;
  while (!lines.empty()) {
    const size_t end = lines.find('\n');
    const std::string_view line = lines.substr(0, end);
    if (line.starts_with("  0x")) result += std::string(line.substr(line.find(' ', 2) + 1)) + "\n";
    lines = end == std::string_view::npos ? std::string_view() : lines.substr(end + 1);
  }
  return result;
}

}  // namespace dp2trace::runtime
