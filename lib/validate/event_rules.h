// The rules of events that are not packets: which topics weigh which event before it is applied.
#pragma once

#include "validate/event_view.h"

namespace dp2trace::validate {

void CheckEvent(const EventView& view, const trace::Dp2& event);
void CheckEvent(const EventView& view, const trace::ContextCreate& event);
void CheckEvent(const EventView& view, const trace::ContextDestroy& event);
void CheckEvent(const EventView& view, const trace::SurfaceCreate& event);
void CheckEvent(const EventView& view, const trace::SurfaceDestroy& event);
void CheckEvent(const EventView& view, const trace::SurfaceUpdate& event);
// Events without rules.
template <class Event>
void CheckEvent(const EventView&, const Event&) {}

// The trace has ended.
void CheckEnd(const EventView& view);

}  // namespace dp2trace::validate
