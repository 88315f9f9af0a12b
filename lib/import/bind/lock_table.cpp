#include "import/bind/lock_table.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace dp2trace::import {
namespace {

// What is kept of a lock, with what its binding keeps, and of a write beside its bytes.
constexpr uint64_t kLockSize = 768, kWriteSize = 96;
// Of looking at a lock (Allowance).
constexpr uint64_t kLockSteps = 16;

}  // namespace

void LockTable::Drop(std::map<LockKey, OpenLock>::iterator lock) {
  allowance_->Give(lock->second.held);
  open_.erase(lock);
}

void LockTable::Open(const LockKey& key, uint64_t pointer, uint64_t size) {
  const auto found = open_.find(key);
  if (found != open_.end()) Drop(found);
  if (!allowance_->Take(kLockSize)) return;
  open_[key] = {pointer, size, {}, {}, kLockSize, false};
}

void LockTable::OpenAnywhere(const LockKey& key, uint64_t size) {
  Open(key, 0, size);
  if (const auto lock = open_.find(key); lock != open_.end()) lock->second.is_anywhere = true;
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
  if (!allowance_->Spend(open_.size() * kLockSteps + bytes.size())) return false;
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
  if (!allowance_->Take(size + kWriteSize)) return false;
  lock->writes.push_back(
      {offset, {bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)}});
  lock->serials.push_back(++write_count_);
  lock->held += size + kWriteSize;
  return true;
}

std::optional<std::vector<LockWrite>> LockTable::Close(const LockKey& key) {
  const auto found = open_.find(key);
  if (found == open_.end()) return std::nullopt;
  std::vector<LockWrite> writes = std::move(found->second.writes);
  Drop(found);
  return writes;
}

std::vector<LockTable::PartWrite> LockTable::Take(uint64_t object) {
  std::vector<PartWrite> taken;
  for (auto at = open_.lower_bound({object, 0}); at != open_.end() && at->first.object == object;
       ++at) {
    OpenLock& lock = at->second;
    for (size_t i = 0; i < lock.writes.size(); ++i)
      taken.push_back({at->first.part, lock.serials[i], std::move(lock.writes[i])});
    lock.writes.clear();
    lock.serials.clear();
    allowance_->Give(lock.held - kLockSize);
    lock.held = kLockSize;
  }
  std::ranges::sort(taken, {}, &PartWrite::serial);
  return taken;
}

uint32_t LockTable::OpenNested(uint64_t object, uint64_t pointer, uint64_t size) {
  // Of a program that never unlocks the last one is opened again.
  constexpr uint32_t kMaxNesting = 64;
  uint32_t& count = nests_[object];
  count = std::min(count + 1, kMaxNesting);
  Open({object, count - 1}, pointer, size);
  return count - 1;
}

std::vector<LockTable::PartWrite> LockTable::CloseNested(uint64_t object) {
  const auto nest = nests_.find(object);
  if (nest == nests_.end()) return {};
  std::vector<PartWrite> writes = Take(object);
  if (--nest->second != 0) return writes;
  nests_.erase(nest);
  for (auto at = open_.lower_bound({object, 0}); at != open_.end() && at->first.object == object;
       at = open_.lower_bound({object, 0}))
    Drop(at);
  return writes;
}

}  // namespace dp2trace::import
