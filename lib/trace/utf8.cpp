#include "trace/utf8.h"

#include <cstdint>
#include <cstring>

namespace dp2trace::trace {
namespace {

// Bytes of the well-formed sequence at the start of `text`, which is not empty; 0 = malformed.
size_t SequenceSize(std::string_view text) {
  const auto byte = [&](size_t i) {
    return i < text.size() ? static_cast<uint8_t>(text[i]) : uint8_t{0};
  };
  const auto tail = [&](size_t i) { return (byte(i) & 0xC0) == 0x80; };
  const uint8_t lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead < 0xC2 || lead > 0xF4) return 0;
  if (lead < 0xE0) return tail(1) ? 2 : 0;
  const uint8_t second = byte(1);
  if (lead < 0xF0) {
    if ((lead == 0xE0 && second < 0xA0) || (lead == 0xED && second > 0x9F)) return 0;
    return tail(1) && tail(2) ? 3 : 0;
  }
  if ((lead == 0xF0 && second < 0x90) || (lead == 0xF4 && second > 0x8F)) return 0;
  return tail(1) && tail(2) && tail(3) ? 4 : 0;
}

}  // namespace

bool IsUtf8(std::string_view text) {
  constexpr uint64_t kHighBits = 0x8080808080808080;
  while (!text.empty()) {
    // Mostly ASCII: eight bytes at a time.
    uint64_t bytes = kHighBits;
    if (text.size() >= sizeof(bytes)) std::memcpy(&bytes, text.data(), sizeof(bytes));
    if ((bytes & kHighBits) == 0) {
      text.remove_prefix(sizeof(bytes));
      continue;
    }
    const size_t size = SequenceSize(text);
    if (size == 0) return false;
    text.remove_prefix(size);
  }
  return true;
}

}  // namespace dp2trace::trace
