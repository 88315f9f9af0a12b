#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/file.h"
#include "console.h"
#include "help.h"
#include "manual.h"
#include "os/path.h"
#include "verbs.h"

namespace dp2trace::app {
namespace {

Status WritePage(const std::filesystem::path& path, const std::string& text) {
  std::error_code error;
  std::filesystem::create_directories(path.parent_path(), error);
  Result<OutputFile> file = OutputFile::Create(ToText(path));
  if (!file.ok()) return file.status();
  DP2TRACE_RETURN_IF_ERROR(file->Write(text));
  return file->Commit();
}

// For systems without man.
std::string ManualText(const std::vector<const Verb*>& verbs) {
  std::string text;
  for (const Verb* const verb : verbs) {
    const std::string name = verb->FullName(" ");
    text += (text.empty() ? "" : "\n\n") + name + "\n" + std::string(name.size(), '=') + "\n\n" +
            HelpText(*verb, HelpWidth(0));
  }
  return text;
}

Status WriteAll(const Verb& program, const std::filesystem::path& folder) {
  const std::vector<const Verb*> verbs = ShownVerbs(program);
  for (size_t index = 0; index < verbs.size(); ++index) {
    DP2TRACE_RETURN_IF_ERROR(WritePage(folder / "man/man1" / (verbs[index]->FullName("-") + ".1"),
                                       ManualPage(verbs, index)));
  }
  DP2TRACE_RETURN_IF_ERROR(
      WritePage(folder / "bash-completion/completions/dp2trace", BashCompletion(verbs)));
  DP2TRACE_RETURN_IF_ERROR(
      WritePage(folder / "zsh/site-functions/_dp2trace", ZshCompletion(verbs)));
  DP2TRACE_RETURN_IF_ERROR(WritePage(folder / "manual.txt", ManualText(verbs)));
  return WritePage(folder / "fish/vendor_completions.d/dp2trace.fish", FishCompletion(verbs));
}

}  // namespace

void AddManual(Verb& program) {
  auto folder = std::make_shared<std::string>();
  Verb& command = program.AddVerb("manual", "Write manual pages and completions");
  command.Hide();
  command.Add("FOLDER", *folder, "Where to").Required();
  command.OnRun([folder, &program] { return ReportOutput(WriteAll(program, ToPath(*folder))); });
}

}  // namespace dp2trace::app
