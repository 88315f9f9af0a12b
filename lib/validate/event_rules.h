// The rules of events that are not packets: which topics check which event before it is applied.
#pragma once

#include "validate/event_view.h"

namespace dp2trace::validate {

void CheckEvent(const EventView& view, const trace::Dp2& event);
void CheckEvent(const EventView& view, const trace::ContextCreate& event);
void CheckEvent(const EventView& view, const trace::ContextDestroy& event);
void CheckEvent(const EventView& view, const trace::SurfaceCreate& event);
void CheckEvent(const EventView& view, const trace::SurfaceDestroy& event);
void CheckEvent(const EventView& view, const trace::AdapterOpen& event);
void CheckEvent(const EventView& view, const trace::AdapterClose& event);
void CheckEvent(const EventView& view, const trace::DeviceCreate& event);
void CheckEvent(const EventView& view, const trace::DeviceDestroy& event);
void CheckEvent(const EventView& view, const trace::KmtContextCreate& event);
void CheckEvent(const EventView& view, const trace::KmtContextDestroy& event);
void CheckEvent(const EventView& view, const trace::AllocationCreate& event);
void CheckEvent(const EventView& view, const trace::AllocationDestroy& event);
void CheckEvent(const EventView& view, const trace::SyncCreate& event);
void CheckEvent(const EventView& view, const trace::SyncDestroy& event);
void CheckEvent(const EventView& view, const trace::ResourceOpen& event);
void CheckEvent(const EventView& view, const trace::Lock& event);
void CheckEvent(const EventView& view, const trace::Unlock& event);
void CheckEvent(const EventView& view, const trace::Offer& event);
void CheckEvent(const EventView& view, const trace::Reclaim& event);
void CheckEvent(const EventView& view, const trace::SyncWait& event);
void CheckEvent(const EventView& view, const trace::SyncSignal& event);
void CheckEvent(const EventView& view, const trace::SubmitCommand& event);
void CheckEvent(const EventView& view, const trace::KmtPresent& event);
void CheckEvent(const EventView& view, const trace::Dp2Bind& event);
void CheckEvent(const EventView& view, const trace::Dp2Unbind& event);
// Events without rules.
template <class Event>
void CheckEvent(const EventView&, const Event&) {}

// The response buffer of a call that has been applied, before its queries count as answered.
void CheckResponse(const EventView& view, const device::Context& context, Bytes response);

// The trace has ended.
void CheckEnd(const EventView& view);

}  // namespace dp2trace::validate
