#include "device/blt.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "image/decoder.h"
#include "image/depth.h"
#include "image/encoder.h"
#include "image/resolve.h"
#include "image/yuv.h"
#include "rules/rule.h"

namespace dp2trace::device {
namespace {

using image::Area;
using image::ConstLevel;
using image::Level;
using image::Surface;
using image::Texel;

constexpr float kWeightSteps = 256;

Status Refuse(const Surface& source, const Surface& destination) {
  return Status(
      MakeDiagnostic(Rule::kDp2Blt010, fmt::format("no conversion from {} to {} with this size",
                                                   source.info().name, destination.info().name)));
}

bool IsEmpty(const Area& area) {
  return area.width() == 0 || area.height() == 0;
}

// A pixel as a number; of wide ones the low 64 bits.
uint64_t LoadPixel(const uint8_t* at, uint32_t size) {
  uint64_t value = 0;
  std::memcpy(&value, at, std::min<size_t>(size, sizeof value));
  return value;
}

// The bits that take part in a colour key: unused ones do not.
uint64_t KeyMask(const d3d::FormatInfo& info) {
  uint64_t mask = 0;
  for (const d3d::Channel& channel : info.channels)
    mask |= info.Mask(channel.name);
  return mask;
}

bool IsKeyed(const std::optional<d3d::ColorKey>& key, uint64_t mask, const uint8_t* pixel,
             uint32_t size) {
  const uint64_t value = LoadPixel(pixel, size) & mask;
  return value >= (key->low & mask) && value <= (key->high & mask);
}

// Source texel of each destination texel along one axis: ((2d + 1) * source) / (2 * destination).
std::vector<uint32_t> PointTaps(uint32_t start, uint32_t source, uint32_t destination) {
  std::vector<uint32_t> taps(destination);
  for (uint32_t i = 0; i < destination; ++i) {
    taps[i] =
        start + static_cast<uint32_t>((2 * uint64_t{i} + 1) * source / (2 * uint64_t{destination}));
  }
  return taps;
}

// Two texels and the weight of the second, in 1/256, inside the source rectangle.
struct LinearTap {
  uint32_t first = 0, second = 0;
  float weight = 0;
};
// step: texels of the source per texel of the plane that is read: 1, or 2 for the chroma of 4:2:0.
std::vector<LinearTap> LinearTaps(uint32_t start, uint32_t source, uint32_t destination,
                                  uint32_t step = 1) {
  std::vector<LinearTap> taps(destination);
  const uint32_t first = start / step;
  const int64_t last = int64_t{(start + source - 1) / step} - first;
  for (uint32_t i = 0; i < destination; ++i) {
    const float position = (static_cast<float>(i) + 0.5F) * static_cast<float>(source) /
                           static_cast<float>(destination);
    const float u = (static_cast<float>(start % step) + position) / static_cast<float>(step) - 0.5F;
    const float base = std::floor(u);  // -1 to the extent of the plane
    const auto index = static_cast<int64_t>(base);
    taps[i] = {first + static_cast<uint32_t>(std::clamp<int64_t>(index, 0, last)),
               first + static_cast<uint32_t>(std::clamp<int64_t>(index + 1, 0, last)),
               std::floor((u - base) * kWeightSteps + 0.5F) / kWeightSteps};
  }
  return taps;
}

Texel Lerp(const Texel& a, const Texel& b, float weight) {
  Texel result;
  for (size_t i = 0; i < result.size(); ++i)
    result[i] = a[i] + weight * (b[i] - a[i]);
  return result;
}

// read: the texel at (x, y).
template <typename Read>
Texel Bilinear(const LinearTap& u, const LinearTap& v, const Read& read) {
  const Texel top = Lerp(read(u.first, v.first), read(u.second, v.first), u.weight);
  const Texel bottom = Lerp(read(u.first, v.second), read(u.second, v.second), u.weight);
  return Lerp(top, bottom, v.weight);
}

// Reads the source rectangle before anything is written.
struct Pixels {
  uint32_t width = 0, height = 0;
  uint32_t size = 0;
  std::vector<uint8_t> bytes;  // in the destination's format
  std::vector<uint8_t> keyed;  // per pixel: the source key matches
  uint8_t* at(uint32_t x, uint32_t y) { return bytes.data() + (size_t{y} * width + x) * size; }
};

void ReadPoint(const ConstLevel& source, const Area& from, const BltOptions& options,
               const image::Decoder* decoder, const image::Encoder* encoder, Pixels& pixels) {
  const std::vector<uint32_t> columns = PointTaps(from.left, from.width(), pixels.width);
  const std::vector<uint32_t> rows = PointTaps(from.top, from.height(), pixels.height);
  const uint32_t source_size = source.info->block_size;
  const uint64_t mask = KeyMask(*source.info);
  for (uint32_t y = 0; y < pixels.height; ++y) {
    for (uint32_t x = 0; x < pixels.width; ++x) {
      const uint8_t* pixel = source.block(columns[x], rows[y]);
      if (options.source_key && IsKeyed(options.source_key, mask, pixel, source_size))
        pixels.keyed[size_t{y} * pixels.width + x] = 1;
      if (decoder == nullptr) {
        std::memcpy(pixels.at(x, y), pixel, source_size);
      } else {
        encoder->Encode(decoder->Decode(source, columns[x], rows[y]), pixels.at(x, y));
      }
    }
  }
}

void ReadLinear(const ConstLevel& source, const Area& from, const image::Decoder& decoder,
                const image::Encoder& encoder, Pixels& pixels) {
  const std::vector<LinearTap> columns = LinearTaps(from.left, from.width(), pixels.width);
  const std::vector<LinearTap> rows = LinearTaps(from.top, from.height(), pixels.height);
  for (uint32_t y = 0; y < pixels.height; ++y) {
    for (uint32_t x = 0; x < pixels.width; ++x) {
      const Texel texel = Bilinear(columns[x], rows[y], [&](uint32_t i, uint32_t j) {
        return decoder.Decode(source, i, j);
      });
      encoder.Encode(texel, pixels.at(x, y));
    }
  }
}

// Unspecified: how a linear filter reads chroma of half the extent. Chosen: each plane is filtered at its own resolution, its centres in
// the middle of their 2x2 blocks, then converted. Observed: wined3d filters the chroma of NV12 only between rows.
void ReadLinearPlanes(const ConstLevel& source, const Area& from, const image::Decoder& decoder,
                      const image::Encoder& encoder, Pixels& pixels) {
  const std::vector<LinearTap> columns = LinearTaps(from.left, from.width(), pixels.width);
  const std::vector<LinearTap> rows = LinearTaps(from.top, from.height(), pixels.height);
  const std::vector<LinearTap> chroma_columns =
      LinearTaps(from.left, from.width(), pixels.width, 2);
  const std::vector<LinearTap> chroma_rows = LinearTaps(from.top, from.height(), pixels.height, 2);
  for (uint32_t y = 0; y < pixels.height; ++y) {
    for (uint32_t x = 0; x < pixels.width; ++x) {
      const Texel luma = Bilinear(columns[x], rows[y], [&](uint32_t i, uint32_t j) {
        return Texel{image::PlanarLuma(source, i, j)};
      });
      const Texel chroma = Bilinear(chroma_columns[x], chroma_rows[y], [&](uint32_t i, uint32_t j) {
        const auto [u, v] = image::PlanarChroma(source, i, j);
        return Texel{u, v};
      });
      const image::StoredTexel stored = image::FromYuv(luma[0], chroma[0], chroma[1]);
      encoder.Encode(decoder.FromStored(stored), pixels.at(x, y));
    }
  }
}

void WritePixels(Surface& destination, const BltPlace& to, const BltOptions& options,
                 Pixels& pixels) {
  const Level level = destination.level(to.face, to.level);
  const uint64_t mask = KeyMask(destination.info());
  const uint32_t copies = destination.description().samples;
  for (uint32_t y = 0; y < pixels.height; ++y) {
    for (uint32_t x = 0; x < pixels.width; ++x) {
      if (pixels.keyed[size_t{y} * pixels.width + x] != 0) continue;
      for (uint32_t copy = 0; copy < copies; ++copy) {
        uint8_t* pixel = level.block(to.area.left + x, to.area.top + y, to.area.front + copy);
        if (options.destination_key && !IsKeyed(options.destination_key, mask, pixel, pixels.size))
          continue;
        std::memcpy(pixel, pixels.at(x, y), pixels.size);
      }
    }
  }
}

// How a pixel gets from one format to the other.
enum class Conversion : uint8_t { kNone, kCopyArea, kRawPixels, kColor };

Conversion ChooseConversion(const Surface& source, const BltPlace& from, const Surface& destination,
                            const BltPlace& to, const BltOptions& options) {
  const d3d::FormatInfo& info = source.info();
  const bool is_equal = &info == &destination.info();
  const bool is_stretched =
      from.area.width() != to.area.width() || from.area.height() != to.area.height();
  const bool has_keys = options.source_key || options.destination_key;
  if (is_equal && !is_stretched && !has_keys) return Conversion::kCopyArea;
  const bool is_plain =
      info.block_width == 1 && info.block_height == 1 && destination.info().block_width == 1;
  const bool can_filter = image::Encoder(destination.info()).can_encode() && !info.has_palette();
  const bool wants_filter = is_stretched && options.filter == StretchFilter::kLinear && can_filter;
  if (is_equal && is_plain && !wants_filter) return Conversion::kRawPixels;
  const bool is_colour =
      !info.is_depth() && !info.is_buffer() && (!info.has_palette() || options.palette != nullptr);
  const bool is_key_readable = is_plain || !has_keys;
  return is_colour && is_key_readable && image::Encoder(destination.info()).can_encode()
             ? Conversion::kColor
             : Conversion::kNone;
}

void ConvertPixels(const Surface& source, const BltPlace& from, const BltOptions& options,
                   bool is_raw, Pixels& pixels, const d3d::FormatInfo& target) {
  const ConstLevel level = source.level(from.face, from.level);
  if (is_raw) return ReadPoint(level, from.area, options, nullptr, nullptr, pixels);
  const image::Decoder decoder(source.info(), options.palette);
  const image::Encoder encoder(target);
  const bool is_linear = options.filter == StretchFilter::kLinear && !options.source_key &&
                         !source.info().has_palette();
  if (is_linear) {
    const bool is_planar = source.info().kind == d3d::FormatKind::kPlanarYuv;
    return is_planar ? ReadLinearPlanes(level, from.area, decoder, encoder, pixels)
                     : ReadLinear(level, from.area, decoder, encoder, pixels);
  }
  ReadPoint(level, from.area, options, &decoder, &encoder, pixels);
}

// The edges of areas of block formats may lie inside a block while pixels are read one by one.
Status CheckInside(const Surface& surface, const BltPlace& place) {
  if (!surface.HasLevel(place.face, place.level))
    return surface.CheckArea(place.face, place.level, place.area);
  const Area whole = surface.WholeLevel(place.level);
  const Area& area = place.area;
  const bool is_inside = area.left <= area.right && area.right <= whole.right &&
                         area.top <= area.bottom && area.bottom <= whole.bottom &&
                         area.front < whole.back && area.back == area.front + 1;
  if (is_inside) return OkStatus();
  Diagnostic finding = MakeDiagnostic(
      Rule::kReplaySurface002,
      fmt::format("the area {}, {}, {}, {} is not inside the level of {} x {}", area.left, area.top,
                  area.right, area.bottom, whole.right, whole.bottom));
  finding.actual = fmt::format("{}, {}, {}, {}", area.left, area.top, area.right, area.bottom);
  finding.expected = fmt::format("inside {} x {}", whole.right, whole.bottom);
  return Status(std::move(finding));
}

Status CopyPlace(const Surface& source, const BltPlace& from, Surface& destination,
                 const BltPlace& to) {
  return image::CopyArea(source, from.face, from.level, from.area, destination,
                         {to.face, to.level, to.area.left, to.area.top, to.area.front});
}

}  // namespace

uint64_t StepsOf(const Surface& surface, const BltPlace& place) {
  constexpr uint64_t kPixelsOfStep = 4;
  if (!surface.has_pixels() || !surface.HasLevel(place.face, place.level)) return 0;
  const Area whole = surface.WholeLevel(place.level);
  const auto least = [](uint32_t a, uint32_t b) { return uint64_t{std::min(a, b)}; };
  const uint64_t pixels = least(place.area.width(), whole.width()) *
                          least(place.area.height(), whole.height()) *
                          least(place.area.depth(), whole.depth());
  return 1 + pixels * surface.description().samples / kPixelsOfStep;
}

uint64_t StepsOf(const Surface& surface) {
  uint64_t steps = 0;
  for (uint32_t level = 0; level < surface.description().levels; ++level)
    steps += StepsOf(surface, {.face = 0, .level = level, .area = surface.WholeLevel(level)});
  return steps * surface.description().faces;
}

uint64_t StretchSteps(const Surface& source, const Surface& destination, const BltPlace& to) {
  return StepsOf(destination, to) + (source.description().samples > 1 ? StepsOf(source) : 0);
}

Status Stretch(const Surface& source, const BltPlace& from, Surface& destination,
               const BltPlace& to, const BltOptions& options) {
  if (source.description().samples > 1) {
    const Result<Surface> resolved = image::Resolve(source);
    return resolved.ok() ? Stretch(*resolved, from, destination, to, options) : resolved.status();
  }
  const Conversion conversion = ChooseConversion(source, from, destination, to, options);
  if (conversion == Conversion::kCopyArea) return CopyPlace(source, from, destination, to);
  if (conversion == Conversion::kNone) return Refuse(source, destination);
  DP2TRACE_RETURN_IF_ERROR(CheckInside(source, from));
  DP2TRACE_RETURN_IF_ERROR(CheckInside(destination, to));
  if (IsEmpty(from.area) || IsEmpty(to.area) || !destination.has_pixels()) return OkStatus();
  Pixels pixels = {.width = to.area.width(),
                   .height = to.area.height(),
                   .size = destination.info().block_size,
                   .bytes = {},
                   .keyed = {}};
  pixels.bytes.resize(size_t{pixels.width} * pixels.height * pixels.size);
  pixels.keyed.resize(size_t{pixels.width} * pixels.height);
  ConvertPixels(source, from, options, conversion == Conversion::kRawPixels, pixels,
                destination.info());
  WritePixels(destination, to, options, pixels);
  return OkStatus();
}

Status FillRaw(Surface& surface, const BltPlace& place, uint32_t value) {
  DP2TRACE_RETURN_IF_ERROR(surface.CheckArea(place.face, place.level, place.area));
  if (place.area.depth() == 0) return OkStatus();
  const d3d::FormatInfo& info = surface.info();
  if (info.kind == d3d::FormatKind::kPlanarYuv || info.kind == d3d::FormatKind::kNone)
    return Refuse(surface, surface);
  if (!surface.has_pixels()) return OkStatus();
  const Level level = surface.level(place.face, place.level);
  std::array<uint8_t, 16> block = {};
  std::memcpy(block.data(), &value, sizeof value);
  const uint32_t copies = surface.description().samples;
  for (uint32_t z = place.area.front; z < place.area.back - 1 + copies; ++z) {
    for (uint32_t y = place.area.top; y < place.area.bottom; y += info.block_height) {
      for (uint32_t x = place.area.left; x < place.area.right; x += info.block_width)
        std::memcpy(level.block(x, y, z), block.data(), info.block_size);
    }
  }
  return OkStatus();
}

Status FillRawDepth(Surface& surface, const BltPlace& place, uint32_t value) {
  DP2TRACE_RETURN_IF_ERROR(surface.CheckArea(place.face, place.level, place.area));
  const d3d::FormatInfo& info = surface.info();
  if (!info.is_depth()) {
    return Status(MakeDiagnostic(Rule::kDp2Blt011,
                                 fmt::format("a {} surface has no depth to fill", info.name)));
  }
  if (place.area.depth() == 0 || !surface.has_pixels()) return OkStatus();
  std::array<uint8_t, 16> pixel = {};
  std::memcpy(pixel.data(), &value, sizeof value);
  const image::DepthStencil depth = image::LoadDepthStencil(info, pixel.data());
  const Level level = surface.level(place.face, place.level);
  const uint32_t copies = surface.description().samples;
  for (uint32_t z = place.area.front; z < place.area.back - 1 + copies; ++z) {
    for (uint32_t y = place.area.top; y < place.area.bottom; ++y) {
      for (uint32_t x = place.area.left; x < place.area.right; ++x)
        image::StoreDepthStencil(info, depth, true, false, level.block(x, y, z));
    }
  }
  return OkStatus();
}

}  // namespace dp2trace::device
