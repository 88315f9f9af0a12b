// A target, a depth buffer and a program that shades by number, for tests of primitives and of the pixel side.
#pragma once

#include <bit>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "raster/pixel/clear.h"
#include "raster/pixel/output.h"
#include "raster/primitive/rasterizer.h"

namespace dp2trace::raster {

using d3d::Format;
using d3d::RenderState;

// Colour 0 is `color`, or the diffuse varying; keeps the quads that it shades.
class TestProgram final : public PixelProgram {
 public:
  Float4 color = {1, 1, 1, 1};
  bool uses_diffuse = false;
  uint32_t killed = 0;
  std::vector<Float4> more_colors;  // of outputs 1, 2, ...
  float depth = -1;                 // written where not negative
  mutable std::vector<Quad> quads;

  void Shade(const Quad& quad, QuadColors& out) const override {
    quads.push_back(quad);
    out.killed = killed;
    out.colors[0].fill(color);
    if (uses_diffuse) out.colors[0] = quad.varyings[kDiffuseSlot];
    for (size_t i = 0; i < more_colors.size(); ++i) {
      out.colors[i + 1].fill(more_colors[i]);
      out.written_targets |= 2U << i;
    }
    out.writes_depth = depth >= 0;
    out.depth.fill(depth);
  }
  bool may_kill() const override { return killed != 0; }
};

inline device::Resource MakeResource(Format format, uint32_t width, uint32_t height,
                                     uint32_t samples = 1) {
  return {.handle = 1,
          .color_key = std::nullopt,
          .surface = std::move(*image::Surface::Create(
              {.format = format, .width = width, .height = height, .samples = samples}))};
}

inline ScreenVertex At(float x, float y, float z = 0.5F, float rhw = 1) {
  ScreenVertex vertex;
  vertex.x = x;
  vertex.y = y;
  vertex.z = z;
  vertex.rhw = rhw;
  return vertex;
}
inline ScreenVertex WithDiffuse(ScreenVertex vertex, const Float4& color) {
  vertex.varyings[kDiffuseSlot] = color;
  return vertex;
}

struct Scene {
  device::State state{9, 5, true};
  std::vector<device::Resource> targets;
  std::vector<device::Resource> depth;  // none or one
  VertexOutputs outputs;
  RasterOptions options;
  TestProgram program;

  explicit Scene(Format format = Format::A8R8G8B8, uint32_t width = 16, uint32_t height = 16,
                 uint32_t samples = 1) {
    targets.push_back(MakeResource(format, width, height, samples));
    outputs.varying_mask = 1U << kDiffuseSlot;
    Set(RenderState::CullMode, d3d::Value(d3d::CullMode::None));
  }

  void AddDepth(Format format) {
    const image::SurfaceDescription& d = targets[0].surface.description();
    depth.push_back(MakeResource(format, d.width, d.height, d.samples));
  }
  void Set(RenderState number, uint32_t value) { state.render[d3d::Value(number)] = value; }
  void SetReal(RenderState number, float value) { Set(number, std::bit_cast<uint32_t>(value)); }

  BoundSurfaces surfaces() {
    BoundSurfaces bound;
    for (size_t i = 0; i < targets.size(); ++i)
      bound.colors[i].resource = &targets[i];
    if (!depth.empty()) bound.depth.resource = &depth[0];
    return bound;
  }

  // Returns the pixels that passed.
  uint64_t Draw(const std::function<void(PrimitiveSink&)>& draw) {
    const OutputState output_state = MakeOutputState(state, surfaces(), outputs, true);
    const RasterState raster_state = MakeRasterState(state, output_state, outputs, options);
    PixelOutput output(output_state, program);
    Rasterizer rasterizer(raster_state, output);
    draw(rasterizer);
    return output.passed_pixels();
  }
  uint64_t DrawPolygon(const std::vector<ScreenVertex>& vertices, uint32_t edges = ~0U) {
    return Draw([&](PrimitiveSink& sink) {
      sink.Polygon(vertices.data(), static_cast<uint32_t>(vertices.size()), edges);
    });
  }
  // Clockwise, from (a, b) to (c, d).
  uint64_t DrawRectangle(float a, float b, float c, float d, float z = 0.5F) {
    return DrawPolygon({At(a, b, z), At(c, b, z), At(c, d, z), At(a, d, z)});
  }
  uint64_t DrawLine(const ScreenVertex& a, const ScreenVertex& b) {
    return Draw([&](PrimitiveSink& sink) { sink.Line(a, b, true, true); });
  }
  uint64_t DrawPoint(ScreenVertex vertex, float size) {
    vertex.point_size = size;
    return Draw([&](PrimitiveSink& sink) { sink.Point(vertex); });
  }
  void Fill(uint32_t argb, float z = 1, uint32_t stencil = 0) {
    Clear(state, surfaces(),
          {.flags = 7, .color = argb, .depth = z, .stencil = stencil, .rects = {{0, 0, 64, 64}}});
  }

  // The stored word of a pixel.
  static uint64_t Word(device::Resource& resource, uint32_t x, uint32_t y, uint32_t sample = 0) {
    uint64_t word = 0;
    const image::Level level = resource.surface.level(0, 0);
    for (uint32_t i = 0; i < level.info->block_size && i < 8; ++i) {
      word |= uint64_t{level.block(x, y, sample)[i]} << (8 * i);
    }
    return word;
  }
  uint64_t Pixel(uint32_t x, uint32_t y, uint32_t sample = 0) {
    return Word(targets[0], x, y, sample);
  }
  uint64_t Depth(uint32_t x, uint32_t y) { return Word(depth[0], x, y); }
  // Channel of a float target.
  float Real(uint32_t x, uint32_t y, uint32_t channel = 0) {
    return Load<float>(targets[0].surface.level(0, 0).block(x, y) + 4 * size_t{channel});
  }
  // One character for each pixel: '.' where the word is 0, else the last hexadecimal digit of the word.
  std::vector<std::string> Picture() {
    std::vector<std::string> rows;
    const image::Level level = targets[0].surface.level(0, 0);
    for (uint32_t y = 0; y < level.height; ++y) {
      std::string& row = rows.emplace_back();
      for (uint32_t x = 0; x < level.width; ++x) {
        row += Pixel(x, y) == 0 ? '.' : "0123456789abcdef"[Pixel(x, y) & 15U];
      }
    }
    return rows;
  }
  // From here on each drawn pixel adds 1 to the alpha and colour bytes.
  void Count() {
    constexpr float kOne = 1.0F / 255.0F;
    program.color = {kOne, kOne, kOne, kOne};
    Set(RenderState::AlphaBlendEnable, 1);
    Set(RenderState::DestBlend, d3d::Value(d3d::BlendFactor::One));
  }
};

using Rows = std::vector<std::string>;

}  // namespace dp2trace::raster
