// Shaders, constants, palettes, levels of detail, queries.
#include <doctest/doctest.h>

#include "../device_scene.h"

using namespace dp2trace;          // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::device;  // NOLINT(google-build-using-namespace): test file
using opcode::Op;

namespace {

constexpr uint32_t kEnd = 0xFFFFFFFF;

// STREAM 0, FLOAT3 to v0.
TokenBytes Shader8(uint32_t handle, std::initializer_list<uint32_t> code) {
  TokenBytes token;
  token.Op(Op::kCreateVertexShader, 1)
      .U32({handle, 12, static_cast<uint32_t>(4 * code.size()), 0x20000000, 0x40020000, kEnd});
  return token.U32(code);
}

}  // namespace

TEST_CASE("Vertex shaders of level 8: create, set, delete") {
  Scene scene(8, 4);
  scene.Run(Shader8(3, {0xFFFE0101, 0x0000FFFF}));
  REQUIRE(scene.context().vertex_shaders.contains(3));
  CHECK(scene.context().vertex_shaders.at(3).code.size() == 8);
  CHECK(scene.context().vertex_shaders.at(3).layout.elements.size() == 1);
  CHECK(scene.state().vertex_program == VertexProgram{});  // creation does not select
  scene.Run(Op::kSetVertexShader, {3});
  CHECK(scene.state().vertex_program == VertexProgram{.format = 3, .is_level8 = true});
  scene.Run(Op::kDeleteVertexShader, {3});
  CHECK(scene.state().vertex_program.format == 3);  // dangles
  CHECK(scene.findings.empty());
  scene.Run(Op::kDrawPrimitive, {4, 0, 1});
  scene.Run(Op::kSetVertexShader, {3});
  scene.Run(Op::kDeleteVertexShader, {3, 0}, 2);
  scene.Run(Shader8(2, {}));
  CHECK(scene.Ids() == Ids{"DP2-VSH-003", "DP2-VSH-003", "DP2-VSH-005", "DP2-VSH-001"});
}

TEST_CASE("Vertex shaders of level 8: CONSTMEM is loaded at the set") {
  Scene scene(8, 4);
  scene.Run(TokenBytes()
                .Op(Op::kCreateVertexShader, 1)
                .U32({3, 24, 0, 0x82000002})
                .F32({1, 2, 3, 4})
                .U32({kEnd}));
  CHECK(scene.state().vertex_constants.floats.empty());
  scene.Run(Op::kSetVertexShader, {3});
  REQUIRE(scene.state().vertex_constants.floats.size() == 3);
  CHECK(scene.state().vertex_constants.floats[2] == Float4{1, 2, 3, 4});
}

TEST_CASE("Declarations and functions of level 9: the last model set wins") {
  Scene scene;
  scene.Run(Shader8(3, {}));
  scene.Run(
      TokenBytes().Op(Op::kCreateVertexShaderDecl, 1).U32({5, 1}).U16({0, 0}).U8({3, 0, 9, 0}));
  scene.Run(TokenBytes().Op(Op::kCreateVertexShaderFunc, 1).U32({6, 8, 0xFFFE0300, 0x0000FFFF}));
  scene.Run(Op::kSetVertexShader, {3});
  scene.Run(Op::kSetVertexShaderDecl, {5});
  CHECK(scene.state().vertex_program == VertexProgram{.format = 5});
  scene.Run(Op::kSetVertexShaderFunc, {6});
  CHECK(scene.state().vertex_program == VertexProgram{.format = 5, .function = 6});
  scene.Run(Op::kSetVertexShader, {0x42});
  CHECK(scene.state().vertex_program == VertexProgram{.format = 0x42, .is_level8 = true});
  scene.Run(Op::kSetVertexShaderFunc, {0});
  CHECK(scene.state().vertex_program == VertexProgram{});
  CHECK(scene.findings.empty());
  scene.Run(Op::kSetVertexShaderDecl, {7});
  scene.Run(Op::kSetVertexShaderFunc, {7});
  scene.Run(Op::kSetPixelShader, {7});
  scene.Run(TokenBytes().Op(Op::kCreatePixelShader, 1).U32({7, 0}));
  scene.Run(TokenBytes().Op(Op::kCreateVertexShaderFunc, 1).U32({6, 4, 0xFFFE0300}));
  CHECK(scene.context().vertex_functions.at(6).code.size() == 4);  // replaced
  CHECK(scene.Ids() ==
        Ids{"DP2-VSH-003", "DP2-VSH-003", "DP2-VSH-003", "DP2-VSH-006", "DP2-VSH-002"});
}

TEST_CASE("Shaders: code is decoded once, and what that takes is counted until the shader goes") {
  Scene scene;
  const uint64_t before = scene.context().object_bytes;
  scene.Run(TokenBytes()
                .Op(Op::kCreatePixelShader, 1)
                .U32({7, 20, 0xFFFF0101, 1, 0x800F0000, 0x90E40000, 0x0000FFFF}));
  const ShaderObject& object = scene.context().pixel_shaders.at(7);
  REQUIRE(object.program->instructions.size() == 1);
  CHECK(object.program->instructions[0].op() == shader::Op::Mov);
  CHECK(object.program->is_executable);
  CHECK(scene.context().object_bytes - before >= 20 + sizeof(shader::Instruction));
  scene.Run(Op::kSetPixelShader, {7});
  CHECK(scene.context().PixelShader() == &object);
  scene.Run(Op::kDeletePixelShader, {7});
  CHECK(scene.context().PixelShader() == nullptr);
  CHECK(scene.context().object_bytes == before);
  // A code that cannot be read is there, and refuses to run.
  scene.Run(TokenBytes().Op(Op::kCreatePixelShader, 1).U32({7, 4, 0xFFFF0101}));
  CHECK_FALSE(scene.context().pixel_shaders.at(7).program->is_executable);
  CHECK(scene.findings.empty());
}

TEST_CASE("Declarations: one created under an FVF code wins over the code") {
  Scene scene;
  scene.Buffer(20, std::vector<uint8_t>(64));
  scene.Run(
      TokenBytes().Op(Op::kCreateVertexShaderDecl, 1).U32({0x42, 1}).U16({0, 0}).U8({3, 0, 9, 0}));
  scene.Run(Op::kSetVertexShaderDecl, {0x42});
  scene.Run(Op::kSetStreamSource, {0, 20, 16});
  scene.Run(Op::kDrawPrimitive, {4, 0, 1});
  REQUIRE(scene.sink.draws.size() == 1);
  CHECK(scene.sink.draws[0].layout.is_transformed);
  CHECK_FALSE(scene.sink.draws[0].layout.fvf);
}

TEST_CASE("Constants: registers of six kinds, ends are checked in 64 bits") {
  Scene scene;
  scene.Run(
      TokenBytes().Op(Op::kSetVertexShaderConst, 1).U32({4, 2}).F32({1, 2, 3, 4, 5, 6, 7, 8}));
  scene.Run(Op::kSetVertexShaderConstI, {1, 1, 9, 8, 7, 6});
  scene.Run(Op::kSetVertexShaderConstB, {2, 2, 1, 5});
  scene.Run(TokenBytes().Op(Op::kSetPixelShaderConst, 1).U32({223, 1}).F32({1, 2, 3, 4}));
  scene.Run(Op::kSetPixelShaderConstI, {0, 1, 1, 2, 3, 4});
  scene.Run(Op::kSetPixelShaderConstB, {15, 1, 1});
  CHECK(scene.state().vertex_constants.floats[5] == Float4{5, 6, 7, 8});
  CHECK(scene.state().vertex_constants.floats[3] == Float4{});
  CHECK(scene.state().vertex_constants.integers[1] == std::array<int32_t, 4>{9, 8, 7, 6});
  CHECK(scene.state().vertex_constants.booleans == std::vector<uint32_t>{0, 0, 1, 5});
  CHECK(scene.state().pixel_constants.floats.size() == 224);
  CHECK(scene.state().pixel_constants.booleans.size() == 16);
  CHECK(scene.findings.empty());
  scene.Run(TokenBytes().Op(Op::kSetPixelShaderConst, 1).U32({224, 1}).F32({1, 2, 3, 4}));
  scene.Run(Op::kSetPixelShaderConstB, {0xFFFFFFFF, 1, 1});
  CHECK(scene.Ids() == Ids{"DP2-CONST-001", "DP2-CONST-001"});
}

TEST_CASE("Palettes: updates, bindings by root, entry order, alpha flag") {
  Scene scene;
  scene.Texture(5, kP8, 4);
  const Resource& texture = *scene.device.space(0).Find(5).resource;
  CHECK_FALSE(scene.context().PaletteOf(texture));
  scene.Run(Op::kSetPalette, {7, 0, 5});
  CHECK(scene.context().PaletteOf(texture)->rgba[200] ==
        std::array<uint8_t, 4>{200, 200, 200, 255});
  scene.Run(
      TokenBytes().Op(Op::kUpdatePalette, 0).U32({7}).U16({254, 2}).U32({0x11223344, 0x55667788}));
  CHECK(scene.context().PaletteOf(texture)->rgba[254] ==
        std::array<uint8_t, 4>{0x22, 0x33, 0x44, 0x11});
  CHECK_FALSE(scene.context().PaletteOf(texture)->has_alpha);
  CHECK(scene.context().palettes.at(7).written.any());
  scene.Run(Op::kSetPalette, {7, 0x2000, 5});
  CHECK(scene.context().PaletteOf(texture)->has_alpha);
  scene.Run(Op::kSetPalette, {0, 0, 5});
  CHECK_FALSE(scene.context().PaletteOf(texture));
  CHECK(scene.findings.empty());
  scene.Run(Op::kSetPalette, {7, 0x4000, 5});
  scene.Run(Op::kSetPalette, {7, 0, 99});
  scene.Run(TokenBytes().Op(Op::kUpdatePalette, 1).U32({7}).U16({255, 2}).U32({1, 2}));
  scene.Run(TokenBytes().Op(Op::kUpdatePalette, 1).U32({0}).U16({0, 1}).U32({1}));
  CHECK(scene.Ids() == Ids{"DP2-PAL-003", "DP2-PAL-001", "DP2-PAL-005", "DP2-PAL-007"});
}

TEST_CASE("Palettes: a destroyed surface takes its binding along, rgbx traces have another order") {
  Scene scene;
  trace::Header header;
  header.palette_order = trace::PaletteOrder::kRgbx;
  scene.device.OnHeader(header);
  scene.Texture(5, kP8, 4);
  scene.Run(Op::kSetPalette, {7, 0, 5});
  scene.Run(TokenBytes().Op(Op::kUpdatePalette, 1).U32({7}).U16({0, 1}).U8({1, 2, 3, 4}));
  CHECK(scene.context().PaletteOf(*scene.device.space(0).Find(5).resource)->rgba[0] ==
        std::array<uint8_t, 4>{1, 2, 3, 4});
  scene.Collect(3, scene.device.OnSurfaceDestroy({.handle = 5}));
  scene.Texture(5, kP8, 4);
  CHECK_FALSE(scene.context().PaletteOf(*scene.device.space(0).Find(5).resource));
}

TEST_CASE("Priority and level of detail belong to the surface") {
  Scene scene;
  scene.Texture(5, kA8R8G8B8, 8, 3);
  scene.Run(Op::kSetPriority, {5, 9});
  scene.Run(Op::kSetTexLod, {5, 1});
  const Resource& texture = *scene.device.space(0).Find(5).resource;
  CHECK(texture.priority == 9);
  CHECK(texture.lod == 1);
  scene.Run(Op::kSetTexLod, {5, 77});
  CHECK(texture.lod == 2);
  scene.Run(Op::kSetTexLod, {0, 1});
  CHECK(scene.Ids() == Ids{"DP2-RES-001"});
}

TEST_CASE("Queries: the states of a query") {
  Scene scene;
  scene.Run(Op::kCreateQuery, {1, 9});
  Query& query = scene.context().queries.at(1);
  CHECK(query.state == QueryState::kSignaled);
  scene.Run(Op::kIssueQuery, {1, 2});
  CHECK(query.state == QueryState::kBuilding);
  query.result = 42;
  scene.Run(Op::kIssueQuery, {1, 1});
  CHECK(query.state == QueryState::kIssued);
  CHECK(query.result == 42);
  scene.Run(Op::kIssueQuery, {1, 1});
  CHECK(query.result == 0);
  scene.Run(Op::kDeleteQuery, {1});
  CHECK(scene.context().object_bytes == 0);
  CHECK(scene.findings.empty());
  scene.Run(Op::kDeleteQuery, {1});
  scene.Run(Op::kIssueQuery, {1, 1});
  scene.Run(Op::kCreateQuery, {1, 7});
  scene.Run(Op::kCreateQuery, {1, 8, 1, 9}, 2);
  scene.Run(Op::kIssueQuery, {1, 4});
  CHECK(scene.context().queries.at(1).type == 9);
  CHECK(scene.Ids() ==
        Ids{"DP2-QUERY-002", "DP2-QUERY-002", "DP2-QUERY-003", "DP2-QUERY-001", "DP2-QUERY-004"});
}
