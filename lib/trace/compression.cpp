#include "trace/compression.h"

#include <zstd.h>

#include <algorithm>
#include <bit>

namespace dp2trace::trace {
namespace {

constexpr int kMaxWindowLog = 27;  // 128 MiB: what zstd itself accepts by default

}  // namespace

void Compressor::Deleter::operator()(ZSTD_CCtx_s* context) const {
  ZSTD_freeCCtx(context);
}
void Decompressor::Deleter::operator()(ZSTD_DCtx_s* context) const {
  ZSTD_freeDCtx(context);
}

Compressor::Compressor(int level) : context_(ZSTD_createCCtx()) {
  ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_compressionLevel, std::clamp(level, 1, 19));
}

bool Compressor::Compress(Bytes raw, std::vector<uint8_t>& out) {
  const size_t before = out.size();
  out.resize(before + raw.size());
  const size_t size =
      ZSTD_compress2(context_.get(), out.data() + before, raw.size(), raw.data(), raw.size());
  const bool smaller = ZSTD_isError(size) == 0 && size < raw.size();
  out.resize(smaller ? before + size : before);
  return smaller;
}

Decompressor::Decompressor() : context_(ZSTD_createDCtx()) {}

bool Decompressor::Decompress(Bytes stored, std::span<uint8_t> out) {
  return ZSTD_decompressDCtx(context_.get(), out.data(), out.size(), stored.data(),
                             stored.size()) == out.size();
}

size_t Decompressor::DecompressCut(Bytes stored, std::span<uint8_t> out, uint64_t memory_limit) {
  // A streaming decoder keeps a window and about a block more.
  const int limit_log = static_cast<int>(std::bit_width(memory_limit / 2)) - 1;
  ZSTD_DCtx_reset(context_.get(), ZSTD_reset_session_and_parameters);
  ZSTD_DCtx_setParameter(context_.get(), ZSTD_d_windowLogMax,
                         std::clamp(limit_log, 10, kMaxWindowLog));
  ZSTD_inBuffer input = {stored.data(), stored.size(), 0};
  ZSTD_outBuffer output = {out.data(), out.size(), 0};
  while (output.pos < output.size) {
    const size_t consumed = input.pos;
    const size_t produced = output.pos;
    const size_t hint = ZSTD_decompressStream(context_.get(), &output, &input);
    if (ZSTD_isError(hint) != 0 || hint == 0) break;
    if (input.pos == consumed && output.pos == produced) break;
  }
  ZSTD_DCtx_reset(context_.get(), ZSTD_reset_session_and_parameters);
  return output.pos;
}

size_t DecompressRuns(Bytes stored, std::span<uint8_t> out) {
  constexpr size_t kWord = 4;
  constexpr uint8_t kRun = 128;
  size_t done = 0;
  const auto take = [&](size_t size) {
    const Bytes taken = stored.first(std::min(size, stored.size()));
    stored = stored.subspan(taken.size());
    return taken;
  };
  while (out.size() - done >= kWord && !stored.empty()) {
    const uint8_t control = take(1)[0];
    const bool is_run = control >= kRun;
    const size_t count = is_run ? control - (kRun - 2) : size_t{control} + 1;
    const Bytes words = take(is_run ? kWord : kWord * count);
    const size_t times = is_run ? count : 1;
    if (words.size() < kWord || words.size() * times > out.size() - done) return done;
    for (size_t i = 0; i < times; ++i, done += words.size())
      std::ranges::copy(words, out.begin() + static_cast<ptrdiff_t>(done));
    if (!is_run && words.size() != kWord * count) return done;
  }
  if (out.size() - done < kWord) {
    const Bytes rest = take(out.size() - done);
    std::ranges::copy(rest, out.begin() + static_cast<ptrdiff_t>(done));
    done += rest.size();
  }
  return done == out.size() && !stored.empty() ? 0 : done;
}

}  // namespace dp2trace::trace
