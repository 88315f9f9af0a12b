// Writes tokens as the operation table lays them out.
// Source: lib/opcode/dp2.md 2; tests/data/dp2-ops.json.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/bytes.h"
#include "opcode/opcode.h"

namespace dp2trace::runtime {

// The bits of a float, as a token carries them.
constexpr uint32_t Bits(float value) {
  return std::bit_cast<uint32_t>(value);
}
constexpr uint32_t Bits(int32_t value) {
  return static_cast<uint32_t>(value);
}

// The words as they lie in a token.
std::vector<uint8_t> BytesOfWords(std::span<const uint32_t> words);

// Number of values (array elements counted singly) of a structure; 0 for null.
uint32_t ValueCount(const opcode::StructDesc* layout);
// Appends a structure: one value per field element, in order, each cut to the width of its field.
void AppendStructure(const opcode::StructDesc& layout, std::span<const uint32_t> values,
                     std::vector<uint8_t>& out);

// The tokens of one call.
class TokenBuffer {
 public:
  Bytes bytes() const { return bytes_; }
  bool empty() const { return bytes_.empty(); }
  void clear();

  // See Recorder::Token. False, and nothing appended, when the number of values does not fit the operation.
  bool Append(opcode::Op op, std::span<const uint32_t> values, Bytes tail,
              std::optional<uint16_t> count);

 private:
  bool MergeInto(const opcode::OpInfo& info, std::span<const uint32_t> values);

  std::vector<uint8_t> bytes_;
  std::optional<size_t> last_;  // position of the last token
};

}  // namespace dp2trace::runtime
