// What differs between the states at two draws.
#pragma once

#include <string>
#include <vector>

#include "state/state_snapshot.h"

namespace dp2trace::state {

// A value that is not the same, or that one side does not have (null).
struct DifferentEntry {
  const StateEntry* from = nullptr;
  const StateEntry* to = nullptr;
  const StateEntry& either() const { return to != nullptr ? *to : *from; }
};

// In the order of the snapshots, which outlive the result.
std::vector<DifferentEntry> CompareStates(const StateSnapshot& from, const StateSnapshot& to);

}  // namespace dp2trace::state
