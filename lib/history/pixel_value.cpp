#include "history/pixel_value.h"

#include <fmt/format.h>

#include <utility>

#include "image/output.h"

namespace dp2trace::history {
namespace {

// The pixel as ToPicture() makes it: of the blocks around it.
std::optional<std::array<uint8_t, 4>> PictureOf(const device::Device& device, uint32_t space,
                                                const device::SurfaceRef& surface, uint32_t x,
                                                uint32_t y, uint32_t slice) {
  const image::Surface& pixels = surface.surface();
  const image::Area area = image::AlignToBlocks(
      pixels.info(),
      {.left = x, .top = y, .right = x + 1, .bottom = y + 1, .front = slice, .back = slice + 1},
      pixels.level(surface.face, surface.level));
  const std::optional<image::Palette> palette = device.PaletteOf(space, *surface.resource);
  const auto picture =
      image::ToPicture(pixels, surface.face, surface.level, area, palette ? &*palette : nullptr);
  if (!picture.ok()) return std::nullopt;
  const auto pixel = picture->at(x - area.left, y - area.top);
  return std::array<uint8_t, 4>{pixel[0], pixel[1], pixel[2], pixel[3]};
}

}  // namespace

std::optional<PixelValue> ReadPixel(const device::Device& device, uint32_t space,
                                    const device::SurfaceRef& surface, uint32_t x, uint32_t y,
                                    uint32_t slice) {
  const image::Surface& pixels = surface.surface();
  if (!pixels.HasLevel(surface.face, surface.level) || pixels.info().is_buffer())
    return std::nullopt;
  const image::ConstLevel level = pixels.level(surface.face, surface.level);
  if (x >= level.width || y >= level.height || level.info->block_size == 0) return std::nullopt;
  PixelValue value;
  const uint32_t samples = pixels.description().samples;
  if (slice != 0 && (samples > 1 || slice >= level.slices)) return std::nullopt;
  for (uint32_t sample = 0; sample < samples; ++sample) {
    const uint8_t* const block = level.block(x, y, slice + sample);
    value.samples.emplace_back(block, block + level.info->block_size);
  }
  value.rgba = PictureOf(device, space, surface, x, y, slice);
  if (level.info->is_depth())
    value.depth_stencil = image::LoadDepthStencil(*level.info, level.block(x, y, 0));
  return value;
}

std::string BitsText(const std::vector<uint8_t>& bytes) {
  constexpr size_t kMostOfNumber = 8;
  std::string text = "0x";
  for (size_t i = 0; i < bytes.size(); ++i) {
    const size_t at = bytes.size() <= kMostOfNumber ? bytes.size() - 1 - i : i;
    text += fmt::format("{:02x}", bytes[at]);
  }
  return text;
}

}  // namespace dp2trace::history
