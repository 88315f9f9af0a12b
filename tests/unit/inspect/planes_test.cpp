#include "inspect/planes.h"

#include <doctest/doctest.h>

#include <bit>
#include <cstring>
#include <utility>

#include "d3d/enums.h"
#include "inspect_run.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

namespace {

image::Surface Make(d3d::Format format, uint32_t width, uint32_t height, uint32_t samples = 1) {
  return std::move(*image::Surface::Create(
      {.format = format, .width = width, .height = height, .samples = samples}));
}

std::optional<image::Area> Difference(const image::Surface& a, const image::Surface& b) {
  return inspect::FindDifference(a.level(0, 0), b.level(0, 0));
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
