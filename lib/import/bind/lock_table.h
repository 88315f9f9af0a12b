// Memory that a program holds through locks: which recorded copy belongs to which lock.
// Source: lib/import/captures.md (memcpy records).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/allowance.h"
#include "base/bytes.h"
#include "runtime/core/area_update.h"

namespace dp2trace::import {

// Bytes that the program wrote, `offset` bytes after the pointer that the lock returned.
using LockWrite = runtime::MemoryWrite;

// What is locked: an object and a part of it (face and level, or 0).
struct LockKey {
  uint64_t object = 0;
  uint32_t part = 0;
  auto operator<=>(const LockKey&) const = default;
};

class LockTable {
 public:
  explicit LockTable(std::shared_ptr<Allowance> allowance = std::make_shared<Allowance>())
      : allowance_(std::move(allowance)) {}

  // A lock returned `size` bytes at `pointer`. A lock that is still open for the key is dropped.
  void Open(const LockKey& key, uint64_t pointer, uint64_t size);
  // The same for memory whose place the capture does not say. The next copy that no other lock takes, and that fits, is its.
  void OpenAnywhere(const LockKey& key, uint64_t size);
  // A recorded copy. It belongs to the lock that starts at the destination, else to one around it; where several do (rectangles of one
  // surface), to the one that takes most of it, then to the smallest. What sticks out after the lock is cut off. False when no open lock
  // holds the destination, or the allowance is exceeded.
  bool Write(uint64_t pointer, Bytes bytes);
  // What was written, in order; none when the key has no open lock.
  std::optional<std::vector<LockWrite>> Close(const LockKey& key);

  // Locks of a buffer nest. Returns the number of the lock among those that are open, from 0 on: its part.
  uint32_t OpenNested(uint64_t object, uint64_t pointer, uint64_t size);
  struct PartWrite {
    uint32_t part = 0;
    uint64_t serial = 0;
    LockWrite write;
  };
  // Ends one of the nested locks: which one is not known. What was written through any of them since the last end, in order. Their
  // memory is followed until as many have ended as were begun. Nothing when none is open.
  std::vector<PartWrite> CloseNested(uint64_t object);
  bool IsNestOpen(uint64_t object) const { return nests_.contains(object); }

 private:
  struct OpenLock {
    uint64_t pointer = 0;
    uint64_t size = 0;
    std::vector<LockWrite> writes;
    std::vector<uint64_t> serials;  // of the writes
    uint64_t held = 0;              // bytes of the writes and of the lock
    bool is_anywhere = false;       // `pointer` is not known yet
  };
  OpenLock* FindAnywhere(uint64_t size);
  OpenLock* Find(uint64_t pointer, uint64_t size);
  std::vector<PartWrite> Take(uint64_t object);
  void Drop(std::map<LockKey, OpenLock>::iterator lock);

  std::shared_ptr<Allowance> allowance_;
  std::map<LockKey, OpenLock> open_;
  std::map<uint64_t, uint32_t> nests_;  // locks that are open, by object
  uint64_t write_count_ = 0;
};

}  // namespace dp2trace::import
