#include "golden/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/file.h"
#include "golden/order.h"
#include "golden/own_pictures.h"
#include "golden/trace_list.h"
#include "golden/trace_replay.h"
#include "json/document.h"

namespace dp2trace::golden {
namespace {

// So many results may wait for one that takes long.
constexpr size_t kMostWaiting = 4096;

// Which file is not there, where the message is about a picture of another renderer that is missing; else nothing.
std::string MissingFileClause(const OwnPictures& own, const TraceResult& result) {
  if (!own.is_used() || result.actual_status.value_or(result.status) != GoldenStatus::kMissing)
    return {};
  const auto image = std::ranges::find(result.images, GoldenStatus::kMissing, &ImageResult::status);
  if (image == result.images.end()) return {};
  const std::string file = OwnPictureFile(image->key);
  return own.command.empty() ? fmt::format("; there is no {}/{}/{}", own.folder, result.path, file)
                             : fmt::format("; the command wrote no {{out}}/{}", file);
}

}  // namespace

GoldenRun::GoldenRun(const RunOptions& options, const RecordCache& cache, std::vector<Item> items,
                     OnResult on_result)
    : options_(options),
      cache_(&cache),
      items_(std::move(items)),
      on_result_(std::move(on_result)),
      pool_(kCheckWorker, options.jobs, {options.timeout_s, options.max_worker_memory}) {}

Status GoldenRun::Run() {
  while (next_to_hand_out_ < items_.size()) {
    while (!pool_.is_full() && !to_explain_.empty()) {
      const size_t item = to_explain_.front();
      to_explain_.pop_front();
      Order order = OrderFor(item);
      order.unexplained = unexplained_.at(item);
      pool_.Start(item, OrderText(order));
    }
    while (!pool_.is_full() && next_to_start_ < items_.size() &&
           next_to_start_ - next_to_hand_out_ < kMostWaiting)
      Start(next_to_start_++);
    DP2TRACE_RETURN_IF_ERROR(HandOut());
    if (!pool_.is_empty()) TakeEnd(pool_.Wait());
    DP2TRACE_RETURN_IF_ERROR(failure_);
  }
  return OkStatus();
}

Status GoldenRun::HandOut() {
  while (!finished_.empty() && finished_.begin()->first == next_to_hand_out_) {
    DP2TRACE_RETURN_IF_ERROR(on_result_(finished_.begin()->second));
    finished_.erase(finished_.begin());
    ++next_to_hand_out_;
  }
  return OkStatus();
}

void GoldenRun::Finish(size_t item, TraceResult result) {
  result.index = items_[item].index;
  finished_.emplace(item, std::move(result));
}

void GoldenRun::Start(size_t item) {
  const RunTrace& trace = *items_[item].trace;
  if (auto result = JudgeBefore(trace, options_.today, options_.own.is_used()))
    return Finish(item, std::move(*result));
  const Result<std::string> hash = HashOfTrace(PathOf(item));
  if (!hash.ok()) {
    const bool is_gone = LookAt(PathOf(item)).kind == FileKind::kMissing;
    return Finish(item, JudgeFailure(trace, {}, GoldenStatus::kMissing,
                                     is_gone ? "the file of the trace is missing"
                                             : "the file of the trace cannot be read"));
  }
  hashes_[item] = *hash;
  if (const auto record = cache_->Find(*hash); record && HasPictures(item, *record))
    return TakeRecord(item, *record);
  StartRender(item);
}

bool GoldenRun::HasPictures(size_t item, const RenderRecord& record) const {
  const auto must_keep = [&](const RenderedImage& rendered) {
    return MustKeep(options_.keeping, items_[item].trace->expected, rendered.image);
  };
  return std::ranges::none_of(record.images, must_keep);
}

void GoldenRun::StartRender(size_t item) {
  if (!first_rendered_) first_rendered_ = item;
  // A command has the time, and the replay after it.
  pool_.Start(item, OrderText(OrderFor(item)),
              options_.own.command.empty() ? 0 : options_.timeout_s);
}

Order GoldenRun::OrderFor(size_t item) const {
  const RunTrace& trace = *items_[item].trace;
  Order order;
  order.path = PathOf(item);
  order.name = trace.path;
  order.max_memory = options_.max_memory;
  order.store = options_.keeping.store->folder();
  if (options_.keeping.actual != nullptr) order.actual = options_.keeping.actual->folder();
  order.keeps_all = options_.keeping.keeps_all;
  order.is_sandboxed = options_.is_sandboxed;
  order.drawing = options_.drawing;
  if (trace.expected != nullptr) order.expected = *trace.expected;
  order.own = options_.own;
  if (!order.own.folder.empty()) order.own.folder += "/" + trace.path;
  if (trace.expected != nullptr && trace.expected->tolerance) {
    order.own.tolerance = static_cast<uint32_t>(trace.expected->tolerance->value);
    order.own.max_pixels = trace.expected->tolerance->max_pixels;
    order.own.edge_pixels = static_cast<uint8_t>(trace.expected->tolerance->edge_pixels);
  }
  return order;
}

void GoldenRun::TakeRecord(size_t item, const RenderRecord& record) {
  if (record.is_command_missing && item == first_rendered_)
    failure_ = Failure(Rule::kIo002, fmt::format("{}: {}", record.error, record.output));
  const std::string hash = hashes_.extract(item).mapped();
  durations_[hash] = record.milliseconds;
  times_.push_back({items_[item].trace->path, record.milliseconds});
  TraceResult result = Judge(*items_[item].trace, hash, record);
  result.message += MissingFileClause(options_.own, result);
  const bool is_explicable = options_.own.is_used() ? FirstDifferent(result).has_value()
                                                    : IsExplicable(*options_.keeping.store, result);
  if (!is_explicable) {
    if (const auto first = FirstDifferent(result);
        first && !options_.keeping.store->folder().empty()) {
      result.message += fmt::format("; the store has no picture {} to say what differs",
                                    result.images[*first].expected->hash);
    }
    return Finish(item, std::move(result));
  }
  unexplained_.emplace(item, std::move(result));
  to_explain_.push_back(item);
}

void GoldenRun::TakeExplanation(size_t item, const WorkerEnd& end) {
  TraceResult result = unexplained_.extract(item).mapped();
  json::Document document;
  if (end.kind == WorkerEnd::Kind::kFinished) {
    Result<TraceResult> explained = ParseResultLine(document, end.output, 1);
    if (explained.ok()) result = std::move(*explained);
  } else {
    result.message += fmt::format(" (the cause was not found: {})", end.reason);
  }
  Finish(item, std::move(result));
}

void GoldenRun::RetryOrFail(size_t item, GoldenStatus status, std::string reason) {
  uint64_t& retries = retries_[item];
  if (retries < options_.retries) {
    ++retries;
    ++retry_count_;
    return StartRender(item);
  }
  if (retries != 0) reason += fmt::format(" (in each of {} tries)", retries + 1);
  Finish(item, JudgeFailure(*items_[item].trace, hashes_.extract(item).mapped(), status,
                            std::move(reason)));
}

void GoldenRun::TakeEnd(const WorkerEnd& end) {
  const auto item = static_cast<size_t>(end.id);
  if (unexplained_.contains(item)) return TakeExplanation(item, end);
  const auto fail = [&](GoldenStatus status, std::string reason) {
    RetryOrFail(item, status, std::move(reason));
  };
  switch (end.kind) {
    case WorkerEnd::Kind::kCrash:
      return fail(GoldenStatus::kCrash, end.reason);
    case WorkerEnd::Kind::kTimeOut:
      return fail(GoldenStatus::kTimeOut, end.reason);
    case WorkerEnd::Kind::kOutOfMemory:
      return fail(GoldenStatus::kRenderError, end.reason);
    case WorkerEnd::Kind::kFinished:
      break;
  }
  const Result<RenderRecord> record = ParseRecord(end.output);
  if (!record.ok()) return fail(GoldenStatus::kCrash, "its worker ended without a whole result");
  // What was replayed must be what was hashed: neither a verdict nor a cache may be of another file.
  const Result<std::string> hash = HashOfTrace(PathOf(item));
  if (!hash.ok() || *hash != hashes_.at(item)) {
    return fail(GoldenStatus::kRenderError, "the file was changed while it was replayed");
  }
  // A cache that cannot be written costs time and no result.
  if (record->error.empty()) (void)cache_->Keep(hashes_.at(item), *record);
  TakeRecord(item, *record);
}

}  // namespace dp2trace::golden
