#include <memory>
#include <string>

#include "console.h"
#include "manual.h"
#include "verbs.h"

namespace dp2trace::app {
namespace {

ExitCode RunCompletion(const std::string& shell, const Verb& program) {
  const auto write = shell == "bash"   ? BashCompletion
                     : shell == "zsh"  ? ZshCompletion
                     : shell == "fish" ? FishCompletion
                                       : PowerShellCompletion;
  return ReportOutput(WriteResult(write(ShownVerbs(program))));
}

}  // namespace

void AddCompletion(Verb& program) {
  auto shell = std::make_shared<std::string>();
  Verb& command = program.AddVerb("completion", "Print the completions of a shell");
  command.Add("SHELL", *shell, "The shell that reads them")
      .Required()
      .OneOf({"bash", "zsh", "fish", "powershell"});
  command.SetExample("source <(dp2trace completion bash)");
  command.OnRun([shell, &program] { return RunCompletion(*shell, program); });
}

}  // namespace dp2trace::app
