#include "blame/analysis.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "blame/report.h"
#include "blame_run.h"
#include "unit/history/history_run.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

namespace {

// A driver that has one thing wrong, and the draws that suffer from it.
struct Seed {
  const char* defect;
  const char* trace;
  std::string from, to;
  size_t place;                 // of `from`; 0: everywhere
  std::vector<uint64_t> draws;  // that are wrong; those of rank 1 are among them
  const char* fact;             // what only they have; empty: nothing is asserted
};

const std::string kColumn = R"("num_vertices":42,"start_index":0,"primitive_count":40)";

const std::vector<Seed> kSeeds = {
    {"a texture stage operation",
     "features/stage-add.json",
     R"("ADDSIGNED")",
     R"("ADD")",
     0,
     {3},
     "stage 0 COLOROP = ADDSIGNED"},
    {"an alpha function, at its edge",
     "features/alpha-test.json",
     R"("GREATEREQUAL")",
     R"("GREATER")",
     0,
     {8},
     "ALPHAFUNC = GREATEREQUAL"},
    {"an alpha function, upside down",
     "features/alpha-test.json",
     R"("GREATEREQUAL")",
     R"("LESS")",
     0,
     {8},
     "ALPHAFUNC = GREATEREQUAL"},
    {"culling that is not done",
     "features/cull-modes.json",
     R"("CULLMODE","state":"CW")",
     R"("CULLMODE","state":"NONE")",
     0,
     {3},
     "CULLMODE = CW"},
    {"a depth function",
     "features/depth-functions.json",
     R"("LESS")",
     R"("ALWAYS")",
     0,
     {4},
     "ZFUNC = LESS"},
    {"a blend factor",
     "features/blend-usual-pairs.json",
     R"("DESTBLEND","state":"INVSRCALPHA")",
     R"("DESTBLEND","state":"ONE")",
     0,
     {8, 9, 10, 11},
     "DESTBLEND = INVSRCALPHA"},
    {"an addressing mode",
     "features/address-modes.json",
     R"("MIRROR")",
     R"("WRAP")",
     0,
     {3},
     "stage 0 ADDRESSU = MIRROR"},
    {"wireframe",
     "features/fill-modes.json",
     R"("WIREFRAME")",
     R"("SOLID")",
     0,
     {3},
     "FILLMODE = WIREFRAME"},
    {"a magnifying filter",
     "features/filters.json",
     R"("MAGFILTER","value":2)",
     R"("MAGFILTER","value":1)",
     0,
     {3, 4, 6, 7},
     ""},
    {"a colour write mask",
     "features/write-mask.json",
     R"("state":["RED","BLUE"])",
     R"("state":["RED"])",
     0,
     {7},
     "COLORWRITEENABLE = RED|BLUE"},
    {"flat shading",
     "features/shade-modes.json",
     R"("FLAT")",
     R"("GOURAUD")",
     0,
     {2},
     "SHADEMODE = FLAT"},
    {"a texture format",
     "features/texture-formats.json",
     R"("R5G6B5")",
     R"("A1R5G5B5")",
     0,
     {2},
     "format of texture 0 = R5G6B5"},
    {"a scissor rectangle",
     "features/scissor.json",
     R"("SCISSORTESTENABLE","state":1)",
     R"("SCISSORTESTENABLE","state":0)",
     0,
     {2, 3},
     ""},
    {"the colour of a clear",
     "scenes/columns-in-fog.json",
     R"("fill_color":"#ffb8c4cc")",
     R"("fill_color":"#ff000000")",
     0,
     {1},
     ""},
    {"a lost draw",
     "scenes/columns-in-fog.json",
     kColumn,
     R"("num_vertices":42,"start_index":0,"primitive_count":1)",
     5,
     {7},
     ""},
    {"a lost texture upload",
     "scenes/columns-in-fog.json",
     R"({"event":"surface_update","handle":15,"data")",
     R"({"event":"surface_update","handle":10,"data")",
     0,
     {3, 4, 5, 6, 7, 8},
     ""},
    {"a patch with fewer segments",
     "scenes/teapot-of-patches.json",
     R"("segments":[10,10,10,10],"info":{"start_vertex_offset_width":0,"start_vertex_offset_height":24)",
     R"("segments":[2,2,2,2],"info":{"start_vertex_offset_width":0,"start_vertex_offset_height":24)",
     0,
     {8},
     ""},
    {"a texture factor", "scenes/stencil-shadow.json", "#ff909090", "#ff303030", 0, {6}, ""},
    {"a lost stencil operation",
     "scenes/stencil-shadow.json",
     R"("STENCILZFAIL","state":"DECR")",
     R"("STENCILZFAIL","state":"KEEP")",
     0,
     {5, 6},
     ""},
    {"an inverted stencil test",
     "scenes/stencil-shadow.json",
     R"("STENCILFUNC","state":"NOTEQUAL")",
     R"("STENCILFUNC","state":"EQUAL")",
     0,
     {6},
     ""},
};

bool IsFound(const Seed& seed, const Blamed& blamed) {
  const std::vector<uint64_t> firsts = blamed.firsts();
  const std::vector<std::string> facts = blamed.exact_facts();
  return !firsts.empty() && std::ranges::all_of(firsts, [&](uint64_t draw) {
    return std::ranges::find(seed.draws, draw) != seed.draws.end();
  }) && (*seed.fact == '\0' || std::ranges::find(facts, seed.fact) != facts.end());
}

}  // namespace

// The last two leave every pixel that an innocent draw wrote wrong: what was drawn there is as likely as what should not have been.
TEST_CASE("blame: defects of drivers are found at rank 1 of every region") {
  size_t found = 0;
  for (const Seed& seed : kSeeds) {
    CAPTURE(seed.defect);
    const std::string text = TraceText(seed.trace);
    const Blamed blamed = BlameOf(text, Replaced(text, seed.from, seed.to, seed.place));
    const bool is_found = IsFound(seed, blamed);
    found += is_found ? 1U : 0U;
    if (!is_found)
      MESSAGE(seed.defect << "\n" << blame::ReportText(blamed.frame, blamed.blame, {}));
  }
  CHECK(kSeeds.size() == 20);
  CHECK(found >= 18);
}

TEST_CASE("blame: what the wrong draws have in common is said in a sentence") {
  const std::string text = TraceText("features/stage-add.json");
  const Blamed one = BlameOf(text, Replaced(text, R"("ADDSIGNED")", R"("SUBTRACT")"));
  CHECK(blame::ReportText(one.frame, one.blame, {})
            .find("the draw whose pixels are wrong has stage 0 COLOROP = ADDSIGNED; none of the 4 "
                  "right ones does\n") != std::string::npos);
  const std::string blend = TraceText("features/blend-usual-pairs.json");
  const Blamed several = BlameOf(blend, Replaced(blend, R"("DESTBLEND","state":"INVSRCALPHA")",
                                                 R"("DESTBLEND","state":"ONE")"));
  CHECK(blame::ReportText(several.frame, several.blame, {})
            .find("have DESTBLEND = INVSRCALPHA; none of the 8 right ones does\n") !=
        std::string::npos);
}

TEST_CASE("blame: equal pictures, and those within the tolerance, have no region") {
  const std::string text = TraceText("features/stage-add.json");
  const Blamed equal = BlameOf(text, text);
  CHECK(equal.blame.is_equal());
  CHECK(equal.blame.wrong_draws.empty());
  CHECK(blame::ReportText(equal.frame, equal.blame, {}).ends_with(": equal\n"));

  const std::string clear = TraceText("scenes/columns-in-fog.json");
  const std::string driver = Replaced(clear, "#ffb8c4cc", "#ffb8c6cc");
  image::LooseOptions loose;
  CHECK_FALSE(BlameOf(clear, driver).blame.is_equal());
  loose.tolerance = 2;
  const Blamed near = BlameOf(clear, driver, 1, loose);
  CHECK(near.blame.is_equal());
  CHECK(near.blame.comparison.tolerated_pixels > 0);
}

// A rectangle over four stripes, as far to the right as said; one beside it that never moves.
std::string StripesWithRectangle(float right) {
  std::string stripes;
  for (int i = 0; i < 4; ++i)
    stripes += fmt::format(
        R"({{"op":"CLEAR","flags":["TARGET"],"fill_color":"0xFF{:02X}40{:02X}","fill_depth":1,"fill_stencil":0,"rects":[[0,{},64,{}]]}},)",
        60 * i, 200 - 40 * i, 16 * i, 16 * i + 16);
  const auto draw = [](const std::string& vertices) {
    return R"({"op":"DRAWPRIMITIVE","records":[{"prim_type":"TRIANGLESTRIP","v_start":)" +
           vertices + R"(,"primitive_count":2}]})";
  };
  return R"([
{"event":"header","generator":"test"},
{"event":"surface_create","handle":1,"kind":"target","caps":["3DDEVICE","VIDEOMEMORY"],"format":"X8R8G8B8","width":64,"height":64},
{"event":"context_create","context":1,"target":1},
{"event":"dp2","context":1,"flags":["USERMEMVERTICES"],"vertex_type":68,"vertex_size":20,"commands":[)" +
         stripes +
         R"({"op":"RENDERSTATE","records":[{"render_state":"ZENABLE","state":"FALSE"},{"render_state":"LIGHTING","state":0},{"render_state":"CULLMODE","state":"NONE"},{"render_state":"FOGENABLE","state":0}]},{"op":"SETVERTEXSHADERDECL","records":[{"handle":68}]},{"op":"SETSTREAMSOURCEUM","records":[{"stream":0,"stride":20}]},)" +
         draw("0") + "," + draw("4") +
         fmt::format(
             R"(],"vertices":[[{0},4,0.5,1,"0xFFFFE000"],[{1},4,0.5,1,"0xFFFFE000"],[{0},60,0.5,1,"0xFFFFE000"],[{1},60,0.5,1,"0xFFFFE000"],[44.5,40,0.5,1,"0xFF00FF00"],[56.5,40,0.5,1,"0xFF00FF00"],[44.5,60,0.5,1,"0xFF00FF00"],[56.5,60,0.5,1,"0xFF00FF00"]]}},
{{"event":"present","handle":1}},
{{"event":"context_destroy","context":1}}
])",
             8 + right, 36 + right);
}

TEST_CASE("blame: the draw whose edges lie half a pixel off is named") {
  const Blamed moved = BlameOf(StripesWithRectangle(0.25F), StripesWithRectangle(-0.25F));
  const std::string text = blame::ReportText(moved.frame, moved.blame, {});
  CAPTURE(text);
  REQUIRE(moved.blame.edge_draws.size() == 1);
  CHECK(moved.frame.operations[moved.blame.edge_draws.front()].draw == 5);
  CHECK(text.find("diagnosis: edges lie half a pixel off, to the left, along the edges of draw "
                  "5\n") != std::string::npos);
  CHECK(blame::ReportJson("t", moved.frame, moved.blame, {}).find(R"("edge_draws":[5])") !=
        std::string::npos);
}

TEST_CASE("blame: only the chosen part of the pictures counts") {
  const std::string text = TraceText("features/write-mask.json");
  const std::string driver = Replaced(text, R"("state":["RED","BLUE"])", R"("state":["RED"])");
  image::LooseOptions options;
  options.region = image::Region{0, 0, 10, 10};
  CHECK(BlameOf(text, driver, 1, options).blame.is_equal());
  options.region = image::Region{16, 16, 16, 16};
  const Blamed part = BlameOf(text, driver, 1, options);
  CHECK(part.firsts() == std::vector<uint64_t>{7});
  CHECK(part.blame.right_draws.empty());
}

TEST_CASE("blame: the reports of one frame are the same each time") {
  const std::string text = TraceText("scenes/columns-in-fog.json");
  const std::string driver = Replaced(text, R"("FOGENABLE","state":1)", R"("FOGENABLE","state":0)");
  const Blamed a = BlameOf(text, driver);
  const Blamed b = BlameOf(text, driver);
  CHECK(blame::ReportJson("t", a.frame, a.blame, {}) ==
        blame::ReportJson("t", b.frame, b.blame, {}));
  CHECK(a.wrong_draws().size() == 21);
}
