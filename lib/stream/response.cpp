#include "stream/response.h"

#include "stream/framing.h"

namespace dp2trace::stream {

bool ResponseDecoder::End(ResponseEnd end) {
  end_ = end;
  return false;
}

bool ResponseDecoder::Next(Command& group) {
  if (end_ != ResponseEnd::kRunning) return false;
  const Bytes left = rest();
  if (left.empty()) return End(ResponseEnd::kComplete);
  if (left.size() < opcode::kResponseHeaderSize) return End(ResponseEnd::kTruncatedHeader);

  const opcode::OpInfo* const op = opcode::Find(left[0]);
  if (op == nullptr || op->direction != opcode::Direction::kToRuntime)
    return End(ResponseEnd::kNotResponse);
  const uint32_t total = LoadU32(left.data() + opcode::kCommandHeaderSize);
  if (total < opcode::kResponseHeaderSize || total > left.size())
    return End(ResponseEnd::kBadTotalSize);

  const Bytes bytes = left.first(total);
  if (op->record != nullptr) {
    const Framing framing = Frame(*op, bytes, {.offset = position_});
    if (framing.defect != FrameDefect::kNone || framing.size != total)
      return End(ResponseEnd::kBadRecords);
  }
  group = {.op = op,
           .bytes = bytes,
           .offset = position_,
           .index = index_++,
           .count = LoadU16(bytes.data() + 2),
           .reserved = bytes[1]};
  position_ += total;
  return true;
}

}  // namespace dp2trace::stream
