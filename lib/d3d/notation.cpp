#include "d3d/notation.h"

#include <fmt/format.h>

#include <charconv>

namespace dp2trace::d3d {

std::string ColorText(uint32_t argb) {
  return fmt::format("#{:08x}", argb);
}

std::string ColorText(const std::array<uint8_t, 4>& rgba) {
  return fmt::format("#{:02x}{:02x}{:02x}{:02x}", rgba[3], rgba[0], rgba[1], rgba[2]);
}

std::array<uint8_t, 4> RgbaOf(uint32_t argb) {
  return {static_cast<uint8_t>(argb >> 16), static_cast<uint8_t>(argb >> 8),
          static_cast<uint8_t>(argb), static_cast<uint8_t>(argb >> 24)};
}

std::optional<uint32_t> ParseColor(std::string_view text) {
  if (!text.starts_with('#') || (text.size() != 7 && text.size() != 9)) return std::nullopt;
  text.remove_prefix(1);
  uint32_t color = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), color, 16);
  if (result.ec != std::errc() || result.ptr != text.data() + text.size()) return std::nullopt;
  return text.size() == 6 ? 0xff000000 | color : color;
}

std::string RectangleText(uint32_t left, uint32_t top, uint32_t right, uint32_t bottom) {
  return fmt::format("{},{},{},{}", left, top, right - left, bottom - top);
}

}  // namespace dp2trace::d3d
