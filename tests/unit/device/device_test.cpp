#include "device/device.h"

#include <doctest/doctest.h>

#include "device_scene.h"

using namespace dp2trace;          // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::device;  // NOLINT(google-build-using-namespace): test file

TEST_CASE("Device: contexts are refused where their states would need too much memory") {
  Scene scene(9, 5, {.surfaces = {}, .max_context_bytes = 3 * sizeof(Context)});
  for (uint64_t id = 2; id <= 5; ++id)
    scene.Collect(id, scene.device.OnContextCreate({.context = id, .target = kTarget}));
  CHECK(scene.device.contexts().size() == 3);
  CHECK(scene.Ids() == Ids{"REPLAY-OBJECT-001", "REPLAY-OBJECT-001"});
  CHECK(scene.findings.items()[0].path == "context");
  scene.Collect(6, scene.device.OnContextDestroy({.context = 2}));
  scene.Collect(7, scene.device.OnContextCreate({.context = 9, .target = kTarget}));
  CHECK(scene.device.FindContext(0, 9) != nullptr);
}

TEST_CASE("Space: what all spaces that share a sum take, and what is given back") {
  uint64_t total = 0;
  Space first(total);
  Space second(total);
  const trace::SurfaceCreate create = {.handle = 5,
                                       .format = kA8R8G8B8,
                                       .width = 8,
                                       .height = 8,
                                       .levels = 2,
                                       .flip_chain = {},
                                       .sub_surfaces = {{.handle = 6, .face = 0, .level = 1}}};
  CHECK(first.Create(create, {}).ok());
  CHECK(second.Create(create, {}).ok());
  CHECK(total == first.size_bytes() + second.size_bytes());
  CHECK(total > 0);
  CHECK(first.Create(create, {}).ok());  // announced again
  CHECK(first.Find(6).level == 1);
  CHECK(first.Destroy(5));
  CHECK_FALSE(first.Find(6));
  CHECK(first.Destroy(6));  // it went with its root; its own destruction may follow, once
  CHECK_FALSE(first.Destroy(6));
  CHECK_FALSE(first.Destroy(5));
  CHECK(total == second.size_bytes());
  // A handle of a level that becomes that of another surface.
  CHECK(second
            .Create({.handle = 7,
                     .format = kA8R8G8B8,
                     .width = 8,
                     .height = 8,
                     .levels = 2,
                     .flip_chain = {},
                     .sub_surfaces = {{.handle = 6, .face = 0, .level = 1}}},
                    {})
            .ok());
  CHECK(second.Destroy(5));
  CHECK(second.Find(6).resource->handle == 7);
}

TEST_CASE(
    "Space: sub-surface handles name face and level, back buffers are surfaces of their own") {
  Scene scene;
  scene.Create({.handle = 5,
                .caps = kCapsTexture,
                .format = kA8R8G8B8,
                .width = 8,
                .height = 8,
                .levels = 3,
                .faces = 0x3F,
                .flip_chain = {},
                .sub_surfaces = {{.handle = 6, .face = 0, .level = 1},
                                 {.handle = 7, .face = 4, .level = 2}}});
  scene.Create({.handle = 8,
                .kind = d3d::SurfaceKind::kTarget,
                .format = kR5G6B5,
                .width = 4,
                .height = 4,
                .flip_chain = {9, 10}});
  const Space& space = scene.device.space(0);
  CHECK(space.Find(5).resource->is_cube());
  CHECK(space.Find(6) == SurfaceRef{space.Find(5).resource, 0, 1});
  CHECK(space.Find(7) == SurfaceRef{space.Find(5).resource, 4, 2});
  CHECK(space.Find(9).resource != space.Find(8).resource);
  CHECK(space.Find(10).surface().description() == space.Find(8).surface().description());
  CHECK_FALSE(space.Find(11));
  CHECK_FALSE(space.Find(0));
  CHECK(scene.findings.empty());
}

TEST_CASE("Space: the root of a cube map is its first face that exists") {
  Scene scene;
  scene.Create({.handle = 5, .format = kA8R8G8B8, .width = 4, .height = 4, .faces = 0x0C});
  CHECK(scene.device.space(0).Find(5).face == 2);
}

TEST_CASE("Space: 0 levels are refused, a DDPIXELFORMAT gives the format, a buffer needs none") {
  Scene scene;
  scene.Create({.handle = 5, .format = kA8R8G8B8, .width = 16, .height = 4, .levels = 0});
  scene.Create({.handle = 6,
                .pixel_format = d3d::PixelFormat{.flags = 0x40,
                                                 .bit_count = 16,
                                                 .red_mask = 0xF800,
                                                 .green_mask = 0x07E0,
                                                 .blue_mask = 0x001F},
                .width = 2,
                .height = 2});
  scene.Create({.handle = 7, .kind = d3d::SurfaceKind::kIndexBuffer, .width = 12});
  CHECK_FALSE(scene.device.space(0).Find(5));
  CHECK(scene.device.space(0).Find(6).surface().info().format == d3d::Format::R5G6B5);
  CHECK(scene.device.space(0).Find(7).surface().size_bytes() == 12);
  CHECK(scene.Ids() == Ids{"DP2-SURF-020"});
}

TEST_CASE("Space: repeating a create keeps the contents, another size replaces with a finding") {
  Scene scene;
  scene.Texture(5, kA8R8G8B8, 1);
  scene.Update(5, {1, 2, 3, 4});
  scene.Texture(5, kA8R8G8B8, 1);
  CHECK(scene.Read(5) == std::vector<uint8_t>{1, 2, 3, 4});
  CHECK(scene.findings.empty());
  scene.Texture(5, kR5G6B5, 1);
  CHECK(scene.Read(5) == std::vector<uint8_t>{0, 0});
  CHECK(scene.Ids() == Ids{"DP2-SURF-004"});
}

TEST_CASE("Space: impossible surfaces are refused, all of an event or nothing") {
  Scene scene;
  scene.Create({.handle = 0, .format = kA8R8G8B8, .width = 1});
  scene.Create({.handle = 5, .format = 999, .width = 1});
  scene.Create({.handle = 5, .format = kA8R8G8B8, .width = 0});
  CHECK(scene.Ids() == Ids{"DP2-SURF-001", "DP2-SURF-014", "REPLAY-SURFACE-001"});
  Scene small(9, 5, {.surfaces = {}, .max_surface_bytes = 16384});
  small.Create(
      {.handle = 5, .format = kA8R8G8B8, .width = 32, .height = 32, .flip_chain = {6, 7, 8, 9}});
  CHECK(small.Ids() == Ids{"REPLAY-SURFACE-001"});
  CHECK_FALSE(small.device.space(0).Find(5));
}

TEST_CASE("Device: destroying forgets the handles, the space remembers that they lived") {
  Scene scene;
  scene.Create({.handle = 5,
                .format = kA8R8G8B8,
                .width = 4,
                .height = 4,
                .levels = 2,
                .flip_chain = {},
                .sub_surfaces = {{.handle = 6, .face = 0, .level = 1}}});
  const uint64_t before = scene.device.space(0).size_bytes();
  scene.Collect(3, scene.device.OnSurfaceDestroy({.handle = 5}));
  CHECK(scene.device.space(0).size_bytes() < before);
  CHECK_FALSE(scene.device.space(0).Find(6));
  CHECK(scene.device.space(0).history().Find(6) == Absence::kDestroyed);
  scene.Collect(4, scene.device.OnSurfaceDestroy({.handle = 5}));
  scene.Update(5, {1});
  scene.Update(77, {1});
  CHECK(scene.Ids() == Ids{"DP2-SURF-006", "DP2-SURF-003", "DP2-SURF-002"});
}

TEST_CASE("Device: a level that is destroyed twice is named with its surface, which may live") {
  Scene scene;
  scene.Create({.handle = 5,
                .format = kA8R8G8B8,
                .width = 4,
                .height = 4,
                .levels = 2,
                .flip_chain = {},
                .sub_surfaces = {{.handle = 6, .face = 0, .level = 1}}});
  scene.Collect(3, scene.device.OnSurfaceDestroy({.handle = 6}));
  CHECK(scene.Ids() == Ids{});
  const device::Defects defects = scene.device.OnSurfaceDestroy({.handle = 6});
  REQUIRE(defects.size() == 1);
  CHECK(defects[0].message == "surface 6 was destroyed, level 1 of surface 5");
}

TEST_CASE("Device: updates by rectangle, level and range") {
  Scene scene;
  scene.Create({.handle = 5,
                .format = kR5G6B5,
                .width = 2,
                .height = 2,
                .levels = 2,
                .flip_chain = {},
                .sub_surfaces = {{.handle = 6, .face = 0, .level = 1}}});
  const std::vector<uint8_t> pixel = {0xAA, 0xBB};
  trace::SurfaceUpdate update;
  update.handle = 5;
  update.rect = d3d::Rect{1, 1, 2, 2};
  update.data = pixel;
  scene.Collect(3, scene.device.OnSurfaceUpdate(update));
  CHECK(scene.Read(5) == std::vector<uint8_t>{0, 0, 0, 0, 0, 0, 0xAA, 0xBB});
  scene.Update(6, pixel);
  CHECK(scene.Read(5, 1) == pixel);
  scene.Buffer(7, {1, 2, 3, 4});
  update = {};
  update.handle = 7;
  update.range = d3d::Range{1, 2};
  update.data = pixel;
  scene.Collect(3, scene.device.OnSurfaceUpdate(update));
  CHECK(scene.Read(7) == std::vector<uint8_t>{1, 0xAA, 0xBB, 4});
  update.rect = d3d::Rect{-1, 0, 1, 1};
  update.range.reset();
  update.handle = 5;
  scene.Collect(3, scene.device.OnSurfaceUpdate(update));
  update.level = 9;
  scene.Collect(3, scene.device.OnSurfaceUpdate(update));
  CHECK(scene.Ids() == Ids{"REPLAY-SURFACE-002", "REPLAY-SURFACE-002"});
}

TEST_CASE("Device: contexts") {
  Scene scene;
  CHECK(scene.context().Target(0).resource->handle == kTarget);
  CHECK(scene.context().Depth().resource->handle == kDepthSurface);
  CHECK_FALSE(scene.context().Target(1));
  CHECK_FALSE(scene.context().Target(99));
  scene.Collect(3, scene.device.OnContextCreate({.context = 0, .target = kTarget}));
  scene.Collect(3, scene.device.OnContextCreate(
                       {.context = 2, .target = 44, .depth = kTarget, .runtime_version = 9}));
  CHECK(scene.device.FindContext(0, 2)->targets == Targets{});
  CHECK(scene.device.FindContext(0, 2)->runtime_version == 5);
  scene.Collect(4, scene.device.OnContextDestroy({.context = 2}));
  scene.Collect(4, scene.device.OnContextDestroy({.context = 2}));
  CHECK(scene.device.FindContext(0, 2) == nullptr);
  CHECK(scene.Ids() ==
        Ids{"DP2-CTX-002", "DP2-LEVEL-007", "DP2-CTX-001", "DP2-CTX-005", "DP2-CTX-003"});
  scene.Collect(
      3, scene.device.OnContextCreate({.context = 3, .target = kTarget, .ddrval = 0x80004005}));
  CHECK(scene.device.FindContext(0, 3) == nullptr);
}

TEST_CASE("Device: a call takes its vertices inline or from a buffer") {
  Scene scene;
  scene.Buffer(5, std::vector<uint8_t>(64, 7));
  trace::Dp2 dp2;
  dp2.vertex_size = 16;
  dp2.vertex_offset = 24;
  dp2.vertex_buffer = 5;
  dp2.command_offset = 12;
  Call call = scene.device.MakeCall(9, scene.context(), dp2);
  CHECK(call.vertices.size() == 40);
  CHECK(call.vertex_count == 2);
  CHECK(call.environment.command_offset == 12);
  const std::vector<uint8_t> bytes(48);
  dp2.vertices = bytes;
  dp2.vertex_buffer = 0;
  dp2.vertex_length = 3;
  call = scene.device.MakeCall(9, scene.context(), dp2);
  CHECK(call.vertices.data() == bytes.data());
  CHECK(call.vertex_count == 3);
}
