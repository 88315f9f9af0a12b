// Rules that a trace barely keeps: with one value one step further it would break them.
// Source: lib/opcode/dp2.md; lib/kmt/packets.md 7.
#pragma once

#include <cstdint>
#include <set>

#include "base/rule.h"
#include "trace_model/model.h"

namespace dp2trace::coverage {

// What the search may cost: events and tokens that are run again, all tries together.
inline constexpr uint64_t kMaxEdgeWork = uint64_t{1} << 22;

struct EdgeRules {
  std::set<Rule> rules;
  uint64_t tries = 0;
  bool is_cut = false;  // the limit came before the last value
};

// Tries the trace with each number in its tokens (of states: by the type of the state), and each size, position and count in its events,
// one higher and one lower; of floats the next ones, those of vertices in tokens, too. Of the count in a token's header (wPrimitiveCount,
// wStateCount) what it counts follows: the last record or vertex comes twice, or is cut off. Tokens are those of calls and of packets. What
// has no order is left alone: handles, flags, colours, masks, FVF codes. Of values that many tokens have in the same field the first few are
// tried. The result holds the rules that one of these traces breaks and this one does not. Nothing is drawn: rules that look at pixels are
// not among them.
EdgeRules FindBarelyKept(const trace_model::Model& model, uint64_t max_work = kMaxEdgeWork);

}  // namespace dp2trace::coverage
