#include "trace_model/model_packet.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "reduce/edits.h"
#include "reduce/goal.h"
#include "reduce/reducer.h"
#include "support/test_folder.h"
#include "trace/command_stream.h"
#include "trace_file/source.h"
#include "trace_model/broken_rules.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

namespace {

// A target, two textures, a context; a packet binds texture 2, the next one binds 3, then 2 again, and draws.
const std::string kStart = R"([
{"event":"header"},
{"event":"surface_create","handle":1,"kind":"target","format":"X8R8G8B8","width":8,"height":8},
{"event":"surface_create","handle":2,"kind":"texture","format":"X8R8G8B8","width":4,"height":4},
{"event":"surface_update","handle":2,"data":"AAAA/wAAAP8AAAD/AAAA/wAAAP8AAAD/AAAA/wAAAP8AAAD/AAAA/wAAAP8AAAD/AAAA/wAAAP8AAAD/AAAA/w=="},
{"event":"surface_create","handle":3,"kind":"texture","format":"X8R8G8B8","width":4,"height":4},
{"event":"surface_update","handle":3,"data":"AAAA/wAAAP8AAAD/AAAA/wAAAP8AAAD/AAAA/wAAAP8AAAD/AAAA/wAAAP8AAAD/AAAA/wAAAP8AAAD/AAAA/w=="},
{"event":"adapter_open","process":1,"adapter":64,"max_allocation_list_slot_id":127},
{"event":"device_create","process":1,"adapter":64,"device":128},
{"event":"allocation_create","process":1,"device":128,"allocations":[{"allocation":256,"model_size":256},{"allocation":512,"model_size":64},{"allocation":768,"model_size":64}]},
{"event":"dp2_bind","process":1,"device":128,"handle":1,"allocation":256,"kind":"target"},
{"event":"dp2_bind","process":1,"device":128,"handle":2,"allocation":512,"kind":"texture"},
{"event":"dp2_bind","process":1,"device":128,"handle":3,"allocation":768,"kind":"texture"},
{"event":"kmt_context_create","process":1,"device":128,"context":320,"d3d":{"target":1}},
{"event":"render","process":1,"context":320,"command_buffer":[
 {"op":"TEXTURESTAGESTATE","records":[{"stage":0,"ts_state":"TEXTUREMAP","value":2}]}],
 "allocation_list":[{},{"allocation":512}],
 "patch_location_list":[{"allocation_index":1,"slot_id":16,"driver_id":25,"patch_offset":8}]},
)";
const std::string kDraw = R"({"event":"render","process":1,"context":320,"command_buffer":[
 {"op":"TEXTURESTAGESTATE","records":[{"stage":0,"ts_state":"TEXTUREMAP","value":3},{"stage":0,"ts_state":"COLOROP","value":"MODULATE"},{"stage":1,"ts_state":"TEXTUREMAP","value":2}]},
 {"op":"TEXTURESTAGESTATE","records":[{"stage":0,"ts_state":"TEXTUREMAP","value":2}]},
 {"op":"TEXTURESTAGESTATE","records":[{"stage":1,"ts_state":"TEXTUREMAP","value":3}]},
 {"op":"TRIANGLELIST","v_start":0,"count":1}],
 "allocation_list":[{},{"allocation":768},{"allocation":512},{"allocation":256,"write_operation":true}],
 "patch_location_list":[
 {"allocation_index":1,"slot_id":16,"driver_id":25,"patch_offset":8},
 {"allocation_index":2,"slot_id":17,"driver_id":131097,"patch_offset":24},
 {"allocation_index":2,"slot_id":16,"driver_id":25,"patch_offset":36,"split_offset":28},
 {"allocation_index":1,"slot_id":17,"driver_id":25,"patch_offset":48,"split_offset":40}],
 "dp2_env":{"flags":["USERMEMVERTICES"],"vertex_type":324,"vertex_size":28,"vertex_source":"inline","vertices":"AAAAAAAAAAAAAAA/AACAPwAA//8AAAAAAAAAAAAAAEEAAAAAAAAAPwAAgD8AAP//AAAAAAAAAAAAAAAAAAAAQQAAAD8AAIA/AAD//wAAAAAAAAAA"}}
])";

trace_model::Model ModelOf(const std::string& text) {
  const TestFolder folder;
  WriteText(folder / "trace.json", text);
  DiagnosticList findings;
  trace_file::OpenError error;
  const auto source = trace_file::WithResults(
      trace_file::Source::Open(folder / "trace.json", UINT64_MAX, findings, error));
  REQUIRE(source != nullptr);
  trace_model::ModelLoader loader;
  for (trace::EventRecord record; source->Next(record);)
    loader.Add(record);
  return loader.Take();
}

// The last event, without its tokens of these numbers.
trace_model::Model WithoutTokens(trace_model::Model model, const std::vector<size_t>& numbers) {
  trace_model::ModelEvent last = *model.events.back();
  const trace_model::ModelEvent before = last;
  std::erase_if(last.tokens, [&](const trace_model::ModelToken& token) {
    const auto number = static_cast<size_t>(
        std::ranges::find(before.tokens, token.id, &trace_model::ModelToken::id) -
        before.tokens.begin());
    return std::ranges::find(numbers, number) != numbers.end();
  });
  model.Replace(std::move(last));
  return model;
}

std::vector<uint32_t> HandlesOf(const trace::Event& event) {
  std::vector<uint32_t> handles;
  const kmt::AllocationListView list(std::get<trace::Render>(event).allocation_list);
  for (size_t i = 0; i < list.size(); ++i)
    handles.push_back(list[i].handle);
  return handles;
}

std::vector<kmt::PatchElement> PatchesOf(const trace::Event& event) {
  std::vector<kmt::PatchElement> patches;
  const kmt::PatchListView list(std::get<trace::Render>(event).patch_location_list);
  for (size_t i = 0; i < list.size(); ++i)
    patches.push_back(list[i]);
  return patches;
}

class BreaksRule final : public reduce::Goal {
 public:
  explicit BreaksRule(Rule rule) : rule_(rule) {}
  bool Holds(const trace_model::Model& model, WorkBudget& /*work*/) const override {
    return FindBroken(model).contains(rule_);
  }

 private:
  Rule rule_;
};

trace_model::Model Reduce(const reduce::Goal& goal, trace_model::Model model) {
  reduce::ReduceOptions options;
  options.on_stage = [](const reduce::ReduceProgress&, const trace_model::Model&) {
    return OkStatus();
  };
  reduce::Reducer reducer(goal, options, std::move(model));
  CHECK(reducer.Run().ok());
  return reducer.model();
}

}  // namespace

TEST_CASE("packets: entries move with their tokens, elements come in the order of use") {
  const trace_model::Model model = ModelOf(kStart + kDraw);
  REQUIRE(FindBroken(model).empty());
  CHECK(model.token_count() == 5);
  // Without the first token texture 2 is named first.
  const trace_model::Model rest = WithoutTokens(model, {0});
  const trace_model::BuiltTrace built(rest);
  CHECK(HandlesOf(built.events().back()) == std::vector<uint32_t>{0, 512, 768, 256});
  CHECK(PatchesOf(built.events().back()) ==
        std::vector<kmt::PatchElement>{{1, 16, 25, 0, 8, 0}, {2, 17, 25, 0, 20, 12}});
  CHECK(FindBroken(rest).empty());
}

TEST_CASE(
    "packets: a draw lists what packets before have bound, once no token of its own binds anything") {
  trace_model::Model model = WithoutTokens(ModelOf(kStart + kDraw), {0, 1, 2});
  trace_model::ModelEvent last = *model.events.back();
  // Not even the elements are there any more.
  last.packet->elements.clear();
  model.Replace(last);
  const trace_model::BuiltTrace built(model);
  CHECK(HandlesOf(built.events().back()) == std::vector<uint32_t>{256, 512});
  CHECK(PatchesOf(built.events().back()).empty());
  const kmt::AllocationListView list(
      std::get<trace::Render>(built.events().back()).allocation_list);
  CHECK(list[0].write_operation());
  CHECK_FALSE(list[1].write_operation());
}

TEST_CASE("packets: a record takes its entry along, and the entries after it move") {
  const trace_model::Model model = ModelOf(kStart + kDraw);
  bool is_found = false;
  for (const reduce::Edit& edit : reduce::DeleteRecords(model)) {
    const std::optional<trace_model::Model> shorter = edit(model);
    if (!shorter) continue;
    const trace_model::BuiltTrace built(*shorter);
    if (std::get<trace::Render>(built.events().back()).command_buffer.size() !=
        4 + 16 + 12 + 12 + 6)
      continue;
    const std::vector<kmt::PatchElement> patches = PatchesOf(built.events().back());
    // The state in the middle, or the first binding.
    if (patches.size() == 4 && patches[1] == kmt::PatchElement{2, 17, 65561, 0, 16, 0})
      is_found = true;
    CHECK(FindBroken(*shorter).empty());
  }
  CHECK(is_found);
}

TEST_CASE("packets: counts that were recorded count what is left") {
  std::string text = kStart + kDraw;
  text.replace(text.rfind("\"dp2_env\""), 0,
               R"("command_length":58,"allocation_count":4,"patch_location_count":4,)");
  const trace_model::Model rest = WithoutTokens(ModelOf(text), {0});
  const trace_model::BuiltTrace built(rest);
  const auto& packet = std::get<trace::Render>(built.events().back());
  CHECK(packet.command_length == packet.command_buffer.size());
  CHECK(packet.allocation_count == 4U);
  CHECK(packet.patch_location_count == 2U);
}

TEST_CASE("packets: a defect of a list stays with the one token that has it") {
  std::string text = kStart + kDraw;
  const std::string entry = R"("slot_id":16,"driver_id":25,"patch_offset":36)";
  text.replace(text.find(entry), entry.size(), R"("slot_id":16,"driver_id":26,"patch_offset":36)");
  const trace_model::Model model = ModelOf(text);
  REQUIRE(FindBroken(model) == std::set<Rule>{Rule::kKmtDp2017});
  const trace_model::Model reduced = Reduce(BreaksRule(Rule::kKmtDp2017), model);
  CHECK(FindBroken(reduced) == std::set<Rule>{Rule::kKmtDp2017});
  REQUIRE(reduced.token_count() == 1);
  const trace_model::BuiltTrace built(reduced);
  const trace::Event& packet = *std::ranges::find_if(built.events(), [](const trace::Event& event) {
    return std::holds_alternative<trace::Render>(event);
  });
  CHECK(std::get<trace::Render>(packet).command_buffer.size() == 12);
  CHECK(PatchesOf(packet).size() == 1);
}

TEST_CASE("packets: what has nothing wrong ends legal, and small") {
  class Draws final : public reduce::Goal {
   public:
    bool Holds(const trace_model::Model& model, WorkBudget& /*work*/) const override {
      return std::ranges::any_of(model.events, [](const auto& event) {
        return std::ranges::any_of(event->tokens, [](const trace_model::ModelToken& token) {
          return token.op != nullptr && token.op->op == opcode::Op::kTriangleList;
        });
      });
    }
  };
  const trace_model::Model reduced = Reduce(Draws(), ModelOf(kStart + kDraw));
  CHECK(FindBroken(reduced).empty());
  CHECK(reduced.token_count() == 1);
  const auto has_texture = [](const auto& event) {
    const auto* const create = std::get_if<trace::SurfaceCreate>(&event->event);
    return create != nullptr && create->kind == d3d::SurfaceKind::kTexture;
  };
  CHECK(std::ranges::none_of(reduced.events, has_texture));
}
