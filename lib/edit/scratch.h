// A device that takes the events of a snapshot as they are made: what they lead to is seen, not guessed.
#pragma once

#include <cstdint>

#include "base/diagnostic.h"
#include "replay/runner.h"
#include "trace/events.h"

namespace dp2trace::edit {

// Options of a runner that reports nothing and keeps no pixels.
replay::RunnerOptions SilentOptions();

class Scratch final : private replay::Observer {
 public:
  Scratch() : runner_(SilentOptions(), findings_, *this) {}

  void Add(const trace::Event& event) {
    [[maybe_unused]] const Status status = runner_.OnEvent(count_++, event);  // no observer fails
    findings_ = DiagnosticList();
  }
  const device::Device& device() const { return runner_.device(); }
  const device::KmtObjects& objects() const { return runner_.kmt(); }

 private:
  DiagnosticList findings_;
  replay::Runner runner_;
  uint64_t count_ = 0;
};

}  // namespace dp2trace::edit
