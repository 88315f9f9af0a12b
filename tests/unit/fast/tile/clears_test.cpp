// Clears: the kernel that fills rows against plain C++ in all instruction sets, and clears in a queue of tiles.
#include <doctest/doctest.h>

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

#include "fast/tile/draw_queue.h"
#include "fast/tile/painter.h"
#include "fast/tile/raster_kernels.h"
#include "image/surface.h"
#include "unit/fast/block_shader.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::fast;     // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

namespace {

constexpr size_t kGuard = 80;

FillPattern RandomPattern(Random& random, size_t pixel_size, bool keeps) {
  FillPattern fill;
  fill.pixel_size = pixel_size;
  fill.keeps = keeps;
  for (size_t i = 0; i < FillPattern::kSize; ++i) {
    const bool is_first = i < pixel_size;
    fill.keep[i] = !keeps     ? uint8_t{0}
                   : is_first ? static_cast<uint8_t>(random.Below(256))
                              : fill.keep[i - pixel_size];
    fill.value[i] = is_first ? static_cast<uint8_t>(random.Below(256) & ~uint32_t{fill.keep[i]})
                             : fill.value[i - pixel_size];
  }
  return fill;
}

image::Surface Make(d3d::Format format, uint32_t width, uint32_t height) {
  auto surface = image::Surface::Create({.format = format, .width = width, .height = height});
  REQUIRE(surface.ok());
  return std::move(*surface);
}

QueuedClear ClearOf(image::Surface& surface, const PixelBounds& bounds, uint32_t argb) {
  QueuedClear clear;
  clear.level = surface.level(0, 0);
  clear.bounds = bounds;
  clear.pattern.pixel_size = sizeof argb;
  for (size_t i = 0; i < FillPattern::kSize; ++i)
    clear.pattern.value[i] = static_cast<uint8_t>(argb >> (8 * (i % sizeof argb)));
  return clear;
}

uint32_t At(const image::Surface& surface, uint32_t x, uint32_t y) {
  return Load<uint32_t>(surface.level(0, 0).block(x, y));
}

}  // namespace

TEST_CASE("fill: rows of every pixel size, place and length, and nothing beside them") {
  for (const Isa& isa : SupportedIsas()) {
    CAPTURE(isa.name);
    Random random(11);
    for (const size_t pixel_size : std::initializer_list<size_t>{1, 2, 3, 4, 8, 16}) {
      for (size_t pixels = 1; pixels < 90; ++pixels) {
        const FillPattern pattern =
            RandomPattern(random, pixel_size, pixel_size <= 8 && random.OneIn(2));
        FillRows fill;
        fill.rows = 1 + random.Below(3);
        fill.row_size = pixels * pixel_size;
        fill.pitch = fill.row_size + pixel_size * random.Below(3);
        std::vector<uint8_t> bytes(2 * kGuard + fill.rows * fill.pitch);
        for (uint8_t& byte : bytes)
          byte = static_cast<uint8_t>(random.Below(256));
        std::vector<uint8_t> expected = bytes;
        const size_t start = random.Below(kGuard);
        for (size_t y = 0; y < fill.rows; ++y) {
          for (size_t i = 0; i < fill.row_size; ++i) {
            uint8_t& byte = expected[start + y * fill.pitch + i];
            byte = static_cast<uint8_t>((byte & pattern.keep[i % pixel_size]) |
                                        pattern.value[i % pixel_size]);
          }
        }
        fill.bytes = bytes.data() + start;
        RasterKernelsOf(isa).fill(pattern, fill);
        CAPTURE(pixel_size);
        CAPTURE(pixels);
        REQUIRE(bytes == expected);
      }
    }
  }
}

TEST_CASE("DrawQueue: tiles play clears in their order, cut to themselves") {
  image::Surface surface = Make(d3d::Format::A8R8G8B8, 200, 100);
  DrawQueue queue;
  queue.SetExtent(200, 100);
  REQUIRE(queue.columns() == 4);
  queue.Add(ClearOf(surface, {0, 0, 200, 100}, 1));
  queue.Add(ClearOf(surface, {60, 60, 70, 70}, 2));
  CHECK(queue.bin(0).size() == 2);
  CHECK(queue.bin(2).size() == 1);
  CHECK(queue.entry_count() == 12);
  CHECK(queue.is_for_rows());
  Painter painter(SupportedIsas().front());
  painter.Paint(queue, 5);
  CHECK(At(surface, 63, 63) == 0);
  CHECK(At(surface, 64, 64) == 2);
  CHECK(At(surface, 69, 69) == 2);
  CHECK(At(surface, 70, 69) == 1);
  CHECK(At(surface, 127, 99) == 1);
  CHECK(At(surface, 128, 99) == 0);
  painter.PaintRow(queue, 0);
  CHECK(At(surface, 0, 63) == 1);
  CHECK(At(surface, 60, 63) == 2);
  CHECK(At(surface, 199, 63) == 1);
  CHECK(At(surface, 199, 64) == 0);
}

TEST_CASE("DrawQueue: many clears of few tiles are played tile by tile") {
  image::Surface surface = Make(d3d::Format::A8R8G8B8, 200, 200);
  DrawQueue queue;
  queue.SetExtent(200, 200);
  queue.Add(ClearOf(surface, {0, 0, 8, 8}, 1));
  CHECK_FALSE(queue.is_for_rows());
}

TEST_CASE("DrawQueue: a draw that is taken back leaves the clears before it") {
  image::Surface surface = Make(d3d::Format::A8R8G8B8, 64, 64);
  DrawQueue queue;
  queue.SetExtent(64, 64);
  const auto draw = std::make_shared<const QueuedDraw>(raster::DrawPlan());
  const PixelBounds bounds = {0, 0, 8, 8};
  const QueuedTriangle square = {.corners = {0, 0, 0}, .flags = QueuedTriangle::kIsPoint};
  queue.Add(draw);
  queue.Add(square, bounds);
  queue.Add(ClearOf(surface, {0, 0, 64, 64}, 1));
  const std::vector<uint32_t> before = queue.bin(0);
  const DrawQueue::Mark mark = queue.mark();
  // The same draw as before the clear is another run.
  queue.Add(draw);
  queue.Add(square, bounds);
  CHECK(queue.runs().size() == 3);
  CHECK(queue.bin(0).size() == 5);
  queue.Rollback(mark);
  CHECK(queue.bin(0) == before);
  CHECK(queue.runs().size() == 2);
  CHECK(queue.entry_count() == 3);
  queue.Add(draw);
  queue.Add(square, bounds);
  CHECK(queue.bin(0).size() == 5);
  CHECK(queue.bin(0)[3] == (2 | DrawQueue::kRunBit));
}
