// Findings as lines of text for people: position, severity, message and rule; below it the token, its bytes with a mark under those
// that are meant, what was found and expected, and who is at fault. Source: lib/design.md 4.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "base/plain_text.h"
#include "lint/finding_writer.h"
#include "rules/rule.h"
#include "rules/rule_info.h"
#include "text/finding.h"

namespace dp2trace::lint {
namespace {

constexpr size_t kBytesPerLine = 16;
constexpr std::string_view kIndent = "    ";

// One line of bytes, and the marks under it where the place is in it.
void AppendBytes(std::string& out, const Diagnostic& finding, size_t begin) {
  const Excerpt& excerpt = finding.excerpt;
  const size_t end = std::min(excerpt.bytes.size(), begin + kBytesPerLine);
  const std::string head = fmt::format("{}{:#06x}:", kIndent, excerpt.offset + begin);
  std::string bytes;
  std::string marks;
  for (size_t i = begin; i < end; ++i) {
    const uint64_t at = excerpt.offset + i;
    const bool is_meant = !finding.is_whole && at >= *finding.offset &&
                          at - *finding.offset < std::max<uint64_t>(finding.length, 1);
    bytes += fmt::format(" {:02x}", excerpt.bytes[i]);
    marks += is_meant ? " ^^" : "   ";
  }
  out += head + bytes + '\n';
  marks.resize(marks.find_last_not_of(' ') + 1);
  if (!marks.empty()) out += std::string(head.size(), ' ') + marks + '\n';
}

// The bytes are those around wrong words; with `dumps_all` also of what has none.
void AppendExcerpt(std::string& out, const Diagnostic& finding, bool dumps_all) {
  if (!finding.excerpt.token.empty())
    out += fmt::format("{}{}\n", kIndent, Plain(finding.excerpt.token));
  if (finding.excerpt.caret != 0)
    out += fmt::format("{}{:>{}}\n", kIndent, '^', finding.excerpt.caret);
  if (!finding.offset || (finding.is_whole && !dumps_all)) return;
  for (size_t begin = 0; begin < finding.excerpt.bytes.size(); begin += kBytesPerLine)
    AppendBytes(out, finding, begin);
}

void AppendValues(std::string& out, const Diagnostic& finding) {
  if (finding.actual.empty() && finding.expected.empty()) return;
  // Errors of JSON say both in their message.
  if (finding.message.ends_with(
          fmt::format("expected {}, found {}", finding.expected, finding.actual)))
    return;
  out += kIndent;
  if (!finding.actual.empty()) out += "actual: " + Plain(finding.actual);
  if (!finding.expected.empty())
    out += (finding.actual.empty() ? "expected: " : ", expected: ") + Plain(finding.expected);
  out += '\n';
}

// Findings that say the same of different places have the same one.
std::pair<Rule, std::string> KeyOfText(const Diagnostic& finding) {
  return {finding.rule, StatementOf(finding.message, finding) + finding.cause};
}

class TextWriter final : public FindingWriter {
 public:
  TextWriter(WriterOptions options, TextSink sink)
      : options_(std::move(options)), sink_(std::move(sink)) {}

  Status Add(const FileFindings& file) override {
    std::map<std::pair<Rule, std::string>, Occurrences> repeats;
    for (const ListedFinding& listed : file.findings) {
      if (listed.accepted) continue;
      const auto [one, is_first] =
          repeats.try_emplace(KeyOfText(listed.finding), listed.finding.more);
      if (!is_first) one->second.Add(listed.finding.frame);
    }
    for (const ListedFinding& listed : file.findings) {
      if (listed.accepted) continue;
      const auto found = repeats.find(KeyOfText(listed.finding));
      if (found == repeats.end()) continue;  // one like it has been written
      DP2TRACE_RETURN_IF_ERROR(sink_(
          TextOf(file.file, listed.finding, options_.lists_all ? Occurrences() : found->second)));
      if (!options_.lists_all) repeats.erase(found);
    }
    for (const auto& [rule, count] : file.unlisted) {
      DP2TRACE_RETURN_IF_ERROR(sink_(fmt::format("{}: {} of {}\n", Plain(file.file),
                                                 Counted(count, "more finding"), Info(rule).id)));
    }
    return OkStatus();
  }

  Status Finish(const Outcome& outcome) override {
    const uint64_t suppressed = outcome.accepted + outcome.disabled;
    std::string line = OutcomeInWords(outcome);
    if (suppressed != 0) line += fmt::format(", {} suppressed", suppressed);
    const bool passes_warnings = options_.fail_on == Severity::kError &&
                                 outcome.count(Severity::kError) == 0 &&
                                 outcome.count(Severity::kWarning) != 0;
    if (passes_warnings) line += " (warnings exit 0 unless --fail-on warning)";
    return sink_(line + '\n');
  }

 private:
  std::string TextOf(const std::string& file, const Diagnostic& finding,
                     const Occurrences& more) const {
    std::string text = HeadOf(file, finding) + '\n';
    AppendExcerpt(text, finding, options_.dumps_all);
    AppendValues(text, finding);
    const auto add = [&text](const std::string& line) {
      if (!line.empty()) text += fmt::format("{}{}\n", kIndent, line);
    };
    if (!finding.marker.empty()) add("marker: " + Plain(finding.marker));
    add(text::DescribeSetters(finding));
    add(fmt::format("fault: {}", Describe(Info(finding.rule).fault, finding.severity)));
    const std::string repeats = text::DescribeMore(more, finding.frame);
    if (!repeats.empty()) add("... " + repeats);
    return text;
  }

  // The line of FormatDiagnostic(), in colour where it goes to a terminal.
  std::string HeadOf(const std::string& file, const Diagnostic& finding) const {
    std::string line = FormatDiagnostic(file, finding);
    if (!options_.has_color) return line;
    const size_t place = FormatPlace(file, finding).size();
    const std::string_view severity = Name(finding.severity);
    const char* const color = finding.severity == Severity::kError     ? "31"
                              : finding.severity == Severity::kWarning ? "35"
                                                                       : "36";
    constexpr size_t kSeparator = 2;  // ": "
    return fmt::format("\x1b[1m{}\x1b[0m: \x1b[1;{}m{}\x1b[0m{}", line.substr(0, place), color,
                       severity, line.substr(place + kSeparator + severity.size()));
  }

  WriterOptions options_;
  TextSink sink_;
};

}  // namespace

std::unique_ptr<FindingWriter> MakeTextWriter(const WriterOptions& options, TextSink sink) {
  return std::make_unique<TextWriter>(options, std::move(sink));
}

}  // namespace dp2trace::lint
