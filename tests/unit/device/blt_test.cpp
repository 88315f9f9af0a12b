#include "device/blt.h"

#include <doctest/doctest.h>

#include <numeric>

#include "device_scene.h"
#include "image/encoder.h"
#include "rules/rule.h"

using namespace dp2trace;          // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::device;  // NOLINT(google-build-using-namespace): test file
using image::Area;
using image::Surface;

namespace {

Surface Make(d3d::Format format, uint32_t width, uint32_t height, uint32_t levels = 1,
             uint32_t depth = 1) {
  Result<Surface> surface = Surface::Create(
      {.format = format, .width = width, .height = height, .depth = depth, .levels = levels});
  REQUIRE(surface.ok());
  return std::move(*surface);
}

Surface MakeWith(d3d::Format format, uint32_t width, uint32_t height, const Bytes8& bytes) {
  Surface surface = Make(format, width, height);
  REQUIRE(surface.Update(0, 0, surface.WholeLevel(0), {bytes}).ok());
  return surface;
}

Bytes8 BytesOf(const Surface& surface, uint32_t level = 0) {
  return *surface.Read(0, level, surface.WholeLevel(level));
}

BltPlace Place(uint32_t left, uint32_t top, uint32_t right, uint32_t bottom) {
  return {0, 0, {left, top, right, bottom}};
}

Bytes8 Words(std::initializer_list<uint32_t> words) {
  Bytes8 bytes;
  for (const uint32_t word : words) {
    for (uint32_t i = 0; i < 4; ++i)
      bytes.push_back(static_cast<uint8_t>(word >> (8 * i)));
  }
  return bytes;
}

using F = d3d::Format;

}  // namespace

TEST_CASE("Stretch: points at ((2d + 1) * source) / (2 * destination)") {
  const Surface source = MakeWith(F::L8, 4, 1, {1, 2, 3, 4});
  Surface half = Make(F::L8, 2, 1);
  REQUIRE(Stretch(source, Place(0, 0, 4, 1), half, Place(0, 0, 2, 1), {}).ok());
  CHECK(BytesOf(half) == Bytes8{2, 4});
  Surface wide = Make(F::L8, 7, 1);
  REQUIRE(Stretch(source, Place(0, 0, 4, 1), wide, Place(0, 0, 7, 1), {}).ok());
  // (2d + 1) * 4 / 14 for d = 0..6: 0 0 1 2 2 3 3
  CHECK(BytesOf(wide) == Bytes8{1, 1, 2, 3, 3, 4, 4});
}

TEST_CASE("Stretch: linear taps stay inside the source rectangle") {
  const Surface source = MakeWith(F::L8, 4, 1, {200, 0, 100, 250});
  Surface wide = Make(F::L8, 4, 1);
  REQUIRE(Stretch(source, Place(1, 0, 3, 1), wide, Place(0, 0, 4, 1),
                  {.filter = StretchFilter::kLinear})
              .ok());
  // u = -0.25, 0.25, 0.75, 1.25 between 0 and 100.
  CHECK(BytesOf(wide) == Bytes8{0, 25, 75, 100});
}

TEST_CASE("Stretch: equal formats keep their bits, also where source and destination overlap") {
  Surface surface = MakeWith(F::X8R8G8B8, 3, 1, Words({0x11000001, 0x22000002, 0x33000003}));
  REQUIRE(Stretch(surface, Place(0, 0, 2, 1), surface, Place(1, 0, 3, 1), {}).ok());
  CHECK(BytesOf(surface) == Words({0x11000001, 0x11000001, 0x22000002}));
}

TEST_CASE("Stretch: conversion decodes and encodes, missing alpha is 1") {
  const Surface source = MakeWith(F::R5G6B5, 1, 1, {0x1F, 0xF8});  // red and blue full
  Surface target = Make(F::A8R8G8B8, 1, 1);
  REQUIRE(Stretch(source, Place(0, 0, 1, 1), target, Place(0, 0, 1, 1), {}).ok());
  CHECK(BytesOf(target) == Words({0xFFFF00FF}));
  Surface x8 = Make(F::X8R8G8B8, 1, 1);
  REQUIRE(Stretch(target, Place(0, 0, 1, 1), x8, Place(0, 0, 1, 1), {}).ok());
  CHECK(BytesOf(x8) == Words({0x00FF00FF}));  // X bits are 0
}

TEST_CASE("Stretch: a linear filter reads the chroma of planar formats at its own resolution") {
  Bytes8 bytes(12, 128);
  bytes[11] = 228;  // V of the right pair
  const Surface source = MakeWith(F::Nv12, 4, 2, bytes);
  Surface target = Make(F::A8R8G8B8, 4, 2);
  REQUIRE(Stretch(source, Place(0, 0, 4, 2), target, Place(0, 0, 4, 2), {}).ok());
  CHECK(BytesOf(target) == Words({0xFF808080, 0xFF808080, 0xFFFF3980, 0xFFFF3980,  //
                                  0xFF808080, 0xFF808080, 0xFFFF3980, 0xFFFF3980}));
  REQUIRE(Stretch(source, Place(0, 0, 4, 2), target, Place(0, 0, 4, 2),
                  {.filter = StretchFilter::kLinear})
              .ok());
  // V - 128 is 0, 25, 75, 100.
  CHECK(BytesOf(target) == Words({0xFF808080, 0xFFA36E80, 0xFFE94A80, 0xFFFF3980,  //
                                  0xFF808080, 0xFFA36E80, 0xFFE94A80, 0xFFFF3980}));
  Surface inner = Make(F::A8R8G8B8, 2, 1);
  REQUIRE(Stretch(source, Place(1, 1, 3, 2), inner, Place(0, 0, 2, 1),
                  {.filter = StretchFilter::kLinear})
              .ok());
  CHECK(BytesOf(inner) == Words({0xFFA36E80, 0xFFE94A80}));
}

TEST_CASE("Stretch: palette sources need a palette") {
  const Surface source = MakeWith(F::P8, 2, 1, {1, 2});
  Surface target = Make(F::A8R8G8B8, 2, 1);
  const Status refused = Stretch(source, Place(0, 0, 2, 1), target, Place(0, 0, 2, 1), {});
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.diagnostic().rule == Rule::kDp2Blt010);
  image::Palette palette;
  palette.rgba[1] = {10, 20, 30, 40};
  palette.rgba[2] = {1, 2, 3, 4};
  REQUIRE(Stretch(source, Place(0, 0, 2, 1), target, Place(0, 0, 2, 1),
                  {.source_key = {}, .destination_key = {}, .palette = &palette})
              .ok());
  CHECK(BytesOf(target) == Words({0xFF0A141E, 0xFF010203}));
}

TEST_CASE("Stretch: what has no conversion, and places outside") {
  const Surface depth = Make(F::D24S8, 2, 2);
  Surface colour = Make(F::A8R8G8B8, 2, 2);
  CHECK_FALSE(Stretch(depth, Place(0, 0, 2, 2), colour, Place(0, 0, 2, 2), {}).ok());
  Surface block = Make(F::DXT1, 8, 8);
  CHECK_FALSE(Stretch(colour, Place(0, 0, 2, 2), block, Place(0, 0, 8, 8), {}).ok());
  CHECK_FALSE(Stretch(colour, Place(0, 0, 3, 2), colour, Place(0, 0, 1, 1), {}).ok());
  CHECK_FALSE(Stretch(colour, Place(0, 0, 1, 1), colour, Place(2, 0, 1, 1), {}).ok());
  CHECK_FALSE(Stretch(colour, {0, 1, {0, 0, 1, 1}}, colour, Place(0, 0, 2, 2), {}).ok());
  CHECK(Stretch(colour, Place(1, 1, 1, 1), colour, Place(0, 0, 2, 2), {}).ok());  // empty
}

TEST_CASE("Stretch: colour keys ignore X bits in the match and copy them") {
  const Surface source = MakeWith(F::X8R8G8B8, 3, 1, Words({0x77FF00FF, 0x770000FF, 0x00FF00FF}));
  Surface target = MakeWith(F::X8R8G8B8, 3, 1, Words({1, 2, 3}));
  REQUIRE(Stretch(source, Place(0, 0, 3, 1), target, Place(0, 0, 3, 1),
                  {.source_key = d3d::ColorKey{0x00FF00FF, 0x00FF00FF}})
              .ok());
  CHECK(BytesOf(target) == Words({1, 0x770000FF, 3}));
  Surface keyed = MakeWith(F::X8R8G8B8, 3, 1, Words({5, 0x99000006, 8}));
  REQUIRE(Stretch(source, Place(0, 0, 3, 1), keyed, Place(0, 0, 3, 1),
                  {.source_key = {}, .destination_key = d3d::ColorKey{6, 7}})
              .ok());
  CHECK(BytesOf(keyed) == Words({5, 0x770000FF, 8}));
}

TEST_CASE("FillRaw and FillRawDepth: bits as they are") {
  Surface surface = Make(F::R5G6B5, 2, 1);
  REQUIRE(FillRaw(surface, Place(1, 0, 2, 1), 0xFFFF1234).ok());
  CHECK(BytesOf(surface) == Bytes8{0, 0, 0x34, 0x12});
  Surface depth = MakeWith(F::S8D24, 1, 1, Words({0xAB000000}));
  REQUIRE(FillRawDepth(depth, Place(0, 0, 1, 1), 0x11123456).ok());
  CHECK(BytesOf(depth) == Words({0xAB123456}));
  CHECK_FALSE(FillRawDepth(surface, Place(0, 0, 1, 1), 0).ok());
  CHECK_FALSE(FillRaw(surface, Place(0, 0, 3, 1), 0).ok());
}

TEST_CASE("MakeSubLevels: mean of 2 x 2, half up, the last texel of odd sizes counts twice") {
  Surface surface = Make(F::L8, 3, 2, 2);
  const Bytes8 top = {1, 2, 100, 3, 5, 200};
  REQUIRE(surface.Update(0, 0, surface.WholeLevel(0), {top}).ok());
  MakeSubLevels(surface, StretchFilter::kLinear);
  CHECK(BytesOf(surface, 1) == Bytes8{3});  // (1 + 2 + 3 + 5 + 2) >> 2
  CHECK(BytesOf(surface) == top);
  Surface column = Make(F::L8, 1, 4, 3);
  const Bytes8 values = {10, 20, 30, 41};
  REQUIRE(column.Update(0, 0, column.WholeLevel(0), {values}).ok());
  MakeSubLevels(column, StretchFilter::kLinear);
  // (10 + 10 + 20 + 20 + 2) >> 2 = 15; (30 + 30 + 41 + 41 + 2) >> 2 = 36.
  CHECK(BytesOf(column, 1) == Bytes8{15, 36});
  CHECK(BytesOf(column, 2) == Bytes8{26});  // (15 + 15 + 36 + 36 + 2) >> 2
  MakeSubLevels(column, StretchFilter::kPoint);
  CHECK(BytesOf(column, 1) == Bytes8{10, 30});
}

TEST_CASE("MakeSubLevels: floats, block formats stay alone") {
  Surface surface = Make(F::R32F, 2, 2, 2);
  const std::vector<float> values = {1, 2, 3, 5};
  Bytes8 bytes(16);
  std::memcpy(bytes.data(), values.data(), bytes.size());
  REQUIRE(surface.Update(0, 0, surface.WholeLevel(0), {bytes}).ok());
  MakeSubLevels(surface, StretchFilter::kLinear);
  CHECK(Load<float>(BytesOf(surface, 1).data()) == 2.75F);
  Surface block = Make(F::DXT1, 8, 8, 2);
  REQUIRE(block.Update(0, 0, block.WholeLevel(0), {Bytes8(32, 0x55)}).ok());
  MakeSubLevels(block, StretchFilter::kLinear);
  MakeSubLevels(block, StretchFilter::kPoint);
  CHECK(BytesOf(block, 1) == Bytes8(8, 0));
}

// The test values of 16.1.
TEST_CASE("ReduceArea: the documented recurrence") {
  Area area = {3, 3, 10, 10};
  const Area expected[] = {{1, 1, 5, 5}, {0, 0, 3, 3}, {0, 0, 2, 2}, {0, 0, 1, 1}};
  for (const Area& next : expected) {
    area = ReduceArea(area);
    CHECK(area == next);
  }
  CHECK(ReduceArea({7, 0, 8, 1}) == Area{3, 0, 4, 1});
  CHECK(ReduceArea({5, 5, 5, 5}) == Area{2, 2, 3, 3});
  CHECK(ReduceArea({0, 0, 1, 1, 3, 6}) == Area{0, 0, 1, 1, 1, 3});
}

TEST_CASE("FindPairedLevel: the smallest level of equal size") {
  const Surface source = Make(F::L8, 256, 256, 8);
  CHECK(FindPairedLevel(source, Make(F::L8, 64, 64, 6)) == 2);
  CHECK(FindPairedLevel(source, Make(F::L8, 64, 32)) == std::nullopt);
}

TEST_CASE("CopyChain: rounding that leaves a level is cut off") {
  Surface source = Make(F::L8, 4, 4, 2);
  Surface target = Make(F::L8, 4, 4, 2);
  Bytes8 top(16);
  std::iota(top.begin(), top.end(), uint8_t{1});
  REQUIRE(source.Update(0, 0, source.WholeLevel(0), {top}).ok());
  REQUIRE(source.Update(0, 1, source.WholeLevel(1), {Bytes8{50, 51, 52, 53}}).ok());
  // Texels 1..3 to x = 2: level 1 copies 0..2 to x = 1, of which one texel fits.
  ChainCopy copy;
  copy.area = {1, 0, 3, 1};
  copy.x = 2;
  copy.level_count = 2;
  REQUIRE(CopyChain(source, target, copy).ok());
  CHECK(BytesOf(target) == Bytes8{0, 0, 2, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
  CHECK(BytesOf(target, 1) == Bytes8{0, 50, 0, 0});
}
