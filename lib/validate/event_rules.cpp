#include "validate/event_rules.h"

#include "validate/dp2/call.h"
#include "validate/dp2/caps.h"
#include "validate/dp2/patch.h"
#include "validate/dp2/query.h"
#include "validate/dp2/state_block.h"
#include "validate/dp2/surface.h"
#include "validate/kmt/calls.h"
#include "validate/kmt/objects.h"
#include "validate/kmt/payload.h"

namespace dp2trace::validate {

void CheckEvent(const EventView& view, const trace::Dp2& event) {
  CheckCallEvent(view, event);
}

void CheckResponse(const EventView& view, const device::Context& context, Bytes response) {
  if (!response.empty()) CheckQueryResponse(view, context, response);
}

void CheckEvent(const EventView& view, const trace::ContextCreate& event) {
  CheckSurfaceEvent(view, event);
}

void CheckEvent(const EventView& view, const trace::ContextDestroy& event) {
  CheckStateBlockEvent(view, event);
  CheckSurfaceEvent(view, event);
}

void CheckEvent(const EventView& view, const trace::SurfaceCreate& event) {
  CheckSurfaceEvent(view, event);
  CheckCapsEvent(view, event);
}

void CheckEvent(const EventView& view, const trace::SurfaceDestroy& event) {
  CheckSurfaceEvent(view, event);
}

void CheckEvent(const EventView& view, const trace::AdapterOpen& event) {
  CheckObjectEvent(view, event);
}
void CheckEvent(const EventView& view, const trace::AdapterClose& event) {
  CheckObjectEvent(view, event);
}
void CheckEvent(const EventView& view, const trace::DeviceCreate& event) {
  CheckObjectEvent(view, event);
}
void CheckEvent(const EventView& view, const trace::DeviceDestroy& event) {
  CheckObjectEvent(view, event);
}
void CheckEvent(const EventView& view, const trace::KmtContextCreate& event) {
  CheckObjectEvent(view, event);
}
void CheckEvent(const EventView& view, const trace::KmtContextDestroy& event) {
  CheckObjectEvent(view, event);
}
void CheckEvent(const EventView& view, const trace::AllocationCreate& event) {
  CheckObjectEvent(view, event);
}
void CheckEvent(const EventView& view, const trace::AllocationDestroy& event) {
  CheckObjectEvent(view, event);
  CheckKmtPayloadEvent(view, event);
}
void CheckEvent(const EventView& view, const trace::Dp2Bind& event) {
  CheckKmtPayloadEvent(view, event);
}
void CheckEvent(const EventView& view, const trace::Dp2Unbind& event) {
  CheckKmtPayloadEvent(view, event);
}
void CheckEvent(const EventView& view, const trace::SyncCreate& event) {
  CheckObjectEvent(view, event);
}
void CheckEvent(const EventView& view, const trace::SyncDestroy& event) {
  CheckObjectEvent(view, event);
}
void CheckEvent(const EventView& view, const trace::ResourceOpen& event) {
  CheckObjectEvent(view, event);
}
void CheckEvent(const EventView& view, const trace::Lock& event) {
  CheckCallEvent(view, event);
}
void CheckEvent(const EventView& view, const trace::Unlock& event) {
  CheckCallEvent(view, event);
}
void CheckEvent(const EventView& view, const trace::Offer& event) {
  CheckCallEvent(view, event);
}
void CheckEvent(const EventView& view, const trace::Reclaim& event) {
  CheckCallEvent(view, event);
}
void CheckEvent(const EventView& view, const trace::SyncWait& event) {
  CheckCallEvent(view, event);
}
void CheckEvent(const EventView& view, const trace::SyncSignal& event) {
  CheckCallEvent(view, event);
}
void CheckEvent(const EventView& view, const trace::SubmitCommand& event) {
  CheckCallEvent(view, event);
}
void CheckEvent(const EventView& view, const trace::KmtPresent& event) {
  CheckCallEvent(view, event);
}

void CheckEnd(const EventView& view) {
  CheckStateBlockAtEnd(view);
  CheckSurfaceAtEnd(view);
  CheckPatchAtEnd(view);
  CheckObjectsAtEnd(view);
}

}  // namespace dp2trace::validate
