// What is wrong with a whole picture, found by its pixels: what drivers commonly do to all of them at once.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "image/loose_compare.h"
#include "image/picture.h"

namespace dp2trace::image {

enum class PictureFault : uint8_t {
  kRedBlue,      // red and blue are exchanged, and alpha may be 0 or 255 everywhere
  kUpsideDown,   // the first row is the last one
  kShifted,      // everything is (x, y) further to the right and down
  kPitch,        // rows were written `written` pixels apart and read `read` pixels apart
  kGammaTwice,   // too bright, as by the sRGB curve or a power of 1/2.2
  kGammaUndone,  // too dark, as by the inverse of those
  kFewBits,    // each colour has as few bits as R5G6B5, X1R5G5B5 or X4R4G4B4, and is no further off
  kAlpha,      // alpha is 0 or 255 everywhere, the colours are as expected
  kHalfPixel,  // edges, colours and texels lie half a pixel further to (x, y), each -1, 0 or 1
};

struct Diagnosis {
  PictureFault fault = PictureFault::kRedBlue;
  int32_t x = 0, y = 0;                         // kShifted: -32 to 32; kHalfPixel: -1 to 1
  uint32_t written = 0, read = 0;               // kPitch
  std::string_view format;                      // kFewBits: a name of D3DFORMAT without D3DFMT_
  std::optional<uint8_t> alpha = std::nullopt;  // kAlpha; kRedBlue where it is lost, too
  bool operator==(const Diagnosis&) const = default;
};

// The fault that explains at least 98 of 100 pixels that differ by more than the tolerance. Nothing where none does, where fewer
// than 16 pixels differ, where the sizes differ, or where the pixels that differ are expected in fewer than four colours: too few to tell
// one cause from another. For kAlpha, kRedBlue and kHalfPixel the number does not matter, but one colour of two values (red that becomes blue) is
// not enough for kRedBlue. For kHalfPixel three quarters of the pixels are enough, where a quarter of those at edges moved towards the
// neighbour's colour by a quarter of the difference. Where all colours differ by the same amount, nothing has moved. For kFewBits the expected
// colours that are truncated, rounded or dithered give the actual ones. Of kUpsideDown, kShifted and kPitch a quarter of
// these pixels must have stayed in the picture, and be where they moved to.
std::optional<Diagnosis> Diagnose(const Picture& expected, const Picture& actual,
                                  const LooseOptions& options);

// A pixel that differs and has the colour that the one at `from` is expected to have.
struct MovedPixel {
  uint32_t x = 0, y = 0;
  uint32_t from_x = 0, from_y = 0;
};
// Of kHalfPixel: the edges that moved by a whole pixel, by row and then by column. The pictures and options are those of the diagnosis.
std::vector<MovedPixel> FindMoved(const Picture& expected, const Picture& actual,
                                  const LooseOptions& options, const Diagnosis& diagnosis);

// "red and blue are exchanged".
std::string Describe(const Diagnosis& diagnosis);
// {"fault":"red_blue","text":"red and blue are exchanged"}: the same in every output.
std::string DiagnosisJson(const Diagnosis& diagnosis);
// For programs: "red_blue", "upside_down", "shifted", "pitch", "gamma_twice", "gamma_undone", "few_bits", "alpha", "half_pixel".
std::string_view NameOf(PictureFault fault);

}  // namespace dp2trace::image
