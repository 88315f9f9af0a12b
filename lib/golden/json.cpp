#include "golden/json.h"

#include <fmt/format.h>

#include "rules/rule.h"
#include "rules/rule_info.h"
#include "text/finding.h"
#include "text/value.h"

namespace dp2trace::golden {
namespace {

std::optional<replay::ImageKind> FindImageKind(std::string_view name) {
  for (const replay::ImageKind kind : {replay::ImageKind::kFrame, replay::ImageKind::kRead}) {
    if (replay::Name(kind) == name) return kind;
  }
  return std::nullopt;
}

bool ReadHash(json::Document& document, const json::Node& object, const std::string& hash) {
  if (IsHash(hash)) return true;
  (void)document.Fail(
      object, Rule::kGoldenManifest001,
      fmt::format("'{}' is not a hash; expected 32 lower-case hexadecimal digits", hash));
  return false;
}

bool ReadSetters(json::Document& document, json::Members& members,
                 std::vector<StateSetter>& setters) {
  const json::Node* const array = members.FindNode("set_by", json::NodeType::kArray);
  if (array == nullptr) return document.status().ok();
  json::ElementIterator elements = document.Elements(*array);
  while (json::Node* const element = elements.Next()) {
    json::Members one(document, *element);
    StateSetter& setter = setters.emplace_back();
    const bool is_read = one.Require("state", setter.state) && one.Find("event", setter.event) &&
                         one.Find("offset", setter.offset) && one.Finish();
    if (!is_read) return false;
  }
  return true;
}

bool ReadFinding(json::Document& document, json::Node& node, Diagnostic& finding) {
  json::Members members(document, node);
  std::string rule;
  std::string severity;
  if (!members.Require("rule", rule) || !members.Require("severity", severity)) return false;
  const std::optional<Rule> found = FindRule(rule);
  if (!found) {
    return document
        .Fail(node, Rule::kGoldenManifest001,
              fmt::format("'{}' is not a rule of this program", rule))
        .ok();
  }
  finding.rule = *found;
  finding.severity = Info(*found).severity;
  return members.Find("event", finding.event) && members.Find("offset", finding.offset) &&
         members.Find("length", finding.length) && members.Find("line", finding.line) &&
         members.Find("column", finding.column) && members.Find("frame", finding.frame) &&
         members.Find("draw", finding.draw) && members.Find("marker", finding.marker) &&
         members.Find("path", finding.path) && members.Require("message", finding.message) &&
         members.Find("actual", finding.actual) && members.Find("expected", finding.expected) &&
         ReadSetters(document, members, finding.set_by) && members.Finish();
}

}  // namespace

void AppendKey(json::Builder& out, const ImageKey& key) {
  out.Key("kind");
  out.Name(replay::Name(key.kind));
  out.Key("sequence");
  out.Number(key.sequence);
  if (key.slice) {
    out.Key("slice");
    out.Number(*key.slice);
  }
  if (key.is_stencil) {
    out.Key("stencil");
    out.Raw("true");
  }
}

void AppendPixels(json::Builder& out, const GoldenImage& image, std::string_view prefix) {
  std::string format;
  text::AppendFormat(format, image.format);
  out.Key(fmt::format("{}format", prefix));
  out.String(format);
  out.Key(fmt::format("{}hash", prefix));
  out.Name(image.hash);
  if (image.raw_hash.empty()) return;
  out.Key(fmt::format("{}raw_hash", prefix));
  out.Name(image.raw_hash);
}

void AppendCounts(json::Builder& out, std::string_view name, const FindingCounts& counts) {
  if (counts.empty()) return;
  out.Key(name);
  out.Raw('{');
  for (const auto& [rule, count] : counts) {
    out.Key(rule);
    out.Number(count);
  }
  out.Raw('}');
}

void AppendFindings(json::Builder& out, std::string_view name,
                    const std::vector<Diagnostic>& findings) {
  if (findings.empty()) return;
  out.Key(name);
  out.Raw('[');
  for (const Diagnostic& finding : findings) {
    out.Separate();
    out.Raw('{');
    text::AppendFindingMembers(out.string(), finding);
    out.Raw('}');
  }
  out.Raw(']');
}

bool ReadKey(json::Document& document, const json::Node& object, json::Members& members,
             ImageKey& key) {
  std::string kind;
  std::optional<uint64_t> slice;
  if (!members.Require("kind", kind) || !members.Require("sequence", key.sequence) ||
      !members.Find("slice", slice, UINT32_MAX) || !members.Find("stencil", key.is_stencil)) {
    return false;
  }
  if (slice) key.slice = static_cast<uint32_t>(*slice);
  const std::optional<replay::ImageKind> found = FindImageKind(kind);
  if (found) key.kind = *found;
  return found ||
         document
             .Fail(object, Rule::kJson011,
                   fmt::format("'{}' is not a kind of picture; expected frame or read", kind))
             .ok();
}

bool ReadPixels(json::Document& document, const json::Node& object, json::Members& members,
                GoldenImage& image, std::string_view prefix) {
  const json::Node* const format =
      members.RequireNode(fmt::format("{}format", prefix), json::NodeType::kString);
  if (format == nullptr || !document.values().Format(*format, image.format)) return false;
  if (!members.Require(fmt::format("{}hash", prefix), image.hash)) return false;
  if (!members.Find(fmt::format("{}raw_hash", prefix), image.raw_hash)) return false;
  return ReadHash(document, object, image.hash) &&
         (image.raw_hash.empty() || ReadHash(document, object, image.raw_hash));
}

bool ReadCounts(json::Document& document, json::Members& members, std::string_view name,
                FindingCounts& counts) {
  const json::Node* const object = members.FindNode(name, json::NodeType::kObject);
  if (object == nullptr) return document.status().ok();
  json::ElementIterator elements = document.Elements(*object);
  while (const json::Node* const element = elements.Next()) {
    const std::string rule(element->key_view());
    if (!FindRule(rule)) {
      return document
          .Fail(*element, Rule::kGoldenManifest001,
                fmt::format("'{}' is not a rule of this program", rule))
          .ok();
    }
    if (counts.contains(rule)) {
      return document
          .Fail(*element, Rule::kJson005, fmt::format("the object has the key \"{}\" twice", rule))
          .ok();
    }
    if (!document.values().Unsigned(*element, UINT64_MAX, counts[rule])) return false;
  }
  return true;
}

bool ReadFindings(json::Document& document, json::Members& members, std::string_view name,
                  std::vector<Diagnostic>& findings) {
  const json::Node* const array = members.FindNode(name, json::NodeType::kArray);
  if (array == nullptr) return document.status().ok();
  json::ElementIterator elements = document.Elements(*array);
  while (json::Node* const element = elements.Next()) {
    if (!ReadFinding(document, *element, findings.emplace_back())) return false;
  }
  return true;
}

bool ReadStatus(json::Document& document, const json::Node& object, std::string_view name,
                GoldenStatus& status) {
  const std::optional<GoldenStatus> found = FindGoldenStatus(name);
  if (found) status = *found;
  return found ||
         document.Fail(object, Rule::kJson011, fmt::format("'{}' is not a status", name)).ok();
}

}  // namespace dp2trace::golden
