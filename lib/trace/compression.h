// What makes chunks smaller: zstd with its buffers kept between calls, and the runs of recorders.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/bytes.h"

struct ZSTD_CCtx_s;
struct ZSTD_DCtx_s;

namespace dp2trace::trace {

class Compressor {
 public:
  explicit Compressor(int level);
  // Appends the compressed bytes to `out`; false (and `out` as before) when they would not be fewer than raw.size().
  bool Compress(Bytes raw, std::vector<uint8_t>& out);

 private:
  struct Deleter {
    void operator()(ZSTD_CCtx_s* context) const;
  };
  std::unique_ptr<ZSTD_CCtx_s, Deleter> context_;
};

class Decompressor {
 public:
  Decompressor();
  // Fills `out` exactly; false when the data is malformed or of another size.
  bool Decompress(Bytes stored, std::span<uint8_t> out);
  // Decompresses what there is of a frame that was cut off; returns the bytes that are known. Takes at most about
  // `memory_limit` bytes beside `out`, and returns 0 where the frame needs more.
  size_t DecompressCut(Bytes stored, std::span<uint8_t> out, uint64_t memory_limit);

 private:
  struct Deleter {
    void operator()(ZSTD_DCtx_s* context) const;
  };
  std::unique_ptr<ZSTD_DCtx_s, Deleter> context_;
};

// Fills `out` with words of 4 bytes: after a byte n of 0 to 127 n + 1 of them follow, after one of 128 to 255 one that stands n - 126 times;
// what is no whole word stands at the end, as it is. Returns how many bytes are known: all, unless `stored` is cut, malformed or of another size.
size_t DecompressRuns(Bytes stored, std::span<uint8_t> out);

}  // namespace dp2trace::trace
