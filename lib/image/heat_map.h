// The picture of where and how far two pictures differ, for people.
#pragma once

#include "base/status.h"
#include "image/loose_compare.h"
#include "image/picture.h"

namespace dp2trace::image {

// The part that is compared, small pictures enlarged by a whole number: equal pixels as a dark grey copy of `expected`, tolerated ones
// violet, the others from blue (the smallest difference that is not tolerated) over green to red and white (the largest that there is),
// pixels that only one picture has magenta. Below it a key with the numbers. Where that would be too large for a PNG, a pixel of the map is
// the worst of several, and the key says of how many.
Result<Picture> HeatMap(const Picture& expected, const Picture& actual,
                        const LooseOptions& options);

}  // namespace dp2trace::image
