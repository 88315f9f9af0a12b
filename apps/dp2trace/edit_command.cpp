#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "base/plain_text.h"
#include "console.h"
#include "edit/editor.h"
#include "json/append.h"
#include "limit_options.h"
#include "options.h"
#include "sandbox_option.h"
#include "trace_file/form.h"
#include "verbs.h"
#include "work.h"

namespace dp2trace::app {
namespace {

struct EditCommand {
  std::string input, output;
  std::string patch;
  std::vector<std::string> sets, drops, replaces;
  bool json = false;
  bool is_sandboxed = true;
  uint64_t max_memory = kDefaultMaxMemory;
  trace_model::WorkBounds work;
};

// Adds the changes of the words of an option; false after a line that says what is wrong.
bool AddWords(const std::vector<std::string>& words,
              Result<std::string> (*patch_of)(std::string_view), edit::Patch& patch,
              ExitCode& code) {
  for (const std::string& word : words) {
    const Result<std::string> text = patch_of(word);
    Status status = text.status();
    if (text.ok()) status = edit::ReadPatch(*text, "", patch);
    if (!status.ok()) {
      code = UsageError(fmt::format("'{}': {}", word, status.diagnostic().message));
      return false;
    }
    patch.back().text = word;
  }
  return true;
}

// False after a line that says what is wrong.
bool ReadChanges(const EditCommand& options, edit::Patch& patch, ExitCode& code) {
  if (!options.patch.empty()) {
    const Status status = edit::ReadPatchFile(options.patch, patch);
    if (!status.ok()) {
      code = ReportFailure(options.patch, status);
      return false;
    }
  }
  return AddWords(options.sets, edit::PatchOfSet, patch, code) &&
         AddWords(options.drops, edit::PatchOfDrop, patch, code) &&
         AddWords(options.replaces, edit::PatchOfReplace, patch, code);
}

// A change that matches nothing is a mistake: nothing is written.
bool ReportUnmatched(const edit::Patch& patch, const edit::EditResult& result) {
  bool is_fine = true;
  for (size_t i = 0; i < patch.size(); ++i) {
    if (result.matches[i] != 0) continue;
    is_fine = false;
    PrintError(patch[i].kind == edit::ChangeKind::kReplace
                   ? fmt::format("{}: nothing is written into level {}, face {} of surface {}",
                                 patch[i].text, patch[i].level, patch[i].face, patch[i].handle)
                   : fmt::format("{}: there is no such draw; {}", patch[i].text,
                                 RangeOf("draw", result.draws)));
  }
  return is_fine;
}

std::string Describe(const edit::Patch& patch, const edit::EditResult& result, bool is_json) {
  if (!is_json) {
    std::string text;
    for (size_t i = 0; i < patch.size(); ++i) {
      const char* const noun = patch[i].kind == edit::ChangeKind::kReplace ? "write" : "draw";
      text += fmt::format("{}: {}\n", Plain(patch[i].text), Counted(result.matches[i], noun));
    }
    return text + fmt::format("{} written\n", Counted(result.events, "event"));
  }
  json::Text out;
  out.Raw('{');
  json::AppendNumber(out, "events", result.events);
  json::AppendList(out, "matches", result.matches, [&out](uint64_t count) { out.Number(count); });
  out.Raw("}\n");
  return std::move(out.string());
}

std::vector<std::string> PicturesOf(const EditCommand& options) {
  std::vector<std::string> paths;
  for (const std::string& word : options.replaces)
    paths.push_back(word.substr(word.rfind(',') + 1));
  return paths;
}

ExitCode RunEdit(const EditCommand& options) {
  if (!trace_file::FormOfPath(options.output)) return UnknownForm(options.output);
  Confinement confinement = {.traces = {options.input}, .files = {options.output}};
  confinement.inputs = PicturesOf(options);
  // A patch names pictures beside it.
  if (!options.patch.empty()) confinement.traces.push_back(options.patch);
  Confine(options.is_sandboxed, confinement);
  ExitCode code = ExitCode::kOk;
  edit::Patch patch;
  if (!ReadChanges(options, patch, code)) return code;
  if (patch.empty())
    return UsageError("there is nothing to change: --set, --drop, --replace or --patch");
  DiagnosticList findings;
  auto source = OpenTrace(options.input, options.max_memory, findings, code);
  if (source == nullptr) return code;
  const Result<edit::EditResult> result = edit::EditTrace(
      std::move(source), patch, options.output, options.max_memory / 2, options.work, ForEachEvent);
  PrintFindings(options.input, findings);
  if (!findings.empty()) code = ExitCode::kInput;
  if (!result.ok()) return Worse(code, ReportFailure(options.output, result.status()));
  if (!ReportUnmatched(patch, *result)) return Absent(code);
  return Worse(code, ReportOutput(WriteResult(Describe(patch, *result, options.json))));
}

}  // namespace

void AddEdit(Verb& program) {
  auto options = std::make_shared<EditCommand>();
  Verb& command = program.AddVerb("edit", "Change states, draws or textures of a trace: what if?");
  command.Add("IN", options->input, "Trace to read, .dp2t or .json").Required();
  command.Add("OUT", options->output, "Trace to write, .dp2t or .json").Required();
  command
      .Add(
          "--set", options->sets,
          "A state at a draw, 5, 3-7 or all, and only there: draw=5,ZENABLE=FALSE; of texture stage 0: draw=5,0.COLOROP=DISABLE")
      .Value("draw=SEL,STATE=VALUE")
      .AtMost(Argument::kAnyNumber)
      .OnePerMention();
  command.Add("--drop", options->drops, "Leave draws out: draw=7")
      .Value("draw=SEL")
      .AtMost(Argument::kAnyNumber)
      .OnePerMention();
  command
      .Add(
          "--replace", options->replaces,
          "Another picture in a level of a surface: texture=3,0,wood.png; of a face of a cube: texture=3,LEVEL,FACE,FILE")
      .Value("texture=HANDLE,LEVEL,FILE")
      .AtMost(Argument::kAnyNumber)
      .OnePerMention();
  command.Add("--patch", options->patch, "Changes as JSON, with tokens of any kind").Value("FILE");
  AddFormat(command, options->json);
  AddSandboxOption(command, options->is_sandboxed);
  AddMaxMemory(command, options->max_memory);
  AddMaxSteps(command, options->input, options->work);
  command.SetExample(
      "dp2trace edit game.dp2t what-if.dp2t --set draw=468,ZENABLE=FALSE --drop draw=470");
  command.OnRun([options] { return RunEdit(*options); });
}

}  // namespace dp2trace::app
