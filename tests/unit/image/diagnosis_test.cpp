#include "image/diagnosis.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "support/random.h"

namespace dp2trace::image {
namespace {

using testing::Random;

constexpr uint32_t kScenes = 20;

uint8_t Channel(double value) {
  return static_cast<uint8_t>(std::lround(std::fmin(std::fmax(value, 0), 1) * 255));
}

// Something like a rendered picture: a sky with a gradient, discs and rectangles with shading, some of them with a pattern.
// The draw `missing` is left out.
Picture Scene(uint64_t seed, std::optional<int> missing = std::nullopt) {
  Random random(seed);
  const auto below = [&random](uint32_t end) { return random.Below(end); };
  const uint32_t columns = 64 + below(64), rows = 48 + below(64);
  Picture picture(columns, rows);
  for (uint32_t y = 0; y < picture.height; ++y) {
    for (uint32_t x = 0; x < picture.width; ++x) {
      const auto pixel = picture.at(x, y);
      pixel[0] = static_cast<uint8_t>(20 + seed % 50);
      pixel[1] = static_cast<uint8_t>(60 + y);
      pixel[2] = static_cast<uint8_t>(130 + y / 2);
      pixel[3] = static_cast<uint8_t>(200 - x);
    }
  }
  for (int i = 0; i < 9; ++i) {
    const uint32_t left = below(picture.width - 8), top = below(picture.height - 8);
    const uint32_t width = 4 + below(30), height = 4 + below(30);
    const std::array<uint32_t, 4> color = {below(256), below(256), below(256), below(256)};
    const bool is_round = below(2) == 0, is_checkered = below(3) == 0;
    if (i == missing) continue;
    for (uint32_t y = top; y < std::min(top + height, picture.height); ++y) {
      for (uint32_t x = left; x < std::min(left + width, picture.width); ++x) {
        const double u = 2.0 * (x - left) / width - 1, v = 2.0 * (y - top) / height - 1;
        if (is_round && u * u + v * v > 1) continue;
        const double light = 0.6 + 0.2 * u - 0.2 * v;
        const bool is_dark = is_checkered && ((x / 3 + y / 3) & 1) != 0;
        const auto pixel = picture.at(x, y);
        for (size_t c = 0; c < 4; ++c)
          pixel[c] = Channel(color[c] / 255.0 * (c == 3 ? 1 : light * (is_dark ? 0.5 : 1)));
      }
    }
  }
  return picture;
}

// Each pixel of a picture made by `make(x, y)`.
Picture Made(const Picture& like,
             const std::function<std::array<uint8_t, 4>(uint32_t, uint32_t)>& make) {
  Picture picture(like.width, like.height);
  for (uint32_t y = 0; y < like.height; ++y) {
    for (uint32_t x = 0; x < like.width; ++x) {
      const std::array<uint8_t, 4> pixel = make(x, y);
      std::copy(pixel.begin(), pixel.end(), picture.at(x, y).begin());
    }
  }
  return picture;
}

std::array<uint8_t, 4> At(const Picture& picture, int64_t x, int64_t y) {
  if (x < 0 || y < 0 || x >= picture.width || y >= picture.height) return {1, 2, 3, 4};
  const auto pixel = picture.at(static_cast<uint32_t>(x), static_cast<uint32_t>(y));
  return {pixel[0], pixel[1], pixel[2], pixel[3]};
}

std::array<uint8_t, 4> WithColors(const std::array<uint8_t, 4>& pixel,
                                  const std::function<uint8_t(uint8_t)>& color) {
  return {color(pixel[0]), color(pixel[1]), color(pixel[2]), pixel[3]};
}

std::array<uint8_t, 4> WithAlpha(std::array<uint8_t, 4> pixel, uint8_t alpha) {
  pixel[3] = alpha;
  return pixel;
}

std::string Name(const Picture& expected, const Picture& actual, const LooseOptions& options = {}) {
  const std::optional<Diagnosis> found = Diagnose(expected, actual, options);
  return found ? Describe(*found) : "nothing";
}

TEST_CASE("Diagnose: exchanged colours, upside down") {
  for (uint64_t seed = 1; seed <= kScenes; ++seed) {
    CAPTURE(seed);
    const Picture scene = Scene(seed);
    CHECK(Name(scene, Made(scene, [&](uint32_t x, uint32_t y) {
                 const auto pixel = At(scene, x, y);
                 return std::array<uint8_t, 4>{pixel[2], pixel[1], pixel[0], pixel[3]};
               })) == "red and blue are exchanged");
    const Picture without_alpha = Made(scene, [&](uint32_t x, uint32_t y) {
      const auto pixel = At(scene, x, y);
      return std::array<uint8_t, 4>{pixel[2], pixel[1], pixel[0], 0};
    });
    CHECK(Name(scene, without_alpha) == "red and blue are exchanged, and alpha is 0 everywhere");
    CHECK(Name(scene, without_alpha, {.ignores_alpha = true}) == "red and blue are exchanged");
    CHECK(Name(scene, Made(scene, [&](uint32_t x, uint32_t y) {
                 return At(scene, x, int64_t{scene.height} - 1 - y);
               })) == "the picture is upside down");
  }
}

void CheckShift(const Picture& scene, int32_t x_step, int32_t y_step) {
  const Picture shifted = Made(scene, [&](uint32_t x, uint32_t y) {
    return At(scene, int64_t{x} - x_step, int64_t{y} - y_step);
  });
  CHECK(Name(scene, shifted) == "the picture is shifted by " + std::to_string(x_step) + "," +
                                    std::to_string(y_step) + " pixels");
}

void CheckPitch(const Picture& scene, uint32_t written, uint32_t read) {
  const Picture reread = Made(scene, [&](uint32_t x, uint32_t y) {
    const uint64_t place = uint64_t{y} * read + x;
    return At(scene, static_cast<int64_t>(place % written), static_cast<int64_t>(place / written));
  });
  CHECK(Name(scene, reread) == "rows are written " + std::to_string(written) +
                                   " pixels apart and read " + std::to_string(read) +
                                   " pixels apart");
}

TEST_CASE("Diagnose: shifts, and rows at a wrong pitch") {
  for (uint64_t seed = 1; seed <= kScenes; ++seed) {
    CAPTURE(seed);
    const Picture scene = Scene(seed);
    CheckShift(scene, static_cast<int32_t>(seed % 7) - 3, static_cast<int32_t>(seed % 5) - 5);
    CheckPitch(scene, scene.width + static_cast<uint32_t>(seed), scene.width);
    CheckPitch(scene, scene.width, scene.width - static_cast<uint32_t>(seed));
  }
}

TEST_CASE("Diagnose: where less than half of the picture is left") {
  for (uint64_t seed = 1; seed <= kScenes; ++seed) {
    CAPTURE(seed);
    const Picture scene = Scene(seed);
    CheckShift(scene, seed % 2 == 0 ? 30 : -30, 20);
    CheckPitch(scene, 2 * scene.width, scene.width);
    CheckPitch(scene, scene.width, 2 * scene.width);
  }
}

TEST_CASE("Diagnose: gamma, few bits, alpha") {
  for (uint64_t seed = 1; seed <= kScenes; ++seed) {
    CAPTURE(seed);
    const Picture scene = Scene(seed);
    const auto by_color = [&scene](const std::function<uint8_t(uint8_t)>& color) {
      return Made(scene,
                  [&](uint32_t x, uint32_t y) { return WithColors(At(scene, x, y), color); });
    };
    CHECK(Name(scene, by_color([](uint8_t c) { return Channel(std::pow(c / 255.0, 1 / 2.2)); })) ==
          "gamma is applied once too often");
    CHECK(Name(scene, by_color([](uint8_t c) { return Channel(std::pow(c / 255.0, 2.2)); })) ==
          "gamma is applied once too little, or undone");
    CHECK(Name(scene, by_color([](uint8_t c) { return static_cast<uint8_t>(c & 0xF8); })) ==
          "colours have the precision of X1R5G5B5");
    CHECK(Name(scene, by_color([](uint8_t c) { return static_cast<uint8_t>((c >> 4) * 17); })) ==
          "colours have the precision of X4R4G4B4");
    CHECK(Name(scene, Made(scene, [&](uint32_t x, uint32_t y) {
                 const auto pixel = At(scene, x, y);
                 return std::array<uint8_t, 4>{static_cast<uint8_t>(pixel[0] & 0xF8),
                                               static_cast<uint8_t>(pixel[1] & 0xFC),
                                               static_cast<uint8_t>(pixel[2] & 0xF8), pixel[3]};
               })) == "colours have the precision of R5G6B5");
    const Picture opaque =
        Made(scene, [&](uint32_t x, uint32_t y) { return WithAlpha(At(scene, x, y), 255); });
    CHECK(Name(scene, opaque) == "alpha is 255 everywhere");
    CHECK(Name(scene, opaque, {.ignores_alpha = true}) == "nothing");
  }
}

// The picture as if every sample lay a quarter of a pixel further: where colours change, half of the pixels are the neighbour's.
TEST_CASE("Diagnose: edges that lie half a pixel off") {
  for (uint64_t seed = 1; seed <= kScenes; ++seed) {
    CAPTURE(seed);
    const Picture scene = Scene(seed);
    const int x = static_cast<int>(seed % 3) - 1, y = static_cast<int>(seed / 3 % 3) - 1;
    if (x == 0 && y == 0) continue;
    Random random(seed + 1000);
    // An edge moves as a whole: blocks of 8 x 8 pixels, in one of two, move.
    std::vector<bool> moves(size_t{scene.width / 8 + 1} * (scene.height / 8 + 1));
    for (size_t i = 0; i < moves.size(); ++i)
      moves[i] = random.Below(2) == 0;
    const Picture moved = Made(scene, [&](uint32_t u, uint32_t v) {
      const uint32_t from_u =
          static_cast<uint32_t>(std::clamp<int64_t>(int64_t{u} - x, 0, int64_t{scene.width} - 1));
      const uint32_t from_v =
          static_cast<uint32_t>(std::clamp<int64_t>(int64_t{v} - y, 0, int64_t{scene.height} - 1));
      const bool is_moved = moves[size_t{v / 8} * (scene.width / 8 + 1) + u / 8];
      const auto pixel = is_moved ? scene.at(from_u, from_v) : scene.at(u, v);
      return std::array<uint8_t, 4>{pixel[0], pixel[1], pixel[2], pixel[3]};
    });
    const auto found = Diagnose(scene, moved, {.tolerance = 3});
    REQUIRE(found);
    CHECK(found->fault == PictureFault::kHalfPixel);
    CHECK(found->x * x >= 0);
    CHECK(found->y * y >= 0);
    for (const image::MovedPixel& pixel : FindMoved(scene, moved, {.tolerance = 3}, *found)) {
      const auto is = moved.at(pixel.x, pixel.y), was = scene.at(pixel.from_x, pixel.from_y);
      CHECK(std::ranges::equal(is, was, [](int a, int b) { return std::abs(a - b) <= 3; }));
    }
  }
  CHECK(Describe({.fault = PictureFault::kHalfPixel, .x = -1, .y = 1, .format = {}}) ==
        "edges lie half a pixel off, to the left and down");
  CHECK(Describe({.fault = PictureFault::kHalfPixel, .y = -1, .format = {}}) ==
        "edges lie half a pixel off, up");
}

// As interpolated colours and filtered texels are: the mean of a pixel and of its neighbours on one side.
TEST_CASE("Diagnose: a whole picture that lies half a pixel off") {
  for (uint64_t seed = 1; seed <= 2 * kScenes; ++seed) {
    CAPTURE(seed);
    const Picture scene = Scene(seed);
    const int32_t x = static_cast<int32_t>(seed % 3) - 1,
                  y = static_cast<int32_t>(seed / 3 % 3) - 1;
    if (x == 0 && y == 0) continue;
    const Picture moved = Made(scene, [&](uint32_t u, uint32_t v) {
      std::array<uint8_t, 4> mean{};
      for (size_t c = 0; c < mean.size(); ++c) {
        int sum = 0;
        for (const auto& [from_x, from_y] : {std::pair(0, 0), {x, 0}, {0, y}, {x, y}}) {
          const int64_t from_u =
              std::clamp<int64_t>(int64_t{u} - from_x, 0, int64_t{scene.width} - 1);
          const int64_t from_v =
              std::clamp<int64_t>(int64_t{v} - from_y, 0, int64_t{scene.height} - 1);
          sum += At(scene, from_u, from_v)[c];
        }
        mean[c] = static_cast<uint8_t>(sum / 4);
      }
      return mean;
    });
    const auto found = Diagnose(scene, moved, {.tolerance = 1});
    REQUIRE(found);
    CHECK(found->fault == PictureFault::kHalfPixel);
    CHECK(found->x == x);
    CHECK(found->y == y);
  }
}

TEST_CASE("Diagnose: a part of the picture is judged by itself") {
  const Picture scene = Scene(3);
  Picture actual = scene;
  for (uint32_t y = 8; y < 40; ++y) {
    for (uint32_t x = 8; x < 40; ++x)
      std::swap(actual.at(x, y)[0], actual.at(x, y)[2]);
  }
  CHECK(Name(scene, actual, {.region = Region{8, 8, 32, 32}}) == "red and blue are exchanged");
  CHECK(Name(scene, actual) == "nothing");
}

TEST_CASE(
    "Diagnose: nothing is said of equal pictures, of a draw that is missing, of a few pixels") {
  const Picture scene = Scene(5);
  CHECK(Name(scene, scene) == "nothing");
  Picture few = scene;
  for (uint32_t x = 0; x < 15; ++x)
    std::swap(few.at(x, 1)[0], few.at(x, 1)[2]);
  CHECK(Name(scene, few) == "nothing");
  CHECK(Name(Picture(8, 8), Picture(8, 9)) == "nothing");
  CHECK(Name(Picture(), Picture()) == "nothing");
  for (uint64_t seed = 1; seed <= kScenes; ++seed) {
    Picture missing = Scene(seed);
    const Picture whole = missing;
    for (uint32_t y = 10; y < 30; ++y) {
      for (uint32_t x = 10; x < 30; ++x) {
        const std::array<uint8_t, 4> sky = {20, 60, 130, 200};
        std::copy(sky.begin(), sky.end(), missing.at(x, y).begin());
      }
    }
    CHECK(Name(whole, missing) == "nothing");
  }
}

// A rectangle of one colour on a background.
Picture Flat(Random& random, uint32_t left) {
  Picture picture(64, 48);
  std::array<std::array<uint8_t, 4>, 2> colors{};
  for (auto& color : colors) {
    for (uint8_t& c : color)
      c = static_cast<uint8_t>(random.Below(256));
  }
  for (uint32_t y = 0; y < 48; ++y) {
    for (uint32_t x = 0; x < 64; ++x) {
      const bool is_inside = x >= left && x < left + 20 && y >= 10 && y < 30;
      std::ranges::copy(colors[is_inside ? 1 : 0], picture.at(x, y).begin());
    }
  }
  return picture;
}

TEST_CASE("Diagnose: few colours are enough for red and blue, and for edges") {
  Random random(7);
  const Picture flat = Flat(random, 20);
  CHECK(Name(flat, Made(flat, [&](uint32_t x, uint32_t y) {
               auto pixel = At(flat, x, y);
               std::swap(pixel[0], pixel[2]);
               return pixel;
             })) == "red and blue are exchanged");
  CHECK(Name(flat, Made(flat, [&](uint32_t x, uint32_t y) {
               return At(flat, x == 20 ? 19 : x, y);
             })) == "edges lie half a pixel off, to the right");
  for (uint32_t pair = 0; pair < 500; ++pair) {
    CAPTURE(pair);
    const Picture a = Flat(random, pair % 20);
    CHECK(Name(a, Flat(random, 21 + pair % 20)) == "nothing");
    CHECK(Name(a, Made(a, [&](uint32_t x, uint32_t y) {
                 auto pixel = At(a, x, y);
                 pixel[pair % 3] = static_cast<uint8_t>(pixel[pair % 3] ^ 0x55);
                 return pixel;
               })) == "nothing");
  }
}

// Pictures that have nothing to do with each other, and such that differ by noise, by one colour, by their light, by a draw or by all of
// them.
TEST_CASE("Diagnose: no false diagnosis of 1000 pairs that are unlike in other ways") {
  for (uint64_t seed = 1; seed <= 125; ++seed) {
    CAPTURE(seed);
    const Picture a = Scene(seed);
    const Picture other = Scene(seed + 1000);
    CHECK(Name(a, Made(a, [&](uint32_t x, uint32_t y) {
                 return At(other, x % other.width, y % other.height);
               })) == "nothing");
    Random random(seed);
    CHECK(Name(a, Made(a, [&](uint32_t x, uint32_t y) {
                 return WithColors(At(a, x, y), [&random](uint8_t c) {
                   return static_cast<uint8_t>(std::min(255U, c + random.Below(4)));
                 });
               })) == "nothing");
    CHECK(Name(a, Made(a, [&](uint32_t x, uint32_t y) {
                 return WithColors(At(a, x, y),
                                   [](uint8_t c) { return static_cast<uint8_t>(c / 2 + c / 5); });
               })) == "nothing");
    CHECK(Name(a, Made(a, [&](uint32_t x, uint32_t y) {
                 auto pixel = At(a, x, y);
                 pixel[seed % 3] = static_cast<uint8_t>(255 - pixel[seed % 3]);
                 return pixel;
               })) == "nothing");
    CHECK(Name(a, Scene(seed, static_cast<int>(seed % 9))) == "nothing");
    // Without alpha a row of the sky has one colour. The draws are missing, or the sky is, too.
    const LooseOptions colors = {.ignores_alpha = true};
    const Picture sky = Made(a, [&](uint32_t, uint32_t y) { return At(a, 0, y); });
    CHECK(Name(a, sky, colors) == "nothing");
    const auto is_sky = [&](uint32_t x, uint32_t y) {
      return WithAlpha(At(a, x, y), 0) == WithAlpha(At(sky, x, y), 0);
    };
    const Picture cleared = Made(a, [&](uint32_t, uint32_t) { return At(a, 0, 0); });
    const Picture drawn =
        Made(a, [&](uint32_t x, uint32_t y) { return is_sky(x, y) ? At(a, 0, 0) : At(a, x, y); });
    CHECK(Name(drawn, cleared) == "nothing");
    CHECK(Name(cleared, drawn) == "nothing");
  }
}

// A colour that is a little off everywhere, on gradients, edges and colours that somebody chose.
TEST_CASE("Diagnose: no false diagnosis of 1300 pairs with small errors of colours") {
  for (uint64_t seed = 1; seed <= 100; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    std::array<std::array<double, 3>, 3> ramp{};  // by channel: at 0,0, by x, by y
    for (auto& channel : ramp)
      channel = {10.0 + random.Below(60), random.Below(12) / 4.0, random.Below(12) / 4.0};
    const bool is_grey = seed % 2 == 0;
    const auto value = [&](uint32_t x, uint32_t y, size_t c) {
      const auto& [start, across, down] = ramp[is_grey ? 0 : c];
      return start + across * x + down * y;
    };
    const auto shade = [&](const std::function<double(double, uint32_t)>& change) {
      return Made(Picture(48, 40), [&](uint32_t x, uint32_t y) {
        std::array<uint8_t, 4> pixel = {0, 0, 0, 255};
        for (size_t c = 0; c < 3; ++c)
          pixel[c] = Channel(std::floor(change(value(x, y, c), x)) / 255);
        return pixel;
      });
    };
    const Picture rounded = shade([](double v, uint32_t) { return v + 0.5; });
    CHECK(Name(rounded, shade([](double v, uint32_t) { return v; })) == "nothing");
    for (const int amount : {1, 2, 6}) {
      CHECK(Name(rounded, shade([&](double v, uint32_t) { return v + 0.5 + amount; })) ==
            "nothing");
    }
    CHECK(Name(rounded, shade([](double v, uint32_t) { return v * 1.01 + 0.5; })) == "nothing");
    CHECK(Name(rounded, shade([](double v, uint32_t x) { return v + 0.5 + (x > 20 ? 1 : 0); })) ==
          "nothing");

    const Picture scene = Scene(seed);
    const auto on_scene = [&](const std::function<double(double)>& change) {
      return Made(scene, [&](uint32_t x, uint32_t y) {
        return WithColors(At(scene, x, y), [&](uint8_t c) { return Channel(change(c) / 255); });
      });
    };
    CHECK(Name(scene, on_scene([](double c) { return c + 3; })) == "nothing");
    CHECK(Name(scene, on_scene([](double c) { return c * 0.97 + 5; })) == "nothing");

    constexpr std::array<uint8_t, 10> kChosen = {0,    0x10, 0x20, 0x30, 0x40,
                                                 0x60, 0x80, 0xA0, 0xC0, 0xFF};
    std::array<std::array<uint8_t, 4>, 8> colors{};
    for (auto& color : colors) {
      for (size_t c = 0; c < 3; ++c)
        color[c] = kChosen[random.Below(seed % 3 == 0 ? 9 : 10)];
      color[3] = 255;
    }
    const Picture plain = Made(Picture(64, 64), [&](uint32_t x, uint32_t y) {
      return colors[(x / 8 + y / 8 * 3) % colors.size()];
    });
    const auto with = [&](const std::function<double(double, uint32_t)>& effect) {
      return Made(plain, [&](uint32_t x, uint32_t y) {
        return WithColors(At(plain, x, y), [&](uint8_t c) { return Channel(effect(c, x) / 255); });
      });
    };
    CHECK(Name(with([](double c, uint32_t) { return c * 0.97 + 6 * 0.03; }), plain) == "nothing");
    CHECK(Name(with([](double c, uint32_t) { return c + 5; }), plain) == "nothing");
    CHECK(Name(with([](double c, uint32_t x) { return c * (251 + x % 4) / 255; }), plain) ==
          "nothing");
    CHECK(Name(with([](double c, uint32_t) { return c * 0.95; }), plain) == "nothing");

    // A red object becomes a blue one.
    const Picture background(40, 40);
    const auto object = [&](std::array<uint8_t, 4> color) {
      return Made(background, [&](uint32_t x, uint32_t y) {
        const bool is_inside = x > 10 && x < 30 && y > 10 && y < 30;
        return is_inside ? color : std::array<uint8_t, 4>{64, 64, 64, 255};
      });
    };
    const uint8_t level = static_cast<uint8_t>(100 + seed);
    CHECK(Name(object({level, 0, 0, 255}), object({0, 0, level, 255})) == "nothing");
  }
}

TEST_CASE("Diagnose: few bits that are rounded, dithered, filled up or divided") {
  constexpr std::array<std::array<int, 4>, 4> kOrder = {
      {{0, 8, 2, 10}, {12, 4, 14, 6}, {3, 11, 1, 9}, {15, 7, 13, 5}}};
  for (uint64_t seed = 1; seed <= kScenes; ++seed) {
    CAPTURE(seed);
    const Picture scene = Scene(seed);
    const auto reduced = [&](const std::function<int(int, int)>& code,
                             const std::function<int(int)>& expand) {
      return Made(scene, [&](uint32_t x, uint32_t y) {
        return WithColors(At(scene, x, y), [&](uint8_t c) {
          return static_cast<uint8_t>(expand(code(c, kOrder[y % 4][x % 4])));
        });
      });
    };
    const auto round = [](int c, int) { return (c * 31 + 127) / 255; };
    const auto dither = [](int c, int order) { return (c * 31 * 16 + order * 255) / (255 * 16); };
    const auto fill = [](int code) { return code << 3 | code >> 2; };
    const auto divide = [](int code) { return (code * 255 + 15) / 31; };
    CHECK(Name(scene, reduced(round, fill)) == "colours have the precision of X1R5G5B5");
    CHECK(Name(scene, reduced(round, divide)) == "colours have the precision of X1R5G5B5");
    CHECK(Name(scene, reduced(dither, fill)) == "colours have the precision of X1R5G5B5");
  }
}

// What differs moved nowhere, but looks like what is elsewhere.
TEST_CASE("Diagnose: a part that is missing did not move") {
  Random random(11);
  Picture tile(32, 32);
  for (uint8_t& c : tile.rgba)
    c = static_cast<uint8_t>(random.Below(256));
  const std::array<uint8_t, 4> back = {20, 60, 130, 255};
  const auto sky = [](uint32_t y) {
    return std::array<uint8_t, 4>{20, static_cast<uint8_t>(60 + y), 130, 255};
  };
  const auto is_one_in = [](uint32_t x, uint32_t y) { return x < 32 && y < 32; };

  // Four tiles: three are alike, and so are four.
  const Picture dark = Made(Picture(64, 64), [&](uint32_t x, uint32_t y) {
    return WithColors(At(tile, x % 32, y % 32),
                      [&](uint8_t c) { return static_cast<uint8_t>(is_one_in(x, y) ? c / 2 : c); });
  });
  const Picture alike =
      Made(dark, [&](uint32_t x, uint32_t y) { return At(tile, x % 32, y % 32); });
  CHECK(Name(dark, alike) == "nothing");
  CHECK(Name(alike, dark) == "nothing");

  // One tile at the border: on one colour, on rows of one colour each.
  const Picture on_back = Made(Picture(64, 64), [&](uint32_t x, uint32_t y) {
    return is_one_in(x, y) ? At(tile, x, y) : back;
  });
  const Picture only_back = Made(on_back, [&](uint32_t, uint32_t) { return back; });
  CHECK(Name(on_back, only_back) == "nothing");
  CHECK(Name(only_back, on_back) == "nothing");
  const Picture on_sky = Made(Picture(64, 64), [&](uint32_t x, uint32_t y) {
    return is_one_in(x, y) ? At(tile, x, y) : sky(y);
  });
  const Picture only_sky = Made(on_sky, [&](uint32_t, uint32_t y) { return sky(y); });
  CHECK(Name(on_sky, only_sky) == "nothing");
  CHECK(Name(only_sky, on_sky) == "nothing");

  // Of two tiles one below the other, one.
  const Picture two = Made(Picture(96, 64), [&](uint32_t x, uint32_t y) {
    return x >= 32 && x < 64 ? At(tile, x - 32, y % 32) : sky(y % 32);
  });
  const Picture one =
      Made(two, [&](uint32_t x, uint32_t y) { return y < 32 ? At(two, x, y) : sky(y % 32); });
  CHECK(Name(two, one) == "nothing");
  CHECK(Name(one, two) == "nothing");
}

}  // namespace
}  // namespace dp2trace::image
