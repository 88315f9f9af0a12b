// What a program wrote through a lock, as surface_update events.
// Source: lib/design.md 3; lib/opcode/dp2.md 13.5 (rows and blocks).
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "d3d/formats.h"
#include "runtime/core/recorder.h"

namespace dp2trace::runtime {

inline constexpr uint32_t kCubeFaceCount = 6;
inline constexpr uint32_t kLockNoDirtyUpdate = 0x10000;  // DDLOCK_NODIRTYUPDATE

// Bytes written `offset` bytes after the pointer that a lock returned.
struct MemoryWrite {
  uint64_t offset = 0;
  std::vector<uint8_t> bytes;
};

// A locked area of one level. The pointer of the lock is the first block of the area's first row.
struct LockedArea {
  uint32_t space = 0;
  uint32_t handle = 0;
  uint32_t face = 0;
  uint32_t level = 0;
  d3d::Box box;           // right, bottom and back exclusive, in pixels
  bool is_whole = false;  // the area is the whole level
  bool is_volume = false;
  uint32_t pitch = 0;                       // bytes from row to row of what the program wrote
  uint32_t slice_pitch = 0;                 // of a volume
  uint32_t flags = 0;                       // of the lock, DDLOCK bits
  const d3d::FormatInfo* format = nullptr;  // null: unknown, nothing is recorded
};

// Hands out the writes as updates, in order. Rows that a write covers whole become one; a part of a row one of its own, without the
// blocks that the write cuts.
void SplitWrites(const LockedArea& area, std::span<const MemoryWrite> writes,
                 const std::function<void(const trace::SurfaceUpdate& update)>& send);
// The same for the bytes from `lock_offset` on of a buffer.
void RecordBufferWrites(Recorder& recorder, uint32_t space, uint32_t handle, uint64_t lock_offset,
                        uint64_t buffer_size, uint32_t flags, std::span<const MemoryWrite> writes);

}  // namespace dp2trace::runtime
