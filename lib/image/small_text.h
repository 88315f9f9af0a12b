// Words inside of pictures that a tool makes.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "image/picture.h"

namespace dp2trace::image {

inline constexpr uint32_t kLetterWidth = 4;   // pixels, the gap to the next one included
inline constexpr uint32_t kLetterHeight = 5;  // pixels

// Letters A to Z (small ones are drawn as these), digits and blanks; anything else is a dot. Each pixel of a letter is `zoom` x `zoom`
// pixels. What lies outside of the picture is not drawn.
void DrawSmallText(Picture& picture, uint32_t x, uint32_t y, std::string_view text,
                   std::array<uint8_t, 4> color, uint32_t zoom);

}  // namespace dp2trace::image
