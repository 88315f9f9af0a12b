// The first pass over a trace: where the chosen part lies, and what it needs. Draws nothing.
#pragma once

#include <cstdint>
#include <memory>

#include "base/selection.h"
#include "device/state_observer.h"
#include "play/player.h"
#include "trace/events.h"
#include "trim/kmt_creations.h"
#include "trim/part.h"
#include "trim/use_collector.h"

namespace dp2trace::trim {

enum class Unit : uint8_t { kFrames, kDraws, kEvents };

// Numbers of frames, draws or events, `last` resolved; event 0, a header, comes with event 1. From the first chosen one to the last; what lies between comes along.
struct Choice {
  Unit unit = Unit::kFrames;
  Selection numbers;
};

class Survey final : public play::Listener, private device::StateObserver {
 public:
  explicit Survey(Choice choice);
  ~Survey() override;

  // The trace has ended, or is_done().
  void Finish();
  // Nothing after the last event matters.
  bool is_done() const override { return part_.end.has_value(); }

  const Part& part() const { return part_; }

 private:
  device::StateObserver* state_observer() override { return this; }
  Status BeforeEvent(const trace::Event& event) override;
  Status AfterEvent(const trace::Event& event) override;
  void OnHeader(const trace::Header& header) override;
  void OnCall(device::Context& context) override;
  void BeforeApply(const device::Context& context, const stream::Command& command) override;
  Status OnApplied(device::Context& context, const stream::Command& command) override;
  Status OnPresent(const trace::Present& present) override;
  void OnSurfaceWritten(const trace::SurfaceUpdate& update) override;
  void OnSurfaceWritten(const trace::Blt& blt) override;
  bool OnClear(const device::ClearDraw& clear) override;
  void OnContext(const device::Context& /*context*/) override {}
  void OnSet(const device::Context& context, const stream::Command& command, device::StateKey key,
             const device::StateWords& words, const device::StateBlock* block) override;

  uint64_t event() const { return player().position().event; }
  // What happens belongs to the part.
  bool IsInPart() const { return uses_ && !is_done() && !is_past_session_; }
  void Begin(Cut cut, uint64_t first_draw);
  void End();
  // After a packet.
  void EndPacket();
  bool ChoosesUpTo(uint64_t number) const;
  bool Chooses(Unit unit, uint64_t number) const {
    return choice_.unit == unit && choice_.numbers.Contains(number);
  }

  Choice choice_;
  Part part_;
  KmtCreations creations_;
  std::unique_ptr<UseCollector> uses_;     // from the beginning of the part on
  const trace::Render* packet_ = nullptr;  // the current event, where it is one
  PacketUse packet_use_;                   // of its tokens that the part may have
  bool begins_next_ = false;               // at the next event
  uint64_t last_draw_ = 0;                 // the number of the last one that was executed
  bool has_drawn_ = false;                 // since the last present
  bool is_past_session_ = false;           // another header came: nothing of before is there
};

}  // namespace dp2trace::trim
