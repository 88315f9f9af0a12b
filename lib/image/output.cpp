#include "image/output.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>

#include "base/bytes.h"
#include "base/hash.h"
#include "base/rounding.h"
#include "image/decoder.h"
#include "image/depth.h"
#include "image/png.h"
#include "image/resolve.h"
#include "rules/rule.h"

namespace dp2trace::image {
namespace {

using d3d::FormatKind;

using Pixel = std::array<uint8_t, 4>;

uint8_t ToByte(float value) {
  return static_cast<uint8_t>(ToUnorm(value, 8));
}

// Which of R, G, B, A are signed and therefore shown around mid-grey.
std::array<bool, 4> SignedChannels(const Decoder& decoder) {
  if (decoder.info().format == d3d::Format::CxV8U8) return {true, true, true, false};
  std::array<bool, 4> is_signed = {};
  for (size_t i = 0; i < 4; ++i) {
    is_signed[i] = decoder.has_stored() && decoder.stored_channels()[i].is_signed;
  }
  return is_signed;
}

Pixel FromTexel(const Texel& texel, const std::array<bool, 4>& is_signed) {
  Pixel pixel = {};
  for (size_t i = 0; i < 4; ++i) {
    pixel[i] = ToByte(is_signed[i] ? 0.5F * texel[i] + 0.5F : texel[i]);
  }
  return pixel;
}

// Where the bytes of a plain word go that has four of them.
class ByteOrder {
 public:
  explicit ByteOrder(const Decoder& decoder) {
    const std::array<IntegerSlot, 4>& slots = decoder.slots();
    for (size_t i = 0; i < 4; ++i) {
      if (slots[i].width_bits == 0) missing_ |= uint32_t{slots[i].missing} << (8 * i);
      masks_[i] = slots[i].width_bits == 0 ? 0 : 0xFFU;
      shifts_[i] = slots[i].offset_bits;
    }
  }
  // Bytes that the format lacks.
  uint32_t missing() const { return missing_; }
  // The others; these are 0.
  uint32_t Place(uint32_t word) const {
    return (word >> shifts_[0] & masks_[0]) | (word >> shifts_[1] & masks_[1]) << 8 |
           (word >> shifts_[2] & masks_[2]) << 16 | (word >> shifts_[3] & masks_[3]) << 24;
  }

 private:
  uint32_t missing_ = 0;
  std::array<uint32_t, 4> masks_ = {}, shifts_ = {};
};

// The rows of an area of plain words, one at a time: as they are stored, or resolved.
class WordRows {
 public:
  WordRows(const Surface& surface, uint32_t face, uint32_t level, const Area& area)
      : level_(surface.level(face, level)), area_(area) {
    if (surface.description().samples > 1) resolved_.resize(size_t{area.width()} * 4);
  }
  // Row y of the area, up to the next call.
  const uint8_t* At(uint32_t y) {
    if (resolved_.empty()) return level_.block(area_.left, area_.top + y, area_.front);
    AverageBytes(level_, area_.left, area_.top + y, resolved_);
    return resolved_.data();
  }

 private:
  ConstLevel level_;
  Area area_;
  std::vector<uint8_t> resolved_;
};

// Pixels of plain words with four bytes.
Picture CopyBytes(const Decoder& decoder, WordRows rows, const Area& area) {
  Picture picture(area.width(), area.height());
  const ByteOrder order(decoder);
  for (uint32_t y = 0; y < picture.height; ++y) {
    const uint8_t* const from = rows.At(y);
    uint8_t* const to = picture.at(0, y).data();
    for (size_t x = 0; x < picture.width; ++x)
      Store(to + 4 * x, order.Place(LoadU32(from + 4 * x)) | order.missing());
  }
  return picture;
}

Picture DifferenceOfBytes(const Decoder& decoder, WordRows before, WordRows after,
                          const Area& area) {
  Picture picture(area.width(), area.height());
  const ByteOrder order(decoder);
  for (uint32_t y = 0; y < picture.height; ++y) {
    const uint8_t* const a = before.At(y);
    const uint8_t* const b = after.At(y);
    uint8_t* const to = picture.at(0, y).data();
    for (size_t x = 0; x < picture.width; ++x)
      Store(to + 4 * x, order.Place(LoadU32(a + 4 * x) ^ LoadU32(b + 4 * x)));
  }
  return picture;
}

bool IsBytes(const d3d::FormatInfo& info, const Decoder& decoder) {
  return info.kind == FormatKind::kUnorm && info.block_size == 4 && info.block_width == 1 &&
         decoder.has_stored() && std::ranges::all_of(decoder.slots(), [](const IntegerSlot& slot) {
           return !slot.is_signed && (slot.width_bits == 0 || slot.width_bits == 8);
         });
}

// Stored integers of at most 8 bits through a table for each channel: the bytes that FromTexel makes of them.
class ByteTables {
 public:
  ByteTables(const Decoder& decoder, const std::array<bool, 4>& is_signed) {
    for (int32_t value = -128; value < 256; ++value) {
      const Pixel pixel = FromTexel(decoder.FromStored({value, value, value, value}), is_signed);
      for (size_t i = 0; i < 4; ++i)
        bytes_[i][static_cast<size_t>(value + 128)] = pixel[i];
    }
  }
  Pixel At(const StoredTexel& stored) const {
    Pixel pixel = {};
    for (size_t i = 0; i < 4; ++i)
      pixel[i] = bytes_[i][static_cast<size_t>(stored[i] + 128)];
    return pixel;
  }

 private:
  std::array<std::array<uint8_t, 384>, 4> bytes_ = {};
};

Pixel Grey(uint8_t value) {
  return {value, value, value, 255};
}

Pixel PalettePixel(const Decoder& decoder, const ConstLevel& level, uint32_t x, uint32_t y,
                   uint32_t z) {
  const uint8_t* stored = level.block(x, y, z);
  const bool has_alpha_byte = level.info->block_size == 2;
  Pixel pixel = Grey(stored[0]);
  if (const Palette* palette = decoder.palette()) pixel = palette->rgba[stored[0]];
  pixel[3] = has_alpha_byte ? stored[1] : uint8_t{255};
  return pixel;
}

Pixel DepthPixel(const ConstLevel& level, uint32_t x, uint32_t y, uint32_t z) {
  const DepthStencil stored = LoadDepthStencil(*level.info, level.block(x, y, z));
  return Grey(static_cast<uint8_t>(ToUnorm(DepthToDouble(*level.info, stored.depth), 8)));
}

Pixel StencilPixel(const ConstLevel& level, uint32_t x, uint32_t y, uint32_t z) {
  return Grey(static_cast<uint8_t>(LoadDepthStencil(*level.info, level.block(x, y, z)).stencil));
}

Status CheckPicture(const Surface& surface, uint32_t face, uint32_t level, const Area& area) {
  DP2TRACE_RETURN_IF_ERROR(surface.CheckArea(face, level, area));
  const Area whole = surface.WholeLevel(level);
  const bool is_picture = area.width() != 0 && area.height() != 0 && area.depth() == 1 &&
                          area.right <= whole.right && area.bottom <= whole.bottom;
  if (!is_picture || surface.info().is_buffer()) {
    return Status(
        MakeDiagnostic(Rule::kReplaySurface002,
                       fmt::format("{} x {} x {} texels of format {} make no picture", area.width(),
                                   area.height(), area.depth(), surface.info().name)));
  }
  return CheckPngSize(area.width(), area.height());
}

// One pixel after the other through `pixel_at(x, y)`.
template <class PixelAt>
Picture Draw(const Area& area, const PixelAt& pixel_at) {
  Picture picture(area.width(), area.height());
  for (uint32_t y = 0; y < picture.height; ++y) {
    for (uint32_t x = 0; x < picture.width; ++x) {
      std::ranges::copy(pixel_at(area.left + x, area.top + y), picture.at(x, y).begin());
    }
  }
  return picture;
}

// What every hash of a picture begins with.
Xxh3_128Stream HashOfSize(uint32_t width, uint32_t height, d3d::Format format) {
  std::vector<uint8_t> size;
  ByteWriter writer(size);
  writer.Write(width);
  writer.Write(height);
  writer.Write(static_cast<uint32_t>(format));
  Xxh3_128Stream hash;
  hash.Add(Bytes(size));
  return hash;
}

// The parts of an area that are read one after the other as the whole is, so that the copies stay in the caches.
std::vector<Area> CutIntoRows(const Area& area, const d3d::FormatInfo& info) {
  constexpr uint32_t kPixels = 1U << 14;
  constexpr uint32_t kMostBlockRows = 4;
  const bool is_planar = info.kind == d3d::FormatKind::kPlanarYuv;
  const uint32_t rows = kPixels / std::max(area.width(), 1U) / kMostBlockRows * kMostBlockRows;
  const uint32_t step = is_planar ? area.height() : std::max(rows, kMostBlockRows);
  std::vector<Area> parts;
  for (uint32_t z = area.front; z < area.back; ++z) {
    for (uint32_t top = area.top; top < area.bottom; top += std::min(step, area.bottom - top)) {
      Area part = area;
      part.front = z;
      part.back = z + 1;
      part.top = top;
      part.bottom = top + std::min(step, area.bottom - top);
      parts.push_back(part);
    }
  }
  return parts;
}

bool HasWideChannel(const d3d::FormatInfo& info) {
  return std::ranges::any_of(info.channels, [](const d3d::Channel& channel) {
    return channel.name != 0 && channel.width_bits > 8;
  });
}

}  // namespace

Result<Picture> ToPicture(const Surface& surface, uint32_t face, uint32_t level, const Area& area,
                          const Palette* palette) {
  DP2TRACE_RETURN_IF_ERROR(CheckPicture(surface, face, level, area));
  const ConstLevel source = surface.level(face, level);
  const Decoder decoder(surface.info(), palette);
  const uint32_t z = area.front;
  if (surface.info().has_palette()) {
    return Draw(area,
                [&](uint32_t x, uint32_t y) { return PalettePixel(decoder, source, x, y, z); });
  }
  if (surface.info().is_depth()) {
    return Draw(area, [&](uint32_t x, uint32_t y) { return DepthPixel(source, x, y, z); });
  }
  if (IsBytes(surface.info(), decoder))
    return CopyBytes(decoder, WordRows(surface, face, level, area), area);
  const std::array<bool, 4> is_signed = SignedChannels(decoder);
  if (surface.description().samples > 1) {
    return Draw(area, [&](uint32_t x, uint32_t y) {
      return FromTexel(ResolveTexel(decoder, source, x, y), is_signed);
    });
  }
  if (decoder.filters_exactly()) {
    const ByteTables tables(decoder, is_signed);
    return Draw(area,
                [&](uint32_t x, uint32_t y) { return tables.At(decoder.Stored(source, x, y, z)); });
  }
  return Draw(area, [&](uint32_t x, uint32_t y) {
    return FromTexel(decoder.Decode(source, x, y, z), is_signed);
  });
}

Result<Picture> PictureDifference(const PictureSource& before, const PictureSource& after,
                                  const Area& area) {
  const d3d::FormatInfo& info = before.surface.info();
  const Decoder decoder(info);
  DP2TRACE_RETURN_IF_ERROR(CheckPicture(before.surface, before.face, before.level, area));
  if (IsBytes(info, decoder)) {
    return DifferenceOfBytes(decoder, WordRows(before.surface, before.face, before.level, area),
                             WordRows(after.surface, after.face, after.level, area), area);
  }
  Picture difference(area.width(), area.height());
  auto at = difference.rgba.begin();
  for (const Area& part : CutIntoRows(area, info)) {
    const Result<Picture> old =
        ToPicture(before.surface, before.face, before.level, part, before.palette);
    if (!old.ok()) return old;
    const Result<Picture> now =
        ToPicture(after.surface, after.face, after.level, part, after.palette);
    if (!now.ok()) return now;
    at = std::ranges::transform(old->rgba, now->rgba, at, std::bit_xor<>()).out;
  }
  return difference;
}

Result<Picture> StencilPicture(const Surface& surface, uint32_t face, uint32_t level,
                               const Area& area) {
  DP2TRACE_RETURN_IF_ERROR(CheckPicture(surface, face, level, area));
  if (!surface.info().has_stencil()) {
    return Status(MakeDiagnostic(Rule::kReplaySurface002,
                                 fmt::format("format {} has no stencil", surface.info().name)));
  }
  const ConstLevel source = surface.level(face, level);
  return Draw(area, [&](uint32_t x, uint32_t y) { return StencilPixel(source, x, y, area.front); });
}

std::string HashOf(const Picture& picture, d3d::Format format) {
  Xxh3_128Stream hash = HashOfSize(picture.width, picture.height, format);
  hash.Add(Bytes(picture.rgba));
  return hash.Digest();
}

bool LosesStoredBits(const Surface& surface) {
  const d3d::FormatInfo& info = surface.info();
  return info.kind == FormatKind::kFloat || info.is_depth() || info.has_palette() ||
         surface.description().samples > 1 || HasWideChannel(info);
}

Result<std::string> RawHashOf(const Surface& surface, uint32_t face, uint32_t level,
                              const Area& area) {
  DP2TRACE_RETURN_IF_ERROR(surface.CheckArea(face, level, area));
  Xxh3_128Stream hash = HashOfSize(area.width(), area.height(), surface.description().format);
  const std::vector<Area> parts = CutIntoRows(area, surface.info());
  for (uint32_t sample = 0; sample < surface.description().samples; ++sample) {
    for (const Area& part : parts) {
      const Result<std::vector<uint8_t>> bytes = surface.Read(face, level, part, sample);
      if (!bytes.ok()) return bytes.status();
      hash.Add(Bytes(*bytes));
    }
  }
  return hash.Digest();
}

}  // namespace dp2trace::image
