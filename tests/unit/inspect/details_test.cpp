#include "inspect/details.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "image/output.h"
#include "inspect_run.h"
#include "state/draw_finder.h"
#include "state/state_snapshot.h"
#include "support/json_events.h"
#include "support/test_folder.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

namespace {

using Json = nlohmann::json;

constexpr const char* kScenes = DP2TRACE_SOURCE_DIR "/traces/scenes/";
const std::string kScene = std::string(kTarget);
const std::string kEnd = "," + std::string(kPresent);

// What `state` knows of each draw.
struct DrawFacts {
  std::string command;
  state::StateSnapshot state;
  std::vector<state::Mesh> meshes;
  std::map<uint32_t, std::vector<uint8_t>> textures;  // by stage: level 0 of face 0
};

class FactsKeeper final : public state::DrawVisitor {
 public:
  Status OnDraw(const state::FoundDraw& draw, const device::Device& /*device*/,
                const device::Context& context) override {
    DrawFacts& facts = draws[draw.token.number];
    current = &facts;
    facts.command = draw.command;
    facts.state = state::TakeSnapshot(context, writes);
    for (uint32_t stage = 0; stage < 8; ++stage) {
      const device::Resource* const texture = context.Texture(*device::StageSlot(stage));
      if (texture == nullptr) continue;
      facts.textures[stage] =
          image::ToPicture(texture->surface, 0, 0, texture->surface.WholeLevel(0))->rgba;
    }
    return OkStatus();
  }
  void OnMesh(state::Mesh&& mesh) override { current->meshes.push_back(std::move(mesh)); }

  state::StateWrites writes;
  DrawFacts* current = nullptr;
  std::map<uint64_t, DrawFacts> draws;
};

std::map<uint64_t, DrawFacts> FactsOf(const std::string& trace) {
  state::FinderOptions options;
  options.draws_pixels = true;
  options.wants_meshes = true;
  DiagnosticList findings;
  FactsKeeper keeper;
  state::DrawFinder finder(options, keeper);
  play::Player player({}, {&keeper.writes, &finder});
  ForEachJsonEvent(trace, [&](uint64_t number, const trace::Event& event) {
    REQUIRE(player.OnEvent(number, event).ok());
    return true;
  });
  return std::move(keeper.draws);
}

// The rows as the page puts them together: the first item of the file whole, then what changes.
class PageStates {
 public:
  void Add(const Json& states) {
    if (states.contains("snapshot")) rows_.clear();
    for (const Json& row :
         states.value(states.contains("snapshot") ? "snapshot" : "changes", Json()))
      rows_[{row[0], row[1]}] = row;
    for (const Json& name : states.value("removed", Json::array()))
      rows_.erase({name[0], name[1]});
  }
  void CheckEqual(const state::StateSnapshot& expected) const {
    CHECK(rows_.size() == expected.entries.size());
    for (const state::StateEntry& entry : expected.entries) {
      const auto found = rows_.find({std::string(state::Name(entry.group)), entry.name});
      REQUIRE(found != rows_.end());
      const Json& row = found->second;
      CHECK(row[2] == entry.value);
      CHECK(row[3] == (entry.is_default ? 1 : 0));
      if (!entry.is_default) CHECK(row[6] == entry.default_value);
      REQUIRE(row[4].is_null() == !entry.origin.set.has_value());
      if (!entry.origin.set) continue;
      CHECK(row[4] == entry.origin.set->place.event);
      if (entry.origin.set->place.offset) CHECK(row[5] == *entry.origin.set->place.offset);
    }
  }

 private:
  std::map<std::pair<std::string, std::string>, Json> rows_;
};

void CheckVertices(const Json& tables, const std::vector<state::Mesh>& expected) {
  REQUIRE(tables.size() == expected.size());
  for (size_t m = 0; m < expected.size(); ++m) {
    const state::Mesh& mesh = expected[m];
    const Json& table = tables[m];
    const size_t listed = table["rows"].size();
    CHECK(listed == std::min<size_t>(mesh.vertices.size(), 10000));
    CHECK(table.value("more", size_t{0}) == mesh.vertices.size() - listed);
    for (size_t i = 0; i < listed; ++i) {
      CHECK(table["rows"][i].size() == table["columns"].size());
      CHECK(table["numbers"][i] == mesh.vertices[i].number);
      const Json& screen = table["screen"][i];
      REQUIRE(screen.is_null() == !mesh.vertices[i].screen.has_value());
      if (screen.is_null()) continue;
      for (size_t c = 0; c < 4; ++c)
        CHECK(screen[c].get<float>() == (*mesh.vertices[i].screen)[c]);
    }
  }
}

void CheckTextures(const InspectRun& run, const Json& textures, const DrawFacts& expected) {
  CHECK(textures.size() == expected.textures.size());
  for (const Json& texture : textures) {
    const Json& resource = run.Data(texture["resource"]);
    CHECK(Inflate(resource["levels"][0][0]["data"]) == expected.textures.at(texture["stage"]));
    CHECK(resource["levels"].size() == texture["levels"]);
  }
}

void CheckScene(const std::string& trace) {
  const std::map<uint64_t, DrawFacts> facts = FactsOf(trace);
  const InspectRun run = InspectTrace(trace);
  size_t checked = 0;
  std::optional<uint64_t> last_file;
  PageStates states;
  for (const Json& item : run.Items(1)) {
    if (!item.contains("draw")) continue;
    const Json& details = run.Details(1, item["n"]);
    const DrawFacts& expected = facts.at(item["draw"]);
    // The page reads one file: what it holds must do.
    if (const uint64_t file = item["n"].get<uint64_t>() / 32; last_file != file) {
      CHECK(details["states"].contains("snapshot"));
      last_file = file;
    }
    states.Add(details["states"]);
    states.CheckEqual(expected.state);
    CheckTextures(run, details["textures"], expected);
    CheckVertices(details.value("vertices", Json::array()), expected.meshes);
    CHECK(details["tokens"].back()["text"] == expected.command);
    std::map<std::string, std::string> assembly;
    for (const Json& shader : details["shaders"])
      assembly[shader["kind"]] = shader["assembly"];
    CHECK(assembly["vertex"] == expected.state.vertex_shader);
    CHECK(assembly["pixel"] == expected.state.pixel_shader);
    ++checked;
  }
  CHECK(checked == facts.size());
}

}  // namespace

TEST_CASE("Details: what `state` says of every draw of the scenes") {
  for (const char* const name :
       {"stencil-shadow", "teapot-of-patches", "mirror-ball", "bumpy-water", "lit-textured-knot",
        "columns-in-fog", "plane-to-the-horizon"}) {
    CAPTURE(std::string(name));
    CheckScene(ReadText(std::string(kScenes) + name + ".json"));
  }
}

TEST_CASE("Details: states are whole in the first draw of each file, and rebuilt after it") {
  std::string commands;
  for (int i = 0; i < 80; ++i) {
    commands += fmt::format(
        R"({}{{"op":"RENDERSTATE","records":[{{"render_state":"FOGSTART","state":{}}}]}},{})",
        i == 0 ? "" : ",", i, Clear("0xFF0000FF"));
  }
  const std::string trace =
      "[\n{\"event\":\"header\"},\n" + kScene + Call(commands) + kEnd + "\n]\n";
  CheckScene(trace);
  const InspectRun run = InspectTrace(trace);
  CHECK(run.Details(1, 32)["states"].contains("snapshot"));
  CHECK(run.Details(1, 33)["states"]["changes"].size() == 1);
  CHECK(run.Items(1)[33]["states"].size() == 1);
}

TEST_CASE("Details: states are whole in each file whose first item is not a draw") {
  std::string events;
  for (int i = 0; i < 40; ++i) {
    events += R"({"event":"surface_update","handle":1,"rect":[0,0,1,1],"data":"AAAAAA=="},)" +
              Call(Clear("0xFF0000FF")) + ",";
  }
  CheckScene("[\n{\"event\":\"header\"},\n" + kScene + events + std::string(kPresent) + "\n]\n");
}

TEST_CASE("Details: states follow what they name, and lists that grow") {
  const auto texture = [](uint32_t size) {
    return fmt::format(
        R"({{"event":"surface_create","handle":7,"kind":"texture","format":"A8R8G8B8","width":{},"height":{}}},)",
        size, size);
  };
  const std::string bind =
      R"({"op":"TEXTURESTAGESTATE","records":[{"stage":0,"ts_state":"TEXTUREMAP","value":7}]},)";
  const std::string light = R"({"op":"CREATELIGHT","records":[{"index":3}]},)";
  const std::string matrix =
      R"end({"op":"SETTRANSFORM","records":[{"transform":"WORLDMATRIX(5)","matrix":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,2]}]},)end";
  const std::string draw = Call(Clear("0xFF0000FF")) + ",";
  // A handle that another surface gets changes the words of the binding, which nobody sets again.
  CheckScene(
      "[\n{\"event\":\"header\"},\n" + kScene + draw + texture(4) +
      Call(bind + Clear("0xFF00FF00")) + "," + texture(8) + draw +
      R"({"event":"surface_destroy","handle":7},)" + draw + Call(light + Clear("0xFF00FF00")) +
      "," + Call(matrix + Clear("0xFF00FF00")) + "," +
      R"({"event":"context_destroy","context":1},{"event":"context_create","context":1,"target":1},)" +
      draw + draw + std::string(kPresent) + "\n]\n");
}

TEST_CASE("Details: a texture has one file, whoever uses it") {
  const std::string texture =
      R"({"event":"surface_create","handle":%,"kind":"texture","format":"A8R8G8B8","width":2,"height":2},
{"event":"surface_update","handle":%,"data":"AQIDBAUGBwgJCgsMDQ4PEA=="},)";
  const auto with = [&](const std::string& handle) {
    std::string text = texture;
    for (size_t at = text.find('%'); at != std::string::npos; at = text.find('%'))
      text.replace(at, 1, handle);
    return text;
  };
  const auto bind = [](int handle) {
    return fmt::format(
        R"({{"op":"TEXTURESTAGESTATE","records":[{{"stage":0,"ts_state":"TEXTUREMAP","value":{}}}]}},)",
        handle);
  };
  const InspectRun run = InspectEvents(
      kScene + with("7") + with("8") +
      Call(bind(7) + Clear("0xFF0000FF") + "," + bind(8) + Clear("0xFF00FF00")) + kEnd);
  const Json& first = run.Details(1, run.ItemOf(1, 1))["textures"][0];
  const Json& second = run.Details(1, run.ItemOf(1, 2))["textures"][0];
  CHECK(first["handle"] == 7);
  CHECK(second["handle"] == 8);
  CHECK(first["resource"] == second["resource"]);
  CHECK(run.Items(1)[run.ItemOf(1, 2)]["textures"] == Json({8}));
}

TEST_CASE("Details: findings stand at the item after them, with the text of their rule") {
  const std::string wrong =
      R"({"op":"RENDERSTATE","records":[{"render_state":"ZFUNC","state":77}]},)";
  const InspectRun run =
      InspectEvents(kScene + Call(Clear("0xFF0000FF") + "," + wrong + Clear("0xFF00FF00")) + kEnd);
  const uint64_t n = run.ItemOf(1, 2);
  CHECK_FALSE(run.Details(1, run.ItemOf(1, 1)).contains("findings"));
  const Json& finding = run.Details(1, n)["findings"][0];
  const std::string rule = finding["rule"];
  CHECK(run.Items(1)[n]["rules"][0] == rule);
  CHECK(run.Items(1)[n]["findings"][0] == 1);
  CHECK(run.Data("rules/" + rule)["text"].get<std::string>().starts_with(rule + ": "));
  CHECK(run.Data("run")["frames"][0]["findings"]["error"] == 1);
}

TEST_CASE("Details: a finding that waits for the item of the next event does not end the replay") {
  const std::string wrong =
      R"({"op":"RENDERSTATE","records":[{"render_state":"ZFUNC","state":77}]})";
  const InspectRun run =
      InspectEvents(kScene + Call(Clear("0xFF0000FF")) + "," + Call(wrong) + "," +
                    Call(Clear("0xFF00FF00")) + "," + Call(Clear("0xFF102030")) + kEnd);
  CHECK_FALSE(run.Items(1)[run.ItemOf(1, 3)]["writes"].empty());
}

TEST_CASE("Details: lists of 100,000 findings and tokens are cut, and say by how much") {
  constexpr size_t kStates = 50000;  // of a token
  std::string states;
  for (size_t i = 0; i < kStates; ++i)
    states += R"({"render_state":"ZFUNC","state":77},)";
  states.pop_back();
  const std::string token = R"({"op":"RENDERSTATE","records":[)" + states + "]},";
  std::string many;
  for (int i = 0; i < 700; ++i)
    many += R"({"op":"RENDERSTATE","records":[{"render_state":"ZENABLE","state":"TRUE"}]},)";
  const inspect::Options options;
  const InspectRun run =
      InspectEvents(kScene + Call(token + token + many + Clear("0xFF0000FF")) + kEnd, options);
  const uint64_t n = run.ItemOf(1, 1);
  const Json& details = run.Details(1, n);
  size_t counted = 0;
  for (const Json& count : run.Items(1)[n]["findings"])
    counted += count.get<size_t>();
  CHECK(counted >= 2 * kStates);
  CHECK(details["findings"].size() == 200);
  CHECK(details["more_findings"] == counted - 200);
  CHECK(details["tokens"].size() == 500);
  CHECK(details["more_tokens"].get<size_t>() > 200);
  CHECK(run.texts.at("items/1-0").size() < 200000);
}

TEST_CASE("Details: no text of a trace ends a script") {
  const std::string bad = "</script><script>alert(1)</script>";
  const InspectRun run = InspectEvents(kScene + R"({"event":"marker","text":")" + bad + R"("},)" +
                                       Call(Clear("0xFF0000FF")) + kEnd);
  CHECK(run.Items(1)[run.ItemOf(1, 1)]["marker"][0] == bad);
  for (const auto& [name, text] : run.texts)
    CHECK(text.find("</") == std::string::npos);
}
