#include "coverage/feature_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <utility>
#include <vector>

#include "tables/list_table.h"

namespace dp2trace::coverage {
namespace {

constexpr size_t kMostNamed = 5;

// The traces that exercise an item.
struct Feature {
  uint64_t right = 0, wrong = 0, crashed = 0;
  std::vector<std::string> not_right;  // the first ones

  uint64_t traces() const { return right + wrong + crashed; }
  std::string_view support() const {
    if (right == traces()) return "supported";
    if (right != 0) return "partly";
    return crashed != 0 ? "crashes" : "wrong";
  }
};
using Features = std::map<std::string, Feature>;  // by item

Features FeaturesOf(std::span<const JudgedTrace> traces) {
  Features features;
  for (const JudgedTrace& trace : traces) {
    for (const std::string& item : trace.coverage.items) {
      Feature& feature = features[item];
      ++(trace.verdict == Verdict::kRight   ? feature.right
         : trace.verdict == Verdict::kWrong ? feature.wrong
                                            : feature.crashed);
      if (trace.verdict != Verdict::kRight && feature.not_right.size() < kMostNamed)
        feature.not_right.push_back(trace.coverage.trace);
    }
  }
  return features;
}

void AddRow(tables::Table& table, const std::string& name, const Feature& feature) {
  const uint64_t more = feature.wrong + feature.crashed - feature.not_right.size();
  std::string named = fmt::format("{}", fmt::join(feature.not_right, " "));
  if (more != 0) named += fmt::format(" and {} more", more);
  table.rows.push_back({tables::TextCell(name), tables::TextCell(feature.support()),
                        tables::NumberCell(feature.right), tables::NumberCell(feature.wrong),
                        tables::NumberCell(feature.crashed), tables::TextCell(named)});
}

// Rules are broken by traces, not drawn.
bool IsDrawn(const CoverageGroup& group) {
  return group.key != "rules" && group.key != kOnlyJustKeptGroup;
}

}  // namespace

std::string FeatureTable(std::span<const JudgedTrace> traces, tables::ListFormat format) {
  const Features features = FeaturesOf(traces);
  std::vector<tables::Table> tables(1);
  tables[0] = {"groups", "Support", {"group", "supported", "partly", "wrong", "crashes"}, {}};
  for (const CoverageGroup& group : CoverageGroups()) {
    if (!IsDrawn(group)) continue;
    tables::Table table{group.key,
                        group.title,
                        {"name", "support", "right", "wrong", "crashed", "not_right_in"},
                        {}};
    std::map<std::string_view, uint64_t> counts;
    for (const std::string& name : group.names) {
      const auto found = features.find(fmt::format("{}/{}", group.key, name));
      if (found == features.end()) continue;
      ++counts[found->second.support()];
      AddRow(table, name, found->second);
    }
    tables[0].rows.push_back(
        {tables::TextCell(group.title), tables::NumberCell(counts["supported"]),
         tables::NumberCell(counts["partly"]), tables::NumberCell(counts["wrong"]),
         tables::NumberCell(counts["crashes"])});
    if (!table.rows.empty()) tables.push_back(std::move(table));
  }
  return tables::RenderTables(tables, "golden report --features", format, "golden-features");
}

}  // namespace dp2trace::coverage
