#include "golden/render_record.h"

#include <algorithm>
#include <utility>

#include "golden/json.h"
#include "json/append.h"
#include "rules/rule_info.h"

namespace dp2trace::golden {
namespace {

constexpr uint64_t kMaxRecordMemory = uint64_t{4} << 30;

bool ReadRecord(json::Document& document, RenderRecord& record) {
  json::Members members(document, document.root());
  std::string failure;
  if (!members.Require("milliseconds", record.milliseconds) ||
      !members.Find("error", record.error) || !members.Find("failure", failure) ||
      !members.Find("output", record.output) ||
      !members.Find("is_command_missing", record.is_command_missing) ||
      (!failure.empty() && !ReadStatus(document, document.root(), failure, record.failure)))
    return false;
  const json::Node* const images = members.RequireNode("images", json::NodeType::kArray);
  if (images == nullptr) return false;
  json::ElementIterator elements = document.Elements(*images);
  while (json::Node* const element = elements.Next()) {
    RenderedImage& rendered = record.images.emplace_back();
    json::Members image(document, *element);
    if (!ReadKey(document, *element, image, rendered.image.key) ||
        !ReadPixels(document, *element, image, rendered.image) ||
        !image.Require("event", rendered.event) || !image.Finish()) {
      return false;
    }
  }
  return ReadCounts(document, members, "findings", record.findings) &&
         ReadFindings(document, members, "listed", record.listed_findings) && members.Finish();
}

}  // namespace

void TakeFindings(const DiagnosticList& findings, RenderRecord& record) {
  const std::vector<Diagnostic>& items = findings.items();
  for (const Diagnostic& finding : items)
    ++record.findings[std::string(Info(finding.rule).id)];
  const size_t count = std::min(items.size(), kMaxListedFindings);
  record.listed_findings.assign(items.begin(), items.begin() + static_cast<ptrdiff_t>(count));
}

std::string RecordLine(const RenderRecord& record) {
  json::Builder out;
  out.Raw('{');
  out.Key("milliseconds");
  out.Number(record.milliseconds);
  if (!record.error.empty()) {
    out.Key("error");
    out.String(record.error);
    out.Key("failure");
    out.Name(Name(record.failure));
  }
  AppendText(out, "output", record.output);
  if (record.is_command_missing) out.Raw(",\"is_command_missing\":true");
  out.Key("images");
  out.Raw('[');
  for (const RenderedImage& rendered : record.images) {
    out.Separate();
    out.Raw('{');
    AppendKey(out, rendered.image.key);
    AppendPixels(out, rendered.image);
    out.Key("event");
    out.Number(rendered.event);
    out.Raw('}');
  }
  out.Raw(']');
  AppendCounts(out, "findings", record.findings);
  AppendFindings(out, "listed", record.listed_findings);
  out.Raw("}\n");
  return std::move(out.string());
}

Result<RenderRecord> ParseRecord(std::string text) {
  json::Document document({.max_memory = kMaxRecordMemory});
  DP2TRACE_RETURN_IF_ERROR(document.Parse(std::move(text)));
  RenderRecord record;
  if (!ReadRecord(document, record)) return document.status();
  return record;
}

}  // namespace dp2trace::golden
