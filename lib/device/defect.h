// What is wrong with a record, before anybody reports it: the execution skips the record, the rules of the validator leave it alone.
// Source: DP2 specification, 22.
#pragma once

#include <string>
#include <vector>

#include "base/rule.h"
#include "stream/records.h"

namespace dp2trace::device {

struct Defect {
  Rule rule{};
  stream::Word word;  // of the record; empty: the record as a whole
  std::string message;
  std::string actual = {};
  std::string expected = {};
  // Follows from what was reported before: nobody hears of it.
  bool is_follow_up = false;
};
// All that is wrong with a record, in the order of the specification; empty: nothing.
using Defects = std::vector<Defect>;

// What keeps a record from being used and has been reported elsewhere.
inline Defect FollowUp() {
  Defect defect;
  defect.is_follow_up = true;
  return defect;
}

}  // namespace dp2trace::device
