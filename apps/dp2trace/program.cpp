#include "program.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <exception>
#include <string>
#include <vector>

#include "base/sandbox.h"
#include "bench_command.h"
#include "blame_command.h"
#include "compare_command.h"
#include "console.h"
#include "convert_command.h"
#include "coverage_command.h"
#include "diff_command.h"
#include "dump_command.h"
#include "exit_code.h"
#include "explain_command.h"
#include "golden_command.h"
#include "history_command.h"
#include "import_command.h"
#include "import_hex_command.h"
#include "info_command.h"
#include "inspect_command.h"
#include "interruption.h"
#include "lint_command.h"
#include "list_command.h"
#include "manual_command.h"
#include "options.h"
#include "reduce_command.h"
#include "replay_command.h"
#include "rules_command.h"
#include "scrub_command.h"
#include "state_command.h"
#include "trim_command.h"
#include "unknown_words.h"
#include "verify_command.h"
#include "version.h"

namespace dp2trace::app {
namespace {

// `help VERB` is `VERB --help`.
std::vector<std::string> WordsOf(int argc, char** argv) {
  std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  if (words.empty() || words.front() != "help") return words;
  words.erase(words.begin());
  words.emplace_back("--help");
  return words;
}

ExitCode RunWords(const std::vector<std::string>& words) {
  CLI::App app("Replays and validates traces of the Direct3D 6-9 driver interface", "dp2trace");
  app.set_version_flag("-V,--version", std::string("dp2trace ") + VersionWithCommit() +
                                           "\nsandbox: " + SandboxWords());
  app.require_subcommand(1);
  AddExample(app, "dp2trace lint capture.dp2t");
  ExitCode code = ExitCode::kOk;
  AddReplayCommand(app, code);
  AddLintCommand(app, code);
  AddVerifyCommand(app, code);
  AddHistoryCommand(app, code);
  AddBlameCommand(app, code);
  AddInspectCommand(app, code);
  AddCoverageCommand(app, code);
  AddInfoCommand(app, code);
  AddImportCommand(app, code);
  AddImportHexCommand(app, code);
  AddDumpCommand(app, code);
  AddConvertCommand(app, code);
  AddStateCommand(app, code);
  AddDiffCommand(app, code);
  AddTrimCommand(app, code);
  AddReduceCommand(app, code);
  AddScrubCommand(app, code);
  AddCompareCommand(app, code);
  AddBenchCommand(app, code);
  AddGoldenCommand(app, code);
  AddListCommand(app, code);
  AddRulesCommand(app, code);
  AddExplainCommand(app, code);
  AddManualCommand(app, code);
  try {
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CLI::Success& success) {
    app.exit(success);
  } catch (const CLI::ParseError& error) {
    const auto verbs = app.get_subcommands();
    const std::string unknown = DescribeUnknown(app, words);
    return UsageError((unknown.empty() ? std::string(error.what()) : unknown) + "; see dp2trace " +
                      (verbs.empty() ? "" : verbs.front()->get_name() + " ") + "--help");
  }
  return Worse(code, ReportOutput(FinishResult()));
}

}  // namespace

int RunProgram(int argc, char** argv) {
  // A reader that has seen enough (`dp2trace dump ... | head`) ends the program, quietly.
  (void)std::signal(SIGPIPE, SIG_DFL);
  WatchSignals();
  try {
    return static_cast<int>(RunWords(WordsOf(argc, argv)));
  } catch (const std::exception& error) {
    PrintError(std::string("internal: ") + error.what());
  } catch (...) {
    PrintError("internal");
  }
  return static_cast<int>(ExitCode::kInternal);
}

}  // namespace dp2trace::app
