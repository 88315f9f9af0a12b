// What was made lately: a few entries, of which the oldest makes room for a new one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace dp2trace::fast {

template <class Entry, size_t kMost>
class Recent {
 public:
  // The entry that fits, or null.
  template <class Predicate>
  const Entry* Find(const Predicate& fits) const {
    const auto found = std::ranges::find_if(entries_, fits);
    return found == entries_.end() ? nullptr : &*found;
  }
  const Entry& Add(Entry entry) {
    if (entries_.size() < kMost) return entries_.emplace_back(std::move(entry));
    next_ = (next_ + 1) % kMost;
    return entries_[next_] = std::move(entry);
  }
  void Clear() { entries_.clear(); }

 private:
  std::vector<Entry> entries_;
  size_t next_ = 0;
};

}  // namespace dp2trace::fast
