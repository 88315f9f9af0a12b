#include "blame/written.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>
#include <vector>

#include "blame/follow.h"
#include "blame/report.h"
#include "blame_run.h"
#include "support/json_events.h"
#include "unit/history/history_run.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

namespace {

// The picture is surface 1; 2 is a texture that can be drawn to, 3 and 4 are plain targets.
const std::string kStart =
    R"({"event":"surface_create","handle":1,"kind":"target","format":"X8R8G8B8","width":8,"height":8},
{"event":"surface_create","handle":2,"kind":"texture","caps":12288,"format":"X8R8G8B8","width":8,"height":8},
{"event":"surface_create","handle":3,"kind":"target","format":"X8R8G8B8","width":8,"height":8},
{"event":"context_create","context":1,"target":1},)";
const std::string kPresent = R"({"event":"present","handle":1})";

std::string Call(const std::string& commands) {
  return R"({"event":"dp2","context":1,"flags":["USERMEMVERTICES"],"vertex_type":260,"vertex_size":24,"commands":[)" +
         commands +
         R"(],"vertices":[[0,0,0,1,0,0],[8,0,0,1,1,0],[0,8,0,1,0,1],[0,0,0,1,0,0],[4,0,0,1,1,0],[0,4,0,1,0,1]]},)";
}

std::string Target(uint32_t handle) {
  return fmt::format(R"({{"op":"SETRENDERTARGET","render_target":{},"z_buffer":0}},)", handle);
}

std::string Clear(const std::string& color, const std::string& rect = "[0,0,8,8]") {
  return fmt::format(
      R"({{"op":"CLEAR","flags":["TARGET"],"fill_color":"{}","fill_depth":1,"fill_stencil":0,"rects":[{}]}})",
      color, rect);
}

// A triangle, from vertex `first` on, with a texture or (0) TFACTOR.
std::string Draw(uint32_t texture, uint32_t first = 0, const std::string& factor = "0xFF00FF00") {
  return fmt::format(
      R"({{"op":"RENDERSTATE","records":[{{"render_state":"CULLMODE","state":"NONE"}},{{"render_state":"TEXTUREFACTOR","state":"{}"}}]}},
{{"op":"TEXTURESTAGESTATE","records":[{{"stage":0,"ts_state":"TEXTUREMAP","value":{}}},{{"stage":0,"ts_state":"COLOROP","value":"SELECTARG1"}},
{{"stage":0,"ts_state":"COLORARG1","value":"{}"}}]}},
{{"op":"SETVERTEXSHADERDECL","records":[{{"handle":260}}]}},{{"op":"SETSTREAMSOURCEUM","records":[{{"stream":0,"stride":24}}]}},
{{"op":"DRAWPRIMITIVE","records":[{{"prim_type":"TRIANGLELIST","v_start":{},"primitive_count":1}}]}})",
      factor, texture, texture != 0 ? "TEXTURE" : "TFACTOR", first);
}

std::string Blt(uint32_t from, uint32_t to) {
  return fmt::format(R"({{"event":"blt","kind":"copy","src":{},"dest":{}}},)", from, to);
}

blame::Frame Followed(const std::string& trace, uint64_t frame = 1) {
  TextFeed feed(trace);
  Result<blame::Frame> recorded = blame::RecordFrame({}, SpanOf(trace, frame), feed);
  REQUIRE(recorded.ok());
  return std::move(*recorded);
}

std::string TextOf(const std::string& trace, const std::string& driver) {
  const blame::Frame frame = Followed(trace);
  return blame::ReportText(frame, blame::FindBlame(frame, PictureOf(driver, 1), {}), {});
}

bool Has(const std::string& text, const std::string& part) {
  const bool has = text.find(part) != std::string::npos;
  if (!has) MESSAGE(text);
  return has;
}

}  // namespace

TEST_CASE("blame: the draws after a texture that the frame drew to are named") {
  const auto trace = [&](const std::string& factor) {
    return TraceOf(kStart +
                   Call(Target(2) + Clear("0xFF0000FF") + "," + Draw(0, 0, factor) + "," +
                        Draw(0, 3, "0xFFFFFFFF")) +
                   Call(Target(1) + Clear("0xFF000000") + "," + Draw(2)) + kPresent);
  };
  const std::string text = TextOf(trace("0xFF00FF00"), trace("0xFFFF0000"));
  CHECK(Has(text, "  1. draw 5, DRAWPRIMITIVE"));
  CHECK(
      Has(text,
          "     reads surface 2 (texture 0), which this frame wrote: the clear of draw 1, draw 2, "
          "draw 3\n"));
}

TEST_CASE("blame: what was there before all of a surface was cleared is not after it") {
  const std::string trace =
      TraceOf(kStart + Call(Target(2) + Draw(0) + "," + Clear("0xFF0000FF") + "," + Draw(0, 3)) +
              Call(Target(1) + Clear("0xFF000000") + "," + Draw(2)) + kPresent);
  const blame::Frame frame = Followed(trace);
  const auto behind = blame::FindReadings(frame, frame.operations.back());
  REQUIRE(behind.size() == 1);
  REQUIRE(behind[0].reading->count == 2);
  CHECK(behind[0].surface->by[0].draw == 2);
  CHECK(behind[0].surface->by[1].draw == 3);
  CHECK(behind[0].surface->by[0].facts.empty());
}

TEST_CASE("blame: draws are followed through a blit into a texture, each surface once") {
  const std::string trace =
      TraceOf(kStart + Call(Target(3) + Clear("0xFF0000FF") + "," + Draw(0)) + Blt(3, 2) +
              Call(Target(1) + Clear("0xFF000000") + "," + Draw(2) + "," + Draw(2, 3)) + kPresent);
  const blame::Frame frame = Followed(trace);
  const auto behind = blame::FindReadings(frame, frame.operations.back());
  REQUIRE(behind.size() == 2);
  CHECK(behind[0].surface->handle == 2);
  CHECK(behind[0].depth == 0);
  CHECK(behind[1].surface->handle == 3);
  CHECK(behind[1].depth == 1);
  CHECK(behind[1].reading->as == "blit source");
  CHECK(behind[1].reading->count == 2);
}

TEST_CASE("blame: draws are followed through a depth texture, and through a copy of RESZ") {
  const std::string depths =
      R"({"event":"surface_create","handle":5,"kind":"depth","format":"D24S8","width":8,"height":8},
{"event":"surface_create","handle":6,"kind":"texture","caps":["TEXTURE","ZBUFFER"],"format":"INTZ","width":8,"height":8},)";
  const std::string resolve =
      R"({"op":"TEXTURESTAGESTATE","records":[{"stage":0,"ts_state":"TEXTUREMAP","value":6}]},
{"op":"RENDERSTATE","records":[{"render_state":"POINTSIZE","state":"0x7FA05000"}]},)";
  const std::string z =
      R"({"op":"RENDERSTATE","records":[{"render_state":"ZENABLE","state":1},{"render_state":"ZWRITEENABLE","state":1}]},)";
  const auto behind_with = [&](int depth, const std::string& copy) {
    const std::string shadows =
        fmt::format(R"({{"op":"SETRENDERTARGET","render_target":3,"z_buffer":{}}},)", depth);
    const std::string trace =
        TraceOf(kStart + depths + Call(shadows + z + Draw(0) + "," + copy + Target(1) + Draw(6)) +
                kPresent);
    const blame::Frame frame = Followed(trace);
    std::vector<std::string> texts;
    for (const blame::NestedReading& behind : blame::FindReadings(frame, frame.operations.back())) {
      texts.push_back(fmt::format("{} {} by {}", behind.surface->handle, behind.reading->as,
                                  behind.surface->by[0].name));
    }
    return texts;
  };
  CHECK(behind_with(6, "") == std::vector<std::string>{"6 texture 0 by DRAWPRIMITIVE"});
  CHECK(behind_with(5, resolve) ==
        std::vector<std::string>{"6 texture 0 by RENDERSTATE", "5 blit source by DRAWPRIMITIVE"});
}

TEST_CASE("blame: a picture that is a copy is blamed on the draws into what was copied") {
  const auto trace = [&](const std::string& factor, const std::string& copy) {
    return TraceOf(kStart +
                   Call(Target(3) + Clear("0xFF0000FF") + "," + Draw(0, 0, factor) + "," +
                        Draw(0, 3, "0xFFFFFFFF")) +
                   copy + kPresent);
  };
  const std::string token =
      R"({"event":"dp2","context":1,"commands":[{"op":"BLT","records":[{"source":3,"source_rect":[0,0,8,8],"source_mip_level":0,"dest":1,"dest_rect":[0,0,8,8],"dest_mip_level":0,"flags":[]}]}]},)";
  const std::vector<std::string> copies = {Blt(3, 1), Blt(3, 2) + Blt(2, 1), token};
  for (const std::string& copy : copies) {
    CAPTURE(copy);
    const std::string right = trace("0xFF00FF00", copy);
    const std::string wrong = trace("0xFFFF0000", copy);
    REQUIRE(PictureOf(right, 1) != PictureOf(wrong, 1));
    const std::string text = TextOf(right, wrong);
    CHECK(Has(text, "  1. draw 2, DRAWPRIMITIVE"));
    CHECK(Has(text, "surface 3 (X8R8G8B8, 8x8): "));
    CHECK(Has(text, "the picture as a whole was copied from there by "));
  }
}

TEST_CASE("blame: a copy of a part, or one that was drawn over, is not followed") {
  const std::string part =
      R"({"event":"blt","kind":"copy","src":3,"src_rect":[0,0,4,4],"dest":1,"dest_rect":[0,0,4,4]},)";
  const std::string draws = Call(Target(3) + Clear("0xFF0000FF") + "," + Draw(0));
  const blame::Frame some = Followed(TraceOf(kStart + draws + part + kPresent));
  CHECK(some.copies.empty());
  CHECK(some.surface == 1);
  REQUIRE(!some.operations.back().reads.empty());
  const blame::Frame over =
      Followed(TraceOf(kStart + draws + Blt(3, 1) + Call(Target(1) + Draw(0, 3)) + kPresent));
  CHECK(over.copies.empty());
  CHECK(over.surface == 1);
}
