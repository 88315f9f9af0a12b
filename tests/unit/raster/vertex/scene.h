// A context and a draw, filled by hand. Must not be moved: draw and context refer to its parts.
#pragma once

#include <bit>
#include <initializer_list>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "d3d/fvf.h"
#include "device/context.h"
#include "device/draw.h"
#include "raster/vertex/pipeline.h"
#include "raster/vertex/sink.h"

namespace dp2trace::raster {

struct Scene {
  device::Space space;
  device::Context context;
  device::VertexLayout layout;
  std::vector<uint8_t> vertices;
  std::vector<uint8_t> indices;
  device::Draw draw;

  explicit Scene(uint32_t fvf)
      : context(9, false, trace::ContextCreate{}, space), layout(device::LayoutOfFvf(fvf, 9)) {
    draw.layout = &layout;
    draw.streams[0].stride = d3d::FvfVertexSize(fvf);
    context.state.viewport = device::Viewport{.x = 0, .y = 0, .width = 640, .height = 480};
    Set(d3d::RenderState::Lighting, 0);
  }
  Scene(const Scene&) = delete;
  Scene& operator=(const Scene&) = delete;

  void Set(d3d::RenderState state, uint32_t value) {
    context.state.render[d3d::Value(state)] = value;
  }
  void Set(d3d::RenderState state, float value) { Set(state, std::bit_cast<uint32_t>(value)); }
  void Set(d3d::RenderState state, int value) { Set(state, static_cast<uint32_t>(value)); }
  void SetStage(uint32_t stage, d3d::TextureStageState state, uint32_t value) {
    context.state.stages[stage][d3d::Value(state)] = value;
  }
  device::Matrix& Transform(d3d::TransformState state, uint32_t offset = 0) {
    return context.state.transforms[d3d::Value(state) + offset];
  }

  Scene& Floats(std::initializer_list<float> values) {
    for (const float value : values)
      ByteWriter(vertices).Write(value);
    draw.streams[0].bytes = vertices;
    return *this;
  }
  Scene& Word(uint32_t value) {
    ByteWriter(vertices).Write(value);
    draw.streams[0].bytes = vertices;
    return *this;
  }
  void Indices(std::initializer_list<uint16_t> values) {
    for (const uint16_t value : values)
      ByteWriter(indices).Write(value);
    draw.indices.bytes = indices;
    draw.indices.size = 2;
  }
  void Primitives(d3d::PrimitiveType type, uint32_t count) {
    draw.type = type;
    draw.primitive_count = count;
  }

  // Vertex `number` after fixed-function processing.
  Vertex Processed(int64_t number = 0) const {
    return MakeFixedFunctionProcessor(context, draw)->Process(FetchVertex(draw, number, 0));
  }
  VertexOutputs Outputs() const { return MakeFixedFunctionProcessor(context, draw)->outputs(); }
};

// Keeps what it gets.
struct RecordingSink final : PrimitiveSink {
  struct LineCall {
    ScreenVertex a, b;
    bool pattern_start, draws_last;
  };
  struct PolygonCall {
    std::vector<ScreenVertex> vertices;
    uint32_t edges;
  };
  std::vector<ScreenVertex> points;
  std::vector<LineCall> lines;
  std::vector<PolygonCall> polygons;

  void Point(const ScreenVertex& vertex) override { points.push_back(vertex); }
  void Line(const ScreenVertex& a, const ScreenVertex& b, bool pattern_start,
            bool draws_last) override {
    lines.push_back({a, b, pattern_start, draws_last});
  }
  void Polygon(const ScreenVertex* vertices, uint32_t count, uint32_t edges) override {
    polygons.push_back({{vertices, vertices + count}, edges});
  }
};

inline RecordingSink Run(const Scene& scene) {
  RecordingSink sink;
  RunVertexPipeline(scene.context, scene.draw,
                    *MakeFixedFunctionProcessor(scene.context, scene.draw), sink);
  return sink;
}

}  // namespace dp2trace::raster
