#include "play/runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <type_traits>
#include <utility>
#include <variant>

#include "base/plain_text.h"
#include "d3d/interface.h"
#include "kmt/lists.h"
#include "rules/rule.h"
#include "trace/call_results.h"
#include "validate/command_rules.h"
#include "validate/dp2/legacy_draw.h"
#include "validate/dp2/level.h"
#include "validate/dp2/render_state_checks.h"
#include "validate/dp2/stream.h"
#include "validate/event_rules.h"
#include "validate/kmt/lists.h"
#include "validate/kmt/out.h"
#include "validate/kmt/packet_view.h"
#include "validate/kmt/packet_writes.h"
#include "validate/kmt/payload.h"
#include "validate/kmt/render.h"
#include "validate/kmt/state.h"

namespace dp2trace::play {

using validate::AddDefects;
using validate::Caps;
using validate::CheckAllocationList;
using validate::CheckCommand;
using validate::CheckEnd;
using validate::CheckEvent;
using validate::CheckForeignPayload;
using validate::CheckOverDeclaration;
using validate::CheckPacket;
using validate::CheckPacketState;
using validate::CheckPatchList;
using validate::CheckPointerWidth;
using validate::CheckRenderFlags;
using validate::CheckRenderParameters;
using validate::CheckResponse;
using validate::CheckResults;
using validate::CheckStoredBytes;
using validate::CommandView;
using validate::ContextMemory;
using validate::DrawnRules;
using validate::EventFindings;
using validate::EventView;
using validate::FollowUps;
using validate::MissingObjectMaker;
using validate::PacketFacts;
using validate::PacketProfile;
using validate::PacketView;
using validate::PacketWrites;
using validate::PayloadRules;
using validate::StreamWalk;
using validate::TraceMemory;
using validate::Transport;
using validate::UsesCallFormat;
using validate::WithRawFields;

namespace {

constexpr size_t kMaxAwaited = 1024;  // older calls count as answered
// Names the values of tokens where there is no context.
constexpr uint32_t kLatestRuntime = d3d::kMaxRuntimeVersion;
constexpr uint32_t kLatestGeneration = 9;

// Of the interface that both the driver and its runtime know.
uint32_t GenerationOf(const device::Context& context) {
  return std::min(context.level, validate::GenerationOf(context.runtime_version));
}

device::Options DeviceOptionsOf(const RunnerOptions& options) {
  device::Options made = options.device;
  made.max_steps = options.work != nullptr ? options.work->left() : StepsOf(options);
  // Surfaces without pixels take nothing.
  const std::optional<uint64_t> surface_measure =
      options.device.surfaces.keeps_pixels ? options.file_bytes : std::nullopt;
  made.max_surface_bytes =
      options.max_surface_bytes.value_or(device::SurfaceBytesFor(surface_measure));
  return made;
}

uint64_t CountOf(const DiagnosticList& findings) {
  return findings.count(Severity::kAdvice) + findings.count(Severity::kWarning) +
         findings.count(Severity::kError);
}

// The bytes from CommandOffset on; the extent ends with the buffer (KMT-DEC-004).
Bytes CommandsOf(const PacketView& view) {
  return view.render.command_buffer.subspan(static_cast<size_t>(view.extent.begin));
}

}  // namespace

uint64_t StepsOf(const RunnerOptions& options) {
  return options.max_steps.value_or(device::StepsFor(options.file_bytes));
}

RunnerMemory::RunnerMemory(const device::Options& device_options, const RunnerOptions& options)
    : device(device_options),
      caps(options.caps.value_or(Caps{})),
      profile(trace::Header{}),
      recording(options.checks_recording) {}

Runner::Runner(const RunnerOptions& options, DiagnosticList& findings, Observer& observer,
               const RunnerMemory* start)
    : options_(options),
      out_(&findings),
      observer_(&observer),
      known_(start != nullptr ? RunnerMemory(*start)
                              : RunnerMemory(DeviceOptionsOf(options), options)) {
  if (start == nullptr) return;
  known_.device.TakeOwnBytes();
  known_.device.SetObserver(options.device.observer);
}

Runner::~Runner() {
  if (options_.work != nullptr) options_.work->SpendAs(known_.device.work());
}

EventView Runner::View(EventFindings& findings) {
  return {known_.device, known_.kmt, known_.caps, known_.memory, findings};
}

void Runner::CountDrawing() {
  if (sink_ == nullptr) return;
  const uint64_t steps = sink_->steps();
  known_.device.work().Spend(steps - std::exchange(drawn_steps_, steps));
}

void Runner::CheckWork(EventFindings& findings) {
  if (has_ended_ || !known_.device.work().is_spent()) return;
  has_ended_ = true;
  const uint64_t steps = (options_.work != nullptr ? *options_.work : known_.device.work()).total();
  findings.Add(Rule::kReplayWork001, "",
               "more work than --max-steps allows; what follows is neither checked nor drawn",
               fmt::format("more than {}", Counted(steps, "step")),
               fmt::format("at most {}", steps));
}

void Runner::Prepare(uint64_t number, const trace::Event& event, EventFindings& findings) {
  if (number > known_.last_event + 1)
    known_.device.OnLoss();  // events are lost: their finding is the reader's
  known_.last_event = number;
  if (known_.device.header().start == trace::RecordingStart::kBare)
    known_.missing_objects.Prepare(event, known_.device, known_.kmt, findings);
  AwaitResult(event, number);
  std::visit([&](const auto& e) { CheckEvent(View(findings), e); }, event);
}

Status Runner::OnEvent(uint64_t number, const trace::Event& event) {
  if (has_ended_) return OkStatus();
  if (std::holds_alternative<trace::Header>(event) && std::exchange(known_.has_header, true))
    DP2TRACE_RETURN_IF_ERROR(EndSession());
  EventFindings findings(*out_, options_.rules, number, observer_);
  const uint64_t found = CountOf(*out_);
  Prepare(number, event, findings);
  known_.device.work().Spend(device::kEventSteps);
  const Status status = Apply(event, findings);
  // A listener may have emptied the list meanwhile.
  const uint64_t now = CountOf(*out_);
  known_.device.work().Spend((now < found ? now : now - found) * device::kFindingSteps);
  CheckWork(findings);
  known_.recording.OnEvent(event, known_.device, findings);
  Drain(findings);
  return status;
}

void Runner::Finish() {
  if (has_ended_) return;  // what the rest of the trace would have done is not known
  EventFindings findings(*out_, options_.rules, known_.last_event, observer_);
  CheckEnd(View(findings));
}

// A second header: everything is gone but the numbering of the events, and what --caps says.
Status Runner::EndSession() {
  Finish();
  DP2TRACE_RETURN_IF_ERROR(observer_->OnSessionEnd());
  known_.device.Reset();
  known_.kmt = device::KmtObjects();
  known_.caps = options_.caps.value_or(Caps{});
  known_.memory = TraceMemory{};
  known_.missing_objects = MissingObjectMaker();
  known_.recording = validate::RecordingRules(options_.checks_recording);
  known_.awaited.clear();
  known_.is_padding_reported = false;
  return OkStatus();
}

void Runner::AwaitResult(const trace::Event& event, uint64_t number) {
  const trace::ResultState state = trace::ResultStateOf(event);
  if (state == trace::ResultState::kRecorded) known_.last_answered = number;
  if (state != trace::ResultState::kAwaited) return;
  if (known_.awaited.size() == kMaxAwaited) known_.awaited.pop_front();
  known_.awaited.push_back(number);
}

// A result that follows its call at once has been joined to it (trace::ResultJoiner) and was checked there.
void Runner::OnCallResult(const trace::CallResult& result, EventFindings& findings) {
  const uint64_t call = known_.session + result.call;
  if (known_.last_answered == call) return;
  const auto found = std::ranges::find(known_.awaited, call);
  if (found != known_.awaited.end()) {
    known_.awaited.erase(found);
    return;
  }
  findings.Add(Rule::kTrace017, "call",
               call >= findings.event()
                   ? fmt::format("event {} is not before its result", result.call)
                   : fmt::format("event {} is not a call that waits for its result", result.call),
               fmt::format("{}", result.call));
}

void Runner::OnHeader(const trace::Header& header, EventFindings& findings) {
  known_.session = findings.event();
  trace::Header effective = header;
  if (options_.os_profile) effective.os_profile = *options_.os_profile;
  if (!options_.caps) known_.caps.Add(effective);
  known_.caps.Describe(effective);
  known_.device.OnHeader(effective, options_.level);
  known_.profile = PacketProfile(effective);
  known_.kmt.OnHeader(effective);
  CheckPointerWidth(known_.profile, findings);
  if (!options_.caps) CheckLevelOfCaps(header, known_.device.level(), known_.caps, findings);
  observer_->OnHeader(effective);
}

template <class T>
void Runner::ApplyKmt(const T& event, EventFindings& findings) {
  if constexpr (std::is_same_v<T, trace::KmtContextCreate>) {
    if (const auto create = known_.kmt.OnContextCreate(event))
      AddDefects(known_.device.OnContextCreate(*create, findings.event()), findings);
  } else if constexpr (std::is_same_v<T, trace::KmtContextDestroy>) {
    if (const auto destroy = known_.kmt.OnContextDestroy(event)) DestroyContext(*destroy, findings);
  } else if constexpr (std::is_same_v<T, trace::DeviceDestroy>) {
    for (const trace::ContextDestroy& destroy : known_.kmt.OnDeviceDestroy(event))
      DestroyContext(destroy, findings);
  } else if constexpr (requires { known_.kmt.On(event); }) {
    known_.kmt.On(event);
  }
}

template <class T>
void Runner::SettleWrite(const T& event, const device::Defects& defects, EventFindings& findings) {
  AddDefects(defects, findings);
  bool has_failed = false;
  if constexpr (std::is_same_v<T, trace::Blt>) has_failed = device::HasFailed(event.ddrval);
  // Once the work is spent, nothing is written.
  if (defects.empty() && !has_failed && !known_.device.work().is_spent())
    observer_->OnSurfaceWritten(event);
}

Status Runner::Apply(const trace::Event& event, EventFindings& findings) {
  return std::visit(
      [&](const auto& e) -> Status {
        using T = std::decay_t<decltype(e)>;
        if constexpr (std::is_same_v<T, trace::Header>) {
          OnHeader(e, findings);
        } else if constexpr (std::is_same_v<T, trace::ContextCreate>) {
          AddDefects(known_.device.OnContextCreate(e, findings.event()), findings);
          // One that was refused is not remembered: any number of them may be asked for.
          if (known_.device.FindContext(e.space, e.context) == nullptr)
            known_.memory.contexts.erase({e.space, e.context});
        } else if constexpr (std::is_same_v<T, trace::ContextDestroy>) {
          DestroyContext(e, findings);
        } else if constexpr (std::is_same_v<T, trace::SurfaceCreate>) {
          AddDefects(known_.device.OnSurfaceCreate(e), findings);
        } else if constexpr (std::is_same_v<T, trace::SurfaceDestroy>) {
          DP2TRACE_RETURN_IF_ERROR(observer_->BeforeDestroy(e));
          AddDefects(known_.device.OnSurfaceDestroy(e), findings);
        } else if constexpr (std::is_same_v<T, trace::SurfaceUpdate>) {
          SettleWrite(e, known_.device.OnSurfaceUpdate(e), findings);
          known_.kmt.On(e);
        } else if constexpr (std::is_same_v<T, trace::SurfaceRead>) {
          AddDefects(known_.device.OnSurfaceUse(e.space, e.handle, "handle"), findings);
          return observer_->OnRead(e);
        } else if constexpr (std::is_same_v<T, trace::Dp2>) {
          return OnDp2(e, findings);
        } else if constexpr (std::is_same_v<T, trace::Render>) {
          return OnRender(e, findings);
        } else if constexpr (std::is_same_v<T, trace::Blt>) {
          SettleWrite(e, known_.device.OnBlt(e), findings);
        } else if constexpr (std::is_same_v<T, trace::Present>) {
          AddDefects(known_.device.OnSurfaceUse(e.space, e.handle, "handle"), findings);
          return observer_->OnPresent(e);
        } else if constexpr (std::is_same_v<T, trace::CallResult>) {
          OnCallResult(e, findings);
        } else {
          ApplyKmt(e, findings);
        }
        return OkStatus();
      },
      event);
}

void Runner::DestroyContext(const trace::ContextDestroy& destroy, EventFindings& findings) {
  AddDefects(known_.device.OnContextDestroy(destroy), findings);
  known_.memory.contexts.erase({destroy.space, destroy.context});
  known_.memory.shader_links.Forget(destroy.space, destroy.context);
}

Status Runner::OnDp2(const trace::Dp2& call, EventFindings& findings) {
  const bool is_incomplete = CheckStoredBytes(call, findings);
  const Bytes commands = call.commands.first(static_cast<size_t>(
      std::min<uint64_t>(call.commands.size(), call.command_length.value_or(UINT32_MAX))));
  // A call that failed runs up to its recorded error offset, one that was still drawing not at all.
  const bool has_failed = device::HasFailed(call.ddrval);
  const uint64_t end = call.ddrval == d3d::kWasStillDrawing ? 0
                       : has_failed                         ? call.error_offset
                                                            : UINT64_MAX;
  device::Context* const context = known_.device.FindContext(call.space, call.context);
  device::Call made;
  ContextMemory* memory = nullptr;
  if (context != nullptr) {
    made = known_.device.MakeCall(findings.event(), *context, call);
    memory = &MemoryOf(*context);
    observer_->OnCall(*context);
  }
  findings.SetBuffer(commands, call.command_offset,
                     context == nullptr ? kLatestRuntime : context->runtime_version,
                     options_.token_text);
  StreamWalk walk({.bytes = commands,
                   .command_offset = call.command_offset,
                   .vertex_size = call.vertex_size,
                   .transport = Transport::kDp2Call,
                   .is_incomplete = is_incomplete,
                   .generation = context == nullptr ? kLatestGeneration : GenerationOf(*context)},
                  findings);
  for (stream::Command command; walk.Next(command);) {
    if (context == nullptr || command.offset >= end) continue;
    DP2TRACE_RETURN_IF_ERROR(Execute(
        {known_.device, *context, made, command, known_.caps, known_.memory, *memory, findings},
        *context));
  }
  if (context != nullptr) EndCall(call, *context, walk.has_loss() && end == UINT64_MAX, findings);
  findings.SetToken(nullptr, nullptr);
  return OkStatus();
}

void Runner::EndCall(const trace::Dp2& call, device::Context& context, bool has_loss,
                     EventFindings& findings) {
  if (has_loss) context.NoteLoss();
  if (device::HasFailed(call.ddrval)) return;
  CheckResponse(View(findings), context, call.response);
  known_.device.OnResponse(context, call.response);
}

// A call may bring other vertices: what was checked for the last draw is checked again.
ContextMemory& Runner::MemoryOf(const device::Context& context) {
  ContextMemory& memory = known_.memory.contexts[{context.space_id, context.id}];
  memory.has_changed = true;
  return memory;
}

trace::Dp2 Runner::CallOf(const trace::Render& render, const device::ContextKey& key) const {
  trace::Dp2 call;
  call.space = key.space;
  call.context = key.id;
  call.command_offset = render.command_offset;
  if (!render.dp2_env) return call;
  const trace::Dp2Env& environment = *render.dp2_env;
  call.flags = environment.flags;
  call.vertex_type = environment.vertex_type;
  call.vertex_size = environment.vertex_size;
  call.vertex_offset = environment.vertex_offset;
  call.vertex_length = environment.vertex_length;
  call.vertices = environment.vertices;
  const uint64_t at = uint64_t{environment.allocation_index} * kmt::kAllocationElementSize;
  if (environment.vertex_source == trace::VertexSource::kAllocation &&
      at + 4 <= render.allocation_list.size()) {
    const auto [handle, base] =
        known_.kmt.HandleOf(render.process, render.context, LoadU32(&render.allocation_list[at]));
    call.vertex_buffer = handle;
    call.vertex_offset += static_cast<uint32_t>(base);
  }
  return call;
}

std::optional<trace::Render> Runner::TakePacket(const trace::Render& recorded,
                                                EventFindings& findings) {
  trace::Render render = WithRawFields(recorded, known_.profile);
  if (!CheckPacket(render, known_.profile, known_.is_padding_reported, findings))
    return std::nullopt;
  if (render.payload == trace::PayloadKind::kDp2) {
    const auto create = known_.kmt.TakeDeferred(render.process, render.context);
    if (create) AddDefects(known_.device.OnContextCreate(*create, findings.event()), findings);
  }
  return render;
}

Status Runner::OnRender(const trace::Render& recorded, EventFindings& findings) {
  const std::optional<trace::Render> render = TakePacket(recorded, findings);
  if (!render) return OkStatus();
  const EventView event = View(findings);
  PacketFacts facts(event, *render, known_.profile);
  const PacketView& view = facts.view();
  std::optional<PayloadRules> payload;
  const bool is_readable = CheckPacketRules(view, payload);
  const bool is_accepted = IsAccepted(view);
  Status status = OkStatus();
  if (is_readable && view.is_dp2() && is_accepted) {
    if (payload) findings.SetFilter(&*payload);
    status = ExecutePayload(view);
    findings.SetFilter(nullptr);
  }
  CheckResults(view);
  known_.kmt.OnRender(*render, is_accepted);
  return status;
}

bool Runner::CheckPacketRules(const PacketView& view, std::optional<PayloadRules>& payload) {
  CheckPacketState(view);
  const bool is_readable = CheckRenderParameters(view);
  CheckRenderFlags(view);
  CheckAllocationList(view);
  CheckPatchList(view);
  if (is_readable && view.is_dp2()) {
    CheckPayload(view, payload);
  } else if (is_readable) {
    CheckForeignPayload(view);
  }
  return is_readable;
}

bool Runner::IsAccepted(const PacketView& view) {
  return view.render.status ? !view.has_failed() : view.findings().errors() == 0;
}

// Whether a packet without a recorded result runs hangs on all that is found in its bytes: they are framed before they are applied.
void Runner::CheckPayload(const PacketView& view, std::optional<PayloadRules>& payload) {
  const trace::Render& render = view.render;
  const auto key = known_.kmt.FindContext(render.process, render.context);
  const device::Context* const carried =
      key ? std::as_const(known_.device).FindContext(key->space, key->id) : nullptr;
  view.findings().SetBuffer(CommandsOf(view), view.extent.begin,
                            carried == nullptr ? kLatestRuntime : carried->runtime_version,
                            options_.token_text);
  StreamWalk walk({.bytes = CommandsOf(view),
                   .command_offset = view.extent.begin,
                   .vertex_size = render.dp2_env.has_value() ? render.dp2_env->vertex_size : 0,
                   .transport = Transport::kPacket},
                  view.findings());
  std::optional<PacketWrites> writes;
  uint64_t parsed_end = view.extent.begin;
  if (view.context != nullptr) {
    writes.emplace(known_.kmt, *view.context, carried);
    payload.emplace(view, carried);
    payload->CheckEnvironment();
  }
  for (stream::Command command; walk.Next(command);) {
    if (writes) writes->Add(command);
    if (payload) payload->OnCommand(command);
    parsed_end = command.offset + command.bytes.size();
  }
  view.findings().SetToken(nullptr, nullptr);
  if (payload) payload->Finish(parsed_end);
  if (writes) CheckOverDeclaration(view, writes->allocations());
}

Status Runner::ExecutePayload(const PacketView& view) {
  const trace::Render& render = view.render;
  const auto key = known_.kmt.FindContext(render.process, render.context);
  device::Context* const context = key ? known_.device.FindContext(key->space, key->id) : nullptr;
  if (context == nullptr) return OkStatus();
  const device::Call call =
      known_.device.MakeCall(view.findings().event(), *context, CallOf(render, *key));
  ContextMemory& memory = MemoryOf(*context);
  observer_->OnCall(*context);
  stream::Decoder decoder(CommandsOf(view), call.environment, nullptr);
  for (stream::Command command; decoder.Next(command);) {
    DP2TRACE_RETURN_IF_ERROR(Execute({known_.device, *context, call, command, known_.caps,
                                      known_.memory, memory, view.findings()},
                                     *context));
  }
  if (decoder.end() != stream::StreamEnd::kComplete) context->NoteLoss();
  view.findings().SetToken(nullptr, nullptr);
  return OkStatus();
}

Status Runner::Execute(const CommandView& view, device::Context& context) {
  const uint64_t steps =
      device::kTokenSteps + view.command.bytes.size() * device::kCommandByteSteps;
  if (!known_.device.work().Spend(steps)) return OkStatus();
  view.findings.SetToken(&view.command, &view.call.environment);
  const FollowUps follow_ups(context, view.call.event, UsesCallFormat(*view.command.op),
                             view.memory.follow_ups);
  view.findings.SetFollowUps(&follow_ups);
  view.findings.SetContext(&context);
  CheckCommand(view);
  known_.recording.OnCommand(view);
  observer_->BeforeApply(context, view.command);
  if (sink_ != nullptr && view.command.op->is(opcode::kDraw))
    sink_->SetStepsLeft(known_.device.work().left());
  DrawnRules sink(view, known_.recording, sink_);
  AddDefects(known_.device.Apply(context, view.call, view.command, sink), view.findings);
  CountDrawing();
  Drain(view.findings);
  view.findings.SetFollowUps(nullptr);
  view.findings.SetContext(nullptr);
  DP2TRACE_RETURN_IF_ERROR(observer_->OnApplied(context, view.command));
  return options_.interrupt ? options_.interrupt() : OkStatus();
}

void Runner::Drain(EventFindings& findings) {
  if (execution_findings_.empty()) return;
  for (const Diagnostic& finding : execution_findings_.items())
    findings.Add(finding);
  execution_findings_ = DiagnosticList();
}

}  // namespace dp2trace::play
