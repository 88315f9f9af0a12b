#include "image/surface.h"

#include <doctest/doctest.h>

#include <numeric>

#include "image/fill.h"
#include "rules/rule.h"

using namespace dp2trace;         // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::image;  // NOLINT(google-build-using-namespace): test file

namespace {

Surface Make(const SurfaceDescription& description) {
  Result<Surface> surface = Surface::Create(description);
  REQUIRE(surface.ok());
  return std::move(*surface);
}

// 1, 2, 3, ...
std::vector<uint8_t> Ramp(size_t size) {
  std::vector<uint8_t> bytes(size);
  std::iota(bytes.begin(), bytes.end(), uint8_t{1});
  return bytes;
}

Rule RuleOf(const Status& status) {
  REQUIRE_FALSE(status.ok());
  return status.diagnostic().rule;
}

bool Refuses(const SurfaceDescription& description, const SurfaceLimits& limits = {}) {
  const Result<Surface> surface = Surface::Create(description, limits);
  return !surface.ok() && surface.status().diagnostic().rule == Rule::kReplaySurface001;
}

}  // namespace

TEST_CASE("Surface: levels halve down to one texel, rows have no padding") {
  const Surface surface =
      Make({.format = d3d::Format::R8G8B8, .width = 5, .height = 3, .levels = 3});
  CHECK(surface.size_bytes() == 45 + 6 + 3);
  const ConstLevel level = surface.level(0, 1);
  CHECK(level.width == 2);
  CHECK(level.height == 1);
  CHECK(level.pitch == 6);
  CHECK(level.bytes - surface.level(0, 0).bytes == 45);
  CHECK_FALSE(surface.HasLevel(0, 3));
  CHECK_FALSE(surface.HasLevel(1, 0));
}

TEST_CASE("Surface: small levels of block formats hold a whole block") {
  const Surface surface = Make({.format = d3d::Format::DXT5, .width = 8, .height = 4, .levels = 4});
  CHECK(surface.size_bytes() == 32 + 16 + 16 + 16);
  CHECK(surface.level(0, 3).pitch == 16);
}

TEST_CASE("Surface: cube faces and volume slices") {
  const Surface cube =
      Make({.format = d3d::Format::A8, .width = 4, .height = 4, .levels = 3, .faces = kCubeFaces});
  CHECK(cube.size_bytes() == 6 * (16 + 4 + 1));
  CHECK(cube.level(5, 2).bytes - cube.level(0, 0).bytes == 5 * 21 + 20);
  const Surface volume =
      Make({.format = d3d::Format::A8, .width = 4, .height = 2, .depth = 4, .levels = 3});
  CHECK(volume.size_bytes() == 32 + 4 + 1);
  CHECK(volume.WholeLevel(1) == Area{0, 0, 2, 1, 0, 2});
}

TEST_CASE("Surface: buffers are rows of bytes whatever their index size") {
  const Surface buffer = Make({.format = d3d::Format::Index32, .width = 1000});
  CHECK(buffer.size_bytes() == 1000);
  CHECK(buffer.description().format == d3d::Format::Index32);
}

TEST_CASE("Surface: impossible and too large ones are refused before anything is allocated") {
  constexpr d3d::Format kFormat = d3d::Format::A32B32G32R32F;
  CHECK(Refuses({.format = d3d::Format::Unknown, .width = 1}));
  CHECK(Refuses({.format = static_cast<d3d::Format>(12345), .width = 1}));
  CHECK(Refuses({.format = kFormat, .width = 0}));
  CHECK(Refuses({.format = kFormat, .width = 1, .levels = 0}));
  CHECK(Refuses({.format = kFormat, .width = 1, .levels = 0xFFFFFFFF}));
  CHECK(Refuses({.format = kFormat, .width = 4, .height = 4, .faces = 5}));
  CHECK(Refuses({.format = kFormat, .width = 4, .height = 2, .faces = 6}));
  CHECK(Refuses({.format = kFormat, .width = 4, .height = 4, .levels = 2, .samples = 4}));
  CHECK(
      Refuses({.format = kFormat, .width = 0xFFFFFFFF, .height = 0xFFFFFFFF, .depth = 0xFFFFFFFF}));
  CHECK(Refuses({.format = kFormat, .width = 16384, .height = 16384}));
  CHECK(Refuses({.format = d3d::Format::Null, .width = 16385, .height = 1}));
  CHECK(Refuses({.format = d3d::Format::VertexData, .width = 0xFFFFFFFF}));
  CHECK(Refuses({.format = d3d::Format::A8, .width = 10, .height = 10}, {.max_bytes = 99}));
  CHECK_FALSE(Refuses({.format = d3d::Format::A8, .width = 10, .height = 10}, {.max_bytes = 100}));
}

TEST_CASE("Surface: sample counts are rounded up") {
  for (const auto& [asked, stored] :
       {std::pair{0U, 1U}, {1U, 1U}, {2U, 2U}, {3U, 4U}, {5U, 8U}, {16U, 8U}}) {
    const Surface surface =
        Make({.format = d3d::Format::A8, .width = 2, .height = 2, .samples = asked});
    CHECK(surface.description().samples == stored);
    CHECK(surface.size_bytes() == 4 * stored);
  }
}

TEST_CASE("Update: a rectangle with a pitch lands in the rectangle and nowhere else") {
  Surface surface = Make({.format = d3d::Format::A8, .width = 4, .height = 3});
  // Two rows of 2 at pitch 5; the last row has no padding.
  const std::vector<uint8_t> data = Ramp(7);
  REQUIRE(surface.Update(0, 0, {1, 1, 3, 3}, {data, 5}).ok());
  const std::vector<uint8_t> expected = {0, 0, 0, 0, 0, 1, 2, 0, 0, 6, 7, 0};
  CHECK(*surface.Read(0, 0, surface.WholeLevel(0)) == expected);
  CHECK(*surface.Read(0, 0, {1, 1, 3, 3}) == std::vector<uint8_t>{1, 2, 6, 7});
}

TEST_CASE("Update: too few bytes name the pitches that are given") {
  Surface surface = Make({.format = d3d::Format::A8, .width = 4, .height = 2});
  const std::vector<uint8_t> data = Ramp(5);
  const auto message = [&](uint32_t pitch, uint32_t slice_pitch) {
    const Status status = surface.Update(0, 0, surface.WholeLevel(0), {data, pitch, slice_pitch});
    return status.ok() ? std::string() : status.diagnostic().message;
  };
  CHECK(message(0, 0) == "5 bytes do not hold 4 x 2 x 1 texels of A8 (no pitch given)");
  CHECK(message(6, 0) == "5 bytes do not hold 4 x 2 x 1 texels of A8 (pitch 6)");
  CHECK(message(0, 9) ==
        "5 bytes do not hold 4 x 2 x 1 texels of A8 (no pitch given, slice pitch 9)");
}

TEST_CASE("Update: a box with row and slice pitches") {
  Surface surface = Make({.format = d3d::Format::A8, .width = 2, .height = 2, .depth = 3});
  const std::vector<uint8_t> data = Ramp(12);
  REQUIRE(surface.Update(0, 0, {0, 0, 1, 2, 1, 3}, {data, 2, 6}).ok());
  CHECK(*surface.Read(0, 0, surface.WholeLevel(0)) ==
        std::vector<uint8_t>{0, 0, 0, 0, 1, 0, 3, 0, 7, 0, 9, 0});
}

TEST_CASE("Update: blocks are written whole, also those that the edge cuts") {
  Surface surface = Make({.format = d3d::Format::DXT1, .width = 10, .height = 6});
  REQUIRE(surface.size_bytes() == 48);
  const std::vector<uint8_t> data = Ramp(16);
  CHECK(surface.Update(0, 0, {4, 4, 10, 6}, {data}).ok());
  CHECK(surface.Update(0, 0, {4, 4, 12, 8}, {data}).ok());
  CHECK(*surface.Read(0, 0, {8, 4, 10, 6}) == std::vector<uint8_t>{9, 10, 11, 12, 13, 14, 15, 16});
  CHECK(RuleOf(surface.Update(0, 0, {2, 0, 8, 4}, {data})) == Rule::kReplaySurface003);
  CHECK(RuleOf(surface.Update(0, 0, {0, 0, 4, 5}, {data})) == Rule::kReplaySurface003);
  CHECK(RuleOf(surface.Update(0, 0, {4, 4, 13, 8}, {data})) == Rule::kReplaySurface002);
}

TEST_CASE("Update: planar formats take whole levels at any pitch") {
  Surface surface = Make({.format = d3d::Format::Yv12, .width = 4, .height = 2});
  REQUIRE(surface.size_bytes() == 12);
  const std::vector<uint8_t> data = Ramp(18);  // pitch 6: luma at 0 and 6, V at 12, U at 15
  REQUIRE(surface.Update(0, 0, {0, 0, 4, 2}, {data, 6}).ok());
  CHECK(*surface.Read(0, 0, {0, 0, 4, 2}) ==
        std::vector<uint8_t>{1, 2, 3, 4, 7, 8, 9, 10, 13, 14, 16, 17});
  CHECK(RuleOf(surface.Update(0, 0, {0, 0, 2, 2}, {data, 6})) == Rule::kReplaySurface003);
}

TEST_CASE("Update: hostile areas, pitches and sizes are refused without a change") {
  Surface surface = Make({.format = d3d::Format::A8R8G8B8, .width = 4, .height = 4, .depth = 2});
  const std::vector<uint8_t> data = Ramp(200);
  constexpr uint32_t kHuge = 0xFFFFFFFF;
  for (const Area& area : {Area{0, 0, 5, 4}, Area{0, 0, 4, 5}, Area{3, 0, 2, 4}, Area{0, 3, 4, 2},
                           Area{0, 0, 4, 4, 0, 3}, Area{0, 0, 4, 4, 1, 0}, Area{kHuge, 0, kHuge, 1},
                           Area{0, 0, kHuge, kHuge, 0, kHuge}}) {
    CHECK(RuleOf(surface.Update(0, 0, area, {data})) == Rule::kReplaySurface002);
  }
  CHECK(RuleOf(surface.Update(1, 0, {0, 0, 1, 1}, {data})) == Rule::kReplaySurface002);
  CHECK(RuleOf(surface.Update(0, 1, {0, 0, 1, 1}, {data})) == Rule::kReplaySurface002);
  CHECK(RuleOf(surface.Update(kHuge, kHuge, {0, 0, 1, 1}, {data})) == Rule::kReplaySurface002);
  const Area all = {0, 0, 4, 4, 0, 2};
  for (const AreaBytes& bytes :
       {AreaBytes{Bytes(data).first(127)}, AreaBytes{data, 15}, AreaBytes{data, 1},
        AreaBytes{data, UINT64_MAX}, AreaBytes{data, UINT64_MAX / 3}, AreaBytes{data, 16, 63},
        AreaBytes{data, 16, UINT64_MAX}, AreaBytes{data, uint64_t{1} << 62, uint64_t{1} << 63}}) {
    CHECK(RuleOf(surface.Update(0, 0, all, bytes)) == Rule::kReplaySurface004);
  }
  CHECK(*surface.Read(0, 0, all) == std::vector<uint8_t>(128));
  CHECK(surface.Update(0, 0, all, {Bytes(data).first(128)}).ok());
}

TEST_CASE("Update: an empty area writes nothing and needs no bytes") {
  Surface surface = Make({.format = d3d::Format::A8, .width = 4, .height = 4});
  CHECK(surface.Update(0, 0, {2, 2, 2, 4}, {}).ok());
  CHECK(surface.Read(0, 0, {2, 2, 2, 4})->empty());
}

TEST_CASE("Update: every sample receives the bytes") {
  Surface surface = Make({.format = d3d::Format::A8, .width = 1, .height = 1, .samples = 4});
  const uint8_t byte = 7;
  REQUIRE(surface.Update(0, 0, {0, 0, 1, 1}, {Bytes(&byte, 1)}).ok());
  for (uint32_t sample = 0; sample < 4; ++sample) {
    CHECK(*surface.Read(0, 0, {0, 0, 1, 1}, sample) == std::vector<uint8_t>{7});
  }
}

TEST_CASE("UpdateRange: inside the level or not at all") {
  Surface buffer = Make({.format = d3d::Format::VertexData, .width = 8});
  const std::vector<uint8_t> data = Ramp(4);
  CHECK(buffer.UpdateRange(0, 0, 4, data).ok());
  CHECK(buffer.level(0, 0).bytes[7] == 4);
  CHECK(RuleOf(buffer.UpdateRange(0, 0, 5, data)) == Rule::kReplaySurface002);
  CHECK(RuleOf(buffer.UpdateRange(0, 0, UINT64_MAX, data)) == Rule::kReplaySurface002);
  CHECK(RuleOf(buffer.UpdateRange(0, 1, 0, data)) == Rule::kReplaySurface002);
}

TEST_CASE("CopyArea: overlapping copies in one surface act as if the source were read first") {
  Surface surface = Make({.format = d3d::Format::A8, .width = 4, .height = 1});
  REQUIRE(surface.UpdateRange(0, 0, 0, Ramp(4)).ok());
  REQUIRE(CopyArea(surface, 0, 0, {0, 0, 3, 1}, surface, {.x = 1}).ok());
  CHECK(*surface.Read(0, 0, surface.WholeLevel(0)) == std::vector<uint8_t>{1, 1, 2, 3});
  CHECK(RuleOf(CopyArea(surface, 0, 0, {0, 0, 3, 1}, surface, {.x = 2})) ==
        Rule::kReplaySurface002);
  CHECK(RuleOf(CopyArea(surface, 0, 0, {0, 0, 3, 1}, surface, {.x = 0xFFFFFFFF})) ==
        Rule::kReplaySurface002);
  Surface other = Make({.format = d3d::Format::L8, .width = 4, .height = 1});
  CHECK(RuleOf(CopyArea(surface, 0, 0, {0, 0, 3, 1}, other, {})) == Rule::kReplaySurface002);
}

TEST_CASE("AlignToBlocks: rounds outwards, the edge of the level counts as a border") {
  const Surface surface = Make({.format = d3d::Format::DXT1, .width = 10, .height = 6});
  const ConstLevel level = surface.level(0, 0);
  CHECK(AlignToBlocks(surface.info(), {5, 1, 6, 5}, level) == Area{4, 0, 8, 6});
  CHECK(AlignToBlocks(surface.info(), {9, 0, 10, 4}, level) == Area{8, 0, 10, 4});
}

TEST_CASE("Surface: without pixels everything is checked and nothing is kept, but in buffers") {
  const SurfaceLimits limits = {.keeps_pixels = false};
  SurfaceDescription description = {
      .format = d3d::Format::A8R8G8B8, .width = 8, .height = 8, .levels = 2};
  Result<Surface> surface = Surface::Create(description, limits);
  REQUIRE(surface.ok());
  CHECK_FALSE(surface->has_pixels());
  CHECK(surface->size_bytes() == 4 * (8 * 8 + 4 * 4));
  CHECK(surface->level(0, 1).bytes == nullptr);
  CHECK(surface->level(0, 1).width == 4);
  const std::vector<uint8_t> texels(256, 7);
  CHECK(surface->Update(0, 0, surface->WholeLevel(0), {texels}).ok());
  CHECK(surface->Update(0, 0, {0, 0, 9, 8}, {texels}).diagnostic().rule == Rule::kReplaySurface002);
  CHECK(
      surface->Update(0, 0, surface->WholeLevel(0), {Bytes(texels).first(255)}).diagnostic().rule ==
      Rule::kReplaySurface004);
  CHECK(surface->UpdateRange(0, 1, 60, Bytes(texels).first(4)).ok());
  CHECK_FALSE(surface->UpdateRange(0, 1, 61, Bytes(texels).first(4)).ok());
  CHECK(CopyArea(*surface, 0, 0, {0, 0, 4, 4}, *surface, {.level = 1}).ok());
  CHECK_FALSE(CopyArea(*surface, 0, 0, {0, 0, 5, 4}, *surface, {.level = 1}).ok());
  CHECK(Fill(*surface, 0, 0, surface->WholeLevel(0), 0xFFFFFFFF).ok());

  description = {.format = d3d::Format::VertexData, .width = 16};
  Result<Surface> buffer = Surface::Create(description, limits);
  REQUIRE(buffer.ok());
  CHECK(buffer->has_pixels());
  REQUIRE(buffer->UpdateRange(0, 0, 4, Bytes(texels).first(4)).ok());
  CHECK(buffer->level(0, 0).bytes[4] == 7);
}

TEST_CASE("CopyArea: between surfaces and levels, row by row of blocks") {
  for (const d3d::Format format : {d3d::Format::A8R8G8B8, d3d::Format::DXT1, d3d::Format::R8G8B8}) {
    CAPTURE(d3d::Value(format));
    Surface from = Make({.format = format, .width = 22, .height = 14, .levels = 2});
    Surface to = Make({.format = format, .width = 30, .height = 18});
    const Area whole = {0, 0, 22, 14};
    REQUIRE(from.Update(0, 0, whole, {Ramp(from.Read(0, 0, whole)->size())}).ok());
    REQUIRE(CopyArea(from, 0, 0, {4, 4, 12, 8}, to, {.x = 8, .y = 12}).ok());
    CHECK(*to.Read(0, 0, {8, 12, 16, 16}) == *from.Read(0, 0, {4, 4, 12, 8}));
    for (const Area& beside : {Area{0, 0, 30, 12}, Area{0, 12, 8, 16}, Area{16, 12, 30, 18}}) {
      const std::vector<uint8_t> bytes = *to.Read(0, 0, beside);
      CHECK(bytes == std::vector<uint8_t>(bytes.size()));
    }
    REQUIRE(CopyArea(from, 0, 0, {0, 0, 8, 4}, from, {.level = 1}).ok());
    CHECK(*from.Read(0, 1, {0, 0, 8, 4}) == *from.Read(0, 0, {0, 0, 8, 4}));
    const std::vector<uint8_t> before = *to.Read(0, 0, {0, 0, 30, 18});
    CHECK(RuleOf(CopyArea(from, 0, 0, {0, 0, 16, 12}, to, {.x = 20})) == Rule::kReplaySurface002);
    CHECK(*to.Read(0, 0, {0, 0, 30, 18}) == before);
  }
}
