// The state at a draw, or the difference of two, as text and as JSON.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "state/draw_finder.h"
#include "state/mesh.h"
#include "state/state_snapshot.h"

namespace dp2trace::state {

struct StateAtDraw {
  FoundDraw draw;
  StateSnapshot state;
  std::vector<Mesh> meshes;
};

// What differs from the defaults, the layout of the vertices, the shaders, and last what is at its default: what a token set to it, and
// how many values nobody ever set, or (`lists_all`) which.
std::string StateText(const StateAtDraw& at, bool lists_all);
std::string StateJson(std::string_view trace, const StateAtDraw& at);

// The values that differ, and who set those of `to`.
std::string StateDifferenceText(const StateAtDraw& from, const StateAtDraw& to);
std::string StateDifferenceJson(std::string_view trace, const StateAtDraw& from,
                                const StateAtDraw& to);

}  // namespace dp2trace::state
