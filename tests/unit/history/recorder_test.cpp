#include "history/recorder.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>

#include "history/report.h"
#include "history_run.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file
using raster::Fate;
using raster::Float4;

namespace {

// An 8x8 target 1, and a context that draws there as colours are given.
std::string Target(const std::string& format = "X8R8G8B8", const std::string& more = "") {
  return fmt::format(
      R"({{"event":"surface_create","handle":1,"kind":"target","format":"{}","width":8,"height":8{}}},)",
      format, more);
}
const std::string kContext = R"({"event":"context_create","context":1,"target":1},)";
const std::string kDepth =
    R"({"event":"surface_create","handle":2,"kind":"depth","format":"D24S8","width":8,"height":8},
{"event":"context_create","context":1,"target":1,"depth":2},)";
const std::string kPresent = R"({"event":"present","handle":1})";

std::string Call(const std::string& commands, const std::string& vertices = "") {
  return R"({"event":"dp2","context":1,"flags":["USERMEMVERTICES"],"vertex_type":68,"vertex_size":20,"commands":[)" +
         commands + "]" + (vertices.empty() ? "" : ",\"vertices\":[" + vertices + "]") + "},";
}

std::string States(const std::string& states) {
  return R"({"op":"RENDERSTATE","records":[)" + states + "]},";
}

std::string State(const std::string& name, const std::string& value) {
  return fmt::format(R"({{"render_state":"{}","state":{}}})", name, value);
}

const std::string kPlain = States(State("ZENABLE", "\"FALSE\"") + "," + State("LIGHTING", "0") +
                                  "," + State("CULLMODE", "\"NONE\""));

std::string Clear(const std::string& color, const std::string& flags = "\"TARGET\"",
                  const std::string& depth = "1", const std::string& stencil = "0") {
  return fmt::format(
      R"({{"op":"CLEAR","flags":[{}],"fill_color":"{}","fill_depth":{},"fill_stencil":{},"rects":[[0,0,8,8]]}})",
      flags, color, depth, stencil);
}

// `count` triangles of the vertices of the call.
std::string Draw(uint32_t count = 1, uint32_t first = 0) {
  return fmt::format(
      R"({{"op":"SETVERTEXSHADERDECL","records":[{{"handle":68}}]}},{{"op":"SETSTREAMSOURCEUM","records":[{{"stream":0,"stride":20}}]}},
{{"op":"DRAWPRIMITIVE","records":[{{"prim_type":"TRIANGLELIST","v_start":{},"primitive_count":{}}}]}})",
      first, count);
}

// A triangle that covers the whole target.
std::string Whole(const std::string& color, const std::string& z = "0.5") {
  return fmt::format(R"([-1,-1,{},1,"{}"],[31,-1,{},1,"{}"],[-1,31,{},1,"{}"])", z, color, z, color,
                     z, color);
}

const raster::ProbedFragment& OnlyFragment(const history::Operation& operation) {
  REQUIRE(operation.fragments.size() == 1);
  return operation.fragments[0];
}

std::string Bits(const std::optional<history::PixelValue>& value) {
  REQUIRE(value);
  return history::BitsText(value->samples.at(0));
}

}  // namespace

TEST_CASE("Recorder: a clear and a triangle, with their values and the words at the end") {
  const std::string trace =
      TraceOf(Target() + kContext +
              Call(kPlain + Clear("0xFF202840") + "," + Draw(), Whole("0xFFFF0000")) + kPresent);
  const history::History history = HistoryOf(trace, 1, 3, 5);
  CHECK(history.pixel.handle == 1);
  CHECK(history.format == "X8R8G8B8");
  REQUIRE(history.operations.size() == 3);
  CHECK(history.operations[0].kind == history::Kind::kSurface);
  const history::Operation& clear = history.operations[1];
  CHECK(clear.kind == history::Kind::kClear);
  CHECK(clear.draw == 1);
  CHECK(clear.event == 3);
  CHECK(Bits(clear.after) == "0x00202840");
  REQUIRE(clear.clear);
  CHECK(clear.clear->color == 0xFF202840);
  CHECK_FALSE(clear.clear->clears_depth);
  const history::Operation& draw = history.operations[2];
  CHECK(draw.draw == 2);
  CHECK(draw.name == "DRAWPRIMITIVE");
  CHECK(Bits(draw.after) == "0x00ff0000");
  const raster::ProbedFragment& fragment = OnlyFragment(draw);
  CHECK(fragment.primitive == 1);
  CHECK(fragment.fate == Fate::kStored);
  REQUIRE(fragment.vertices.size() == 3);
  CHECK(fragment.vertices[1].number == 1);
  CHECK(fragment.vertices[1].screen.x == 31);
  CHECK(fragment.vertices[1].screen.y == -1);
  CHECK(fragment.varyings[raster::kDiffuseSlot] == Float4{1, 0, 0, 1});
  CHECK(Because(history).starts_with(
      "the pixel is 0x00ff0000 (#ffff0000) because draw 2.1 (event 3, offset "));
  CHECK(Because(history).ends_with(
      "DRAWPRIMITIVE) stored it, without blending, and nothing touched it after that"));
}

TEST_CASE("Recorder: blending tells source, destination and result") {
  const std::string blend =
      States(State("ALPHABLENDENABLE", "1") + "," + State("SRCBLEND", "\"SRCALPHA\"") + "," +
             State("DESTBLEND", "\"INVSRCALPHA\""));
  const std::string trace = TraceOf(
      Target() + kContext +
      Call(kPlain + blend + Clear("0xFF0000FF") + "," + Draw(), Whole("0x80FF0000")) + kPresent);
  const history::History history = HistoryOf(trace, 1, 0, 0);
  const raster::ProbedFragment& fragment = OnlyFragment(history.operations.back());
  REQUIRE(fragment.writes.size() == 1);
  const raster::ProbedWrite& write = fragment.writes[0];
  const float a = 128 * (1.0F / 255.0F);
  CHECK(write.blends);
  CHECK(write.source == Float4{1, 0, 0, a});
  CHECK(write.destination == Float4{0, 0, 1, 1});
  CHECK(write.result[0] == a);
  CHECK(write.result[2] == 1.0F - a);
  CHECK(history::BlendText(write.blend.rgb) == "SRCALPHA INVSRCALPHA ADD");
  CHECK(Bits(history.after) == "0x0080007f");
  CHECK(Because(history).find("stored it, blended with what was there") != std::string::npos);
}

TEST_CASE("Recorder: the alpha test that fails, with both values") {
  const std::string test = States(State("ALPHATESTENABLE", "1") + "," + State("ALPHAREF", "200") +
                                  "," + State("ALPHAFUNC", "\"GREATER\""));
  const std::string trace = TraceOf(
      Target() + kContext +
      Call(kPlain + test + Clear("0xFF0000FF") + "," + Draw(), Whole("0x80FF0000")) + kPresent);
  const history::History history = HistoryOf(trace, 1, 7, 7);
  const history::Operation& draw = history.operations.back();
  const raster::ProbedFragment& fragment = OnlyFragment(draw);
  CHECK(fragment.fate == Fate::kAlphaTest);
  CHECK(fragment.alpha_test.value == 128);
  CHECK(fragment.alpha_test.reference == 200);
  CHECK_FALSE(fragment.alpha_test.passes);
  CHECK(fragment.writes.empty());
  CHECK_FALSE(draw.writes);
  CHECK(draw.before == draw.after);
  CHECK(TextOf(trace, 1, 7, 7).find("alpha test: 128 GREATER 200: fails\n") != std::string::npos);
  CHECK(Because(history).find("the clear of draw 1") != std::string::npos);
  CHECK(Because(history).ends_with("; 1 fragment failed the alpha test (draw 2.1)"));
}

TEST_CASE("Recorder: stencil and depth tests, with what they compare and store") {
  const std::string states =
      States(State("ZENABLE", "\"TRUE\"") + "," + State("ZFUNC", "\"LESSEQUAL\"") + "," +
             State("STENCILENABLE", "1") + "," + State("STENCILFUNC", "\"EQUAL\"") + "," +
             State("STENCILREF", "1") + "," + State("STENCILFAIL", "\"INCR\"") + "," +
             State("STENCILZFAIL", "\"ZERO\""));
  const auto trace_of = [&](const std::string& stencil) {
    return TraceOf(Target() + kDepth +
                   Call(kPlain + states +
                            Clear("0xFF0000FF", R"("TARGET","ZBUFFER","STENCIL")", "0.5", stencil) +
                            "," + Draw(),
                        Whole("0xFFFF0000", "0.75")) +
                   kPresent);
  };
  const auto test_of = [](const history::History& history) {
    const raster::ProbedFragment& fragment = OnlyFragment(history.operations.back());
    REQUIRE(fragment.depth_stencil.size() == 1);
    return std::pair(fragment.fate, fragment.depth_stencil[0]);
  };
  const auto [stencil_fate, stencil] = test_of(HistoryOf(trace_of("3"), 1, 2, 2));
  CHECK(stencil_fate == Fate::kStencilTest);
  CHECK(stencil.stencil_reference == 1);
  CHECK(stencil.stencil_stored == 3);
  CHECK(stencil.stencil_before == 3);
  CHECK(stencil.stencil_after == 4);
  const auto [depth_fate, depth] = test_of(HistoryOf(trace_of("1"), 1, 2, 2));
  CHECK(depth_fate == Fate::kDepthTest);
  CHECK(depth.depth == 12582911);        // floor(0.75 * (2^24 - 1) + 0.5)
  CHECK(depth.depth_stored == 8388608);  // floor(0.5 * (2^24 - 1) + 0.5)
  CHECK(depth.stencil_passes);
  CHECK_FALSE(depth.depth_passes);
  CHECK(depth.stencil_after == 0);
  const history::History history = HistoryOf(trace_of("1"), 1, 2, 2);
  CHECK(Because(history).ends_with("; 1 fragment failed the depth test (draw 2.1)"));
}

TEST_CASE("Recorder: the history of a depth surface") {
  const std::string states = States(State("ZENABLE", "\"TRUE\""));
  const std::string trace = TraceOf(
      Target() + kDepth +
      Call(kPlain + states + Clear("0xFF0000FF", R"("TARGET","ZBUFFER")", "1") + "," + Draw(),
           Whole("0xFFFF0000", "0.5")) +
      kPresent);
  history::Options options;
  options.surface = 2;
  const history::History history = HistoryOf(trace, 1, 4, 4, options);
  REQUIRE(history.after);
  REQUIRE(history.after->depth_stencil);
  CHECK(history.after->depth_stencil->depth == 8388608);
  CHECK(history.operations.back().writes);
  CHECK(history.operations[history.operations.size() - 2].after->depth_stencil->depth == 0xFFFFFF);
}

TEST_CASE(
    "Recorder: primitives of a token count over its records; those that are culled are named") {
  const std::string records =
      R"({"op":"SETVERTEXSHADERDECL","records":[{"handle":68}]},{"op":"SETSTREAMSOURCEUM","records":[{"stream":0,"stride":20}]},
{"op":"DRAWPRIMITIVE","records":[{"prim_type":"TRIANGLELIST","v_start":0,"primitive_count":2},{"prim_type":"TRIANGLELIST","v_start":3,"primitive_count":1}]})";
  const std::string turned =
      R"([-1,-1,0.5,1,"0xFF00FF00"],[-1,31,0.5,1,"0xFF00FF00"],[31,-1,0.5,1,"0xFF00FF00"])";
  const std::string trace = TraceOf(
      Target() + kContext +
      Call(kPlain + States(State("CULLMODE", "\"CCW\"")) + Clear("0xFF000000") + "," + records,
           Whole("0xFFFF0000") + "," + turned) +
      kPresent);
  const history::History history = HistoryOf(trace, 1, 1, 1);
  const history::Operation& draw = history.operations.back();
  REQUIRE(draw.fragments.size() == 3);
  CHECK(draw.fragments[0].fate == Fate::kStored);
  CHECK(draw.fragments[1].primitive == 2);
  CHECK(draw.fragments[1].fate == Fate::kCulled);
  CHECK(draw.fragments[2].primitive == 3);
  CHECK(draw.fragments[2].fate == Fate::kCulled);
  CHECK(TextOf(trace, 1, 1, 1)
            .find("draw 2.2, DRAWPRIMITIVE, 2.3\n  cover the pixel, but faced away"
                  " (CULLMODE)\n") != std::string::npos);
}

TEST_CASE("Recorder: texels and weights of a sample") {
  // Four texels: black, red, green, blue; the middle of the texture everywhere.
  const std::string texture =
      R"({"event":"surface_create","handle":7,"kind":"texture","format":"A8R8G8B8","width":2,"height":2},
{"event":"surface_update","handle":7,"pitch":8,"data":"AAAA/wAA//8A/wD//wAA/w=="},)";
  const std::string states =
      R"({"op":"TEXTURESTAGESTATE","records":[{"stage":0,"ts_state":"TEXTUREMAP","value":7},{"stage":0,"ts_state":"COLOROP","value":"SELECTARG1"},
{"stage":0,"ts_state":"COLORARG1","value":"TEXTURE"},{"stage":0,"ts_state":"MAGFILTER","value":2},{"stage":0,"ts_state":"MINFILTER","value":2}]},)";
  const std::string draw =
      R"({"op":"SETVERTEXSHADERDECL","records":[{"handle":260}]},{"op":"SETSTREAMSOURCEUM","records":[{"stream":0,"stride":24}]},
{"op":"DRAWPRIMITIVE","records":[{"prim_type":"TRIANGLELIST","v_start":0,"primitive_count":1}]})";
  const std::string call =
      R"({"event":"dp2","context":1,"flags":["USERMEMVERTICES"],"vertex_type":260,"vertex_size":24,"commands":[)" +
      kPlain + states + draw +
      R"(],"vertices":[[-1,-1,0.5,1,0.5,0.5],[31,-1,0.5,1,0.5,0.5],[-1,31,0.5,1,0.5,0.5]]},)";
  const std::string trace = TraceOf(Target() + kContext + texture + call + kPresent);
  const history::History history = HistoryOf(trace, 1, 6, 2);
  const raster::ProbedFragment& fragment = OnlyFragment(history.operations.back());
  REQUIRE(fragment.shading.samples.size() == 1);
  const raster::ProbedSample& sample = fragment.shading.samples[0];
  CHECK(sample.texture == 7);
  CHECK(sample.width == 2);
  CHECK(sample.level == 0);
  CHECK(sample.filter == raster::Filter::kLinear);
  REQUIRE(sample.texels.size() == 4);
  for (const raster::ProbedTexel& texel : sample.texels)
    CHECK(texel.weight == 0.25F);
  CHECK(sample.texels[1].x == 1);
  CHECK(sample.texels[1].y == 0);
  CHECK(sample.texels[1].color == Float4{1, 0, 0, 1});
  CHECK(sample.texels[2].color == Float4{0, 1, 0, 1});
  CHECK(sample.texels[3].color == Float4{0, 0, 1, 1});
  REQUIRE(fragment.shading.stages.size() == 1);
  CHECK(history::EquationText(fragment.shading.stages[0].color) == "SELECTARG1(TEXTURE)");
  CHECK(Bits(history.after) == "0x00404040");
}

TEST_CASE("Recorder: uploads and blits, and where a blit takes the pixel from") {
  const std::string update =
      R"({"event":"surface_update","handle":1,"rect":[2,2,3,3],"pitch":4,"data":"AQIDBA=="},)";
  const std::string other =
      R"({"event":"surface_create","handle":9,"kind":"plain","format":"X8R8G8B8","width":8,"height":8},
{"event":"surface_update","handle":9,"rect":[5,6,6,7],"pitch":4,"data":"Dw4NAA=="},)";
  const std::string blit =
      R"({"event":"blt","kind":"copy","src":9,"src_rect":[4,4,8,8],"dest":1,"dest_rect":[0,0,4,4]},)";
  const std::string trace =
      TraceOf(Target() + kContext + other + update + kPresent + "," + blit + kPresent);
  const history::History first = HistoryOf(trace, 1, 2, 2);
  CHECK(first.operations.back().kind == history::Kind::kUpload);
  CHECK(Bits(first.after) == "0x04030201");
  CHECK(Because(first).find("because the upload (event 5, surface_update) wrote it") !=
        std::string::npos);
  CHECK(HistoryOf(trace, 1, 3, 2).operations.back().kind == history::Kind::kSurface);
  const history::History second = HistoryOf(trace, 2, 1, 2);
  REQUIRE(second.operations.size() == 1);
  REQUIRE(second.operations[0].blit);
  CHECK(second.operations[0].blit->handle == 9);
  CHECK(second.operations[0].blit->pixel == std::pair<uint32_t, uint32_t>(5, 6));
  CHECK(Bits(second.after) == "0x000d0e0f");
  CHECK(Because(second).find("see --surface 9 --pixel 5,6") != std::string::npos);
  CHECK(Bits(second.before) == "0x00000000");
  const history::History none = HistoryOf(trace, 2, 6, 6);
  CHECK(none.operations.empty());
  CHECK(Because(none).find("nothing wrote to it in this frame") != std::string::npos);
}

TEST_CASE("Recorder: a render state that copies the depth surface is a blit") {
  const std::string intz =
      R"({"event":"surface_create","handle":9,"kind":"texture","caps":["TEXTURE","VIDEOMEMORY"],"format":"INTZ","width":4,"height":8},)";
  const std::string bind =
      R"({"op":"TEXTURESTAGESTATE","records":[{"stage":0,"ts_state":"TEXTUREMAP","value":9}]},)";
  const std::string resolve = R"({"op":"RENDERSTATE","records":[)" + State("POINTSIZE", "2") + "," +
                              State("POINTSIZE", "\"0x7fa05000\"") + "]}";
  const std::string trace =
      TraceOf(Target() + kDepth + intz +
              Call(bind + Clear("0xFF0000FF", "\"ZBUFFER\"", "0.5") + "," + resolve) + kPresent);
  history::Options options;
  options.surface = 9;
  const history::History history = HistoryOf(trace, 1, 3, 5, options);
  const history::Operation& last = history.operations.back();
  CHECK(last.kind == history::Kind::kBlit);
  CHECK(last.writes);
  REQUIRE(last.blit);
  CHECK(last.blit->handle == 2);
  CHECK(last.blit->to == image::Area{0, 0, 4, 8});
  CHECK(last.blit->pixel == std::pair<uint32_t, uint32_t>(3, 5));
  REQUIRE(history.after->depth_stencil);
  CHECK(history.after->depth_stencil->depth == 0x800000);
  CHECK(Because(history).find("see --surface 2 --pixel 3,5") != std::string::npos);
}

TEST_CASE("Recorder: a presented part of a surface counts from its corner") {
  const std::string present = R"({"event":"present","handle":1,"rect":[2,3,8,8]})";
  const std::string trace = TraceOf(Target() + kContext + Call(Clear("0xFF112233")) + present);
  const history::History history = HistoryOf(trace, 1, 1, 1);
  CHECK(history.pixel.x == 3);
  CHECK(history.pixel.y == 4);
}

TEST_CASE("Recorder: draws outside of the view volume are named where no draw explains the pixel") {
  // XYZ and DIFFUSE; without transforms the coordinates are those of clip space.
  const auto call = [](const std::string& commands, const std::string& vertices) {
    return R"({"event":"dp2","context":1,"flags":["USERMEMVERTICES"],"vertex_type":66,"vertex_size":16,"commands":[)" +
           commands + "],\"vertices\":[" + vertices + "]},";
  };
  const auto draw = [](uint32_t count) {
    return fmt::format(
        R"({{"op":"SETVERTEXSHADERDECL","records":[{{"handle":66}}]}},{{"op":"SETSTREAMSOURCEUM","records":[{{"stream":0,"stride":16}}]}},
{{"op":"DRAWPRIMITIVE","records":[{{"prim_type":"TRIANGLELIST","v_start":0,"primitive_count":{}}}]}})",
        count);
  };
  const std::string left =
      R"([-5,-1,0.5,"0xFFFFFFFF"],[-5,1,0.5,"0xFFFFFFFF"],[-3,0,0.5,"0xFFFFFFFF"])";
  const std::string near =
      R"([-1,-1,-5,"0xFFFFFFFF"],[-1,1,-5,"0xFFFFFFFF"],[1,0,-3,"0xFFFFFFFF"])";
  const std::string inside =
      R"([-1,-1,0,"0xFFFFFFFF"],[-1,1,0,"0xFFFFFFFF"],[-0.9,0,0,"0xFFFFFFFF"])";
  const auto because = [&](uint32_t count, const std::string& vertices) {
    return Because(HistoryOf(TraceOf(Target() + kContext + Call(Clear("0xFF000007")) +
                                     call(kPlain + draw(count), vertices) + kPresent),
                             1, 7, 7));
  };
  CHECK(because(1, left).ends_with(
      "; draw 2: its primitive is outside of the view volume (left plane)"));
  CHECK(because(2, left + "," + left)
            .ends_with("; draw 2: all 2 primitives are outside of the view volume (left plane)"));
  CHECK(because(2, left + "," + near)
            .ends_with(
                "all 2 primitives are outside of the view volume (left plane 1, near plane 1)"));
  CHECK(because(2, left + "," + inside).find("view volume") == std::string::npos);
}

TEST_CASE("Recorder: draws of the frame that an error stopped come first") {
  const std::string refused = Call(
      kPlain +
      R"({"op":"SETVERTEXSHADERDECL","records":[{"handle":16}]},{"op":"DRAWPRIMITIVE","records":[{"prim_type":"TRIANGLELIST","v_start":0,"primitive_count":1}]})");
  const std::string frame = Call(Clear("0xFF000007")) + refused + kPresent + ",";
  const std::string trace = TraceOf(Target() + kContext + frame + frame + R"({"event":"marker"})");
  for (const uint64_t number : {uint64_t{1}, uint64_t{2}}) {
    CAPTURE(number);
    const history::History history = HistoryOf(trace, number, 1, 1);
    REQUIRE(history.refused.size() == 1);
    CHECK(history.refused[0].draw == 2 * number);
    CHECK(history.refused[0].rule == "DP2-FVF-001");
    const std::string text = TextOf(trace, number, 1, 1);
    CHECK(text.find(fmt::format("\ndraw {} was not drawn: ", 2 * number)) != std::string::npos);
    CHECK(text.find("was not drawn") < text.find("before the frame"));
    CHECK(JsonOf(trace, number, 1, 1).find("\"rule\":\"DP2-FVF-001\"") != std::string::npos);
  }
}

TEST_CASE("Recorder: draws that have nothing to draw come first, too") {
  const std::string empty = Call(kPlain + R"({"op":"POINTS","records":[{"count":0,"v_start":0}]})");
  const history::History history = HistoryOf(
      TraceOf(Target() + kContext + Call(Clear("0xFF000007")) + empty + kPresent), 1, 1, 1);
  REQUIRE(history.refused.size() == 1);
  CHECK(history.refused[0].draw == 2);
  CHECK(history.refused[0].rule == "DP2-PRIM-008");
}

TEST_CASE("Recorder: the draws of a call that is refused as a whole come first, with its error") {
  std::string lost = Call(Clear("0xFF000008") + "," + Clear("0xFF000009"));
  lost.replace(lost.find("\"context\":1"), 11, "\"context\":9");
  const std::string trace =
      TraceOf(Target() + kContext + Call(Clear("0xFF000007")) + lost + kPresent);
  const history::History history = HistoryOf(trace, 1, 1, 1);
  REQUIRE(history.refused.size() == 2);
  CHECK(history.refused[0].draw == 2);
  CHECK(history.refused[1].draw == 3);
  CHECK(history.refused[0].rule == "DP2-CALL-001");
  CHECK(history.refused[1].rule == history.refused[0].rule);
  CHECK(history.refused[0].offset < history.refused[1].offset);
}

TEST_CASE("Recorder: where a draw ends for its work, all renderers tell of the same fragments") {
  std::string vertices;
  for (int i = 0; i < 20; ++i)
    vertices += (i == 0 ? "" : ",") + Whole("0xFFFF0000");
  const std::string trace = TraceOf(Target() + kContext + Call(kPlain + Clear("0xFF0000FF")) +
                                    Call(Draw(20), vertices) + kPresent);
  for (uint64_t steps = 8; steps < 1000; steps += 31) {
    CAPTURE(steps);
    history::Options options;
    options.play.raster.max_draw_steps = steps;
    const history::History fast = HistoryOf(trace, 1, 4, 4, options);
    options.renderer = "reference";
    CHECK(ReportText(fast) == ReportText(HistoryOf(trace, 1, 4, 4, options)));
  }
}

TEST_CASE("TargetGuess: what tokens ask for, whether or not they are executed") {
  const std::string start =
      R"({"event":"surface_create","space":3,"handle":7,"kind":"target","format":"X8R8G8B8","width":8,"height":8},
{"event":"surface_create","space":3,"handle":8,"kind":"target","format":"X8R8G8B8","width":8,"height":8},
{"event":"context_create","space":3,"context":1,"target":7})";
  const std::string clear = R"({"op":"CLEAR","flags":["TARGET"],"rects":[[0,0,8,8]]})";
  const auto call = [](const std::string& tokens, const std::string& more) {
    return R"(,
{"event":"dp2","space":3,"context":1,"commands":[)" +
           tokens + "]" + more + "}";
  };
  const std::string other =
      R"({"op":"SETRENDERTARGET2","records":[{"rt_index":1,"render_target":7},{"rt_index":0,"render_target":8}]},)";
  CHECK(GuessOf(TraceOf(start), 0) == std::nullopt);
  CHECK(GuessOf(TraceOf(start + call(clear, "")), 0) == play::DrawnTarget{3, 7});
  CHECK(GuessOf(TraceOf(start + call(clear, "")), 5) == std::nullopt);
  CHECK(GuessOf(TraceOf(start + call(other + clear, "")), 0) == play::DrawnTarget{3, 8});
  const std::string old = R"({"op":"SETRENDERTARGET","render_target":8,"z_buffer":0},)";
  CHECK(GuessOf(TraceOf(start + call(old + clear, "")), 4) == play::DrawnTarget{3, 8});
  const std::string failed =
      TraceOf(start + call(clear, "") + call(other + clear, R"(,"ddrval":2147500037)"));
  CHECK(GuessOf(failed, 0) == play::DrawnTarget{3, 8});
  CHECK(SpanOf(failed, 1).handle == 7);
}

TEST_CASE("Recorder: frames before are there, and what comes after is not") {
  const std::string trace =
      TraceOf(Target() + kContext + Call(Clear("0xFF000001")) + kPresent + "," +
              Call(Clear("0xFF000002")) + kPresent + "," + Call(Clear("0xFF000003")) + kPresent);
  const history::History history = HistoryOf(trace, 2, 0, 0);
  CHECK(Bits(history.before) == "0x00000001");
  CHECK(Bits(history.after) == "0x00000002");
  REQUIRE(history.operations.size() == 1);
  CHECK(history.operations[0].draw == 2);
}

TEST_CASE("Recorder: a surface that is gone at the end has a history, too") {
  const std::string destroy = R"({"event":"surface_destroy","handle":1})";
  const std::string trace =
      TraceOf(Target() + kContext + Call(Clear("0xFF000007")) + kPresent + "," + destroy + "," +
              Target() + Call(Clear("0xFF000009")) + destroy);
  const history::History history = HistoryOf(trace, 2, 1, 1);
  CHECK_FALSE(history.after);
  CHECK(history.absence.empty());
  CHECK(history.width == 8);
  CHECK(history.operations.front().name == "surface_destroy");
  CHECK(
      Because(history).starts_with("the surface is gone at the end of the frame; before that, the "
                                   "pixel is 0x00000009 "));
}

TEST_CASE("Recorder: a pixel, a level and a surface that are not there are named") {
  const std::string trace = TraceOf(Target() + kContext + Call(Clear("0xFF000007")) + kPresent);
  CHECK(HistoryOf(trace, 1, 8, 0).absence ==
        "pixel 8,0 is outside of surface 1, which has 8x8 pixels");
  history::Options options;
  options.surface = 1;
  options.level = 1;
  CHECK(HistoryOf(trace, 1, 0, 0, options).absence ==
        "surface 1 has no such face and level at the end of frame 1");
  const std::string part = TraceOf(Target() + kContext + Call(Clear("0xFF000007")) +
                                   R"({"event":"present","handle":1,"rect":[0,0,4,4]})");
  CHECK(HistoryOf(part, 1, 4, 0).absence ==
        "pixel 4,0 is outside of the part that is shown of surface 1, which has 8x8 pixels");
}

TEST_CASE("Recorder: each sample of a multisampled target is named") {
  const std::string trace =
      TraceOf(Target("X8R8G8B8", ",\"samples\":4") + kContext +
              Call(kPlain + Clear("0xFF0000FF") + "," + Draw(), Whole("0xFFFF0000")) + kPresent);
  const history::History history = HistoryOf(trace, 1, 4, 4);
  CHECK(history.samples == 4);
  REQUIRE(history.after);
  CHECK(history.after->samples.size() == 4);
  const raster::ProbedFragment& fragment = OnlyFragment(history.operations.back());
  REQUIRE(fragment.writes.size() == 4);
  CHECK(fragment.writes[3].sample == 3);
  CHECK(TextOf(trace, 1, 4, 4).find("sample 3") != std::string::npos);
}

TEST_CASE("Recorder: what is kept of a pixel that everything covers is bounded") {
  std::string calls = Call(kPlain + Clear("0xFF0000FF"));
  std::string vertices = Whole("0xFFFF0000");
  for (int i = 1; i < 1000; ++i)
    vertices += "," + Whole("0xFFFF0000");
  for (int i = 0; i < 5; ++i)
    calls += Call(Draw(1000), vertices);
  const history::History history =
      HistoryOf(TraceOf(Target() + kContext + calls + kPresent), 1, 4, 4);
  CHECK(history.dropped_fragments == 904);
  CHECK(Bits(history.after) == "0x00ff0000");
  CHECK(history.operations.back().before == history.operations.back().after);
}
