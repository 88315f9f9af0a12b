// Compression of the pixels that files other than PNG hold, too.
#pragma once

#include <cstdint>
#include <vector>

#include "base/bytes.h"

namespace dp2trace::image {

// As a zlib stream (RFC 1950). `level` is that of libdeflate, 1 to 12. Empty when memory runs out.
std::vector<uint8_t> Deflate(Bytes bytes, int level);

}  // namespace dp2trace::image
