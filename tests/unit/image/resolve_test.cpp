#include "image/resolve.h"

#include <doctest/doctest.h>

#include "base/bytes.h"
#include "image/encoder.h"
#include "image/output.h"
#include "support/random.h"

using namespace dp2trace;         // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::image;  // NOLINT(google-build-using-namespace): test file

namespace {

Surface Make(d3d::Format format, uint32_t samples, std::string_view hex) {
  Result<Surface> surface = Surface::Create({.format = format, .width = 1, .samples = samples});
  REQUIRE(surface.ok());
  std::vector<uint8_t> bytes;
  REQUIRE(ParseHex(hex, bytes));
  REQUIRE(surface->UpdateRange(0, 0, 0, bytes).ok());
  return std::move(*surface);
}

std::string ResolvedHex(const Surface& surface) {
  const Result<Surface> resolved = Resolve(surface);
  REQUIRE(resolved.ok());
  CHECK(resolved->description().samples == 1);
  return ToHex(*resolved->Read(0, 0, resolved->WholeLevel(0)));
}

}  // namespace

TEST_CASE("Resolve: 8-bit channels are averaged in integers, half up") {
  // Blue 1, 2: (3 + 1) / 2 = 2. Green 0, 0. Red 255, 254: (509 + 1) / 2 = 255. Unused bits become 0.
  CHECK(ResolvedHex(Make(d3d::Format::X8R8G8B8, 2, "0100ff550200fe55")) == "0200ff00");
  CHECK(ResolvedHex(Make(d3d::Format::A8, 4, "00000101")) == "01");
  CHECK(ResolvedHex(Make(d3d::Format::A8, 4, "00000001")) == "00");
}

TEST_CASE("Resolve: whole rows are what their texels are") {
  testing::Random random(7);
  for (const d3d::FormatInfo& info : d3d::AllFormats()) {
    if (!Encoder(info).can_encode() || info.is_depth()) continue;
    for (const uint32_t samples : {2U, 3U, 8U}) {
      Result<Surface> surface =
          Surface::Create({.format = info.format, .width = 9, .height = 2, .samples = samples});
      if (!surface.ok()) continue;
      const Level level = surface->level(0, 0);
      for (uint64_t i = 0; i < samples * level.slice_pitch; ++i)
        level.bytes[i] = random.Byte();
      const Result<Surface> resolved = Resolve(*surface);
      REQUIRE(resolved.ok());
      Result<Surface> expected = Surface::Create({.format = info.format, .width = 9, .height = 2});
      REQUIRE(expected.ok());
      for (uint32_t y = 0; y < 2; ++y) {
        for (uint32_t x = 0; x < 9; ++x) {
          const Texel texel =
              ResolveTexel(Decoder(info), std::as_const(*surface).level(0, 0), x, y);
          Encoder(info).Encode(texel, expected->level(0, 0).block(x, y));
        }
      }
      CAPTURE(info.name);
      CHECK(*resolved->Read(0, 0, resolved->WholeLevel(0)) ==
            *expected->Read(0, 0, expected->WholeLevel(0)));
    }
  }
}

TEST_CASE("Resolve: other formats are averaged as binary32") {
  CHECK(ResolvedHex(Make(d3d::Format::R32F, 2, "0000803f00000040")) == "0000c03f");
  CHECK(ResolvedHex(Make(d3d::Format::R5G6B5, 2, "0000ffff")) == "1084");
}

TEST_CASE("Resolve: depth is sample 0, one sample is copied") {
  CHECK(ResolvedHex(Make(d3d::Format::D16, 2, "12345678")) == "1234");
  CHECK(ResolvedHex(Make(d3d::Format::A8, 1, "12")) == "12");
}

TEST_CASE("ToPicture: multisampled surfaces are resolved") {
  const Surface surface = Make(d3d::Format::A8, 2, "0102");
  CHECK(ToHex(ToPicture(surface, 0, 0, surface.WholeLevel(0))->rgba) == "00000002");
}

TEST_CASE(
    "ToPicture, PictureDifference: parts of multisampled words are those of the resolved surface") {
  testing::Random random(11);
  for (const d3d::Format format :
       {d3d::Format::X8R8G8B8, d3d::Format::A8B8G8R8, d3d::Format::A8R8G8B8}) {
    for (const uint32_t samples : {2U, 4U, 8U}) {
      const auto make = [&] {
        Result<Surface> surface =
            Surface::Create({.format = format, .width = 700, .height = 3, .samples = samples});
        REQUIRE(surface.ok());
        const Level level = surface->level(0, 0);
        for (uint64_t i = 0; i < samples * level.slice_pitch; ++i)
          level.bytes[i] = random.Byte();
        return std::move(*surface);
      };
      const Surface before = make();
      const Surface after = make();
      const Result<Surface> before_resolved = Resolve(before);
      const Result<Surface> after_resolved = Resolve(after);
      REQUIRE((before_resolved.ok() && after_resolved.ok()));
      const Area area = {.left = 5, .top = 1, .right = 690, .bottom = 3, .back = 1};
      CAPTURE(d3d::FindFormat(format)->name);
      CAPTURE(samples);
      CHECK(ToPicture(before, 0, 0, area)->rgba == ToPicture(*before_resolved, 0, 0, area)->rgba);
      CHECK(PictureDifference({.surface = before}, {.surface = after}, area)->rgba ==
            PictureDifference({.surface = *before_resolved}, {.surface = *after_resolved}, area)
                ->rgba);
    }
  }
}
