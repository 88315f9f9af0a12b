// Textures in the form that sampling wants: the stored integers of every texel as four bytes, whatever format they had, with what the
// address modes put beside the edges. Source: rendering specification, 3.2 ("a cache of unpacked bytes and one constant per channel
// serve every such format").
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "raster/texture/sampler.h"

namespace dp2trace::fast {

// One axis of a level: which texel indices are stored. An index outside is brought to `low` to `high` first, by the period where
// `is_periodic`, else by clamping; the tap behind an index is stored next to it.
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
  std::vector<uint32_t> words;       // R | G << 8 | B << 16 | A << 24
  std::array<float, 4> scales = {};  // r_n * 2^-16 of each channel (3.2)
  FastForm form;
};

// True for what FastTexture can hold.
bool HasFastForm(const raster::Sampler& sampler);

// WRAP and MIRROR.
bool IsPeriodic(uint32_t address);

// The textures that were sampled lately. A texture whose surface or palette has changed is made anew; who still draws with the old
// one keeps it.
class TextureCache {
 public:
  std::shared_ptr<const FastTexture> Find(const raster::Sampler& sampler, const FastForm& form);
  // A round of drawing is over: forgets what has not been used for some rounds, and what is too much.
  void EndRound();
  // There is too much: the round should end. Textures that draws still hold stay with them.
  bool is_full() const { return size_bytes_ > kMaxBytes; }

 private:
  struct Key {
    uint64_t surface = 0;
    uint64_t palette = 0;  // hash of its contents; 0: none
    FastForm form;
    auto operator<=>(const Key&) const = default;
  };
  struct Entry {
    uint64_t generation = 0;
    uint64_t last_round = 0;
    std::shared_ptr<const FastTexture> texture;
  };
  static constexpr uint64_t kMaxBytes = uint64_t{256} << 20;

  void Erase(std::map<Key, Entry>::iterator entry);

  std::map<Key, Entry> entries_;
  uint64_t round_ = 0;
  uint64_t size_bytes_ = 0;  // of all textures
};

}  // namespace dp2trace::fast
