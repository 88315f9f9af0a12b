#include "inspect/planes.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "d3d/enums.h"
#include "image/depth.h"
#include "inspect_run.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

namespace {

image::Surface Make(d3d::Format format, uint32_t width, uint32_t height, uint32_t samples = 1) {
  return std::move(*image::Surface::Create(
      {.format = format, .width = width, .height = height, .samples = samples}));
}

std::optional<image::Area> Difference(const image::Surface& a, const image::Surface& b) {
  return inspect::FindDifference(a.level(0, 0), b.level(0, 0), a.WholeLevel(0));
}

}  // namespace

TEST_CASE("FindDifference: the smallest rectangle around what differs") {
  const image::Surface a = Make(d3d::Format::A8R8G8B8, 9, 7);
  image::Surface b = Make(d3d::Format::A8R8G8B8, 9, 7);
  CHECK_FALSE(Difference(a, b));
  b.level(0, 0).block(5, 2)[1] = 1;
  CHECK(Difference(a, b) == image::Area{5, 2, 6, 3, 0, 1});
  b.level(0, 0).block(1, 4)[3] = 1;
  CHECK(Difference(a, b) == image::Area{1, 2, 6, 5, 0, 1});
  b.level(0, 0).block(8, 6)[0] = 1;
  b.level(0, 0).block(0, 0)[0] = 1;
  CHECK(Difference(a, b) == image::Area{0, 0, 9, 7, 0, 1});
}

TEST_CASE("FindDifference: whole blocks, cut at the edge of the level") {
  const image::Surface a = Make(d3d::Format::DXT1, 10, 6);
  image::Surface b = Make(d3d::Format::DXT1, 10, 6);
  b.level(0, 0).block(9, 5)[7] = 1;
  CHECK(Difference(a, b) == image::Area{8, 4, 10, 6, 0, 1});
}

TEST_CASE("FindDifference: looks only at the area, which may reach over the edges") {
  const image::Surface a = Make(d3d::Format::A8R8G8B8, 21, 7);
  image::Surface b = Make(d3d::Format::A8R8G8B8, 21, 7);
  for (const uint32_t x : {3U, 8U, 16U})
    b.level(0, 0).block(x, 5)[2] = 1;
  const auto within = [&](const image::Area& area) {
    return inspect::FindDifference(std::as_const(a).level(0, 0), std::as_const(b).level(0, 0),
                                   area);
  };
  CHECK(within({4, 0, 16, 7}) == image::Area{8, 5, 9, 6, 0, 1});
  CHECK(within({3, 5, 17, 6}) == image::Area{3, 5, 17, 6, 0, 1});
  CHECK(within({9, 2, 500, 600}) == image::Area{16, 5, 17, 6, 0, 1});
  CHECK_FALSE(within({0, 0, 21, 5}));
  CHECK_FALSE(within({30, 0, 40, 7}));
  CHECK_FALSE(within({}));
}

TEST_CASE(
    "PlaneDifferences: of every depth format what ReadPlane says, planes that are the same left out") {
  for (const d3d::FormatInfo& info : d3d::AllFormats()) {
    if (!info.is_depth()) continue;
    CAPTURE(info.name);
    image::Surface a = Make(info.format, 5, 3);
    image::Surface b = Make(info.format, 5, 3);
    const image::Area area = {1, 1, 4, 3};
    CHECK(inspect::PlaneDifferences({a}, {b}, area).empty());
    image::StoreDepthStencil(info, {.depth = 100, .stencil = 0}, true, true,
                             a.level(0, 0).block(1, 1));
    image::StoreDepthStencil(info, {.depth = 7, .stencil = 1}, true, true,
                             b.level(0, 0).block(2, 2));
    size_t found = 0;
    const auto changes = inspect::PlaneDifferences({a}, {b}, area);
    for (const inspect::Plane plane : inspect::PlanesOf(info)) {
      std::vector<uint8_t> expected = inspect::ReadPlane(a, 0, 0, plane, area, nullptr);
      const std::vector<uint8_t> now = inspect::ReadPlane(b, 0, 0, plane, area, nullptr);
      for (size_t i = 0; i < expected.size(); ++i)
        expected[i] = static_cast<uint8_t>(expected[i] ^ now[i]);
      if (std::ranges::all_of(expected, [](uint8_t byte) { return byte == 0; })) continue;
      REQUIRE(found < changes.size());
      CHECK(changes[found].plane == plane);
      CHECK(changes[found++].bytes == expected);
    }
    CHECK(found == changes.size());
    CHECK(found > 0);
  }
}

TEST_CASE("PlaneDifferences: of colours what ReadPlane says") {
  for (const d3d::Format format : {d3d::Format::A8R8G8B8, d3d::Format::X8B8G8R8,
                                   d3d::Format::R5G6B5, d3d::Format::A8L8, d3d::Format::Q8W8V8U8}) {
    image::Surface a = Make(format, 5, 3);
    image::Surface b = Make(format, 5, 3);
    const image::Area area = {1, 0, 5, 3};
    std::memset(a.level(0, 0).block(1, 1), 0x5B, d3d::FindFormat(format)->block_size);
    std::memset(b.level(0, 0).block(4, 2), 0xC3, d3d::FindFormat(format)->block_size);
    std::vector<uint8_t> expected =
        inspect::ReadPlane(a, 0, 0, inspect::Plane::kColor, area, nullptr);
    const auto now = inspect::ReadPlane(b, 0, 0, inspect::Plane::kColor, area, nullptr);
    for (size_t i = 0; i < expected.size(); ++i)
      expected[i] = static_cast<uint8_t>(expected[i] ^ now[i]);
    const auto changes = inspect::PlaneDifferences({a}, {b}, area);
    REQUIRE(changes.size() == 1);
    CHECK(changes[0].bytes == expected);
  }
}

TEST_CASE("FindDifference: a sample is enough") {
  const image::Surface a = Make(d3d::Format::A8R8G8B8, 4, 4, 4);
  image::Surface b = Make(d3d::Format::A8R8G8B8, 4, 4, 4);
  b.level(0, 0).block(2, 1, 3)[0] = 1;
  const auto area = Difference(a, b);
  CHECK(area == image::Area{2, 1, 3, 2, 0, 4});
  image::Surface copy = Make(d3d::Format::A8R8G8B8, 4, 4, 4);
  inspect::CopyBlocks(std::as_const(b).level(0, 0), *area, copy.level(0, 0));
  CHECK_FALSE(Difference(copy, b));
}

TEST_CASE("ReadPlane: depth is a number between 0 and 1, stencil a byte") {
  image::Surface surface = Make(d3d::Format::D24S8, 2, 1);
  const uint32_t word = 0x80000007;
  std::memcpy(surface.level(0, 0).block(1, 0), &word, 4);
  const image::Area whole = surface.WholeLevel(0);
  CHECK(inspect::PlanesOf(surface.info()) ==
        std::vector{inspect::Plane::kDepth, inspect::Plane::kStencil});
  const std::vector<uint8_t> depth =
      inspect::ReadPlane(surface, 0, 0, inspect::Plane::kDepth, whole, nullptr);
  REQUIRE(depth.size() == 8);
  CHECK(std::bit_cast<float>(LoadU32(&depth[0])) == 0);
  CHECK(std::bit_cast<float>(LoadU32(&depth[4])) ==
        static_cast<float>(double{0x800000} / double{0xFFFFFF}));
  CHECK(inspect::ReadPlane(surface, 0, 0, inspect::Plane::kStencil, whole, nullptr) ==
        std::vector<uint8_t>{0, 7});
}

TEST_CASE("PlanesOf: buffers show nothing") {
  const image::Surface buffer = Make(d3d::Format::VertexData, 64, 1);
  CHECK(inspect::PlanesOf(buffer.info()).empty());
}
