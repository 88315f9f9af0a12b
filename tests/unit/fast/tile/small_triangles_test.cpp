// Triangles that are set up together, and quads, against edges in plain C++ and the kernels of whole blocks, in all instruction sets.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <optional>
#include <vector>

#include "fast/tile/draw_queue.h"
#include "fast/tile/quads.h"
#include "fast/tile/raster_kernels.h"
#include "raster/primitive/fixed_point.h"
#include "unit/fast/block_shader.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::fast;     // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

namespace {

constexpr int32_t kTileX = 64, kTileY = 128;
constexpr uint32_t kPadded = 12;

int32_t Between(Random& random, int32_t low, int32_t high) {
  return low + static_cast<int32_t>(random.Below(static_cast<uint32_t>(high - low)));
}
double Real(Random& random, double scale) {
  return (static_cast<double>(random.Below(1 << 20)) / (1 << 19) - 1.0) * scale;
}

// Whether the fill rule gives the pixel to the triangle.
bool Covers(std::array<raster::FixedPoint, 3> p, int64_t x, int64_t y) {
  const int64_t area = raster::Area2(p[0], p[1], p[2]);
  if (area == 0) return false;
  if (area < 0) std::swap(p[1], p[2]);
  for (size_t i = 0; i < 3; ++i) {
    if (!raster::Edge(p[i], p[(i + 1) % 3]).Covers(x * 256, y * 256)) return false;
  }
  return true;
}

struct Corners {
  std::array<raster::FixedPoint, 3> points;

  Corners(Random& random, int32_t spread) {
    const int32_t x = Between(random, (kTileX - 8) * 256, (kTileX + 72) * 256);
    const int32_t y = Between(random, (kTileY - 8) * 256, (kTileY + 72) * 256);
    for (raster::FixedPoint& point : points) {
      // Corners on pixels and shared coordinates are where the fill rule decides.
      const int32_t step = random.OneIn(3) ? 256 : 1;
      point = {(x + Between(random, 0, spread)) / step * step,
               (y + Between(random, 0, spread)) / step * step};
    }
  }
};

// The mask of the window from (x, y) on, and whether anything is covered beyond.
uint64_t ExpectedMask(const Corners& corners, const PixelBounds& bounds, int32_t x, int32_t y,
                      bool& is_beyond) {
  uint64_t mask = 0;
  for (int32_t row = bounds.top; row < bounds.bottom; ++row) {
    for (int32_t column = bounds.left; column < bounds.right; ++column) {
      if (!Covers(corners.points, column, row)) continue;
      const bool is_inside = column >= x && column < x + 8 && row >= y && row < y + 8;
      if (is_inside) mask |= uint64_t{1} << (8 * (row - y) + column - x);
      is_beyond = is_beyond || !is_inside;
    }
  }
  return mask;
}

// A triangle with planes, of which only what the kernels below read is set.
struct PlanedTriangle {
  alignas(64) std::array<std::byte, TriangleSize(kPadded)> bytes = {};

  Triangle& triangle() { return *reinterpret_cast<Triangle*>(bytes.data()); }
  const Triangle& triangle() const { return *reinterpret_cast<const Triangle*>(bytes.data()); }

  PlanedTriangle(Random& random, const RasterKernels& kernels) {
    Triangle& t = triangle();
    t.is_front = 1;
    t.x0 = 64.0 + Real(random, 8);
    t.y0 = 128.0 + Real(random, 8);
    t.z0 = 0.5 + Real(random, 0.6);
    t.zx = Real(random, 0.02);
    t.zy = Real(random, 0.02);
    t.bias = random.OneIn(2) ? 0 : Real(random, 0.01);
    t.scaled_x = t.zx * 16777215.0;
    t.scaled_y = t.zy * 16777215.0;
    PlaneSetup setup{.dx1 = Real(random, 8),
                     .dy1 = Real(random, 8),
                     .dx2 = Real(random, 8),
                     .dy2 = Real(random, 8)};
    setup.rdet = 1.0 / (setup.dx1 * setup.dy2 - setup.dx2 * setup.dy1);
    std::array<std::array<float, kPadded>, 3> components{};
    for (size_t i = 0; i < 3; ++i) {
      for (size_t c = 0; c < kPadded; ++c) {
        const bool is_same = c % 3 == 2 && i > 0;
        components[i][c] = is_same ? components[0][c] : static_cast<float>(Real(random, 2));
      }
      setup.rhw[i] = components[i][0];
    }
    setup.perspective = random.OneIn(3) ? 0 : random.Below(1U << kPadded) & ~1U;
    kernels.set_planes(setup, components[0].data(), components[1].data(), components[2].data(),
                       kPadded, t);
  }
};

constexpr size_t kRows = kTileY + 32;
constexpr size_t kPitch = (kTileX + 40) * sizeof(uint32_t);

// A depth buffer of which 32 x 32 pixels of the tile are there.
struct DepthBuffer {
  std::vector<uint8_t> bytes = std::vector<uint8_t>(kRows * kPitch);
  DepthTest test;

  DepthBuffer(Random& random, uint32_t word_size) {
    test.format = {.word_size = word_size,
                   .shift = word_size == 4 ? 8U : 0U,
                   .mask = word_size == 4 ? 0xFFFFFFU : 0xFFFFU,
                   .keep = word_size == 4 ? 0xFFU : 0U};
    test.scale = word_size == 4 ? 16777215.0 : 65535.0;
    test.clips_z = random.OneIn(2);
    test.passing.equal = random.OneIn(2);
    test.passing.less = !random.OneIn(4);
    test.passing.greater = random.OneIn(4);
    test.writes = !random.OneIn(4);
    for (uint8_t& byte : bytes)
      byte = random.Byte();
  }
};

// What the kernels of whole blocks say about a window, block by block.
uint64_t TestByBlocks(const RasterKernels& kernels, const Triangle& t, int32_t x, int32_t y,
                      uint64_t mask, DepthBuffer& buffer) {
  uint64_t passed = 0;
  for (int32_t block_y = y & ~7; block_y < y + 8; block_y += 8) {
    for (int32_t block_x = x & ~7; block_x < x + 8; block_x += 8) {
      uint64_t in_block = 0;
      const auto visit = [&](auto move) {
        for (int32_t lane = 0; lane < 64; ++lane) {
          const int32_t column = x + lane % 8 - block_x;
          const int32_t row = y + lane / 8 - block_y;
          if (column < 0 || column > 7 || row < 0 || row > 7) continue;
          move(static_cast<uint32_t>(lane), static_cast<uint32_t>(8 * row + column));
        }
      };
      visit([&](uint32_t lane, uint32_t to) { in_block |= (mask >> lane & 1U) << to; });
      DepthBlock depth = {};
      in_block = kernels.quantize(buffer.test, t, block_x, block_y, in_block, depth);
      uint8_t* at = buffer.bytes.data() + static_cast<size_t>(block_y) * kPitch +
                    static_cast<size_t>(block_x) * buffer.test.format.word_size;
      in_block = kernels.test_depth(buffer.test, depth, in_block, {at, kPitch});
      visit([&](uint32_t lane, uint32_t from) { passed |= (in_block >> from & 1U) << lane; });
    }
  }
  return passed;
}

}  // namespace

TEST_CASE("small triangles: bounds and coverage of a batch are those of the fill rule") {
  for (const Isa& isa : SupportedIsas()) {
    INFO(isa.name);
    const RasterKernels& kernels = RasterKernelsOf(isa);
    Random random(5);
    uint64_t small = 0;
    for (int round = 0; round < 300; ++round) {
      TriangleBatch batch;
      std::vector<Corners> triangles;
      const uint32_t count = 1 + random.Below(8);
      for (uint32_t n = 0; n < count; ++n) {
        const Corners& corners = triangles.emplace_back(random, random.OneIn(4) ? 5000 : 1500);
        for (size_t i = 0; i < 3; ++i) {
          batch.x[i][n] = static_cast<int32_t>(corners.points[i].x);
          batch.y[i][n] = static_cast<int32_t>(corners.points[i].y);
        }
      }
      const BatchRule rule = {.bounds = {kTileX + Between(random, 0, 9), kTileY,
                                         kTileX + 64 - Between(random, 0, 9), kTileY + 64}};
      kernels.set_up(rule, count, batch);
      for (uint32_t n = 0; n < count; ++n) {
        const int32_t x = batch.left[n] & ~1;
        const int32_t y = batch.top[n] & ~1;
        bool is_beyond = false;
        const bool is_empty = batch.left[n] >= batch.right[n] || batch.top[n] >= batch.bottom[n];
        const uint64_t expected = ExpectedMask(triangles[n], rule.bounds, x, y, is_beyond);
        if (is_empty) CHECK((expected == 0 && !is_beyond));
        if (is_empty || batch.is_small[n] == 0) continue;
        CHECK(batch.mask[n] == expected);
        CHECK_FALSE(is_beyond);
        if (expected != 0) ++small;
      }
    }
    CHECK(small > 300);
  }
}

TEST_CASE("small triangles: quads have the depth of their blocks") {
  for (const Isa& isa : SupportedIsas()) {
    INFO(isa.name);
    const RasterKernels& kernels = RasterKernelsOf(isa);
    Random random(6);
    uint64_t hidden = 0;
    for (int round = 0; round < 400; ++round) {
      const PlanedTriangle made(random, kernels);
      DepthBuffer expected(random, random.OneIn(3) ? 2 : 4);
      DepthBuffer actual = expected;
      const int32_t x = 2 * Between(random, 0, 9);
      const int32_t y = 2 * Between(random, 0, 9);
      // Surfaces that end in the middle of a quad.
      const int32_t width = random.OneIn(2) ? 32 : x + 1 + Between(random, 0, 8);
      const int32_t height = random.OneIn(2) ? 32 : y + 1 + Between(random, 0, 8);
      uint64_t mask = random.Next() & random.Next();
      for (uint32_t lane = 0; lane < 64; ++lane) {
        const bool is_outside = x + static_cast<int32_t>(lane % 8) >= width ||
                                y + static_cast<int32_t>(lane / 8) >= height;
        if (is_outside) mask &= ~(uint64_t{1} << lane);
      }
      const SurfaceBytes surface = {actual.bytes.data(), kPitch, kTileX + width, kTileY + height};
      const Triangle& t = made.triangle();
      const uint64_t passed =
          kernels.test_quads(actual.test, t, kTileX + x, kTileY + y, mask, surface);
      CHECK(passed == TestByBlocks(kernels, t, kTileX + x, kTileY + y, mask, expected));
      CHECK(actual.bytes == expected.bytes);
      if (passed != mask) ++hidden;
    }
    CHECK(hidden > 100);
  }
}

TEST_CASE("small triangles: packs have the depth and the components of blocks") {
  for (const Isa& isa : SupportedIsas()) {
    INFO(isa.name);
    const RasterKernels& kernels = RasterKernelsOf(isa);
    Random random(7);
    for (int round = 0; round < 200; ++round) {
      std::vector<PlanedTriangle> triangles;
      triangles.reserve(5);
      for (int i = 0; i < 5; ++i)
        triangles.emplace_back(random, kernels);
      std::vector<PackedQuad> quads(1 + random.Below(kPackSize));
      for (PackedQuad& quad : quads) {
        quad = {.x = kTileX + 2 * Between(random, 0, 32),
                .y = kTileY + 2 * Between(random, 0, 32),
                .covered = 15,
                .is_front = true,
                .triangle = &triangles[random.Below(5)].triangle()};
      }
      std::vector<PixelInput> inputs;
      for (uint16_t i = 1; i < 10; ++i)
        inputs.push_back({.slot = 0, .component = 0, .is_clamped = i % 4 == 0, .to = i});
      std::vector<Block> registers(10);
      Block reciprocal{};
      kernels.load_pack({.inputs = inputs,
                         .padded = kPadded,
                         .needs_rhw = random.OneIn(2),
                         .registers = registers.data(),
                         .reciprocal = &reciprocal},
                        quads);
      DepthTest test;
      test.scale = 16777215.0;
      test.clips_z = true;
      DepthBlock depth{};
      const uint64_t inside = kernels.quantize_pack(test, quads, kAllLanes, depth);
      uint32_t differing = 0;
      for (uint32_t q = 0; q < quads.size(); ++q) {
        const Triangle& t = *quads[q].triangle;
        const int32_t block_x = quads[q].x & ~7;
        const int32_t block_y = quads[q].y & ~7;
        std::vector<Block> expected(10);
        Block inverse{};
        kernels.load_block({.inputs = inputs,
                            .padded = kPadded,
                            .needs_rhw = false,
                            .registers = expected.data(),
                            .reciprocal = &inverse},
                           t, block_x, block_y);
        DepthBlock block_depth{};
        const uint64_t block_inside =
            kernels.quantize(test, t, block_x, block_y, kAllLanes, block_depth);
        for (const uint32_t offset : {0U, 1U, 8U, 9U}) {
          const auto lane = static_cast<uint32_t>(FirstLane(q)) + offset;
          const auto from = static_cast<uint32_t>(8 * (quads[q].y & 7) + (quads[q].x & 7)) + offset;
          if (depth.depth[lane] != block_depth.depth[from]) ++differing;
          if ((inside >> lane & 1U) != (block_inside >> from & 1U)) ++differing;
          for (const PixelInput& input : inputs) {
            const uint32_t i = input.to;
            if (!IsSame(registers[i].lanes[lane], expected[i].lanes[from])) ++differing;
          }
        }
      }
      CHECK(differing == 0);
    }
  }
}
