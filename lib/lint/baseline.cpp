#include "lint/baseline.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/date.h"
#include "json/append.h"
#include "json/members.h"
#include "json/text.h"
#include "rules/rule.h"
#include "rules/rule_info.h"

namespace dp2trace::lint {
namespace {

constexpr uint64_t kVersion = 1;
constexpr json::DocumentLimits kLimits = {.max_memory = uint64_t{256} << 20, .max_depth = 4};

}  // namespace

Status Baseline::Read(const std::string& path) {
  json::Document document(kLimits);
  DP2TRACE_RETURN_IF_ERROR(document.Read(path));
  json::Members root(document, document.root());
  uint64_t version = 0;
  if (!root.Require("version", version, kVersion)) return document.status();
  json::Node* const entries = root.RequireNode("entries", json::NodeType::kArray);
  if (entries == nullptr) return document.status();
  json::ElementIterator elements = document.Elements(*entries);
  while (json::Node* const element = elements.Next()) {
    json::Members members(document, *element);
    std::string rule;
    std::string file;
    std::string fingerprint;
    Entry entry;
    const bool is_read = members.Require("rule", rule) && members.Require("file", file) &&
                         members.Require("fingerprint", fingerprint) &&
                         members.Find("reason", entry.reason) &&
                         members.Find("expires", entry.expires) && members.Finish();
    if (!is_read) return document.status();
    if (!FindRule(rule))
      return document.Fail(*element, Rule::kJson011, fmt::format("there is no rule {}", rule));
    if (!entry.expires.empty() && !IsDate(entry.expires)) {
      return document.Fail(*element, Rule::kJson008,
                           fmt::format("'{}' is no date; expected YYYY-MM-DD", entry.expires));
    }
    entries_[{file, rule, fingerprint}] = entry;
  }
  return root.Finish() ? OkStatus() : document.status();
}

void Baseline::Apply(FileFindings& file) {
  files_[file.file] = true;
  for (ListedFinding& listed : file.findings) {
    const auto found =
        entries_.find({file.file, std::string(Info(listed.finding.rule).id), listed.fingerprint});
    if (found == entries_.end()) continue;
    found->second.is_used = true;
    if (HasExpired(found->second)) continue;
    listed.accepted = found->second.reason;
    --file.counts[static_cast<size_t>(listed.finding.severity)];
    ++file.accepted;
  }
}

void Baseline::Update(const FileFindings& file) {
  files_[file.file] = true;
  for (const ListedFinding& listed : file.findings) {
    Entry& entry =
        entries_[{file.file, std::string(Info(listed.finding.rule).id), listed.fingerprint}];
    if (HasExpired(entry)) entry.expires.clear();
    entry.is_current = true;
  }
}

std::vector<std::string> Baseline::Notes() const {
  std::vector<std::string> notes;
  for (const auto& [key, entry] : entries_) {
    const auto& [file, rule, fingerprint] = key;
    if (!files_.contains(file)) continue;
    if (!entry.is_used) {
      notes.push_back(
          fmt::format("baseline: {} in {} ({}) is found no more", rule, file, fingerprint));
    } else if (HasExpired(entry)) {
      notes.push_back(fmt::format("baseline: {} in {} was accepted until {} and counts again", rule,
                                  file, entry.expires));
    }
  }
  return notes;
}

std::string Baseline::Json() const {
  json::Text out;
  out.Raw(fmt::format("{{\"version\":{},\"entries\":[", kVersion));
  for (const auto& [key, entry] : entries_) {
    const auto& [file, rule, fingerprint] = key;
    if (files_.contains(file) && !entry.is_current) continue;
    out.Separate();
    out.Raw("\n{");
    AppendString(out, "rule", rule);
    AppendString(out, "file", file);
    AppendString(out, "fingerprint", fingerprint);
    AppendString(out, "reason", entry.reason);
    if (!entry.expires.empty()) AppendString(out, "expires", entry.expires);
    out.Raw('}');
  }
  out.Raw("\n]}\n");
  return out.string();
}

}  // namespace dp2trace::lint
