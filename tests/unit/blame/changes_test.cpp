#include "blame/changes.h"

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "blame_run.h"
#include "unit/history/history_run.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

namespace {

// A trace with another state, drawn as if it had not: what has changed, in words, and of how many draws.
struct ChangeCase {
  const char* trace;
  std::string from, to;
  std::vector<std::string> changes;
  uint64_t draws;
};

const std::vector<ChangeCase> kChangeCases = {
    {"scenes/columns-in-fog.json",
     R"("FOGDENSITY","state":0.13)",
     R"("FOGDENSITY","state":0.4)",
     {"FOGDENSITY 0.13 -> 0.4"},
     21},
    {"scenes/lit-textured-knot.json",
     R"("power":24)",
     R"("power":0)",
     {"material power=24 -> power=0"},
     1},
    {"features/stage-add.json",
     R"("ADDSIGNED")",
     R"("ADD")",
     {"stage 0 COLOROP ADDSIGNED -> ADD"},
     1},
};

}  // namespace

TEST_CASE("Changes: what wrong draws have of their own beside the same draws in a right frame") {
  for (const ChangeCase& c : kChangeCases) {
    CAPTURE(c.from);
    const std::string right = TraceText(c.trace);
    const std::string wrong = Replaced(right, c.from, c.to);
    const Blamed blamed = BlameOf(wrong, right);
    const blame::Changes changes =
        blame::FindChanges(FrameOf(right, 1), blamed.frame, blamed.blame.wrong_draws);
    CHECK(changes.right_frame == 1);
    CHECK(changes.matched == c.draws);
    CHECK(changes.unmatched == 0);
    std::vector<std::string> texts;
    for (const blame::Change& change : changes.changes) {
      texts.push_back(blame::TextOf(change));
      CHECK(change.draws.size() == c.draws);
    }
    CHECK(texts == c.changes);
  }
}

TEST_CASE("Changes: draws that the right frame lacks are counted, the others keep their partners") {
  const std::string text = TraceText("features/stage-add.json");
  const blame::Frame whole = FrameOf(text, 1);
  std::vector<uint32_t> draws;
  for (uint32_t i = 0; i < whole.operations.size(); ++i) {
    if (whole.operations[i].kind == history::Kind::kDraw) draws.push_back(i);
  }
  REQUIRE(draws.size() > 2);
  blame::Frame without = FrameOf(text, 1);
  without.operations.erase(without.operations.begin() + draws[1]);
  const blame::Changes same = blame::FindChanges(FrameOf(text, 1), whole, draws);
  CHECK(same.matched == draws.size());
  CHECK(same.changes.empty());
  const blame::Changes fewer = blame::FindChanges(without, whole, draws);
  CHECK(fewer.matched == draws.size() - 1);
  CHECK(fewer.unmatched == 1);
}

TEST_CASE("Changes: a constant with the other sign is negated, and a state can be there once") {
  const std::string right = TraceText("features/shaders.json");
  const std::string wrong = Replaced(right, "[0,0.4,0,0]", "[0,-0.4,0,0]");
  const Blamed blamed = BlameOf(wrong, right);
  const blame::Changes changes =
      blame::FindChanges(FrameOf(right, 1), blamed.frame, blamed.blame.wrong_draws);
  REQUIRE(changes.changes.size() == 1);
  CHECK(changes.changes[0].is_negated);
  CHECK(blame::TextOf(changes.changes[0]) == "vs.c0 [0 0.4 0 0] -> [0 -0.4 0 0], negated");
  blame::Change change{.name = "FOGSTART", .before = "250", .after = {}, .draws = {3}};
  CHECK(blame::TextOf(change) == "FOGSTART 250, here not in force");
  std::swap(change.before, change.after);
  CHECK(blame::TextOf(change) == "FOGSTART 250, there not in force");
}
