// The states of one draw after the other: the first whole, then what changes.
#pragma once

#include <string>
#include <vector>

#include "json/builder.h"
#include "state/state_snapshot.h"

namespace dp2trace::inspect {

class StateTrail {
 public:
  // Appends the rows of what the draw finds, [group, name, value, is default, event, offset, default]: all of them, as "snapshot"; or, where
  // `is_whole` is false and there was one before, as "changes" those whose value or writer differs, and as "removed" those that are gone.
  void Append(json::Builder& out, const device::Context& context, state::StateWrites& writes,
              bool is_whole);
  // "render_state.ZENABLE=TRUE" for the values that the last draw changed; for the first what is not the default. Constants, transforms,
  // lights and the like are left out.
  const std::vector<std::string>& changes() const { return changes_; }
  // The next draw is the first.
  void Clear() { is_first_ = true; }

 private:
  state::SnapshotSeries series_;
  bool is_first_ = true;
  std::vector<std::string> changes_;
};

}  // namespace dp2trace::inspect
