// What was made for a draw serves another one only where all is the same that the makers read.
#include "fast/draw_cache.h"

#include <doctest/doctest.h>

#include <functional>
#include <utility>
#include <vector>

#include "unit/raster/vertex/scene.h"

using namespace dp2trace;        // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::fast;  // NOLINT(google-build-using-namespace): test file

namespace {

using d3d::RenderState;
using d3d::TextureStageState;
using d3d::TransformState;

constexpr uint32_t kTarget = 1;
constexpr uint32_t kDepth = 2;
constexpr uint32_t kTexture = 3;

void CreateSurface(device::Space& space, uint32_t handle, d3d::Format format) {
  trace::SurfaceCreate create;
  create.handle = handle;
  create.format = d3d::Value(format);
  create.width = create.height = 16;
  REQUIRE(space.Create(create, {}).ok());
}

// A scene with a target, a depth buffer and a texture, and what was made for its draw.
struct Cached {
  raster::Scene scene = raster::Scene(0x142);
  DrawCache cache;

  Cached() {
    CreateSurface(scene.space, kTarget, d3d::Format::X8R8G8B8);
    CreateSurface(scene.space, kDepth, d3d::Format::D24S8);
    CreateSurface(scene.space, kTexture, d3d::Format::A8R8G8B8);
    scene.context.targets.colors[0] = kTarget;
    scene.context.targets.depth = kDepth;
    scene.SetStage(0, TextureStageState::TextureMap, kTexture);
    scene.Floats({0, 0, 0, 0, 0, 0});
    scene.Primitives(d3d::PrimitiveType::TriangleList, 1);
  }

  raster::BoundSurfaces surfaces() const { return raster::SurfacesOf(scene.context); }
  bool FindVertices() {
    cache.Start(scene.context, surfaces());
    return cache.FindVertices(scene.context, scene.draw, {}) != nullptr;
  }
  bool FindDraw(const raster::BoundSurfaces& targets = {}) {
    cache.Start(scene.context, surfaces());
    return cache.FindDraw(scene.context, scene.draw, {}, scene.Outputs(), targets) != nullptr;
  }
  void AddBoth() {
    if (!FindVertices()) cache.AddVertices(std::make_shared<VertexSide>());
    if (FindDraw()) return;
    raster::DrawPlan plan = {.outputs = {},
                             .viewport = raster::ViewportMappingOf(scene.context),
                             .raster = {},
                             .output = {},
                             .stages = nullptr,
                             .pixel_shader = nullptr,
                             .surfaces = surfaces()};
    cache.AddDraw(std::make_shared<const QueuedDraw>(std::move(plan)));
  }
};

using Change = std::function<void(raster::Scene&)>;

Change OfTransform(TransformState state) {
  return [state](raster::Scene& scene) { scene.Transform(state)[5] = -0.0F; };
}

}  // namespace

TEST_CASE("DrawCache: the same state finds what was made, also after others") {
  Cached cached;
  CHECK_FALSE(cached.FindVertices());
  CHECK_FALSE(cached.FindDraw());
  for (const uint32_t value : {0U, 1U, 0U, 1U}) {
    cached.scene.Set(RenderState::AlphaBlendEnable, value);
    cached.AddBoth();
    CHECK(cached.FindVertices());
    CHECK(cached.FindDraw());
  }
}

TEST_CASE("DrawCache: every render state and stage state tells draws apart") {
  Cached cached;
  cached.AddBoth();
  for (uint32_t& value : cached.scene.context.state.render) {
    const uint32_t before = std::exchange(value, value ^ 0x40U);
    CHECK_FALSE(cached.FindVertices());
    CHECK_FALSE(cached.FindDraw());
    value = before;
  }
  for (uint32_t stage = 0; stage < d3d::kCombinerStageCount; ++stage) {
    for (uint32_t& value : cached.scene.context.state.stages[stage]) {
      const uint32_t before = std::exchange(value, value ^ 0x40U);
      CHECK_FALSE(cached.FindVertices());
      CHECK_FALSE(cached.FindDraw());
      value = before;
      cached.AddBoth();
      CHECK(cached.FindVertices());
      CHECK(cached.FindDraw());
    }
  }
}

TEST_CASE("DrawCache: what the vertices of a draw depend on") {
  const Change changes[] = {
      OfTransform(TransformState::WorldMatrix0),
      OfTransform(TransformState::View),
      OfTransform(TransformState::Projection),
      [](raster::Scene& scene) { scene.Transform(TransformState::Texture0, 1)[0] = 2; },
      [](raster::Scene& scene) { scene.context.state.viewport->width = 320; },
      [](raster::Scene& scene) { scene.context.state.viewport.reset(); },
      [](raster::Scene& scene) { scene.context.state.max_z = 0.5F; },
      [](raster::Scene& scene) { scene.context.state.material.power = 3; },
      [](raster::Scene& scene) { scene.context.state.lights[0].is_enabled = true; },
      [](raster::Scene& scene) { scene.context.state.clip_planes[1][2] = -0.0F; },
      [](raster::Scene& scene) { scene.context.state.pixel_shader = 1; },
      [](raster::Scene& scene) { scene.layout.elements[0].offset = 4; },
      // Coordinates of point sprites.
      [](raster::Scene& scene) { scene.draw.type = d3d::PrimitiveType::PointList; },
      [](raster::Scene& scene) { scene.context.targets.colors[1] = kTexture; },
  };
  for (const Change& change : changes) {
    Cached cached;
    cached.scene.Set(RenderState::Lighting, 1);
    cached.scene.Set(RenderState::ClipPlaneEnable, 2);
    cached.scene.SetStage(1, TextureStageState::TextureTransformFlags, 2);
    cached.scene.Transform(TransformState::WorldMatrix0)[5] = 0.0F;
    cached.scene.Transform(TransformState::View)[5] = 0.0F;
    cached.scene.Transform(TransformState::Projection)[5] = 0.0F;
    cached.AddBoth();
    CHECK(cached.FindVertices());
    CAPTURE(&change - changes);
    change(cached.scene);
    CHECK_FALSE(cached.FindVertices());
  }
}

TEST_CASE("DrawCache: what blends matrices is not kept") {
  Cached cached;
  cached.scene.Set(RenderState::VertexBlend, 1);
  cached.AddBoth();
  CHECK_FALSE(cached.FindVertices());
}

TEST_CASE("DrawCache: what the pixels of a draw depend on") {
  const Change changes[] = {
      [](raster::Scene& scene) {
        scene.context.state.scissor = d3d::Rect{0, 0, 4, 4};
      },
      [](raster::Scene& scene) { scene.context.state.w_far = 100; },
      // EDGEANTIALIAS, bias of fog.
      [](raster::Scene& scene) { scene.draw.type = d3d::PrimitiveType::LineList; },
      [](raster::Scene& scene) { scene.context.targets.depth = 0; },
      [](raster::Scene& scene) { scene.space.Find(kTexture).resource->lod = 1; },
      [](raster::Scene& scene) {
        scene.space.Find(kTexture).resource->color_key = d3d::ColorKey{.low = 1, .high = 1};
      },
      // Its bytes may have changed.
      [](raster::Scene& scene) { (void)scene.space.Find(kTexture).bits(); },
      [](raster::Scene& scene) { scene.context.palette_bindings[kTexture] = {.palette = 1}; },
      // Another surface under the same handle.
      [](raster::Scene& scene) {
        scene.space.Destroy(kTexture);
        CreateSurface(scene.space, kTexture, d3d::Format::A8R8G8B8);
      },
      [](raster::Scene& scene) {
        scene.space.Destroy(kTarget);
        CreateSurface(scene.space, kTarget, d3d::Format::X8R8G8B8);
      },
  };
  for (const Change& change : changes) {
    Cached cached;
    cached.AddBoth();
    CHECK(cached.FindDraw());
    CAPTURE(&change - changes);
    change(cached.scene);
    CHECK_FALSE(cached.FindDraw());
  }
}

TEST_CASE("DrawCache: a texture that is about to be drawn is not found") {
  Cached cached;
  cached.AddBoth();
  raster::BoundSurfaces targets;
  targets.colors[0] = cached.scene.space.Find(kTexture);
  CHECK_FALSE(cached.FindDraw(targets));
  CHECK(cached.FindDraw());
}

TEST_CASE("DrawCache: draws that are not used for some rounds are forgotten") {
  Cached cached;
  cached.AddBoth();
  for (int round = 0; round < 3; ++round) {
    cached.cache.EndRound();
    CHECK(cached.FindDraw());
  }
  for (int round = 0; round < 6; ++round)
    cached.cache.EndRound();
  CHECK_FALSE(cached.FindDraw());
  cached.AddBoth();
  cached.cache.Clear();
  CHECK_FALSE(cached.FindVertices());
  CHECK_FALSE(cached.FindDraw());
}
