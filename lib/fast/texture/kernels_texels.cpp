// Rows of texels to numbers. Source: lib/raster/rendering-texture.md 3.7 and 3.11.
#include "fast/machine/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fast/texture/kernels_texels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstring>

#include "fast/machine/kernels.h"
#include "fast/machine/lanes-inl.h"
#include "fast/texture/channels-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dp2trace::fast::HWY_NAMESPACE {

// As many texels as a vector has lanes, fewer at the end of a row.
template <size_t kSize>
HWY_INLINE void DecodeVector(const TexelChannels& texel, const uint8_t* from, uint32_t count,
                             float* to) {
  const F32 d;
  constexpr size_t kWords = (kSize + 3) / 4;
  VU loaded[4];
  for (VU& word : loaded)
    word = hn::Zero(U32());
  if (kSize == 4 && count == hn::Lanes(d)) {
    loaded[0] = hn::BitCast(U32(), hn::LoadU(hn::Repartition<uint8_t, F32>(), from));
  } else {
    alignas(64) uint32_t words[kWords][16] = {};
    for (uint32_t i = 0; i < count; ++i) {
      for (size_t w = 0; w < kWords; ++w)
        std::memcpy(&words[w][i], from + i * kSize + 4 * w, std::min<size_t>(kSize, 4));
    }
    for (size_t w = 0; w < kWords; ++w)
      loaded[w] = hn::Load(U32(), words[w]);
  }
  if (texel.is_single) {
    alignas(64) float one[16];
    hn::Store(DecodedChannel(texel.channels[0], loaded), d, one);
    std::memcpy(to, one, count * sizeof(float));
    return;
  }
  VF made[4];
  for (size_t c = 0; c < 4; ++c)
    made[c] = DecodedChannel(texel.channels[c], loaded);
  if (count == hn::Lanes(d))
    return hn::StoreInterleaved4(made[0], made[1], made[2], made[3], d, to);
  alignas(64) float rest[4 * 16];
  hn::StoreInterleaved4(made[0], made[1], made[2], made[3], d, rest);
  std::memcpy(to, rest, size_t{4} * count * sizeof(float));
}

template <size_t kSize>
void DecodeRow(const TexelChannels& texel, const uint8_t* row, uint32_t count, float* to) {
  const auto step = static_cast<uint32_t>(hn::Lanes(F32()));
  const size_t numbers = texel.is_single ? 1 : 4;
  for (uint32_t x = 0; x < count; x += step)
    DecodeVector<kSize>(texel, row + size_t{x} * kSize, std::min(step, count - x),
                        to + numbers * x);
}

void Decode(const TexelChannels& texel, const uint8_t* row, uint32_t count, float* to) {
  switch (texel.size) {
    case 1:
      return DecodeRow<1>(texel, row, count, to);
    case 2:
      return DecodeRow<2>(texel, row, count, to);
    case 3:
      return DecodeRow<3>(texel, row, count, to);
    case 4:
      return DecodeRow<4>(texel, row, count, to);
    case 8:
      return DecodeRow<8>(texel, row, count, to);
    default:
      return DecodeRow<16>(texel, row, count, to);
  }
}

void SetDecode(DecodeTexels& decode) {
  decode = Decode;
}

}  // namespace dp2trace::fast::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dp2trace::fast {

HWY_EXPORT(SetDecode);

DecodeTexels DecodeTexelsOf(const Isa& isa) {
  const auto choose = [](void* made) {
    auto& decode = *static_cast<DecodeTexels*>(made);
    HWY_DYNAMIC_DISPATCH(SetDecode)(decode);
  };
  DecodeTexels decode = nullptr;
  WithTarget(isa, choose, &decode);
  return decode;
}

}  // namespace dp2trace::fast
#endif
