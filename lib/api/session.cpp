#include "api/session.h"

#include <string>
#include <utility>

#include "trace/call_results.h"
#include "trace/codec.h"

namespace dp2trace::api {
namespace {

// Surfaces are read as they are: no pictures are made.
replay::Options ReplayOptions(const SessionOptions& session,
                              std::optional<verify::RecordingChecks>& checks) {
  replay::Options options = session.replay;
  if (session.checks) {
    checks.emplace(*session.checks, options.validation.rules);
    options.listeners = {&*checks};
  }
  std::string error;
  options.frames = *Selection::Parse("none", error);
  options.validation.checks_recording = session.checks.has_value();
  return options;
}

}  // namespace

Session::Session(const SessionOptions& options)
    : reader_(findings_, options.reader),
      replayer_(ReplayOptions(options, checks_), findings_, images_),
      keeps_pixels_(options.replay.validation.device.surfaces.keeps_pixels) {}

Status Session::Feed(Bytes bytes) {
  reader_.Feed(bytes);
  return Drain();
}

Status Session::Drain() {
  for (trace::EventRecord record; reader_.Next(record);)
    DP2TRACE_RETURN_IF_ERROR(Take(record));
  return reader_.status();
}

Status Session::Take(const trace::EventRecord& record) {
  if (held_) trace::JoinResult(record, session_, *held_);
  DP2TRACE_RETURN_IF_ERROR(Settle());
  if (std::holds_alternative<trace::Header>(record.event)) session_ = record.number;
  if (trace::ResultStateOf(record.event) != trace::ResultState::kAwaited ||
      record.payload.size() > trace::kMaxJoinedPayload)
    return Execute(record);
  held_payload_.assign(record.payload.begin(), record.payload.end());
  held_ = trace::EventRecord{record.number, record.kind, record.flags, held_payload_, {}};
  trace::DecodePayload(record.kind, record.flags, held_payload_, held_->event);
  return OkStatus();
}

Status Session::Settle() {
  if (!held_) return OkStatus();
  return Execute(*std::exchange(held_, std::nullopt));
}

Status Session::Execute(const trace::EventRecord& record) {
  return replayer_.OnEvent(record.number, record.event);
}

Status Session::Finish() {
  if (is_finished_) return OkStatus();
  is_finished_ = true;
  reader_.Close();
  DP2TRACE_RETURN_IF_ERROR(Drain());
  DP2TRACE_RETURN_IF_ERROR(Settle());
  DP2TRACE_RETURN_IF_ERROR(replayer_.Finish());
  if (checks_) checks_->Finish();
  return OkStatus();
}

std::optional<Diagnostic> Session::TakeFinding() {
  if (waiting_.empty()) {
    for (Diagnostic& finding : findings_.Take())
      waiting_.push_back(std::move(finding));
  }
  if (waiting_.empty()) return std::nullopt;
  Diagnostic finding = std::move(waiting_.front());
  waiting_.pop_front();
  return finding;
}

}  // namespace dp2trace::api
