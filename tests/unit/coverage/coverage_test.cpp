#include "coverage/coverage.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string_view>

#include "d3d/states.h"
#include "rules/rule_info.h"
#include "support/test_folder.h"

using namespace dp2trace;            // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::coverage;  // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;   // NOLINT(google-build-using-namespace): test file

namespace {

const CoverageGroup& GroupOf(std::string_view key) {
  const auto group = std::ranges::find(CoverageGroups(), key, &CoverageGroup::key);
  REQUIRE(group != CoverageGroups().end());
  return *group;
}

bool HasName(std::string_view key, const char* name) {
  return std::ranges::count(GroupOf(key).names, std::string(name)) == 1;
}

// Three traces: b covers all that c does, a something of its own.
std::vector<TraceCoverage> Traces() {
  return {{"a", {"operations/CLEAR"}},
          {"b", {"formats/A8R8G8B8", "operations/POINTS"}},
          {"c", {"operations/POINTS"}}};
}

}  // namespace

TEST_CASE("coverage: what there is comes from the tables") {
  CHECK(GroupOf("rules").names.size() == AllRules().size());
  CHECK(GroupOf("render_states").names.size() == d3d::AllRenderStates().size());
  CHECK(HasName("render_state_values", "CULLMODE=CCW"));
  CHECK(HasName("primitive_types", "TRIANGLEFAN"));
  CHECK(HasName("shader_instructions", "texld"));
  CHECK_FALSE(HasName("render_state_values", "ALPHAREF=1"));
}

TEST_CASE("coverage: few traces cover what all do, the first of equals by path") {
  CHECK(MinimalTraces(Traces()) == std::vector<std::string>{"a", "b"});
  const std::vector<TraceCoverage> equal = {{"y", {"operations/CLEAR"}},
                                            {"x", {"operations/CLEAR"}}};
  CHECK(MinimalTraces(equal) == std::vector<std::string>{"x"});
  CHECK(MinimalTraces({}).empty());
}

TEST_CASE("coverage: results are read as they were written, and traces of one path become one") {
  const TestFolder folder;
  const std::string text = CoverageText(Traces(), false, tables::ListFormat::kJson);
  WriteText(folder / "r.json", text);
  std::vector<TraceCoverage> traces;
  REQUIRE(ReadCoverage(folder / "r.json", traces).ok());
  CHECK(CoverageText(traces, false, tables::ListFormat::kJson) == text);
  traces.push_back({"c", {"operations/CLEAR"}});
  traces = Merged(std::move(traces));
  REQUIRE(traces.size() == 3);
  CHECK(traces[2].items == CoveredItems{"operations/CLEAR", "operations/POINTS"});
}

TEST_CASE("coverage: a result that names what no table has is refused") {
  const TestFolder folder;
  std::vector<TraceCoverage> traces;
  WriteText(
      folder / "r.json",
      R"({"tool":"dp2trace","version":"1","schema":"coverage/1","traces":[{"trace":"a","items":["operations/JUMP"]}]})");
  CHECK_FALSE(ReadCoverage(folder / "r.json", traces).ok());
  WriteText(folder / "r.json", R"({"traces":[]})");
  CHECK_FALSE(ReadCoverage(folder / "r.json", traces).ok());
  WriteText(folder / "r.json",
            R"({"tool":"dp2trace","version":"1","schema":"coverage/2","traces":[]})");
  CHECK_FALSE(ReadCoverage(folder / "r.json", traces).ok());
  CHECK(traces.empty());
}

TEST_CASE("coverage: the rules that are barely kept are shown where somebody looked for them") {
  std::vector<TraceCoverage> traces = Traces();
  const auto shows = [&](tables::ListFormat format) {
    return CoverageText(traces, false, format)
               .find(format == tables::ListFormat::kJson
                         ? "\"rules_barely_kept\""
                         : "Rules barely kept") != std::string::npos;
  };
  CHECK_FALSE(shows(tables::ListFormat::kText));
  CHECK_FALSE(shows(tables::ListFormat::kJson));
  CHECK(HasName(kBarelyKeptGroup, "DP2-VIEW-003"));
  traces[0].items.insert("rules_barely_kept/DP2-VIEW-003");
  CHECK(shows(tables::ListFormat::kText));
  CHECK(shows(tables::ListFormat::kJson));
}
