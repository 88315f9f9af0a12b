// What is covered as text, Markdown and JSON, and JSON read again.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

#include "coverage/coverage.h"
#include "json/builder.h"
#include "json/document.h"
#include "json/members.h"
#include "json/output.h"
#include "rules/rule.h"
#include "tables/list_table.h"

namespace dp2trace::coverage {
namespace {

struct GroupCoverage {
  std::vector<std::string> covered, missing;
};

GroupCoverage CoverageOf(const CoverageGroup& group, const CoveredItems& items) {
  GroupCoverage found;
  for (const std::string& name : group.names) {
    const bool is_covered = items.contains(fmt::format("{}/{}", group.key, name));
    (is_covered ? found.covered : found.missing).push_back(name);
  }
  return found;
}

void AppendCoverageNames(json::Builder& out, std::string_view key,
                         const std::vector<std::string>& names) {
  out.Key(key);
  out.Raw('[');
  for (const std::string& name : names) {
    out.Separate();
    out.String(name);
  }
  out.Raw(']');
}

std::string CoverageJson(std::span<const TraceCoverage> traces) {
  const CoveredItems all = AllCovered(traces);
  json::Builder out;
  out.Raw(json::OutputHead("coverage") + ",\"groups\":[");
  for (const CoverageGroup& group : CoverageGroups()) {
    const GroupCoverage found = CoverageOf(group, all);
    if (group.is_on_demand && found.covered.empty()) continue;
    out.Separate();
    out.Raw("\n{");
    out.Key("group");
    out.Name(group.key);
    AppendCoverageNames(out, "covered", found.covered);
    AppendCoverageNames(out, "missing", found.missing);
    out.Raw('}');
  }
  out.Raw("],\n\"traces\":[");
  for (const TraceCoverage& trace : traces) {
    out.Separate();
    out.Raw("\n{");
    out.Key("trace");
    out.String(trace.trace);
    AppendCoverageNames(out, "items", {trace.items.begin(), trace.items.end()});
    out.Raw('}');
  }
  out.Raw("]}\n");
  return std::move(out.string());
}

CoveredItems KnownItems() {
  CoveredItems known;
  for (const CoverageGroup& group : CoverageGroups()) {
    for (const std::string& name : group.names)
      known.insert(fmt::format("{}/{}", group.key, name));
  }
  return known;
}

bool ReadTraceCoverage(json::Document& document, json::Node& node, const CoveredItems& known,
                       TraceCoverage& trace) {
  json::Members members(document, node);
  std::vector<std::string> items;
  if (!members.Require("trace", trace.trace) || !members.Find("items", items)) return false;
  for (std::string& item : items) {
    if (!known.contains(item)) {
      (void)document.Fail(node, Rule::kJson011,
                          fmt::format("no table of this version has \"{}\"", item));
      return false;
    }
    trace.items.insert(std::move(item));
  }
  return members.Finish();
}

}  // namespace

std::string CoverageText(std::span<const TraceCoverage> traces, bool lists_missing,
                         tables::ListFormat format) {
  if (format == tables::ListFormat::kJson) return CoverageJson(traces);
  const CoveredItems all = AllCovered(traces);
  tables::Table table{
      "groups", "Coverage", {"group", "covered", lists_missing ? "missing" : "names"}, {}};
  for (const CoverageGroup& group : CoverageGroups()) {
    const GroupCoverage found = CoverageOf(group, all);
    if (group.is_on_demand && found.covered.empty()) continue;
    const std::vector<std::string>& names = lists_missing ? found.missing : found.covered;
    table.rows.push_back(
        {tables::TextCell(group.title),
         tables::TextCell(fmt::format("{}/{}", found.covered.size(), group.names.size())),
         tables::TextCell(fmt::format("{}", fmt::join(names, " ")))});
  }
  return tables::RenderTables({&table, 1}, "coverage", format);
}

Status ReadCoverage(const std::string& path, std::vector<TraceCoverage>& traces) {
  json::Document document;
  DP2TRACE_RETURN_IF_ERROR(document.Read(path));
  json::Members members(document, document.root());
  std::string schema;
  std::string unused;  // of the head
  if (!members.Require("tool", unused) || !members.Require("version", unused) ||
      !members.Require("schema", schema)) {
    return document.status();
  }
  if (schema != "coverage/1") {
    return document.Fail(document.root(), Rule::kJson011,
                         fmt::format("\"{}\" is not the schema coverage/1", schema));
  }
  (void)members.FindNode("errors", json::NodeType::kArray);
  (void)members.FindNode("groups", json::NodeType::kArray);  // follows from the traces
  json::Node* const list = members.RequireNode("traces", json::NodeType::kArray);
  if (list == nullptr) return document.status();
  const CoveredItems known = KnownItems();
  for (json::ElementIterator element = document.Elements(*list);
       json::Node* node = element.Next();) {
    TraceCoverage trace;
    if (!ReadTraceCoverage(document, *node, known, trace)) return document.status();
    traces.push_back(std::move(trace));
  }
  return members.Finish() ? OkStatus() : document.status();
}

}  // namespace dp2trace::coverage
