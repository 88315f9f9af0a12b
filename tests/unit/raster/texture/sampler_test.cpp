#include "raster/texture/sampler.h"

#include <doctest/doctest.h>

#include <limits>

#include "texture_scene.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::raster;   // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file
using d3d::Format;

namespace {

constexpr float kScale8 = 1.0F / 255.0F;

// Four texels in a row.
device::Resource Row(uint8_t a, uint8_t b, uint8_t c, uint8_t d) {
  return MakeTexture(Format::L8, 4, 1, {a, b, c, d});
}

float Grey(const device::Resource& resource, const SamplerState& state, float u) {
  return Sample(resource, state, {u, 0.5F, 0, 1}).color[0];
}

// One colour per face, 0x111111 * (face + 1).
device::Resource MakeCube() {
  device::Resource cube = MakeResource({.format = Format::L8, .width = 2, .height = 2, .faces = 6});
  for (uint32_t face = 0; face < 6; ++face) {
    Fill(cube, face, 0, std::vector<uint8_t>(4, static_cast<uint8_t>(0x11 * (face + 1))));
  }
  return cube;
}

uint32_t CubeFace(const device::Resource& cube, const Float4& direction, uint32_t address = kWrap) {
  return (ToArgb(Sample(cube, StateOf(Filter::kLinear, address), direction).color) & 0xFF) / 0x11 -
         1;
}

}  // namespace

TEST_CASE("Sampler: POINT reads the texel that holds the coordinate") {
  const device::Resource row = Row(0, 85, 170, 255);
  CHECK(Grey(row, StateOf(Filter::kPoint), 0.125F) == 0.0F);
  CHECK(Grey(row, StateOf(Filter::kPoint), 0.25F) == 85.0F * kScale8);
  CHECK(Grey(row, StateOf(Filter::kPoint), 0.99F) == 1.0F);
  CHECK(Grey(row, StateOf(Filter::kNone), 0.5F) == 170.0F * kScale8);
}

TEST_CASE("Sampler: LINEAR weighs stored integers by 1/256") {
  const device::Resource row = Row(0, 255, 255, 0);
  CHECK(Grey(row, StateOf(Filter::kLinear), 0.125F) == 0.0F);               // centre of texel 0
  CHECK(Grey(row, StateOf(Filter::kLinear), 0.25F) == 127.5F * kScale8);    // halfway
  CHECK(Grey(row, StateOf(Filter::kLinear), 0.1875F) == 63.75F * kScale8);  // a quarter
  CHECK(Grey(row, StateOf(Filter::kLinear), 0.1251F) == 0.0F);  // 0.1 of 1/256 texel is nothing
  CHECK(Grey(row, StateOf(Filter::kLinear), 0.5F) == 1.0F);
}

TEST_CASE("Sampler: LINEAR works along u and v, each channel by its own width") {
  // R5G6B5: 31, 63, 31 in the lower right texel.
  const device::Resource texture =
      MakeTexture(Format::R5G6B5, 2, 2, {0, 0, 0, 0, 0, 0, 0xFF, 0xFF});
  const Float4 color = Sample(texture, StateOf(Filter::kLinear), {0.5F, 0.5F, 0, 1}).color;
  CHECK(color[0] == 7.75F * (1.0F / 31.0F));
  CHECK(color[1] == 15.75F * (1.0F / 63.0F));
  CHECK(color[3] == 1.0F);
}

TEST_CASE("Sampler: the lowest value of a signed channel counts as the one above it") {
  const device::Resource texture = MakeTexture(Format::V8U8, 2, 1, {0x80, 0x80, 0x7F, 0x81});
  const Float4 color = Sample(texture, StateOf(Filter::kLinear), {0.5F, 0.5F, 0, 1}).color;
  CHECK(color[0] == 0.0F);   // (-127 + 127) / 2
  CHECK(color[1] == -1.0F);  // -127 twice
  CHECK(color[2] == 1.0F);
  CHECK(Sample(texture, StateOf(Filter::kPoint), {0, 0, 0, 1}).color[0] == -1.0F);
}

TEST_CASE("Sampler: wider formats are filtered as numbers") {
  // R32F: 1, 3.
  const device::Resource texture =
      MakeTexture(Format::R32F, 2, 1, {0, 0, 0x80, 0x3F, 0, 0, 0x40, 0x40});
  const Float4 color = Sample(texture, StateOf(Filter::kLinear), {0.5F, 0.5F, 0, 1}).color;
  CHECK(color == Float4{2.0F, 1.0F, 1.0F, 1.0F});
}

TEST_CASE("Sampler: BORDER replaces single taps") {
  SamplerState state = StateOf(Filter::kLinear, kBorder);
  state.border_color = 0x80FF8000;
  // 565 black: half a texel outside, half of it is border.
  const device::Resource texture = MakeTexture(Format::R5G6B5, 2, 1, {0, 0, 0, 0});
  const Float4 outside = Sample(texture, state, {-1.0F, 0.5F, 0, 1}).color;
  CHECK(outside[0] == 1.0F);
  CHECK(outside[1] == 32.0F * (1.0F / 63.0F));  // (2 * 128 * 63 + 255) / 510
  CHECK(outside[2] == 0.0F);
  CHECK(outside[3] == 128.0F * kScale8);  // what the format lacks comes from the border, too
  const Float4 edge = Sample(texture, state, {0.0F, 0.5F, 0, 1}).color;
  CHECK(edge[0] == 15.5F * (1.0F / 31.0F));
  CHECK(edge[3] == 191.5F * kScale8);
}

TEST_CASE("Sampler: BORDER of a float format is the border colour") {
  SamplerState state = StateOf(Filter::kPoint, kBorder);
  state.border_color = 0x80FF8000;
  const device::Resource texture = MakeTexture(Format::R32F, 1, 1, {0, 0, 0, 0});
  CHECK(Sample(texture, state, {2.0F, 0.5F, 0, 1}).color == FromColor(0x80FF8000));
}

TEST_CASE("Sampler: u and v have their own address modes") {
  SamplerState state = StateOf(Filter::kPoint, kWrap);
  state.address[1] = kClamp;
  const device::Resource texture = MakeTexture(Format::L8, 2, 2, {0, 51, 102, 153});
  CHECK(ToArgb(Sample(texture, state, {1.6F, 1.6F, 0, 1}).color) == 0xFF999999);
  CHECK(ToArgb(Sample(texture, state, {1.1F, 1.1F, 0, 1}).color) == 0xFF666666);
}

TEST_CASE("Sampler: any coordinate is safe in any mode and filter") {
  const device::Resource row = Row(51, 102, 153, 204);
  const float infinity = std::numeric_limits<float>::infinity();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const float u : {nan, infinity, -infinity, 1e38F, -1e38F, 1e-45F}) {
    for (const uint32_t mode : {0U, kWrap, kMirror, kClamp, kBorder, kMirrorOnce}) {
      for (int filter = 0; filter < 8; ++filter) {
        SamplerState state = StateOf(static_cast<Filter>(filter), mode);
        state.mip = Filter::kLinear;
        state.max_anisotropy = 16;
        SampleSloped(row, state, {u, u, u, u}, {u, 1, 1, 1}, {1, u, u, u});
      }
    }
  }
  CHECK(Grey(row, StateOf(Filter::kPoint, kClamp), nan) == 51.0F * kScale8);
}

TEST_CASE("Sampler: a volume is filtered along w, too") {
  device::Resource volume =
      MakeResource({.format = Format::L8, .width = 1, .height = 1, .depth = 2});
  Fill(volume, 0, 0, {0, 255});
  CHECK(Sample(volume, StateOf(Filter::kPoint), {0.5F, 0.5F, 0.75F, 1}).color[0] == 1.0F);
  CHECK(Sample(volume, StateOf(Filter::kPoint), {0.5F, 0.5F, 0.0F, 1}).color[0] == 0.0F);
  CHECK(Sample(volume, StateOf(Filter::kLinear), {0.5F, 0.5F, 0.5F, 1}).color[0] == 0.5F);
  SamplerState state = StateOf(Filter::kLinear);
  state.address[2] = kWrap;
  CHECK(Sample(volume, state, {0.5F, 0.5F, 0.0F, 1}).color[0] == 0.5F);
}

TEST_CASE(
    "Sampler: a cube map takes the face of the largest component, z before y before x") {  // facts X1, X2
  const device::Resource cube = MakeCube();
  CHECK(CubeFace(cube, {2, 1, -1, 0}) == 0);
  CHECK(CubeFace(cube, {-2, 1, -1, 0}) == 1);
  CHECK(CubeFace(cube, {1, 2, -1, 0}) == 2);
  CHECK(CubeFace(cube, {1, -2, -1, 0}) == 3);
  CHECK(CubeFace(cube, {1, 1, 2, 0}) == 4);
  CHECK(CubeFace(cube, {1, 1, -2, 0}) == 5);
  CHECK(CubeFace(cube, {1, 1, 1, 0}) == 4);
  CHECK(CubeFace(cube, {1, -1, 0.5F, 0}) == 3);
  CHECK(CubeFace(cube, {0, 0, 0, 0}) == 4);
}

TEST_CASE("Sampler: address modes do not act on cube maps") {
  const device::Resource cube = MakeCube();
  for (const uint32_t mode : {kWrap, kMirror, kClamp, kBorder}) {
    CHECK(CubeFace(cube, {1, 1, 1, 0}, mode) == 4);
  }
}

TEST_CASE("Sampler: coordinates on a face follow its table row") {
  device::Resource cube = MakeCube();
  // +X: u = (-z / m + 1) / 2, v = (-y / m + 1) / 2.
  Fill(cube, 0, 0, {0, 51, 102, 153});
  // Right, top.
  CHECK(ToArgb(Sample(cube, StateOf(Filter::kPoint), {2, 1, -1, 0}).color) == 0xFF333333);
  // Right, bottom.
  CHECK(ToArgb(Sample(cube, StateOf(Filter::kPoint), {2, -1, -1, 0}).color) == 0xFF999999);
  // +Y: u = (x / m + 1) / 2, v = (z / m + 1) / 2.
  Fill(cube, 2, 0, {0, 51, 102, 153});
  // Left, bottom.
  CHECK(ToArgb(Sample(cube, StateOf(Filter::kPoint), {-1, 2, 1, 0}).color) == 0xFF666666);
}

TEST_CASE("Sampler: a face that the cube map lacks has the empty face colour") {
  device::Resource cube = MakeCube();
  cube.present_faces = 0x1F;
  cube.empty_face_color = 0xFF224488;
  CHECK(ToArgb(Sample(cube, StateOf(Filter::kLinear), {0, 0, -1, 0}).color) == 0xFF224488);
  CHECK(CubeFace(cube, {0, 0, 1, 0}) == 4);
}

TEST_CASE("Sampler: the level of detail of a cube map is that on the face of the pixel") {
  device::Resource cube =
      MakeResource({.format = Format::L8, .width = 4, .height = 4, .levels = 2, .faces = 6});
  Fill(cube, 4, 1, {255, 255, 255, 255});
  SamplerState state = StateOf(Filter::kPoint);
  state.mip = Filter::kPoint;
  // u moves by 0.5 per pixel: two texels.
  CHECK(SampleSloped(cube, state, {0, 0, 1, 0}, {1, 0, 0, 0}, {})[0] == 1.0F);
  CHECK(SampleSloped(cube, state, {0, 0, 1, 0}, {0.5F, 0, 0, 0}, {})[0] == 0.0F);
  CHECK(SampleSloped(cube, state, {0, 0, 1, 0}, {0, 0, 100, 0}, {})[0] == 0.0F);  // along the axis
}

TEST_CASE("Sampler: levels of detail come from the pixels of the quad") {
  const device::Resource texture = MakeMipTexture(8, {0, 85, 170, 255});
  SamplerState state = StateOf(Filter::kPoint);
  state.mip = Filter::kLinear;
  CHECK(SampleSloped(texture, state, {}, {0.125F, 0, 0, 0}, {})[0] == 0.0F);
  CHECK(SampleSloped(texture, state, {}, {0.25F, 0, 0, 0}, {})[0] == 85.0F * kScale8);
  CHECK(SampleSloped(texture, state, {}, {}, {0, 0.5F, 0, 0})[0] == 170.0F * kScale8);
  state.lod_bias = 0.5F;
  const float low = 85.0F * kScale8;
  const float high = 170.0F * kScale8;
  CHECK(SampleSloped(texture, state, {}, {0.25F, 0, 0, 0}, {})[0] == low + 0.5F * (high - low));
}

TEST_CASE("Sampler: gradients replace the differences of the quad") {
  const device::Resource texture = MakeMipTexture(8, {0, 85, 170, 255});
  SamplerState state = StateOf(Filter::kPoint);
  state.mip = Filter::kPoint;
  LodRequest lod;
  lod.kind = LodRequest::Kind::kGradients;
  lod.ddx.fill({0.5F, 0, 0, 0});
  uint32_t killed = 0;
  CHECK(Sampler(texture, std::nullopt, state, ColorKeyMode::kOff).Sample({}, lod, killed)[1][0] ==
        170.0F * kScale8);
}

TEST_CASE("Sampler: ANISOTROPIC averages samples along the longer derivative") {
  const device::Resource row = MakeTexture(Format::L8, 8, 1, {0, 255, 0, 51, 0, 0, 0, 0});
  SamplerState state = StateOf(Filter::kAnisotropic);
  state.max_anisotropy = 2;
  // Four texels long: samples one texel left and right of the centre of texel 2.
  const float color = SampleSloped(row, state, {0.3125F, 0.5F, 0, 1}, {0.5F, 0, 0, 0}, {})[0];
  CHECK(color == (1.0F + 51.0F * kScale8) * 0.5F);
}

TEST_CASE("Sampler: FLATCUBIC is Catmull-Rom, GAUSSIANCUBIC a B-spline") {
  const device::Resource row = Row(0, 255, 255, 0);
  CHECK(Grey(row, StateOf(Filter::kFlatCubic), 0.375F) == 1.0F);  // on a texel
  CHECK(Grey(row, StateOf(Filter::kFlatCubic), 0.5F) == 1.125F);  // -1/16, 9/16, 9/16, -1/16
  CHECK(Grey(row, StateOf(Filter::kGaussianCubic), 0.375F) == doctest::Approx(5.0 / 6.0));
  CHECK(Grey(row, StateOf(Filter::kGaussianCubic), 0.5F) == doctest::Approx(46.0 / 48.0));
}

TEST_CASE("Sampler: GAUSSIANQUAD weighs nine texels, PYRAMIDALQUAD is LINEAR") {
  const device::Resource texture = MakeTexture(Format::L8, 3, 3, {0, 0, 0, 0, 255, 0, 0, 255, 0});
  CHECK(Sample(texture, StateOf(Filter::kGaussianQuad), {0.5F, 0.5F, 0, 1}).color[0] ==
        6.0F / 16.0F);
  CHECK(Sample(texture, StateOf(Filter::kPyramidalQuad), {0.7F, 0.4F, 0, 1}).color ==
        Sample(texture, StateOf(Filter::kLinear), {0.7F, 0.4F, 0, 1}).color);
}

TEST_CASE(
    "Sampler: SRGBTEXTURE decodes colours before filtering and leaves alpha") {  // facts P1, P2, P3
  SamplerState state = StateOf(Filter::kPoint);
  state.srgb = true;
  CHECK(IsNear(
      ToArgb(
          Sample(MakeTexture(Format::A8R8G8B8, 1, 1, {0x7F, 0x3F, 0xFF, 0x7F}), state, {}).color),
      0x7FFF0D36, 1));
  CHECK(IsNear(ToArgb(Sample(MakeTexture(Format::R5G6B5, 1, 1, {0xEF, 0x7B}), state, {}).color),
               0xFF333433, 1));
  CHECK(IsNear(ToArgb(Sample(MakeTexture(Format::R5G6B5, 1, 1, {0xE7, 0x39}), state, {}).color),
               0xFF0A0C0A, 1));
  state.mag = Filter::kLinear;
  CHECK(Sample(MakeTexture(Format::L8, 2, 1, {0, 255}), state, {0.5F, 0, 0, 1}).color[0] == 0.5F);
}

TEST_CASE("Sampler: SRGBTEXTURE is ignored for signed, wide and YUV formats") {
  SamplerState state = StateOf(Filter::kLinear);
  const SamplerState plain = state;
  state.srgb = true;
  for (const Format format : {Format::Q8W8V8U8, Format::G16R16, Format::UYVY}) {
    const device::Resource texture = MakeTexture(format, 1, 1, {0x7F, 0x3F, 0x20, 0x7F});
    CHECK(Sample(texture, state, {}).color == Sample(texture, plain, {}).color);
  }
}

TEST_CASE(
    "Sampler: the colour key kills texels that are equal in all stored bits") {  // facts K1 to K3, K6
  device::Resource texture =
      MakeTexture(Format::A8R8G8B8, 2, 1, {0, 0xFF, 0, 0xFF, 0, 0xFF, 0, 0x7F});
  texture.color_key = d3d::ColorKey{0xFF00FF00, 0xFF00FF00};
  const SamplerState state = StateOf(Filter::kPoint);
  CHECK(Sample(texture, state, {0, 0, 0, 1}, ColorKeyMode::kKill).is_killed);
  // Another alpha.
  CHECK_FALSE(Sample(texture, state, {0.9F, 0, 0, 1}, ColorKeyMode::kKill).is_killed);
  CHECK_FALSE(Sample(texture, state, {0, 0, 0, 1}, ColorKeyMode::kOff).is_killed);
  texture.color_key = d3d::ColorKey{0xFF00FE00, 0xFF00FF00};
  CHECK_FALSE(Sample(texture, state, {0, 0, 0, 1}, ColorKeyMode::kKill).is_killed);
  texture.color_key = std::nullopt;
  CHECK_FALSE(Sample(texture, state, {0, 0, 0, 1}, ColorKeyMode::kKill).is_killed);
}

TEST_CASE("Sampler: unused bits do not count for the colour key") {
  device::Resource texture = MakeTexture(Format::X8R8G8B8, 1, 1, {0, 0xFF, 0, 0x55});
  texture.color_key = d3d::ColorKey{0xAA00FF00, 0xAA00FF00};
  CHECK(Sample(texture, StateOf(Filter::kPoint), {}, ColorKeyMode::kKill).is_killed);
}

TEST_CASE("Sampler: palettised textures compare the index with a range") {
  device::Resource texture = MakeTexture(Format::P8, 4, 1, {4, 5, 7, 8});
  texture.color_key = d3d::ColorKey{5, 7};
  const auto is_killed = [&](float u) {
    return Sample(texture, StateOf(Filter::kPoint), {u, 0, 0, 1}, ColorKeyMode::kKill).is_killed;
  };
  CHECK_FALSE(is_killed(0.1F));
  CHECK(is_killed(0.3F));
  CHECK(is_killed(0.6F));
  CHECK_FALSE(is_killed(0.9F));
}

TEST_CASE("Sampler: with LINEAR the nearest texel decides about the colour key") {
  device::Resource texture = MakeTexture(Format::X8R8G8B8, 2, 1, {0, 0xFF, 0, 0, 0xFF, 0, 0, 0});
  texture.color_key = d3d::ColorKey{0xFF00, 0xFF00};
  const SamplerState state = StateOf(Filter::kLinear);
  CHECK(Sample(texture, state, {0.49F, 0, 0, 1}, ColorKeyMode::kKill).is_killed);
  CHECK_FALSE(Sample(texture, state, {0.5F, 0, 0, 1}, ColorKeyMode::kKill).is_killed);
}

TEST_CASE(
    "Sampler: COLORKEYBLENDENABLE makes matching taps transparent black and kills where alpha is 0") {
  device::Resource texture = MakeTexture(Format::X8R8G8B8, 2, 1, {0, 0xFF, 0, 0, 0xFF, 0, 0, 0});
  texture.color_key = d3d::ColorKey{0xFF00, 0xFF00};
  const SamplerState state = StateOf(Filter::kLinear);
  const Sampled half = Sample(texture, state, {0.5F, 0, 0, 1}, ColorKeyMode::kBlend);
  CHECK_FALSE(half.is_killed);
  CHECK(half.color == Float4{0, 0, 127.5F * kScale8, 127.5F * kScale8});
  CHECK(Sample(texture, state, {0.25F, 0, 0, 1}, ColorKeyMode::kBlend).is_killed);
}

TEST_CASE("Sampler: P8 goes through the palette before filtering") {
  const device::Resource texture = MakeTexture(Format::P8, 2, 1, {1, 2});
  image::Palette palette;
  palette.rgba[1] = {255, 0, 0, 0};
  palette.rgba[2] = {0, 0, 255, 128};
  uint32_t killed = 0;
  const auto color = [&] {
    return Sampler(texture, palette, StateOf(Filter::kLinear), ColorKeyMode::kOff)
        .Sample(Float4Quad{Float4{0.5F, 0, 0, 1}}, {}, killed)[0];
  };
  CHECK(color() == Float4{127.5F * kScale8, 0, 127.5F * kScale8, 1.0F});
  palette.has_alpha = true;
  CHECK(color()[3] == 64.0F * kScale8);
}

TEST_CASE("Sampler: depth formats compare the third coordinate with each tap") {  // 3.11
  const device::Resource texture = MakeTexture(Format::D16, 2, 1, {0x00, 0x40, 0x00, 0xC0});
  const auto shadow = [&](Filter filter, float u, float reference) {
    return Sample(texture, StateOf(filter), {u, 0.5F, reference, 1}).color;
  };
  CHECK(shadow(Filter::kPoint, 0.25F, 0.5F) == Float4{0, 0, 0, 0});
  CHECK(shadow(Filter::kPoint, 0.75F, 0.5F) == Float4{1, 1, 1, 1});
  CHECK(shadow(Filter::kPoint, 0.25F, 16384.0F / 65535.0F) == Float4{1, 1, 1, 1});  // equal passes
  CHECK(shadow(Filter::kLinear, 0.5F, 0.5F) == Float4{0.5F, 0.5F, 0.5F, 0.5F});
  CHECK(shadow(Filter::kPoint, 0.25F, -1.0F)[0] == 1.0F);  // not clamped
  CHECK(shadow(Filter::kPoint, 0.75F, std::numeric_limits<float>::infinity())[0] == 0.0F);
  CHECK(shadow(Filter::kPoint, 0.75F, std::numeric_limits<float>::quiet_NaN())[0] == 0.0F);
}

TEST_CASE("Sampler: INTZ gives the depth whatever the third coordinate") {  // fact P26
  const device::Resource texture = MakeTexture(Format::Intz, 1, 1, {0x12, 0xFF, 0xFF, 0xFF});
  CHECK(Sample(texture, StateOf(Filter::kPoint), {0, 0, 2, 1}).color == Float4{1, 1, 1, 1});
}

TEST_CASE("Sampler: buffers and NULL surfaces give zeros") {
  CHECK(Sample(MakeTexture(Format::VertexData, 4, 1, {1, 2, 3, 4}), StateOf(Filter::kLinear), {})
            .color == Float4{});
  CHECK(Sample(MakeTexture(Format::Null, 4, 4, {}), StateOf(Filter::kLinear), {}).color ==
        Float4{});
}
