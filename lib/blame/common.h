// What the draws with wrong pixels have in common that others do not.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "blame/frame.h"

namespace dp2trace::blame {

struct SharedFact {
  FactNumber fact = 0;
  uint64_t wrong = 0, right = 0;  // draws of which it is true
};

struct Common {
  uint64_t wrong_draws = 0, right_draws = 0;
  std::vector<SharedFact> facts;  // what tells them apart best first
  uint64_t further_facts = 0;     // that are not kept
};

inline constexpr size_t kMaxSharedFacts = 10;

// Facts that are true of all wrong draws and of no right one; where there are none such, facts that are true of a larger part of the wrong
// ones than of the right ones, by at least a half. States come before formats, these
// before shaders, numbers (transforms, lights, constants) and the rest, and textures. Draws are named by their place in Frame::operations. Nothing where one side is empty.
Common FindCommon(const Frame& frame, std::span<const uint32_t> wrong,
                  std::span<const uint32_t> right);

// "all 14 draws whose pixels are wrong have stage 0 ALPHAOP = ADDSIGNED; none of the 212 right ones does".
std::string SentenceOf(const Common& common, const SharedFact& shared, const FactTable& facts);

}  // namespace dp2trace::blame
