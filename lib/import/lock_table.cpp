#include "import/lock_table.h"

#include <algorithm>
#include <utility>

namespace dp2trace::import {

void LockTable::Open(const LockKey& key, uint64_t pointer, uint64_t size) { open_[key] = {pointer, size, {}}; }

bool LockTable::Write(uint64_t pointer, Bytes bytes) {
  for (auto& [key, lock] : open_) {
    if (pointer < lock.pointer || pointer - lock.pointer >= lock.size) continue;
    const uint64_t offset = pointer - lock.pointer;
    const auto size = static_cast<size_t>(std::min<uint64_t>(bytes.size(), lock.size - offset));
    lock.writes.push_back({offset, {bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)}});
    return true;
  }
  return false;
}

std::optional<std::vector<LockWrite>> LockTable::Close(const LockKey& key) {
  const auto found = open_.find(key);
  if (found == open_.end()) return std::nullopt;
  std::vector<LockWrite> writes = std::move(found->second.writes);
  open_.erase(found);
  return writes;
}

}  // namespace dp2trace::import
