#include "lint_command.h"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "console.h"
#include "options.h"
#include "text/finding.h"
#include "text/value.h"
#include "validate/runner.h"
#include "work.h"

namespace dp2trace::app {
namespace {

struct LintOptions {
  std::vector<std::string> traces;
  std::optional<Severity> fail_on = Severity::kError;  // none = never
  bool json = false;
  uint64_t max_memory = kDefaultMaxMemory;
};

// Writes the findings of one file after the other, and a summary of all.
class FindingWriter {
 public:
  virtual ~FindingWriter() = default;
  virtual Status Begin() { return OkStatus(); }
  virtual Status Add(const std::string& file, const Diagnostic& finding) = 0;
  // Findings that were counted and not kept.
  virtual Status AddDropped(const std::string& file, uint64_t count) = 0;
  virtual Status Finish(const uint64_t (&counts)[kSeverityCount]) = 0;
};

class TextFindings final : public FindingWriter {
 public:
  Status Add(const std::string& file, const Diagnostic& finding) override {
    return WriteResult(FormatDiagnostic(file, finding) + "\n");
  }
  Status AddDropped(const std::string& file, uint64_t count) override {
    return WriteResult(fmt::format("{}: {} more findings\n", file, count));
  }
  Status Finish(const uint64_t (&)[kSeverityCount]) override { return OkStatus(); }
};

class JsonFindings final : public FindingWriter {
 public:
  Status Begin() override { return WriteResult("{\"findings\":["); }
  Status Add(const std::string& file, const Diagnostic& finding) override {
    std::string line = count_++ == 0 ? "\n" : ",\n";
    line += "{\"file\":";
    text::AppendQuoted(line, file);
    line += ',';
    text::AppendFindingMembers(line, finding);
    return WriteResult(line + "}");
  }
  Status AddDropped(const std::string&, uint64_t count) override {
    dropped_ += count;
    return OkStatus();
  }
  Status Finish(const uint64_t (&counts)[kSeverityCount]) override {
    const auto count = [&counts](Severity severity) { return counts[static_cast<size_t>(severity)]; };
    return WriteResult(fmt::format("{}],\"summary\":{{\"errors\":{},\"warnings\":{},\"advice\":{},\"not_listed\":{}}}}}\n",
                                   count_ == 0 ? "" : "\n", count(Severity::kError), count(Severity::kWarning),
                                   count(Severity::kAdvice), dropped_));
  }

 private:
  uint64_t count_ = 0;
  uint64_t dropped_ = 0;
};

class Linter {
 public:
  explicit Linter(const LintOptions& options) : options_(options) {
    if (options.json) {
      writer_ = std::make_unique<JsonFindings>();
    } else {
      writer_ = std::make_unique<TextFindings>();
    }
  }

  ExitCode Run() {
    Status status = writer_->Begin();
    ExitCode code = ExitCode::kOk;
    for (const std::string& trace : options_.traces) {
      if (status.ok()) status = LintTrace(trace, code);
    }
    if (status.ok()) status = writer_->Finish(counts_);
    if (status.ok()) status = FinishResult();
    code = Worse(code, ReportOutput(status));
    return has_failed_ ? Worse(code, ExitCode::kFindings) : code;
  }

 private:
  Status LintTrace(const std::string& trace, ExitCode& code) {
    DiagnosticList findings;
    ExitCode opened = ExitCode::kOk;
    const std::unique_ptr<TraceSource> source = OpenTrace(trace, options_.max_memory, findings, opened);
    code = Worse(code, opened);
    if (source == nullptr) return OkStatus();
    validate::Observer observer;
  validate::Runner validator({}, findings, observer);
    ForEachEvent(*source, "lint " + trace, [&validator](const trace::EventRecord& record) {
      (void)validator.OnEvent(record.number, record.event);
      return true;
    });
    validator.Finish();
    if (source->is_incomplete()) code = Worse(code, ExitCode::kInput);
    return Write(trace, findings);
  }

  Status Write(const std::string& trace, const DiagnosticList& findings) {
    has_failed_ = has_failed_ || HasFailed(options_.fail_on, findings);
    for (size_t i = 0; i < kSeverityCount; ++i) counts_[i] += findings.count(static_cast<Severity>(i));
    for (const Diagnostic& finding : findings.items()) DP2TRACE_RETURN_IF_ERROR(writer_->Add(trace, finding));
    return findings.dropped() == 0 ? OkStatus() : writer_->AddDropped(trace, findings.dropped());
  }

  const LintOptions& options_;
  std::unique_ptr<FindingWriter> writer_;
  uint64_t counts_[kSeverityCount] = {};
  bool has_failed_ = false;
};

}  // namespace

void AddLintCommand(CLI::App& app, ExitCode& code) {
  auto options = std::make_shared<LintOptions>();
  CLI::App* command = app.add_subcommand("lint", "Report what is wrong in traces: rule, exact position, reason");
  command->add_option("TRACE", options->traces, "Traces to read, .dp2t or .json; - is standard input")->required();
  AddFormat(*command, options->json);
  AddFailOn(*command, options->fail_on);
  AddMaxMemory(*command, options->max_memory);
  AddExample(*command, "dp2trace lint --fail-on warning first.dp2t second.json");
  command->callback([options, &code] { code = Linter(*options).Run(); });
}

}  // namespace dp2trace::app
