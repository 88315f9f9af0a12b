#include "image/loose_compare.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <utility>

using namespace dp2trace::image;  // NOLINT(google-build-using-namespace): test file

namespace {

// 4x3, all pixels (10, 20, 30, 40).
Picture Plain() {
  Picture picture(4, 3);
  for (uint32_t y = 0; y < 3; ++y) {
    for (uint32_t x = 0; x < 4; ++x) {
      const auto pixel = picture.at(x, y);
      pixel[0] = 10;
      pixel[1] = 20;
      pixel[2] = 30;
      pixel[3] = 40;
    }
  }
  return picture;
}

}  // namespace

TEST_CASE("CompareLoosely: without options it is the exact comparison") {
  const Picture a = Plain();
  Picture b = a;
  b.at(1, 2)[0] = 12;
  b.at(3, 0)[3] = 0;
  const LooseComparison found = CompareLoosely(a, b, {});
  CHECK(found.beyond == Compare(a, b));
  CHECK(found.tolerated_pixels == 0);
  CHECK(found.compared_pixels == 12);
}

TEST_CASE("CompareLoosely: pictures of any height are compared like small ones") {
  for (const auto& [width, height] : {std::pair{5U, 300U}, {7U, 300U}, {5U, 200U}, {4U, 310U}}) {
    const Picture a(5, 300);
    Picture b(width, height);
    CHECK(CompareLoosely(a, b, {}).beyond == Compare(a, b));
    b.at(3, 199)[1] = 9;
    CHECK(CompareLoosely(a, b, {}).beyond == Compare(a, b));
    b.at(1, 70)[2] = 7;
    b.at(2, 70)[0] = 1;
    CHECK(CompareLoosely(a, b, {}).beyond == Compare(a, b));
  }
}

TEST_CASE("CompareLoosely: a pixel is tolerated where no channel is further off") {
  const Picture a = Plain();
  Picture b = a;
  b.at(0, 0)[0] = 12;  // 2
  b.at(1, 0)[2] = 27;  // 3
  b.at(2, 1)[1] = 24;  // 4
  b.at(2, 1)[0] = 11;
  const LooseComparison found = CompareLoosely(a, b, {.tolerance = 3});
  CHECK(found.tolerated_pixels == 2);
  CHECK(found.largest_tolerated == 3);
  CHECK(found.beyond.differing_pixels == 1);
  CHECK(found.beyond.first->x == 2);
  CHECK(found.beyond.largest_difference == 4);
  CHECK(CompareLoosely(a, b, {.tolerance = 4}).beyond.equal());
}

TEST_CASE("CompareLoosely: alpha can be left out") {
  const Picture a = Plain();
  Picture b = a;
  b.at(0, 0)[3] = 0;
  b.at(1, 1)[3] = 0;
  b.at(1, 1)[0] = 99;
  const LooseComparison found = CompareLoosely(a, b, {.ignores_alpha = true});
  CHECK(found.beyond.differing_pixels == 1);
  CHECK(found.beyond.largest_difference == 89);
}

TEST_CASE("CompareLoosely: a region, with coordinates of the whole picture") {
  const Picture a = Plain();
  Picture b = a;
  b.at(0, 0)[0] = 99;
  b.at(3, 2)[0] = 99;
  const LooseComparison found = CompareLoosely(a, b, {.region = Region{1, 1, 100, 100}});
  CHECK(found.compared_pixels == 6);
  CHECK(found.beyond.differing_pixels == 1);
  CHECK(found.beyond.first->x == 3);
  CHECK(found.beyond.first->y == 2);
  CHECK(found.beyond.left == 3);
  CHECK(found.beyond.bottom == 3);
  CHECK(CompareLoosely(a, b, {.region = Region{1, 0, 2, 2}}).beyond.equal());
}

TEST_CASE("CompareLoosely: sizes differ only where the region does not cut them to one") {
  const Picture a = Plain();
  const Picture b(9, 9);
  const LooseComparison whole = CompareLoosely(a, b, {.tolerance = 255});
  CHECK_FALSE(whole.beyond.equal());
  CHECK(whole.beyond.differing_pixels == 81 - 12);
  CHECK(whole.beyond.actual == PictureSize{9, 9});
  CHECK(CompareLoosely(a, b, {.tolerance = 255, .region = Region{0, 0, 4, 3}}).beyond.equal());
  CHECK_FALSE(
      CompareLoosely(a, b, {.tolerance = 255, .region = Region{0, 0, 5, 3}}).beyond.equal());
}

TEST_CASE("CompareLoosely: edges may lie elsewhere by some pixels, and what lies at none counts") {
  // Two halves, whose border is at x = 20 and, in the other one, `shift` further.
  const auto halves = [](uint32_t border) {
    Picture picture(40, 100);
    for (uint32_t y = 0; y < 100; ++y) {
      for (uint32_t x = 0; x < 40; ++x)
        picture.at(x, y)[0] = x < border ? 50 : 200;
    }
    return picture;
  };
  const Picture a = halves(20);
  for (const uint32_t shift : {1U, 2U, 3U}) {
    for (const uint8_t edge : {uint8_t{0}, uint8_t{1}, uint8_t{2}, uint8_t{3}}) {
      const LooseComparison found = CompareLoosely(a, halves(20 + shift), {.edge_pixels = edge});
      const bool is_ignored = edge >= shift;
      CHECK(found.beyond.differing_pixels ==
            (is_ignored ? 0 : (shift - std::min<uint32_t>(edge, 0)) * 100 - found.edge_pixels));
      CHECK(found.edge_pixels >= (is_ignored ? shift * 100 : 0));
      CHECK(CompareLoosely(halves(20 + shift), a, {.edge_pixels = edge}).edge_pixels ==
            found.edge_pixels);
    }
  }
  // A line that is missing, and a colour that is nowhere near, are no edges that moved.
  Picture line = a;
  for (uint32_t y = 0; y < 100; ++y)
    line.at(10, y)[0] = 255;
  CHECK(CompareLoosely(line, a, {.edge_pixels = 8}).beyond.differing_pixels == 100);
  Picture wrong = a;
  wrong.at(20, 5)[0] = 120;
  const LooseComparison found = CompareLoosely(a, wrong, {.edge_pixels = 1});
  CHECK(found.beyond.differing_pixels == 1);
  CHECK(found.beyond.first->x == 20);
  // Only of a part, with what lies around it.
  CHECK(CompareLoosely(a, halves(21), {.region = Region{20, 70, 1, 5}, .edge_pixels = 1})
            .beyond.differing_pixels == 0);
}
