// XXH3 hashes of byte arrays.
#pragma once

#include <cstdint>
#include <string>

#include "base/bytes.h"

namespace dp2trace {

uint64_t Xxh3_64(Bytes bytes, uint64_t seed = 0);
// Canonical form: 32 lower-case hex digits.
std::string Xxh3_128(Bytes bytes);

}  // namespace dp2trace
