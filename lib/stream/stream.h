// Bytes <-> commands. One decoder and one encoder, driven by the operation table; no code of its own for any operation.
// Source: lib/opcode/dp2.md 2, 4 and 22.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/bytes.h"
#include "base/diagnostic.h"
#include "opcode/opcode.h"

namespace dp2trace::stream {

// What the call says around the stream.
struct Environment {
  uint64_t command_offset = 0;  // bytes from the start of the command buffer to the first command
  uint32_t vertex_size = 0;     // bytes per immediate vertex
  std::optional<uint64_t> event = {};  // for findings
};

// One framed token: a view into the stream.
struct Command {
  const opcode::OpInfo* op = nullptr;
  Bytes bytes;           // the whole token, command header included
  uint64_t offset = 0;   // of its header, from the start of the command buffer
  uint32_t index = 0;    // number of the command in the stream, from 0
  uint16_t count = 0;    // wPrimitiveCount / wStateCount
  uint8_t reserved = 0;  // bReserved
};

// How the reading of a stream ended. All but kRunning, kComplete and kExitToken leave a stream that a driver would not finish;
// kTrailingBytes may be mere padding.
enum class StreamEnd : uint8_t {
  kRunning,
  kComplete,
  kExitToken,         // operation 11; rest() starts with it
  kTrailingBytes,     // 1 to 3 bytes
  kUnknownOperation,  // not an operation, or one that travels to the runtime only
  kTruncated,
  kUnknownLength,  // a record holds what makes the length of its token unknown (patch flags, EXT)
};

// Frames tokens front to back. Allocates nothing per token.
class Decoder {
 public:
  // `findings` may be null. `stream` holds the bytes from the first command on.
  // Reports DP2-STREAM-001 to 010 and 015, DP2-IMM-001 and DP2-PATCH-001. A finding about a token that is cut off stands at
  // the token's header, one about a value at the value.
  Decoder(Bytes stream, const Environment& environment, DiagnosticList* findings)
      : stream_(stream), environment_(environment), findings_(findings) {}

  // The next token, or false at the end (see end()). A token that cannot be framed ends the stream.
  bool Next(Command& command);

  StreamEnd end() const { return end_; }
  // The bytes that were not framed: empty when the stream is complete.
  Bytes rest() const { return stream_.subspan(position_); }
  // Offset of rest() from the start of the command buffer: the error offset of a driver.
  uint64_t rest_offset() const { return environment_.command_offset + position_; }

 private:
  // Fills `command` with `size` bytes at the position and moves after them.
  void Take(const opcode::OpInfo* op, size_t size, Command& command);
  // The rest of Next(): tokens with tails, findings, the end of the stream.
  bool NextSlow(Command& command);
  bool EndAtTrailingBytes();
  bool EndAtForeignOperation(uint8_t code, const opcode::OpInfo* op);
  void ReportReserved(const Command& command);

  Bytes stream_;
  Environment environment_;
  DiagnosticList* findings_;
  size_t position_ = 0;
  uint32_t index_ = 0;
  StreamEnd end_ = StreamEnd::kRunning;
};

// Receives the parts of one command in wire order. `at` points to the unaligned little-endian value(s) of the field.
class Visitor {
 public:
  virtual ~Visitor() = default;
  virtual void OnFixed(const opcode::StructDesc& layout, const uint8_t* at) = 0;
  virtual void OnRecord(uint32_t index, const opcode::StructDesc& layout, const uint8_t* at) = 0;
  // A part of the tail of record `record` (0 for a token without records): elements, or bytes where desc.element is null.
  // For vertices `padding` holds the 0-3 filler bytes and `bytes` the vertices. Called for parts that are present, with or
  // without bytes.
  virtual void OnTail(uint32_t record, const opcode::TailDesc& desc, Bytes padding,
                      Bytes bytes) = 0;
};

// Walks a framed command. The command must come from a Decoder (its sizes are trusted) that had the same environment.
void Visit(const Command& command, const Environment& environment, Visitor& visitor);

// Builds a stream: the inverse of Visit. Calls come in wire order; sizes and counts are the caller's data, they are not derived.
class Encoder {
 public:
  // Appends to `out`; the first byte that it appends stands at environment.command_offset of the command buffer.
  Encoder(std::vector<uint8_t>& out, const Environment& environment)
      : out_(&out), environment_(environment), start_(out.size()) {}

  void Header(uint8_t code, uint8_t reserved, uint16_t count);
  void Raw(Bytes bytes);
  // Appends the filler that aligns immediate vertices; `padding` are the bytes to use where given (else zeros).
  void Padding(Bytes padding = {});
  // Bytes of filler that Padding() would append now (0-3).
  uint32_t PaddingSize() const;
  uint64_t offset() const;  // from the start of the command buffer

 private:
  std::vector<uint8_t>* out_;
  Environment environment_;
  size_t start_;
};

// ---------- the hot path ----------

inline void Decoder::Take(const opcode::OpInfo* op, size_t size, Command& command) {
  const uint8_t* const at = stream_.data() + position_;
  command.op = op;
  command.bytes = Bytes(at, size);
  command.offset = environment_.command_offset + position_;
  command.index = index_++;
  command.count = LoadU16(at + 2);
  command.reserved = at[1];
  position_ += size;
}

inline bool Decoder::Next(Command& command) {
  const size_t remaining = stream_.size() - position_;
  if (remaining >= opcode::kCommandHeaderSize) {
    const uint32_t header = LoadU32(stream_.data() + position_);
    const opcode::FrameRule& rule = opcode::kFrameRules[header & 0xFF];
    const uint32_t count = std::max<uint32_t>(header >> 16, rule.count_floor);
    const uint32_t size = rule.base + rule.record_size * count;  // < 2^25, see FrameRule
    const bool is_plain = rule.is_simple && (header & 0xFF00) == 0;
    if (is_plain && size <= remaining) {
      Take(rule.op, size, command);
      return true;
    }
  }
  return NextSlow(command);
}

}  // namespace dp2trace::stream
