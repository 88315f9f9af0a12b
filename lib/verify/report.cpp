#include "verify/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "base/file_update.h"
#include "base/plain_text.h"
#include "image/compare.h"
#include "image/png.h"
#include "json/output.h"
#include "os/path.h"
#include "rules/rule.h"
#include "text/finding.h"
#include "text/report_list.h"
#include "text/value.h"

namespace dp2trace::verify {
namespace {

bool Differs(const PictureResult& picture) {
  return picture.is_different;
}

void AppendCause(std::string& out, const Report& report) {
  const auto first = std::ranges::find_if(report.pictures, Differs);
  if (!report.has_cause || first == report.pictures.end()) return;
  if (const auto& edge = first->edge_draw) {
    out +=
        fmt::format("    the first edge that lies off is of draw {} (event {}, offset {:#x}, {})\n",
                    edge->number, edge->event, edge->offset, edge->operation);
    return;
  }
  if (!first->cause) {
    out +=
        "    no draw changed this pixel: its value is that of an update, a blit or the creation of the surface\n";
    return;
  }
  out += fmt::format("    in the replay last written by draw {} (event {}, offset {:#x}, {})\n",
                     first->cause->number, first->cause->event, first->cause->offset,
                     first->cause->operation);
}

void AppendDraw(std::string& out, std::string_view key,
                const std::optional<replay::CausingDraw>& draw) {
  if (!draw) return;
  out += fmt::format(",\"{}\":{{\"draw\":{},\"event\":{},\"offset\":{},\"operation\":", key,
                     draw->number, draw->event, draw->offset);
  text::AppendQuoted(out, draw->operation);
  out += '}';
}

void AppendPicture(std::string& out, const PictureResult& picture) {
  out += fmt::format("{{\"sequence\":{},\"event\":{},\"surface\":{},\"face\":{},\"level\":{}",
                     picture.sequence, picture.event, picture.surface, picture.face, picture.level);
  if (!picture.is_compared) {
    out += ",\"status\":\"not_compared\"}";
    return;
  }
  const image::Area& area = picture.area;
  const PictureDifference& difference = picture.difference;
  out += fmt::format(",\"rectangle\":{},\"status\":\"{}\",\"largest_difference\":{}",
                     json::RectangleJson(area.left, area.top, area.right, area.bottom),
                     Differs(picture) ? "differ" : "match", difference.largest);
  if (Differs(picture)) {
    out += fmt::format(
        ",\"differing_pixels\":{},\"differing_rectangle\":{},"
        "\"first\":{{\"x\":{},\"y\":{},\"driver\":{},\"replay\":{}}}",
        difference.pixels,
        json::RectangleJson(difference.left, difference.top, difference.right, difference.bottom),
        difference.first->x, difference.first->y, json::ColorJson(difference.first->driver),
        json::ColorJson(difference.first->replay));
  }
  if (picture.diagnosis) out += ",\"diagnosis\":" + image::DiagnosisJson(*picture.diagnosis);
  if (!picture.refused.empty()) out += ",\"refused\":" + history::RefusedJson(picture.refused);
  if (picture.more_refused != 0) out += fmt::format(",\"more_refused\":{}", picture.more_refused);
  AppendDraw(out, "last_writer", picture.cause);
  AppendDraw(out, "edge_draw", picture.edge_draw);
  out += '}';
}

}  // namespace

std::string ReportText(const Report& report, const DiagnosticList& findings) {
  std::string out;
  bool is_first_picture = true;
  for (const Diagnostic& finding : text::JoinCauses(findings.items())) {
    out += text::FormatFinding(report.trace, finding) + "\n";
    if (finding.rule == Rule::kRecordPicture001 && std::exchange(is_first_picture, false))
      AppendCause(out, report);
  }
  if (findings.dropped() != 0)
    out +=
        fmt::format("{}: {}\n", Plain(report.trace), Counted(findings.dropped(), "more finding"));
  out += fmt::format(
      "{}: {}, {}, {}", Plain(report.trace), Counted(report.statistics.events, "event"),
      Counted(report.statistics.draws, "draw"), Counted(report.pictures.size(), "picture"));
  const auto different = std::ranges::count_if(report.pictures, Differs);
  if (different != 0) {
    out += fmt::format(" ({} from the replay)",
                       different == 1 ? "1 differs" : fmt::format("{} differ", different));
  }
  if (report.leaks) out += fmt::format(", {} live at the end", Counted(*report.leaks, "object"));
  if (findings.empty()) return out + ": sound\n";
  return out + fmt::format(": {}, {}, {} advice\n",
                           Counted(findings.count(Severity::kError), "error"),
                           Counted(findings.count(Severity::kWarning), "warning"),
                           findings.count(Severity::kAdvice));
}

std::string ReportJson(const Report& report, const DiagnosticList& findings) {
  std::string out = "{\"trace\":";
  text::AppendQuoted(out, report.trace);
  out += fmt::format(
      ",\n\"summary\":{{\"errors\":{},\"warnings\":{},\"advice\":{},\"not_listed\":{},\"events\":{},"
      "\"draws\":{},\"frames\":{},\"pictures\":{},\"differing_pictures\":{},\"tolerance\":{},"
      "\"complete\":{}{}}}",
      findings.count(Severity::kError), findings.count(Severity::kWarning),
      findings.count(Severity::kAdvice), findings.dropped(), report.statistics.events,
      report.statistics.draws, report.statistics.frames, report.pictures.size(),
      std::ranges::count_if(report.pictures, Differs), report.tolerance, report.is_complete,
      report.leaks ? fmt::format(",\"live_objects\":{}", *report.leaks) : "");
  text::AppendList(out, "findings", findings.items(),
                   [](std::string& to, const Diagnostic& finding) {
                     to += '{';
                     text::AppendFindingMembers(to, finding);
                     to += '}';
                   });
  text::AppendList(out, "pictures", report.pictures, AppendPicture);
  return out + "}";
}

Status PairFolder::Write(uint64_t sequence, const PicturePair& pair) {
  if (!lock_) {
    std::error_code error;
    std::filesystem::create_directories(ToPath(path_), error);
    Result<Descriptor> lock = LockFolder(path_);
    if (!lock.ok()) return lock.status();
    lock_ = std::move(*lock);
  }
  const auto path = [&](std::string_view side) {
    return ToText(ToPath(path_) / fmt::format("picture-{:06}-{}.png", sequence, side));
  };
  DP2TRACE_RETURN_IF_ERROR(image::WritePng(path("driver"), pair.driver));
  DP2TRACE_RETURN_IF_ERROR(image::WritePng(path("replay"), pair.replay));
  const auto difference = image::DifferencePicture(pair.driver, pair.replay);
  return difference.ok() ? image::WritePng(path("difference"), *difference) : difference.status();
}

}  // namespace dp2trace::verify
