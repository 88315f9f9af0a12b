// Compression of the pixels that files other than PNG hold, too.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/bytes.h"

struct libdeflate_compressor;

namespace dp2trace::image {

// Keeps what a compressor needs from one call to the next: for many small pieces. Not thread-safe.
class Deflater {
 public:
  explicit Deflater(int level);  // that of libdeflate, 1 to 12
  // As Deflate(); until the next call.
  Bytes Deflate(Bytes bytes);

 private:
  struct Free {
    void operator()(libdeflate_compressor* compressor) const;
  };
  std::unique_ptr<libdeflate_compressor, Free> compressor_;
  std::unique_ptr<uint8_t[]> out_;
  size_t capacity_ = 0;
};

// As a zlib stream (RFC 1950). `level` is that of libdeflate, 1 to 12. Empty when memory runs out.
std::vector<uint8_t> Deflate(Bytes bytes, int level);

}  // namespace dp2trace::image
