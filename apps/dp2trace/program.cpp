#include "program.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "base/floats.h"
#include "command_line.h"
#include "console.h"
#include "fast/machine/isa.h"
#include "fast/native/native_code.h"
#include "golden/order.h"
#include "help.h"
#include "interruption.h"
#include "os/console.h"
#include "os/path.h"
#include "os/process.h"
#include "os/sandbox.h"
#include "os/worker_pool.h"
#include "page_maker.h"
#include "verbs.h"
#include "version.h"

namespace dp2trace::app {
namespace {

// `help VERB` is `VERB --help`, and so is `man VERB`; `version` and `-v` are `--version`; no word is --help.
std::vector<std::string> WordsOf(std::vector<std::string> words) {
  if (words.empty()) return {Verb::kHelp};
  if (words.front() == "help" || words.front() == "man") {
    words.erase(words.begin());
    words.emplace_back(Verb::kHelp);
  } else if (words.front() == "version" || words.front() == "-v") {
    words.front() = "--version";
  }
  return words;
}

// A file in place of a verb: `info FILE` is what one wants to see first.
bool IsFileAlone(const Verb& program, const std::vector<std::string>& words) {
  std::error_code error;
  return program.FindVerb(words.front()) == nullptr && !words.front().starts_with('-') &&
         std::filesystem::is_regular_file(ToPath(words.front()), error);
}

// The schema of the JSON that the verb writes; only that of wrong usage where it writes none.
std::string SchemaOf(const Verb& verb) {
  const Argument* const format = verb.FindOption("--format");
  const std::vector<std::string> forms =
      format == nullptr ? std::vector<std::string>() : format->choices();
  const bool writes_json = std::ranges::find(forms, "json") != forms.end();
  return writes_json ? verb.path().front() : "usage";
}

// Of the terminal; where there is none, what the environment says; 0: nothing does.
uint32_t OutputColumns() {
  if (const uint32_t columns = ColumnsOf(Stream::kOutput); columns != 0) return columns;
  const char* const value =
      std::getenv("COLUMNS");  // NOLINT(concurrency-mt-unsafe): nobody sets it
  const std::string_view text = value == nullptr ? std::string_view() : value;
  uint32_t columns = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), columns);
  return result.ptr == text.data() + text.size() ? columns : 0;
}

std::string VersionText() {
  const fast::Isa isa = fast::SupportedIsas().front();
  return fmt::format("dp2trace {}\nsandbox: {}\nfast renderer: {}, {}\n", VersionWithCommit(),
                     SandboxWords(), isa.name,
                     fast::HasNativeCode(isa) ? "machine code" : "kernels");
}

ExitCode RunWords(std::vector<std::string> words) {
  Verb program({}, "Replays and validates traces of the Direct3D 6-9 driver interface");
  bool wants_version = false;
  program.AddSwitch("-V,--version", wants_version, "Display program version information and exit");
  program.SetExample("dp2trace lint capture.dp2t");
  AddVerbs(program);
  if (IsFileAlone(program, words)) {
    PrintNote("showing dp2trace info " + words.front() + "; see also view, lint, replay");
    words.insert(words.begin(), "info");
  }
  Request request = ReadCommandLine(program, words);
  const Verb& verb = *request.verb;
  const bool lacks_verb = !verb.run() && !wants_version && request.problem.empty();
  if ((request.wants_help && request.problem.empty()) || lacks_verb)
    return ReportOutput(WriteResult(HelpText(verb, HelpWidth(OutputColumns()))));
  if (request.problem.empty() && wants_version) return ReportOutput(WriteResult(VersionText()));
  if (!request.problem.empty()) {
    if (request.wants_json) ExpectJson(SchemaOf(verb));
    if (request.is_configured) return UsageError(request.problem);
    const char* const separator = request.problem.ends_with('?') ? " See " : "; see ";
    return UsageError(request.problem + separator + verb.FullName(" ") + " --help");
  }
  return verb.run()();
}

}  // namespace

void AddVerbs(Verb& program) {
  const char* group = "";
#define DP2TRACE_VERB_GROUP(Title) group = Title;
#define DP2TRACE_VERB(Name) \
  Add##Name(program);       \
  program.verbs().back()->SetGroup(group);
#include "verbs.def"
}

int RunProgram(int argc, char** argv) {
  SetDefaultFloats();
  PrepareStreams();
  constexpr Worker kWorkers[] = {golden::kCheckWorker, kInspectWorker};
  if (const std::optional<int> code = RunAsWorker(kWorkers)) return *code;
  CleanUpWhenInterrupted();
  try {
    const ExitCode code = RunWords(WordsOf(ArgumentsOf(argc, argv)));
    Status written = EndJson();
    if (written.ok()) written = FinishResult();
    return static_cast<int>(Worse(code, ReportOutput(written)));
  } catch (const std::exception& error) {
    PrintError(std::string("internal: ") + error.what());
  } catch (...) {
    PrintError("internal");
  }
  return static_cast<int>(ExitCode::kInternal);
}

}  // namespace dp2trace::app
