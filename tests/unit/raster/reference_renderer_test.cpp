#include "raster/reference_renderer.h"

#include <doctest/doctest.h>

#include <bit>
#include <utility>
#include <vector>

#include "rules/rule.h"

using namespace dp2trace;          // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::raster;  // NOLINT(google-build-using-namespace): test file

namespace {

constexpr uint32_t kTargetHandle = 1;
constexpr uint32_t kDepth = 2;
constexpr uint32_t kXyzrhwDiffuse = 0x44;

// A device of one context that draws XYZRHW | DIFFUSE vertices into an 8x8 target.
class RendererScene {
 public:
  explicit RendererScene(const Options& options = {})
      : context_(9, false, Creation(), MakeSpace()), renderer_(options, findings_) {
    context_.state.render[d3d::Value(d3d::RenderState::Lighting)] = 0;
    renderer_.SetContext(context_);
  }

  device::Context& context() { return context_; }
  ReferenceRenderer& renderer() { return renderer_; }
  const DiagnosticList& findings() const { return findings_; }

  void DrawTriangle(uint32_t color, float z) {
    const std::vector<uint8_t> bytes = Vertices({{0, 0}, {5, 0}, {5, 5}}, color, z);
    const device::VertexLayout layout = device::LayoutOfFvf(kXyzrhwDiffuse, 9);
    renderer_.OnDraw(DrawOf(bytes, layout));
  }
  // A Bezier patch of degree 1 over the whole target.
  void DrawPatch(float segments) {
    const std::vector<uint8_t> bytes = Vertices({{0, 0}, {8, 0}, {0, 8}, {8, 8}}, 0xFF00FF00, 0.5F);
    const device::VertexLayout layout = device::LayoutOfFvf(kXyzrhwDiffuse, 9);
    device::PatchDraw patch;
    patch.info = {.width = 2, .height = 2, .stride = 2, .basis = 0, .degree = 1};
    patch.segments.fill(segments);
    patch.points = DrawOf(bytes, layout);
    renderer_.OnPatch(patch);
  }
  uint32_t Pixel(uint32_t x, uint32_t y) { return LoadU32(context_.Target(0).bits().block(x, y)); }

 private:
  static std::vector<uint8_t> Vertices(const std::vector<std::pair<float, float>>& points,
                                       uint32_t color, float z) {
    std::vector<uint8_t> bytes;
    for (const auto& [x, y] : points) {
      for (const uint32_t word :
           {std::bit_cast<uint32_t>(x), std::bit_cast<uint32_t>(y), std::bit_cast<uint32_t>(z),
            std::bit_cast<uint32_t>(1.0F), color}) {
        for (uint32_t i = 0; i < 4; ++i)
          bytes.push_back(static_cast<uint8_t>(word >> (8 * i)));
      }
    }
    return bytes;
  }
  static device::Draw DrawOf(const std::vector<uint8_t>& bytes,
                             const device::VertexLayout& layout) {
    device::Draw draw;
    draw.primitive_count = 1;
    draw.layout = &layout;
    draw.streams[0] = {.bytes = bytes, .stride = 20};
    draw.event = 7;
    return draw;
  }
  static trace::ContextCreate Creation() {
    trace::ContextCreate event;
    event.target = kTargetHandle;
    event.depth = kDepth;
    return event;
  }
  device::Space& MakeSpace() {
    trace::SurfaceCreate event;
    event.handle = kTargetHandle;
    event.format = d3d::Value(d3d::Format::X8R8G8B8);
    event.width = event.height = 8;
    CHECK(space_.Create(event, {}).ok());
    event.handle = kDepth;
    event.format = d3d::Value(d3d::Format::D16);
    CHECK(space_.Create(event, {}).ok());
    return space_;
  }

  device::Space space_;
  device::Context context_;
  DiagnosticList findings_;
  ReferenceRenderer renderer_;
};

}  // namespace

TEST_CASE("ReferenceRenderer: a clear and a triangle reach the surfaces of the context") {
  RendererScene scene;
  scene.renderer().OnClear({.flags = 3, .color = 0xFF0000FF, .depth = 1, .rects = {{0, 0, 8, 8}}});
  scene.DrawTriangle(0xFF00FF00, 0.5F);
  CHECK(scene.Pixel(4, 0) == 0x00FF00);
  CHECK(scene.Pixel(5, 0) == 0x0000FF);
  scene.DrawTriangle(0xFFFF0000, 0.75F);  // behind
  CHECK(scene.Pixel(4, 0) == 0x00FF00);
  CHECK(scene.findings().empty());
}

TEST_CASE("ReferenceRenderer: occlusion queries that are being built count the pixels that pass") {
  RendererScene scene;
  scene.renderer().OnClear({.flags = 3, .depth = 1, .rects = {{0, 0, 8, 8}}});
  const uint32_t occlusion = d3d::Value(d3d::QueryType::Occlusion);
  scene.context().queries[1] = {
      .type = occlusion, .state = device::QueryState::kBuilding, .result = 2};
  scene.context().queries[2] = {
      .type = occlusion, .state = device::QueryState::kIssued, .result = 2};
  scene.context().queries[3] = {.type = d3d::Value(d3d::QueryType::Event),
                                .state = device::QueryState::kBuilding};
  for (const uint32_t id : {1U, 2U, 3U})
    scene.context().NoteQuery(id);
  scene.DrawTriangle(0xFF00FF00, 0.5F);
  CHECK(scene.context().queries[1].result == 17);
  CHECK(scene.context().queries[2].result == 2);
  CHECK(scene.context().queries[3].result == 0);
}

TEST_CASE("ReferenceRenderer: a shader that cannot be executed draws nothing") {
  RendererScene scene;
  scene.renderer().OnClear({.flags = 3, .color = 0, .depth = 1, .rects = {{0, 0, 8, 8}}});
  scene.context().pixel_shaders[5].code = {1, 2, 3, 4};
  scene.context().state.pixel_shader = 5;
  scene.DrawTriangle(0xFF00FF00, 0.5F);
  CHECK(scene.Pixel(2, 1) == 0);
  scene.context().state.pixel_shader = 0;
  scene.DrawTriangle(0xFF00FF00, 0.5F);
  CHECK(scene.Pixel(2, 1) != 0);
}

TEST_CASE("ReferenceRenderer: without a target nothing is drawn") {
  RendererScene scene;
  scene.context().targets = {};
  scene.DrawTriangle(0xFF00FF00, 0.5F);
  scene.renderer().OnClear({.flags = 7, .rects = {{0, 0, 8, 8}}});
  CHECK(scene.findings().empty());
}

TEST_CASE("ReferenceRenderer: patches are drawn, more segments than the limit are reported") {
  RendererScene scene;
  scene.renderer().OnClear({.flags = 3, .depth = 1, .rects = {{0, 0, 8, 8}}});
  scene.DrawPatch(4);
  for (uint32_t i = 0; i < 64; ++i)
    CHECK(scene.Pixel(i % 8, i / 8) == 0x00FF00);
  CHECK(scene.findings().empty());
  scene.DrawPatch(129);
  REQUIRE(scene.findings().items().size() == 1);
  CHECK(scene.findings().items()[0].rule == Rule::kReplayPatch001);
}

TEST_CASE(
    "ReferenceRenderer: a draw ends where its work is over the limit, the next one has the whole limit again") {
  RendererScene scene({.max_draw_steps = 25});
  scene.renderer().OnClear({.flags = 3, .depth = 1, .rects = {{0, 0, 4, 4}}});
  CHECK(scene.findings().empty());
  scene.DrawTriangle(0xFF00FF00, 0.5F);
  REQUIRE(scene.findings().items().size() == 1);
  CHECK(scene.findings().items()[0].rule == Rule::kReplayDraw002);
  CHECK(scene.Pixel(2, 1) == 0x00FF00);
  CHECK(scene.Pixel(4, 4) == 0);
  scene.renderer().OnClear({.flags = 1, .rects = {{0, 0, 8, 8}, {0, 0, 8, 8}}});
  CHECK(scene.findings().items().size() == 2);
}

TEST_CASE(
    "ReferenceRenderer: with the limit that it needs a draw is whole, with one step less it is cut") {
  const auto is_cut = [](uint64_t steps) {
    RendererScene scene({.max_draw_steps = steps});
    scene.context().state.render[d3d::Value(d3d::RenderState::ZEnable)] = 0;
    scene.DrawTriangle(0xFF00FF00, 0.5F);
    const bool is_whole = scene.Pixel(4, 4) == 0x00FF00;
    CHECK(scene.findings().empty() == is_whole);
    return !is_whole;
  };
  uint64_t steps = 1;
  while (steps < 100 && is_cut(steps))
    ++steps;
  CHECK(steps > 3 + 1 + 5 * kQuadSteps);  // vertices, the primitive, quads
  CHECK(steps < 80);
}
