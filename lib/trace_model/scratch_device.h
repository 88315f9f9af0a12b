// A second device that executes the events of a snapshot as they are made, so that the result can be compared.
#pragma once

#include <cstdint>

#include "base/status.h"
#include "play/player.h"
#include "trace/events.h"
#include "trace_model/render_options.h"

namespace dp2trace::trace_model {

// Options of a runner that reports nothing and keeps no pixels.
play::RunnerOptions SilentOptions(const WorkBounds& bounds = {});

class ScratchDevice {
 public:
  explicit ScratchDevice(const WorkBounds& bounds = {})
      : player_({.validation = SilentOptions(bounds), .raster = {}}, {}) {}

  void Add(const trace::Event& event) {
    [[maybe_unused]] const Status status = player_.OnEvent(count_++, event);  // nobody listens
  }
  const device::Device& device() const { return player_.device(); }
  const device::KmtObjects& objects() const { return player_.kmt(); }
  Status CheckWork() const { return player_.CheckWork(); }

 private:
  play::Player player_;
  uint64_t count_ = 0;
};

}  // namespace dp2trace::trace_model
