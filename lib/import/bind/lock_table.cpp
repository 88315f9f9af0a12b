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
  open_[key] = {pointer, size, {}, 0};
}

LockTable::OpenLock* LockTable::Find(uint64_t pointer, uint64_t size) {
  OpenLock* best = nullptr;
  // Less is better: not at the start, bytes cut off, size of the lock.
  std::tuple<bool, uint64_t, uint64_t> best_rank;
  for (auto& [key, lock] : open_) {
    if (pointer < lock.pointer || pointer - lock.pointer >= lock.size) continue;
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
  if (lock == nullptr) return false;
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
