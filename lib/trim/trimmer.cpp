#include "trim/trimmer.h"

#include <array>
#include <optional>
#include <variant>

#include "runtime/core/packet_stream.h"
#include "runtime/core/token.h"
#include "trace_model/scratch_device.h"
#include "trim/event_cut.h"
#include "trim/kmt_use.h"
#include "trim/snapshot.h"

namespace dp2trace::trim {
namespace {

constexpr size_t kMaxCalls = 4096;  // whose results may follow

bool OnlyShows(const trace::Event& event) {
  return std::holds_alternative<trace::Present>(event) ||
         std::holds_alternative<trace::SurfaceRead>(event) ||
         std::holds_alternative<trace::Picture>(event);
}

}  // namespace

Trimmer::Trimmer(const Part& part, const trace_model::RenderOptions& options,
                 trace_file::Sink& sink)
    : part_(part), sink_(sink), old_session_(part.session) {
  if (!NeedsSnapshot()) return;
  play::RunnerOptions silent = trace_model::SilentOptions(options.work);
  silent.device.surfaces.keeps_pixels = true;
  player_ = std::make_unique<play::Player>(play::Options{silent, options.renderer, options.raster},
                                           std::initializer_list<play::Listener*>{this});
}

Trimmer::~Trimmer() = default;

void Trimmer::OnHeader(const trace::Header& header) {
  profile_ = validate::PacketProfile(header);
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
  DP2TRACE_RETURN_IF_ERROR(player_->OnEvent(number, event));
  DP2TRACE_RETURN_IF_ERROR(player_->CheckWork());
  creations_.OnEvent(number, event, player_->device());
  kmt_creations_.OnEvent(number, event, player_->kmt());
  return status_;
}

Status Trimmer::TakeSnapshot() {
  player_->FinishDrawing();
  has_snapshot_ = true;
  Snapshot snapshot(player_->device(), player_->kmt(), creations_, kmt_creations_, part_);
  gap_ = snapshot.Prepare();
  is_done_ = !gap_.empty();
  FindIdle(snapshot);
  return is_done_ ? OkStatus() : snapshot.Write(sink_, written_);
}

void Trimmer::FindIdle(const Snapshot& snapshot) {
  for (const auto& [event, key] : part_.surface_ends) {
    if (!snapshot.HasSurface(key)) idle_events_.insert(event);
  }
  for (const auto& [event, key] : part_.context_ends) {
    if (!part_.contexts.contains(key)) idle_events_.insert(event);
  }
  for (const auto& [event, key] : part_.binding_ends) {
    if (!snapshot.kmt().HasBinding(key)) idle_events_.insert(event);
  }
  for (const auto& [event, keys] : part_.kmt_ends) {
    for (const device::KmtKey& key : keys) {
      if (!snapshot.kmt().Has(key)) idle_objects_[event].insert(key);
    }
    if (idle_objects_.contains(event) && idle_objects_[event].size() == keys.size())
      idle_events_.insert(event);
  }
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

PacketRange Trimmer::RangeOf(uint64_t number) {
  const auto cut_at = [&](const Cut& cut) {
    return cut.event == number ? cut.offset : std::nullopt;
  };
  PacketRange range;
  if (NeedsSnapshot()) range.begin = cut_at(part_.begin);
  if (part_.end) range.end = cut_at(*part_.end);
  if (range.end) is_done_ = true;
  return range;
}

Status Trimmer::CopyCall(const trace::EventRecord& record, const trace::Dp2& call) {
  const PacketRange range = RangeOf(record.number);
  return Write(record.number, trace::Event(CutCall(call, range.begin, range.end)));
}

Status Trimmer::CopyPacket(const trace::EventRecord& record, const trace::Render& packet) {
  const PacketRange range = RangeOf(record.number);
  const auto use = part_.cut_packets.find(record.number);
  if (use == part_.cut_packets.end() || (!range.begin && !range.end))
    return Write(record.number, record.event);
  const CutPacket cut(validate::WithRawFields(packet, profile_), profile_.length_origin, range,
                      use->second);
  return Write(record.number, trace::Event(cut.packet()));
}

// Of what it destroys some may be there.
Status Trimmer::CopyDestroy(const trace::EventRecord& record,
                            const trace::AllocationDestroy& destroy) {
  trace::AllocationDestroy rest = destroy;
  const auto idle = idle_objects_.find(record.number);
  if (idle != idle_objects_.end()) {
    std::erase_if(rest.allocations, [&](uint32_t handle) {
      return idle->second.contains({destroy.process, handle});
    });
  }
  ++written_;
  return sink_.Add(trace::Event(rest));
}

Status Trimmer::Copy(const trace::EventRecord& record) {
  if (IsDropped(record)) return OkStatus();
  if (std::holds_alternative<trace::Header>(record.event)) {
    old_session_ = record.number;
    new_session_ = written_;
    profile_ = validate::PacketProfile(std::get<trace::Header>(record.event));
  }
  if (const auto* const result = std::get_if<trace::CallResult>(&record.event))
    return CopyResult(*result);
  if (const auto* const call = std::get_if<trace::Dp2>(&record.event))
    return CopyCall(record, *call);
  if (const auto* const packet = std::get_if<trace::Render>(&record.event))
    return CopyPacket(record, *packet);
  if (const auto* const destroy = std::get_if<trace::AllocationDestroy>(&record.event))
    return CopyDestroy(record, *destroy);
  ++written_;
  return sink_.Add(record);
}

// The tokens as an event of the context.
Status Trimmer::AddTokens(uint32_t space, uint64_t context, Bytes tokens) {
  if (tokens.empty()) return OkStatus();
  if (const std::optional<device::KmtKey> key = KmtContextOf(context)) {
    Status status;
    runtime::PacketStream stream(
        {.space = space, .process = key->first, .context = key->second, .queued_buffer_count = 0},
        [](uint32_t) { return runtime::SurfaceBinding{}; },  // the tokens name no surfaces
        [&](const trace::Render& packet) { status = sink_.Add(trace::Event(packet)); });
    stream.Write(tokens, {});
    return status;
  }
  trace::Dp2 call;
  call.space = space;
  call.context = context;
  call.commands = tokens;
  return sink_.Add(trace::Event(call));
}

// What the rest of the trace would have done: patches do not stay cached, blocks not open, contexts not alive.
Status Trimmer::Finish() {
  for (const auto& [key, rest] : part_.rests) {
    runtime::TokenBuffer tokens;
    if (rest.block) {
      tokens.Append(opcode::Op::kStateSet,
                    std::array{d3d::Value(d3d::StateSetOp::End), *rest.block,
                               d3d::Value(d3d::StateBlockType::Null)},
                    {}, {});
    }
    for (const uint32_t handle : rest.patches) {
      tokens.Append(opcode::Op::kRenderState,
                    std::array{d3d::Value(d3d::RenderState::DeleteRtPatch), handle}, {}, {});
    }
    DP2TRACE_RETURN_IF_ERROR(AddTokens(key.first, key.second, tokens.bytes()));
    if (!part_.ends_contexts || KmtContextOf(key.second)) continue;
    DP2TRACE_RETURN_IF_ERROR(
        sink_.Add(trace::Event(trace::ContextDestroy{.space = key.first, .context = key.second})));
  }
  return OkStatus();
}

}  // namespace dp2trace::trim
