#include "manual_command.h"

#include <filesystem>
#include <memory>
#include <string>

#include "base/file.h"
#include "console.h"
#include "manual.h"

namespace dp2trace::app {
namespace {

Status WriteFile(const std::filesystem::path& path, const std::string& text) {
  std::error_code error;
  std::filesystem::create_directories(path.parent_path(), error);
  Result<OutputFile> file = OutputFile::Create(path.string());
  if (!file.ok()) return file.status();
  DP2TRACE_RETURN_IF_ERROR(file->Write(text));
  return file->Commit();
}

Status WriteAll(const CLI::App& app, const std::filesystem::path& folder) {
  const std::vector<VerbText> verbs = CommandTree(app);
  for (size_t index = 0; index < verbs.size(); ++index) {
    DP2TRACE_RETURN_IF_ERROR(
        WriteFile(folder / "man/man1" / (verbs[index].name("-") + ".1"), ManualPage(verbs, index)));
  }
  DP2TRACE_RETURN_IF_ERROR(
      WriteFile(folder / "bash-completion/completions/dp2trace", BashCompletion(verbs)));
  DP2TRACE_RETURN_IF_ERROR(
      WriteFile(folder / "zsh/site-functions/_dp2trace", ZshCompletion(verbs)));
  return WriteFile(folder / "fish/vendor_completions.d/dp2trace.fish", FishCompletion(verbs));
}

}  // namespace

void AddManualCommand(CLI::App& app, ExitCode& code) {
  auto folder = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("manual", "Write manual pages and completions");
  command->group("");
  command->add_option("FOLDER", *folder, "Where to")->required();
  command->callback([folder, &app, &code] { code = ReportOutput(WriteAll(app, *folder)); });
}

}  // namespace dp2trace::app
