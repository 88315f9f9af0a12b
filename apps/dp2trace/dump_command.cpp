#include "dump_command.h"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "console.h"
#include "dump_forms.h"
#include "opcode/opcode.h"
#include "options.h"
#include "text/dump.h"
#include "trace/event_kind.h"
#include "work.h"

namespace dp2trace::app {
namespace {

struct DumpCommandOptions {
  std::string trace;
  std::vector<std::string> names;  // of operations and events
  text::DumpOptions dump;
  bool json = false;
  uint64_t max_memory = kDefaultMaxMemory;
};

// The operation or the kind of event. False where nothing has the name.
bool Choose(const std::string& name, text::DumpOptions& dump) {
  if (const opcode::OpInfo* const info = opcode::FindByName(name)) {
    dump.operations.set(static_cast<uint8_t>(info->op));
    return true;
  }
  const auto kind = trace::FindEventKind(name);
  if (kind) dump.kinds.insert(static_cast<uint16_t>(*kind));
  return kind.has_value();
}

std::string CheckName(const std::string& name) {
  text::DumpOptions ignored;
  if (Choose(name, ignored)) return {};
  return "'" + name + "' is neither an operation nor an event; see dp2trace list opcodes";
}

// Feeds a dumper and ends the output.
template <class AnyDumper>
Status DumpEvents(trace_file::Source& source, AnyDumper& dumper) {
  Status status;
  ForEachEvent(source, "dump", [&](const trace::EventRecord& record) {
    status = dumper.Add(record.number, record.event);
    return status.ok() && !dumper.IsPast();
  });
  if (status.ok()) status = dumper.Finish();
  return status.ok() ? FinishResult() : status;
}

ExitCode RunDump(DumpCommandOptions options) {
  for (const std::string& name : options.names)
    Choose(name, options.dump);
  ExitCode code = ResolveLast(options.trace, options.max_memory, "dump",
                              {.events = &options.dump.events,
                               .frames = &options.dump.frames,
                               .draws = &options.dump.draws,
                               .reads = nullptr});
  if (code != ExitCode::kOk) return code;
  DiagnosticList findings;
  const std::unique_ptr<trace_file::Source> source =
      OpenTrace(options.trace, options.max_memory, findings, code);
  if (source == nullptr) return code;
  Status status;
  uint64_t count = 0;
  if (options.json) {
    JsonDumper dumper(options.dump);
    status = DumpEvents(*source, dumper);
    count = dumper.count();
  } else {
    text::Dumper dumper(WriteResult, options.dump);
    status = DumpEvents(*source, dumper);
    count = dumper.count();
  }
  code = Worse(ReportReading(options.trace, *source, findings), ReportOutput(status));
  if (count != 0 || code != ExitCode::kOk) return code;
  PrintError("no event of the trace is selected");
  return ExitCode::kNothingToDo;
}

}  // namespace

void AddDumpCommand(CLI::App& app, ExitCode& code) {
  auto options = std::make_shared<DumpCommandOptions>();
  CLI::App* command =
      app.add_subcommand("dump", "Write a trace as text: one line per event and per command");
  command->add_option("TRACE", options->trace, "Trace to read, .dp2t or .json; - is standard input")
      ->required();
  AddSelection(*command, "--events", options->dump.events,
               "Events by number, from 0: N, A-B, A-, -B, A-B/STEP, last, all, none");
  AddSelection(*command, "--frames", options->dump.frames, "Events of these frames, from 1");
  AddSelection(*command, "--draws", options->dump.draws,
               "The commands that are these draws, from 1, and their events");
  command
      ->add_option("--ops", options->names,
                   "Commands of these operations with the events that hold them (CLEAR), and "
                   "events of these kinds (present)")
      ->delimiter(',')
      ->check(CheckName)
      ->type_name("NAME,...");
  command->add_flag("--shaders", options->dump.shaders,
                    "The assembly of shaders, below the commands that create them (text only)");
  AddFormat(*command, options->json);
  AddMaxMemory(*command, options->max_memory);
  AddExample(*command, "dp2trace dump capture.dp2t --frames 2-3 --ops CLEAR,DRAWPRIMITIVE");
  command->callback([options, &code] { code = RunDump(*options); });
}

}  // namespace dp2trace::app
