// Memory that a program holds through locks: which recorded copy belongs to which lock.
// Source: corpus/README.md (memcpy records).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "base/bytes.h"
#include "runtime/area_update.h"

namespace dp2trace::import {

// Bytes that the program wrote, `offset` bytes behind the pointer that the lock returned.
using LockWrite = runtime::MemoryWrite;

// What is locked: an object and a part of it (face and level, or 0).
struct LockKey {
  uint64_t object = 0;
  uint32_t part = 0;
  auto operator<=>(const LockKey&) const = default;
};

class LockTable {
 public:
  // A lock returned `size` bytes at `pointer`. A lock that is still open for the key is dropped.
  void Open(const LockKey& key, uint64_t pointer, uint64_t size);
  // A recorded copy. False when no open lock holds the destination. What sticks out behind the lock is cut off.
  bool Write(uint64_t pointer, Bytes bytes);
  // What was written, in order; none when the key has no open lock.
  std::optional<std::vector<LockWrite>> Close(const LockKey& key);

 private:
  struct OpenLock {
    uint64_t pointer = 0;
    uint64_t size = 0;
    std::vector<LockWrite> writes;
  };
  std::map<LockKey, OpenLock> open_;
};

}  // namespace dp2trace::import
