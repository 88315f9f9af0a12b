// Textures in their fast forms: each stored texel is that of the surface, however many threads make them.
#include "fast/texture/fast_texture.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <vector>

#include "fast/machine/isa.h"
#include "fast/texture/wide_texture.h"
#include "image/decoder.h"
#include "raster/texture/address.h"
#include "support/random.h"
#include "unit/raster/texture/texture_scene.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::fast;     // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

namespace {

// Enough texels for ranges of several threads.
constexpr uint32_t kTextureWidth = 257, kTextureHeight = 300;

device::Resource RandomTexture(d3d::Format format) {
  Random random(static_cast<uint32_t>(format));
  device::Resource resource =
      MakeResource({.format = format, .width = kTextureWidth, .height = kTextureHeight});
  std::vector<uint8_t> bytes(resource.surface.size_bytes());
  std::ranges::generate(bytes, [&] { return random.Byte(); });
  Fill(resource, 0, 0, bytes);
  return resource;
}

uint32_t WordOf(const image::StoredTexel& texel) {
  uint32_t word = 0;
  for (uint32_t i = 0; i < 4; ++i)
    word |= static_cast<uint32_t>(texel[i]) << (8 * i);
  return word;
}

// The word that stands for an index of each axis.
uint32_t ExpectedWord(const raster::Sampler& sampler, const FastForm& form, int32_t x, int32_t y) {
  const int32_t column = raster::ResolveTap(x, form.address[0], kTextureWidth);
  const int32_t row = raster::ResolveTap(y, form.address[1], kTextureHeight);
  if (column == raster::kBorderTap || row == raster::kBorderTap) return form.border;
  const image::Decoder decoder(sampler.format());
  return WordOf(decoder.Stored(sampler.resource().surface.level(0, 0),
                               static_cast<uint32_t>(column), static_cast<uint32_t>(row)));
}

}  // namespace

TEST_CASE("MakeFastTexture: every element holds its texel, and the one below it in pairs") {
  Workers workers(4);
  for (const d3d::Format format :
       {d3d::Format::A8R8G8B8, d3d::Format::X8R8G8B8, d3d::Format::R5G6B5, d3d::Format::DXT1}) {
    const device::Resource resource = RandomTexture(format);
    for (const uint32_t address : {kWrap, kMirror, kClamp, kBorder, kMirrorOnce}) {
      const raster::Sampler sampler(resource, std::nullopt,
                                    StateOf(raster::Filter::kLinear, address),
                                    raster::ColorKeyMode::kOff);
      REQUIRE(HasFastForm(sampler));
      for (const bool has_pairs : {false, true}) {
        CAPTURE(address);
        CAPTURE(has_pairs);
        const FastForm form = {
            .address = {address, address}, .border = 0x12345678, .has_pairs = has_pairs};
        const auto texture = MakeFastTexture(sampler, form, workers);
        const FastLevel& level = texture->levels.at(0);
        uint32_t differences = 0;
        const uint32_t* word = &texture->words[level.offset];
        for (int32_t y = level.y.low; y <= level.y.high; ++y) {
          for (int32_t x = level.x.low; x <= level.x.high + 1; ++x) {
            differences += *word++ == ExpectedWord(sampler, form, x, y) ? 0U : 1U;
            if (has_pairs)
              differences += *word++ == ExpectedWord(sampler, form, x, y + 1) ? 0U : 1U;
          }
        }
        CHECK(differences == 0);
      }
    }
  }
}

TEST_CASE("MakeWideTexture: any number of threads gives the same texels") {
  Workers one(1);
  Workers many(4);
  const DecodeTexels decode = DecodeTexelsOf(SupportedIsas().front());
  for (const d3d::Format format :
       {d3d::Format::R32F, d3d::Format::A16B16G16R16F, d3d::Format::A8R8G8B8}) {
    const device::Resource resource = RandomTexture(format);
    const raster::Sampler sampler(resource, std::nullopt, StateOf(raster::Filter::kLinear, kWrap),
                                  raster::ColorKeyMode::kOff);
    const WideForm form = WideFormOf(sampler, false);
    const auto expected = MakeWideTexture(sampler, form, decode, one);
    const auto actual = MakeWideTexture(sampler, form, decode, many);
    REQUIRE(actual->texel_count == expected->texel_count);
    REQUIRE(actual->numbers() == expected->numbers());
    const size_t size = size_t{actual->texel_count} * actual->numbers() * sizeof(float);
    CHECK(std::memcmp(actual->texels.get(), expected->texels.get(), size) == 0);
  }
}
