// Rules about the bytes of a command stream: DP2-STREAM-*, and the KMT-DP2-* rules that replace them in a packet.
// Source: lib/opcode/dp2.md 2 and 25; lib/kmt/packets.md 7.9 and 7.10.
#pragma once

#include <cstdint>

#include "base/bytes.h"
#include "stream/stream.h"
#include "trace/events.h"
#include "validate/findings.h"

namespace dp2trace::validate {

// What carries a stream: decides under which id a defect is reported that both catalogues name.
enum class Transport : uint8_t { kDp2Call, kPacket };

// DP2-STREAM-011: fewer bytes are stored than the call announces. True when command bytes are missing.
bool CheckStoredBytes(const trace::Dp2& call, EventFindings& findings);

// How the stream of an event stands in it.
struct StreamSource {
  Bytes bytes;                  // from the first command on
  uint64_t command_offset = 0;  // of the first command, from the start of the command buffer
  uint32_t vertex_size = 0;     // bytes per immediate vertex
  Transport transport = Transport::kDp2Call;
  // Bytes are known to be missing: that the stream is cut off is no news.
  bool is_incomplete = false;
  uint32_t generation = 9;  // of the interface whose documents hold for shaders: 6 to 9
};

// Bytes of the stream could not be read as tokens, or are missing. `is_incomplete`: as in StreamSource.
bool HasLoss(stream::StreamEnd end, bool is_incomplete);

// Frames a stream and runs the rules on the bytes of every token, those about the code of shaders among them.
class StreamWalk {
 public:
  // `findings` outlives the walk.
  StreamWalk(const StreamSource& source, EventFindings& findings);

  // The next token, after its findings; false at the end, after those about what is left.
  bool Next(stream::Command& command);
  // After the end: bytes of the stream could not be read as tokens, or are missing.
  bool has_loss() const;

 private:
  // What the rules remember from token to token.
  struct Memory {
    bool is_aligned = true;  // the header of the token before
    // Operation of the run of mergeable tokens that ends here.
    const opcode::OpInfo* merge_op = nullptr;
    uint32_t merge_count = 0;  // elements in that run
  };

  void CheckAlignment(const stream::Command& command);
  void CheckMerge(const stream::Command& command);
  void CheckRest();
  // Hands the decoder's findings on, under the ids of the transport.
  void Drain();

  StreamSource source_;
  EventFindings* findings_;
  stream::Environment environment_;
  DiagnosticList framing_;
  stream::Decoder decoder_;
  Memory memory_;
  uint32_t next_index_ = 0;
};

}  // namespace dp2trace::validate
