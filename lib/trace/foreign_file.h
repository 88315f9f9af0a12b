// Says what a file that is not a trace container seems to be.
#pragma once

#include <string_view>

#include "base/bytes.h"

namespace dp2trace::trace {

// A clause such as "it is a PNG image", from the first bytes of a file (64 are enough); empty when nothing is recognised.
std::string_view DescribeForeignFile(Bytes start);
// False for a file of a known kind. Text and unknown bytes may stand before a trace, as on a port that others write to, too.
bool MayHoldTrace(Bytes start);

}  // namespace dp2trace::trace
