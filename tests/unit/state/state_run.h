// Runs a trace that is written as JSON, and keeps what the draws find.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "state/draw_finder.h"
#include "state/state_report.h"

namespace dp2trace::testing {

struct DebugRun {
  std::vector<state::StateAtDraw> states;
  uint64_t draws = 0;
  uint64_t skipped = 0;
};

// `events` are the elements of the array after the header, separated by commas. `draws` is a SEL.
DebugRun FindDraws(std::string_view events, std::string_view draws,
                   std::string_view header = R"({"event":"header"})");
// The same, for another visitor.
void VisitDraws(std::string_view events, const state::FinderOptions& options,
                state::DrawVisitor& visitor);

// Calls visit(number, event) for a header and the events.
void ForEachEventOf(std::string_view events,
                    const std::function<Status(uint64_t, const trace::Event&)>& visit,
                    std::string_view header = R"({"event":"header"})");

// The entry of a name; fails the test where there is none.
const state::StateEntry& Entry(const state::StateAtDraw& at, std::string_view name);

// An 8x8 target 1 with context 1, events 1 and 2.
inline constexpr std::string_view kTarget =
    R"({"event":"surface_create","handle":1,"kind":"target","format":"X8R8G8B8","width":8,"height":8},
{"event":"context_create","context":1,"target":1},)";
inline const std::string kScene(kTarget);
// Draws nothing but counts.
inline constexpr std::string_view kClear =
    R"({"op":"CLEAR","flags":["TARGET"],"rects":[[0,0,8,8]]})";
inline const std::string kDraw(kClear);

// A call of context 1 with these commands.
std::string Call(std::string_view commands, std::string_view more = "");

}  // namespace dp2trace::testing
