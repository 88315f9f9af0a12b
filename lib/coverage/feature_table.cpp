#include "coverage/feature_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <map>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tables/list_table.h"

namespace dp2trace::coverage {
namespace {

constexpr size_t kMostNamed = 5;

struct VerdictName {
  std::string_view column;
  std::string_view support;  // of what no trace gets right
};
// By verdict.
constexpr std::array<VerdictName, 5> kVerdicts = {{{"right", "supported"},
                                                   {"wrong", "wrong"},
                                                   {"no_picture", "no picture"},
                                                   {"timed_out", "timed out"},
                                                   {"crashed", "crashed"}}};

// The traces that exercise an item.
struct Feature {
  std::array<uint64_t, kVerdicts.size()> counts = {};  // by verdict
  std::vector<std::string> not_right;                  // the first ones

  uint64_t right() const { return counts[0]; }
  uint64_t wrong() const { return std::accumulate(counts.begin() + 1, counts.end(), uint64_t{0}); }
  std::string_view support() const {
    if (wrong() == 0) return "supported";
    if (right() != 0) return "partly";
    size_t worst = counts.size() - 1;
    while (counts[worst] == 0)
      --worst;
    return kVerdicts[worst].support;
  }
};
using Features = std::map<std::string, Feature>;  // by item

Features FeaturesOf(std::span<const JudgedTrace> traces) {
  Features features;
  for (const JudgedTrace& trace : traces) {
    for (const std::string& item : trace.coverage.items) {
      Feature& feature = features[item];
      ++feature.counts[static_cast<size_t>(trace.verdict)];
      if (trace.verdict != Verdict::kRight && feature.not_right.size() < kMostNamed)
        feature.not_right.push_back(trace.coverage.trace);
    }
  }
  return features;
}

void AddRow(tables::Table& table, const std::string& name, const Feature& feature) {
  const uint64_t more = feature.wrong() - feature.not_right.size();
  std::string named = fmt::format("{}", fmt::join(feature.not_right, " "));
  if (more != 0) named += fmt::format(" and {} more", more);
  std::vector<tables::Cell> row = {tables::TextCell(name), tables::TextCell(feature.support())};
  for (const uint64_t count : feature.counts)
    row.push_back(tables::NumberCell(count));
  row.push_back(tables::TextCell(named));
  table.rows.push_back(std::move(row));
}

// Rules are broken by traces, not drawn.
bool IsDrawn(const CoverageGroup& group) {
  return group.key != "rules" && group.key != kBarelyKeptGroup;
}

}  // namespace

std::string FeatureTable(std::span<const JudgedTrace> traces, tables::ListFormat format) {
  const Features features = FeaturesOf(traces);
  std::vector<tables::Table> tables(1);
  tables[0] = {"groups", "Support", {"group", "supported", "partly"}, {}};
  for (size_t i = 1; i < kVerdicts.size(); ++i)
    tables[0].columns.emplace_back(kVerdicts[i].column);
  for (const CoverageGroup& group : CoverageGroups()) {
    if (!IsDrawn(group)) continue;
    tables::Table table{group.key, group.title, {"name", "support"}, {}};
    for (const VerdictName& verdict : kVerdicts)
      table.columns.emplace_back(verdict.column);
    table.columns.emplace_back("not_right_in");
    std::map<std::string_view, uint64_t> counts;
    for (const std::string& name : group.names) {
      const auto found = features.find(fmt::format("{}/{}", group.key, name));
      if (found == features.end()) continue;
      ++counts[found->second.support()];
      AddRow(table, name, found->second);
    }
    std::vector<tables::Cell> row = {tables::TextCell(group.title),
                                     tables::NumberCell(counts["supported"]),
                                     tables::NumberCell(counts["partly"])};
    for (size_t i = 1; i < kVerdicts.size(); ++i)
      row.push_back(tables::NumberCell(counts[kVerdicts[i].support]));
    tables[0].rows.push_back(std::move(row));
    if (!table.rows.empty()) tables.push_back(std::move(table));
  }
  return tables::RenderTables(tables, "golden report --features", format, "golden-features");
}

}  // namespace dp2trace::coverage
