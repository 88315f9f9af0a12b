// One event as a rule sees it: before it is applied.
#pragma once

#include <cstdint>

#include "device/device.h"
#include "device/kmt/objects.h"
#include "trace/events.h"
#include "validate/caps.h"
#include "validate/findings.h"

namespace dp2trace::validate {

struct TraceMemory;

struct EventView {
  const device::Device& device;
  const device::KmtObjects& kmt;
  const Caps& caps;
  TraceMemory& trace;
  EventFindings& findings;

  const trace::Header& header() const { return device.header(); }
  uint64_t number() const { return findings.event(); }
};

}  // namespace dp2trace::validate
