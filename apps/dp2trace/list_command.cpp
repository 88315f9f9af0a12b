#include <memory>
#include <string>

#include "console.h"
#include "options.h"
#include "tables/list.h"
#include "verbs.h"

namespace dp2trace::app {
namespace {

struct ListOptions {
  std::string table;
  tables::ListFormat format = tables::ListFormat::kText;
};

ExitCode RunList(const ListOptions& options) {
  const auto list = options.table == "opcodes"   ? tables::ListOpcodes
                    : options.table == "states"  ? tables::ListStates
                    : options.table == "formats" ? tables::ListFormats
                    : options.table == "caps"    ? tables::ListCaps
                                                 : tables::ListFlags;
  return ReportOutput(WriteResult(list(options.format)));
}

}  // namespace

void AddList(Verb& program) {
  auto options = std::make_shared<ListOptions>();
  Verb& command = program.AddVerb(
      "list", "Print the table of operations, states, formats, flags or capabilities");
  command.Add("TABLE", options->table, "Table to print")
      .Required()
      .OneOf({"opcodes", "states", "formats", "flags", "caps"});
  AddTableFormat(command, options->format);
  command.SetExample("dp2trace list states --format json");
  command.OnRun([options] { return RunList(*options); });
}

}  // namespace dp2trace::app
