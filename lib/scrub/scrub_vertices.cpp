#include "scrub/scrub_vertices.h"

#include <algorithm>
#include <bit>
#include <unordered_map>

#include "base/bytes.h"

namespace dp2trace::scrub {
namespace {

constexpr uint32_t kMantissa = 0x007FFFFF;
constexpr uint32_t kExponent = 0x7F800000;
// Below 2^-40 a word is not a float of a vertex but small bytes: indices of matrices, or a colour that is nearly transparent.
constexpr uint32_t kSmallestExponent = (127U - 40) << 23;
constexpr size_t kMostWords = size_t{1} << 22;  // different ones that are remembered

bool IsCommon(uint32_t word) {
  constexpr uint32_t kOne = 0x3F800000;
  constexpr uint32_t kSign = 0x80000000;
  return word == 0 || word == kSign || word == kOne || word == (kOne | kSign) ||
         (word & ~kSign) == kExponent || word == 0xFF000000 || word == 0xFFFFFFFF;
}

uint32_t ScrubSmallBytes(uint32_t word, uint32_t random) {
  uint32_t result = word & 0xFF000000;  // whatever it is, it stays below 2^-40
  for (uint32_t shift = 0; shift < 24; shift += 8) {
    const uint32_t byte = word >> shift & 0xFF;
    if (byte == 0) continue;
    const uint32_t top = std::bit_floor(byte);
    result |= (top | (random >> shift & (top - 1))) << shift;
  }
  return result;
}

uint32_t ScrubWord(uint32_t word, uint32_t random) {
  if ((word & kExponent) < kSmallestExponent) return ScrubSmallBytes(word, random);
  // Never a whole power of two: those among them that are common stay what they are.
  return (word & ~kMantissa) | (random & kMantissa) | 1;
}

}  // namespace

void ScrubVertices(const Noise& noise, uint64_t first, std::span<uint8_t> bytes) {
  std::unordered_map<uint32_t, uint32_t> replacements;
  const auto replace = [&](uint32_t word, uint64_t place) {
    if (IsCommon(word)) return word;
    const auto found = replacements.find(word);
    if (found != replacements.end()) return found->second;
    const uint32_t result = ScrubWord(word, static_cast<uint32_t>(noise.At(place) >> 32));
    if (replacements.size() < kMostWords) replacements.emplace(word, result);
    return result;
  };
  // Words lie as in the buffer; what is cut off at either end is filled up with 0.
  const size_t lead = std::min<size_t>((4 - first % 4) % 4, bytes.size());
  const auto part = [&](size_t at, size_t size) {
    uint32_t word = 0;
    std::copy_n(bytes.begin() + static_cast<ptrdiff_t>(at), size,
                reinterpret_cast<uint8_t*>(&word));
    word = ScrubSmallBytes(word, static_cast<uint32_t>(noise.At(first + at)));
    std::copy_n(reinterpret_cast<const uint8_t*>(&word), size,
                bytes.begin() + static_cast<ptrdiff_t>(at));
  };
  if (lead != 0) part(0, lead);
  size_t at = lead;
  for (; at + 4 <= bytes.size(); at += 4)
    Store(bytes.data() + at, replace(LoadU32(bytes.data() + at), first + at));
  if (at < bytes.size()) part(at, bytes.size() - at);
}

}  // namespace dp2trace::scrub
