// The textures that were sampled lately, in the forms that kernels sample.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>

#include "fast/machine/isa.h"
#include "fast/machine/workers.h"
#include "fast/texture/fast_texture.h"
#include "fast/texture/texel_channels.h"
#include "fast/texture/wide_texture.h"
#include "raster/texture/sampler.h"

namespace dp2trace::fast {

// Textures of one kind. One whose surface or palette has changed is made anew; who still draws with the old one keeps it.
template <class Texture, class Form>
class TextureTable {
 public:
  using Maker = std::function<std::shared_ptr<const Texture>(const raster::Sampler&, const Form&)>;

  std::shared_ptr<const Texture> Find(const raster::Sampler& sampler, const Form& form,
                                      const Maker& make);
  void EndRound();
  bool is_full() const { return size_bytes_ > kMaxBytes; }

 private:
  struct Key {
    uint64_t surface = 0;
    uint64_t palette = 0;  // hash of its contents; 0: none
    Form form;
    auto operator<=>(const Key&) const = default;
  };
  struct Entry {
    uint64_t generation = 0;
    uint64_t last_round = 0;
    std::shared_ptr<const Texture> texture;
  };
  static constexpr uint64_t kMaxBytes = uint64_t{256} << 20;

  void Erase(typename std::map<Key, Entry>::iterator entry);

  std::map<Key, Entry> entries_;
  uint64_t round_ = 0;
  uint64_t size_bytes_ = 0;  // of all textures
};

class TextureCache {
 public:
  TextureCache(const Isa& isa, Workers& workers)
      : decode_(DecodeTexelsOf(isa)), workers_(workers) {}

  std::shared_ptr<const FastTexture> Find(const raster::Sampler& sampler, const FastForm& form);
  std::shared_ptr<const WideTexture> FindWide(const raster::Sampler& sampler, const WideForm& form);
  // A round of drawing is over: forgets what has not been used for some rounds, and what is too much.
  void EndRound();
  // There is too much: the round should end. Textures that draws still hold stay with them.
  bool is_full() const { return plain_.is_full() || wide_.is_full(); }

 private:
  DecodeTexels decode_;
  Workers& workers_;
  TextureTable<FastTexture, FastForm> plain_;
  TextureTable<WideTexture, WideForm> wide_;
};

}  // namespace dp2trace::fast
