// A container that a driver wrote as lines of text into a log: "D2T:" and up to 72 bytes in base64, between whatever else the log holds.
// Source: lib/capture/dp2trace_capture_text.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "base/status.h"

namespace dp2trace::trace_file {

// Takes a log piece by piece.
class LogLines {
 public:
  // What stands before "D2T:" in a line, such as a time, and after the base64 is passed over; so are zeros, as UTF-16 has them, and lines
  // whose base64 is damaged, which the container's checksums tell.
  void Add(Bytes text);
  // The log has ended, maybe within a line.
  void Finish() { EndLine(); }
  // There was a line of a container.
  bool is_log() const { return is_log_; }
  std::vector<uint8_t>& bytes() { return bytes_; }

 private:
  void EndLine();

  std::string line_;
  std::vector<uint8_t> bytes_;
  bool is_log_ = false;
};

// The container in a log; nothing where it holds no such line, and then the file is still to be read. Fails where the file cannot be read,
// or the container, or a log that comes from no file, has more bytes than `limit` (TRACE-018).
Result<std::optional<std::vector<uint8_t>>> ReadLog(InputFile& file, uint64_t limit);

}  // namespace dp2trace::trace_file
