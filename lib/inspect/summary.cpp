#include "inspect/summary.h"

#include <fmt/format.h>

#include "base/plain_text.h"
#include "json/append.h"
#include "json/output.h"

namespace dp2trace::inspect {
namespace {

constexpr std::array kSeverities = {Severity::kError, Severity::kWarning, Severity::kAdvice};

uint64_t CountOf(const Inspector::FrameSummary& frame, Severity severity) {
  return frame.findings[static_cast<size_t>(severity)];
}

// ", 2 errors, 1 advice"; empty where there are none.
std::string FindingsText(const Inspector::FrameSummary& frame) {
  std::string text;
  for (const Severity severity : kSeverities) {
    const uint64_t count = CountOf(frame, severity);
    if (count == 0) continue;
    text += severity == Severity::kAdvice ? fmt::format(", {} advice", count)
                                          : ", " + Counted(count, dp2trace::Name(severity));
  }
  return text;
}

}  // namespace

std::string SummaryText(const Summary& summary) {
  std::string text;
  for (const Inspector::FrameSummary& frame : summary.frames) {
    text += fmt::format("frame {}{}: {}, {}{}\n", frame.number,
                        frame.is_unfinished ? " (unfinished)" : "", Counted(frame.items, "item"),
                        Counted(frame.draws, "draw"), FindingsText(frame));
  }
  for (const std::string& sentence : summary.left_out)
    text += sentence + "\n";
  return text + fmt::format("{}/index.html\n", Plain(summary.folder));
}

void AppendFrames(json::Builder& out, const std::vector<Inspector::FrameSummary>& frames,
                  const std::vector<std::string>& left_out) {
  AppendList(out, "frames", frames, [&out](const Inspector::FrameSummary& frame) {
    out.Raw("\n{");
    AppendNumber(out, "frame", frame.number);
    AppendNumber(out, "items", frame.items);
    AppendNumber(out, "draws", frame.draws);
    AppendCount(out, "unfinished", frame.is_unfinished ? 1 : 0);
    out.Key("findings");
    out.Raw('{');
    for (const Severity severity : kSeverities)
      AppendNumber(out, dp2trace::Name(severity), CountOf(frame, severity));
    out.Raw("}}");
  });
  AppendList(out, "limits", left_out, [&out](const std::string& text) { out.String(text); });
}

std::string SummaryJson(const Summary& summary) {
  json::Builder out;
  out.Raw(json::OutputHead("inspect", summary.trace));
  AppendText(out, "page", summary.folder + "/index.html");
  AppendNumber(out, "bytes", summary.bytes);
  AppendFrames(out, summary.frames, summary.left_out);
  out.Raw("}\n");
  return out.string();
}

}  // namespace dp2trace::inspect
