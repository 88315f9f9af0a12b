#include "inspect/state_trail.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

namespace dp2trace::inspect {
namespace {

using state::StateEntry;
using state::StateGroup;

void AppendRow(json::Builder& out, const StateEntry& entry) {
  out.Separate();
  out.Raw('[');
  out.Name(state::Name(entry.group));
  out.Separate();
  out.String(entry.name);
  out.Separate();
  out.String(entry.value);
  out.Raw(entry.is_default ? ",1" : ",0");
  const std::optional<state::StateWrite>& set = entry.origin.set;
  out.Raw(',');
  set ? out.Number(set->place.event) : out.Raw("null");
  out.Raw(',');
  set && set->place.offset ? out.Number(*set->place.offset) : out.Raw("null");
  if (!entry.is_default) {
    out.Separate();
    out.String(entry.default_value);
  }
  out.Raw(']');
}

bool SameRow(const StateEntry& a, const StateEntry& b) {
  return a.value == b.value && a.is_default == b.is_default && a.origin.set == b.origin.set;
}

// What people search for: few words each.
bool IsShort(StateGroup group) {
  return group <= StateGroup::kPixelProgram;
}

std::string ShortText(const StateEntry& entry) {
  return std::string(state::Name(entry.group)) + "." + entry.name + "=" + entry.value;
}

// Two lists as pairs of the same value; null where one lacks it. Most often both list the same.
template <class Visit>
void ForEachPair(const std::vector<StateEntry>& from, const std::vector<StateEntry>& to,
                 const Visit& visit) {
  const auto same_name = [](const StateEntry& a, const StateEntry& b) {
    return a.group == b.group && a.name == b.name;
  };
  if (std::ranges::equal(from, to, same_name)) {
    for (size_t i = 0; i < to.size(); ++i)
      visit(&from[i], &to[i]);
    return;
  }
  std::map<std::pair<StateGroup, std::string_view>, const StateEntry*> left;
  for (const StateEntry& entry : from)
    left[{entry.group, entry.name}] = &entry;
  for (const StateEntry& entry : to) {
    const auto found = left.find({entry.group, entry.name});
    visit(found == left.end() ? nullptr : found->second, &entry);
    if (found != left.end()) left.erase(found);
  }
  for (const auto& [key, entry] : left)
    visit(entry, nullptr);
}

void AppendRows(json::Builder& out, std::string_view key,
                const std::vector<const StateEntry*>& rows) {
  out.Key(key);
  out.Raw('[');
  for (const StateEntry* const row : rows)
    AppendRow(out, *row);
  out.Raw(']');
}

void AppendRemoved(json::Builder& out, const std::vector<const StateEntry*>& rows) {
  out.Key("removed");
  out.Raw('[');
  for (const StateEntry* const entry : rows) {
    out.Separate();
    out.Raw('[');
    out.Name(state::Name(entry->group));
    out.Separate();
    out.String(entry->name);
    out.Raw(']');
  }
  out.Raw(']');
}

}  // namespace

void StateTrail::Append(json::Builder& out, const device::Context& context,
                        state::StateWrites& writes, bool is_whole) {
  const std::vector<StateEntry> none;
  const bool was_first = std::exchange(is_first_, false);
  series_.Take(context, writes);
  const std::vector<StateEntry>& now = series_.snapshot().entries;
  std::vector<const StateEntry*> changed;
  std::vector<const StateEntry*> removed;
  changes_.clear();
  const auto compare = [&](const StateEntry* from, const StateEntry* to) {
    if (to == nullptr) {
      removed.push_back(from);
      return;
    }
    if (from == nullptr || !SameRow(*from, *to)) changed.push_back(to);
    const bool is_new = from == nullptr ? !to->is_default : from->value != to->value;
    if (is_new && IsShort(to->group)) changes_.push_back(ShortText(*to));
  };
  if (was_first || series_.is_rebuilt()) {
    ForEachPair(was_first ? none : series_.before(), now, compare);
  } else {
    for (const state::SnapshotSeries::Change& change : series_.changes())
      compare(&change.before, &now[change.place]);
  }
  out.Raw('{');
  if (is_whole || was_first) {
    changed.clear();
    for (const StateEntry& entry : now)
      changed.push_back(&entry);
    AppendRows(out, "snapshot", changed);
  } else {
    AppendRows(out, "changes", changed);
    AppendRemoved(out, removed);
  }
  out.Raw('}');
}

}  // namespace dp2trace::inspect
