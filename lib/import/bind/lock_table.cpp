#include "import/bind/lock_table.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace dp2trace::import {

void LockTable::Drop(std::map<LockKey, OpenLock>::iterator lock) {
  pending_ -= lock->second.pending;
  open_.erase(lock);
}

void LockTable::Open(const LockKey& key, uint64_t pointer, uint64_t size) {
  const auto found = open_.find(key);
  if (found != open_.end()) Drop(found);
  open_[key] = {pointer, size, {}, 0, false};
}

void LockTable::OpenAnywhere(const LockKey& key, uint64_t size) {
  Open(key, 0, size);
  open_[key].is_anywhere = true;
}

// The lock whose memory is of this size, else the smallest that is larger.
LockTable::OpenLock* LockTable::FindAnywhere(uint64_t size) {
  OpenLock* best = nullptr;
  for (auto& [key, lock] : open_) {
    if (lock.is_anywhere && lock.size >= size && (best == nullptr || lock.size < best->size))
      best = &lock;
  }
  return best;
}

LockTable::OpenLock* LockTable::Find(uint64_t pointer, uint64_t size) {
  OpenLock* best = nullptr;
  // Less is better: not at the start, bytes cut off, size of the lock.
  std::tuple<bool, uint64_t, uint64_t> best_rank;
  for (auto& [key, lock] : open_) {
    if (lock.is_anywhere || pointer < lock.pointer || pointer - lock.pointer >= lock.size) continue;
    const uint64_t room = lock.size - (pointer - lock.pointer);
    const std::tuple<bool, uint64_t, uint64_t> rank = {pointer != lock.pointer,
                                                       size - std::min(size, room), lock.size};
    if (best != nullptr && rank >= best_rank) continue;
    best = &lock;
    best_rank = rank;
  }
  return best;
}

bool LockTable::Write(uint64_t pointer, Bytes bytes) {
  OpenLock* lock = Find(pointer, bytes.size());
  OpenLock* const anywhere = FindAnywhere(bytes.size());
  // Memory around that a lock of long ago still holds gives way to memory of just this size.
  const bool is_better = anywhere != nullptr && anywhere->size == bytes.size() &&
                         (lock == nullptr || lock->pointer != pointer);
  if (is_better || lock == nullptr) lock = anywhere;
  if (lock == nullptr) return false;
  if (lock->is_anywhere) {
    lock->pointer = pointer;
    lock->is_anywhere = false;
  }
  const uint64_t offset = pointer - lock->pointer;
  const auto size = static_cast<size_t>(std::min<uint64_t>(bytes.size(), lock->size - offset));
  if (size > max_pending_ || pending_ > max_pending_ - size) return false;
  lock->writes.push_back(
      {offset, {bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)}});
  lock->pending += size;
  pending_ += size;
  return true;
}

std::optional<std::vector<LockWrite>> LockTable::Close(const LockKey& key) {
  const auto found = open_.find(key);
  if (found == open_.end()) return std::nullopt;
  std::vector<LockWrite> writes = std::move(found->second.writes);
  Drop(found);
  return writes;
}

}  // namespace dp2trace::import
