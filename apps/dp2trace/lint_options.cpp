#include "lint_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "limit_options.h"
#include "sandbox_option.h"
#include "text/command.h"

namespace dp2trace::app {
namespace {

constexpr uint32_t kMaxThreads = 256;

// The forms that may go to standard output.
std::vector<std::string> FormatNames() {
  std::vector<std::string> names;
  for (const lint::FindingForm& form : lint::FindingForms()) {
    if (!form.is_for_files_only) names.emplace_back(form.name);
  }
  return names;
}

void AddOutputOptions(CLI::App& command, LintVerb& options) {
  command.add_option("--format", options.format, "Form of standard output (text)")
      ->check(OneOf(FormatNames()))
      ->type_name(fmt::format("{}", fmt::join(FormatNames(), "|")));
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
      .add_option("--html", options.html,
                  "Write the findings of one trace as a page, too: a timeline of its frames")
      ->type_name("DIR");
  command
      .add_option("--max-per-rule", options.lint.max_per_rule,
                  "Findings that are listed of each rule and file, 0 for all (1000)")
      ->type_name("N");
}

void AddBaselineOptions(CLI::App& command, LintVerb& options) {
  command
      .add_option("--baseline", options.lint.baseline,
                  "Findings that are accepted, each with a reason and perhaps a last day")
      ->type_name("FILE");
  command.add_flag("--update-baseline", options.lint.updates_baseline,
                   "Write what is found now into the baseline; reasons are kept");
  AddToday(command, options.lint.today);
}

}  // namespace

void AddLintOptions(CLI::App& command, LintVerb& options) {
  command
      .add_option(
          "TRACE", options.traces,
          "Traces to read, .dp2t or .json; folders and patterns of them; - is standard input")
      ->required();
  command
      .add_option(
          "-j,--jobs", options.threads,
          "Threads, for several traces or parts of a large one; 0 for one per processor (1)")
      ->check(CLI::Range(0U, kMaxThreads))
      ->type_name("N");
  AddOutputOptions(command, options);
  AddRuleOptions(command, options.rules);
  AddSandboxOption(command, options.is_sandboxed);
  AddBaselineOptions(command, options);
  AddFailOn(command, options.lint.fail_on);
  AddMaxMemory(command, options.max_memory);
  AddMaxSteps(command, options.max_steps);
}

ExitCode ApplyOptions(const LintVerb& options, lint::LintJob& job) {
  if (const ExitCode code = ApplyRuleOptions(options.rules, job.validation); code != ExitCode::kOk)
    return code;
  job.validation.device.surfaces.keeps_pixels = false;
  job.validation.token_text = text::AppendCommand;
  job.validation.max_steps = options.max_steps;
  job.max_memory = options.max_memory;
  job.threads =
      options.threads != 0 ? options.threads : std::max(1U, std::thread::hardware_concurrency());
  return ExitCode::kOk;
}

}  // namespace dp2trace::app
