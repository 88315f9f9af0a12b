#include "support/stream_generator.h"

#include <algorithm>

#include "stream/records.h"

namespace dp2trace::testing {
namespace {

using opcode::OpInfo;
using opcode::StructDesc;
using opcode::TailCondition;
using opcode::TailCount;
using opcode::TailDesc;

void StoreField(const StructDesc& layout, size_t index, uint32_t value,
                std::vector<uint8_t>& bytes) {
  uint8_t* const at = bytes.data() + opcode::FieldOffset(layout, index);
  std::copy_n(reinterpret_cast<const uint8_t*>(&value), layout.fields[index].size(), at);
}

std::vector<uint8_t> RandomBytes(Random& random, size_t size) {
  std::vector<uint8_t> bytes(size);
  for (uint8_t& byte : bytes)
    byte = random.Byte();
  return bytes;
}

// A structure whose length-deciding fields hold small, legal values.
std::vector<uint8_t> RandomHost(Random& random, const OpInfo& op, const StructDesc& layout,
                                const StreamOptions& options) {
  std::vector<uint8_t> bytes = RandomBytes(random, layout.size);
  for (const TailDesc& tail : op.tails) {
    if (tail.counting == TailCount::kFieldCount || tail.counting == TailCount::kFieldBytes) {
      StoreField(layout, tail.count_field, random.Below(options.max_elements + 1), bytes);
    }
    if (tail.condition == TailCondition::kFieldEquals && random.OneIn(2)) {
      StoreField(layout, tail.condition_field, tail.condition_value, bytes);
    }
  }
  if (op.check != nullptr) {
    const uint32_t value = stream::FieldU32(layout, bytes.data(), op.check->field);
    StoreField(layout, op.check->field, (value & ~op.check->mask) | op.check->value, bytes);
  }
  return bytes;
}

void AppendTails(Random& random, const stream::TailHost& host, stream::Encoder& encoder) {
  for (const TailDesc& tail : host.op->tails) {
    if (tail.counting == TailCount::kVertices) encoder.Padding(RandomBytes(random, 3));
    encoder.Raw(RandomBytes(random, static_cast<size_t>(stream::TailSize(tail, host))));
  }
}

// The count decides about no length: any value will do, extremes included.
uint16_t RandomCount(Random& random, const OpInfo& op, const StreamOptions& options) {
  const bool has_vertices = !op.tails.empty() && op.tails[0].counting == TailCount::kVertices;
  if (op.record == nullptr && !has_vertices) return static_cast<uint16_t>(random.U32());
  return static_cast<uint16_t>(random.Below(options.max_records + 1));
}

}  // namespace

void AppendRandomCommand(Random& random, const OpInfo& op, const StreamOptions& options,
                         const stream::Environment& environment, stream::Encoder& encoder) {
  const uint16_t count = RandomCount(random, op, options);
  const bool is_reserved = options.reserved_one_in != 0 && random.OneIn(options.reserved_one_in);
  encoder.Header(static_cast<uint8_t>(op.op), is_reserved ? random.Byte() : uint8_t{0}, count);

  stream::TailHost host{.op = &op, .vertex_size = environment.vertex_size, .count = count};
  if (op.fixed != nullptr) {
    const bool is_host = op.record == nullptr;
    const std::vector<uint8_t> bytes =
        is_host ? RandomHost(random, op, *op.fixed, options) : RandomBytes(random, op.fixed->size);
    encoder.Raw(bytes);
    host.layout = op.fixed;
    host.at = bytes.data();
    if (is_host) AppendTails(random, host, encoder);
    if (is_host) return;
  }
  if (op.record == nullptr) {
    AppendTails(random, host, encoder);
    return;
  }
  for (uint32_t i = 0; i < op.RecordCount(count); ++i) {
    const std::vector<uint8_t> bytes = RandomHost(random, op, *op.record, options);
    encoder.Raw(bytes);
    host.layout = op.record;
    host.at = bytes.data();
    AppendTails(random, host, encoder);
  }
}

std::vector<uint8_t> RandomStream(Random& random, const stream::Environment& environment,
                                  const StreamOptions& options) {
  std::vector<uint8_t> out;
  stream::Encoder encoder(out, environment);
  const std::span<const OpInfo> all = opcode::AllOps();
  for (uint32_t i = 0; i < options.commands;) {
    const size_t choices = options.only.empty() ? all.size() : options.only.size();
    const uint32_t choice = random.Below(static_cast<uint32_t>(choices));
    const OpInfo& op = options.only.empty() ? all[choice] : opcode::Info(options.only[choice]);
    if (op.direction != opcode::Direction::kToDriver) continue;
    AppendRandomCommand(random, op, options, environment, encoder);
    ++i;
  }
  return out;
}

stream::Environment RandomEnvironment(Random& random) {
  stream::Environment environment;
  environment.command_offset = random.OneIn(2) ? 0 : random.Below(4096);
  environment.vertex_size = random.OneIn(8) ? random.Below(65) : 4 * random.Below(17);
  return environment;
}

void Mutate(Random& random, uint32_t edits, std::vector<uint8_t>& bytes) {
  for (uint32_t i = 0; i < edits && !bytes.empty(); ++i) {
    const size_t at = random.Below(static_cast<uint32_t>(bytes.size()));
    const auto place = bytes.begin() + static_cast<std::ptrdiff_t>(at);
    switch (random.Below(5)) {
      case 0:
        bytes[at] ^= static_cast<uint8_t>(1u << random.Below(8));
        break;
      case 1:
        bytes[at] = random.OneIn(2) ? 0xFF : 0x00;
        break;
      case 2:
        bytes[at] = random.Byte();
        break;
      case 3:
        bytes.insert(place, random.Byte());
        break;
      case 4: {
        const size_t count = std::min<size_t>(bytes.size() - at, random.Below(6));
        bytes.erase(place, place + static_cast<std::ptrdiff_t>(count));
        break;
      }
      default:
        break;
    }
  }
}

}  // namespace dp2trace::testing
