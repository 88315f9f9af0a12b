#include "runtime/direct3d/held_writes.h"

#include <doctest/doctest.h>

#include <numeric>
#include <utility>
#include <vector>

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::runtime;  // NOLINT(google-build-using-namespace): test file

namespace {

using Parts = std::vector<std::pair<d3d::Box, std::vector<uint8_t>>>;

Parts Released(HeldWrites& writes, const d3d::Box& box) {
  Parts parts;
  writes.Release(box, [&](const d3d::Box& part, Bytes bytes) {
    parts.emplace_back(part, std::vector<uint8_t>(bytes.begin(), bytes.end()));
  });
  return parts;
}

std::vector<uint8_t> Counted(size_t size) {
  std::vector<uint8_t> bytes(size);
  std::iota(bytes.begin(), bytes.end(), uint8_t{0});
  return bytes;
}

constexpr uint32_t kL8 = 50, kDxt1 = 0x31545844;

}  // namespace

TEST_CASE("HeldWrites: a part is given once, the rest stays; rows with a pitch lose their gaps") {
  HeldWrites writes(*d3d::FindFormat(kL8), 4, 4, 1);
  const std::vector<uint8_t> bytes = Counted(64);
  trace::SurfaceUpdate update;
  update.data = bytes;
  update.pitch = 16;
  writes.Hold({0, 0, 4, 4, 0, 1}, update);
  CHECK(Released(writes, {1, 1, 3, 3, 0, 1}) == Parts{{{1, 1, 3, 3, 0, 1}, {17, 18, 33, 34}}});
  CHECK(Released(writes, {1, 1, 3, 3, 0, 1}).empty());
  // What is left around it, as rectangles.
  CHECK(Released(writes, {0, 0, 4, 4, 0, 1}) == Parts{{{0, 0, 4, 1, 0, 1}, {0, 1, 2, 3}},
                                                      {{0, 1, 1, 4, 0, 1}, {16, 32, 48}},
                                                      {{3, 1, 4, 4, 0, 1}, {19, 35, 51}},
                                                      {{1, 3, 3, 4, 0, 1}, {49, 50}}});
}

TEST_CASE("HeldWrites: what is newer is not overwritten") {
  HeldWrites writes(*d3d::FindFormat(kL8), 2, 2, 2);
  const std::vector<uint8_t> bytes = Counted(8);
  trace::SurfaceUpdate update;
  update.data = bytes;
  writes.Hold({0, 0, 2, 2, 0, 2}, update);
  writes.Drop({0, 0, 2, 2, 0, 1});
  writes.Drop({0, 0, 1, 1, 1, 2});
  CHECK(Released(writes, {0, 0, 2, 2, 0, 2}) ==
        Parts{{{1, 0, 2, 2, 1, 2}, {5, 7}}, {{0, 1, 1, 2, 1, 2}, {6}}});
}

TEST_CASE("HeldWrites: compressed formats are held by blocks, up to the edge of the level") {
  HeldWrites writes(*d3d::FindFormat(kDxt1), 6, 6, 1);
  CHECK(HeldWrites::Size(*d3d::FindFormat(kDxt1), 6, 6, 1) == 32);
  const std::vector<uint8_t> bytes = Counted(16);
  trace::SurfaceUpdate update;
  update.data = bytes;
  writes.Hold({4, 0, 6, 6, 0, 1}, update);
  CHECK(Released(writes, {0, 0, 6, 6, 0, 1}) == Parts{{{4, 0, 6, 6, 0, 1}, bytes}});
}

TEST_CASE("HeldWrites: an update with too few bytes holds what is there") {
  HeldWrites writes(*d3d::FindFormat(kL8), 2, 2, 1);
  const std::vector<uint8_t> bytes = Counted(3);
  trace::SurfaceUpdate update;
  update.data = bytes;
  writes.Hold({0, 0, 2, 2, 0, 1}, update);
  CHECK(Released(writes, {0, 0, 2, 2, 0, 1}) == Parts{{{0, 0, 2, 1, 0, 1}, {0, 1}}});
}
