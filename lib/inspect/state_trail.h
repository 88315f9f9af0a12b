// The states of one draw after the other: the first whole, then what changes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "debug/state_snapshot.h"
#include "json/text.h"

namespace dp2trace::inspect {

class StateTrail {
 public:
  // Appends the rows of the snapshot, [group, name, value, is default, event, offset, default]: all of them, as "snapshot"; or, where
  // `is_whole` is false and there was one before, as "changes" those whose value or writer differs, and as "removed" those that are gone.
  void Append(json::Text& out, debug::StateSnapshot snapshot, bool is_whole);
  // "render_state.ZENABLE=TRUE" for the values that the last snapshot changed; for the first what is not the default. Constants,
  // transforms, lights and the like are left out.
  const std::vector<std::string>& changes() const { return changes_; }
  // The next snapshot is the first.
  void Clear() { last_.reset(); }

 private:
  std::optional<debug::StateSnapshot> last_;
  std::vector<std::string> changes_;
};

}  // namespace dp2trace::inspect
