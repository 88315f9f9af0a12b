// What the fields of events are to a reader who compares traces: values, numbers of objects, or nothing at all.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>
#include <vector>

#include "trace/events.h"

namespace dp2trace::trace_model {

enum class FieldRole : uint8_t {
  kValue,  // counts as it is
  kNothing,  // belongs to the recording: who made it, ids of processes and threads, raw copies of other fields
  kPointer,  // an address of that process or GPU: counts as whether it is there
  kResult,   // counts where it is a failure
  kSurface,  // handle of a surface
  kContext,  // number of a D3D context
  kKmtObject,  // handle of an adapter, device, context, allocation, resource or synchronization object
};

namespace detail {

template <class T>
inline constexpr bool kIsHandle =
    std::is_same_v<T, uint32_t> || std::is_same_v<T, std::vector<uint32_t>>;
template <class T>
inline constexpr bool kIsAddress =
    std::is_same_v<T, uint64_t> || std::is_same_v<T, std::optional<uint64_t>>;
template <class T>
concept HasTarget = requires(const T& event) {
  event.target;
};

template <size_t N>
constexpr bool IsOneOf(std::string_view name, const std::string_view (&names)[N]) {
  for (const std::string_view one : names)
    if (name == one) return true;
  return false;
}

inline constexpr std::string_view kNothings[] = {
    "generator",           "process", "space",   "thread",   "command_buffer_size",
    "vertex_buffer_size",  "raw_in",  "raw_out", "response", "queued_buffer_count",
    "queued_present_count"};
inline constexpr std::string_view kSurfaces[] = {"handle", "src",           "dest",
                                                 "target", "vertex_buffer", "flip_chain"};
inline constexpr std::string_view kKmtObjects[] = {
    "adapter",          "device",       "context",
    "resource",         "resource_out", "allocation",
    "allocation_out",   "allocations",  "resources",
    "global_share",     "sync",         "objects",
    "source",           "destination",  "broadcast_context",
    "written_primaries"};

}  // namespace detail

// The role of a field of the structure T of trace/events.h; Value is its type.
template <class T, class Value>
constexpr FieldRole RoleOf(const trace::Field& field) {
  using detail::IsOneOf;
  const bool is_call = std::is_same_v<T, trace::Dp2>;
  if (IsOneOf(field.name, detail::kNothings)) return FieldRole::kNothing;
  // Where in its buffer a call begins follows from the calls before it.
  if (is_call && (field.name == "command_offset" || field.name == "command_length"))
    return FieldRole::kNothing;
  if (field.name == "ddrval" || field.name == "status") return FieldRole::kResult;
  if constexpr (detail::kIsAddress<Value>) {
    if (field.name == "context") return FieldRole::kContext;
    return field.form == trace::Form::kHex ? FieldRole::kPointer : FieldRole::kValue;
  }
  if constexpr (detail::kIsHandle<Value>) {
    if (IsOneOf(field.name, detail::kSurfaces)) return FieldRole::kSurface;
    if (field.name == "depth" && detail::HasTarget<T>) return FieldRole::kSurface;
    if (field.form == trace::Form::kHex && IsOneOf(field.name, detail::kKmtObjects))
      return FieldRole::kKmtObject;
  }
  return FieldRole::kValue;
}

// Calls visit(field, handle) for each handle of a KMT object that a field of the event T is; what lists of structures name is not among them.
template <class T, class Visitor>
void VisitKmtHandles(const T& event, const Visitor& visit) {
  trace::VisitFields<T>([&](const trace::Field& field, auto member) {
    using Value = std::decay_t<decltype(event.*member)>;
    if constexpr (detail::kIsHandle<Value>) {
      if (RoleOf<T, Value>(field) != FieldRole::kKmtObject) return;
      if constexpr (std::is_integral_v<Value>) {
        visit(field, event.*member);
      } else {
        for (const uint32_t handle : event.*member)
          visit(field, handle);
      }
    }
  });
}

}  // namespace dp2trace::trace_model
