#include "verify/verifier.h"

#include <doctest/doctest.h>

#include <cstring>
#include <string>

#include "json/reader.h"
#include "rules/rule_info.h"

using namespace dp2trace;  // NOLINT(google-build-using-namespace): test file

namespace {

constexpr const char* kStart =
    R"({"event":"header","driver_level":7},{"event":"surface_create","handle":1,"kind":"target","format":"A8R8G8B8","width":8,"height":8},{"event":"context_create","context":1,"target":1,"runtime_version":3},)";
constexpr const char* kClear =
    R"({"event":"dp2","context":1,"commands":[{"op":"CLEAR","flags":["TARGET"],"fill_color":"0x80102030","rects":[[0,0,8,8]]}]},)";

// Calls visit(number, event) for each event.
template <class Visit>
void ForEachEvent(const std::string& text, const Visit& visit) {
  size_t at = 0;
  json::Reader reader([&](std::span<uint8_t> out) -> Result<size_t> {
    const size_t count = std::min(out.size(), text.size() - at);
    std::memcpy(out.data(), text.data() + at, count);
    at += count;
    return count;
  });
  trace::Event event;
  for (uint64_t number = 0;; ++number) {
    const Result<bool> next = reader.Next(event);
    if (!next.ok()) FAIL(next.status().diagnostic().message);
    if (!*next) return;
    visit(number, event);
  }
}

struct Outcome {
  std::vector<std::string> findings;  // "RULE EVENT"
  std::vector<std::string> messages;
  std::vector<verify::PictureResult> pictures;
  std::vector<uint64_t> differing;  // pictures of which both sides were at hand
  std::optional<replay::CausingDraw> cause;
};

Outcome Verify(const std::string& events, uint32_t tolerance = 0, bool has_end = true,
               std::optional<uint64_t> max_surface_bytes = {}, bool lists_leaks = false) {
  const std::string text = "[" + events + R"({"event":"marker"}])";
  verify::Options options;
  options.checks.tolerance = tolerance;
  options.checks.lists_leaks = lists_leaks;
  options.replay.validation.max_surface_bytes = max_surface_bytes;
  Outcome outcome;
  options.checks.on_difference = [&outcome](uint64_t sequence, const verify::PicturePair& pair) {
    CHECK(pair.driver.rgba != pair.replay.rgba);
    outcome.differing.push_back(sequence);
    return OkStatus();
  };
  DiagnosticList findings;
  verify::Verifier verifier(options, findings);
  ForEachEvent(text, [&](uint64_t number, const trace::Event& event) {
    CHECK(verifier.OnEvent(number, event).ok());
  });
  CHECK(verifier.Finish(has_end).ok());
  for (const Diagnostic& finding : findings.items()) {
    outcome.findings.push_back(std::string(Info(finding.rule).id) + " " +
                               std::to_string(finding.event.value_or(0)));
    outcome.messages.push_back(finding.message);
  }
  outcome.pictures = verifier.pictures();
  if (const verify::PictureResult* const first = verifier.first_different()) {
    verify::CauseFinder finder(options, *first);
    ForEachEvent(text, [&](uint64_t number, const trace::Event& event) {
      if (!finder.player().is_done()) CHECK(finder.player().OnEvent(number, event).ok());
    });
    outcome.cause = finder.draw();
  }
  return outcome;
}

using Ids = std::vector<std::string>;

}  // namespace

TEST_CASE(
    "Verify: a driver that did not come back from its first call is found where the file has no end") {
  const auto found = [](const std::string& events, bool has_end) {
    return Verify(kStart + events, 0, has_end).findings;
  };
  CHECK(found(kClear, false) == Ids{"RECORD-RETURN-001 3"});
  CHECK(found(kClear, true) == Ids{});
  // Two calls: this recorder has no results. A context is recorded after the driver.
  CHECK(found(std::string(kClear) + kClear, false) == Ids{});
  CHECK(found("", false) == Ids{});
}

TEST_CASE("Verify: a file without an end and without a call says what may have happened") {
  const auto found = [](const std::string& events, bool has_end) {
    return Verify(R"({"event":"header","driver_level":7},)" + events, 0, has_end);
  };
  const std::string surface =
      R"({"event":"surface_create","handle":1,"format":"A8R8G8B8","width":8,"height":8},)";
  CHECK(found("", false).findings == Ids{"RECORD-RETURN-002 0"});
  const Outcome two = found(surface, false);
  CHECK(two.findings == Ids{"RECORD-RETURN-002 1"});
  CHECK(two.messages.at(0).find(
            "event 1, surface_create: the machine was turned off, or the driver") !=
        std::string::npos);
  CHECK(found(surface, true).findings == Ids{});
  // The driver came back from something.
  CHECK(found(surface + R"({"event":"surface_destroy","handle":1},)", false).findings == Ids{});
  // What the recorder lost is another finding.
  CHECK(found(R"({"event":"lost","events":1,"cause":"write"},)", false).findings ==
        Ids{"RECORD-LOST-001 1"});
}

TEST_CASE(
    "Verifier: a draw that the replay refuses is not sound, nor are vertices that are too small") {
  // Three vertices, from `first` on; all zeros, in Base64.
  const auto draw = [](uint32_t first, uint32_t size) {
    return Verify(
        std::string(kStart) + kClear +
        R"({"event":"dp2","context":1,"vertex_type":4,"vertex_size":)" + std::to_string(size) +
        R"(,"commands":[{"op":"TRIANGLELIST","count":1,"v_start":)" + std::to_string(first) +
        R"(}],"vertices":")" + std::string(size_t{size} * 4, 'A') + R"("},)");
  };
  CHECK(draw(0, 16).findings == Ids{});
  CHECK(draw(40, 16).findings == Ids{"DP2-PRIM-001 4"});
  CHECK(draw(0, 8).findings == Ids{"DP2-FVF-011 4"});
}

TEST_CASE(
    "Verifier: surfaces for which there is no memory are one finding, and live in the driver") {
  std::string events = kStart;
  for (const char* const handle : {"2", "3", "4", "5"})
    events += std::string(R"({"event":"surface_create","handle":)") + handle +
              R"(,"format":"A8R8G8B8","width":64,"height":64},)";
  events += R"({"event":"surface_destroy","handle":5},)";
  const Outcome outcome = Verify(events, 0, true, 20000, true);
  CHECK(outcome.findings == Ids{"RECORD-LEAK-001 1", "RECORD-LEAK-001 3", "RECORD-LEAK-001 4",
                                "RECORD-LEAK-001 5", "RECORD-LEAK-001 2", "REPLAY-SURFACE-001 4"});
  CHECK(outcome.messages.back().starts_with("there is no memory for surface 3 of "));
  CHECK(outcome.messages.back().find("2 live surfaces") != std::string::npos);
  CHECK(outcome.messages.back().ends_with("; so it is with 2 later surfaces"));
}

TEST_CASE("Verifier: a picture that is the replay's is not a finding") {
  const Outcome outcome = Verify(
      std::string(kStart) + kClear +
      R"({"event":"picture","handle":1,"rect":[3,4,4,5],"format":"A8R8G8B8","data":"MCAQgA=="},)");
  CHECK(outcome.findings == Ids{});
  REQUIRE(outcome.pictures.size() == 1);
  CHECK(outcome.pictures[0].is_compared);
  CHECK(outcome.pictures[0].area == image::Area{3, 4, 4, 5, 0, 1});
}

TEST_CASE("Verifier: a picture that differs has its first pixel and the draw that wrote it") {
  const std::string picture =
      R"({"event":"picture","handle":1,"rect":[3,4,4,5],"format":"A8R8G8B8","data":"MyAQgA=="},)";
  const Outcome outcome = Verify(std::string(kStart) + kClear + picture);
  CHECK(outcome.findings == Ids{"RECORD-PICTURE-001 4"});
  const verify::PictureDifference& difference = outcome.pictures.at(0).difference;
  CHECK(difference.pixels == 1);
  CHECK(difference.largest == 3);
  CHECK(difference.first->x == 3);
  CHECK(difference.first->y == 4);
  CHECK(difference.first->driver == std::array<uint8_t, 4>{0x10, 0x20, 0x33, 0x80});
  CHECK(difference.first->replay == std::array<uint8_t, 4>{0x10, 0x20, 0x30, 0x80});
  CHECK(outcome.cause == replay::CausingDraw{1, 3, 0, "CLEAR"});
  CHECK(Verify(std::string(kStart) + kClear + picture, 3).findings == Ids{});
}

TEST_CASE("Verifier: a picture that differs names the draws of its frame that an error stopped") {
  const std::string refused =
      R"({"event":"dp2","context":1,"commands":[{"op":"SETVERTEXSHADERDECL","records":[{"handle":16}]},{"op":"DRAWPRIMITIVE","records":[{"prim_type":"TRIANGLELIST","v_start":0,"primitive_count":1}]},{"op":"CLEAR","flags":["TARGET"],"fill_color":"0x80102030","rects":[[0,0,8,8]]}]},)";
  const std::string present = R"({"event":"present","handle":1},)";
  const std::string picture =
      R"({"event":"picture","handle":1,"rect":[3,4,4,5],"format":"A8R8G8B8","data":"MyAQgA=="},)";
  // Before and after the present of its frame; not those of the frame before.
  const Outcome outcome =
      Verify(std::string(kStart) + refused + picture + present + picture + kClear + picture);
  CHECK(outcome.findings == Ids{"DP2-LEVEL-001 3", "DP2-LEVEL-001 3", "RECORD-PICTURE-001 4",
                                "RECORD-PICTURE-001 6", "RECORD-PICTURE-001 8"});
  REQUIRE(outcome.pictures.size() == 3);
  for (const size_t i : {size_t{0}, size_t{1}}) {
    CAPTURE(i);
    REQUIRE(outcome.pictures[i].refused.size() == 1);
    CHECK(outcome.pictures[i].refused[0].draw == 1);
    CHECK(outcome.pictures[i].refused[0].rule == "DP2-LEVEL-001");
    CHECK(outcome.messages[2 + i].find("; draw 1 was not drawn (DP2-LEVEL-001): ") !=
          std::string::npos);
  }
  CHECK(outcome.pictures[2].refused.empty());
}

TEST_CASE("Verifier: of many draws that an error stopped the first are named") {
  std::string lost = kClear;
  lost.replace(lost.find("\"context\":1"), 11, "\"context\":9");
  std::string calls;
  for (int i = 0; i < 10; ++i)
    calls += lost;
  const Outcome outcome = Verify(
      std::string(kStart) + kClear + calls +
      R"({"event":"picture","handle":1,"rect":[3,4,4,5],"format":"A8R8G8B8","data":"MyAQgA=="},)");
  REQUIRE(outcome.pictures.size() == 1);
  CHECK(outcome.pictures[0].refused.size() == 8);
  CHECK(outcome.pictures[0].refused[0].draw == 2);
  CHECK(outcome.pictures[0].refused[0].rule == "DP2-CALL-001");
  CHECK(outcome.pictures[0].more_refused == 2);
  CHECK(outcome.messages.back().ends_with("(and 9 more draws of the frame)"));
}

TEST_CASE("Verifier: what the recorder lost is one finding with the total") {
  const std::string lost = R"({"event":"lost","events":3,"cause":"write"},)";
  const Outcome one = Verify(std::string(kStart) + lost);
  CHECK(one.findings == Ids{"RECORD-LOST-001 3"});
  CHECK(one.messages.at(0).starts_with("the recorder lost 3 events before this one: "));
  const Outcome two = Verify(std::string(kStart) + lost + kClear +
                             R"({"event":"lost","events":4,"cause":"size"},)");
  CHECK(two.findings == Ids{"RECORD-LOST-001 3"});
  CHECK(two.messages.at(0).starts_with(
      "the recorder lost 7 events in 2 places, before events 3 to 5; the first: "));
}

TEST_CASE("Verifier: what is known of contents is known by area") {
  const std::string start =
      R"({"event":"header","driver_level":8},{"event":"surface_create","handle":1,"kind":"target","format":"A8R8G8B8","width":8,"height":8},{"event":"surface_create","handle":2,"kind":"plain","format":"A8R8G8B8","width":8,"height":8},{"event":"context_create","context":1,"target":1,"runtime_version":4},)";
  const auto clear = [](const std::string& rect) {
    return R"({"event":"dp2","context":1,"commands":[{"op":"CLEAR","flags":["TARGET"],"fill_color":"0x80102030","rects":[)" +
           rect + R"(]}]},)";
  };
  const std::string present = R"({"event":"present","handle":1},)";
  CHECK(Verify(start + clear("[0,0,8,4]") + present).findings == Ids{"RECORD-CONTENT-004 5"});
  CHECK(Verify(start + clear("[0,0,8,4]") + clear("[0,4,8,8]") + present).findings == Ids{});
  CHECK(Verify(start + clear("[0,0,8,4],[0,4,8,8]") + present).findings == Ids{});
  CHECK(Verify(start + clear("[0,0,8,4]") + R"({"event":"present","handle":1,"rect":[2,0,4,3]},)")
            .findings == Ids{});
  const std::string copy =
      R"({"event":"blt","kind":"copy","src":2,"dest":1,"src_rect":[0,0,4,4],"dest_rect":[0,0,4,4]},)";
  const auto update = [](const std::string& rect) {
    return R"({"event":"surface_update","handle":2,"rect":)" + rect + R"(,"data":"AAAAAAAAAAA="},)";
  };
  CHECK(Verify(start + update("[0,0,2,1]") + copy).findings == Ids{"RECORD-CONTENT-005 5"});
}

TEST_CASE("Verifier: of a texture what the coordinates of a draw reach must be known") {
  // The left half of a texture is written.
  const std::string start =
      std::string(kStart) + kClear +
      R"({"event":"surface_create","handle":2,"kind":"texture","format":"A8R8G8B8","width":4,"height":2},{"event":"surface_update","handle":2,"rect":[0,0,2,2],"data":"/////////////////////w=="},)";
  const auto draw = [](const std::string& states, const std::string& second) {
    return R"({"event":"dp2","context":1,"vertex_type":"XYZRHW|TEX2","vertices":[[0,0,0,1,0,0,0,0],[8,0,0,1,)" +
           second +
           R"(],[0,8,0,1,0,1,0,1]],"flags":["USERMEMVERTICES"],"commands":[{"op":"TEXTURESTAGESTATE","records":[{"stage":0,"ts_state":"TEXTUREMAP","value":2},{"stage":0,"ts_state":"COLOROP","value":"SELECTARG1"},{"stage":0,"ts_state":"COLORARG1","value":"TEXTURE"})" +
           states + R"(]},{"op":"TRIANGLELIST"}]},)";
  };
  const Ids unknown = {"RECORD-CONTENT-001 6"};
  CHECK(Verify(start + draw("", "0.5,0,1,0")).findings.empty());
  CHECK(Verify(start + draw("", "0.51,0,0,0")).findings == unknown);
  CHECK(Verify(start + draw("", "-0.1,0,0,0")).findings == unknown);  // repeats the right half
  const std::string other = R"(,{"stage":0,"ts_state":"TEXCOORDINDEX","value":1})";
  CHECK(Verify(start + draw(other, "0.5,0,1,0")).findings == unknown);
  CHECK(Verify(start + draw(other, "1,0,0.5,0")).findings.empty());
  const std::string generated = R"(,{"stage":0,"ts_state":"TEXCOORDINDEX","value":65536})";
  CHECK(Verify(start + draw(generated, "0.5,0,0,0")).findings == unknown);
  // The draw that stays inside comes first.
  CHECK(Verify(start + draw("", "0.5,0,1,0") + draw("", "1,0,0,0")).findings ==
        Ids{"RECORD-CONTENT-001 7"});
}

TEST_CASE("Verifier: vertices of a buffer that was written in part") {
  const auto draw = [](const std::string& update) {
    return R"({"event":"header","driver_level":8},{"event":"surface_create","handle":1,"kind":"target","format":"A8R8G8B8","width":8,"height":8},{"event":"surface_create","handle":3,"kind":"vertex_buffer","width":60},{"event":"context_create","context":1,"target":1,"runtime_version":4},)" +
           update +
           R"({"event":"dp2","context":1,"commands":[{"op":"SETVERTEXSHADER","records":[{"handle":68}]},{"op":"SETSTREAMSOURCE","records":[{"stream":0,"vb_handle":3,"stride":20}]},{"op":"DRAWPRIMITIVE","records":[{"prim_type":"TRIANGLELIST","v_start":0,"primitive_count":1}]}]},)";
  };
  const auto bytes = [](int offset, int size) {
    return R"({"event":"surface_update","handle":3,"range":{"offset":)" + std::to_string(offset) +
           R"(,"size":)" + std::to_string(size) + R"(},"data":")" +
           std::string(static_cast<size_t>(size) / 3 * 4, 'A') + R"("},)";
  };
  CHECK(Verify(draw(bytes(0, 60))).findings == Ids{});
  CHECK(Verify(draw(bytes(0, 21) + bytes(21, 39))).findings == Ids{});
  const Outcome part = Verify(draw(bytes(0, 21)));
  CHECK(part.findings == Ids{"RECORD-CONTENT-002 5"});
  CHECK(
      part.messages.at(0) ==
      "DRAWPRIMITIVE: vertices come from bytes 0 to 59 of buffer 3, a part of which nothing in the "
      "recording wrote");
}

TEST_CASE("Verifier: a draw writes inside of the viewport and of the scissor rectangle") {
  const auto draw = [](const std::string& states) {
    return R"({"event":"dp2","context":1,"commands":[)" + states +
           R"({"op":"SETVERTEXSHADER","records":[{"handle":68}]},{"op":"SETSTREAMSOURCE","records":[{"stream":0,"vb_handle":3,"stride":20}]},{"op":"DRAWPRIMITIVE","records":[{"prim_type":"TRIANGLELIST","v_start":0,"primitive_count":1}]}]},)";
  };
  const auto viewport = [](const std::string& y) {
    return R"({"op":"VIEWPORTINFO","records":[{"x":0,"y":)" + y + R"(,"width":8,"height":4}]},)";
  };
  const std::string scissor =
      R"({"op":"SETSCISSORRECT","rects":[[0,0,8,2]]},{"op":"RENDERSTATE","records":[{"render_state":"SCISSORTESTENABLE","state":1}]},)";
  const std::string start =
      R"({"event":"header","driver_level":9},{"event":"surface_create","handle":1,"kind":"target","format":"A8R8G8B8","width":8,"height":8},{"event":"surface_create","handle":3,"kind":"vertex_buffer","width":60},{"event":"context_create","context":1,"target":1,"runtime_version":5},{"event":"surface_update","handle":3,"data":")" +
      std::string(80, 'A') + R"("},)";
  const std::string present = R"({"event":"present","handle":1},)";
  const Ids unknown = {"RECORD-CONTENT-004 6"};
  CHECK(Verify(start + draw("") + present).findings == Ids{});
  CHECK(Verify(start + draw(viewport("0")) + present).findings == unknown);
  CHECK(Verify(start + draw(scissor) + present).findings == unknown);
  CHECK(Verify(start + draw(viewport("0")) + draw(viewport("4")) + present).findings == Ids{});
}

TEST_CASE("Verifier: every picture that differs is handed over, and no other") {
  const auto picture = [](std::string_view bytes) {
    return std::string(
               R"({"event":"picture","handle":1,"rect":[3,4,4,5],"format":"A8R8G8B8","data":")") +
           std::string(bytes) + R"("},)";
  };
  const Outcome outcome = Verify(std::string(kStart) + kClear + picture("MyAQgA==") +
                                 picture("MCAQgA==") + picture("MSAQgA=="));
  CHECK(outcome.differing == std::vector<uint64_t>{1, 3});
}

TEST_CASE("Verifier: a pixel that an update wrote last has no draw") {
  const Outcome outcome = Verify(
      std::string(kStart) + kClear +
      R"({"event":"surface_update","handle":1,"rect":[0,0,1,1],"data":"AAAAAA=="},)" +
      R"({"event":"picture","handle":1,"rect":[0,0,1,1],"format":"A8R8G8B8","data":"AQAAAA=="},)");
  CHECK(outcome.findings == Ids{"RECORD-PICTURE-001 5"});
  CHECK_FALSE(outcome.cause.has_value());
}

TEST_CASE(
    "Verifier: alpha counts where both formats have it; 16-bit pixels are compared as 8 bits") {
  const std::string start = std::string(kStart) + kClear;
  CHECK(
      Verify(
          start +
          R"({"event":"picture","handle":1,"rect":[0,0,1,1],"format":"A8R8G8B8","data":"MCAQAA=="},)")
          .findings == Ids{"RECORD-PICTURE-001 4"});
  CHECK(
      Verify(
          start +
          R"({"event":"picture","handle":1,"rect":[0,0,1,1],"format":"X8R8G8B8","data":"MCAQAA=="},)")
          .findings == Ids{});
  // 0x1106 of R5G6B5 is (16, 32, 49): blue is 1 off.
  const std::string high =
      R"({"event":"picture","handle":1,"rect":[0,0,1,1],"format":"R5G6B5","data":"BhE="},)";
  CHECK(Verify(start + high).findings == Ids{"RECORD-PICTURE-001 4"});
  CHECK(Verify(start + high, 1).findings == Ids{});
}

TEST_CASE("Verifier: rows have the pitch of the picture") {
  const std::string picture =
      R"({"event":"picture","handle":1,"rect":[0,0,1,2],"format":"A8R8G8B8","pitch":8,"data":"MCAQgP////8wIBCA"},)";
  CHECK(Verify(std::string(kStart) + kClear + picture).findings == Ids{});
}

TEST_CASE("Verifier: a picture of nothing cannot be compared") {
  const std::string start = std::string(kStart) + kClear;
  for (const char* const fields :
       {R"("handle":9)", R"("handle":1,"level":1)", R"("handle":1,"rect":[7,7,9,8])",
        R"("handle":1,"rect":[2,2,2,4])", R"("handle":1,"rect":[0,0,2,1],"data":"AAAAAA==")",
        R"("handle":1,"format":4294967295)"}) {
    CAPTURE(fields);
    const Outcome outcome = Verify(start + R"({"event":"picture",)" + fields + "},");
    CHECK(outcome.findings == Ids{"RECORD-PICTURE-002 4"});
    CHECK_FALSE(outcome.pictures.at(0).is_compared);
  }
  // A structure that was not initialised: the surface lives, in another space.
  const Outcome other = Verify(start + R"({"event":"picture","handle":1,"space":7},)");
  CHECK(other.messages.at(0).find("surface 1 does not exist in space 7") != std::string::npos);
}

TEST_CASE("Verifier: findings only about the stream are not those of a recording") {
  // A state that does not exist, a handle that does not exist.
  const Outcome outcome = Verify(
      std::string(kStart) +
      R"({"event":"dp2","context":1,"commands":[{"op":"RENDERSTATE","records":[{"render_state":99,"state":1}]},{"op":"SETRENDERTARGET","render_target":77}]},)");
  REQUIRE(outcome.findings.size() == 1);
  CHECK(outcome.findings[0].starts_with("DP2-"));
}

TEST_CASE("Verifier: operations of another level than the header says are wrong in a recording") {
  const std::string events =
      std::string(kStart) +
      R"({"event":"dp2","context":1,"commands":[{"op":"SETVERTEXSHADERDECL","records":[{"handle":17}]},{"op":"SETVERTEXSHADERDECL","records":[{"handle":18}]}]},)";
  const Outcome low = Verify(events);
  REQUIRE(low.findings == Ids{"DP2-LEVEL-001 3"});  // once, however many there are
  CHECK(low.messages[0].find("level 9, the header says that the driver has level 7") !=
        std::string::npos);
  std::string high = events;
  high.replace(high.find("level\":7"), 8, "level\":9");
  CHECK(Verify(high).findings != low.findings);
  CHECK(Verify(std::string(kStart) + kClear).findings.empty());
}

TEST_CASE("Verifier: a second session starts anew") {
  const std::string session =
      std::string(kStart) +
      R"({"event":"marker","source":"log","position":5},{"event":"dp2","context":1,"vertex_type":"XYZRHW","vertices":[[0,0,0,1],[8,0,0,1],[0,8,0,1]],"flags":["USERMEMVERTICES"],"commands":[{"op":"RENDERSTATE","records":[{"render_state":"ALPHABLENDENABLE","state":1},{"render_state":"DESTBLEND","state":"ONE"}]},{"op":"TRIANGLELIST"}]},)";
  CHECK(Verify(session + session).findings == Ids{"RECORD-CONTENT-003 4", "RECORD-CONTENT-003 9"});
}
