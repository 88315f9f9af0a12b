#include "scrub/scrub_texels.h"

#include <algorithm>
#include <array>

namespace dp2trace::scrub {
namespace {

using d3d::Channel;
using d3d::ChannelType;
using d3d::FormatKind;

constexpr uint64_t Ones(uint32_t width) {
  return width >= 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1;
}

// After as many texels the noise repeats, so that a container compresses it. It is a prime: rows differ, whatever their length is.
constexpr uint64_t kPeriod = 4093;

// Up to 8 bytes.
uint64_t Load(const uint8_t* at, size_t size) {
  uint64_t value = 0;
  for (size_t i = 0; i < size; ++i)
    value |= uint64_t{at[i]} << 8 * i;
  return value;
}

void Save(uint8_t* at, size_t size, uint64_t value) {
  for (size_t i = 0; i < size; ++i)
    at[i] = static_cast<uint8_t>(value >> 8 * i);
}

// Bits of the mantissa: IEEE single and half; 24 bits have 4 of exponent and no sign. Source: lib/raster/rendering-texture.md 3.7.
constexpr uint32_t MantissaBits(uint32_t width) {
  return width == 32 ? 23 : width == 16 ? 10 : 20;
}
constexpr uint32_t ExponentBits(uint32_t width) {
  return width == 32 ? 8 : width == 16 ? 5 : 4;
}

// Only one channel of a texel.
struct Place {
  Channel channel;
  uint32_t byte = 0;   // of the first that the channel is in
  uint32_t size = 0;   // bytes that hold it
  uint32_t shift = 0;  // bits in these bytes
  uint64_t Get(const uint8_t* texel) const {
    return Load(texel + byte, size) >> shift & Ones(channel.width_bits);
  }
  void Set(uint8_t* texel, uint64_t value) const {
    const uint64_t mask = Ones(channel.width_bits) << shift;
    Save(texel + byte, size, (Load(texel + byte, size) & ~mask) | (value << shift & mask));
  }
};

// The texels of one array.
class Texels {
 public:
  Texels(const d3d::FormatInfo& info, std::span<const d3d::ColorKey> keys, const Noise& noise)
      : info_(info), keys_(keys), noise_(noise) {
    for (const Channel& channel : info.channels) {
      if (channel.name == 0) continue;
      const uint32_t byte = channel.offset_bits / 8;
      const uint32_t end = (channel.offset_bits + channel.width_bits + 7U) / 8;
      places_[count_++] = {channel, byte, end - byte, channel.offset_bits % 8U};
      if (channel.name != 'A' && info.block_size <= 8) key_mask_ |= info.Mask(channel.name);
    }
    if (info.has_palette()) key_mask_ = info.Mask('P');
  }

  // What the array as a whole says: before Scrub(), for each texel.
  void Look(const uint8_t* texel) {
    is_uniform_ &= first_ == nullptr || std::equal(texel, texel + info_.block_size, first_);
    if (first_ == nullptr) first_ = texel;
    for (uint32_t i = 0; i < count_; ++i) {
      const Channel& channel = places_[i].channel;
      const uint64_t value = places_[i].Get(texel);
      if (channel.name == 'P') largest_ = std::max(largest_, value);
      if (channel.type == ChannelType::kFloat && Exponent(channel, value) != Infinity(channel))
        largest_ = std::max(largest_, Exponent(channel, value));
    }
  }

  void Scrub(uint64_t at, uint8_t* texel) const {
    const uint64_t place = is_uniform_ ? 0 : at / info_.block_size % kPeriod * 32;
    if (info_.is_block()) return ScrubBlock(info_, place, noise_, texel);
    if (count_ == 0 || info_.block_width != 1) return ScrubBytes(place, texel);
    if (IsKeyed(texel)) return;
    std::array<uint8_t, 16> scrubbed = {};
    for (uint64_t attempt = 0; attempt < 4; ++attempt) {
      scrubbed = {};
      for (uint32_t i = 0; i < count_; ++i) {
        const uint64_t random = noise_.At(place + attempt * 4 + i);
        places_[i].Set(scrubbed.data(), Value(places_[i].channel, places_[i].Get(texel), random));
      }
      if (!IsKeyed(scrubbed.data())) break;
    }
    std::copy_n(scrubbed.data(), info_.block_size, texel);
  }

 private:
  static uint64_t Exponent(const Channel& channel, uint64_t value) {
    return value >> MantissaBits(channel.width_bits) & Ones(ExponentBits(channel.width_bits));
  }
  // The exponent of infinities and NaN.
  static uint64_t Infinity(const Channel& channel) {
    return channel.width_bits == 24 ? UINT64_MAX : Ones(ExponentBits(channel.width_bits));
  }

  // Several pixels that share bytes; only alpha (A1) stays.
  void ScrubBytes(uint64_t place, uint8_t* texel) const {
    if (count_ == 1 && places_[0].channel.name == 'A') return;
    for (uint32_t i = 0; i < info_.block_size; ++i)
      texel[i] = static_cast<uint8_t>(noise_.At(place + i));
  }

  bool IsKeyed(const uint8_t* texel) const {
    if (keys_.empty() || key_mask_ == 0) return false;
    const uint64_t raw = Load(texel, info_.block_size) & key_mask_;
    return std::ranges::any_of(keys_, [&](const d3d::ColorKey& key) {
      return (key.low & key_mask_) <= raw && raw <= (key.high & key_mask_);
    });
  }

  uint64_t Value(const Channel& channel, uint64_t value, uint64_t random) const {
    const uint64_t ones = Ones(channel.width_bits);
    if (channel.type == ChannelType::kFloat) return Float(channel, value, random);
    if (channel.name == 'P') return value == largest_ ? value : random % (largest_ + 1);
    if (channel.name != 'A') return random & ones;
    return value == 0 || value == ones ? value : 1 + random % (ones - 1);
  }

  uint64_t Float(const Channel& channel, uint64_t value, uint64_t random) const {
    const uint32_t mantissa = MantissaBits(channel.width_bits);
    const uint64_t exponent = Exponent(channel, value);
    const uint64_t sign = value >> (channel.width_bits - 1);
    const bool is_half_or_single = channel.width_bits != 24;
    const uint64_t magnitude = is_half_or_single ? value & Ones(channel.width_bits - 1U) : value;
    const uint64_t one = Ones(ExponentBits(channel.width_bits) - 1U) << mantissa;
    if (magnitude == 0 || exponent == Infinity(channel)) return value;
    if (channel.name == 'A' && value == one) return value;
    const bool is_largest = exponent == largest_ || largest_ < 4;
    const uint64_t kept = is_largest ? exponent : largest_ - 1 - (random >> 60) % 3;
    const uint64_t low = (random & Ones(mantissa)) | 1;
    return (is_half_or_single ? sign << (channel.width_bits - 1) : 0) | kept << mantissa | low;
  }

  const d3d::FormatInfo& info_;
  std::span<const d3d::ColorKey> keys_;
  const Noise& noise_;
  std::array<Place, 4> places_;
  uint32_t count_ = 0;
  uint64_t key_mask_ = 0;
  uint64_t largest_ = 0;  // palette index, or exponent
  const uint8_t* first_ = nullptr;
  bool is_uniform_ = true;
};

// Calls visit(at) for each texel or block, and fill(begin, end) for what lies between rows.
template <class Visit, class Fill>
void ForEachTexel(uint64_t size, const TexelRows& rows, uint64_t total, const Visit& visit,
                  const Fill& fill) {
  const uint64_t pitch = rows.pitch != 0 ? rows.pitch : rows.row_size != 0 ? rows.row_size : total;
  const uint64_t row = rows.row_size != 0 ? std::min(rows.row_size, pitch) : pitch;
  const uint64_t slice = rows.slice_pitch != 0 ? rows.slice_pitch : total;
  for (uint64_t begin = 0; begin < total; begin += slice) {
    const uint64_t end = std::min(total, begin + slice);
    for (uint64_t at = begin; at < end; at += pitch) {
      const uint64_t row_end = std::min(end, at + row);
      uint64_t texel = at;
      for (; texel + size <= row_end; texel += size)
        visit(texel);
      fill(texel, std::min(end, at + pitch));
    }
  }
}

}  // namespace

uint8_t ScrubAlpha(uint8_t alpha, uint64_t random) {
  return alpha == 0 || alpha == 255 ? alpha : static_cast<uint8_t>(1 + random % 254);
}

void ScrubTexels(const d3d::FormatInfo& info, std::span<const d3d::ColorKey> keys,
                 const TexelRows& rows, const Noise& noise, std::span<uint8_t> bytes) {
  if (info.block_size == 0) return;
  Texels texels(info, keys, noise);
  ForEachTexel(
      info.block_size, rows, bytes.size(), [&](uint64_t at) { texels.Look(bytes.data() + at); },
      [](uint64_t, uint64_t) {});
  // The first texel is compared with, and scrubbed first: its bytes are not looked at again.
  ForEachTexel(
      info.block_size, rows, bytes.size(),
      [&](uint64_t at) { texels.Scrub(at, bytes.data() + at); },
      [&](uint64_t begin, uint64_t end) {
        std::fill(bytes.begin() + static_cast<ptrdiff_t>(begin),
                  bytes.begin() + static_cast<ptrdiff_t>(end), uint8_t{0});
      });
}

}  // namespace dp2trace::scrub
