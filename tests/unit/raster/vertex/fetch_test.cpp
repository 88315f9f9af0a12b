#include "raster/vertex/fetch.h"

#include <doctest/doctest.h>

#include "scene.h"

using namespace dp2trace;          // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::raster;  // NOLINT(google-build-using-namespace): test file

namespace {

using d3d::DeclType;

Float4 Decode(DeclType type, std::initializer_list<uint8_t> bytes) {
  std::array<uint8_t, kMaxElementSize> padded = {};
  std::copy(bytes.begin(), bytes.end(), padded.begin());
  return DecodeElement(d3d::Value(type), padded.data());
}

float X(const device::Draw& draw, int64_t number, uint32_t instance = 0) {
  return FetchVertex(draw, number, instance).values[0][0];
}

}  // namespace

TEST_CASE("DecodeElement: floats are as they are, missing components are (0, 0, 0, 1)") {
  CHECK(Decode(DeclType::Float1, {0, 0, 0, 0x40}) == Float4{2, 0, 0, 1});
  CHECK(Decode(DeclType::Float2, {0, 0, 0, 0x40, 0, 0, 0x80, 0xBF}) == Float4{2, -1, 0, 1});
  CHECK(Decode(DeclType::Float3, {0, 0, 0x80, 0x3F, 0, 0, 0, 0, 0, 0, 0, 0xC0}) ==
        Float4{1, 0, -2, 1});
  CHECK(Decode(DeclType::Float4, {0, 0, 0x80, 0x3F, 0, 0, 0, 0, 0, 0, 0, 0xC0, 0, 0, 0, 0}) ==
        Float4{1, 0, -2, 0});
  CHECK(Decode(DeclType::Float16x2, {0x00, 0x3C, 0x00, 0xC0}) == Float4{1, -2, 0, 1});
  CHECK(Decode(DeclType::Float16x4, {0x00, 0x3C, 0x00, 0xC0, 0, 0, 0x00, 0x38}) ==
        Float4{1, -2, 0, 0.5F});
}

TEST_CASE("DecodeElement: integers with and without normalization") {
  // B, G, R, A in memory.
  CHECK(Decode(DeclType::D3dColor, {0, 0, 0xFF, 0xFF}) == Float4{1, 0, 0, 1});
  CHECK(Decode(DeclType::UByte4, {1, 2, 3, 255}) == Float4{1, 2, 3, 255});
  CHECK(Decode(DeclType::UByte4N, {0, 51, 255, 0}) == Float4{0, 0.2F, 1, 0});
  CHECK(Decode(DeclType::Short2, {0xFE, 0xFF, 0x00, 0x01}) == Float4{-2, 256, 0, 1});
  CHECK(Decode(DeclType::Short4, {1, 0, 2, 0, 3, 0, 0xFF, 0xFF}) == Float4{1, 2, 3, -1});
  CHECK(Decode(DeclType::Short2N, {0x00, 0x80, 0xFF, 0x7F}) == Float4{-1, 1, 0, 1});
  CHECK(Decode(DeclType::Short4N, {0x01, 0x80, 0, 0, 0xFF, 0x7F, 0, 0}) == Float4{-1, 0, 1, 0});
  CHECK(Decode(DeclType::UShort2N, {0xFF, 0xFF, 0, 0}) == Float4{1, 0, 0, 1});
  CHECK(Decode(DeclType::UShort4N, {0, 0, 0xFF, 0xFF, 0x33, 0x33, 0, 0}) == Float4{0, 1, 0.2F, 0});
  // 10:10:10 from the low bits: 1023, 512, 1 and 511, -512, -1.
  CHECK(Decode(DeclType::UDec3, {0xFF, 0x03, 0x18, 0x00}) == Float4{1023, 512 + 0, 1, 1});
  CHECK(Decode(DeclType::Dec3N, {0xFF, 0x01, 0xF8, 0x3F}) == Float4{1, -1, -1.0F / 511.0F, 1});
  CHECK(DecodeElement(200, std::array<uint8_t, kMaxElementSize>{}.data()) == Float4{0, 0, 0, 1});
}

TEST_CASE("FetchVertex: what lies after the end of a stream is 0") {
  Scene scene(d3d::fvf::kXyz);
  scene.Floats({1, 2, 3, 4, 5});
  CHECK(FetchVertex(scene.draw, 0, 0).values[0] == Float4{1, 2, 3, 1});
  CHECK(FetchVertex(scene.draw, 1, 0).values[0] == Float4{4, 5, 0, 1});
  CHECK(FetchVertex(scene.draw, 2, 0).values[0] == Float4{0, 0, 0, 1});
  CHECK(X(scene.draw, -1) == 0);
  CHECK(X(scene.draw, int64_t{1} << 62) == 0);
  CHECK(X(scene.draw, INT64_MIN) == 0);
  scene.draw.streams[0].stride = 0xFFFFFFFF;
  CHECK(X(scene.draw, 0xFFFFFFFF) == 0);
  scene.draw.streams[0].origin = UINT64_MAX;
  CHECK(X(scene.draw, 0) == 0);
}

TEST_CASE("FetchVertex: stride 0 repeats one vertex, numbers may be negative after an origin") {
  Scene scene(d3d::fvf::kXyz);
  scene.Floats({1, 0, 0, 2, 0, 0});
  scene.draw.streams[0].origin = 12;
  CHECK(X(scene.draw, -1) == 1);
  CHECK(X(scene.draw, 0) == 2);
  scene.draw.streams[0].stride = 0;
  CHECK(X(scene.draw, 77) == 2);
}

TEST_CASE(
    "FetchVertex: a divider counts from the first vertex of the draw; instance data step by instance") {
  Scene scene(d3d::fvf::kXyz);
  scene.Floats({0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0, 4, 0, 0});
  scene.draw.streams[0].divider = 2;
  scene.draw.base_vertex = 3;
  CHECK(X(scene.draw, 3) == 1);  // 3/2 + 0/2
  CHECK(X(scene.draw, 5) == 2);  // 3/2 + 2/2
  scene.Indices({0});
  CHECK(X(scene.draw, 4) == 4);  // plain dividers act on draws without indices only
  scene.draw.streams[0].divider = 0x80000002;
  CHECK(X(scene.draw, 4, 5) == 2);  // instance 5, step 2
  scene.draw.streams[0].divider = 0x40000005;
  CHECK(X(scene.draw, 3, 1) == 3);
}
