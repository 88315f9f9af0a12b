#include "dump_options.h"

#include "base/near_miss.h"
#include "opcode/opcode.h"
#include "sandbox_option.h"
#include "trace/event_kind.h"

namespace dp2trace::app {
namespace {

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

std::vector<std::string> NamesOfOperations() {
  std::vector<std::string> names;
  for (const opcode::OpInfo& op : opcode::AllOps())
    names.emplace_back(op.name);
  return names;
}

std::string CheckName(const std::string& name) {
  text::DumpOptions ignored;
  if (Choose(name, ignored)) return {};
  const std::vector<std::string> known = NamesOfOperations();
  const std::string clause =
      NearMissClause(name, std::vector<std::string_view>(known.begin(), known.end()));
  return "'" + name + "' is neither an operation nor an event" +
         (clause.empty() ? "; see dp2trace list opcodes" : clause);
}

}  // namespace

void AddDumpOptions(Verb& command, DumpOptions& options) {
  command.Add("TRACE", options.trace, "Trace to read, .dp2t or .json; - is standard input")
      .Required();
  AddSelection(command, "--events", options.dump.events,
               "Events by number, from 0: N, A-B, A-, -B, A-B/STEP, last, all, none");
  AddSelection(command, "--frames", options.dump.frames, "Events of these frames, from 1");
  AddSelection(command, "--draws", options.dump.draws,
               "The commands that are these draws, from 1, and their events");
  command
      .Add("--ops", options.names,
           "Commands of these operations with the events that hold them (CLEAR), and "
           "events of these kinds (present)")
      .Delimiter(',')
      .Check(CheckName)
      .Value("NAME,...")
      .Suggest(NamesOfOperations);
  command.AddSwitch("--shaders", options.dump.shaders,
                    "The assembly of shaders, below the commands that create them (text only)");
  command.AddSwitch("--vertices", options.vertices,
                    "Vertices, primitives and screen coordinates below the draws");
  AddFormat(command, options.json);
  AddSandboxOption(command, options.is_sandboxed);
  AddMaxMemory(command, options.max_memory);
}

void ChooseNames(DumpOptions& options) {
  for (const std::string& name : options.names)
    Choose(name, options.dump);
}

}  // namespace dp2trace::app
