#include "edit/trim.h"

#include "edit/scratch.h"
#include "rules/rule.h"
#include "trace_file/form.h"

namespace dp2trace::edit {
namespace {

// One pass; the gap of the part where nothing could be written.
Status WriteOnce(const Open& open, Part& part, const RenderOptions& options,
                 const std::string& output, const Walk& walk) {
  std::unique_ptr<trace_file::Source> source = open();
  if (source == nullptr) return Failure(Rule::kTrace001, "the trace cannot be read again");
  const bool needs_snapshot = !part.is_from_start && part.gap.empty();
  // What is executed needs the results of the calls; what is copied stays as it is.
  if (needs_snapshot) source = trace_file::WithResults(std::move(source));
  const auto form = trace_file::FormOfPath(output).value_or(trace_file::Form::kBinary);
  const Result<std::unique_ptr<trace_file::Sink>> sink = trace_file::Sink::Create(output, form);
  if (!sink.ok()) return sink.status();
  Trimmer trimmer(part, options, **sink);
  Status status;
  DP2TRACE_RETURN_IF_ERROR(walk(*source, "trim", [&](const trace::EventRecord& record) {
    status = trimmer.OnEvent(record);
    return status.ok() && !trimmer.is_done();
  }));
  if (!trimmer.gap().empty()) {
    part.gap = trimmer.gap();
    return OkStatus();
  }
  if (status.ok()) status = trimmer.Finish();
  return status.ok() ? (*sink)->Finish() : status;
}

}  // namespace

Status WalkQuietly(trace_file::Source& source, const std::string& /*label*/, const Visit& visit) {
  trace::EventRecord record;
  while (source.Next(record) && visit(record)) {
  }
  return source.status();
}

Result<Part> FindPart(trace_file::Source& source, const Choice& choice, const WorkBounds& bounds,
                      const Walk& walk) {
  Survey survey(choice);
  play::Player player({.validation = SilentOptions(bounds), .raster = {}}, {&survey});
  DP2TRACE_RETURN_IF_ERROR(walk(source, "find the part", [&](const trace::EventRecord& record) {
    if (player.is_done()) return true;
    return player.OnEvent(record.number, record.event).ok() && !player.has_ended();
  }));
  DP2TRACE_RETURN_IF_ERROR(CheckWork(player));
  survey.Finish();
  return survey.part();
}

Status WritePart(const Open& open, Part& part, const RenderOptions& options,
                 const std::string& output, const Walk& walk) {
  const bool had_gap = !part.gap.empty();
  DP2TRACE_RETURN_IF_ERROR(WriteOnce(open, part, options, output, walk));
  return had_gap || part.gap.empty() ? OkStatus() : WriteOnce(open, part, options, output, walk);
}

}  // namespace dp2trace::edit
