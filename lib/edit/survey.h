// The first pass over a trace: where the chosen part lies, and what it needs. Draws nothing.
#pragma once

#include <cstdint>
#include <memory>

#include "base/diagnostic.h"
#include "base/selection.h"
#include "edit/kmt_creations.h"
#include "edit/part.h"
#include "edit/use_collector.h"
#include "replay/runner.h"
#include "trace/draw_counter.h"
#include "trace/events.h"

namespace dp2trace::edit {

enum class Unit : uint8_t { kFrames, kDraws };

// Numbers of frames or draws, `last` resolved. From the first chosen one to the last; what lies between comes along.
struct Choice {
  Unit unit = Unit::kFrames;
  Selection numbers;
};

class Survey final : private replay::Observer {
 public:
  explicit Survey(Choice choice);
  ~Survey() override;

  // Event `number` of the trace, in order.
  void OnEvent(uint64_t number, const trace::Event& event);
  // The trace has ended, or is_done().
  void Finish();
  // Nothing behind the last event matters.
  bool is_done() const { return part_.end.has_value(); }

  const Part& part() const { return part_; }

 private:
  void OnHeader(const trace::Header& header) override;
  void OnCall(device::Context& context) override;
  void BeforeApply(const device::Context& context, const stream::Command& command) override;
  Status OnApplied(device::Context& context, const stream::Command& command) override;
  Status OnPresent(const trace::Present& present) override;

  void Begin(Cut cut, uint64_t first_draw);
  // Behind a packet.
  void EndPacket();
  bool ChoosesUpTo(uint64_t number) const;
  bool Chooses(Unit unit, uint64_t number) const {
    return choice_.unit == unit && choice_.numbers.Contains(number);
  }

  Choice choice_;
  DiagnosticList findings_;
  replay::Runner runner_;
  Part part_;
  KmtCreations creations_;
  std::unique_ptr<UseCollector> uses_;  // from the beginning of the part on
  uint64_t event_ = 0;
  const trace::Render* packet_ = nullptr;  // the current event, where it is one
  PacketUse packet_use_;                   // of its tokens that the part may have
  bool begins_next_ = false;               // at the next event
  trace::DrawCounter counter_;
  uint64_t frames_ = 0;
  uint64_t last_draw_ = 0;        // the number of the last one that was executed
  bool has_drawn_ = false;        // since the last present
  uint32_t vertex_size_ = 0;      // of the current call
  bool is_past_session_ = false;  // another header came: nothing of before is there
};

}  // namespace dp2trace::edit
