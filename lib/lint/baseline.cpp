#include "lint/baseline.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/date.h"
#include "base/plain_text.h"
#include "json/append.h"
#include "json/builder.h"
#include "json/members.h"
#include "lint/fingerprint.h"
#include "os/path.h"
#include "os/relative_path.h"
#include "rules/place.h"
#include "rules/rule.h"
#include "rules/rule_info.h"

namespace dp2trace::lint {
namespace {

constexpr uint64_t kVersion = 3;
constexpr uint64_t kFirstReadable = 2;
constexpr json::DocumentLimits kLimits = {.max_memory = uint64_t{256} << 20, .max_depth = 4};

// File, rule, fingerprint.
std::tuple<std::string, std::string, std::string> KeyOf(const std::string& file,
                                                        const ListedFinding& listed) {
  return {file, std::string(Info(listed.finding.rule).id),
          std::string(IdentityOf(listed.fingerprint))};
}

// "event 1039, offset 0xc, frame 1, draw 2": what is known of it.
std::string PlaceOf(const Diagnostic& finding) {
  std::vector<std::string> parts;
  if (!finding.event && finding.line != 0) parts.push_back(fmt::format("line {}", finding.line));
  if (std::string place = PlaceInTrace(finding); !place.empty()) parts.push_back(std::move(place));
  if (finding.frame != 0) parts.push_back(fmt::format("frame {}", finding.frame));
  if (finding.draw != 0) parts.push_back(fmt::format("draw {}", finding.draw));
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace

Status Baseline::Read(bool is_updated) {
  json::Document document(kLimits);
  DP2TRACE_RETURN_IF_ERROR(document.Read(path_));
  json::Members root(document, document.root());
  uint64_t version = 0;
  if (!root.Require("version", version, kVersion)) return document.status();
  const bool is_old = version < kFirstReadable;
  if (is_old && !is_updated) {
    return document.Fail(
        document.root(), Rule::kJson008,
        fmt::format(
            "the baseline has version {}, in which one fingerprint could stand for several "
            "findings; --update-baseline writes version {} and keeps the reason and last day "
            "of a rule in a file where all its entries have the same",
            version, kVersion));
  }
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
                         members.Find("message", entry.message) &&
                         members.Find("place", entry.place) && members.Find("count", entry.count) &&
                         members.Find("reason", entry.reason) &&
                         members.Find("expires", entry.expires) && members.Finish();
    if (!is_read) return document.status();
    if (!FindRule(rule))
      return document.Fail(*element, Rule::kJson011, fmt::format("there is no rule {}", rule));
    if (!entry.expires.empty() && !IsDate(entry.expires)) {
      return document.Fail(*element, Rule::kJson008,
                           fmt::format("'{}' is not a date; expected YYYY-MM-DD", entry.expires));
    }
    if (version < kVersion) file = NameOf(DecodeName(file));
    if (is_old) {
      AddOldEntry(file, rule, entry);
    } else {
      entries_[{file, rule, fingerprint}] = entry;
    }
  }
  return root.Finish() ? OkStatus() : document.status();
}

void Baseline::AddOldEntry(const std::string& file, const std::string& rule, const Entry& entry) {
  const auto [old, is_first] = old_reasons_.try_emplace({file, rule}, entry);
  const bool is_same = is_first || (old->second && old->second->reason == entry.reason &&
                                    old->second->expires == entry.expires);
  if (!is_same) old->second.reset();
}

bool Baseline::IsAgain(const Entry& entry, const Diagnostic& finding) {
  return entry.first_frame && (!finding.cause.empty() || finding.frame != *entry.first_frame);
}

std::string Baseline::NameOf(const std::string& file) const {
  return EncodeName(file == kStandardInputName ? file : PathFrom(FolderOf(path_), file));
}

void Baseline::Apply(FileFindings& file) {
  const std::string name = NameOf(file.file);
  files_[name] = true;
  for (ListedFinding& listed : file.findings) {
    const auto found = entries_.find(KeyOf(name, listed));
    if (found == entries_.end()) continue;
    Entry& entry = found->second;
    if (!IsAgain(entry, listed.finding)) {
      if (entry.found == entry.count) continue;
      ++entry.found;
      entry.first_frame = listed.finding.frame;
    }
    if (HasExpired(entry)) continue;
    listed.accepted = entry.reason;
    --file.counts[static_cast<size_t>(listed.finding.severity)];
    ++file.accepted;
  }
}

void Baseline::Update(const FileFindings& file) {
  const std::string name = NameOf(file.file);
  files_[name] = true;
  for (const ListedFinding& listed : file.findings) {
    const Key key = KeyOf(name, listed);
    const auto [found, is_new] = entries_.try_emplace(key);
    Entry& entry = found->second;
    const auto old = old_reasons_.find({std::get<0>(key), std::get<1>(key)});
    if (is_new && old != old_reasons_.end() && old->second) entry = *old->second;
    if (is_new) entry.is_new = true;
    if (entry.current == 0) {
      entry.message = listed.finding.message;
      entry.place = PlaceOf(listed.finding);
    }
    if (IsAgain(entry, listed.finding)) continue;
    entry.first_frame = listed.finding.frame;
    entry.count = ++entry.current;
  }
}

std::vector<std::string> Baseline::Notes() const {
  std::vector<std::string> notes;
  for (const auto& [key, entry] : entries_) {
    const auto& [file, rule, fingerprint] = key;
    if (!files_.contains(file)) continue;
    if (entry.found == 0) {
      notes.push_back(
          fmt::format("baseline: {} in {} ({}) no longer occurs", rule, file, fingerprint));
    } else if (entry.found < entry.count) {
      notes.push_back(fmt::format("baseline: {} in {} ({}) occurs {}, expected {}", rule, file,
                                  fingerprint, Counted(entry.found, "time"), entry.count));
    }
    if (entry.found != 0 && HasExpired(entry)) {
      notes.push_back(fmt::format("baseline: {} in {} was accepted until {} and counts again", rule,
                                  file, entry.expires));
    }
  }
  return notes;
}

std::vector<std::string> Baseline::UpdateNotes() const {
  uint64_t written = 0, added = 0, gone = 0;
  std::vector<std::string> notes;
  for (const auto& [key, entry] : entries_) {
    const auto& [file, rule, fingerprint] = key;
    const bool is_gone = files_.contains(file) && entry.current == 0;
    gone += is_gone ? 1U : 0U;
    written += is_gone ? 0U : 1U;
    added += entry.is_new ? 1U : 0U;
    if (!is_gone && HasExpired(entry)) {
      notes.push_back(fmt::format("baseline: {} in {} expired on {} and counts; the entry is kept",
                                  rule, file, entry.expires));
    }
  }
  notes.push_back(fmt::format("baseline: {} {}, {} new; {} gone", written,
                              written == 1 ? "entry" : "entries", added, gone));
  for (const auto& [key, reason] : old_reasons_) {
    const auto& [file, rule] = key;
    if (!files_.contains(file)) {
      notes.push_back(fmt::format(
          "baseline: {} was not checked: its entries of version 1 for {} are gone", file, rule));
    } else if (!reason) {
      notes.push_back(fmt::format(
          "baseline: the entries of version 1 for {} in {} had several reasons, which are gone",
          rule, file));
    }
  }
  return notes;
}

std::string Baseline::Json() const {
  json::Builder out;
  out.Raw(fmt::format("{{\"version\":{},\"entries\":[", kVersion));
  for (const auto& [key, entry] : entries_) {
    const auto& [file, rule, fingerprint] = key;
    if (files_.contains(file) && entry.current == 0) continue;
    out.Separate();
    out.Raw("\n{");
    AppendString(out, "rule", rule);
    AppendString(out, "file", file);
    AppendString(out, "fingerprint", fingerprint);
    if (entry.count != 1) {
      out.Key("count");
      out.Number(entry.count);
    }
    AppendString(out, "reason", entry.reason);
    if (!entry.expires.empty()) AppendString(out, "expires", entry.expires);
    if (!entry.message.empty()) AppendString(out, "message", entry.message);
    if (!entry.place.empty()) AppendString(out, "place", entry.place);
    out.Raw('}');
  }
  out.Raw("\n]}\n");
  return out.string();
}

}  // namespace dp2trace::lint
