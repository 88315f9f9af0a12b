#include "state/state_difference.h"

#include <map>
#include <string_view>
#include <utility>

namespace dp2trace::state {
namespace {

using EntryKey = std::pair<StateGroup, std::string_view>;

std::map<EntryKey, const StateEntry*> EntriesByName(const StateSnapshot& snapshot) {
  std::map<EntryKey, const StateEntry*> entries;
  for (const StateEntry& entry : snapshot.entries)
    entries[{entry.group, entry.name}] = &entry;
  return entries;
}

}  // namespace

std::vector<DifferentEntry> CompareStates(const StateSnapshot& from, const StateSnapshot& to) {
  std::map<EntryKey, const StateEntry*> before = EntriesByName(from);
  std::vector<DifferentEntry> differences;
  const auto flush = [&](const StateEntry& entry) {
    const auto found = before.find({entry.group, entry.name});
    const StateEntry* const old = found == before.end() ? nullptr : found->second;
    // A value that only one side lists was never set on the other.
    const std::string& old_value = old != nullptr ? old->value : entry.default_value;
    if (old_value != entry.value) differences.push_back({old, &entry});
    if (found != before.end()) before.erase(found);
  };
  for (const StateEntry& entry : to.entries)
    flush(entry);
  for (const auto& [key, entry] : before) {
    if (entry->value != entry->default_value) differences.push_back({entry, nullptr});
  }
  return differences;
}

}  // namespace dp2trace::state
