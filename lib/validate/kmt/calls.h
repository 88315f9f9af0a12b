// Calls on KMT objects beside the packets: KMT-LOCK-*, KMT-OFFER-*, KMT-SYNC-*, KMT-PRES-*, KMT-SUBMIT-*.
// Source: lib/kmt/packets.md 4.5 to 4.9 and 7.8.
#pragma once

#include "validate/event_view.h"

namespace dp2trace::validate {

void CheckCallEvent(const EventView& view, const trace::Lock& event);
void CheckCallEvent(const EventView& view, const trace::Unlock& event);
void CheckCallEvent(const EventView& view, const trace::Offer& event);
void CheckCallEvent(const EventView& view, const trace::Reclaim& event);
void CheckCallEvent(const EventView& view, const trace::SyncWait& event);
void CheckCallEvent(const EventView& view, const trace::SyncSignal& event);
void CheckCallEvent(const EventView& view, const trace::SubmitCommand& event);
// rules_kmt_present.cpp
void CheckCallEvent(const EventView& view, const trace::KmtPresent& event);

}  // namespace dp2trace::validate
