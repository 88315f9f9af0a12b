#include "raster/vertex/pipeline.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "raster/probe/probe.h"
#include "raster/vertex/clip.h"
#include "raster/vertex/viewport.h"

namespace dp2trace::raster {
namespace {

using d3d::PrimitiveType;

// Processed vertices of one instance by number: a direct-mapped cache.
class VertexCache {
 public:
  VertexCache(const device::Draw& draw, const VertexProcessor& processor, WorkBudget* work)
      : draw_(draw), processor_(processor), work_(work) {}

  void Start(uint32_t instance) {
    instance_ = instance;
    for (Entry& entry : entries_)
      entry.number.reset();
  }

  // Vertex k of the token. Valid until the next call.
  const Vertex& At(uint64_t k) {
    const int64_t number = draw_.base_vertex + int64_t{device::IndexAt(draw_, k)};
    Entry& entry = entries_[static_cast<size_t>(static_cast<uint64_t>(number) % entries_.size())];
    if (entry.place == kNowhere) {
      entry.place = static_cast<uint32_t>(vertices_.size());
      vertices_.emplace_back();
    }
    Vertex& vertex = vertices_[entry.place];
    if (entry.number != number) {
      vertex = processor_.Process(FetchVertex(draw_, number, instance_));
      entry.number = number;
      if (work_ != nullptr) work_->Spend(vertex.steps);
    }
    return vertex;
  }

 private:
  static constexpr uint32_t kNowhere = ~uint32_t{0};
  struct Entry {
    std::optional<int64_t> number;
    uint32_t place = kNowhere;  // in vertices_; most draws fill few entries
  };
  const device::Draw& draw_;
  const VertexProcessor& processor_;
  WorkBudget* work_;
  uint32_t instance_ = 0;
  std::array<Entry, 1024> entries_;
  std::vector<Vertex> vertices_;
};

// The copy of a texture coordinate that is nearest to that of the first vertex. Source: lib/raster/rendering-texture.md 3.2.
void WrapTo(const Float4& first, uint32_t bits, Float4& coordinates) {
  for (size_t i = 0; i < 4; ++i) {
    if ((bits >> i & 1U) == 0) continue;
    const float difference = coordinates[i] - first[i];
    if (difference > 0.5F) {
      coordinates[i] = coordinates[i] - 1.0F;
    } else if (difference < -0.5F) {
      coordinates[i] = coordinates[i] + 1.0F;
    }
  }
}

class Pipeline {
 public:
  Pipeline(const device::Context& context, const device::Draw& draw,
           const VertexProcessor& processor, PrimitiveSink& sink, WorkBudget* work, Probe* probe)
      : draw_(draw),
        processor_(processor),
        outputs_(processor.outputs()),
        cache_(draw, processor, work),
        viewport_(ViewportMappingOf(context)),
        is_flat_(context.state.value(d3d::RenderState::ShadeMode) ==
                 d3d::Value(d3d::ShadeMode::Flat)),
        sink_(sink),
        work_(work),
        probe_(probe) {}

  void Run() {
    for (uint32_t instance = 0; instance < draw_.instance_count; ++instance) {
      cache_.Start(instance);
      is_pattern_started_ = false;
      for (uint32_t i = 0; i < draw_.primitive_count; ++i) {
        if (work_ != nullptr && !work_->Spend(1)) return;
        const uint64_t number = uint64_t{instance} * draw_.primitive_count + i;
        if (probe_ != nullptr && !probe_->StartPrimitive(instance, number)) continue;
        Primitive(i);
        if (probe_ != nullptr) Report(device::Assemble(draw_, i), instance);
      }
    }
  }

 private:
  void Report(const device::Assembled& primitive, uint32_t instance) {
    if (!probe_->is_coverage_only()) return KeepVertices(primitive, instance);
    if (outputs_.is_transformed) return;
    uint32_t planes = PlanesOfCorners();
    for (uint32_t i = 0; i < CornerCount(); ++i)
      planes &= PlanesInFrontOf(cache_.At(primitive.k[i]));
    probe_->AddPlanes(planes);
  }

  // Points have an extent of their own beside those planes that clip their centres.
  uint32_t PlanesOfCorners() const {
    constexpr uint32_t kAll = (1U << kVolumePlanes) - 1;
    constexpr uint32_t kSides = (1U << static_cast<uint32_t>(VolumePlane::kNear)) - 1;
    return draw_.type == PrimitiveType::PointList ? kAll & ~kSides : kAll;
  }

  // Of the fragments that the primitive has at the watched pixel.
  void KeepVertices(const device::Assembled& primitive, uint32_t instance) {
    for (ProbedFragment& fragment : probe_->current()) {
      for (uint32_t i = 0; i < CornerCount() && fragment.shading.Spend(); ++i)
        fragment.vertices.push_back(ProbedVertexAt(primitive.k[i], instance, fragment.shading));
    }
  }

  uint32_t CornerCount() const {
    if (draw_.type == PrimitiveType::PointList) return 1;
    return draw_.type == PrimitiveType::LineList || draw_.type == PrimitiveType::LineStrip ? 2 : 3;
  }

  ProbedVertex ProbedVertexAt(uint64_t k, uint32_t instance, const ProbedShading& shading) const {
    ProbedVertex vertex;
    vertex.number = draw_.base_vertex + int64_t{device::IndexAt(draw_, k)};
    vertex.input = FetchVertex(draw_, vertex.number, instance);
    ProbedShading steps = {.lane = 0, .wants_steps = shading.wants_steps, .budget = shading.budget};
    vertex.processed = processor_.ProcessProbed(vertex.input, steps);
    vertex.steps = std::move(steps.steps);
    vertex.screen = ToScreen(vertex.processed);
    return vertex;
  }

  void Primitive(uint32_t i) {
    const device::Assembled primitive = device::Assemble(draw_, i);
    switch (draw_.type) {
      case PrimitiveType::PointList:
        return Point(primitive);
      case PrimitiveType::LineList:
      case PrimitiveType::LineStrip:
        return Line(primitive, i);
      case PrimitiveType::TriangleList:
      case PrimitiveType::TriangleStrip:
      case PrimitiveType::TriangleFan:
        return Triangle(primitive);
    }
  }

  void Point(const device::Assembled& primitive) {
    const Vertex& vertex = cache_.At(primitive.k[0]);
    if (!(vertex.point_size > 0)) return;
    if (!outputs_.is_transformed && !IsInVolume(vertex)) return;
    const ScreenVertex point = ToScreen(vertex);
    if (IsInGuardBand(point)) sink_.Point(point);
  }

  void Line(const device::Assembled& primitive, uint32_t i) {
    Vertex a = cache_.At(primitive.k[0]);
    Vertex b = cache_.At(primitive.k[1]);
    MatchToFirst(a, b);
    if (!outputs_.is_transformed && !ClipLineToVolume(a, b, outputs_.varying_mask)) return;
    ScreenVertex from = ToScreen(a);
    ScreenVertex to = ToScreen(b);
    if (!ClipLineToGuardBand(from, to, outputs_.varying_mask)) return;
    // The pattern of a strip goes on over its joints; only its last segment has an end.
    const bool is_list = draw_.type == PrimitiveType::LineList;
    sink_.Line(from, to, is_list || !is_pattern_started_,
               is_list || i + 1 == draw_.primitive_count);
    is_pattern_started_ = true;
  }

  void Triangle(const device::Assembled& primitive) {
    ClipPolygon<Vertex>& polygon = polygon_;
    polygon.count = 3;
    polygon.edges = primitive.edges & device::kAllEdges;
    for (size_t i = 0; i < 3; ++i)
      polygon.vertices[i] = cache_.At(primitive.k[i]);
    for (size_t i = 1; i < 3; ++i)
      MatchToFirst(polygon.vertices[0], polygon.vertices[i]);
    if (!outputs_.is_transformed) ClipToVolume(polygon, outputs_.varying_mask);
    screen_.count = polygon.count;
    screen_.edges = polygon.edges;
    for (uint32_t i = 0; i < polygon.count; ++i)
      screen_.vertices[i] = ToScreen(polygon.vertices[i]);
    ClipToGuardBand(screen_, outputs_.varying_mask);
    if (screen_.count >= 3) sink_.Polygon(screen_.vertices.data(), screen_.count, screen_.edges);
  }

  // Flat colours and wrapped coordinates of a later vertex.
  void MatchToFirst(const Vertex& first, Vertex& vertex) const {
    // Unspecified: vertex shaders 3.0 may put their colours elsewhere; chosen: their linker uses the named slots for COLOR0 and 1.
    if (is_flat_) {
      vertex.varyings[kDiffuseSlot] = first.varyings[kDiffuseSlot];
      vertex.varyings[kSpecularSlot] = first.varyings[kSpecularSlot];
    }
    for (uint32_t stage = 0; stage < d3d::kCombinerStageCount; ++stage) {
      if (outputs_.wrap[stage] == 0) continue;
      const uint32_t slot = kTexcoordSlot + stage;
      WrapTo(first.varyings[slot], outputs_.wrap[stage], vertex.varyings[slot]);
    }
  }

  ScreenVertex ToScreen(const Vertex& vertex) const {
    return outputs_.is_transformed ? ScreenVertexOf(vertex) : Map(viewport_, vertex);
  }

  const device::Draw& draw_;
  const VertexProcessor& processor_;
  const VertexOutputs& outputs_;
  VertexCache cache_;
  vertex::ViewportMapping viewport_;
  bool is_flat_;
  bool is_pattern_started_ = false;
  ClipPolygon<Vertex> polygon_;
  ClipPolygon<ScreenVertex> screen_;
  PrimitiveSink& sink_;
  WorkBudget* work_;
  Probe* probe_;
};

}  // namespace

void RunVertexPipeline(const device::Context& context, const device::Draw& draw,
                       const VertexProcessor& processor, PrimitiveSink& sink, WorkBudget* work,
                       Probe* probe) {
  Pipeline(context, draw, processor, sink, work, probe).Run();
}

}  // namespace dp2trace::raster
