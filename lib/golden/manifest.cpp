#include "golden/manifest.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/date.h"
#include "base/plain_text.h"
#include "golden/json.h"
#include "image/loose_compare.h"
#include "rules/rule.h"

namespace dp2trace::golden {
namespace {

using json::Document;
using json::Members;
using json::Node;
using json::NodeType;

constexpr uint64_t kMaxManifestMemory = uint64_t{8} << 30;

class ManifestReader {
 public:
  explicit ManifestReader(Document& document) : document_(&document) {}

  bool Read(Manifest& manifest) {
    Members members(*document_, document_->root());
    uint64_t version = 0;
    if (!members.Require("version", version) || !members.Find("include", manifest.include))
      return false;
    if (version != kManifestVersion) {
      return Fail(document_->root(),
                  fmt::format("the manifest has version {}, this program reads {}", version,
                              kManifestVersion));
    }
    for (const std::string& folder : manifest.include) {
      if (folder != "." && !IsPlainPath(folder)) {
        return Fail(document_->root(),
                    fmt::format("the folder '{}' is not below that of the manifest", folder));
      }
    }
    if (Node* const limits = members.FindNode("limits", NodeType::kObject);
        limits != nullptr && !ReadLimits(*limits, manifest.limits))
      return false;
    const Node* const traces = members.RequireNode("traces", NodeType::kArray);
    if (traces == nullptr) return false;
    json::ElementIterator elements = document_->Elements(*traces);
    while (Node* const element = elements.Next()) {
      if (!ReadTrace(*element, manifest.traces.emplace_back())) return false;
    }
    return members.Finish() && Sort(manifest);
  }

 private:
  bool Fail(const Node& node, std::string message) {
    return document_->Fail(node, Rule::kGoldenManifest001, std::move(message)).ok();
  }

  bool ReadLimits(Node& node, GoldenLimits& limits) {
    Members members(*document_, node);
    if (!members.Find("timeout_s", limits.timeout_s, kMaxTimeout)) return false;
    if (limits.timeout_s == 0) return Fail(node, "a timeout_s of 0 leaves no time");
    return members.Find("max_memory", limits.max_memory) &&
           members.Find("max_worker_memory", limits.max_worker_memory) && members.Finish();
  }

  bool ReadTrace(Node& node, ManifestTrace& trace) {
    Members members(*document_, node);
    if (!members.Require("path", trace.path) || !members.Require("hash", trace.hash) ||
        !members.Find("tags", trace.tags))
      return false;
    trace.path = DecodeName(trace.path);
    if (!IsPlainPath(trace.path)) {
      return Fail(node,
                  fmt::format("the path '{}' is not below the folder of the manifest", trace.path));
    }
    if (!IsHash(trace.hash)) {
      return Fail(node, fmt::format("'{}' is not a hash; expected 32 lower-case hexadecimal digits",
                                    trace.hash));
    }
    if (!ReadExemption(members, "skip", trace.skip) ||
        !ReadExemption(members, "expected_fail", trace.expected_fail) ||
        !ReadTolerance(members, trace.tolerance))
      return false;
    if (trace.skip && trace.skip->status)
      return Fail(node, "a trace that is skipped has no status");
    if (!ReadCounts(*document_, members, "findings", trace.findings)) return false;
    const Node* const images = members.RequireNode("images", NodeType::kArray);
    if (images == nullptr) return false;
    json::ElementIterator elements = document_->Elements(*images);
    while (Node* const element = elements.Next()) {
      if (!ReadImage(*element, trace.images.emplace_back())) return false;
    }
    std::ranges::sort(trace.images, {}, &GoldenImage::key);
    const auto twice = std::ranges::adjacent_find(trace.images, {}, &GoldenImage::key);
    if (twice != trace.images.end()) {
      return Fail(node, fmt::format("{}: duplicate picture {}", trace.path, NameOf(twice->key)));
    }
    return members.Finish();
  }

  bool ReadExemption(Members& members, std::string_view key, std::optional<Exemption>& exemption) {
    Node* const node = members.FindNode(key, NodeType::kObject);
    if (node == nullptr) return document_->status().ok();
    Members entry(*document_, *node);
    exemption.emplace();
    std::string status;
    if (!entry.Find("status", status)) return false;
    if (!status.empty() && !ReadStatus(*document_, *node, status, exemption->status.emplace()))
      return false;
    if (exemption->status && !Info(*exemption->status).can_be_expected) {
      return Fail(*node, fmt::format("'{}' is not a failure that can be expected", status));
    }
    return ReadReason(*node, entry, *exemption) && entry.Finish();
  }

  bool ReadReason(const Node& node, Members& entry, Exemption& exemption) {
    if (!entry.Require("reason", exemption.reason) || !entry.Require("expires", exemption.expires))
      return false;
    if (exemption.reason.empty()) return Fail(node, "the reason is empty");
    return IsDate(exemption.expires) ||
           Fail(node, fmt::format("'{}' is not a date; expected YYYY-MM-DD", exemption.expires));
  }

  bool ReadTolerance(Members& members, std::optional<Tolerance>& tolerance) {
    Node* const node = members.FindNode("tolerance", NodeType::kObject);
    if (node == nullptr) return document_->status().ok();
    Members entry(*document_, *node);
    tolerance.emplace();
    return entry.Require("value", tolerance->value, 255) &&
           entry.Find("max_pixels", tolerance->max_pixels) &&
           entry.Find("edge_pixels", tolerance->edge_pixels, image::kMaxEdgePixels) &&
           ReadReason(*node, entry, tolerance->until) && entry.Finish();
  }

  bool ReadImage(Node& node, GoldenImage& image) {
    Members members(*document_, node);
    return ReadKey(*document_, node, members, image.key) &&
           ReadPixels(*document_, node, members, image) && members.Finish();
  }

  bool Sort(Manifest& manifest) {
    std::ranges::sort(manifest.traces, {}, &ManifestTrace::path);
    const auto twice = std::ranges::adjacent_find(manifest.traces, {}, &ManifestTrace::path);
    if (twice == manifest.traces.end()) return true;
    return Fail(document_->root(), fmt::format("duplicate trace {}", twice->path));
  }

  Document* document_;
};

void AppendStrings(json::Builder& out, const std::vector<std::string>& strings) {
  out.Raw('[');
  for (const std::string& string : strings) {
    out.Separate();
    out.String(string);
  }
  out.Raw(']');
}

void AppendReason(json::Builder& out, const Exemption& exemption) {
  out.Key("reason");
  out.String(exemption.reason);
  out.Key("expires");
  out.Name(exemption.expires);
}

void AppendExemption(json::Builder& out, std::string_view key,
                     const std::optional<Exemption>& exemption) {
  if (!exemption) return;
  out.Key(key);
  out.Raw('{');
  if (exemption->status) {
    out.Key("status");
    out.Name(Name(*exemption->status));
  }
  AppendReason(out, *exemption);
  out.Raw('}');
}

void AppendTolerance(json::Builder& out, const std::optional<Tolerance>& tolerance) {
  if (!tolerance) return;
  out.Key("tolerance");
  out.Raw('{');
  out.Key("value");
  out.Number(tolerance->value);
  if (tolerance->max_pixels != 0) {
    out.Key("max_pixels");
    out.Number(tolerance->max_pixels);
  }
  if (tolerance->edge_pixels != 0) {
    out.Key("edge_pixels");
    out.Number(tolerance->edge_pixels);
  }
  AppendReason(out, tolerance->until);
  out.Raw('}');
}

void AppendLimits(json::Builder& out, const GoldenLimits& limits) {
  if (limits == GoldenLimits{}) return;
  out.Raw(",\n\"limits\":{");
  const auto append = [&out](std::string_view key, const std::optional<uint64_t>& value) {
    if (!value) return;
    out.Key(key);
    out.Number(*value);
  };
  append("timeout_s", limits.timeout_s);
  append("max_memory", limits.max_memory);
  append("max_worker_memory", limits.max_worker_memory);
  out.Raw('}');
}

void AppendTrace(json::Builder& out, const ManifestTrace& trace) {
  out.Raw('{');
  out.Key("path");
  out.String(EncodeName(trace.path));
  out.Key("hash");
  out.Name(trace.hash);
  if (!trace.tags.empty()) {
    out.Key("tags");
    AppendStrings(out, trace.tags);
  }
  AppendExemption(out, "skip", trace.skip);
  AppendExemption(out, "expected_fail", trace.expected_fail);
  AppendTolerance(out, trace.tolerance);
  AppendCounts(out, "findings", trace.findings);
  out.Key("images");
  out.Raw('[');
  for (const GoldenImage& image : trace.images) {
    out.Separate();
    out.Raw("\n{");
    AppendKey(out, image.key);
    AppendPixels(out, image);
    out.Raw('}');
  }
  out.Raw("]}");
}

}  // namespace

const ManifestTrace* Manifest::Find(std::string_view path) const {
  const auto found = std::ranges::lower_bound(traces, path, {}, &ManifestTrace::path);
  return found != traces.end() && found->path == path ? &*found : nullptr;
}

Result<Manifest> ParseManifest(std::string text) {
  Document document({.max_memory = kMaxManifestMemory});
  DP2TRACE_RETURN_IF_ERROR(document.Parse(std::move(text)));
  Manifest manifest;
  if (!ManifestReader(document).Read(manifest)) return document.status();
  return manifest;
}

std::string ManifestText(const Manifest& manifest) {
  json::Builder out;
  out.Raw('{');
  out.Key("version");
  out.Number(kManifestVersion);
  if (!manifest.include.empty()) {
    out.Raw(",\n\"include\":");
    AppendStrings(out, manifest.include);
  }
  AppendLimits(out, manifest.limits);
  out.Raw(",\n\"traces\":[");
  for (const ManifestTrace& trace : manifest.traces) {
    out.Separate();
    out.Raw('\n');
    AppendTrace(out, trace);
  }
  out.Raw("\n]}\n");
  return std::move(out.string());
}

}  // namespace dp2trace::golden
