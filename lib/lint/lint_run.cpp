#include "lint/lint_run.h"

#include <algorithm>

#include "base/in_order.h"
#include "play/player.h"
#include "validate/findings.h"

namespace dp2trace::lint {
namespace {

void LintEvents(trace_file::Source& source, DiagnosticList& reading, const LintJob& job,
                LintResult& result) {
  play::Player player({.validation = job.validation, .raster = {}}, result.findings, {});
  for (trace::EventRecord record; !player.has_ended() && source.Next(record);) {
    validate::MoveConfigured(reading, job.validation.rules, result.findings);
    (void)trace_file::Placed(source, result.findings,
                             [&] { return player.OnEvent(record.number, record.event); });
    if (job.progress && !job.progress(result.file, source.position(), source.size())) break;
  }
  validate::MoveConfigured(reading, job.validation.rules, result.findings);
  (void)trace_file::Placed(source, result.findings, [&] {
    player.Finish();
    return OkStatus();
  });
}

}  // namespace

LintResult LintFile(const std::string& path, const LintJob& job) {
  LintResult result;
  result.file = path;
  result.findings = DiagnosticList(job.limits);
  DiagnosticList reading;
  trace_file::OpenError error;
  const std::unique_ptr<trace_file::Source> source =
      trace_file::WithResults(trace_file::Source::Open(path, job.max_memory, reading, error));
  if (source == nullptr) {
    result.error = error;
    return result;
  }
  LintJob sized = job;
  if (source->size() != 0) sized.validation.file_bytes = source->size();
  LintEvents(*source, reading, sized, result);
  result.is_incomplete = source->is_incomplete();
  if (const Status read = source->status(); !read.ok()) result.error = {.status = read};
  return result;
}

void LintFiles(const std::vector<std::string>& paths, const LintJob& job,
               const std::function<bool(LintResult)>& take) {
  LintJob each = job;
  if (std::min<size_t>(job.threads, paths.size()) > 1) each.progress = {};
  InOrder(
      paths.size(), job.threads, [&](size_t i) { return LintFile(paths[i], each); }, take);
}

}  // namespace dp2trace::lint
