// Two hashes, as traces and pictures have them.
#pragma once

#include <string>

namespace dp2trace::testing {

inline const std::string kA(32, 'a');
inline const std::string kB(32, 'b');

}  // namespace dp2trace::testing
