// Instruction sets that the kernels are compiled for, by name.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dp2trace::fast {

struct Isa {
  std::string_view name;  // "portable", "sse4", "avx2", "avx512", "neon"
  int64_t target = 0;     // of Highway
};

// Those that this build has and this machine runs, best first; portable is always there.
std::vector<Isa> SupportedIsas();
// Nothing where the name is none of them. An empty name is the best one.
std::optional<Isa> FindIsa(std::string_view name);

}  // namespace dp2trace::fast
