#include "d3d/formats.h"

#include <doctest/doctest.h>

using namespace dp2trace::d3d;  // NOLINT(google-build-using-namespace): test file

namespace {

const FormatInfo& Get(Format format) {
  const FormatInfo* info = FindFormat(format);
  REQUIRE(info != nullptr);
  return *info;
}

std::string_view FromWords(uint32_t flags, uint32_t bits, uint32_t red, uint32_t green,
                           uint32_t blue, uint32_t alpha) {
  const FormatInfo* info = FormatFromPixelFormat(flags, 0, bits, red, green, blue, alpha);
  return info == nullptr ? std::string_view("-") : info->name;
}

}  // namespace

TEST_CASE("Formats: every row is found by number and name") {
  for (const FormatInfo& row : AllFormats()) {
    CAPTURE(row.name);
    CHECK(FindFormat(row.format) == &row);
    CHECK(FindFormatByName(row.name) == &row);
  }
  CHECK(FindFormat(0U) == nullptr);
  CHECK(FindFormat(66U) == nullptr);
  CHECK(FindFormat(0xFFFFFFFFU) == nullptr);
  CHECK(FindFormatByName("") == nullptr);
}

TEST_CASE("Formats: channels lie where the names put them") {
  const FormatInfo& argb = Get(Format::A8R8G8B8);
  CHECK(argb.Mask('A') == 0xFF000000);
  CHECK(argb.Mask('R') == 0x00FF0000);
  CHECK(argb.Mask('B') == 0x000000FF);
  CHECK(Get(Format::X8R8G8B8).Mask('R') == 0x00FF0000);
  CHECK_FALSE(Get(Format::X8R8G8B8).has_alpha());
  CHECK(Get(Format::R5G6B5).Mask('G') == 0x07E0);
  CHECK(Get(Format::A2B10G10R10).Mask('R') == 0x3FF);
  CHECK(Get(Format::A16B16G16R16).Mask('A') == 0xFFFF000000000000);
  CHECK(Get(Format::D24X4S4).Mask('Z') == 0xFFFFFF00);
  CHECK(Get(Format::D24X4S4).Mask('S') == 0xF);
  CHECK(Get(Format::X4S4D24).Mask('S') == 0x0F000000);
  CHECK(Get(Format::W11V11U10).Mask('W') == 0xFFE00000);
  CHECK(Get(Format::W11V11U10).channels[0].type == ChannelType::kSnorm);
  CHECK(Get(Format::A2W10V10U10).FindChannel('A')->type == ChannelType::kUnorm);
  CHECK(Get(Format::L6V5U5).FindChannel('L')->type == ChannelType::kUnorm);
  CHECK(*Get(Format::A32B32G32R32F).FindChannel('A') == Channel{'A', 96, 32, ChannelType::kFloat});
  CHECK(*Get(Format::P8).FindChannel('P') == Channel{'P', 0, 8, ChannelType::kUint});
}

TEST_CASE("Formats: kinds, levels and blocks") {
  CHECK(Get(Format::DXT1).block_size == 8);
  CHECK(Get(Format::DXT5).block_size == 16);
  CHECK(Get(Format::DXT1).has_alpha());
  CHECK(Get(Format::DXT2).is_premultiplied);
  CHECK_FALSE(Get(Format::DXT3).is_premultiplied);
  CHECK(Get(Format::DXT1).is_fourcc());
  CHECK(Get(Format::A1).is_d3d9ex());
  CHECK(Get(Format::P8).has_palette());
  CHECK(Get(Format::D24S8).has_stencil());
  CHECK_FALSE(Get(Format::D24X8).has_stencil());
  CHECK(Get(Format::W11V11U10).last_level == 8);
  CHECK(Get(Format::L16).kind == FormatKind::kLuminance);
  CHECK(Get(Format::CxV8U8).kind == FormatKind::kBump);
  CHECK(Get(Format::R8G8B8G8).name == "R8G8_B8G8");
}

TEST_CASE("Formats: legacy pixel formats are recognised") {
  using namespace ddpf;  // NOLINT(google-build-using-namespace): flag names
  CHECK(FromWords(kRgb, 16, 0xF800, 0x07E0, 0x001F, 0) == "R5G6B5");
  CHECK(FromWords(kRgb, 16, 0x7C00, 0x03E0, 0x001F, 0) == "X1R5G5B5");
  CHECK(FromWords(kRgb | kAlphaPixels, 16, 0x7C00, 0x03E0, 0x001F, 0x8000) == "A1R5G5B5");
  CHECK(FromWords(kRgb, 32, 0xFF0000, 0xFF00, 0xFF, 0) == "X8R8G8B8");
  CHECK(FromWords(kRgb, 32, 0xFF0000, 0xFF00, 0xFF, 0xFF000000) == "X8R8G8B8");
  CHECK(FromWords(kPaletteIndexed8, 8, 0, 0, 0, 0) == "P8");
  CHECK(FromWords(kPaletteIndexed8 | kAlphaPixels, 16, 0, 0, 0, 0xFF00) == "A8P8");
  CHECK(FromWords(kAlpha, 8, 0, 0, 0, 0) == "A8");
  CHECK(FromWords(kLuminance | kAlphaPixels, 8, 0x0F, 0, 0, 0xF0) == "A4L4");
  CHECK(FromWords(kBumpDuDv, 16, 0x00FF, 0xFF00, 0, 0) == "V8U8");
  CHECK(FromWords(kBumpDuDv | kBumpLuminance, 16, 0x001F, 0x03E0, 0xFC00, 0) == "L6V5U5");
  CHECK(FromWords(kZBuffer, 16, 0, 0xFFFF, 0, 0) == "D16_LOCKABLE");
  CHECK(FromWords(kZBuffer, 32, 0, 0x00FFFFFF, 0, 0) == "X8D24");
  CHECK(FromWords(kZBuffer, 32, 0, 0xFFFFFF00, 0, 0) == "D24X8");
  CHECK(FromWords(kZBuffer | kStencilBuffer, 32, 8, 0xFFFFFF00, 0xFF, 0) == "D24S8");
  CHECK(FromWords(kZBuffer | kStencilBuffer, 32, 8, 0x00FFFFFF, 0xFF000000, 0) == "S8D24");
  CHECK(FromWords(kPaletteIndexed8, 8, 0, 0, 0, 0) == "P8");
  CHECK(FromWords(kPaletteIndexed8 | kRgb, 8, 0, 0, 0, 0) == "P8");
  CHECK(FromWords(kPaletteIndexed8 | kRgb | kAlphaPixels, 16, 0, 0, 0, 0xFF00) == "A8P8");
  CHECK(FromWords(kPaletteIndexed4, 4, 0, 0, 0, 0) == "-");
  CHECK(FromWords(kRgb, 16, 0x1F, 0x07E0, 0xF800, 0) == "-");
  CHECK(FromWords(0, 0, 0, 0, 0, 0) == "-");
  CHECK(FormatFromPixelFormat(kFourCc, 0x31545844, 0, 0, 0, 0, 0) == &Get(Format::DXT1));
  CHECK(FormatFromPixelFormat(kD3dFormat, 21, 32, 1, 2, 3, 4) == &Get(Format::A8R8G8B8));
}

TEST_CASE("Formats: every row with legacy flags is reached by its own description") {
  for (const FormatInfo& row : AllFormats()) {
    if (row.legacy_flags == 0 || row.is_fourcc() || row.format == Format::D16) continue;
    CAPTURE(row.name);
    const auto mask = [&row](char name) { return static_cast<uint32_t>(row.Mask(name)); };
    const bool is_depth = row.is_depth();
    const uint32_t red = is_depth ? (row.has_stencil() ? row.FindChannel('S')->width_bits : 0)
                                  : mask('R') | mask('L') | mask('U');
    const bool has_du = row.FindChannel('U') != nullptr;
    CHECK(FormatFromPixelFormat(row.legacy_flags, 0, row.legacy_bit_count, has_du ? mask('U') : red,
                                is_depth ? mask('Z') : mask('G') | mask('V'),
                                is_depth ? mask('S')
                                : has_du ? mask('L')
                                         : mask('B'),
                                mask('A')) == &row);
  }
}

TEST_CASE("Levels: extents halve and stop at one") {
  CHECK(ClipLevelExtent(256, 0) == 256);
  CHECK(ClipLevelExtent(5, 1) == 2);
  CHECK(ClipLevelExtent(5, 3) == 1);
  CHECK(ClipLevelExtent(5, 32) == 1);
  CHECK(ClipLevelExtent(0xFFFFFFFF, 400) == 1);
  CHECK(FullLevelCount(1, 1) == 1);
  CHECK(FullLevelCount(256, 64) == 9);
  CHECK(FullLevelCount(4, 4, 33) == 6);
  CHECK(FullLevelCount(0, 0) == 1);
}

TEST_CASE("Sizes: rows and levels, whole blocks even below four pixels") {
  CHECK(RowSize(Get(Format::R8G8B8), 5) == 15);
  CHECK(RowSize(Get(Format::DXT1), 1) == 8);
  CHECK(RowCount(Get(Format::DXT1), 1) == 1);
  CHECK(RowCount(Get(Format::DXT1), 5) == 2);
  CHECK(LevelSize(Get(Format::DXT5), 2, 2) == 16);
  CHECK(LevelSize(Get(Format::DXT5), 8, 8) == 64);
  CHECK(RowSize(Get(Format::YUY2), 3) == 8);
  CHECK(RowSize(Get(Format::A1), 9) == 2);
  CHECK(LevelSize(Get(Format::Nv12), 4, 4) == 24);
  CHECK(LevelSize(Get(Format::A8R8G8B8), 4, 4, 3) == 192);
  CHECK(LevelSize(Get(Format::Null), 100, 100) == 0);
}

TEST_CASE("Sizes: an overflow is reported, not wrapped") {
  CHECK_FALSE(LevelSize(Get(Format::A32B32G32R32F), 0xFFFFFFFF, 0xFFFFFFFF).has_value());
}
