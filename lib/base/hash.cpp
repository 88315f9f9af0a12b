#include "base/hash.h"

#include <xxhash.h>

namespace dp2trace {

uint64_t Xxh3_64(Bytes bytes, uint64_t seed) { return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed); }

std::string Xxh3_128(Bytes bytes) {
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, XXH3_128bits(bytes.data(), bytes.size()));
  return ToHex(Bytes(canonical.digest, sizeof canonical.digest));
}

}  // namespace dp2trace
