#include "list_command.h"

#include <memory>
#include <string>

#include "console.h"
#include "options.h"
#include "text/list.h"

namespace dp2trace::app {
namespace {

struct ListCommandOptions {
  std::string table;
  text::ListFormat format = text::ListFormat::kText;
};

ExitCode RunList(const ListCommandOptions& options) {
  const auto list = options.table == "opcodes"   ? text::ListOpcodes
                    : options.table == "states"  ? text::ListStates
                    : options.table == "formats" ? text::ListFormats
                                                 : text::ListFlags;
  return ReportOutput(WriteResult(list(options.format)));
}

}  // namespace

void AddListCommand(CLI::App& app, ExitCode& code) {
  auto options = std::make_shared<ListCommandOptions>();
  CLI::App* command = app.add_subcommand("list", "Print a table that the program works by");
  command->add_option("TABLE", options->table, "Which one")
      ->required()
      ->check(OneOf({"opcodes", "states", "formats", "flags"}))
      ->type_name("opcodes|states|formats|flags");
  AddTableFormat(*command, options->format);
  AddExample(*command, "dp2trace list states --format json");
  command->callback([options, &code] { code = RunList(*options); });
}

}  // namespace dp2trace::app
