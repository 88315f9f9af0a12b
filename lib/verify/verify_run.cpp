#include "verify/verify_run.h"

#include <fmt/format.h>

#include <map>
#include <memory>
#include <utility>

#include "os/path.h"
#include "validate/findings.h"

namespace dp2trace::verify {
namespace {

// Plays the trace again up to the picture, and notes the draw that wrote its first different pixel. False where it could not be read again.
bool FindCause(const std::string& path, const VerifyJob& job, PictureResult& picture) {
  if (path == "-") return false;
  CauseFinder finder(job.options, picture);
  DiagnosticList reading;  // the first pass has reported it
  trace_file::OpenError error;
  const auto source =
      trace_file::WithResults(trace_file::Source::Open(path, job.max_memory, reading, error));
  if (source == nullptr) return false;
  play::Player& player = finder.player();
  for (trace::EventRecord record; !player.is_done() && source->Next(record);) {
    if (!player.OnEvent(record.number, record.event).ok()) return false;
    if (job.progress) job.progress(path, source->position(), source->size());
  }
  picture.cause = finder.draw();
  picture.edge_draw = finder.edge_draw();
  return player.is_done() && source->status().ok();
}

Status Verify(trace_file::Source& source, DiagnosticList& reading, const VerifyJob& job,
              const std::string& path, Verifier& verifier, DiagnosticList& findings) {
  Status status;
  bool has_end = true;
  const auto collect = [&](const auto& work) {
    has_end = has_end && HasEnd(reading);
    validate::MoveConfigured(reading, job.options.replay.validation.rules, findings);
    if (status.ok()) status = trace_file::Placed(source, findings, work);
  };
  for (trace::EventRecord record; status.ok() && source.Next(record);) {
    collect([&] { return verifier.OnEvent(record.number, record.event); });
    if (job.progress) job.progress(path, source.position(), source.size());
  }
  DP2TRACE_RETURN_IF_ERROR(source.status());
  collect([&] { return verifier.Finish(has_end); });
  return status;
}

}  // namespace

VerifyResult VerifyFile(const std::string& path, VerifyJob job) {
  VerifyResult result;
  Report& report = result.report;
  report.trace = path;
  report.tolerance = job.options.checks.tolerance;
  DiagnosticList reading;
  trace_file::OpenError error;
  const auto source =
      trace_file::WithResults(trace_file::Source::Open(path, job.max_memory, reading, error));
  if (source == nullptr) {
    result.error = error;
    return result;
  }
  if (source->size() != 0) job.options.replay.validation.file_bytes = source->size();
  PairFolder differing(job.pictures);
  if (!job.pictures.empty()) {
    job.options.checks.on_difference = [&](uint64_t sequence, const PicturePair& pair) {
      if (result.pictures.ok()) result.pictures = differing.Write(sequence, pair);
    };
  }
  Verifier verifier(job.options, result.findings);
  const Status status = Verify(*source, reading, job, path, verifier, result.findings);
  if (!status.ok()) {
    result.error = {.status = status};
    return result;
  }
  PictureResult* const first = verifier.first_different();
  report.has_cause = first != nullptr && FindCause(path, job, *first);
  report.is_complete = !source->is_incomplete();
  report.statistics = verifier.statistics();
  report.leaks = verifier.leaks();
  report.pictures = std::move(verifier.pictures());
  return result;
}

Result<std::vector<std::string>> PictureFolders(const std::vector<std::string>& paths,
                                                const std::string& folder) {
  std::vector<std::string> folders;
  std::map<std::string, std::string> traces;  // by place
  for (const std::string& path : paths) {
    const bool is_single = folder.empty() || paths.size() == 1;
    folders.push_back(is_single ? folder : ToText(ToPath(folder) / ToPath(path).stem()));
    if (is_single) continue;
    const auto [place, is_new] = traces.emplace(FoldCase(folders.back()), path);
    if (!is_new) {
      return Failure(Rule::kIo001, fmt::format("the pictures of {} and {} would both lie in {}",
                                               place->second, path, folders.back()));
    }
  }
  return folders;
}

}  // namespace dp2trace::verify
