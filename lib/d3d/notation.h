// How people and programs read and write a colour and a rectangle: the same in texts, in JSON and on the command line.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace dp2trace::d3d {

// "#aarrggbb" of 0xAARRGGBB; of red, green, blue and alpha.
std::string ColorText(uint32_t argb);
std::string ColorText(const std::array<uint8_t, 4>& rgba);
// Red, green, blue and alpha of 0xAARRGGBB.
std::array<uint8_t, 4> RgbaOf(uint32_t argb);
// "#aarrggbb", or "#rrggbb" with an alpha of 255, as 0xAARRGGBB; nothing for anything else.
std::optional<uint32_t> ParseColor(std::string_view text);

// "X,Y,WIDTH,HEIGHT" of the bounds of an area of pixels; `right` and `bottom` lie outside.
std::string RectangleText(uint32_t left, uint32_t top, uint32_t right, uint32_t bottom);

}  // namespace dp2trace::d3d
