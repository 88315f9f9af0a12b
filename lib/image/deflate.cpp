#include "image/deflate.h"

#include <libdeflate.h>

namespace dp2trace::image {

void Deflater::Free::operator()(libdeflate_compressor* compressor) const {
  libdeflate_free_compressor(compressor);
}

Deflater::Deflater(int level) : compressor_(libdeflate_alloc_compressor(level)) {}

Bytes Deflater::Deflate(Bytes bytes) {
  if (!compressor_) return {};
  const size_t bound = libdeflate_zlib_compress_bound(compressor_.get(), bytes.size());
  if (bound > capacity_) {
    out_ = std::make_unique_for_overwrite<uint8_t[]>(bound);
    capacity_ = bound;
  }
  return {out_.get(), libdeflate_zlib_compress(compressor_.get(), bytes.data(), bytes.size(),
                                               out_.get(), capacity_)};
}

std::vector<uint8_t> Deflate(Bytes bytes, int level) {
  Deflater deflater(level);
  const Bytes out = deflater.Deflate(bytes);
  return {out.begin(), out.end()};
}

}  // namespace dp2trace::image
