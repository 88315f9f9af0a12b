// The blame for a picture as text for people and as JSON for programs.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "blame/analysis.h"

namespace dp2trace::blame {

// How the draw or frame was found whose picture is looked at; all 0 where the user named it.
struct Search {
  uint64_t first_draw = 0;  // the first draw whose picture differs
  // A picture of the same target in front of it is right; 0: there was none.
  uint64_t last_right_draw = 0;
  bool is_exact = false;          // there is no draw of this target between the two
  uint64_t first_frame = 0;       // the first frame whose picture differs
  uint64_t last_right_frame = 0;  // a frame before it whose picture is right; 0: none is known
  uint64_t first_read = 0;        // the first read whose picture differs
  uint64_t pictures = 0;          // that were compared
};

// "draw 7", "the clear of draw 3", "surface_update": with event and offset, and the marker.
std::string OperationText(const Operation& operation);

std::string ReportText(const Frame& frame, const Blame& blame, const Search& search);
// One JSON object and a line end: "frame", "picture", "regions":[...], "draws", "common":[...].
// `trace` is its name.
std::string ReportJson(std::string_view trace, const Frame& frame, const Blame& blame,
                       const Search& search);

}  // namespace dp2trace::blame
