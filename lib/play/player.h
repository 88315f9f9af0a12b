// Plays a trace: one device, one renderer, one numbering of draws and frames, for any number of listeners. What every verb is made of
// that executes a trace.
// Source: lib/design.md 2 to 4.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/status.h"
#include "device/draw.h"
#include "device/state_observer.h"
#include "play/listener.h"
#include "play/runner.h"
#include "raster/renderer.h"
#include "stream/stream.h"
#include "trace/draw_counter.h"
#include "trace/events.h"
#include "trace/marker_text.h"

namespace dp2trace::play {

struct Snapshot;

struct Options {
  RunnerOptions validation;   // rules and their severities, driver level, limits of the device
  std::string renderer = {};  // a row of Renderers(); empty: the first
  raster::Options raster;
  // Where another player with the same options stood that played the same trace: this one goes on with the event after that, and hears, finds and
  // draws what the other would. Outlives the first event of the player. Null: the start of the trace.
  const Snapshot* start = nullptr;
};

// Where the trace is.
struct Position {
  uint64_t event = 0;
  uint64_t frame = 1;        // from 1; a present belongs to the frame that it ends
  uint64_t frame_start = 0;  // the first event of the frame
  // Of the current token; 0 between tokens.
  uint64_t offset = 0;  // from the start of the command buffer
  uint64_t draw = 0;    // its number, where it draws
  // Where it draws and stands where the bytes of the call have a draw.
  const trace::DrawToken* token = nullptr;
};

// Target 0 at a draw, by handle.
struct DrawnTarget {
  uint32_t space = 0;
  uint32_t handle = 0;
  bool operator==(const DrawnTarget&) const = default;
};

// What a player knows between two events, beside what its runner does.
struct Progress {
  trace::DrawCounter draws;
  Position position;
  uint64_t event_frame = 1;  // of the current event, or the last
  // Of the current header, for the next renderer, too: the device keeps no capabilities.
  bool clips_transformed_z = false;
  std::optional<trace::MarkerText> marker;
  bool is_marker_used = false;
  std::optional<DrawnTarget> drawn_target;
  uint64_t drawn_event = 0;
  uint64_t reads = 0;  // by the CPU
};

// All that a player knows between two events, surfaces with their pixels. What views the bytes of the last event is not to be looked at.
struct Snapshot {
  RunnerMemory runner;
  Progress progress;
  std::optional<device::ContextKey> context;

  // The event that a player goes on with, and the number of the header of its session.
  uint64_t next_event() const { return progress.position.event + 1; }
  uint64_t session() const { return runner.session; }
  uint64_t frame() const { return progress.position.frame; }
};

// Not thread-safe; one object per trace.
class Player final : private Observer, private device::DrawSink, private device::StateObserver {
 public:
  // Listeners hear everything in their order, and outlive the player; null is none. Nothing is drawn unless one of them needs pictures. Findings go to
  // the list, which outlives the player; without one those of an event are forgotten after it.
  Player(const Options& options, DiagnosticList& findings,
         std::initializer_list<Listener*> listeners);
  Player(const Options& options, std::initializer_list<Listener*> listeners);
  ~Player() override;

  // Event `number` of the trace, in order.
  Status OnEvent(uint64_t number, const trace::Event& event);
  // No listener needs an event that follows; never without listeners.
  bool is_done() const;
  // The trace took more work than it may: events that follow do nothing.
  bool has_ended() const { return runner_.has_ended(); }
  // REPLAY-WORK-001 once the trace took more work than it may: what the player knows is not that of the whole trace.
  Status CheckWork() const;
  // The trace has ended: rules about its end.
  void Finish();
  // Between events, while it has not ended. Surfaces that hold the same in `earlier` share its bytes. Pixels are there where some listener needs them.
  std::unique_ptr<const Snapshot> Save(const Snapshot* earlier = nullptr);

  const Options& options() const { return options_; }
  const Position& position() const { return now_.position; }
  // Draws of the trace so far, and those of the current event.
  const trace::DrawCounter& draws() const { return now_.draws; }
  // By the CPU (`surface_read`), the current event among them.
  uint64_t reads() const { return now_.reads; }
  // Of the current event, where it is a call; the default elsewhere.
  stream::Environment environment() const;
  // Of the current or the last call; null before the first one of a session.
  device::Context* context() const { return context_; }
  // The last marker, and the same unless an earlier draw comes after it: an import puts the API call of the next draw there.
  const std::optional<trace::MarkerText>& last_marker() const { return now_.marker; }
  std::optional<trace::MarkerText> marker() const {
    return now_.is_marker_used ? std::nullopt : now_.marker;
  }
  // Of the last draw that was executed since the last present, in this session: what an unfinished frame shows. And its event.
  const std::optional<DrawnTarget>& drawn_target() const { return now_.drawn_target; }
  uint64_t drawn_event() const { return now_.drawn_event; }

  device::Device& device() { return runner_.device(); }
  const device::Device& device() const { return runner_.device(); }
  const device::KmtObjects& kmt() const { return runner_.kmt(); }
  DiagnosticList& findings() { return *findings_; }
  // Where what draws reports: such findings come under the current event.
  DiagnosticList& execution_findings() { return runner_.execution_findings(); }

  // Null where nothing is drawn.
  raster::Renderer* renderer() { return renderer_.get(); }
  // What waits in the renderer is drawn.
  void FinishDrawing();
  raster::RendererStatistics drawing_statistics() const;
  // From here on another renderer draws. Between events.
  void SetRenderer(const std::string& name);

 private:
  // Null: findings of its own. A constructor that delegates cannot name a member yet.
  Player(const Options& options, DiagnosticList* findings,
         std::initializer_list<Listener*> listeners);

  void Locate(Diagnostic& finding) const override;
  void OnHeader(const trace::Header& header) override;
  Status OnSessionEnd() override;
  void OnCall(device::Context& context) override;
  void BeforeApply(const device::Context& context, const stream::Command& command) override;
  Status OnApplied(device::Context& context, const stream::Command& command) override;
  Status BeforeDestroy(const trace::SurfaceDestroy& destroy) override;
  void OnSurfaceWritten(const trace::SurfaceUpdate& update) override;
  void OnSurfaceWritten(const trace::Blt& blt) override;
  Status OnRead(const trace::SurfaceRead& read) override;
  Status OnPresent(const trace::Present& present) override;
  void OnDraw(const device::Draw& draw) override;
  void OnPatch(const device::PatchDraw& patch) override;
  void OnClear(const device::ClearDraw& clear) override;
  uint64_t steps() const override { return renderer_ == nullptr ? 0 : renderer_->steps(); }
  void SetStepsLeft(uint64_t steps) override {
    if (renderer_ != nullptr) renderer_->SetStepsLeft(steps);
  }
  void OnContext(const device::Context& context) override;
  void OnSet(const device::Context& context, const stream::Command& command, device::StateKey key,
             const device::StateWords& words, const device::StateBlock* block) override;

  // Calls a function with each listener until one fails.
  template <class F>
  Status Notify(const F& call);
  RunnerOptions ValidationOf(const Options& options);
  void Continue(const Snapshot& start);
  void MakeRenderer(const std::string& name);
  void EndEvent(const trace::Event& event);

  Options options_;
  std::vector<Listener*> listeners_;
  std::vector<device::StateObserver*> state_observers_;
  Detail detail_ = Detail::kStates;
  DiagnosticList own_findings_;
  DiagnosticList* findings_;
  Runner runner_;
  Progress now_;
  std::unique_ptr<raster::Renderer> renderer_;
  device::Context* context_ = nullptr;
};

}  // namespace dp2trace::play
