// Base64 (RFC 4648, with padding), strict: one text per byte array.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"

namespace dp2trace::json {

void AppendBase64(Bytes bytes, std::string& out);

// Bytes that a well-formed text of this length can hold at most.
constexpr size_t MaxDecodedBase64Size(size_t text_size) {
  return text_size / 4 * 3;
}

// Decodes into `out`, which has room for MaxDecodedBase64Size(text.size()) bytes. Returns the number of bytes in `size`; false where
// the length is not a multiple of 4, a character is foreign, padding is misplaced or unused bits are set.
bool DecodeBase64(std::string_view text, uint8_t* out, size_t& size);

}  // namespace dp2trace::json
