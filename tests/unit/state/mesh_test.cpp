#include "state/mesh.h"

#include <doctest/doctest.h>

#include "state_run.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file
using state::Mesh;

namespace {

// Four vertices in screen coordinates with a colour.
constexpr std::string_view kFlatVertices =
    R"(,"vertex_type":"XYZRHW|DIFFUSE","vertex_size":20,"vertices":[[1,2,0.5,1,"0xFF102030"],[5,2,0.5,1,"0x80FF0000"],[1,6,0.5,2,"0x00000000"],[5,6,0.5,1,"0xFFFFFFFF"]])";
// Three vertices that are transformed.
constexpr std::string_view kModelVertices =
    R"(,"vertex_type":"XYZ|NORMAL|TEX1","vertex_size":32,"vertices":[[-1,1,0.25,0,0,1,0,0],[1,1,0.25,0,0,1,1,0],[0,0,-4,0,0,1,0.5,1]])";

Mesh FirstMesh(const std::string& commands, std::string_view vertices) {
  const DebugRun run = FindDraws(kScene + Call(commands, vertices), "1");
  REQUIRE(run.states.size() == 1);
  REQUIRE(run.states[0].meshes.size() == 1);
  return run.states[0].meshes[0];
}

}  // namespace

TEST_CASE("Mesh: a strip as triangles in the order of their winding, with screen coordinates") {
  const Mesh mesh = FirstMesh(R"({"op":"TRIANGLESTRIP","v_start":0,"count":2})", kFlatVertices);
  CHECK(mesh.primitives.size() == 2);
  CHECK(mesh.primitives[1].corners == std::array<uint32_t, 3>{1, 3, 2});
  CHECK(state::MeshText(mesh) ==
        "draw 1, record 0: TRIANGLESTRIP of 2\n"
        "  stream 0 offset 0 FLOAT4 POSITIONT0\n"
        "  stream 0 offset 16 D3DCOLOR COLOR0\n"
        "  vertex  POSITIONT0  COLOR0     screen x y z 1/w\n"
        "  0       1 2 0.5 1   #ff102030  1 2 0.5 1\n"
        "  1       5 2 0.5 1   #80ff0000  5 2 0.5 1\n"
        "  2       1 6 0.5 2   #00000000  1 6 0.5 2\n"
        "  3       5 6 0.5 1   #ffffffff  5 6 0.5 1\n"
        "  primitive  vertices\n"
        "  1.1        0 1 2\n"
        "  1.2        1 3 2\n");
}

TEST_CASE("Mesh: transformed vertices, and one behind the eye") {
  const std::string projection =
      R"({"op":"SETTRANSFORM","records":[{"transform":"PROJECTION","matrix":[1,0,0,0,0,1,0,0,0,0,1,1,0,0,0,2]}]},)";
  const Mesh mesh = FirstMesh(projection + R"({"op":"TRIANGLELIST","v_start":0})", kModelVertices);
  REQUIRE(mesh.vertices.size() == 3);
  CHECK(*mesh.vertices[0].clip == raster::Float4{-1, 1, 0.25F, 2.25F});
  REQUIRE(mesh.vertices[0].screen);
  // 8x8: x = 4 + 4 * (-1 / 2.25).
  CHECK((*mesh.vertices[0].screen)[0] == doctest::Approx(4 - 4 / 2.25));
  CHECK((*mesh.vertices[0].screen)[1] == doctest::Approx(4 - 4 / 2.25));
  CHECK((*mesh.vertices[0].screen)[3] == doctest::Approx(1 / 2.25));
  CHECK((*mesh.vertices[2].clip)[3] == -2);
  CHECK_FALSE(mesh.vertices[2].screen);
  CHECK(state::MeshText(mesh).find("behind the eye") != std::string::npos);
}

TEST_CASE("Mesh: OBJ has positions, coordinates, normals and faces of all records") {
  const DebugRun run =
      FindDraws(kScene + Call(R"({"op":"TRIANGLELIST","v_start":0},{"op":"LINELIST","v_start":1})",
                              kModelVertices),
                "1-2");
  REQUIRE(run.states.size() == 2);
  CHECK(state::MeshObj({run.states[0].meshes.at(0), run.states[1].meshes.at(0)}) ==
        "o draw-1-0\n"
        "v -1 1 0.25\nvt 0 0\nvn 0 0 1\n"
        "v 1 1 0.25\nvt 1 0\nvn 0 0 1\n"
        "v 0 0 -4\nvt 0.5 1\nvn 0 0 1\n"
        "f 1/1/1 2/2/2 3/3/3\n"
        "o draw-2-0\n"
        "v 1 1 0.25\nvt 1 0\nvn 0 0 1\n"
        "v 0 0 -4\nvt 0.5 1\nvn 0 0 1\n"
        "l 4 5\n");
}

TEST_CASE("Mesh: indices, base vertex and the numbers of primitives over the records of a token") {
  const DebugRun run = FindDraws(
      kScene +
          Call(
              R"({"op":"INDEXEDTRIANGLELIST2","v_start":1,"records":[{"v1":0,"v2":1,"v3":2}]},{"op":"POINTS","records":[{"count":2,"v_start":0},{"count":1,"v_start":3}]})",
              kFlatVertices),
      "1-2");
  REQUIRE(run.states.size() == 2);
  const Mesh& indexed = run.states[0].meshes.at(0);
  CHECK(indexed.index_size == 2);
  CHECK(indexed.base_vertex == 1);
  CHECK(indexed.vertices[0].number == 1);
  REQUIRE(run.states[1].meshes.size() == 2);
  const Mesh& points = run.states[1].meshes[1];
  CHECK(points.first_primitive == 3);
  CHECK(state::MeshText(points).find("  2.3        3\n") != std::string::npos);
}

TEST_CASE("Mesh: limits of primitives and of work cut it, and it says so") {
  class Limited final : public state::DrawVisitor {
   public:
    Status OnDraw(const state::FoundDraw&, const device::Device&, const device::Context&) override {
      return OkStatus();
    }
    void OnMesh(Mesh&& made) override { mesh = std::move(made); }
    Mesh mesh;
  };
  const std::string events =
      kScene + Call(R"({"op":"TRIANGLESTRIP","v_start":0,"count":2})", kFlatVertices);
  state::FinderOptions options;
  options.wants_meshes = true;
  options.mesh_limits.primitives = 1;
  Limited few;
  VisitDraws(events, options, few);
  CHECK(few.mesh.primitives.size() == 1);
  CHECK(few.mesh.is_cut);
  CHECK(few.mesh.layout.elements.size() == 2);
  options.mesh_limits = {.primitives = 9, .steps = 2};
  Limited cheap;
  VisitDraws(events, options, cheap);
  CHECK(cheap.mesh.primitives.size() == 2);
  CHECK(cheap.mesh.is_cut);
  CHECK(cheap.mesh.vertices[0].screen);
  CHECK_FALSE(cheap.mesh.vertices[3].screen);
}

TEST_CASE("mesh: the records of a token share its limits") {
  class Counting final : public state::DrawVisitor {
   public:
    Status OnDraw(const state::FoundDraw&, const device::Device&, const device::Context&) override {
      return OkStatus();
    }
    void OnMesh(Mesh&& made) override {
      primitives += made.primitives.size();
      steps += made.steps;
      ++meshes;
      is_cut = made.is_cut;
    }
    size_t primitives = 0, meshes = 0;
    uint64_t steps = 0;
    bool is_cut = false;
  };
  const std::string record = R"({"prim_type":"TRIANGLELIST","v_start":0,"primitive_count":1})";
  const std::string events =
      kScene + Call(R"({"op":"SETVERTEXSHADER","records":[{"handle":68}]},)"
                    R"({"op":"SETSTREAMSOURCEUM","records":[{"stream":0,"stride":20}]},)"
                    R"({"op":"DRAWPRIMITIVE","records":[)" +
                        record + "," + record + "," + record + "]}",
                    std::string(R"(,"flags":["USERMEMVERTICES"])") + std::string(kFlatVertices));
  state::FinderOptions options;
  options.wants_meshes = true;
  Counting all;
  VisitDraws(events, options, all);
  CHECK(all.meshes == 3);
  CHECK(all.primitives == 3);
  CHECK(all.steps > 0);
  CHECK_FALSE(all.is_cut);
  options.mesh_limits.primitives = 2;
  Counting few;
  VisitDraws(events, options, few);
  CHECK(few.primitives == 2);
  CHECK(few.is_cut);
  options.mesh_limits = {.primitives = 9, .steps = all.steps / 3};
  Counting cheap;
  VisitDraws(events, options, cheap);
  CHECK(cheap.primitives == 3);
  CHECK(cheap.steps <= all.steps / 3);
  CHECK(cheap.is_cut);
}

TEST_CASE("Mesh: JSON is JSON") {
  const Mesh mesh = FirstMesh(R"({"op":"TRIANGLELIST","v_start":0})", kModelVertices);
  const std::string text = "{" + state::MeshJson(mesh) + "}";
  CHECK(text.find(R"("type":"TRIANGLELIST","primitive_count":1)") != std::string::npos);
  CHECK(text.find(R"("primitives":[[0,1,2]])") != std::string::npos);
  CHECK(text.find("nan") == std::string::npos);
}
