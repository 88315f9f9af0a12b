#include "coverage_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/file.h"
#include "console.h"
#include "edit/edges.h"
#include "lint/coverage.h"
#include "options.h"
#include "rule_options.h"
#include "rules/rule_info.h"
#include "trace_file/inputs.h"
#include "trace_file/source.h"

namespace dp2trace::app {
namespace {

constexpr uint32_t kMaxCoverageThreads = 256;
// A trace is run again for each of its numbers: of larger ones nothing would come in any time.
constexpr uint64_t kMaxEdgeBytes = uint64_t{64} << 20;

// What several threads have to say, in the order of the text.
class EdgeNotes {
 public:
  void Add(std::string note) {
    const std::lock_guard lock(mutex_);
    notes_.insert(std::move(note));
  }
  const std::set<std::string>& all() const { return notes_; }

 private:
  std::mutex mutex_;
  std::set<std::string> notes_;
};

struct CoverageVerb {
  std::vector<std::string> traces;
  std::vector<std::string> results;
  std::string minimal;
  text::ListFormat format = text::ListFormat::kText;
  bool lists_missing = false;
  bool finds_edges = false;
  uint32_t threads = 1;  // 0: one per processor
  uint64_t max_memory = kDefaultMaxMemory;
};

// Adds the rules that the trace keeps only just. Called on several threads; what it says of a trace stands in its items.
void AddEdges(const std::string& path, uint64_t max_memory, lint::CoveredItems& items,
              EdgeNotes& notes) {
  DiagnosticList findings;  // lint reports them
  trace_file::OpenError error;
  const auto source =
      trace_file::WithResults(trace_file::Source::Open(path, max_memory, findings, error));
  if (source == nullptr) return;
  edit::ModelLoader loader;
  for (trace::EventRecord record; source->Next(record);) {
    loader.Add(record);
    if (loader.size_bytes() > std::min(max_memory, kMaxEdgeBytes))
      return notes.Add(path + ": too large for --edges");
  }
  const edit::EdgeRules edges = edit::FindOnlyJustKept(loader.Take());
  for (const Rule rule : edges.rules)
    items.insert(fmt::format("{}/{}", lint::kOnlyJustKeptGroup, Info(rule).id));
  if (edges.is_cut)
    notes.Add(fmt::format("{}: --edges stopped behind {} tries", path, edges.tries));
}

ExitCode CoverTraces(const CoverageVerb& options, std::vector<lint::TraceCoverage>& traces) {
  lint::LintJob job;
  RuleOptions rules;
  rules.preset = "pedantic";  // every rule counts
  ExitCode code = ApplyRuleOptions(rules, job.validation);
  if (code != ExitCode::kOk) return code;
  job.max_memory = options.max_memory;
  job.threads =
      options.threads != 0 ? options.threads : std::max(1U, std::thread::hardware_concurrency());
  const trace_file::Inputs inputs = trace_file::ExpandInputs(options.traces);
  for (const std::string& name : inputs.unmatched)
    PrintNote(fmt::format("{} holds no traces", name));
  if (options.finds_edges && std::ranges::find(inputs.paths, "-") != inputs.paths.end()) {
    PrintError("--edges reads traces twice: standard input cannot be read again");
    return ExitCode::kUsage;
  }
  EdgeNotes notes;
  lint::MoreItems add_more;
  if (options.finds_edges)
    add_more = [&](const std::string& path, lint::CoveredItems& items) {
      AddEdges(path, options.max_memory, items, notes);
    };
  std::vector<lint::CoverageResult> results = lint::CoverFiles(inputs.paths, job, add_more);
  for (const std::string& note : notes.all())
    PrintNote(note);
  for (lint::CoverageResult& result : results) {
    if (result.error) {
      const ExitCode failure = ReportFailure(result.coverage.trace, result.error->status);
      code = Worse(code, result.error->is_usage ? ExitCode::kUsage : failure);
      continue;
    }
    if (result.is_incomplete) {
      PrintNote(fmt::format("{}: not every event could be read", result.coverage.trace));
      code = Worse(code, ExitCode::kInput);
    }
    traces.push_back(std::move(result.coverage));
  }
  return code;
}

Status WriteMinimal(const std::string& path, const std::vector<lint::TraceCoverage>& traces) {
  std::string text;
  for (const std::string& trace : lint::MinimalTraces(traces))
    text += trace + "\n";
  Result<OutputFile> file = OutputFile::Create(path);
  if (!file.ok()) return file.status();
  DP2TRACE_RETURN_IF_ERROR(file->Write(std::string_view(text)));
  return file->Commit();
}

ExitCode RunCoverage(const CoverageVerb& options) {
  if (options.traces.empty() && options.results.empty()) {
    PrintError("coverage needs traces, or results to --merge");
    return ExitCode::kUsage;
  }
  std::vector<lint::TraceCoverage> traces;
  ExitCode code = CoverTraces(options, traces);
  for (const std::string& path : options.results) {
    const Status status = lint::ReadCoverage(path, traces);
    if (!status.ok()) return Worse(code, ReportFailure(path, status));
  }
  traces = lint::Merged(std::move(traces));
  if (traces.empty()) return Worse(code, ExitCode::kNothingToDo);
  code = Worse(
      code,
      ReportOutput(WriteResult(lint::CoverageText(traces, options.lists_missing, options.format))));
  if (options.minimal.empty()) return code;
  const Status written = WriteMinimal(options.minimal, traces);
  return written.ok() ? code : Worse(code, ReportFailure(options.minimal, written));
}

}  // namespace

void AddCoverageCommand(CLI::App& app, ExitCode& code) {
  auto options = std::make_shared<CoverageVerb>();
  CLI::App* command = app.add_subcommand(
      "coverage", "Say which operations, states, formats, instructions and rules traces exercise");
  command->add_option(
      "TRACE", options->traces,
      "Traces to read, .dp2t or .json; folders and patterns of them; - is standard input");
  command->add_flag("--missing", options->lists_missing,
                    "Name what no trace exercises, not what one does");
  command->add_flag("--edges", options->finds_edges,
                    "Find rules that are only just kept, too: one number one step further breaks "
                    "them (slow; traces up to some thousand tokens)");
  command
      ->add_option("--minimal", options->minimal,
                   "Write the paths of few traces that cover as much, one per line")
      ->type_name("OUT.txt");
  command
      ->add_option("--merge", options->results, "Add results of --format json, of other machines")
      ->type_name("RESULT.json");
  command
      ->add_option("-j,--jobs", options->threads,
                   "Traces to run at once, 0 for one per processor (1)")
      ->check(CLI::Range(0U, kMaxCoverageThreads))
      ->type_name("N");
  AddTableFormat(*command, options->format);
  AddMaxMemory(*command, options->max_memory);
  AddExample(*command, "dp2trace coverage --missing --minimal few.txt traces");
  command->callback([options, &code] { code = RunCoverage(*options); });
}

}  // namespace dp2trace::app
