// Findings for GitHub Actions: workflow commands that become annotations, and the page of Markdown that a step shows as its summary.
// Source: GitHub documentation, "Workflow commands for GitHub Actions": ten annotations of a step are shown.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/plain_text.h"
#include "lint/finding_writer.h"
#include "os/relative_path.h"
#include "rules/rule.h"
#include "rules/rule_info.h"
#include "text/escape.h"
#include "text/finding.h"

namespace dp2trace::lint {
namespace {

constexpr size_t kMaxAnnotations = 10;

std::string_view CommandOf(Severity severity) {
  switch (severity) {
    case Severity::kError:
      return "error";
    case Severity::kWarning:
      return "warning";
    case Severity::kAdvice:
      return "notice";
  }
  return "notice";
}

std::string Annotation(const std::string& file, const Diagnostic& finding) {
  std::string line;
  if (finding.line != 0) line = fmt::format(",line={}", finding.line);
  if (finding.column != 0) line += fmt::format(",col={}", finding.column);
  return fmt::format("::{} file={}{},title={}::{}\n", CommandOf(finding.severity),
                     text::EscapeCommand(file, true), line, Info(finding.rule).id,
                     text::EscapeCommand(text::FormatFinding(file, finding), false));
}

// Keeps the most severe findings only, so that memory does not grow with the files.
class GithubWriter final : public FindingWriter {
 public:
  explicit GithubWriter(TextSink sink) : sink_(std::move(sink)) {}

  Status Add(const FileFindings& file) override {
    const std::string path = PathFromHere(file.file);  // as the project names it
    for (const ListedFinding& listed : file.findings) {
      if (listed.accepted) continue;
      auto& kept = kept_[static_cast<size_t>(listed.finding.severity)];
      if (kept.size() < kMaxAnnotations) kept.push_back(Annotation(path, listed.finding));
    }
    if (file.failure && unread_.size() + 1 < kMaxAnnotations)
      unread_.push_back(Annotation(path, *file.failure));
    return OkStatus();
  }

  Status Finish(const Outcome& outcome) override {
    const uint64_t total = outcome.count(Severity::kError) + outcome.count(Severity::kWarning) +
                           outcome.count(Severity::kAdvice);
    for (const std::string& annotation : unread_)
      DP2TRACE_RETURN_IF_ERROR(sink_(annotation));
    // The last annotation counts what the others leave out.
    const size_t left = kMaxAnnotations - unread_.size();
    const size_t room = total > left ? left - 1 : left;
    SeverityCounts rest = outcome.counts;
    size_t written = 0;
    for (const Severity severity : {Severity::kError, Severity::kWarning, Severity::kAdvice}) {
      for (const std::string& annotation : kept_[static_cast<size_t>(severity)]) {
        if (written == room) break;
        ++written;
        --rest[static_cast<size_t>(severity)];
        DP2TRACE_RETURN_IF_ERROR(sink_(annotation));
      }
    }
    if (written == total) return OkStatus();
    return sink_(fmt::format("::notice title=dp2trace::and {} ({})\n", CountsInWords(rest, "more "),
                             Counted(outcome.files, "file")));
  }

 private:
  TextSink sink_;
  std::vector<std::string> unread_;  // of files that could not be read
  std::array<std::vector<std::string>, kSeverityCount> kept_;
};

// Of a table, outside of code or in it.
std::string CellText(std::string_view text) {
  std::string out;
  for (const char c : Plain(text)) {
    if (c == '|') out += '\\';
    if (c == '`') {
      out += "\\u0060";  // would end the code
    } else {
      out += c;
    }
  }
  return out;
}

class GithubSummaryWriter final : public FindingWriter {
 public:
  explicit GithubSummaryWriter(TextSink sink) : sink_(std::move(sink)) {}

  Status Add(const FileFindings& file) override {
    for (const ListedFinding& listed : file.findings) {
      if (!listed.accepted) ++rules_[listed.finding.rule];
    }
    for (const auto& [rule, count] : file.unlisted)
      rules_[rule] += count;
    const bool is_clean = !file.failure && std::ranges::all_of(file.counts, [](uint64_t count) {
      return count == 0;
    });
    if (is_clean) return OkStatus();
    const std::string state = file.failure ? "cannot be read" : CountsInWords(file.counts);
    files_ += fmt::format("| `{}` | {} |\n", CellText(file.file), state);
    return OkStatus();
  }

  Status Finish(const Outcome& outcome) override {
    std::string page = fmt::format("## dp2trace lint: {}\n\n", OutcomeInWords(outcome));
    if (outcome.accepted != 0)
      page += fmt::format("The baseline accepts {} more.\n\n", outcome.accepted);
    if (!rules_.empty())
      page += "| rule | severity | findings | what | fault |\n| --- | --- | ---: | --- | --- |\n";
    for (const Severity severity : {Severity::kError, Severity::kWarning, Severity::kAdvice}) {
      for (const auto& [rule, count] : rules_) {
        const RuleInfo& info = Info(rule);
        if (info.severity != severity) continue;
        page += fmt::format("| {} | {} | {} | {} | {} |\n", info.id, Name(info.severity), count,
                            CellText(info.summary), Describe(info.fault, info.severity));
      }
    }
    if (!rules_.empty()) page += '\n';
    if (!files_.empty()) page += "| file | findings |\n| --- | --- |\n" + files_;
    return sink_(page);
  }

 private:
  TextSink sink_;
  std::map<Rule, uint64_t> rules_;
  std::string files_;
};

}  // namespace

std::unique_ptr<FindingWriter> MakeGithubWriter(const WriterOptions&, TextSink sink) {
  return std::make_unique<GithubWriter>(std::move(sink));
}

std::unique_ptr<FindingWriter> MakeGithubSummaryWriter(const WriterOptions&, TextSink sink) {
  return std::make_unique<GithubSummaryWriter>(std::move(sink));
}

}  // namespace dp2trace::lint
