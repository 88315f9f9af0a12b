#include "trim/trim.h"

#include "rules/rule.h"
#include "trace_file/form.h"
#include "trace_model/scratch_device.h"

namespace dp2trace::trim {
namespace {

// One pass; the gap of the part where nothing could be written.
Status WriteOnce(const trace_model::Open& open, Part& part,
                 const trace_model::RenderOptions& options, const std::string& output,
                 const trace_model::Walk& walk) {
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

Result<Part> FindPart(trace_file::Source& source, const Choice& choice,
                      const trace_model::WorkBounds& bounds, const trace_model::Walk& walk) {
  Survey survey(choice);
  play::Player player({.validation = trace_model::SilentOptions(bounds), .raster = {}}, {&survey});
  DP2TRACE_RETURN_IF_ERROR(walk(source, "find the part", [&](const trace::EventRecord& record) {
    if (player.is_done()) return true;
    return player.OnEvent(record.number, record.event).ok() && !player.has_ended();
  }));
  DP2TRACE_RETURN_IF_ERROR(player.CheckWork());
  survey.Finish();
  return survey.part();
}

Status WritePart(const trace_model::Open& open, Part& part,
                 const trace_model::RenderOptions& options, const std::string& output,
                 const trace_model::Walk& walk) {
  const bool had_gap = !part.gap.empty();
  DP2TRACE_RETURN_IF_ERROR(WriteOnce(open, part, options, output, walk));
  return had_gap || part.gap.empty() ? OkStatus() : WriteOnce(open, part, options, output, walk);
}

}  // namespace dp2trace::trim
