// Textures in the form that sampling wants: the stored integers of every texel as four bytes, whatever format they had.
// Source: rendering specification, 3.2 ("a cache of unpacked bytes and one constant per channel serve every such format").
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "raster/texture/sampler.h"

namespace dp2trace::fast {

struct FastLevel {
  uint32_t offset = 0;  // texels from the start
  uint32_t width = 1, height = 1;
};

// All levels of a 2D texture whose channels are unsigned integers of at most 8 bits. Immutable.
struct FastTexture {
  std::vector<FastLevel> levels;
  std::vector<uint32_t> texels;      // R | G << 8 | B << 16 | A << 24, rows without padding
  std::array<float, 4> scales = {};  // r_n * 2^-16 of each channel (3.2)
};

// True for what FastTexture can hold.
bool HasFastForm(const raster::Sampler& sampler);

// The textures that were sampled lately. A texture whose surface or palette has changed is made anew; who still draws with the old
// one keeps it.
class TextureCache {
 public:
  std::shared_ptr<const FastTexture> Find(const raster::Sampler& sampler);
  // A round of drawing is over: forgets what has not been used for some rounds.
  void EndRound();

 private:
  struct Key {
    uint64_t surface = 0;
    uint64_t palette = 0;  // hash of its contents; 0: none
    auto operator<=>(const Key&) const = default;
  };
  struct Entry {
    uint64_t generation = 0;
    uint64_t last_round = 0;
    std::shared_ptr<const FastTexture> texture;
  };
  std::map<Key, Entry> entries_;
  uint64_t round_ = 0;
};

}  // namespace dp2trace::fast
