#include "coverage/edges.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "rules/rule_info.h"
#include "support/test_folder.h"
#include "trace_file/source.h"
#include "trace_model/broken_rules.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

namespace {

const std::filesystem::path kAccepted = DP2TRACE_RULE_TRACES "/accepted";

trace_model::Model ModelOf(const std::string& path) {
  DiagnosticList findings;
  trace_file::OpenError error;
  const auto source =
      trace_file::WithResults(trace_file::Source::Open(path, UINT64_MAX, findings, error));
  REQUIRE(source != nullptr);
  trace_model::ModelLoader loader;
  for (trace::EventRecord record; source->Next(record);)
    loader.Add(record);
  return loader.Take();
}

// The rules that the text of an accepted trace barely keeps, with `from` replaced by `to`.
std::set<Rule> EdgesOf(const std::string& name, const std::string& from = "",
                       const std::string& to = "") {
  std::string text = ReadText((kAccepted / name).string());
  if (!from.empty()) {
    const size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    text.replace(at, from.size(), to);
  }
  const TestFolder folder;
  WriteText(folder / "trace.json", text);
  const coverage::EdgeRules edges = coverage::FindBarelyKept(ModelOf(folder / "trace.json"));
  CHECK_FALSE(edges.is_cut);
  return edges.rules;
}

bool Has(const std::set<Rule>& rules, Rule rule) {
  return rules.contains(rule);
}

}  // namespace

TEST_CASE("edges: a number of a token at its limit, and one that is far from it") {
  // A viewport that reaches to the border of the target.
  const std::string name = "DP2-VIEW-003/one-column.json";
  CHECK(Has(EdgesOf(name), Rule::kDp2View003));
  CHECK_FALSE(
      Has(EdgesOf(name, R"("op":"VIEWPORTINFO","records":[{"x":0,"y":0,"width":64,"height":64})",
                  R"("op":"VIEWPORTINFO","records":[{"x":5,"y":5,"width":20,"height":20})"),
          Rule::kDp2View003));
}

TEST_CASE("edges: the range of vertices that a draw promises") {
  const std::string name = "DP2-DRAW-011/two-of-three.json";
  CHECK(Has(EdgesOf(name), Rule::kDp2Draw011));
  // Its first index is still the lowest that the draw promises.
  CHECK(Has(EdgesOf(name, R"("num_vertices":3)", R"("num_vertices":9)"), Rule::kDp2Draw011));
}

TEST_CASE("edges: values of states step by the type of the state") {
  // The last blend operation: the next number is none.
  CHECK(Has(EdgesOf("DP2-RS-004/compare-function-9.json"), Rule::kDp2Rs004));
  CHECK_FALSE(Has(
      EdgesOf("DP2-RS-004/compare-function-9.json", R"("state":"ALWAYS")", R"("state":"EQUAL")"),
      Rule::kDp2Rs004));
}

TEST_CASE("edges: tokens of packets are stepped where they stand") {
  const std::string name = "KMT-ALLOC-001/live.json";
  CHECK(Has(EdgesOf(name), Rule::kDp2Rs004));
  CHECK_FALSE(Has(EdgesOf(name, R"("state":"SOLID")", R"("state":"WIREFRAME")"), Rule::kDp2Rs004));
}

TEST_CASE("edges: floats of vertices in tokens are stepped, after their filler, too") {
  // Triangles in screen space; the first vertex of one has a depth of 1, of the other one of 0.75.
  const std::string old =
      "AAAAQgAAAEEAAAA/AACAPwAA//8AAGBCAABgQgAAAD8AAIA/AP8A/wAAAEEAAGBCAAAAPwAAgD//AAD/";
  const std::string name = "DP2-IMM-006/untransformed.json";
  CHECK(Has(
      EdgesOf(name, old,
              "AACAPwAAgD8AAIA/AACAP/////8AABBBAACAPwAAAD8AAIA//////wAAgD8AABBBAAAAPwAAgD//////"),
      Rule::kDp2Fvf018));
  CHECK_FALSE(Has(
      EdgesOf(name, old,
              "AACAPwAAgD8AAEA/AACAP/////8AABBBAACAPwAAAD8AAIA//////wAAgD8AABBBAAAAPwAAgD//////"),
      Rule::kDp2Fvf018));
}

TEST_CASE("edges: the count of a token's header takes what it counts along") {
  // A fan of 30 triangles is the largest whose edges have flags; one triangle less, and the flags are too many.
  const std::set<Rule> fan = EdgesOf("DP2-IMM-004/31-triangles.json");
  CHECK(Has(fan, Rule::kDp2Imm004));
  CHECK(Has(fan, Rule::kDp2Imm005));
  // Runtimes send one record of it; and a draw of one record draws nothing with one less. In calls and in packets.
  for (const char* const name : {"DP2-DRAW-006/start-1.json", "KMT-DP2-022/carried-texture.json"}) {
    CAPTURE(name);
    CHECK(Has(EdgesOf(name), Rule::kDp2Count006));
    CHECK(Has(EdgesOf(name), Rule::kDp2Count007));
  }
}

TEST_CASE("edges: a rule that is broken is not kept, and a handle has no neighbours") {
  for (const auto& folder : {"DP2-VIEW-003", "DP2-DRAW-011", "DP2-BLT-001"}) {
    for (const auto& entry : std::filesystem::directory_iterator(kAccepted / folder)) {
      const trace_model::Model model = ModelOf(entry.path().string());
      const std::set<Rule> broken = trace_model::FindBroken(model, validate::Preset::kPedantic);
      for (const Rule rule : coverage::FindBarelyKept(model).rules) {
        CHECK_FALSE(broken.contains(rule));
        CHECK(std::string_view(Info(rule).id) != "DP2-BLT-001");  // unknown surface
      }
    }
  }
}

TEST_CASE("edges: the search has a limit, and says so") {
  const trace_model::Model model =
      ModelOf((kAccepted / "DP2-VIEW-003" / "one-column.json").string());
  const coverage::EdgeRules cut = coverage::FindBarelyKept(model, 50);
  CHECK(cut.is_cut);
  CHECK(cut.tries * model.events.size() <= 50);
  CHECK(coverage::FindBarelyKept(model, 0).tries == 0);
}

TEST_CASE("edges: legal twins of traces that break a rule often barely keep it") {
  size_t rules = 0;
  size_t found = 0;
  for (const auto& folder : std::filesystem::directory_iterator(kAccepted)) {
    const std::string id = folder.path().filename().string();
    bool is_found = false;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      if (entry.path().extension() != ".json" || is_found) continue;
      for (const Rule rule : coverage::FindBarelyKept(ModelOf(entry.path().string())).rules)
        is_found = is_found || Info(rule).id == id;
    }
    ++rules;
    found += is_found ? 1U : 0U;
  }
  CHECK(rules > 700);
  CHECK(found >= 230);  // the others are about handles, flags, formats, shaders, order
}
