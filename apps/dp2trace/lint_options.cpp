#include "lint_options.h"

#include "console.h"
#include "limit_options.h"
#include "sandbox_option.h"
#include "text/command.h"

namespace dp2trace::app {
namespace {

// The forms that may go to standard output.
std::vector<std::string> FormatNames() {
  std::vector<std::string> names;
  for (const lint::FindingForm& form : lint::FindingForms()) {
    if (!form.is_for_files_only) names.emplace_back(form.name);
  }
  return names;
}

void AddOutputOptions(Verb& command, LintOptions& options) {
  command.Add("--format", options.format, "Form of standard output (text)").OneOf(FormatNames());
  command.OnRead([&options] {
    if (options.format == "json") ExpectJson("lint", JsonErrors::kOwn);
  });
  command
      .Add("--color", options.color, "Colour in text: on a terminal (auto), unless NO_COLOR is set")
      .OneOf({"auto", "always", "never"});
  command
      .Add("--output", options.outputs,
           "Write a file, too, in a form of --format or as github-summary (Markdown)")
      .Value("FORMAT=PATH")
      .OnePerMention();
  AddForce(command, options.replaces_outputs, "Replace files of --output that exist");
  command
      .Add("--html", options.html,
           "Write the findings of one trace as a page, too: a timeline of its frames")
      .Value("DIR");
  command
      .Add("--max-per-rule", options.lint.max_per_rule,
           "Findings that are listed of each rule and file, 0 for all (1000)")
      .Value("N");
  command.AddSwitch("--all", options.lint.lists_all,
                    "List each occurrence of a cause, not the first with a count of the others");
  command.AddSwitch("-v,--verbose", options.is_verbose,
                    "Show the bytes of tokens in text, also where none of them is wrong");
}

void AddBaselineOptions(Verb& command, LintOptions& options) {
  command
      .Add("--baseline", options.lint.baseline,
           "Findings that are accepted, each with a reason and perhaps a last day")
      .Value("FILE");
  command.AddSwitch("--update-baseline", options.lint.updates_baseline,
                    "Write what is found now into the baseline; reasons and last days are kept");
  AddAllowCi(command, options.is_allowed_in_ci);
  AddToday(command, options.lint.today);
}

}  // namespace

void AddLintOptions(Verb& command, LintOptions& options) {
  AddTraces(command, options.traces).Required();
  AddJobs(command, options.threads);
  AddOutputOptions(command, options);
  AddRuleOptions(command, options.rules);
  AddSandboxOption(command, options.is_sandboxed);
  AddBaselineOptions(command, options);
  AddFailOn(command, options.lint.fail_on);
  AddMaxMemory(command, options.max_memory);
  AddMaxSteps(command, options.max_steps);
}

ExitCode ApplyOptions(const LintOptions& options, lint::LintJob& job) {
  if (const ExitCode code = ApplyRuleOptions(options.rules, job.validation); code != ExitCode::kOk)
    return code;
  job.validation.device.surfaces.keeps_pixels = false;
  job.validation.token_text = text::AppendCommand;
  job.validation.max_steps = options.max_steps;
  job.max_memory = options.max_memory;
  job.threads = options.threads;
  return ExitCode::kOk;
}

}  // namespace dp2trace::app
