// The loop over a trace: each event is checked, then applied to the device. A replay draws and makes pictures on top of it, a lint does not.
// Source: lib/design.md 2 to 4; lib/opcode/dp2.md 1.4 and 22; lib/kmt/packets.md 6.6, 6.7 and 7.10.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <utility>

#include "base/diagnostic.h"
#include "base/work_budget.h"
#include "device/device.h"
#include "device/kmt/objects.h"
#include "trace/events.h"
#include "validate/caps.h"
#include "validate/command_view.h"
#include "validate/findings.h"
#include "validate/kmt/packet.h"
#include "validate/kmt/packet_view.h"
#include "validate/memory.h"
#include "validate/missing_objects.h"
#include "validate/recording.h"
#include "validate/rule_set.h"

namespace dp2trace::validate {
class PayloadRules;
}  // namespace dp2trace::validate

namespace dp2trace::play {

struct RunnerOptions {
  validate::RuleSet rules;
  std::optional<validate::Caps> caps;          // replace those of the header
  std::optional<uint32_t> level;               // replaces the header's driver_level
  std::optional<trace::OsProfile> os_profile;  // replaces the header's
  // Writes the tokens of excerpts; findings have none without it.
  validate::TokenText token_text = nullptr;
  bool checks_recording = false;  // rules RECORD: is what the draws depend on in the trace?
  // Steps of all the work of the trace (device/trace_work.h); none: what a file of that size may take.
  std::optional<uint64_t> max_steps;
  // Of all surfaces together (the same file); none: as above, and as of a large file where surfaces have no pixels.
  std::optional<uint64_t> max_surface_bytes;
  std::optional<uint64_t> file_bytes;  // of the trace; none: not known
  // Of several runs together, in place of max_steps; outlives the runners.
  WorkBudget* work = nullptr;
  // Asked after each token: where it fails, so does the event, and what runs is of no more use. May be empty.
  std::function<Status()> interrupt = {};
  device::Options device;  // without the two limits above
};

// Those of a run with these options: max_steps, or what a file of that size may take.
uint64_t StepsOf(const RunnerOptions& options);

// What is reported while a trace runs; all of it may be left out. A failed status ends the event.
class Observer : public validate::FindingLocator {
 public:
  void Locate(Diagnostic&) const override {}
  // The header of a session, after the effect of options on it. A second one comes after OnSessionEnd().
  virtual void OnHeader(const trace::Header&) {}
  // Another header follows: the device is as it was after the last event of the session, and empty afterwards.
  virtual Status OnSessionEnd() { return OkStatus(); }
  // The context of the tokens that follow.
  virtual void OnCall(device::Context&) {}
  virtual void BeforeApply(const device::Context&, const stream::Command&) {}
  virtual Status OnApplied(device::Context&, const stream::Command&) { return OkStatus(); }
  virtual Status BeforeDestroy(const trace::SurfaceDestroy&) { return OkStatus(); }
  // The device has done what the event asks for, and refused nothing of it.
  virtual void OnSurfaceWritten(const trace::SurfaceUpdate&) {}
  virtual void OnSurfaceWritten(const trace::Blt&) {}
  virtual Status OnRead(const trace::SurfaceRead&) { return OkStatus(); }
  virtual Status OnPresent(const trace::Present&) { return OkStatus(); }
};

// What a runner knows of the trace between two events. A copy is that of a snapshot: device::Device says what it shares.
struct RunnerMemory {
  RunnerMemory(const device::Options& device_options, const RunnerOptions& options);

  device::Device device;
  device::KmtObjects kmt;
  validate::Caps caps;
  validate::TraceMemory memory;  // of the rules
  validate::PacketProfile profile;
  validate::MissingObjectMaker missing_objects;
  validate::RecordingRules recording;
  bool has_header = false;
  uint64_t session = 0;              // number of the last header
  std::deque<uint64_t> awaited;      // calls without a recorded result, by event number
  uint64_t last_answered = 0;        // the last call that came with its result; 0 = none
  bool is_padding_reported = false;  // KMT-DEC-010
  uint64_t last_event = 0;
};

// Findings go to the list in the order of the stream. Not thread-safe; one object per trace.
class Runner final {
 public:
  // `findings` and `observer` outlive the runner. `start`: what another runner knew that had the same options; this one goes on from there.
  Runner(const RunnerOptions& options, DiagnosticList& findings, Observer& observer,
         const RunnerMemory* start = nullptr);
  ~Runner();
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  // Where what is drawn goes, and where it reports; nothing is drawn without one.
  void SetSink(device::DrawSink& sink) {
    sink_ = &sink;
    drawn_steps_ = sink.steps();
  }
  // Findings of what draws: collected under the event, after the rules of the token.
  DiagnosticList& execution_findings() { return execution_findings_; }

  // Event `number` of the trace (the header is event 0). Numbers ascend; gaps are lost events.
  Status OnEvent(uint64_t number, const trace::Event& event);
  // The trace has ended.
  void Finish();
  // The trace took more work than --max-steps allows: events that follow do nothing.
  bool has_ended() const { return has_ended_; }

  // Between events.
  const RunnerMemory& memory() const { return known_; }
  device::Device& device() { return known_.device; }
  const device::Device& device() const { return known_.device; }
  const device::KmtObjects& kmt() const { return known_.kmt; }

 private:
  validate::EventView View(validate::EventFindings& findings);
  void OnHeader(const trace::Header& header, validate::EventFindings& findings);
  Status EndSession();
  void OnCallResult(const trace::CallResult& result, validate::EventFindings& findings);
  // The event is a call whose result may follow as an event of its own.
  void AwaitResult(const trace::Event& event, uint64_t number);
  Status Apply(const trace::Event& event, validate::EventFindings& findings);
  // Of an event that writes to a surface.
  template <class T>
  void SettleWrite(const T& event, const device::Defects& defects,
                   validate::EventFindings& findings);
  Status OnDp2(const trace::Dp2& call, validate::EventFindings& findings);
  // What the driver answered. `has_loss`: tokens that it was to run could not be read.
  void EndCall(const trace::Dp2& call, device::Context& context, bool has_loss,
               validate::EventFindings& findings);
  Status OnRender(const trace::Render& recorded, validate::EventFindings& findings);
  // `payload` is made where the packet has a context.
  void CheckPayload(const validate::PacketView& view,
                    std::optional<validate::PayloadRules>& payload);
  Status ExecutePayload(const validate::PacketView& view);
  // The packet with what only its raw bytes say, once its context is there; nothing where it cannot be decoded.
  std::optional<trace::Render> TakePacket(const trace::Render& recorded,
                                          validate::EventFindings& findings);
  // All rules of a packet but those of its tokens and its result. False where its bytes are none that could be read.
  bool CheckPacketRules(const validate::PacketView& view,
                        std::optional<validate::PayloadRules>& payload);
  // By its recorded status or, without one, because nothing is wrong with it.
  static bool IsAccepted(const validate::PacketView& view);
  // Events that change KMT objects, and the D3D contexts that go with them.
  template <class T>
  void ApplyKmt(const T& event, validate::EventFindings& findings);
  void DestroyContext(const trace::ContextDestroy& destroy, validate::EventFindings& findings);
  // The call that a packet stands for.
  trace::Dp2 CallOf(const trace::Render& render, const device::ContextKey& key) const;
  validate::ContextMemory& MemoryOf(const device::Context& context);
  // All of an event but its tokens.
  void Prepare(uint64_t number, const trace::Event& event, validate::EventFindings& findings);
  // Checks the token and applies it to the context, which is that of the view.
  Status Execute(const validate::CommandView& view, device::Context& context);
  void Drain(validate::EventFindings& findings);
  // Counts what the renderer did.
  void CountDrawing();
  // REPLAY-WORK-001, once.
  void CheckWork(validate::EventFindings& findings);

  RunnerOptions options_;
  DiagnosticList* out_;
  Observer* observer_;
  device::DrawSink* sink_ = nullptr;
  uint64_t drawn_steps_ = 0;  // of the sink, those that were counted
  bool has_ended_ = false;
  DiagnosticList execution_findings_;
  RunnerMemory known_;
};

}  // namespace dp2trace::play
