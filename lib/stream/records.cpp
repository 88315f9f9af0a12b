#include "stream/records.h"

#include <fmt/format.h>

#include <algorithm>

#include "opcode/layouts.h"

namespace dp2trace::stream {

using opcode::TailCondition;
using opcode::TailCount;
using opcode::TailDesc;

std::string PathOf(const Command& command) {
  return fmt::format("commands/{}", command.index);
}

std::string PathOf(const Command& command, const Record& record) {
  return fmt::format("commands/{}/{}/{}", command.index, command.op->list_name, record.index);
}

Word PartOf(const FieldRef& field, uint32_t part) {
  const uint32_t size = opcode::SizeOf(field.wire);
  return {field.offset + uint64_t{part} * size, size, fmt::format("{}/{}", field.name, part)};
}

namespace {

// Bytes from the start of the structure to a part after it.
uint64_t DistanceOf(const Record& record, const TailPart& part) {
  return static_cast<uint64_t>(part.bytes.data() - record.at());
}

}  // namespace

Word TailWord(const Record& record, size_t tail) {
  const TailPart part = record.Tail(tail);
  return {DistanceOf(record, part), part.bytes.size(), std::string(part.desc->name)};
}

Word TailWord(const Record& record, size_t tail, size_t element) {
  const TailPart part = record.Tail(tail);
  const uint64_t size = part.desc->element != nullptr ? part.desc->element->size : 1;
  return {DistanceOf(record, part) + element * size, size,
          fmt::format("{}/{}", part.desc->name, element)};
}

Word TailWord(const Record& record, size_t tail, const FieldRef& field) {
  const TailPart part = record.Tail(tail);
  return {DistanceOf(record, part) + field.offset, field.size(),
          fmt::format("{}/{}", part.desc->name, field.name)};
}

Word RectWord(uint32_t number, uint32_t part) {
  constexpr uint32_t kFirst = opcode::layout::kClear.size - opcode::layout::kRect.size;
  constexpr uint32_t kEdge = 4;
  return {kFirst + uint64_t{number} * opcode::layout::kRect.size + part * kEdge, kEdge,
          fmt::format("rects/{}/{}", number, part)};
}

WordPlace PlaceOf(const Command& command) {
  return {command.offset, command.bytes.size(), PathOf(command), true};
}

WordPlace PlaceOf(const Command& command, const Word& word) {
  if (word.length == 0) return PlaceOf(command);
  return {command.offset + word.offset, word.length,
          fmt::format("{}/{}", PathOf(command), word.path), false};
}

WordPlace PlaceOf(const Command& command, const Record& record, const Word& word) {
  const bool is_fixed = record.host.layout == nullptr || record.host.layout == command.op->fixed;
  if (is_fixed && word.length == 0) return PlaceOf(command);
  if (record.host.layout == nullptr) return PlaceOf(command, word);
  const std::string path = is_fixed ? PathOf(command) : PathOf(command, record);
  if (word.length == 0) return {record.offset(), record.bytes.size(), path, true};
  std::string_view name = word.path;
  // A structure that its only field stands for has no member of that name.
  if (record.host.layout->plain) name.remove_prefix(std::min(name.find('/'), name.size() - 1) + 1);
  return {record.offset() + word.offset, word.length,
          name.empty() ? path : fmt::format("{}/{}", path, name), false};
}

bool IsPresent(const TailDesc& tail, const TailHost& host) {
  if (tail.condition == TailCondition::kAlways) return true;
  const uint32_t value = FieldU32(*host.layout, host.at, tail.condition_field);
  return tail.condition == TailCondition::kFieldEquals ? value == tail.condition_value
                                                       : (value & tail.condition_value) != 0;
}

// All products fit: 32-bit counts times sizes below 2^8, and 2 * 65535 + 2 vertices of a 32-bit size.
uint64_t TailSize(const TailDesc& tail, const TailHost& host) {
  if (!IsPresent(tail, host)) return 0;
  const uint64_t element_size = tail.element != nullptr ? tail.element->size : 1;
  switch (tail.counting) {
    case TailCount::kFixed:
      return tail.count * element_size;
    case TailCount::kFieldCount:
      return FieldU32(*host.layout, host.at, tail.count_field) * element_size;
    case TailCount::kFieldBytes:
      return FieldU32(*host.layout, host.at, tail.count_field);
    case TailCount::kVertices: {
      const uint64_t vertices = uint64_t{tail.vertex_mul} * host.count + tail.vertex_add;
      return vertices * host.vertex_size;
    }
  }
  return 0;
}

TailPart Tail(const TailHost& host, size_t index) {
  uint64_t before = 0;
  for (size_t i = 0; i < index; ++i)
    before += TailSize(host.op->tails[i], host);
  const TailDesc& tail = host.op->tails[index];
  const uint8_t* at = host.tails + before;
  TailPart part{.desc = &tail, .is_present = IsPresent(tail, host), .padding = {}, .bytes = {}};
  if (tail.counting == TailCount::kVertices) {
    part.padding = Bytes(at, VertexPadding(host.tails_offset + before));
    at += part.padding.size();
  }
  part.bytes = Bytes(at, static_cast<size_t>(TailSize(tail, host)));
  return part;
}

TailHost FixedTails(const Command& command, const Environment& environment) {
  const opcode::OpInfo& op = *command.op;
  const uint32_t start = op.header_size() + (op.fixed != nullptr ? op.fixed->size : 0);
  return {.op = &op,
          .layout = op.fixed,
          .at = FixedAt(command),
          .tails = command.bytes.data() + start,
          .tails_offset = command.offset + start,
          .vertex_size = environment.vertex_size,
          .count = command.count};
}

Record FixedRecord(const Command& command, const Environment& environment) {
  Record record;
  record.host = FixedTails(command, environment);
  record.bytes = command.bytes;
  return record;
}

RecordRange::Iterator RecordRange::begin() const {
  const opcode::OpInfo& op = *command_.op;
  Iterator iterator;
  iterator.token_ = command_.bytes.data();
  iterator.token_offset_ = command_.offset;
  iterator.count_ = op.RecordCount(command_.count);
  iterator.record_.host.op = &op;
  iterator.record_.host.layout = op.record;
  iterator.record_.host.vertex_size = vertex_size_;
  iterator.record_.host.count = command_.count;
  iterator.MoveTo(FixedAt(command_) + (op.fixed != nullptr ? op.fixed->size : 0));
  return iterator;
}

void RecordRange::Iterator::MoveTo(const uint8_t* at) {
  if (record_.index == count_) return;
  TailHost& host = record_.host;
  const uint32_t record_size = host.layout->size;
  host.at = at;
  host.tails = at + record_size;
  host.tails_offset = token_offset_ + static_cast<uint64_t>(host.tails - token_);
  uint64_t size = record_size;
  for (const TailDesc& tail : host.op->tails)
    size += TailSize(tail, host);
  record_.bytes = Bytes(at, static_cast<size_t>(size));
}

Record RecordAt(const Command& command, uint32_t index) {
  const opcode::OpInfo& op = *command.op;
  const size_t first = op.header_size() + (op.fixed != nullptr ? op.fixed->size : 0);
  const size_t begin = first + size_t{index} * op.record->size;
  Record record;
  record.index = index;
  record.bytes = command.bytes.subspan(begin, op.record->size);
  record.host = {.op = &op,
                 .layout = op.record,
                 .at = record.bytes.data(),
                 .tails = record.bytes.data() + record.bytes.size(),
                 .tails_offset = command.offset + begin + op.record->size,
                 .count = command.count};
  return record;
}

Bytes ListElements(const Command& command) {
  const opcode::OpInfo& op = *command.op;
  if (op.record == nullptr) return {};
  uint32_t skip = op.header_size() + (op.fixed != nullptr ? op.fixed->size : 0);
  if (op.first_record_field != opcode::kNoField) skip -= op.record->size;
  return command.bytes.subspan(skip);
}

}  // namespace dp2trace::stream
