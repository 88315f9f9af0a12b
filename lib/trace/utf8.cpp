#include "trace/utf8.h"

#include <cstdint>
#include <cstring>

#include "base/plain_text.h"

namespace dp2trace::trace {
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
    const size_t size = Utf8Length(text);
    if (size == 0) return false;
    text.remove_prefix(size);
  }
  return true;
}

}  // namespace dp2trace::trace
