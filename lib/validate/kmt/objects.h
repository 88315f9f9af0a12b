// Calls that create and destroy KMT objects: KMT-STATE-010 to -019, KMT-RES-*. Source: lib/kmt/packets.md 4, 7.2 and 7.8.
#pragma once

#include "validate/event_view.h"

namespace dp2trace::validate {

void CheckObjectEvent(const EventView& view, const trace::AdapterOpen& event);
void CheckObjectEvent(const EventView& view, const trace::AdapterClose& event);
void CheckObjectEvent(const EventView& view, const trace::DeviceCreate& event);
void CheckObjectEvent(const EventView& view, const trace::DeviceDestroy& event);
void CheckObjectEvent(const EventView& view, const trace::KmtContextCreate& event);
void CheckObjectEvent(const EventView& view, const trace::KmtContextDestroy& event);
void CheckObjectEvent(const EventView& view, const trace::SyncCreate& event);
void CheckObjectEvent(const EventView& view, const trace::SyncDestroy& event);
// rules_kmt_resources.cpp
void CheckObjectEvent(const EventView& view, const trace::AllocationCreate& event);
void CheckObjectEvent(const EventView& view, const trace::AllocationDestroy& event);
void CheckObjectEvent(const EventView& view, const trace::ResourceOpen& event);
// KMT-RES-009 of the whole trace.
void CheckObjectsAtEnd(const EventView& view);

// KMT-STATE-010: a handle that a successful call returned. Unless it is already taken, true.
bool CheckNewHandle(const EventView& view, Rule rule, std::string_view path, uint32_t process,
                    uint32_t handle);

}  // namespace dp2trace::validate
