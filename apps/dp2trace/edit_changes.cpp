#include "edit_changes.h"

#include <fmt/format.h>

#include "base/plain_text.h"
#include "console.h"
#include "json/append.h"
#include "json/output.h"
#include "trace_reading.h"

namespace dp2trace::app {
namespace {

// Adds the changes of the words of an option; false after a line that says what is wrong.
bool AddWords(std::string_view option, const std::vector<std::string>& words,
              Result<std::string> (*patch_of)(std::string_view), edit::Patch& patch,
              ExitCode& code) {
  for (const std::string& word : words) {
    const Result<std::string> text = patch_of(word);
    Status status = text.status();
    if (text.ok()) status = edit::ReadPatch(*text, "", patch);
    if (!status.ok()) {
      code = UsageError(fmt::format("{} '{}': {}", option, word, status.diagnostic().message));
      return false;
    }
    patch.back().text = word;
  }
  return true;
}

std::string DescribeUnmatched(const edit::Change& change, const edit::EditResult& result) {
  if (change.kind == edit::ChangeKind::kReplace)
    return fmt::format(
        "the trace writes nothing into level {}, face {} of surface {}; expected a texture that "
        "the trace fills (state --textures lists those of a draw)",
        change.level, change.face, change.handle);
  if (change.kind == edit::ChangeKind::kVertex)
    return fmt::format("there is no such draw that reads {} of vertex {}; {}", change.element,
                       change.vertex, RangeOf("draw", result.draws));
  if (change.kind == edit::ChangeKind::kInstruction)
    return "there is no such draw that runs shaders; " + RangeOf("draw", result.draws);
  return "there is no such draw; " + RangeOf("draw", result.draws);
}

}  // namespace

bool ReadChanges(const EditOptions& options, edit::Patch& patch, ExitCode& code) {
  if (!options.patch.empty()) {
    const Status status = edit::ReadPatchFile(options.patch, patch);
    if (!status.ok()) {
      code = ReportFailure(options.patch, status);
      return false;
    }
    for (edit::Change& change : patch)
      change.text = options.patch + ": " + change.text;
  }
  return AddWords("--set", options.sets, edit::PatchOfSet, patch, code) &&
         AddWords("--drop", options.drops, edit::PatchOfDrop, patch, code) &&
         AddWords("--move", options.moves, edit::PatchOfMove, patch, code) &&
         AddWords("--replace", options.replaces, edit::PatchOfReplace, patch, code);
}

bool ReportUnmatched(const edit::Patch& patch, const edit::EditResult& result) {
  bool is_fine = true;
  for (size_t i = 0; i < patch.size(); ++i) {
    if (result.matches[i] != 0) continue;
    is_fine = false;
    PrintError(fmt::format("{}: {}", patch[i].text, DescribeUnmatched(patch[i], result)));
  }
  return is_fine;
}

std::string DescribeEdit(const EditOptions& options, const edit::Patch& patch,
                         const edit::EditResult& result) {
  if (!options.json) {
    std::string text;
    for (size_t i = 0; i < patch.size(); ++i) {
      const char* const noun = patch[i].kind == edit::ChangeKind::kReplace ? "write" : "draw";
      text += fmt::format("{}: {}\n", Plain(patch[i].text), Counted(result.matches[i], noun));
    }
    return text + fmt::format("{} written\n", Counted(result.events, "event"));
  }
  json::Builder out;
  out.Raw(json::OutputHead("edit", options.input));
  json::AppendNumber(out, "events", result.events);
  json::AppendList(out, "matches", result.matches, [&out](uint64_t count) { out.Number(count); });
  out.Raw("}\n");
  return std::move(out.string());
}

std::vector<std::string> PicturesOf(const EditOptions& options) {
  std::vector<std::string> paths;
  for (const std::string& word : options.replaces)
    paths.push_back(word.substr(word.rfind(',') + 1));
  return paths;
}

}  // namespace dp2trace::app
