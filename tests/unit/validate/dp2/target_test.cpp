// What traces cannot show well: combinations that come and go between draws, and surfaces that leave their bindings.
// Expected values: lib/opcode/dp2.md 12.3, 14.1, 16.1 and 25.
#include <doctest/doctest.h>

#include <algorithm>

#include "../helpers.h"
#include "rules/rule.h"

using namespace dp2trace;            // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::validate;  // NOLINT(google-build-using-namespace): test file

namespace {

constexpr uint32_t kX8R8G8B8 = 22, kD24S8 = 75;

// A context with target 1 and depth surface 2 of this height, and calls into it.
class Scene {
 public:
  explicit Scene(uint32_t depth_height) : runner_({}, findings_, observer_) {
    Add(trace::Header{});
    Add(Surface(1, d3d::SurfaceKind::kTarget, kX8R8G8B8, 64));
    Add(Surface(2, d3d::SurfaceKind::kDepth, kD24S8, depth_height));
    trace::ContextCreate context;
    context.context = 1;
    context.target = 1;
    context.depth = 2;
    Add(context);
  }

  static trace::SurfaceCreate Surface(uint32_t handle, d3d::SurfaceKind kind, uint32_t format,
                                      uint32_t height) {
    trace::SurfaceCreate create;
    create.handle = handle;
    create.kind = kind;
    create.format = format;
    create.width = 64;
    create.height = height;
    return create;
  }

  void Add(const trace::Event& event) { (void)runner_.OnEvent(number_++, event); }
  // A call with these commands and the vertices of one triangle.
  void Call(std::string_view commands) {
    const std::vector<uint8_t> bytes = Hex(commands);
    const std::vector<uint8_t> vertices(3 * 20);
    trace::Dp2 call;
    call.context = 1;
    call.flags = 1;
    call.vertex_type = 0x44;
    call.vertex_size = 20;
    call.commands = bytes;
    call.vertices = vertices;
    Add(call);
  }
  size_t Count(Rule rule) const {
    return static_cast<size_t>(std::ranges::count(findings_.items(), rule, &Diagnostic::rule));
  }

 private:
  DiagnosticList findings_;
  play::Observer observer_;
  play::Runner runner_;
  uint64_t number_ = 0;
};

constexpr std::string_view kTriangle = "12 00 01 00 00 00";
constexpr std::string_view kDepthOff = "08 00 01 00 07000000 00000000";
constexpr std::string_view kDepthOn = "08 00 01 00 07000000 01000000";

}  // namespace

TEST_CASE(
    "DP2-RT-005: a combination is reported once, and again where a draw without it lay between") {
  Scene scene(63);
  scene.Call(kTriangle);
  scene.Call(kTriangle);
  CHECK(scene.Count(Rule::kDp2Rt005) == 1);
  scene.Call(kDepthOff);
  scene.Call(kTriangle);
  CHECK(scene.Count(Rule::kDp2Rt005) == 1);
  scene.Call(kDepthOn);
  scene.Call(kTriangle);
  CHECK(scene.Count(Rule::kDp2Rt005) == 2);
}

TEST_CASE("DP2-RT-005: setting only the depth surface reports nothing") {
  Scene scene(64);
  scene.Add(Scene::Surface(3, d3d::SurfaceKind::kDepth, kD24S8, 32));
  scene.Call("56 00 01 00 03000000");
  CHECK(scene.Count(Rule::kDp2Rt005) == 0);
  scene.Call("56 00 01 00 02000000");
  scene.Call(kTriangle);
  CHECK(scene.Count(Rule::kDp2Rt005) == 0);
}

TEST_CASE("DP2-SURF-003: a draw into a surface that was destroyed while it was bound") {
  Scene scene(64);
  trace::SurfaceDestroy destroy;
  destroy.handle = 1;
  scene.Add(destroy);
  CHECK(scene.Count(Rule::kDp2Surf007) == 1);
  CHECK(scene.Count(Rule::kDp2Surf003) == 0);
  scene.Call(kTriangle);
  CHECK(scene.Count(Rule::kDp2Surf003) == 1);
  CHECK(scene.Count(Rule::kDp2Rt010) == 0);
}

TEST_CASE("DP2-SURF-021: a cube whose face bits name none of the six has no faces") {
  Scene scene(64);
  trace::SurfaceCreate cube = Scene::Surface(3, d3d::SurfaceKind::kTexture, 21, 64);
  cube.caps2 = 0x600;  // CUBEMAP, CUBEMAP_POSITIVEX
  cube.faces = 0x40;
  trace::SubSurface face;
  face.handle = 4;
  face.face = 1;
  cube.sub_surfaces = {face};
  scene.Add(cube);
  CHECK(scene.Count(Rule::kDp2Surf021) == 1);
}

TEST_CASE("Clear: a rectangle may reach as far as the largest target") {
  constexpr std::string_view kClear =
      "2a000100 01000000 00000000 0000803f 00000000 00000000 00000000 40000000 60000000";
  Scene scene(64);
  scene.Add(Scene::Surface(3, d3d::SurfaceKind::kTarget, kX8R8G8B8, 96));
  scene.Call(kClear);
  CHECK(scene.Count(Rule::kDp2Clear011) == 1);
  scene.Call("55000100 01000000 03000000");  // SETRENDERTARGET2 1
  scene.Call(kClear);
  CHECK(scene.Count(Rule::kDp2Clear011) == 1);
}
