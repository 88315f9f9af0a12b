#include "edit/trimmer.h"

#include <array>
#include <optional>
#include <variant>

#include "edit/event_cut.h"
#include "edit/scratch.h"
#include "edit/snapshot.h"
#include "replay/renderers.h"
#include "runtime/core/token.h"

namespace dp2trace::edit {
namespace {

constexpr size_t kMaxCalls = 4096;  // whose results may follow

bool OnlyShows(const trace::Event& event) {
  return std::holds_alternative<trace::Present>(event) ||
         std::holds_alternative<trace::SurfaceRead>(event) ||
         std::holds_alternative<trace::Picture>(event);
}

}  // namespace

Trimmer::Trimmer(const Part& part, const TrimOptions& options, trace_file::Sink& sink)
    : part_(part), sink_(sink), raster_(options.raster), old_session_(part.session) {
  if (!NeedsSnapshot()) return;
  replay::RunnerOptions silent = SilentOptions();
  silent.device.surfaces.keeps_pixels = true;
  runner_ =
      std::make_unique<replay::Runner>(silent, findings_, static_cast<replay::Observer&>(*this));
  renderer_ = replay::MakeRenderer(options.renderer, options.raster, runner_->execution_findings());
  runner_->SetSink(*renderer_);
}

Trimmer::~Trimmer() = default;

void Trimmer::OnHeader(const trace::Header& header) {
  renderer_->SetClipsTransformedZ(replay::ClipsTransformedZ(header, raster_.clips_transformed_z));
}

void Trimmer::OnCall(device::Context& context) {
  renderer_->SetContext(context);
}

void Trimmer::BeforeApply(const device::Context& /*context*/, const stream::Command& command) {
  const Cut& begin = part_.begin;
  if (!has_snapshot_ && begin.event == event_ && begin.offset == command.offset)
    status_ = TakeSnapshot();
}

Status Trimmer::OnEvent(const trace::EventRecord& record) {
  event_ = record.number;
  if (is_done_) return OkStatus();
  if (part_.end &&
      (event_ > part_.end->event || (event_ == part_.end->event && !part_.end->offset))) {
    is_done_ = true;
    return OkStatus();
  }
  if (NeedsSnapshot() && !has_snapshot_) {
    DP2TRACE_RETURN_IF_ERROR(Execute(record.number, record.event));
    if (is_done_ || !has_snapshot_) return OkStatus();
  }
  return Copy(record);
}

Status Trimmer::Execute(uint64_t number, const trace::Event& event) {
  const Cut& begin = part_.begin;
  if (number >= begin.event && !begin.offset) return TakeSnapshot();
  DP2TRACE_RETURN_IF_ERROR(runner_->OnEvent(number, event));
  findings_ = DiagnosticList();
  creations_.OnEvent(number, event, runner_->device());
  return status_;
}

Status Trimmer::TakeSnapshot() {
  renderer_->Finish();
  has_snapshot_ = true;
  Snapshot snapshot(runner_->device(), creations_, part_);
  gap_ = snapshot.Prepare();
  is_done_ = !gap_.empty();
  for (const auto& [event, key] : part_.surface_ends) {
    if (!snapshot.HasSurface(key)) idle_events_.insert(event);
  }
  for (const auto& [event, key] : part_.context_ends) {
    if (!part_.contexts.contains(key)) idle_events_.insert(event);
  }
  return is_done_ ? OkStatus() : snapshot.Write(sink_, written_);
}

bool Trimmer::IsDropped(const trace::EventRecord& record) const {
  if (record.number < part_.session || idle_events_.contains(record.number)) return true;
  return record.number < part_.begin.event && OnlyShows(record.event);
}

Status Trimmer::Write(uint64_t number, const trace::Event& event) {
  moved_[number] = written_++;
  if (moved_.size() > kMaxCalls) moved_.erase(moved_.begin());
  return sink_.Add(event);
}

// The number of the call counts from the header of its session.
Status Trimmer::CopyResult(const trace::CallResult& result) {
  const auto call = moved_.find(old_session_ + result.call);
  if (call == moved_.end()) return OkStatus();
  trace::CallResult moved = result;
  moved.call = call->second - new_session_;
  ++written_;
  return sink_.Add(trace::Event(moved));
}

Status Trimmer::CopyCall(const trace::EventRecord& record, const trace::Dp2& call) {
  const auto cut_at = [&](const Cut& cut) {
    return cut.event == record.number ? cut.offset : std::nullopt;
  };
  const std::optional<uint64_t> begin = NeedsSnapshot() ? cut_at(part_.begin) : std::nullopt;
  const std::optional<uint64_t> end = part_.end ? cut_at(*part_.end) : std::nullopt;
  if (end) is_done_ = true;
  return Write(record.number, trace::Event(CutCall(call, begin, end)));
}

Status Trimmer::Copy(const trace::EventRecord& record) {
  if (IsDropped(record)) return OkStatus();
  if (std::holds_alternative<trace::Header>(record.event)) {
    old_session_ = record.number;
    new_session_ = written_;
  }
  if (const auto* const result = std::get_if<trace::CallResult>(&record.event))
    return CopyResult(*result);
  if (const auto* const call = std::get_if<trace::Dp2>(&record.event))
    return CopyCall(record, *call);
  if (std::holds_alternative<trace::Render>(record.event))
    return Write(record.number, record.event);
  ++written_;
  return sink_.Add(record);
}

// What the rest of the trace would have done: patches do not stay cached, blocks not open, contexts not alive.
Status Trimmer::Finish() {
  for (const auto& [key, rest] : part_.rests) {
    if ((key.second & device::kPacketContext) != 0) continue;
    runtime::TokenBuffer tokens;
    if (rest.block)
      tokens.Append(opcode::Op::kStateSet,
                    std::array{d3d::Value(d3d::StateSetOp::End), *rest.block,
                               d3d::Value(d3d::StateBlockType::Null)},
                    {}, {});
    for (const uint32_t handle : rest.patches)
      tokens.Append(opcode::Op::kRenderState,
                    std::array{d3d::Value(d3d::RenderState::DeleteRtPatch), handle}, {}, {});
    trace::Dp2 call;
    call.space = key.first;
    call.context = key.second;
    call.commands = tokens.bytes();
    if (!tokens.empty()) DP2TRACE_RETURN_IF_ERROR(sink_.Add(trace::Event(call)));
    if (!part_.ends_contexts) continue;
    DP2TRACE_RETURN_IF_ERROR(
        sink_.Add(trace::Event(trace::ContextDestroy{.space = key.first, .context = key.second})));
  }
  return OkStatus();
}

}  // namespace dp2trace::edit
