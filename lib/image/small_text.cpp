#include "image/small_text.h"

#include <algorithm>

namespace dp2trace::image {
namespace {

// Five rows of three pixels, the left one first, in the digits of an octal number.
constexpr uint16_t kDigits[] = {075557, 026227, 071747, 071717, 055711,
                                074717, 074757, 071111, 075757, 075717};
constexpr uint16_t kLetters[] = {
    025755,  // A
    065656,  // B
    034443,  // C
    065556,  // D
    074647,  // E
    074644,  // F
    034553,  // G
    055755,  // H
    072227,  // I
    011152,  // J
    055655,  // K
    044447,  // L
    057755,  // M
    065555,  // N
    025552,  // O
    065644,  // P
    025563,  // Q
    065655,  // R
    034216,  // S
    072222,  // T
    055557,  // U
    055552,  // V
    055775,  // W
    055255,  // X
    055222,  // Y
    071247,  // Z
};
constexpr uint16_t kDot = 000002;

uint16_t GlyphOf(char c) {
  if (c >= '0' && c <= '9') return kDigits[c - '0'];
  if (c >= 'A' && c <= 'Z') return kLetters[c - 'A'];
  if (c >= 'a' && c <= 'z') return kLetters[c - 'a'];
  return c == ' ' ? uint16_t{0} : kDot;
}

void Fill(Picture& picture, uint32_t x, uint32_t y, uint32_t zoom,
          const std::array<uint8_t, 4>& color) {
  for (uint32_t row = y; row < std::min(y + zoom, picture.height); ++row) {
    for (uint32_t column = x; column < std::min(x + zoom, picture.width); ++column)
      std::ranges::copy(color, picture.at(column, row).begin());
  }
}

}  // namespace

void DrawSmallText(Picture& picture, uint32_t x, uint32_t y, std::string_view text,
                   std::array<uint8_t, 4> color, uint32_t zoom) {
  for (const char c : text) {
    const uint32_t glyph = GlyphOf(c);
    for (uint32_t bit = 0; bit < 15; ++bit) {
      if ((glyph >> (14 - bit) & 1) == 0) continue;
      Fill(picture, x + bit % 3 * zoom, y + bit / 3 * zoom, zoom, color);
    }
    x += kLetterWidth * zoom;
  }
}

}  // namespace dp2trace::image
