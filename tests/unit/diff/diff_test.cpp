#include "diff/diff.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <regex>
#include <string>

#include "support/test_folder.h"
#include "trace_file/inputs.h"
#include "trace_file/sink.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file
using diff::DiffResult;

namespace {

constexpr const char* kTraces = DP2TRACE_SOURCE_DIR "/traces/";

// Empty where the file cannot be opened.
diff::DiffSide SideOf(const std::string& path, bool* is_incomplete = nullptr) {
  diff::DiffSide side;
  const trace_model::Open open = [path] {
    static DiagnosticList findings;  // nobody reads it
    trace_file::OpenError error;
    return trace_file::WithResults(
        trace_file::Source::Open(path, uint64_t{1} << 30, findings, error));
  };
  const auto source = open();
  if (source == nullptr) return side;
  REQUIRE(diff::FindObjects(*source, trace_model::WalkQuietly, side).ok());
  side.open = open;
  if (is_incomplete != nullptr) *is_incomplete = source->is_incomplete();
  return side;
}

DiffResult DiffFiles(const std::string& a, const std::string& b,
                     const diff::DiffOptions& options = {}) {
  const auto result = diff::Diff(SideOf(a), SideOf(b), options, trace_model::WalkQuietly);
  REQUIRE(result.ok());
  return *result;
}

DiffResult DiffTexts(const std::string& a, const std::string& b,
                     const diff::DiffOptions& options = {}) {
  const TestFolder folder;
  WriteText(folder / "a.json", a);
  WriteText(folder / "b.json", b);
  for (const char* const name : {"a.json", "b.json"}) {
    bool is_incomplete = true;
    SideOf(folder / name, &is_incomplete);
    REQUIRE_FALSE(is_incomplete);
  }
  return DiffFiles(folder / "a.json", folder / "b.json", options);
}

std::string Replaced(std::string text, const std::string& what, const std::string& by) {
  const size_t at = text.find(what);
  REQUIRE(at != std::string::npos);
  return text.replace(at, what.size(), by);
}

// Two textures, two frames. Numbers after $ are shifted by `shift`.
std::string Calls(int shift) {
  std::string text = R"([
{"event":"header","driver_level":9},
{"event":"surface_create","handle":$1,"kind":"target","format":"X8R8G8B8","width":4,"height":2},
{"event":"surface_create","handle":$2,"kind":"texture","format":"L8","width":2,"height":2,"levels":2,"sub_surfaces":[{"handle":$3,"level":1}]},
{"event":"surface_create","handle":$4,"kind":"texture","format":"L8","width":2,"height":2},
{"event":"context_create","context":$1,"target":$1},
{"event":"surface_update","handle":$2,"data":"AQIDBA=="},
{"event":"surface_update","handle":$3,"data":"BQ=="},
{"event":"surface_update","handle":$4,"data":"BgcICQ=="},
{"event":"dp2","context":$1,"commands":[{"op":"CLEAR","flags":["TARGET"],"fill_color":"0xFF0000FF","rects":[[0,0,4,2]]},{"op":"TEXTURESTAGESTATE","records":[{"stage":0,"ts_state":"TEXTUREMAP","value":$4}]},{"op":"CREATEPIXELSHADER","records":[{"handle":$7,"code":"AAL//wEAAAIAAA+AAADkkP//AAA="}]},{"op":"SETPIXELSHADER","records":[{"handle":$7}]}]},
{"event":"present","handle":$1},
{"event":"dp2","context":$1,"vertex_type":324,"vertex_size":28,"flags":["USERMEMVERTICES"],"commands":[{"op":"TRIANGLELIST","v_start":0}],"vertices":[[0,0,0,1,"0xFFFF0000",0,0],[4,0,0,1,"0xFFFF0000",1,0],[0,2,0,1,"0xFFFF0000",0,1]]},
{"event":"dp2","context":$1,"commands":[{"op":"RENDERSTATE","records":[{"render_state":"ZENABLE","state":0}]},{"op":"CLEAR","flags":["TARGET"],"fill_color":"0xFF00FF00","rects":[[0,0,4,2]]}]},
{"event":"present","handle":$1},
{"event":"surface_destroy","handle":$4},
{"event":"context_destroy","context":$1}
])";
  for (int number = 1; number <= 7; ++number) {
    text = std::regex_replace(text, std::regex("\\$" + std::to_string(number)),
                              std::to_string(number + shift));
  }
  return text;
}

// A packet with its objects; the handles of the kernel begin at `base`, those of surfaces at `shift`.
std::string Packets(uint32_t base, uint32_t shift) {
  std::string text = R"([
{"event":"header","pointer_width":64},
{"event":"surface_create","handle":$1,"kind":"target","format":"X8R8G8B8","width":64,"height":64},
{"event":"surface_create","handle":$2,"kind":"depth","format":"D24S8","width":64,"height":64},
{"event":"adapter_open","process":1,"adapter":@1,"max_allocation_list_slot_id":127,"status":0},
{"event":"device_create","process":1,"adapter":@1,"device":@2,"status":0},
{"event":"allocation_create","process":1,"device":@2,"allocations":[{"allocation":@3,"model_size":16384,"model_kind":"target"},{"allocation":@4,"model_size":16384,"model_kind":"depth"}],"status":0},
{"event":"dp2_bind","process":1,"device":@2,"handle":$1,"allocation":@3,"kind":"target","size":16384},
{"event":"dp2_bind","process":1,"device":@2,"handle":$2,"allocation":@4,"kind":"depth","size":16384},
{"event":"kmt_context_create","process":1,"device":@2,"context":@5,"client_hint":"DX9","triple":{"command_buffer":@6,"command_buffer_size":65536,"allocation_list":@7,"allocation_list_size":256,"patch_location_list":@7,"patch_location_list_size":256},"d3d":{"target":$1,"depth":$2},"status":0},
{"event":"render","process":1,"context":@5,"command_buffer":[{"op":"SETRENDERTARGET","render_target":$1,"z_buffer":$2},{"op":"CLEAR","flags":["TARGET"],"fill_color":"0xFF00FF00"}],"allocation_list":[{},{"allocation":@3,"write_operation":true},{"allocation":@4,"write_operation":true}],"patch_location_list":[{"allocation_index":1,"slot_id":1,"driver_id":85,"patch_offset":8},{"allocation_index":2,"slot_id":5,"driver_id":86,"patch_offset":12}],"status":0},
{"event":"present","handle":$1}
])";
  for (uint32_t number = 1; number <= 7; ++number) {
    text = std::regex_replace(text, std::regex("@" + std::to_string(number)),
                              std::to_string(base + 64 * number));
    text = std::regex_replace(text, std::regex("\\$" + std::to_string(number)),
                              std::to_string(number + shift));
  }
  return text;
}

// The one difference of two texts.
diff::Difference One(const std::string& a, const std::string& b) {
  const DiffResult result = DiffTexts(a, b);
  CAPTURE(diff::DiffText(result));
  REQUIRE(result.removed + result.added + result.changed == 1);
  REQUIRE(result.shown.size() == 1);
  return result.shown[0];
}

}  // namespace

TEST_CASE("diff: every trace is equal to itself, and the form does not matter") {
  std::vector<std::string> folders = {DP2TRACE_RULE_TRACES};
  for (const char* const name :
       {"events", "examples", "features", "hostile", "opcodes", "packets", "scenes"})
    folders.push_back(std::string(kTraces) + name);
  size_t twins = 0;
  for (const std::string& path : trace_file::ExpandInputs(folders).paths) {
    const diff::DiffSide side = SideOf(path);
    if (!side.open) continue;
    CAPTURE(path);
    const auto same = diff::Diff(side, side, {}, trace_model::WalkQuietly);
    REQUIRE(same.ok());
    CHECK(same->is_equal());
    std::filesystem::path twin = path;
    if (twin.extension() != ".json" || !std::filesystem::exists(twin.replace_extension(".dp2t")))
      continue;
    ++twins;
    CHECK(DiffFiles(path, twin.string()).is_equal());
  }
  CHECK(twins > 100);
}

TEST_CASE("diff: numbers of objects mean nothing, what they name does") {
  CHECK(DiffTexts(Calls(0), Calls(100)).is_equal());
  CHECK(DiffTexts(Packets(0x40000000, 0), Packets(0xC0000000, 6)).is_equal());
  // The first texture in the place of the second one.
  const diff::Difference difference =
      One(Calls(0), Replaced(Calls(0), R"("TEXTUREMAP","value":4)", R"("TEXTUREMAP","value":2)"));
  CHECK(difference.change() == "changed");
  CHECK(difference.a.event == 8);
  CHECK(difference.a.offset == 0x24);
  CHECK(difference.byte == 8);
}

TEST_CASE("diff: calls and packets are equal where their tokens, vertices and contexts are") {
  const std::string calls = R"([
{"event":"header"},
{"event":"surface_create","handle":1,"kind":"target","format":"X8R8G8B8","width":64,"height":64},
{"event":"surface_create","handle":2,"kind":"depth","format":"D24S8","width":64,"height":64},
{"event":"context_create","context":9,"target":1,"depth":2},
{"event":"dp2","context":9,"commands":[{"op":"SETRENDERTARGET","render_target":1,"z_buffer":2}]},
{"event":"dp2","context":9,"commands":[{"op":"CLEAR","flags":["TARGET"],"fill_color":"0xFF00FF00"}]},
{"event":"present","handle":1},
{"event":"context_destroy","context":9}
])";
  const std::string packets = Packets(0x40000000, 0);
  CHECK(DiffTexts(calls, packets).is_equal());
  CHECK(DiffTexts(packets, calls).is_equal());
  const diff::Difference color = One(Replaced(calls, "0xFF00FF00", "0xFF00FF01"), packets);
  CHECK(color.change() == "changed");
  CHECK(color.byte == 8);
  const diff::Difference target =
      One(Replaced(calls, R"("target":1,"depth":2)", R"("target":1)"), packets);
  CHECK(target.fields == std::vector<std::string_view>{"depth"});
  const std::string vertices =
      R"("vertex_type":324,"vertex_size":28,"flags":["USERMEMVERTICES"],"vertices":"AAAA","commands":[{"op":"CLEAR")";
  const diff::Difference added =
      One(packets, Replaced(calls, R"("commands":[{"op":"CLEAR")", vertices));
  CHECK(added.change() == "added");
}

TEST_CASE("diff: without tokens the objects of packets are not differences either") {
  const std::string blits = R"([
{"event":"header"},
{"event":"surface_create","handle":1,"kind":"target","format":"X8R8G8B8","width":64,"height":64},
{"event":"present","handle":1}
])";
  const std::string adapter =
      R"({"event":"adapter_open","process":1,"adapter":1073741888,"max_allocation_list_slot_id":127,"status":0},
{"event":"present")";
  const std::string objects = Replaced(blits, R"({"event":"present")", adapter);
  CHECK(DiffTexts(blits, objects).is_equal());
  CHECK(DiffTexts(objects, blits).is_equal());
  const std::string moved = Replaced(objects, R"("width":64)", R"("width":32)");
  CHECK_FALSE(DiffTexts(blits, moved).is_equal());
}

TEST_CASE(
    "diff: markers, generators, addresses and how tokens are spread over calls mean nothing") {
  const std::string calls = Calls(0);
  CHECK(DiffTexts(calls, Replaced(calls, R"({"event":"present")",
                                  R"({"event":"marker","text":"x"},{"event":"present")"))
            .is_equal());
  CHECK(DiffTexts(calls, Replaced(calls, R"("driver_level")", R"("generator":"y","driver_level")"))
            .is_equal());
  CHECK(DiffTexts(
            calls,
            Replaced(calls, R"(]},{"op":"CREATEPIXELSHADER")",
                     R"(]}]},{"event":"dp2","context":1,"commands":[{"op":"CREATEPIXELSHADER")"))
            .is_equal());
}

TEST_CASE("diff: a token that was put in, taken out or changed is named with its place in both") {
  const std::string calls = Calls(0);
  const std::string clear =
      R"(,{"op":"CLEAR","flags":["TARGET"],"fill_color":"0xFF00FF00","rects":[[0,0,4,2]]})";
  const diff::Difference removed = One(calls, Replaced(calls, clear, ""));
  CHECK(removed.change() == "removed");
  CHECK(removed.a.event == 11);
  CHECK(removed.a.frame == 2);
  CHECK(removed.a.draw == 3);
  CHECK(removed.b.event == 11);
  const diff::Difference added = One(Replaced(calls, clear, ""), calls);
  CHECK(added.change() == "added");
  CHECK(added.b.draw == 3);
  CHECK(added.a.event == 11);
  const diff::Difference changed =
      One(calls, Replaced(Calls(9), R"("ZENABLE","state":0)", R"("ZENABLE","state":1)"));
  CHECK(changed.change() == "changed");
  CHECK(changed.a.text == "0x0000 RENDERSTATE 1 {render_state=ZENABLE state=FALSE}");
  CHECK(changed.byte == 8);
}

TEST_CASE(
    "diff: an upload, a surface, vertices and a failure that differ are named by their fields") {
  const std::string calls = Calls(0);
  const diff::Difference upload = One(calls, Replaced(calls, "BgcICQ==", "BgcIAA=="));
  CHECK(upload.a.event == 7);
  CHECK(upload.b.event == 7);
  CHECK(upload.fields == std::vector<std::string_view>{"data"});
  const std::string surface =
      R"({"event":"surface_create","handle":50,"kind":"texture","format":"L8","width":2,"height":2},)";
  const diff::Difference created = One(calls, Replaced(calls, R"({"event":"context_create")",
                                                       surface + R"({"event":"context_create")"));
  CHECK(created.change() == "added");
  CHECK(created.b.event == 4);
  const diff::Difference vertices = One(calls, Replaced(calls, "[4,0,0,1,", "[3,0,0,1,"));
  CHECK(vertices.fields == std::vector<std::string_view>{"vertices"});
  const diff::Difference failed = One(
      calls, Replaced(calls, R"("vertex_size":28,)", R"("vertex_size":28,"ddrval":2147500037,)"));
  CHECK(failed.fields == std::vector<std::string_view>{"ddrval"});
}

TEST_CASE("diff: packets are compared by what is in them") {
  const std::string packets = Packets(0x40000000, 0);
  const std::pair<const char*, const char*> changes[] = {
      {R"("process":1,"context":1073742144,"command_buffer":)",
       R"("process":1,"flags":["ResizeCommandBuffer"],"context":1073742144,"command_buffer":)"},
      {R"({"allocation":1073742080,"write_operation":true}],)", R"({"allocation":1073742080}],)"},
      {R"("slot_id":5)", R"("slot_id":6)"},
      {R"("0xFF00FF00")", R"("0xFF00FF01")"},
      {R"([{},{"allocation":1073742016)", R"([{},{"allocation":1073742080)"}};
  for (const auto& change : changes) {
    CAPTURE(change.second);
    CHECK(One(packets, Replaced(packets, change.first, change.second)).change() == "changed");
  }
}

TEST_CASE("diff: of tokens beyond the limit calls are compared as a whole") {
  const std::string other =
      Replaced(Calls(0), R"("fill_color":"0xFF0000FF")", R"("fill_color":"0xFF0000FE")");
  const DiffResult result = DiffTexts(Calls(0), other, {.most_tokens = 2});
  REQUIRE(result.changed == 1);
  CHECK_FALSE(result.shown[0].a.offset);
  CHECK(result.shown[0].a.text.starts_with("dp2"));
}

TEST_CASE("diff: what is not shown is counted") {
  std::string other = Replaced(Calls(0), "BgcICQ==", "BgcIAA==");
  other = Replaced(other, "0xFF00FF00", "0xFF00FF01");
  const DiffResult result = DiffTexts(Calls(0), other, {.most = 1});
  CHECK(result.shown.size() == 1);
  CHECK(result.changed == 2);
  CHECK(diff::DiffText(result).find("... and 1 more\n0 removed, 0 added, 2 changed\n") !=
        std::string::npos);
}

TEST_CASE("diff: bytes that a packet or call does not submit count") {
  const auto packet = [](const std::string& more) {
    return R"([{"event":"header"},
{"event":"render","process":1,"context":64,"command_length":12,"command_buffer":[{"op":"RENDERSTATE","records":[{"render_state":"ZENABLE","state":0}]})" +
           more + R"(],"status":0}])";
  };
  const std::string token = R"(,{"op":"RENDERSTATE","records":[{"render_state":"ZENABLE","state":)";
  CHECK(DiffTexts(packet(""), packet("")).is_equal());
  const DiffResult result = DiffTexts(packet(""), packet(token + "1}]}"));
  REQUIRE(result.changed == 1);
  CHECK(result.shown[0].fields == std::vector<std::string_view>{"command_buffer"});
  CHECK(DiffTexts(packet(token + "0}]}"), packet(token + "1}]}")).changed == 1);
  const auto call = [](const std::string& more) {
    return R"([{"event":"header"},
{"event":"dp2","context":1,"command_length":12,"commands":[{"op":"RENDERSTATE","records":[{"render_state":"ZENABLE","state":0}]})" +
           more + "]}]";
  };
  CHECK_FALSE(DiffTexts(call(""), call(token + "1}]}")).is_equal());
}
