#include "trim/kmt_snapshot.h"

#include <doctest/doctest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "replay/replayer.h"
#include "rules/rule_info.h"
#include "support/hash_sink.h"
#include "support/test_folder.h"
#include "trace_file/source.h"
#include "trim/trim.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

namespace {

// One target (surface 1, allocation 256) of a context of packets, with a triple of its own.
constexpr const char* kObjects = R"({"event":"header","pointer_width":64},
{"event":"adapter_open","process":1,"adapter":16},
{"event":"device_create","process":1,"adapter":16,"device":32},
{"event":"surface_create","handle":1,"kind":"target","caps":["3DDEVICE","VIDEOMEMORY"],"format":"X8R8G8B8","width":8,"height":8},
{"event":"allocation_create","process":1,"device":32,"allocations":[{"allocation":256,"model_size":256,"model_kind":"target"}]},
{"event":"dp2_bind","process":1,"device":32,"handle":1,"allocation":256,"kind":"target","size":256},
{"event":"kmt_context_create","process":1,"device":32,"context":64,"client_hint":"DX9","triple":{"command_buffer":4096,"command_buffer_size":4096,"allocation_list":8192,"allocation_list_size":256,"patch_location_list":12288,"patch_location_list_size":256},"d3d":{"target":1}}
)";

std::string Clear(const std::string& color, const std::string& rest = "",
                  const std::string& elements = "") {
  return R"({"event":"render","process":1,"context":64,"command_buffer":[{"op":"CLEAR","flags":["TARGET"],"fill_color":")" +
         color +
         R"(","fill_depth":0,"fill_stencil":0,"rects":[[0,0,8,8]]}],"allocation_list":[{},{"allocation":256,"write_operation":true})" +
         elements + R"(],"dp2_env":{},"status":0)" + rest + "}\n";
}

const std::string kPresent = R"({"event":"present","handle":1}
)";

struct Trimmed {
  trim::Part part;
  std::string text;
  bool Has(const std::string& what) const { return text.find(what) != std::string::npos; }
  size_t At(const std::string& what) const {
    const size_t at = text.find(what);
    REQUIRE(at != std::string::npos);
    return at;
  }
};

std::unique_ptr<trace_file::Source> OpenFile(const std::string& path) {
  static DiagnosticList findings;  // nobody reads it
  trace_file::OpenError error;
  return trace_file::Source::Open(path, uint64_t{1} << 30, findings, error);
}

std::string Lines(const std::vector<std::string>& parts) {
  std::string text = "[\n";
  for (const std::string& part : parts) {
    std::istringstream lines(part);
    for (std::string line; std::getline(lines, line);) {
      if (line.ends_with(',')) line.pop_back();
      text += (text.size() == 2 ? "" : ",\n") + line;
    }
  }
  return text + "\n]\n";
}

std::set<Rule> FindingsIn(const std::string& path) {
  DiagnosticList findings;
  HashSink images;
  replay::Replayer replayer({}, findings, images);
  const auto source = OpenFile(path);
  REQUIRE(source != nullptr);
  trace::EventRecord record;
  while (source->Next(record))
    REQUIRE(replayer.OnEvent(record.number, record.event).ok());
  REQUIRE(replayer.Finish().ok());
  REQUIRE_FALSE(source->is_incomplete());
  std::set<Rule> rules;
  for (const Diagnostic& finding : findings.items())
    rules.insert(finding.rule);
  return rules;
}

Trimmed Trim(const std::vector<std::string>& parts, trim::Unit unit, const std::string& numbers) {
  const TestFolder folder;
  const std::string input = folder / "in.json";
  const std::string output = folder / "out.json";
  WriteText(input, Lines(parts));
  std::string error;
  const auto source = trace_file::WithResults(OpenFile(input));
  REQUIRE(source != nullptr);
  Trimmed result;
  result.part =
      *trim::FindPart(*source, {.unit = unit, .numbers = *Selection::Parse(numbers, error)}, {},
                      trace_model::WalkQuietly);
  REQUIRE_FALSE(source->is_incomplete());
  REQUIRE(result.part.is_found);
  REQUIRE(trim::WritePart([&] { return OpenFile(input); }, result.part, {}, output,
                          trace_model::WalkQuietly)
              .ok());
  std::ostringstream text;
  text << std::ifstream(output).rdbuf();
  result.text = text.str();
  const std::set<Rule> before = FindingsIn(input);
  const std::set<Rule> after = FindingsIn(output);
  for (const Rule rule : after) {
    CAPTURE(Info(rule).id);
    CHECK(before.contains(rule));
  }
  return result;
}

Trimmed SecondFrame(const std::string& before, const std::string& within = "") {
  return Trim(
      {kObjects, before, Clear("#ffff0000"), kPresent, within, Clear("#ff00ff00"), kPresent},
      trim::Unit::kFrames, "2");
}

}  // namespace

TEST_CASE("trim of packets: the objects of the part live under their handles, and no others") {
  const Trimmed cut =
      SecondFrame(R"({"event":"surface_create","handle":2,"format":"X8R8G8B8","width":4,"height":4}
{"event":"allocation_create","process":1,"device":32,"allocations":[{"allocation":257,"model_size":64},{"allocation":258,"model_size":64}]}
{"event":"dp2_bind","process":1,"device":32,"handle":2,"allocation":257,"size":64}
{"event":"kmt_context_create","process":1,"device":32,"context":65,"client_hint":"DX9","d3d":{"target":1}}
{"event":"device_create","process":1,"adapter":16,"device":33}
{"event":"sync_create","process":1,"device":32,"sync":300}
{"event":"sync_create","process":1,"device":32,"sync":301})",
                  R"({"event":"sync_wait","process":1,"context":64,"objects":[301]})");
  CHECK(cut.part.gap.empty());
  for (const char* const kept : {R"("adapter":16)", R"("device":32)", R"("context":64)",
                                 R"("allocation":256)", R"("handle":1)", R"("sync":301)"})
    CHECK(cut.Has(kept));
  for (const char* const dead : {R"("device":33)", R"("context":65)", R"("allocation":257)",
                                 R"("allocation":258)", R"("handle":2)", R"("sync":300)", "FF0000"})
    CHECK_FALSE(cut.Has(dead));
  CHECK(cut.Has(R"("start":"snapshot")"));
}

TEST_CASE("trim of packets: what destroys objects that are not there goes, and lists lose them") {
  const Trimmed cut = SecondFrame(
      R"({"event":"allocation_create","process":1,"device":32,"allocations":[{"allocation":257},{"allocation":258}]}
{"event":"sync_create","process":1,"device":32,"sync":300}
{"event":"surface_create","handle":2,"format":"X8R8G8B8","width":4,"height":4}
{"event":"dp2_bind","process":1,"device":32,"handle":2,"allocation":257})",
      R"({"event":"surface_destroy","handle":2}
{"event":"dp2_unbind","process":1,"device":32,"handle":2}
{"event":"sync_destroy","process":1,"sync":300}
{"event":"lock","process":1,"device":32,"allocation":258,"data_pointer":1}
{"event":"unlock","process":1,"device":32,"allocations":[258]}
{"event":"allocation_destroy","process":1,"device":32,"allocations":[257,258]})");
  CHECK(cut.part.gap.empty());
  CHECK_FALSE(cut.Has("257"));
  CHECK_FALSE(cut.Has("dp2_unbind"));
  CHECK_FALSE(cut.Has("sync"));
  CHECK(cut.Has(R"("event":"allocation_destroy","process":1,"device":32,"allocations":[258])"));
}

TEST_CASE("trim of packets: locks, offers and instances are as they were") {
  const Trimmed cut = SecondFrame(
      R"({"event":"allocation_create","process":1,"device":32,"allocations":[{"allocation":257},{"allocation":258},{"allocation":259}]}
{"event":"lock","process":1,"device":32,"allocation":257,"data_pointer":1}
{"event":"offer","process":1,"device":32,"allocations":[258],"priority":3}
{"event":"lock","process":1,"device":32,"allocation":259,"allocation_out":260,"flags":["Discard"],"data_pointer":1}
{"event":"unlock","process":1,"device":32,"allocations":[260]})",
      R"({"event":"unlock","process":1,"device":32,"allocations":[257]}
{"event":"reclaim","process":1,"device":32,"allocations":[258]}
{"event":"lock","process":1,"device":32,"allocation":260,"data_pointer":1}
{"event":"unlock","process":1,"device":32,"allocations":[260]})");
  CHECK(cut.part.gap.empty());
  CHECK(cut.Has(R"("event":"offer","process":1,"device":32,"allocations":[258],"priority":3)"));
  CHECK(cut.At(R"("event":"lock","process":1,"device":32,"allocation":257)") <
        cut.At(R"("event":"unlock","process":1,"device":32,"allocations":[257])"));
  CHECK(cut.At(R"("allocation":259,"allocation_out":260)") > cut.At("allocation_create"));
}

TEST_CASE("trim of packets: the next packet is written where the context has its buffers") {
  // The first packet asks for larger lists, the second is written into the buffers that it got.
  const std::string resized = Clear(
      "#ffff0000",
      R"(,"flags":["ResizeAllocationList"],"new_allocation_list_size":512,"out":{"command_buffer":65536,"command_buffer_size":4096,"allocation_list":131072,"allocation_list_size":512,"patch_location_list":12288,"patch_location_list_size":256},"queued_buffer_count":1)");
  const std::string next =
      Clear("#ff00ff00", R"(,"buffers":{"command_buffer":65536,"allocation_list":131072})");
  const Trimmed cut = Trim({kObjects, resized, kPresent, next, kPresent}, trim::Unit::kFrames, "2");
  CHECK(cut.part.gap.empty());
  CHECK(cut.Has(
      R"("triple":{"command_buffer":65536,"command_buffer_size":4096,"allocation_list":131072,"allocation_list_size":256)"));
  CHECK(cut.At(R"("new_allocation_list_size":512)") < cut.At("#ff00ff00"));
}

TEST_CASE("trim of packets: a draw in the middle takes its tokens and what they use") {
  const std::string packet =
      R"({"event":"render","process":1,"context":64,"command_buffer":[)"
      R"({"op":"SETRENDERTARGET2","records":[{"rt_index":0,"render_target":2}]},)"
      R"({"op":"CLEAR","flags":["TARGET"],"fill_color":"#ffff0000","fill_depth":0,"fill_stencil":0,"rects":[[0,0,8,8]]},)"
      R"({"op":"SETRENDERTARGET2","records":[{"rt_index":0,"render_target":1}]},)"
      R"({"op":"CLEAR","flags":["TARGET"],"fill_color":"#ff00ff00","fill_depth":0,"fill_stencil":0,"rects":[[0,0,8,8]]},)"
      R"({"op":"CLEAR","flags":["TARGET"],"fill_color":"#ff0000ff","fill_depth":0,"fill_stencil":0,"rects":[[0,0,8,8]]}],)"
      R"("allocation_list":[{},{"allocation":257,"write_operation":true},{"allocation":256,"write_operation":true}],)"
      R"("patch_location_list":[{"allocation_index":1,"slot_id":1,"driver_id":85,"patch_offset":8},)"
      R"({"allocation_index":2,"slot_id":1,"driver_id":85,"patch_offset":52,"split_offset":44}],"dp2_env":{},"status":0})";
  const std::string second =
      R"({"event":"surface_create","handle":2,"kind":"target","caps":["3DDEVICE","VIDEOMEMORY"],"format":"X8R8G8B8","width":8,"height":8}
{"event":"allocation_create","process":1,"device":32,"allocations":[{"allocation":257,"model_size":256,"model_kind":"target"}]}
{"event":"dp2_bind","process":1,"device":32,"handle":2,"allocation":257,"kind":"target","size":256})";
  const std::vector<std::string> trace = {kObjects, second, packet, kPresent};
  const Trimmed last = Trim(trace, trim::Unit::kDraws, "2");
  CHECK(last.part.gap.empty());
  CHECK(last.Has("#ff00ff00"));
  CHECK_FALSE(last.Has("#ffff0000"));
  CHECK_FALSE(last.Has("#ff0000ff"));
  CHECK_FALSE(last.Has("257"));
  CHECK(last.Has(R"("allocation_list":[{},{"allocation":256,"write_operation":true}])"));
  const Trimmed first = Trim(trace, trim::Unit::kDraws, "1");
  CHECK(first.Has("#ffff0000"));
  CHECK_FALSE(first.Has("#ff00ff00"));
  CHECK(first.Has("257"));
  CHECK(Trim(trace, trim::Unit::kDraws, "2-3").part.draws == 2);
}

TEST_CASE("trim of packets: a state that no call makes keeps what was before, with a word") {
  // The only way to lose a device is a call that fails.
  const Trimmed lost = SecondFrame(
      R"({"event":"device_create","process":1,"adapter":16,"device":33}
{"event":"allocation_create","process":1,"device":33,"allocations":[{"allocation":300}],"status":3223192064})",
      R"({"event":"allocation_create","process":1,"device":33,"allocations":[{"allocation":301}]})");
  CHECK(lost.part.gap == "the device 0x21 is in a state that no call makes");
  CHECK(lost.Has("#ffff0000"));
}

TEST_CASE("trim of packets: what is used though it is gone was there once") {
  // KMT-ALLOC-003 and KMT-SYNC-002 stay what they are; "was never announced" would be new.
  const Trimmed cut = SecondFrame(
      R"({"event":"allocation_create","process":1,"device":32,"allocations":[{"allocation":257}]}
{"event":"allocation_destroy","process":1,"device":32,"allocations":[257]}
{"event":"sync_create","process":1,"device":32,"sync":300}
{"event":"sync_destroy","process":1,"sync":300})",
      R"({"event":"sync_wait","process":1,"context":64,"objects":[300]})"
      "\n" +
          Clear("#ff00ffff", "", R"(,{"allocation":257})"));
  CHECK(cut.part.gap.empty());
  CHECK(cut.Has(R"("event":"allocation_destroy","process":1,"device":32,"allocations":[257])"));
  CHECK(cut.Has(R"("event":"sync_destroy","process":1,"sync":300)"));
  const Trimmed fresh = SecondFrame(
      "",
      R"({"event":"allocation_create","process":1,"device":32,"allocations":[{"allocation":258}]}
{"event":"allocation_destroy","process":1,"device":32,"allocations":[258]})");
  CHECK(fresh.part.gap.empty());
  CHECK(fresh.At("258") > fresh.At("kmt_context_create"));
}

TEST_CASE("trim of packets: a packet that is refused names what it names") {
  // Without a status its finding decides: it is not executed, and its binding is needed all the same.
  const Trimmed cut = SecondFrame(
      R"({"event":"surface_create","handle":2,"format":"X8R8G8B8","width":4,"height":4,"caps":["TEXTURE"]}
{"event":"allocation_create","process":1,"device":32,"allocations":[{"allocation":257,"model_size":64,"model_kind":"texture"}]}
{"event":"dp2_bind","process":1,"device":32,"handle":2,"allocation":257,"size":64})",
      R"({"event":"render","process":1,"context":64,"command_buffer":[{"op":"TEXTURESTAGESTATE","records":[{"stage":0,"ts_state":"TEXTUREMAP","value":2}]}],"allocation_list":[{},{"allocation":257}],"patch_location_list":[{"allocation_index":1,"slot_id":17,"driver_id":25,"patch_offset":8}],"dp2_env":{}})");
  CHECK(cut.part.gap.empty());
  CHECK(cut.Has(R"("handle":2,"allocation":257)"));
}

TEST_CASE("trim of packets: objects without their owners keep what was before, with a word") {
  const Trimmed cut = SecondFrame(
      R"({"event":"allocation_create","process":1,"device":99,"allocations":[{"allocation":257}]})",
      R"({"event":"allocation_destroy","process":1,"device":99,"allocations":[257]}
{"event":"lock","process":1,"device":99,"allocation":257,"data_pointer":1})");
  CHECK(cut.part.gap == "what 0x101 hangs on, 0x63, is gone");
}

TEST_CASE("trim of packets: calls and packets in one trace") {
  const std::string call = R"({"event":"context_create","context":7,"target":1}
{"event":"dp2","context":7,"commands":[{"op":"RENDERSTATE","records":[{"render_state":"FOGENABLE","state":1}]}]})";
  const std::string draw =
      R"({"event":"dp2","context":7,"commands":[{"op":"CLEAR","flags":["TARGET"],"fill_color":"#ff0000ff","fill_depth":0,"fill_stencil":0,"rects":[[0,0,4,4]]}]})";
  const Trimmed cut = SecondFrame(call, draw);
  CHECK(cut.part.gap.empty());
  CHECK(cut.Has("FOGENABLE"));
  CHECK(cut.Has(R"("event":"kmt_context_create")"));
}
