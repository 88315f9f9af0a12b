// Kinds of events: code, name and structure type of each row of events.def.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "trace/events.h"

namespace dp2trace::trace {

// Event flags in the container. Bit 0: a reader that does not know the kind may go on without the event.
inline constexpr uint16_t kEventOptional = 1;

// The kind that the structure T stands for.
template <class T>
inline constexpr EventKind kKindOf = EventKind{};
#define DP2TRACE_EVENT(Type, code, name) \
  template <>                            \
  inline constexpr EventKind kKindOf<Type> = EventKind::k##Type;
#include "trace/events.def"
#undef DP2TRACE_EVENT

// The kind with this code, or nothing when this version does not know it.
std::optional<EventKind> FindEventKind(uint16_t code);
// The kind with this JSON name.
std::optional<EventKind> FindEventKind(std::string_view name);
// The JSON name; "unknown" for a code without a row.
std::string_view EventName(uint16_t code);
inline std::string_view EventName(EventKind kind) {
  return EventName(static_cast<uint16_t>(kind));
}
// The code of the event as it is written: the kind of its row, or Unknown::kind.
uint16_t CodeOf(const Event& event);

}  // namespace dp2trace::trace
