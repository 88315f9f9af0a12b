#include "rules_command.h"

#include <memory>

#include "console.h"
#include "options.h"
#include "text/list.h"

namespace dp2trace::app {

void AddRulesCommand(CLI::App& app, ExitCode& code) {
  auto format = std::make_shared<text::ListFormat>(text::ListFormat::kText);
  CLI::App* command = app.add_subcommand("rules", "Print the rules: id, severity, source and what each objects to");
  AddTableFormat(*command, *format);
  AddExample(*command, "dp2trace rules --format markdown");
  command->callback([format, &code] { code = ReportOutput(WriteResult(text::ListRules(*format))); });
}

}  // namespace dp2trace::app
