#include "trim/use_collector.h"

#include <doctest/doctest.h>

#include <string>

#include "support/test_folder.h"
#include "trace_file/source.h"
#include "trim/trim.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file
using trim::FirstUse;

namespace {

// A target (surface 1), a depth surface with stencil (2) and a texture of two levels (3), a first frame, and the events of the second: the part
// is that frame, or what else is chosen.
trim::Part SecondFrame(const std::string& events, const std::string& before = "",
                       trim::Unit unit = trim::Unit::kFrames, const std::string& numbers = "2") {
  const TestFolder folder;
  WriteText(folder / "in.json", R"([{"event":"header","driver_level":9},
{"event":"surface_create","handle":1,"kind":"target","caps":["3DDEVICE","VIDEOMEMORY"],"format":"X8R8G8B8","width":8,"height":4},
{"event":"surface_create","handle":2,"kind":"depth","caps":["VIDEOMEMORY","ZBUFFER"],"format":"D24S8","width":8,"height":4},
{"event":"surface_create","handle":3,"kind":"texture","caps":["TEXTURE","VIDEOMEMORY"],"format":"X8R8G8B8","width":2,"height":2,"levels":2},
{"event":"context_create","context":1,"target":1,"depth":2},)" +
                                    before + R"({"event":"present","handle":1},)" + events +
                                    R"({"event":"present","handle":1}])");
  DiagnosticList findings;
  trace_file::OpenError error;
  const auto source =
      trace_file::Source::Open(folder / "in.json", uint64_t{1} << 30, findings, error);
  REQUIRE(source != nullptr);
  std::string unused;
  const auto part =
      trim::FindPart(*source, {.unit = unit, .numbers = *Selection::Parse(numbers, unused)}, {},
                     trace_model::WalkQuietly);
  REQUIRE(part.ok());
  REQUIRE(findings.empty());
  REQUIRE(part->is_found);
  return *part;
}

std::string Call(const std::string& tokens, const std::string& fields = "") {
  return R"({"event":"dp2","context":1,"commands":[)" + tokens + "]" + fields + "},";
}

std::string Clear(const std::string& flags, const std::string& rect,
                  const std::string& stencil = "0") {
  return R"({"op":"CLEAR","flags":[)" + flags +
         R"(],"fill_color":255,"fill_depth":1,"fill_stencil":)" + stencil + R"(,"rects":[)" + rect +
         "]}";
}

std::string State(const std::string& name, const std::string& value) {
  return R"({"op":"RENDERSTATE","records":[{"render_state":")" + name + R"(","state":)" + value +
         "}]}";
}

// The first use of level 0 of the surface: what the snapshot leaves out is overwritten.
bool IsOverwritten(const trim::Part& part, uint32_t surface) {
  const auto& places = part.surfaces.at({0, surface}).places;
  const auto found = places.find({0, 0});
  return found != places.end() && found->second == FirstUse::kOverwrite;
}

bool IsOverwritten(const trim::Part& part, d3d::RenderState state) {
  return part.contexts.at({0, 1}).overwritten.contains(
      {device::StateKind::kRender, d3d::Value(state)});
}

}  // namespace

TEST_CASE(
    "Survey: events that are a frame are the part that the frame is, and others end it earlier") {
  const std::string draws =
      Call(Clear(R"("TARGET")", "[0,0,8,4]")) + Call(Clear(R"("ZBUFFER")", "[0,0,8,4]"));
  const trim::Part frame = SecondFrame(draws);
  const trim::Part same = SecondFrame(draws, "", trim::Unit::kEvents, "6-8");
  REQUIRE(frame.end);
  REQUIRE(same.end);
  CHECK(same.begin.event == frame.begin.event);
  CHECK(same.end->event == frame.end->event);
  CHECK(same.first_frame == frame.first_frame);
  CHECK(same.first_draw == frame.first_draw);
  CHECK(same.frames == frame.frames);
  CHECK(same.draws == frame.draws);
  CHECK(same.surfaces.size() == frame.surfaces.size());
  const trim::Part first = SecondFrame(draws, "", trim::Unit::kEvents, "6");
  CHECK(first.end->event == 7);
  CHECK(first.draws == 1);
  CHECK(first.frames == 1);
  CHECK(IsOverwritten(first, 1));
  CHECK(SecondFrame(draws, "", trim::Unit::kEvents, "1-6").is_from_start);
}

TEST_CASE("UseCollector: a CLEAR overwrites what the device has filled") {
  CHECK(IsOverwritten(SecondFrame(Call(Clear(R"("TARGET")", "[0,0,8,4]"))), 1));
  CHECK_FALSE(IsOverwritten(SecondFrame(Call(Clear(R"("TARGET")", "[0,0,8,3]"))), 1));
  // A part first, then all.
  CHECK(IsOverwritten(SecondFrame(Call(Clear(R"("TARGET")", "[0,0,1,1],[0,0,8,4]"))), 1));
  // The viewport limits what COMPUTERECTS fills, however its edges wrap.
  const std::string viewport = R"({"op":"VIEWPORTINFO","records":[{"x":0,"y":0,"width":)";
  const std::string computed = Clear(R"("TARGET","COMPUTERECTS")", "");
  CHECK(IsOverwritten(SecondFrame(Call(viewport + R"(8,"height":4}]},)" + computed)), 1));
  CHECK_FALSE(IsOverwritten(SecondFrame(Call(viewport + R"(8,"height":3}]},)" + computed)), 1));
}

TEST_CASE("UseCollector: a CLEAR that the device refuses overwrites nothing") {
  for (const char* const rect : {"[0,0,9,4]", "[-1,0,8,4]", "[8,0,0,4]", ""}) {
    CAPTURE(rect);
    CHECK_FALSE(IsOverwritten(SecondFrame(Call(Clear(R"("TARGET")", rect))), 1));
  }
  // Of one rectangle that is refused and one that is not the second counts.
  CHECK(IsOverwritten(SecondFrame(Call(Clear(R"("TARGET")", "[0,0,9,4],[0,0,8,4]"))), 1));
  CHECK_FALSE(IsOverwritten(SecondFrame(Call(Clear("\"TARGET\",64", "[0,0,8,4]"))), 1));
  // The call failed before it.
  const std::string failed = R"(,"ddrval":2147500037,"error_offset":0)";
  CHECK_FALSE(IsOverwritten(SecondFrame(Call(Clear(R"("TARGET")", "[0,0,8,4]"), failed)), 1));
}

TEST_CASE("UseCollector: a depth surface is overwritten with its stencil, or not") {
  CHECK(IsOverwritten(SecondFrame(Call(Clear(R"("ZBUFFER","STENCIL")", "[0,0,8,4]"))), 2));
  CHECK_FALSE(IsOverwritten(SecondFrame(Call(Clear(R"("ZBUFFER")", "[0,0,8,4]"))), 2));
}

TEST_CASE("UseCollector: an update overwrites where the device takes it") {
  const std::string bytes =
      R"({"event":"surface_update","handle":3,"data":"AAAAAAAAAAAAAAAAAAAAAA==")";
  CHECK(IsOverwritten(SecondFrame(bytes + "},"), 3));
  CHECK_FALSE(IsOverwritten(SecondFrame(bytes + R"(,"pitch":4},)"), 3));
  CHECK_FALSE(IsOverwritten(SecondFrame(bytes + R"(,"pitch":64},)"), 3));
  CHECK_FALSE(IsOverwritten(SecondFrame(bytes + R"(,"rect":[0,0,1,2]},)"), 3));
}

TEST_CASE("UseCollector: a fill overwrites where the device takes it") {
  const std::string fill = R"({"event":"blt","kind":"color_fill","dest":1,"fill":255)";
  CHECK(IsOverwritten(SecondFrame(fill + "},"), 1));
  CHECK(IsOverwritten(SecondFrame(fill + R"(,"dest_rect":[0,0,8,4]},)"), 1));
  CHECK_FALSE(IsOverwritten(SecondFrame(fill + R"(,"dest_rect":[0,0,9,4]},)"), 1));
  CHECK_FALSE(IsOverwritten(SecondFrame(fill + R"(,"dest_rect":[-1,0,8,4]},)"), 1));
  CHECK_FALSE(IsOverwritten(SecondFrame(fill + R"(,"ddrval":2147500037},)"), 1));
}

TEST_CASE("UseCollector: a state is overwritten where its value takes effect") {
  using d3d::RenderState;
  CHECK(IsOverwritten(SecondFrame(Call(State("CULLMODE", "1"))), RenderState::CullMode));
  CHECK_FALSE(IsOverwritten(SecondFrame(Call(State("CULLMODE", "77"))), RenderState::CullMode));
  // A state block that was begun before records it.
  const std::string begin =
      Call(R"({"op":"STATESET","records":[{"operation":"BEGIN","param":5,"type":"NULL"}]})");
  CHECK_FALSE(
      IsOverwritten(SecondFrame(Call(State("CULLMODE", "3")), begin), RenderState::CullMode));
}

TEST_CASE("UseCollector: without a mip filter a draw reads one level, whatever MAXMIPLEVEL is") {
  const std::string draw = Call(
      R"({"op":"TEXTURESTAGESTATE","records":[{"stage":0,"ts_state":"TEXTUREMAP","value":3},{"stage":0,"ts_state":"MAXMIPLEVEL","value":4294967295}]},
{"op":"TRIANGLELIST","v_start":0})",
      R"(,"vertex_type":324,"vertex_size":28)");
  const auto places = SecondFrame(draw).surfaces.at({0, 3}).places;
  CHECK(places.contains({0, 0}));
  CHECK_FALSE(places.contains({0, 1}));
}

TEST_CASE(
    "UseCollector: RESZ reads the depth surface and the states, and writes the texture of stage 0") {
  const std::string before =
      R"({"event":"surface_create","handle":4,"kind":"texture","caps":["TEXTURE","VIDEOMEMORY"],"format":"INTZ","width":8,"height":4},)" +
      Call(
          R"({"op":"TEXTURESTAGESTATE","records":[{"stage":0,"ts_state":"TEXTUREMAP","value":4}]})");
  const std::string clear = Clear(R"("ZBUFFER","STENCIL")", "[0,0,8,4]");
  const std::string zfunc = State("ZFUNC", R"("LESS")");
  const auto part = [&](const std::string& point_size) {
    return SecondFrame(Call(State("POINTSIZE", point_size) + "," + zfunc + "," + clear), before);
  };
  const trim::Part resolved = part(R"("0x7fa05000")");
  CHECK(resolved.surfaces.at({0, 4}).is_named);
  CHECK(resolved.surfaces.at({0, 4}).places.at({0, 0}) == FirstUse::kContent);
  CHECK_FALSE(IsOverwritten(resolved, 2));
  CHECK_FALSE(IsOverwritten(resolved, d3d::RenderState::ZFunc));
  const trim::Part other = part("2");
  CHECK_FALSE(other.surfaces.at({0, 4}).is_named);
  CHECK(IsOverwritten(other, 2));
  CHECK(IsOverwritten(other, d3d::RenderState::ZFunc));
}
