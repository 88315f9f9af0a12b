#include "replay/report_json.h"

#include <fmt/format.h>

#include "json/output.h"
#include "text/finding.h"
#include "text/report_list.h"
#include "text/value.h"

namespace dp2trace::replay {
namespace {

void AppendSummary(std::string& out, const Report& report, const DiagnosticList& findings) {
  out += fmt::format(
      "\"summary\":{{\"errors\":{},\"warnings\":{},\"advice\":{},\"not_listed\":{},\"frames\":{},\"reads\":{},\"draws\":{},"
      "\"images\":{},\"complete\":{},\"stopped\":{}}}",
      findings.count(Severity::kError), findings.count(Severity::kWarning),
      findings.count(Severity::kAdvice), findings.dropped(), report.statistics.frames,
      report.statistics.reads, report.statistics.draws, report.images.size(), report.is_complete,
      report.statistics.is_stopped);
}

void AppendImage(std::string& out, const replay::ImageInfo& image) {
  out += "{\"kind\":";
  text::AppendQuoted(out, replay::Name(image.kind));
  out += fmt::format(",\"sequence\":{},\"event\":{},\"file\":", image.sequence, image.event);
  text::AppendQuoted(out, image.file);
  out += fmt::format(",\"surface\":{},\"face\":{},\"level\":{}", image.surface, image.face,
                     image.level);
  if (image.slice) out += fmt::format(",\"slice\":{}", *image.slice);
  if (image.kind == replay::ImageKind::kDraw) out += fmt::format(",\"target\":{}", image.target);
  if (image.is_stencil) out += ",\"stencil\":true";
  if (image.is_unfinished) out += ",\"unfinished\":true";
  // "rect" is the form of earlier versions.
  out += fmt::format(
      ",\"rectangle\":{},\"rect\":[{},{},{},{}],\"format\":",
      json::RectangleJson(image.x, image.y, image.x + image.width, image.y + image.height), image.x,
      image.y, image.width, image.height);
  std::string format;
  text::AppendFormat(format, static_cast<uint32_t>(image.format));
  text::AppendQuoted(out, format);
  out += fmt::format(",\"hash\":\"{}\"", image.hash);
  if (!image.raw_hash.empty()) out += fmt::format(",\"raw_hash\":\"{}\"", image.raw_hash);
  out += '}';
}

}  // namespace

std::string ReportJson(const Report& report, const DiagnosticList& findings) {
  std::string out = json::OutputHead("report", report.trace);
  out += ",\n";
  AppendSummary(out, report, findings);
  text::AppendList(out, "findings", findings.items(),
                   [](std::string& to, const Diagnostic& finding) {
                     to += '{';
                     text::AppendFindingMembers(to, finding);
                     to += '}';
                   });
  text::AppendList(out, "images", report.images, AppendImage);
  out += fmt::format(",\n\"stats\":{{\"events\":{},\"calls\":{},\"commands\":{}",
                     report.statistics.events, report.statistics.calls, report.statistics.commands);
  if (report.seconds) out += fmt::format(",\"times\":{{\"replay\":{:.3f}}}", *report.seconds);
  out += '}';
  std::vector<std::string> errors;
  if (!report.reading.ok()) {
    std::string& error = errors.emplace_back("{");
    text::AppendFindingMembers(error, report.trace, report.reading.diagnostic());
    error += '}';
  }
  return out + json::OutputEnd(errors);
}

}  // namespace dp2trace::replay
