// Containers for fuzzing: hashes would stop every changed byte, so they are made to fit.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/bytes.h"
#include "base/hash.h"
#include "trace/container.h"

namespace dp2trace::testing {

// Gives every chunk the sync marker and the hashes that its bytes have.
inline void FixHashes(std::vector<uint8_t>& file) {
  if (file.size() < trace::kFileHeaderSize) return;
  trace::EncodeFileHeader(trace::Version{}, std::span(file).first<trace::kFileHeaderSize>());
  size_t at = trace::kFileHeaderSize;
  while (file.size() - at >= trace::kChunkHeaderSize) {
    uint8_t* header = file.data() + at;
    std::ranges::copy(trace::kSyncMarker, header);
    const size_t stored =
        std::min<size_t>(LoadU32(header + 28), file.size() - at - trace::kChunkHeaderSize);
    Store(header + 32, Xxh3_64({header + trace::kChunkHeaderSize, stored}));
    Store(header + 40, Xxh3_64({header, 40}));
    at += trace::kChunkHeaderSize + stored;
  }
}

}  // namespace dp2trace::testing
