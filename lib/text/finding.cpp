#include "text/finding.h"

#include <fmt/format.h>

#include <vector>

#include "base/plain_text.h"
#include "rules/rule.h"
#include "rules/rule_info.h"
#include "text/value.h"

namespace dp2trace::text {
namespace {

void AppendText(std::string& out, std::string_view key, std::string_view value) {
  out += key;
  AppendQuoted(out, value);
}

void AppendSetters(std::string& out, const std::vector<StateSetter>& setters) {
  if (setters.empty()) return;
  out += ",\"set_by\":[";
  for (size_t i = 0; i < setters.size(); ++i) {
    AppendText(out, i == 0 ? "{\"state\":" : ",{\"state\":", setters[i].state);
    if (setters[i].event != 0)
      out += fmt::format(",\"event\":{},\"offset\":{}", setters[i].event, setters[i].offset);
    out += '}';
  }
  out += ']';
}

void AppendOccurrences(std::string& out, const Occurrences& more) {
  out += fmt::format(",\"occurrences\":{}", more.count() + 1);
  if (more.frames().empty()) return;
  std::string_view separator = ",\"more_in_frames\":[";
  for (const auto& [first, last] : more.frames()) {
    out += fmt::format("{}[{},{}]", separator, first, last);
    separator = ",";
  }
  out += ']';
}

}  // namespace

void AppendFindingMembers(std::string& out, const Diagnostic& finding) {
  AppendText(out, "\"rule\":", Info(finding.rule).id);
  AppendText(out, ",\"severity\":", Name(finding.severity));
  if (finding.event) out += fmt::format(",\"event\":{}", *finding.event);
  if (finding.offset) out += fmt::format(",\"offset\":{}", *finding.offset);
  if (finding.length != 0) out += fmt::format(",\"length\":{}", finding.length);
  if (finding.line != 0) out += fmt::format(",\"line\":{}", finding.line);
  if (finding.column != 0) out += fmt::format(",\"column\":{}", finding.column);
  if (finding.frame != 0) out += fmt::format(",\"frame\":{}", finding.frame);
  if (finding.draw != 0) out += fmt::format(",\"draw\":{}", finding.draw);
  if (!finding.marker.empty()) AppendText(out, ",\"marker\":", finding.marker);
  if (!finding.path.empty()) AppendText(out, ",\"path\":", finding.path);
  AppendText(out, ",\"message\":", finding.message);
  if (!finding.actual.empty()) AppendText(out, ",\"actual\":", finding.actual);
  if (!finding.expected.empty()) AppendText(out, ",\"expected\":", finding.expected);
  AppendSetters(out, finding.set_by);
  if (finding.more.count() != 0) AppendOccurrences(out, finding.more);
}

void AppendFindingMembers(std::string& out, std::string_view file, const Diagnostic& finding) {
  AppendText(out, "\"file\":", file);
  out += ',';
  AppendFindingMembers(out, finding);
}

std::string DescribeSetters(const Diagnostic& finding) {
  std::string text;
  for (const StateSetter& setter : finding.set_by) {
    if (!text.empty()) text += "; ";
    text += setter.event == 0 ? fmt::format("{} never set", setter.state)
                              : fmt::format("{} set by event {}, offset {:#x}", setter.state,
                                            setter.event, setter.offset);
  }
  return text;
}

std::string DescribeMore(const Occurrences& more, uint64_t frame) {
  if (more.count() == 0) return {};
  const std::vector<Occurrences::Range>& frames = more.frames();
  if (frames.empty()) return fmt::format("and {} more like it", more.count());
  const bool is_same_frame =
      frames.size() == 1 && frames[0] == Occurrences::Range{.first = frame, .last = frame};
  if (is_same_frame) return fmt::format("and {} more in frame {}", more.count(), frame);
  constexpr size_t kListed = 6;
  std::string list;
  uint64_t rest = more.more_frames();
  for (size_t i = 0; i < frames.size(); ++i) {
    const auto [first, last] = frames[i];
    if (i >= kListed) {
      rest += last - first + 1;
      continue;
    }
    list += fmt::format("{}{}", list.empty() ? "" : ", ", first);
    if (last != first) list += fmt::format("-{}", last);
  }
  if (rest != 0) list += " and " + Counted(rest, "other");
  const bool is_one = frames.size() == 1 && frames[0].first == frames[0].last;
  return fmt::format("and in {} {} ({} more)", is_one ? "frame" : "frames", list, more.count());
}

std::vector<Diagnostic> JoinCauses(const std::vector<Diagnostic>& findings) {
  DiagnosticList causes(DiagnosticLimits{.all = findings.size(), .joins_causes = true});
  for (const Diagnostic& finding : findings)
    causes.Add(finding);
  return causes.Take();
}

std::string FormatFinding(std::string_view file, const Diagnostic& finding) {
  std::string line = FormatDiagnostic(file, finding);
  if (!finding.marker.empty()) line += fmt::format("; marker: {}", Plain(finding.marker));
  if (!finding.set_by.empty()) line += fmt::format("; {}", DescribeSetters(finding));
  if (finding.more.count() != 0)
    line += fmt::format("; {}", DescribeMore(finding.more, finding.frame));
  return line;
}

}  // namespace dp2trace::text
