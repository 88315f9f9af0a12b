#include "runtime/core/token.h"

#include "stream/stream.h"

namespace dp2trace::runtime {
namespace {

// The records after the fixed structure, or none where the values do not fill whole records.
std::optional<uint32_t> RecordCountOf(const opcode::OpInfo& info, size_t values) {
  const uint32_t fixed = ValueCount(info.fixed);
  const uint32_t record = ValueCount(info.record);
  if (values < fixed) return std::nullopt;
  const size_t rest = values - fixed;
  if (rest == 0) return 0;
  if (record == 0 || rest % record != 0) return std::nullopt;
  return static_cast<uint32_t>(rest / record);
}

// The header's count for a number of records.
std::optional<uint16_t> CountFor(const opcode::OpInfo& info, uint32_t records) {
  int64_t count = 1;
  switch (info.repeat) {
    case opcode::Repeat::kNone:
      break;
    case opcode::Repeat::kCount:
      count = records;
      break;
    case opcode::Repeat::kCountPlus:
      count = int64_t{records} - info.repeat_add;
      break;
    case opcode::Repeat::kCountMinusOne:
      count = int64_t{records} + 1;
      break;
  }
  if (count < 0 || count > 0xFFFF) return std::nullopt;
  return static_cast<uint16_t>(count);
}

}  // namespace

std::vector<uint8_t> BytesOfWords(std::span<const uint32_t> words) {
  std::vector<uint8_t> bytes;
  ByteWriter writer(bytes);
  for (const uint32_t word : words)
    writer.Write(word);
  return bytes;
}

uint32_t ValueCount(const opcode::StructDesc* layout) {
  uint32_t count = 0;
  if (layout == nullptr) return 0;
  for (const opcode::FieldDesc& field : layout->fields)
    count += field.count;
  return count;
}

void AppendStructure(const opcode::StructDesc& layout, std::span<const uint32_t> values,
                     std::vector<uint8_t>& out) {
  ByteWriter writer(out);
  size_t next = 0;
  for (const opcode::FieldDesc& field : layout.fields) {
    for (uint32_t i = 0; i < field.count; ++i) {
      const uint32_t value = next < values.size() ? values[next] : 0;
      ++next;
      switch (opcode::SizeOf(field.wire)) {
        case 1:
          writer.Write(static_cast<uint8_t>(value));
          break;
        case 2:
          writer.Write(static_cast<uint16_t>(value));
          break;
        default:
          writer.Write(value);
          break;
      }
    }
  }
}

void TokenBuffer::clear() {
  bytes_.clear();
  last_.reset();
}

// Records of a merged token: a packet's lists must hold what one token names.
constexpr uint16_t kMaxMerged = 512;

bool TokenBuffer::MergeInto(const opcode::OpInfo& info, std::span<const uint32_t> values) {
  const bool is_mergeable =
      info.op == opcode::Op::kRenderState || info.op == opcode::Op::kTextureStageState;
  if (!is_mergeable || !last_ || bytes_[*last_] != static_cast<uint8_t>(info.op)) return false;
  const uint16_t count = LoadU16(bytes_.data() + *last_ + 2);
  const size_t width = ValueCount(info.record);
  if (values.size() != width || count >= kMaxMerged) return false;
  AppendStructure(*info.record, values, bytes_);
  Store(bytes_.data() + *last_ + 2, static_cast<uint16_t>(count + 1));
  return true;
}

bool TokenBuffer::Append(opcode::Op op, std::span<const uint32_t> values, Bytes tail,
                         std::optional<uint16_t> count) {
  const opcode::OpInfo& info = opcode::Info(op);
  const std::optional<uint32_t> records = RecordCountOf(info, values.size());
  if (!records) return false;
  if (tail.empty() && !count && MergeInto(info, values)) return true;
  if (!count) count = CountFor(info, *records);
  if (!count) return false;
  last_ = bytes_.size();
  stream::Encoder encoder(bytes_, {});
  encoder.Header(static_cast<uint8_t>(op), 0, *count);
  if (info.fixed != nullptr) {
    const uint32_t fixed = ValueCount(info.fixed);
    AppendStructure(*info.fixed, values.first(fixed), bytes_);
    values = values.subspan(fixed);
  }
  const uint32_t width = ValueCount(info.record);
  for (; !values.empty(); values = values.subspan(width))
    AppendStructure(*info.record, values.first(width), bytes_);
  bytes_.insert(bytes_.end(), tail.begin(), tail.end());
  return true;
}

}  // namespace dp2trace::runtime
