#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>

#include "base/plain_text.h"
#include "console.h"
#include "dump/drawn_vertices.h"
#include "dump/json_dumper.h"
#include "dump_options.h"
#include "options.h"
#include "sandbox_option.h"
#include "text/dump.h"
#include "trace_reading.h"
#include "verbs.h"

namespace dp2trace::app {
namespace {

// Feeds a dumper and ends the output.
template <class AnyDumper>
Status DumpEvents(trace_file::Source& source, bool reads_on, AnyDumper& dumper,
                  dump::DrawnVertices* vertices) {
  Status status;
  const Status read = ForEachEvent(source, "dump", [&](const trace::EventRecord& record) {
    if (vertices != nullptr)
      status = vertices->OnEvent(record, dumper.filter().MayAccept(record.number));
    if (status.ok()) status = dumper.Add(record.number, record.event);
    return status.ok() && (reads_on || !dumper.filter().IsPast());
  });
  if (status.ok() && read.ok()) status = dumper.Finish();
  return status.ok() ? FinishResult() : status;
}

// Of a trace of which no event was chosen. After the last that could be, it was not read on.
std::string WhyNone(const text::EventFilter& filter) {
  if (filter.IsPast()) return "the options select no event";
  return fmt::format("no event is selected; the trace has {}, {} and {}",
                     Counted(filter.next_event(), "event"), Counted(filter.frame_count(), "frame"),
                     Counted(filter.draws().count(), "draw"));
}

// Events after the last frame are in none: who asks for the next frame is told that it is not there.
bool HasFrame(const Selection& frames, uint64_t count) {
  if (frames.is_all()) return true;
  for (uint64_t frame = 1; frame <= count; ++frame) {
    if (frames.Contains(frame)) return true;
  }
  return false;
}

ExitCode RunDump(DumpOptions options) {
  ChooseNames(options);
  Confine(options.is_sandboxed, {.traces = {options.trace}});
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
  std::optional<dump::DrawnVertices> drawn;
  if (options.vertices) drawn.emplace(options.dump.draws);
  dump::DrawnVertices* const vertices = drawn ? &*drawn : nullptr;
  if (vertices != nullptr && !options.json) {
    options.dump.below_draw = [vertices](std::string& out, const trace::DrawToken& draw) {
      vertices->AppendTo(out, draw);
    };
  }
  Status status;
  uint64_t count = 0, events = 0;
  std::string why_none;
  uint64_t frames = 0;
  const bool reads_on = options.dump.events.held_last() || options.dump.frames.held_last() ||
                        options.dump.draws.held_last();
  const auto run = [&](auto&& dumper) {
    status = DumpEvents(*source, reads_on, dumper, vertices);
    count = dumper.count();
    events = dumper.filter().next_event();
    frames = dumper.filter().frame_count();
    why_none = WhyNone(dumper.filter());
  };
  if (options.json) {
    run(dump::JsonDumper(WriteResult, options.trace, options.dump, vertices));
  } else {
    run(text::Dumper(WriteResult, options.dump));
  }
  code = Worse(ReportReading(options.trace, *source, findings), ReportOutput(status));
  const bool has_frame = HasFrame(options.dump.frames, frames);
  if ((count != 0 && has_frame) || code != ExitCode::kOk) return code;
  PrintError(has_frame || events == 0 ? why_none
                                      : "--frames chose nothing; " + RangeOf("frame", frames));
  return events == 0 ? ExitCode::kNothingToDo : ExitCode::kUsage;
}

}  // namespace

void AddDump(Verb& program) {
  auto options = std::make_shared<DumpOptions>();
  Verb& command =
      program.AddVerb("dump", "Write a trace as text: one line per event and per command");
  AddDumpOptions(command, *options);
  command.SetExample("dp2trace dump capture.dp2t --frames 2-3 --ops CLEAR,DRAWPRIMITIVE");
  command.OnRun([options] { return RunDump(*options); });
}

}  // namespace dp2trace::app
