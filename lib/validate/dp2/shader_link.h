// Rules about shaders that draw together and the declaration that feeds them: DP2-SHADER-070 to 073.
// Source: lib/raster/rendering-geometry.md 2.1; lib/raster/rendering-shaders.md 8.9; lib/opcode/dp2.md 18.
#pragma once

#include <compare>
#include <cstdint>
#include <set>

#include "device/context.h"
#include "stream/stream.h"
#include "validate/findings.h"

namespace dp2trace::validate {

// What draws together; 0: fixed function, or an FVF in place of a declaration.
struct ShaderCombination {
  uint32_t space = 0;
  uint64_t context = 0;
  uint64_t vertex = 0, pixel = 0, declaration = 0;  // ShaderObject::number
  uint32_t fvf = 0;
  auto operator<=>(const ShaderCombination&) const = default;
};
using ShaderCombinations = std::set<ShaderCombination>;

// Reports each combination of shaders and declaration once, at the first command that draws with it.
class ShaderLinkCheck {
 public:
  // Before the device applies the command. Nothing for commands that draw no vertices from streams.
  void Check(const device::Context& context, const stream::Command& command,
             EventFindings& findings);

  // The context is another one from now on, which counts its shaders anew.
  void Forget(uint32_t space, uint64_t context);

 private:
  ShaderCombinations clean_;  // that were looked at, and are right
  ShaderCombinations reported_;
};

}  // namespace dp2trace::validate
