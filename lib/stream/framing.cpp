#include "stream/framing.h"

#include <algorithm>
#include <limits>

#include "stream/records.h"

namespace dp2trace::stream {
namespace {

using opcode::OpInfo;
using opcode::TailCount;
using opcode::TailDesc;

// Moves through one token; stops at the first part that does not fit.
class Framer {
 public:
  Framer(const OpInfo& op, Bytes rest, const FramingContext& context)
      : op_(op), rest_(rest), context_(context) {
    host_.op = &op;
    host_.vertex_size = context.vertex_size;
    host_.count = LoadU16(rest.data() + 2);
  }

  Framing Run() {
    if (FrameFixed() && (op_.record != nullptr ? FrameRecords() : FrameTails()))
      result_.size = position_;
    return result_;
  }

 private:
  uint64_t remaining() const { return rest_.size() - position_; }

  bool Fail(FrameDefect defect, uint64_t needed) {
    result_.defect = defect;
    result_.needed = needed;
    result_.available = remaining();
    result_.position = position_;
    return false;
  }

  bool FrameFixed() {
    position_ = op_.header_size();
    if (op_.fixed == nullptr) return true;
    if (remaining() < op_.fixed->size) return Fail(FrameDefect::kFixed, op_.fixed->size);
    host_.layout = op_.fixed;
    host_.at = rest_.data() + position_;
    position_ += op_.fixed->size;
    return true;
  }

  bool FrameRecords() {
    const uint32_t count = op_.RecordCount(host_.count);
    const uint32_t record_size = op_.record->size;
    const uint64_t needed = uint64_t{count} * record_size;
    if (remaining() < needed) return Fail(FrameDefect::kRecords, needed);
    host_.layout = op_.record;
    for (uint32_t i = 0; i < count; ++i) {
      result_.record = i;
      if (remaining() < record_size)
        return Fail(FrameDefect::kRecords, uint64_t{count - i} * record_size);
      host_.at = rest_.data() + position_;
      if (!PassesCheck()) return false;
      position_ += record_size;
      if (!FrameTails()) return false;
    }
    return true;
  }

  bool PassesCheck() {
    if (op_.check == nullptr) return true;
    result_.value = FieldU32(*op_.record, host_.at, op_.check->field);
    if ((result_.value & op_.check->mask) == op_.check->value) return true;
    Fail(FrameDefect::kRecordCheck, 0);
    result_.position += opcode::FieldOffset(*op_.record, op_.check->field);
    return false;
  }

  // The tails after host_.
  bool FrameTails() {
    uint64_t total = 0;
    for (const TailDesc& tail : op_.tails) {
      uint64_t size = TailSize(tail, host_);
      result_.tail = &tail;
      if (tail.counting == TailCount::kVertices) {
        result_.padding = VertexPadding(context_.offset + position_);
        size += result_.padding;
        if (remaining() < size) return Fail(FrameDefect::kVertices, size);
      }
      total += size;
      if (total > std::numeric_limits<uint32_t>::max())
        return Fail(FrameDefect::kTailOverflow, total);
      if (remaining() < size) return Fail(FrameDefect::kTail, size);
      position_ += size;
    }
    return true;
  }

  const OpInfo& op_;
  Bytes rest_;
  FramingContext context_;
  TailHost host_;
  uint64_t position_ = 0;  // <= rest_.size()
  Framing result_;
};

}  // namespace

Framing Frame(const OpInfo& op, Bytes rest, const FramingContext& context) {
  return Framer(op, rest, context).Run();
}

}  // namespace dp2trace::stream
