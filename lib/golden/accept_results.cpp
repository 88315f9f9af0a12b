#include "golden/accept_results.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "golden/results.h"
#include "rules/rule.h"

namespace dp2trace::golden {

ResultsAcceptance::ResultsAcceptance(const AcceptOptions& options)
    : options_(options),
      store_(options.store),
      sources_(options.actual.begin(), options.actual.end()),
      chosen_(options.traces.begin(), options.traces.end()) {}

Status ResultsAcceptance::TakeResults() {
  failed_at_ = options_.manifest;
  Result<FileUpdate> update = FileUpdate::Begin(options_.manifest);
  if (!update.ok()) return update.status();
  update_.emplace(std::move(*update));
  Result<ManifestFile> file = ReadManifest(options_.manifest);
  if (!file.ok()) return file.status();
  file_ = std::move(*file);
  failed_at_ = options_.results;
  Result<ResultsReader> reader = ResultsReader::Open(options_.results);
  if (!reader.ok()) return reader.status();
  if (!reader->head().judged.empty()) {
    return Status(MakeDiagnostic(
        Rule::kGoldenResults002,
        fmt::format(
            "{} has the pictures of another renderer ({}): only those of the reference are accepted",
            options_.results, reader->head().judged)));
  }
  TraceResult result;
  while (true) {
    const Result<bool> next = reader->Next(result);
    if (!next.ok()) return next.status();
    if (!*next) return OkStatus();
    Take(result);
    result = {};
  }
}

bool ResultsAcceptance::IsChosen(const std::string& path) {
  bool is_chosen = options_.traces.empty();
  for (const std::string& choice : options_.traces) {
    if (!IsMeant(file_, choice, path)) continue;
    chosen_.erase(choice);
    is_chosen = true;
  }
  return is_chosen;
}

void ResultsAcceptance::Take(const TraceResult& result) {
  if (!IsChosen(result.path)) return;
  const size_t changes = acceptance_.changes.size();
  const size_t refused = acceptance_.refused.size();
  Accept(result, file_.manifest, acceptance_);
  if (options_.store.empty() || acceptance_.refused.size() != refused ||
      result.status == GoldenStatus::kExpectedFail)
    return;
  const bool is_changed = acceptance_.changes.size() != changes;
  for (const ImageResult& image : result.images) {
    if (image.actual) {
      wanted_.push_back(
          {*image.actual, result.path, is_changed && image.status != GoldenStatus::kMatch});
    }
  }
}

Status ResultsAcceptance::Write() {
  failed_at_ = options_.store;
  DP2TRACE_RETURN_IF_ERROR(FillStore());
  failed_at_ = options_.manifest;
  return acceptance_.changes.empty() ? OkStatus() : WriteManifest();
}

Status ResultsAcceptance::FillStore() {
  for (const Wanted& wanted : wanted_) {
    const std::string& hash = wanted.image.hash;
    if (store_.Has(hash) && !wanted.is_required) continue;
    if (store_.Has(hash) && store_.Read(hash, wanted.image.format).ok()) continue;
    DP2TRACE_RETURN_IF_ERROR(Fetch(wanted));
  }
  return OkStatus();
}

Status ResultsAcceptance::Fetch(const Wanted& wanted) {
  for (const PictureStore& source : sources_) {
    if (!source.Has(wanted.image.hash)) continue;
    const Result<image::Picture> picture = source.Read(wanted.image.hash, wanted.image.format);
    if (!picture.ok()) return picture.status();
    if (store_.Has(wanted.image.hash)) {  // damaged
      DP2TRACE_RETURN_IF_ERROR(
          store_.Remove({PictureStore::FileOf(wanted.image.hash), wanted.image.hash}));
    }
    const Result<bool> written = store_.Write(wanted.image.hash, *picture);
    if (!written.ok()) return written.status();
    ++stored_;
    return OkStatus();
  }
  if (!wanted.is_required) return OkStatus();
  return Status(MakeDiagnostic(
      Rule::kGoldenStore001,
      fmt::format(
          "the picture {} ({} of {}) lies in no folder of --actual; check again, or copy it there",
          wanted.image.hash, NameOf(wanted.image.key), wanted.trace)));
}

Status ResultsAcceptance::WriteManifest() {
  return update_->Commit(ManifestText(file_.manifest));
}

}  // namespace dp2trace::golden
