// Findings as a GitLab code quality report. Lines are those of a JSON trace; a container has none, so its findings stand at line 1.
// Source: GitLab documentation, "Code Quality", report format: description, check_name, fingerprint, severity, location.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/hash.h"
#include "json/builder.h"
#include "lint/finding_writer.h"
#include "os/relative_path.h"
#include "rules/rule.h"
#include "rules/rule_info.h"
#include "text/finding.h"

namespace dp2trace::lint {
namespace {

std::string_view SeverityOf(Severity severity) {
  switch (severity) {
    case Severity::kError:
      return "major";
    case Severity::kWarning:
      return "minor";
    case Severity::kAdvice:
      return "info";
  }
  return "info";
}

class GitlabWriter final : public FindingWriter {
 public:
  explicit GitlabWriter(TextSink sink) : sink_(std::move(sink)) {}

  Status Begin() override { return sink_("["); }

  Status Add(const FileFindings& file) override {
    const std::string path = PathFromHere(file.file);  // as the project names it
    for (const ListedFinding& listed : file.findings) {
      if (listed.accepted) continue;
      DP2TRACE_RETURN_IF_ERROR(AddIssue(path, listed.finding, listed.fingerprint));
    }
    return file.failure ? AddIssue(path, *file.failure, "unread") : OkStatus();
  }

  Status Finish(const Outcome&) override { return sink_(has_element_ ? "\n]\n" : "]\n"); }

 private:
  Status AddIssue(const std::string& file, const Diagnostic& finding,
                  const std::string& fingerprint) {
    // Unique in the whole report.
    const std::string identity = file + '\0' + fingerprint;
    json::Builder out;
    out.Raw(std::exchange(has_element_, true) ? ",\n{" : "\n{");
    out.Key("description");
    out.String(text::FormatFinding(file, finding));
    out.Key("check_name");
    out.String(Info(finding.rule).id);
    out.Key("fingerprint");
    out.Name(Xxh3_128({reinterpret_cast<const uint8_t*>(identity.data()), identity.size()}));
    out.Key("severity");
    out.Name(SeverityOf(finding.severity));
    out.Key("location");
    out.Raw("{\"path\":");
    out.String(file);
    out.Raw(fmt::format(",\"lines\":{{\"begin\":{}}}}}}}", std::max<uint64_t>(finding.line, 1)));
    return sink_(out.string());
  }

  TextSink sink_;
  bool has_element_ = false;
};

}  // namespace

std::unique_ptr<FindingWriter> MakeGitlabWriter(const WriterOptions&, TextSink sink) {
  return std::make_unique<GitlabWriter>(std::move(sink));
}

}  // namespace dp2trace::lint
