// What the rules about single render state values look at, as a table by state number: most records are done after one look.
// Source: lib/opcode/dp2.md 7.1, 7.2, 7.5 and 25.
#pragma once

#include <array>
#include <cstdint>

#include "base/rule.h"
#include "d3d/states.h"
#include "rules/rule.h"

namespace dp2trace::validate {

enum class ValueCheck : uint8_t {
  kNone,
  kReal,        // NaN and infinity: DP2-RS-013
  kSize,        // a real that is not negative: DP2-RS-023
  kFogDensity,  // a real from 0 to 1: DP2-RS-014
  kAtMost,      // `bound` is the largest value
  kBits,        // `bound` has the bits that count
  kMaskBlend,   // DP2-RS-031
  kPowerOfTwo,  // or all bits: DP2-RS-035
  kClipPlanes,  // DP2-RS-017
  kScene,       // DP2-RS-027
  kEviction,    // DP2-RS-029
};

struct RenderStateCheck {
  // Values below this have no defect; what is legal for the type is another question. 0: each is looked at.
  uint64_t quiet_end = 0;
  ValueCheck check = ValueCheck::kNone;
  Rule rule = Rule::kDp2Rs001;  // of kAtMost and kBits
  uint32_t bound = 0;
  bool is_above_level = false;  // DP2-RS-002
  bool is_legacy = false;       // DP2-RS-003
};

using RenderStateChecks = std::array<RenderStateCheck, d3d::kRenderStateCount>;

// The API generation of a runtime version: 6 to 9. Source: lib/opcode/dp2.md 2.6.
constexpr uint32_t GenerationOf(uint32_t runtime_version) {
  return runtime_version <= 2 ? 6 : runtime_version + 4;
}

// For a driver level (6 to 9) and a runtime version (0 to 5).
const RenderStateChecks& ChecksFor(uint32_t level, uint32_t runtime_version);

}  // namespace dp2trace::validate
