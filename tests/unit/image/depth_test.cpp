#include "image/depth.h"

#include <doctest/doctest.h>

#include <limits>

#include "base/bytes.h"

using namespace dp2trace;         // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::image;  // NOLINT(google-build-using-namespace): test file

namespace {

const d3d::FormatInfo& Row(d3d::Format format) {
  return *d3d::FindFormat(format);
}

DepthStencil LoadWord32(d3d::Format format, uint32_t word) {
  uint8_t bytes[4];
  Store(bytes, word);
  return LoadDepthStencil(Row(format), bytes);
}

}  // namespace

TEST_CASE("Depth: the parts lie where the name says") {
  CHECK(LoadWord32(d3d::Format::D24S8, 0x12345678) == DepthStencil{0x123456, 0x78});
  CHECK(LoadWord32(d3d::Format::S8D24, 0x12345678) == DepthStencil{0x345678, 0x12});
  CHECK(LoadWord32(d3d::Format::D24X4S4, 0x123456F8) == DepthStencil{0x123456, 8});
  CHECK(LoadWord32(d3d::Format::X4S4D24, 0xF8123456) == DepthStencil{0x123456, 8});
  CHECK(LoadWord32(d3d::Format::D24X8, 0x123456FF) == DepthStencil{0x123456, 0});
  CHECK(LoadWord32(d3d::Format::D15S1, 0x8001) == DepthStencil{0x4000, 1});
  CHECK(LoadWord32(d3d::Format::S1D15, 0x8001) == DepthStencil{1, 1});
  CHECK(LoadWord32(d3d::Format::D32, 0xFFFFFFFF) == DepthStencil{0xFFFFFFFF, 0});
  CHECK(LoadWord32(d3d::Format::S8Lockable, 0x7F) == DepthStencil{0, 0x7F});
}

TEST_CASE("Depth: one part is written without the other, cut to its bits") {
  uint8_t bytes[4];
  Store(bytes, uint32_t{0x12345678});
  StoreDepthStencil(Row(d3d::Format::D24S8), {0xABCDEF, 0x1FF}, false, true, bytes);
  CHECK(LoadU32(bytes) == 0x123456FF);
  StoreDepthStencil(Row(d3d::Format::D24S8), {0xABCDEF, 0}, true, false, bytes);
  CHECK(LoadU32(bytes) == 0xABCDEFFF);
  StoreDepthStencil(Row(d3d::Format::D24X4S4), {0xABCDEF, 0x1F}, true, true, bytes);
  CHECK(LoadU32(bytes) == 0xABCDEF0F);
}

TEST_CASE("Depth: quantisation is half up in binary64, clamped") {
  CHECK(QuantizeDepth(Row(d3d::Format::D16), 0.5) == 0x8000);
  CHECK(QuantizeDepth(Row(d3d::Format::D24S8), 0.5) == 0x800000);
  CHECK(QuantizeDepth(Row(d3d::Format::D32), 0.5) == 0x80000000);
  CHECK(QuantizeDepth(Row(d3d::Format::D32), 1.0) == 0xFFFFFFFF);
  CHECK(QuantizeDepth(Row(d3d::Format::D15S1), 2.0) == 0x7FFF);
  CHECK(QuantizeDepth(Row(d3d::Format::D24X8), -1.0) == 0);
  CHECK(QuantizeDepth(Row(d3d::Format::D16), std::numeric_limits<double>::quiet_NaN()) == 0);
  CHECK(QuantizeDepth(Row(d3d::Format::D32FLockable), 0.5) == 0x3F000000);
  CHECK(QuantizeDepth(Row(d3d::Format::D24FS8), 0.5) == 0xE00000);
  CHECK(QuantizeDepth(Row(d3d::Format::S8Lockable), 0.5) == 0);
}

TEST_CASE("Depth: stored values survive the way through binary64") {
  for (const d3d::FormatInfo& info : d3d::AllFormats()) {
    const uint32_t bits = DepthBits(info);
    if (bits == 0 || info.format == d3d::Format::D32FLockable ||
        info.format == d3d::Format::D24FS8) {
      continue;
    }
    CAPTURE(info.name);
    const uint64_t end = uint64_t{1} << bits;
    uint32_t failures = 0;
    for (uint64_t q = 0; q < end; q += bits <= 16 ? 1 : end / 65521) {
      const auto stored = static_cast<uint32_t>(q);
      failures += QuantizeDepth(info, DepthToDouble(info, stored)) == stored ? 0U : 1U;
    }
    CHECK(failures == 0);
  }
}
