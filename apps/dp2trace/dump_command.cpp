#include "dump_command.h"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "console.h"
#include "json/writer.h"
#include "opcode/opcode.h"
#include "options.h"
#include "text/dump.h"
#include "work.h"

namespace dp2trace::app {
namespace {

struct DumpCommandOptions {
  std::string trace;
  std::vector<std::string> operations;
  text::DumpOptions dump;
  bool json = false;
  uint64_t max_memory = kDefaultMaxMemory;
};

// The chosen events as a JSON array, one per line: {"number":N,"frame":N,"event":{...}}.
class JsonDumper {
 public:
  explicit JsonDumper(const text::DumpOptions& options) : filter_(options) {}

  Status Add(uint64_t number, const trace::Event& event) {
    const uint64_t frame = filter_.frame();
    if (!filter_.Accepts(number, event)) return OkStatus();
    const char* separator = count_++ == 0 ? "[\n" : ",\n";
    return WriteResult(fmt::format("{}{{\"number\":{},\"frame\":{},\"event\":{}}}", separator,
                                   number, frame, json::ToText(event)));
  }
  bool IsPast() const { return filter_.IsPast(); }
  uint64_t count() const { return count_; }
  Status Finish() { return WriteResult(count_ == 0 ? "[]\n" : "\n]\n"); }

 private:
  text::EventFilter filter_;
  uint64_t count_ = 0;
};

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
  for (const std::string& name : options.operations)
    options.dump.operations.set(static_cast<uint8_t>(opcode::FindByName(name)->op));
  ExitCode code = ResolveLast(options.trace, options.max_memory, "dump",
                              {.events = &options.dump.events,
                               .frames = &options.dump.frames,
                               .draws = nullptr,
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
  command
      ->add_option("--ops", options->operations,
                   "Commands of these operations, and the events that hold them")
      ->delimiter(',')
      ->check([](const std::string& name) {
        return opcode::FindByName(name) != nullptr
                   ? std::string()
                   : "'" + name + "' is not an operation; see dp2trace list opcodes";
      })
      ->type_name("NAME,...");
  command->add_flag("--shaders", options->dump.shaders,
                    "The assembly of shaders, below the commands that create them (text only)");
  AddFormat(*command, options->json);
  AddMaxMemory(*command, options->max_memory);
  AddExample(*command, "dp2trace dump capture.dp2t --frames 2-3 --ops CLEAR,DRAWPRIMITIVE");
  command->callback([options, &code] { code = RunDump(*options); });
}

}  // namespace dp2trace::app
