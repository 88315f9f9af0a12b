// Records events as the lines that `dump` prints, for tests that compare them.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include "commands.h"
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

}  // namespace dp2trace::runtime
