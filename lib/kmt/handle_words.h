// Where a DP2 stream names surfaces, and what the patch entry of such a word must say.
// Source: lib/kmt/packets.md 6.5 and 6.6 (conventions of this tool, not of Windows).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "base/bytes.h"

namespace dp2trace::kmt {

enum class Access : uint8_t {
  kRead,
  kWrite,
  kReadWrite,
  kManage,     // no data access by this token
  kBindRead,   // later tokens read
  kBindWrite,  // later tokens write
};

// True when the packet must list the allocation with WriteOperation.
constexpr bool IsWrite(Access access) {
  return access == Access::kWrite || access == Access::kReadWrite || access == Access::kBindWrite;
}

enum class WordRepeat : uint8_t { kOnce, kEach };
enum class SlotSelect : uint8_t { kFixed, kStage, kStream, kTarget };
enum class ZeroHandle : uint8_t { kForbidden, kAllowed };
enum class WordCondition : uint8_t { kAlways, kTextureHandleState, kTextureMapState };

// A row of handle_words.def.
struct HandleWordDesc {
  uint8_t op;
  std::string_view op_name;
  uint16_t element_size;  // bytes
  WordRepeat repeat;
  uint16_t at;  // bytes into the element
  std::string_view field;
  uint8_t operand;
  Access access;
  uint8_t slot_base;
  SlotSelect slot_select;
  ZeroHandle zero;
  WordCondition condition;
};

std::span<const HandleWordDesc> AllHandleWords();
// The rows of one operation, in word order; empty for an operation without handle words.
std::span<const HandleWordDesc> HandleWordsOf(uint8_t op);

// One handle word of a token.
struct HandleWord {
  const HandleWordDesc* desc = nullptr;
  uint32_t element = 0;          // index of the element in the token
  uint64_t offset = 0;           // bytes from the start of the token, command header included
  uint32_t value = 0;            // the DP2 surface handle
  std::optional<uint32_t> slot;  // SlotId; none when wStage, dwStream or RTIndex has no slot

  // DriverId of the word's patch entry.
  uint32_t driver_id() const { return desc->op | uint32_t{desc->operand} << 8 | element << 16; }
};

// Walks the handle words of one framed token, command header included. Words beyond the end of `token` are not visited.
class HandleWordCursor {
 public:
  explicit HandleWordCursor(Bytes token);
  // The next word in the order of the stream, or false.
  bool Next(HandleWord& word);

 private:
  Bytes token_;
  std::span<const HandleWordDesc> descs_;
  uint32_t elements_ = 0;
  uint32_t element_ = 0;
  size_t row_ = 0;
};

// The smallest MaxAllocationListSlotId of an adapter that carries DP2.
inline constexpr uint32_t kMinimumMaxSlotId = 96;

}  // namespace dp2trace::kmt
