// Findings as lines of text for people: position, severity, message and rule; below it the token, its bytes with a mark under those
// that are meant, what was found and expected, and who is at fault. Source: DESIGN section 4.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "lint/finding_writer.h"
#include "rules/rule.h"
#include "rules/rule_info.h"

namespace dp2trace::lint {
namespace {

constexpr size_t kBytesPerLine = 16;
constexpr std::string_view kIndent = "    ";

// One line of bytes, and the marks under it where the place is in it.
void AppendBytes(std::string& out, const Diagnostic& finding, size_t begin) {
  const Excerpt& excerpt = finding.excerpt;
  const size_t end = std::min(excerpt.bytes.size(), begin + kBytesPerLine);
  const std::string head = fmt::format("{}{:#06x}:", kIndent, excerpt.offset + begin);
  std::string bytes, marks;
  for (size_t i = begin; i < end; ++i) {
    const uint64_t at = excerpt.offset + i;
    const bool is_meant =
        at >= *finding.offset && at - *finding.offset < std::max<uint64_t>(finding.length, 1);
    bytes += fmt::format(" {:02x}", excerpt.bytes[i]);
    marks += is_meant ? " ^^" : "   ";
  }
  out += head + bytes + '\n';
  marks.resize(marks.find_last_not_of(' ') + 1);
  if (!marks.empty()) out += std::string(head.size(), ' ') + marks + '\n';
}

void AppendExcerpt(std::string& out, const Diagnostic& finding) {
  if (!finding.excerpt.token.empty()) out += fmt::format("{}{}\n", kIndent, finding.excerpt.token);
  if (!finding.offset) return;
  for (size_t begin = 0; begin < finding.excerpt.bytes.size(); begin += kBytesPerLine)
    AppendBytes(out, finding, begin);
}

void AppendValues(std::string& out, const Diagnostic& finding) {
  if (finding.actual.empty() && finding.expected.empty()) return;
  out += kIndent;
  if (!finding.actual.empty()) out += "actual: " + finding.actual;
  if (!finding.expected.empty())
    out += (finding.actual.empty() ? "expected: " : ", expected: ") + finding.expected;
  out += '\n';
}

class TextWriter final : public FindingWriter {
 public:
  explicit TextWriter(TextSink sink) : sink_(std::move(sink)) {}

  Status Add(const FileFindings& file) override {
    for (const ListedFinding& listed : file.findings) {
      if (listed.accepted) continue;
      const Diagnostic& finding = listed.finding;
      std::string text = FormatDiagnostic(file.file, finding) + '\n';
      AppendExcerpt(text, finding);
      AppendValues(text, finding);
      text += fmt::format("{}fault: {}\n", kIndent, Describe(Info(finding.rule).fault));
      DP2TRACE_RETURN_IF_ERROR(sink_(text));
    }
    for (const auto& [rule, count] : file.unlisted)
      DP2TRACE_RETURN_IF_ERROR(
          sink_(fmt::format("{}: {} more findings of {}\n", file.file, count, Info(rule).id)));
    return OkStatus();
  }

 private:
  TextSink sink_;
};

}  // namespace

std::unique_ptr<FindingWriter> MakeTextWriter(const WriterOptions&, TextSink sink) {
  return std::make_unique<TextWriter>(std::move(sink));
}

}  // namespace dp2trace::lint
