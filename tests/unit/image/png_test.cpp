#include "image/png.h"

#include <doctest/doctest.h>
#include <libdeflate.h>

#include <algorithm>
#include <filesystem>

#include "base/file.h"
#include "rules/rule.h"
#include "support/test_folder.h"

using namespace dp2trace;         // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::image;  // NOLINT(google-build-using-namespace): test file

namespace {

Picture Pattern(uint32_t width, uint32_t height) {
  Picture picture(width, height);
  uint32_t state = 12345;
  for (uint8_t& byte : picture.rgba) {
    state = state * 1664525 + 1013904223;
    byte = static_cast<uint8_t>(state >> 24);
  }
  return picture;
}

void AppendBigEndian(std::vector<uint8_t>& out, uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) {
    out.push_back(static_cast<uint8_t>(value >> shift));
  }
}

void AppendChunk(std::vector<uint8_t>& out, std::string_view type,
                 const std::vector<uint8_t>& data) {
  AppendBigEndian(out, static_cast<uint32_t>(data.size()));
  const size_t start = out.size();
  out.insert(out.end(), type.begin(), type.end());
  out.insert(out.end(), data.begin(), data.end());
  AppendBigEndian(out, libdeflate_crc32(0, out.data() + start, out.size() - start));
}

std::vector<uint8_t> Deflate(const std::vector<uint8_t>& raw) {
  libdeflate_compressor* compressor = libdeflate_alloc_compressor(6);
  std::vector<uint8_t> out(libdeflate_zlib_compress_bound(compressor, raw.size()));
  out.resize(libdeflate_zlib_compress(compressor, raw.data(), raw.size(), out.data(), out.size()));
  libdeflate_free_compressor(compressor);
  return out;
}

// A PNG with this header and these filtered rows.
std::vector<uint8_t> BuildPng(uint32_t width, uint32_t height, uint8_t bit_depth,
                              uint8_t color_type, const std::vector<uint8_t>& rows,
                              const std::vector<uint8_t>& palette = {}) {
  std::vector<uint8_t> png = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
  std::vector<uint8_t> header;
  AppendBigEndian(header, width);
  AppendBigEndian(header, height);
  header.insert(header.end(), {bit_depth, color_type, 0, 0, 0});
  AppendChunk(png, "IHDR", header);
  if (!palette.empty()) AppendChunk(png, "PLTE", palette);
  AppendChunk(png, "IDAT", Deflate(rows));
  AppendChunk(png, "IEND", {});
  return png;
}

bool Refuses(Bytes bytes, std::string_view reason, const PngLimits& limits = {}) {
  const Result<Picture> picture = DecodePng(bytes, limits);
  return !picture.ok() && picture.status().diagnostic().rule == Rule::kIo002 &&
         picture.status().diagnostic().message.find(reason) != std::string::npos;
}

}  // namespace

TEST_CASE("PNG: pixels survive, alpha 0 included") {
  for (const auto& [width, height] : {std::pair{1U, 1U}, {1U, 300U}, {300U, 1U}, {67U, 45U}}) {
    Picture picture = Pattern(width, height);
    picture.rgba[3] = 0;
    const Result<std::vector<uint8_t>> png = EncodePng(picture);
    REQUIRE(png.ok());
    const Result<Picture> back = DecodePng(*png);
    REQUIRE(back.ok());
    CHECK(*back == picture);
  }
}

TEST_CASE("PNG: no chunk changes colours, output is the same twice") {
  const std::vector<uint8_t> png = *EncodePng(Pattern(20, 20));
  CHECK(png == *EncodePng(Pattern(20, 20)));
  const std::string text(png.begin(), png.end());
  for (const char* chunk : {"gAMA", "sRGB", "tIME", "iCCP", "cHRM"}) {
    CHECK(text.find(chunk) == std::string::npos);
  }
}

TEST_CASE("PNG: grey, RGB and palette pictures become RGBA") {
  CHECK(DecodePng(BuildPng(2, 1, 8, 0, {0, 7, 9}))->rgba ==
        std::vector<uint8_t>{7, 7, 7, 255, 9, 9, 9, 255});
  CHECK(DecodePng(BuildPng(1, 1, 8, 2, {0, 1, 2, 3}))->rgba == std::vector<uint8_t>{1, 2, 3, 255});
  CHECK(DecodePng(BuildPng(2, 1, 1, 3, {0, 0x40}, {1, 2, 3, 4, 5, 6}))->rgba ==
        std::vector<uint8_t>{1, 2, 3, 255, 4, 5, 6, 255});
}

TEST_CASE("PNG: every filter of a row of RGBA, and none that is unknown") {
  const std::vector<uint8_t> rows = {0, 1, 2,   3, 4, 5, 6, 7, 8,   // none
                                     1, 1, 2,   3, 4, 5, 6, 7, 8,   // less what is left
                                     2, 1, 2,   3, 4, 5, 6, 7, 8,   // less what is above
                                     3, 9, 9,   9, 9, 9, 9, 9, 9,   // less the average
                                     4, 1, 255, 3, 4, 5, 6, 7, 8};  // less the nearest
  const Result<Picture> simple = DecodePng(BuildPng(2, 5, 8, 6, rows));
  REQUIRE(simple.ok());
  CHECK(simple->rgba == std::vector<uint8_t>{1,  2,  3,  4,  5,  6,  7,  8,   //
                                             1,  2,  3,  4,  6,  8,  10, 12,  //
                                             2,  4,  6,  8,  11, 14, 17, 20,  //
                                             10, 11, 12, 13, 19, 21, 23, 25,  //
                                             11, 10, 15, 17, 24, 27, 30, 33});
  std::vector<uint8_t> unknown = rows;
  unknown[9] = 5;
  CHECK(Refuses(BuildPng(2, 5, 8, 6, unknown), "filter"));
}

TEST_CASE("PNG: damaged files are refused") {
  const std::vector<uint8_t> png = *EncodePng(Pattern(9, 9));
  for (size_t size = 0; size < png.size(); ++size) {
    if (DecodePng(Bytes(png).first(size)).ok()) FAIL(size);
  }
  for (size_t i = 0; i < png.size(); ++i) {
    std::vector<uint8_t> damaged = png;
    damaged[i] ^= 0x20;
    const Result<Picture> picture = DecodePng(damaged);
    if (picture.ok()) FAIL(i);
  }
  CHECK(Refuses({}, "signature"));
}

TEST_CASE("PNG: limits act before memory is taken") {
  CHECK(Refuses(BuildPng(0x7FFFFFFF, 0x7FFFFFFF, 8, 6, {}), "limit"));
  CHECK(Refuses(BuildPng(5, 5, 8, 6, {}), "limit", {.max_pixels = 24}));
  CHECK(Refuses(BuildPng(0, 5, 8, 6, {}), "no pixels"));
  CHECK(Refuses(BuildPng(1, 1, 16, 6, std::vector<uint8_t>(9)), "8 bits"));
  CHECK(Refuses(BuildPng(1, 1, 8, 5, {}), "color type"));
  CHECK(Refuses(BuildPng(1, 1, 8, 6, std::vector<uint8_t>(10'000'000)), "more pixel data"));
  CHECK(Refuses(BuildPng(4, 4, 8, 6, {0, 1, 2}), ""));
  CHECK_FALSE(EncodePng(Picture()).ok());
  Picture wide;
  wide.width = 40000;
  wide.height = 1;
  CHECK_FALSE(EncodePng(wide).ok());
}

TEST_CASE("PNG: a file appears whole; a missing one is an error") {
  const testing::TestFolder folder;
  const Picture picture = Pattern(3, 4);
  CHECK(WritePng(folder / "a.png", picture).ok());
  CHECK(*ReadPng(folder / "a.png") == picture);
  CHECK(ReadPng(folder / "b.png").status().diagnostic().rule == Rule::kTrace001);
  CHECK(WritePng(folder / "no/c.png", picture).diagnostic().rule == Rule::kIo001);
}
