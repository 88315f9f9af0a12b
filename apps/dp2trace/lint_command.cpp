#include "lint_command.h"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "console.h"
#include "lint/baseline.h"
#include "lint/fingerprint.h"
#include "lint_outputs.h"
#include "lint_run.h"
#include "options.h"
#include "rule_options.h"
#include "text/command.h"
#include "trace_file/inputs.h"

namespace dp2trace::app {
namespace {

constexpr size_t kMaxKept = 100000;  // findings of one file, all rules together
constexpr uint32_t kMaxThreads = 256;

struct LintOptions {
  std::vector<std::string> traces;
  std::optional<Severity> fail_on = Severity::kError;  // none = never
  RuleOptions rules;
  std::string format = "text";
  std::string color = "auto";
  std::vector<std::string> outputs;
  std::string baseline;  // file; empty: none
  bool updates_baseline = false;
  std::string today;
  uint64_t max_per_rule = 1000;
  uint32_t threads = 1;  // 0: one per processor
  uint64_t max_memory = kDefaultMaxMemory;
};

class Linter {
 public:
  explicit Linter(const LintOptions& options) : options_(options), baseline_(options.today) {}

  ExitCode Run() {
    LintJob job;
    if (const ExitCode code = Prepare(job); code != ExitCode::kOk) return code;
    const trace_file::Inputs inputs = trace_file::ExpandInputs(options_.traces);
    for (const std::string& name : inputs.unmatched)
      PrintNote(fmt::format("{} holds no traces", name));
    Status status =
        outputs_.Open({"" DP2TRACE_VERSION, options_.fail_on, UsesColor(options_.color)});
    LintFiles(inputs.paths, job, [&](LintResult result) {
      if (status.ok()) status = Take(std::move(result));
      return status.ok();
    });
    if (inputs.paths.empty()) code_ = Worse(code_, ExitCode::kNothingToDo);
    if (status.ok()) status = WriteBaseline();
    if (HasFailed()) code_ = Worse(code_, ExitCode::kFindings);
    outcome_.files = inputs.paths.size();
    outcome_.exit_code = static_cast<int>(code_);
    if (status.ok()) status = outputs_.Finish(outcome_);
    PrintNotes();
    return Worse(code_, ReportOutput(status));
  }

 private:
  ExitCode Prepare(LintJob& job) {
    if (!outputs_.Parse(options_.format, options_.outputs)) return ExitCode::kUsage;
    if (options_.updates_baseline && options_.baseline.empty()) {
      PrintError("--update-baseline needs --baseline FILE");
      return ExitCode::kUsage;
    }
    if (const ExitCode code = ApplyRuleOptions(options_.rules, job.validation);
        code != ExitCode::kOk)
      return code;
    job.validation.device.surfaces.keeps_pixels = false;
    job.validation.token_text = text::AppendCommand;
    job.max_memory = options_.max_memory;
    job.threads = options_.threads != 0 ? options_.threads
                                        : std::max(1U, std::thread::hardware_concurrency());
    // A baseline must see what it accepts.
    const bool is_limited = options_.max_per_rule != 0 && options_.baseline.empty();
    job.limits = {kMaxKept, is_limited ? options_.max_per_rule : UINT64_MAX};
    return ReadBaseline();
  }

  ExitCode ReadBaseline() {
    std::error_code error;
    const bool is_new =
        options_.updates_baseline && !std::filesystem::exists(options_.baseline, error);
    if (options_.baseline.empty() || is_new) return ExitCode::kOk;
    const Status status = baseline_.Read(options_.baseline);
    return status.ok() ? ExitCode::kOk : ReportFailure(options_.baseline, status);
  }

  Status WriteBaseline() {
    if (!options_.updates_baseline) return OkStatus();
    Result<OutputFile> file = OutputFile::Create(options_.baseline);
    if (!file.ok()) return file.status();
    DP2TRACE_RETURN_IF_ERROR(file->Write(baseline_.Json()));
    return file->Commit();
  }

  Status Take(LintResult result) {
    lint::FileFindings file;
    file.file = result.file == "-" ? std::string(lint::kStandardInputName) : result.file;
    file.frame_ends = std::move(result.frame_ends);
    if (result.error) {
      file.failure = result.error->status.diagnostic();
      const ExitCode code = ReportFailure(result.file, result.error->status);
      code_ = Worse(code_, result.error->is_usage ? ExitCode::kUsage : code);
    }
    if (result.is_incomplete) code_ = Worse(code_, ExitCode::kInput);
    for (size_t i = 0; i < kSeverityCount; ++i)
      file.counts[i] = result.findings.count(static_cast<Severity>(i));
    file.unlisted = result.findings.dropped_by_rule();
    for (const auto& [rule, count] : result.findings.disabled()) {
      disabled_[rule] += count;
      outcome_.disabled += count;
    }
    lint::Fingerprints fingerprints;
    for (Diagnostic& finding : result.findings.Take()) {
      std::string fingerprint = fingerprints.Next(finding);
      file.findings.push_back({std::move(finding), std::move(fingerprint), std::nullopt});
    }
    ApplyBaseline(file);
    for (size_t i = 0; i < kSeverityCount; ++i)
      outcome_.counts[i] += file.counts[i];
    for (const auto& [rule, count] : file.unlisted)
      outcome_.unlisted += count;
    outcome_.accepted += file.accepted;
    return outputs_.Add(file);
  }

  void ApplyBaseline(lint::FileFindings& file) {
    if (options_.baseline.empty()) return;
    if (options_.updates_baseline) baseline_.Update(file);
    baseline_.Apply(file);
    if (options_.max_per_rule != 0) LimitPerRule(file);
  }

  // What the baseline does not accept is listed up to the limit.
  void LimitPerRule(lint::FileFindings& file) const {
    std::map<Rule, uint64_t> listed;
    std::erase_if(file.findings, [&](const lint::ListedFinding& one) {
      if (one.accepted || ++listed[one.finding.rule] <= options_.max_per_rule) return false;
      ++file.unlisted[one.finding.rule];
      return true;
    });
  }

  bool HasFailed() const {
    if (!options_.fail_on) return false;
    uint64_t count = 0;
    for (size_t i = static_cast<size_t>(*options_.fail_on); i < kSeverityCount; ++i)
      count += outcome_.counts[i];
    return count != 0;
  }

  // What is switched off or accepted without need.
  void PrintNotes() const {
    if (!options_.updates_baseline) {
      for (const std::string& note : baseline_.Notes())
        PrintNote(note);
    }
    for (const std::string& name : options_.rules.disabled) {
      uint64_t count = 0;
      for (const Rule rule : validate::SelectRules(name)) {
        if (const auto found = disabled_.find(rule); found != disabled_.end())
          count += found->second;
      }
      if (count == 0)
        PrintNote(fmt::format("--disable {} has no effect: nothing was found under it", name));
    }
  }

  const LintOptions& options_;
  LintOutputs outputs_;
  lint::Baseline baseline_;
  lint::Outcome outcome_;
  std::map<Rule, uint64_t> disabled_;  // findings of rules that --disable names
  ExitCode code_ = ExitCode::kOk;
};

void AddOutputOptions(CLI::App& command, LintOptions& options) {
  command.add_option("--format", options.format, "Form of standard output (text)")
      ->check(OneOf({"text", "json", "jsonl", "sarif", "junit", "github", "gitlab"}))
      ->type_name("text|json|jsonl|sarif|junit|github|gitlab");
  command
      .add_option("--color", options.color,
                  "Colour in text: on a terminal (auto), unless NO_COLOR is set")
      ->check(OneOf({"auto", "always", "never"}))
      ->type_name("auto|always|never");
  command
      .add_option("--output", options.outputs,
                  "Write a file, too, in a form of --format or as github-summary (Markdown)")
      ->type_name("FORMAT=PATH")
      ->allow_extra_args(false);
  command
      .add_option("--max-per-rule", options.max_per_rule,
                  "Findings that are listed of each rule and file, 0 for all (1000)")
      ->type_name("N");
}

void AddBaselineOptions(CLI::App& command, LintOptions& options) {
  command
      .add_option("--baseline", options.baseline,
                  "Findings that are accepted, each with a reason and perhaps a last day")
      ->type_name("FILE");
  command.add_flag("--update-baseline", options.updates_baseline,
                   "Write what is found now into the baseline; reasons are kept");
  AddToday(command, options.today);
}

}  // namespace

void AddLintCommand(CLI::App& app, ExitCode& code) {
  auto options = std::make_shared<LintOptions>();
  CLI::App* command =
      app.add_subcommand("lint", "Report what is wrong in traces: rule, exact position, reason");
  command
      ->add_option(
          "TRACE", options->traces,
          "Traces to read, .dp2t or .json; folders and patterns of them; - is standard input")
      ->required();
  command
      ->add_option("-j,--jobs", options->threads,
                   "Traces to check at once, 0 for one per processor (1)")
      ->check(CLI::Range(0U, kMaxThreads))
      ->type_name("N");
  AddOutputOptions(*command, *options);
  AddRuleOptions(*command, options->rules);
  AddBaselineOptions(*command, *options);
  AddFailOn(*command, options->fail_on);
  AddMaxMemory(*command, options->max_memory);
  AddExample(*command, "dp2trace lint --preset pedantic --output sarif=findings.sarif traces");
  command->callback([options, &code] { code = Linter(*options).Run(); });
}

}  // namespace dp2trace::app
