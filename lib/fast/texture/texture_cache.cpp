#include "fast/texture/texture_cache.h"

#include <xxhash.h>

#include <algorithm>

namespace dp2trace::fast {
namespace {

// Rounds for which a texture that nobody samples is kept.
constexpr uint64_t kRoundsKept = 256;

}  // namespace

template <class Texture, class Form>
std::shared_ptr<const Texture> TextureTable<Texture, Form>::Find(const raster::Sampler& sampler,
                                                                 const Form& form,
                                                                 const Maker& make) {
  const image::Surface& surface = sampler.resource().surface;
  Key key = {.surface = surface.id(), .form = form};
  if (const image::Palette* palette = sampler.palette()) {
    key.palette = XXH3_64bits_withSeed(palette->rgba.data(), sizeof(palette->rgba),
                                       palette->has_alpha ? 2 : 1);
  }
  Entry& entry = entries_[key];
  entry.last_round = round_;
  if (entry.texture == nullptr || entry.generation != surface.generation()) {
    entry.generation = surface.generation();
    if (entry.texture != nullptr) size_bytes_ -= entry.texture->size_bytes();
    entry.texture = make(sampler, form);
    size_bytes_ += entry.texture->size_bytes();
  }
  return entry.texture;
}

template <class Texture, class Form>
void TextureTable<Texture, Form>::Erase(typename std::map<Key, Entry>::iterator entry) {
  size_bytes_ -= entry->second.texture->size_bytes();
  entries_.erase(entry);
}

template <class Texture, class Form>
void TextureTable<Texture, Form>::EndRound() {
  ++round_;
  const auto older = [](const auto& a, const auto& b) {
    return a.second.last_round < b.second.last_round;
  };
  while (is_full())
    Erase(std::ranges::min_element(entries_, older));
  if (round_ % kRoundsKept != 0) return;
  for (auto entry = entries_.begin(); entry != entries_.end();) {
    const auto next = std::next(entry);
    if (entry->second.last_round + kRoundsKept < round_) Erase(entry);
    entry = next;
  }
}

template class TextureTable<FastTexture, FastForm>;
template class TextureTable<WideTexture, WideForm>;

std::shared_ptr<const FastTexture> TextureCache::Find(const raster::Sampler& sampler,
                                                      const FastForm& form) {
  return plain_.Find(sampler, form, [this](const raster::Sampler& of, const FastForm& in) {
    return MakeFastTexture(of, in, workers_);
  });
}

std::shared_ptr<const WideTexture> TextureCache::FindWide(const raster::Sampler& sampler,
                                                          const WideForm& form) {
  return wide_.Find(sampler, form, [this](const raster::Sampler& of, const WideForm& in) {
    return MakeWideTexture(of, in, decode_, workers_);
  });
}

void TextureCache::EndRound() {
  plain_.EndRound();
  wide_.EndRound();
}

}  // namespace dp2trace::fast
