// What the whole of a trace may cost: in steps, --max-steps, and in bytes of surfaces, --max-surface-memory. A small file can ask for any amount
// of both: it holds millions of events once it is decompressed, one token can make the device walk through all that it has, and a clear fills
// gigabytes.
// Source: lib/design.md 4 (limits with a named option and a finding).
#pragma once

#include <cstdint>
#include <optional>

#include "base/file_measure.h"

namespace dp2trace::device {

// A blit has a step for 4 pixels. The rest has a price so that 7 steps take a nanosecond at most: 20 seconds are the budget of a file of
// a megabyte.
inline constexpr uint64_t kEventSteps = 1U << 14;
inline constexpr uint64_t kTokenSteps = 1U << 10;
inline constexpr uint64_t kCommandByteSteps = 1U << 5;
// Of each value that a state block captures or sets.
inline constexpr uint64_t kStateSteps = 1U << 9;
// Of each context that one event or token looks at.
inline constexpr uint64_t kContextSteps = 1U << 10;
inline constexpr uint64_t kNewContextSteps = 1U << 17;
// Of each index of a draw whose range is looked for.
inline constexpr uint64_t kIndexSteps = 1U << 1;

inline constexpr uint64_t kFindingSteps = 1U << 16;
inline constexpr uint64_t kPictureSteps = 1U << 22;      // of each picture that is made,
inline constexpr uint64_t kPicturePixelSteps = 1U << 9;  // and of each of its pixels
// Of each frame whose numbers are kept until the end.
inline constexpr uint64_t kFrameRowSteps = 1U << 19;
// Of each step of a draw (raster::Options), by what draws it, and of one of a clear.
inline constexpr uint64_t kReferenceStepSteps = 5U << 8;
inline constexpr uint64_t kFastStepSteps = 3U << 3;
inline constexpr uint64_t kClearStepSteps = 1U << 5;
// Of each operation of a program that is made for a draw, and of each that is compiled for it.
inline constexpr uint64_t kOperationSteps = 1U << 6;
inline constexpr uint64_t kCompiledOperationSteps = 1U << 11;

// The budget of a trace whose file has so many bytes: hundreds of times what traces of programs take.
constexpr uint64_t StepsFor(std::optional<uint64_t> file_bytes) {
  return ForEachByte(uint64_t{1} << 17, file_bytes);
}

// The most bytes of all surfaces together of a trace whose file has so many bytes. No program of 32 bits had 4 GiB; the file of one that
// comes near holds textures, hundreds of times the rest. A file of unknown size gets all of it.
constexpr uint64_t SurfaceBytesFor(std::optional<uint64_t> file_bytes) {
  constexpr uint64_t kBase = uint64_t{5} << 25;
  constexpr uint64_t kPerByte = uint64_t{1} << 5;
  constexpr uint64_t kMost = uint64_t{1} << 32;
  const uint64_t bytes = file_bytes.value_or(kMost);
  return bytes < (kMost - kBase) / kPerByte ? kBase + kPerByte * bytes : kMost;
}

}  // namespace dp2trace::device
