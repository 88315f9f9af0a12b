// Memory that a program holds through locks: which recorded copy belongs to which lock.
// Source: corpus/README.md (memcpy records).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "base/bytes.h"
#include "runtime/core/area_update.h"

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
  explicit LockTable(uint64_t max_pending = uint64_t{1} << 30) : max_pending_(max_pending) {}

  // A lock returned `size` bytes at `pointer`. A lock that is still open for the key is dropped.
  void Open(const LockKey& key, uint64_t pointer, uint64_t size);
  // The same for memory whose place the capture does not say. The next copy that no other lock takes, and that fits, is its.
  void OpenAnywhere(const LockKey& key, uint64_t size);
  // A recorded copy. It belongs to the lock that starts at the destination, else to one around it; where several do (rectangles of one
  // surface), to the one that takes most of it, then to the smallest. What sticks out behind the lock is cut off. False when no open lock
  // holds the destination, or the open locks hold more than `max_pending` bytes already.
  bool Write(uint64_t pointer, Bytes bytes);
  // What was written, in order; none when the key has no open lock.
  std::optional<std::vector<LockWrite>> Close(const LockKey& key);

 private:
  struct OpenLock {
    uint64_t pointer = 0;
    uint64_t size = 0;
    std::vector<LockWrite> writes;
    uint64_t pending = 0;      // bytes of the writes
    bool is_anywhere = false;  // `pointer` is not known yet
  };
  OpenLock* FindAnywhere(uint64_t size);
  OpenLock* Find(uint64_t pointer, uint64_t size);
  void Drop(std::map<LockKey, OpenLock>::iterator lock);

  std::map<LockKey, OpenLock> open_;
  uint64_t max_pending_;
  uint64_t pending_ = 0;  // bytes of all writes
};

}  // namespace dp2trace::import
