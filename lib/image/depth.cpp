#include "image/depth.h"

#include <bit>

#include "base/rounding.h"
#include "image/decode.h"
#include "image/half.h"

namespace dp2trace::image {
namespace {

uint32_t WidthOf(const d3d::FormatInfo& info, char name) {
  const d3d::Channel* channel = info.FindChannel(name);
  return channel == nullptr ? 0 : channel->width_bits;
}

uint32_t Extract(const d3d::FormatInfo& info, char name, uint64_t word) {
  const d3d::Channel* channel = info.FindChannel(name);
  return channel == nullptr
             ? 0
             : static_cast<uint32_t>((word & info.Mask(name)) >> channel->offset_bits);
}

uint64_t Place(const d3d::FormatInfo& info, char name, uint32_t value) {
  const d3d::Channel* channel = info.FindChannel(name);
  return channel == nullptr ? 0 : (uint64_t{value} << channel->offset_bits) & info.Mask(name);
}

bool IsFloat(const d3d::FormatInfo& info) {
  const d3d::Channel* channel = info.FindChannel('Z');
  return channel != nullptr && channel->type == d3d::ChannelType::kFloat;
}

}  // namespace

uint32_t DepthBits(const d3d::FormatInfo& info) {
  return WidthOf(info, 'Z');
}

uint32_t StencilBits(const d3d::FormatInfo& info) {
  return WidthOf(info, 'S');
}

DepthStencil LoadDepthStencil(const d3d::FormatInfo& info, const uint8_t* pixel) {
  const uint64_t word = LoadWord(pixel, info.block_size);
  return {Extract(info, 'Z', word), Extract(info, 'S', word)};
}

void StoreDepthStencil(const d3d::FormatInfo& info, const DepthStencil& value, bool writes_depth,
                       bool writes_stencil, uint8_t* pixel) {
  const uint64_t old = LoadWord(pixel, info.block_size);
  const uint64_t depth = writes_depth ? Place(info, 'Z', value.depth) : old & info.Mask('Z');
  const uint64_t stencil = writes_stencil ? Place(info, 'S', value.stencil) : old & info.Mask('S');
  StoreWord(pixel, info.block_size, depth | stencil);
}

uint32_t QuantizeDepth(const d3d::FormatInfo& info, double depth) {
  const uint32_t bits = DepthBits(info);
  if (bits == 0) return 0;
  if (!IsFloat(info)) return ToUnorm(depth, bits);
  const double clamped = Saturate(depth);
  return bits == 24 ? DoubleToDepthFloat24(clamped)
                    : std::bit_cast<uint32_t>(static_cast<float>(clamped));
}

double DepthToDouble(const d3d::FormatInfo& info, uint32_t stored) {
  const uint32_t bits = DepthBits(info);
  if (bits == 0) return 0;
  if (!IsFloat(info)) {
    return static_cast<double>(stored) / static_cast<double>((uint64_t{1} << bits) - 1);
  }
  return bits == 24 ? DepthFloat24ToDouble(stored) : double{std::bit_cast<float>(stored)};
}

}  // namespace dp2trace::image
