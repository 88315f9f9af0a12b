// The response buffer that a level 9 driver writes over the command buffer: groups of query results.
// Source: lib/opcode/dp2.md 19.2.
#pragma once

#include "base/bytes.h"
#include "stream/stream.h"

namespace dp2trace::stream {

enum class ResponseEnd : uint8_t {
  kRunning,
  kComplete,
  kTruncatedHeader,  // less than an 8-byte D3DHAL_DP2RESPONSE remains
  kNotResponse,      // bCommand is not 87 or 88
  kBadTotalSize,     // dwTotalSize is below 8 or beyond the buffer
  kBadRecords,       // the records do not fill dwTotalSize exactly, or run past it
};

// Frames the groups of a response buffer front to back. Reports no findings: end() and rest_offset() say what is wrong.
class ResponseDecoder {
 public:
  // `buffer` holds the bytes from the start of the command buffer.
  explicit ResponseDecoder(Bytes buffer) : buffer_(buffer) {}

  // The next group, or false at the end. Records(), Visit() and Tail() work on it with an empty environment; its count is
  // wStateCount. A RESPONSECONTINUE group is all of its dwTotalSize bytes, whatever they are.
  bool Next(Command& group);

  ResponseEnd end() const { return end_; }
  Bytes rest() const { return buffer_.subspan(position_); }
  uint64_t rest_offset() const { return position_; }

 private:
  bool End(ResponseEnd end);

  Bytes buffer_;
  size_t position_ = 0;
  uint32_t index_ = 0;
  ResponseEnd end_ = ResponseEnd::kRunning;
};

// dwTotalSize of a group.
inline uint32_t TotalSize(const Command& group) {
  return LoadU32(group.bytes.data() + opcode::kCommandHeaderSize);
}

}  // namespace dp2trace::stream
