// The decoders of the format families, see decoder.h. Internal to this folder.
#pragma once

#include <array>
#include <cstdint>

#include "image/decoder.h"

namespace dp2trace::image {

// Channels at fixed places in a little-endian word of up to 64 bits.
StoredTexel StoredInteger(const Decoder& decoder, const ConstLevel& level, uint32_t x, uint32_t y,
                          uint32_t z);
StoredTexel StoredPalette(const Decoder& decoder, const ConstLevel& level, uint32_t x, uint32_t y,
                          uint32_t z);
// The first A8R8G8B8 element.
StoredTexel StoredMultiElement(const Decoder& decoder, const ConstLevel& level, uint32_t x,
                               uint32_t y, uint32_t z);
StoredTexel StoredBlock(const Decoder& decoder, const ConstLevel& level, uint32_t x, uint32_t y,
                        uint32_t z);
StoredTexel StoredPackedRgb(const Decoder& decoder, const ConstLevel& level, uint32_t x, uint32_t y,
                            uint32_t z);
StoredTexel StoredYuv(const Decoder& decoder, const ConstLevel& level, uint32_t x, uint32_t y,
                      uint32_t z);
StoredTexel StoredPlanarYuv(const Decoder& decoder, const ConstLevel& level, uint32_t x, uint32_t y,
                            uint32_t z);

Texel DecodeFloat(const d3d::FormatInfo& info, const uint8_t* pixel);
// U, V and the third component of the unit vector.
Texel DecodeCxV8U8(const uint8_t* pixel);
// A2B10G10R10 with 384 as 0 and 894 as 1.
Texel DecodeXrBias(const Decoder& decoder, const uint8_t* pixel);

// A little-endian word of 1 to 8 bytes.
uint64_t LoadWord(const uint8_t* at, uint32_t size);
void StoreWord(uint8_t* at, uint32_t size, uint64_t value);
// Bits [offset, offset + width) of the word, sign-extended when signed.
int32_t ExtractBits(uint64_t word, const IntegerSlot& slot);

}  // namespace dp2trace::image
