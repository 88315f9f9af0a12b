#include "image/decoder.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "format_samples.h"
#include "image/output.h"
#include "image/surface.h"

using namespace dp2trace;         // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::image;  // NOLINT(google-build-using-namespace): test file

namespace {

Surface MakeSample(const FormatSample& sample) {
  const d3d::FormatInfo* info = d3d::FindFormatByName(sample.format);
  REQUIRE(info != nullptr);
  Result<Surface> surface =
      Surface::Create({.format = info->format, .width = sample.width, .height = sample.height});
  REQUIRE(surface.ok());
  std::vector<uint8_t> bytes;
  REQUIRE(ParseHex(sample.bytes, bytes));
  REQUIRE(bytes.size() == surface->size_bytes());
  REQUIRE(surface->UpdateRange(0, 0, 0, bytes).ok());
  return std::move(*surface);
}

}  // namespace

TEST_CASE("Decoder: every format that has texels has a sample") {
  std::set<std::string_view> sampled;
  for (const FormatSample& sample : FormatSamples()) {
    sampled.insert(sample.format);
  }
  for (const d3d::FormatInfo& info : d3d::AllFormats()) {
    if (info.is_buffer() || info.kind == d3d::FormatKind::kNone) continue;
    CAPTURE(info.name);
    CHECK(sampled.contains(info.name));
  }
}

TEST_CASE("Decoder: samples decode to the figures worked out by hand") {
  const Palette palette = SamplePalette();
  for (const FormatSample& sample : FormatSamples()) {
    CAPTURE(sample.format);
    CAPTURE(sample.bytes);
    const Surface surface = MakeSample(sample);
    const Decoder decoder(surface.info(), &palette);
    const Texel texel = decoder.Decode(surface.level(0, 0), sample.x, sample.y);
    for (size_t c = 0; c < 4; ++c) {
      CAPTURE(c);
      CHECK(texel[c] == sample.texel[c]);
    }
  }
}

TEST_CASE("ToPicture: samples become the bytes worked out by hand") {
  const Palette palette = SamplePalette();
  for (const FormatSample& sample : FormatSamples()) {
    CAPTURE(sample.format);
    CAPTURE(sample.bytes);
    const Surface surface = MakeSample(sample);
    const Result<Picture> picture = ToPicture(surface, 0, 0, surface.WholeLevel(0), &palette);
    REQUIRE(picture.ok());
    const std::span<const uint8_t, 4> pixel = picture->at(sample.x, sample.y);
    for (size_t c = 0; c < 4; ++c) {
      CAPTURE(c);
      CHECK(int{pixel[c]} == int{sample.rgba[c]});
    }
  }
}

TEST_CASE("Decoder: a format filters exactly when all its integers have at most 8 bits") {
  const auto exact = [](d3d::Format format) {
    return Decoder(*d3d::FindFormat(format)).filters_exactly();
  };
  for (const d3d::Format format :
       {d3d::Format::R5G6B5, d3d::Format::L8, d3d::Format::P8, d3d::Format::DXT1, d3d::Format::YUY2,
        d3d::Format::V8U8, d3d::Format::L6V5U5, d3d::Format::Ati2}) {
    CHECK(exact(format));
  }
  for (const d3d::Format format : {d3d::Format::CxV8U8, d3d::Format::A2R10G10B10, d3d::Format::L16,
                                   d3d::Format::R32F, d3d::Format::D16, d3d::Format::Null}) {
    CHECK_FALSE(exact(format));
  }
}

TEST_CASE("Decoder: a palette without alpha makes P8 opaque; A8P8 keeps its own alpha") {
  Palette palette = SamplePalette();
  palette.has_alpha = false;
  const uint8_t bytes[] = {4, 0x40};
  ConstLevel level = {.info = d3d::FindFormat(d3d::Format::P8),
                      .width = 1,
                      .height = 1,
                      .slices = 1,
                      .pitch = 1,
                      .slice_pitch = 1,
                      .bytes = bytes};
  CHECK(Decoder(*level.info, &palette).Decode(level, 0, 0)[3] == 1.0F);
  CHECK(Decoder(*level.info).Stored(level, 0, 0) == StoredTexel{0, 0, 0, 0});
  level.info = d3d::FindFormat(d3d::Format::A8P8);
  CHECK(Decoder(*level.info, &palette).Stored(level, 0, 0) == StoredTexel{4, 251, 7, 0x40});
}

TEST_CASE("Decoder: odd planar extents stay inside the level") {
  for (const d3d::Format format : {d3d::Format::Nv12, d3d::Format::Yv12}) {
    for (const uint32_t extent : {1U, 3U, 5U}) {
      Result<Surface> surface =
          Surface::Create({.format = format, .width = extent, .height = extent});
      REQUIRE(surface.ok());
      CHECK(ToPicture(*surface, 0, 0, surface->WholeLevel(0)).ok());
    }
  }
}
