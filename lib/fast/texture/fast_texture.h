// Textures in the form that sampling wants: the stored integers of every texel as four bytes, whatever format they had, with what the
// address modes put beside the edges. Source: lib/raster/rendering-texture.md 3.2 ("a cache of unpacked bytes and one constant per channel
// serve every such format").
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "fast/machine/workers.h"
#include "raster/texture/sampler.h"

namespace dp2trace::fast {

// One axis of a level: which texel indices are stored. An index outside is brought to `low` to `high` first, by the period where
// `is_periodic`, else by clamping; the tap after an index is stored next to it.
struct FastAxis {
  int32_t size = 1;  // texels
  int32_t low = 0, high = 0;
  float scale = 256;           // 256 * size
  float limit = 0;             // 2^20 / size: of coordinates that are clamped
  float period = 1, rate = 1;  // of coordinates that are not, and its inverse
};

struct FastLevel {
  uint32_t offset = 0;  // words from the start
  uint32_t stride = 0;  // elements from row to row
  FastAxis x, y;
};

// How a texture is stored: what of a sampler's states its bytes depend on.
struct FastForm {
  std::array<uint32_t, 2> address = {};  // D3DTEXTUREADDRESS of u and v
  uint32_t border = 0;                   // as a texel, where one of them is BORDER
  // An element is a texel and the one below it, so that the four taps of a linear filter are 16 bytes in a row.
  bool has_pairs = false;
  auto operator<=>(const FastForm&) const = default;
};

// All levels of a 2D texture whose channels are unsigned integers of at most 8 bits. Immutable.
struct FastTexture {
  std::vector<FastLevel> levels;
  std::unique_ptr<uint32_t[]> words;  // R | G << 8 | B << 16 | A << 24
  uint32_t word_count = 0;
  std::array<float, 4> scales = {};  // r_n * 2^-16 of each channel (3.2)
  FastForm form;

  uint64_t size_bytes() const { return uint64_t{word_count} * sizeof(uint32_t); }
};

// Of which a thread makes so many at once, or all: another thread costs more to wake.
constexpr uint32_t kTexelsAtOnce = 1U << 14;

FastAxis AxisOf(uint32_t address, uint32_t texels);

// True for what FastTexture can hold.
bool HasFastForm(const raster::Sampler& sampler);

// WRAP and MIRROR.
bool IsPeriodic(uint32_t address);
// One of the axes has BORDER.
bool HasBorder(std::span<const uint32_t> address);

std::shared_ptr<const FastTexture> MakeFastTexture(const raster::Sampler& sampler,
                                                   const FastForm& form, Workers& workers);

}  // namespace dp2trace::fast
