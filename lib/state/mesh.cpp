#include "state/mesh.h"

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <utility>

#include "base/work_budget.h"
#include "raster/draw_plan.h"
#include "raster/patch/patch.h"
#include "raster/shader/shader.h"
#include "raster/vertex/processor.h"
#include "raster/vertex/viewport.h"

namespace dp2trace::state {
namespace {

using raster::Float4;

// Null where the shader of the draw cannot be executed.
std::unique_ptr<raster::VertexProcessor> ProcessorOf(const device::Context& context,
                                                     const device::Draw& draw,
                                                     const raster::ShaderPair& shaders) {
  if (shaders.vertex == nullptr) return raster::MakeFixedFunctionProcessor(context, draw);
  if (!shaders.vertex->is_executable) return nullptr;
  const bool has_pixel = shaders.pixel != nullptr && shaders.pixel->is_executable;
  return raster::MakeVertexShaderProcessor(context, draw, *shaders.vertex,
                                           has_pixel ? shaders.pixel.get() : nullptr);
}

class MeshMaker {
 public:
  MeshMaker(const device::Context& context, const device::Draw& draw, const MeshLimits& limits,
            Mesh& mesh)
      : draw_(draw),
        limits_(limits),
        work_(limits.steps),
        mesh_(mesh),
        shaders_(raster::ShadersOf(context, draw)),
        processor_(ProcessorOf(context, draw, shaders_)),
        viewport_(raster::ViewportMappingOf(context)) {
    if (limits.steps == 0) (void)work_.Spend(1);  // not a single vertex
  }

  void Run() {
    const uint32_t corners = CornerCount(draw_.type);
    for (uint32_t instance = 0; instance < draw_.instance_count; ++instance) {
      places_.clear();
      for (uint32_t i = 0; i < draw_.primitive_count; ++i) {
        mesh_.is_cut = mesh_.primitives.size() >= limits_.primitives;
        if (mesh_.is_cut) return Finish();
        const device::Assembled assembled = device::Assemble(draw_, i);
        MeshPrimitive primitive;
        for (uint32_t corner = 0; corner < corners; ++corner)
          primitive.corners[corner] = PlaceOf(assembled.k[corner], instance);
        mesh_.primitives.push_back(primitive);
      }
    }
    Finish();
  }

 private:
  uint32_t PlaceOf(uint64_t k, uint32_t instance) {
    const int64_t number = draw_.base_vertex + int64_t{device::IndexAt(draw_, k)};
    const auto [place, is_new] =
        places_.try_emplace(number, static_cast<uint32_t>(mesh_.vertices.size()));
    if (is_new) Add(number, instance);
    return place->second;
  }

  void Finish() {
    mesh_.is_cut = mesh_.is_cut || work_.is_spent();
    Sort();
  }

  // From the order of their first use.
  void Sort() {
    std::vector<uint32_t> order(mesh_.vertices.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::sort(order, {}, [this](uint32_t i) {
      return std::pair(mesh_.vertices[i].instance, mesh_.vertices[i].number);
    });
    std::vector<uint32_t> places(order.size());
    std::vector<MeshVertex> vertices;
    std::vector<Float4> values;
    const size_t elements = mesh_.layout.elements.size();
    for (uint32_t place = 0; place < order.size(); ++place) {
      const uint32_t old = order[place];
      places[old] = place;
      vertices.push_back(mesh_.vertices[old]);
      for (size_t e = 0; e < elements; ++e)
        values.push_back(mesh_.value(old, e));
    }
    for (MeshPrimitive& primitive : mesh_.primitives) {
      for (uint32_t corner = 0; corner < CornerCount(draw_.type); ++corner)
        primitive.corners[corner] = places[primitive.corners[corner]];
    }
    mesh_.vertices = std::move(vertices);
    mesh_.values = std::move(values);
  }

  void Add(int64_t number, uint32_t instance) {
    const raster::VertexInput input = raster::FetchVertex(draw_, number, instance);
    mesh_.values.insert(
        mesh_.values.end(), input.values.begin(),
        input.values.begin() + static_cast<std::ptrdiff_t>(mesh_.layout.elements.size()));
    MeshVertex vertex;
    vertex.number = number;
    vertex.instance = instance;
    if (processor_ != nullptr && !work_.is_spent()) {
      const raster::Vertex processed = processor_->Process(input);
      work_.Spend(processed.steps);
      mesh_.steps += processed.steps;
      Place(processed, vertex);
    }
    mesh_.vertices.push_back(vertex);
  }

  void Place(const raster::Vertex& processed, MeshVertex& vertex) const {
    const bool is_transformed = processor_->outputs().is_transformed;
    if (!is_transformed) vertex.clip = processed.position;
    if (!is_transformed && !(processed.position[3] > 0)) return;
    const raster::ScreenVertex screen =
        is_transformed ? raster::ScreenVertexOf(processed) : raster::Map(viewport_, processed);
    vertex.screen = Float4{screen.x, screen.y, screen.z, screen.rhw};
  }

  const device::Draw& draw_;
  MeshLimits limits_;
  WorkBudget work_;
  Mesh& mesh_;
  raster::ShaderPair shaders_;
  std::unique_ptr<raster::VertexProcessor> processor_;
  vertex::ViewportMapping viewport_;
  std::map<int64_t, uint32_t> places_;  // of this instance, by number
};

}  // namespace

uint32_t CornerCount(d3d::PrimitiveType type) {
  return static_cast<uint32_t>(device::VertexCount(type, 1));
}

Mesh MakeMesh(const device::Context& context, const device::Draw& draw, uint64_t number,
              const MeshLimits& limits) {
  Mesh mesh;
  mesh.draw = number;
  mesh.record = draw.record;
  mesh.type = draw.type;
  mesh.primitive_count = draw.primitive_count;
  mesh.instance_count = draw.instance_count;
  mesh.index_size = draw.indices.size;
  mesh.base_vertex = draw.base_vertex;
  if (draw.layout == nullptr) return mesh;
  mesh.layout = *draw.layout;
  MeshMaker(context, draw, limits, mesh).Run();
  return mesh;
}

Mesh MakeMesh(const device::Context& context, const device::PatchDraw& patch, uint32_t max_segments,
              uint64_t number, const MeshLimits& limits) {
  Mesh mesh;
  mesh.draw = number;
  bool limit_hit = false;
  if (patch.points.layout != nullptr) {
    const raster::Tessellated triangles =
        raster::TessellatePatch(context, patch, max_segments, limit_hit);
    if (!triangles.indices.empty())
      mesh = MakeMesh(context, triangles.ToDraw(patch.points), number, limits);
  }
  mesh.is_patch = true;
  mesh.is_cut = mesh.is_cut || limit_hit;
  mesh.record = patch.points.record;
  return mesh;
}

}  // namespace dp2trace::state
