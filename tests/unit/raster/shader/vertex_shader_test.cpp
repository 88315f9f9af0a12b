// Inputs and outputs of vertex shaders and their link to the pixel side. Source: lib/raster/rendering-geometry.md 2.1 and 2.7; lib/raster/rendering-shaders.md 8.9.
#include <doctest/doctest.h>

#include "raster/shader/shader.h"
#include "shader_scene.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::raster;   // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file
using d3d::DeclUsage;

TEST_CASE("Vertex shader: inputs are found by usage and index") {
  ShaderScene scene;
  scene.AddElement(DeclUsage::Texcoord, 2, {1, 2, 3, 4});
  scene.AddElement(DeclUsage::Position, 0, {5, 6, 7, 8});
  CHECK(scene.Process("vs_2_0; dcl_position v3; dcl_texcoord2 v1; mov oPos, v3; mov oT0, v1")
            .position == Float4{5, 6, 7, 8});
  CHECK(scene.Coordinate("vs_2_0; dcl_position v3; dcl_texcoord2 v1; mov oPos, v3; mov oT0, v1") ==
        Float4{1, 2, 3, 4});
}

TEST_CASE("Vertex shader: level 8 declarations name registers") {
  ShaderScene scene;
  scene.AddElement(DeclUsage::Texcoord, 0, {1, 2, 3, 4}, 7);
  scene.AddElement(DeclUsage::Color, 0, {0.5F, 0, 0, 1}, 5);
  CHECK(scene.Coordinate("vs_1_1; mov oT0, v7") == Float4{1, 2, 3, 4});
  CHECK(scene.Coordinate("vs_1_1; mov oT0, v5") == Float4{0.5F, 0, 0, 1});
}

TEST_CASE("Vertex shader: without any declaration the registers of DirectX 8 hold") {
  ShaderScene scene;
  scene.AddElement(DeclUsage::Color, 1, {1, 2, 3, 4});
  CHECK(scene.Coordinate("vs_1_1; mov oT0, v6") == Float4{1, 2, 3, 4});
}

TEST_CASE("Vertex shader: a missing input is (0, 0, 0, 1), colours too (fact V30)") {
  ShaderScene scene;
  scene.AddElement(DeclUsage::Position, 0, {1, 1, 1, 1});
  CHECK(scene.Coordinate("vs_2_0; dcl_position v0; dcl_color v1; mov oPos, v0; mov oT0, v1") ==
        Float4{0, 0, 0, 1});
}

TEST_CASE("Vertex shader: outputs below 3.0 have fixed slots") {
  ShaderScene scene;
  scene.SetReal(0, {0.25F, 0.5F, 0.75F, 1});
  const Vertex vertex = scene.Process(
      "vs_1_1; mov oPos, c0; mov oD0, c0; mov oD1, c0.x; mov oT3, c0.y; mov oFog, c0.z; mov oPts, c0.w");
  CHECK(vertex.position == Float4{0.25F, 0.5F, 0.75F, 1});
  CHECK(vertex.varyings[kDiffuseSlot] == Float4{0.25F, 0.5F, 0.75F, 1});
  CHECK(vertex.varyings[kSpecularSlot] == Float4{0.25F, 0.25F, 0.25F, 0.25F});
  CHECK(vertex.varyings[kTexcoordSlot + 3] == Float4{0.5F, 0.5F, 0.5F, 0.5F});
  CHECK(vertex.fog == 0.75F);
  CHECK(vertex.point_size == 1);
  CHECK(scene.vertex_outputs().varying_mask == (1 | 2 | 1 << (kTexcoordSlot + 3)));
  CHECK(scene.vertex_outputs().has_point_size);
}

TEST_CASE("Vertex shader: components that are not written (fact V24)") {
  ShaderScene scene;
  scene.SetReal(0, {0.5F, 0.5F, 0.5F, 0.5F});
  const Vertex vertex =
      scene.Process("vs_1_1; mov oPos, c0; mov oD0.x, c0; mov oD1.x, c0; mov oT0.x, c0");
  CHECK(vertex.varyings[kDiffuseSlot] == Float4{0.5F, 1, 1, 1});
  CHECK(vertex.varyings[kSpecularSlot] == Float4{0.5F, 0, 0, 0});
  CHECK(vertex.varyings[kTexcoordSlot] == Float4{0.5F, 0, 0, 0});
}

TEST_CASE(
    "Vertex shader: unwritten outputs are no varyings, fog is complete, the point size is that of the state") {
  ShaderScene scene;
  scene.Set(d3d::RenderState::PointSize, 0x40A00000);     // 5
  scene.Set(d3d::RenderState::PointSizeMax, 0x42800000);  // 64
  scene.SetReal(0, {1, 1, 1, 1});
  const Vertex vertex = scene.Process("vs_1_1; mov oPos, c0");
  CHECK(scene.vertex_outputs().varying_mask == 0);
  CHECK(vertex.fog == 0);
  CHECK(scene.Process("vs_1_1; mov oPos, c0; mov oD1, c0").fog == 1);  // fact F33
  CHECK(vertex.point_size == 5);
  CHECK_FALSE(scene.vertex_outputs().has_point_size);
}

TEST_CASE("Vertex shader: without a position nothing is in the clip volume") {
  ShaderScene scene;
  CHECK(scene.Process("vs_1_1; mov oD0, c0").position == Float4{0, 0, 0, 0});
}

TEST_CASE("Vertex shader: colours are clamped except for pixel shaders 3.0") {
  ShaderScene scene;
  scene.SetReal(0, {2, -1, 0.5F, 1});
  const std::string_view text = "vs_3_0; dcl_position o0; dcl_color o1; mov o0, c0; mov o1, c0";
  CHECK(scene.Process(text).varyings[kDiffuseSlot] == Float4{1, 0, 0.5F, 1});
  CHECK(scene.vertex_outputs().clamps_colors);
  CHECK(scene.Process(text, "ps_2_0; dcl v0; mov oC0, v0").varyings[kDiffuseSlot] ==
        Float4{1, 0, 0.5F, 1});
  CHECK(scene.Process(text, "ps_3_0; dcl_color v0; mov oC0, v0").varyings[kDiffuseSlot] ==
        Float4{2, -1, 0.5F, 1});
  CHECK_FALSE(scene.vertex_outputs().clamps_colors);
}

TEST_CASE("Vertex shader: outputs of 3.0 reach the inputs of ps_3_0 with the same usage") {
  ShaderScene scene;
  scene.SetReal(0, {1, 2, 3, 4});
  scene.SetReal(1, {5, 6, 7, 8});
  const std::string_view pixel =
      "ps_3_0; dcl_normal2 v0.xyz; dcl_fog v1.x; dcl_texcoord5 v2; dcl_tangent v3.xy; add r0, v0, v1; add r0, r0, v2;"
      "add r0, r0, v3; mov oC0, v0";
  const Vertex vertex = scene.Process(
      "vs_3_0; dcl_position o0; dcl_texcoord5 o1; dcl_normal2 o2.xyz; dcl_fog o3.x; mov o0, c0; mov o1, c1;"
      "mov o2.xyz, c0; mov o3.x, c1.x",
      pixel);
  scene.outputs() = scene.vertex_outputs();
  for (uint32_t slot = 0; slot < kVaryingCount; ++slot)
    scene.SetVarying(slot, vertex.varyings[slot]);
  CHECK(
      scene.Color(
          "ps_3_0; dcl_normal2 v0.xyz; dcl_fog v1.x; dcl_texcoord5 v2; dcl_tangent v3.xy; mov oC0, v0") ==
      Float4{1, 2, 3, 0});
  CHECK(
      scene.Color(
          "ps_3_0; dcl_normal2 v0.xyz; dcl_fog v1.x; dcl_texcoord5 v2; dcl_tangent v3.xy; mov oC0, v1.x")
          [0] == 5);
  CHECK(
      scene.Color(
          "ps_3_0; dcl_normal2 v0.xyz; dcl_fog v1.x; dcl_texcoord5 v2; dcl_tangent v3.xy; mov oC0, v2") ==
      Float4{5, 6, 7, 8});
  CHECK(
      scene.Color(
          "ps_3_0; dcl_normal2 v0.xyz; dcl_fog v1.x; dcl_texcoord5 v2; dcl_tangent v3.xy; mov oC0, v3") ==
      Float4{0, 0, 0, 0});
}

TEST_CASE("Vertex shader: outputs of 3.0 act on fixed function by usage") {
  ShaderScene scene;
  scene.SetReal(0, {0.25F, 0.5F, 0.75F, 40});
  scene.Set(d3d::RenderState::PointSizeMax, 0x42800000);  // 64
  const Vertex vertex = scene.Process(
      "vs_3_0; dcl_position o0; dcl_fog o1.x; dcl_psize o1.w; dcl_texcoord4 o2; mov o0, c0; mov o1, c0; mov o2, c0");
  CHECK(vertex.fog == 0.25F);
  CHECK(vertex.point_size == 40);
  CHECK(vertex.varyings[kTexcoordSlot + 4] == Float4{0.25F, 0.5F, 0.75F, 40});
}

TEST_CASE("Vertex shader: user clip planes are in clip space") {
  ShaderScene scene;
  scene.SetReal(0, {1, 2, 3, 4});
  scene.context().state.clip_planes[1] = {1, 1, 0, -1};
  scene.context().state.clip_planes[0] = {-100, 0, 0, 0};
  scene.Set(d3d::RenderState::ClipPlaneEnable, 2);
  const Vertex vertex = scene.Process("vs_1_1; mov oPos, c0");
  CHECK(vertex.plane_distances[1] == -1);
  CHECK(vertex.plane_distances[0] == 0);
}

TEST_CASE(
    "Bound programs: transformed vertices and handle 0 have none, the last model that was set has it") {
  ShaderScene scene;
  device::Context& context = scene.context();
  for (device::ShaderObject* shader :
       {&context.vertex_functions[5], &context.vertex_shaders[7], &context.pixel_shaders[9]}) {
    shader->code = {1, 2, 3, 4};
  }
  context.vertex_shaders[11].layout = scene.layout();  // only a declaration
  device::Draw draw;
  draw.layout = &scene.layout();
  CHECK(VertexProgramOf(context, draw) == nullptr);
  CHECK(PixelProgramOf(context) == nullptr);
  context.state.vertex_program = {.format = 0, .is_level8 = false, .function = 5};
  CHECK(VertexProgramOf(context, draw) == context.vertex_functions[5].program);
  context.state.vertex_program = {.format = 7, .is_level8 = true, .function = 0};
  CHECK(VertexProgramOf(context, draw) == context.vertex_shaders[7].program);
  for (const uint32_t format : {6U, 11U, 13U}) {
    context.state.vertex_program = {.format = format, .is_level8 = true, .function = 0};
    CHECK(VertexProgramOf(context, draw) == nullptr);
  }
  context.state.pixel_shader = 9;
  CHECK(PixelProgramOf(context) == context.pixel_shaders[9].program);
  scene.layout().is_transformed = true;
  context.state.vertex_program = {.format = 7, .is_level8 = true, .function = 0};
  CHECK(VertexProgramOf(context, draw) == nullptr);
}
