// The size of one token, checked against the bytes that are there. Used by Decoder and ResponseDecoder.
// Source: lib/opcode/dp2.md 2.2 and 2.3: every quantity is evaluated in 64 bits and must fit the rest of the stream.
#pragma once

#include <cstdint>
#include <optional>

#include "base/bytes.h"
#include "opcode/opcode.h"

namespace dp2trace::stream {

// Which part of a token does not fit, or has no known length.
enum class FrameDefect : uint8_t {
  kNone,
  kFixed,         // the fixed structure is cut off
  kRecords,       // the records are cut off
  kTail,          // a tail is cut off
  kTailOverflow,  // the tails of one record have 2^32 or more bytes
  kVertices,      // immediate vertices are cut off
  kRecordCheck,   // a record violates op.check
};

struct Framing {
  FrameDefect defect = FrameDefect::kNone;
  uint64_t size = 0;  // of the token, where there is no defect

  // Where there is one:
  uint64_t needed = 0;                     // bytes that the part needs
  uint64_t available = 0;                  // bytes that are there for it
  std::optional<uint32_t> record;          // the record that it belongs to
  uint64_t position = 0;                   // bytes from the header to the part
  const opcode::TailDesc* tail = nullptr;  // the part of a tail, or the vertices
  uint32_t padding = 0;                    // filler before the vertices
  uint32_t value = 0;                      // kRecordCheck: what the field holds
};

// What surrounds the token.
struct FramingContext {
  uint64_t offset = 0;  // of the token's header, from the start of the command buffer
  uint32_t vertex_size = 0;
};

// `rest` starts with the header of a token of this operation and holds at least op.header_size() bytes.
Framing Frame(const opcode::OpInfo& op, Bytes rest, const FramingContext& context);

}  // namespace dp2trace::stream
