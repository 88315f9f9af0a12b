// What kinds of C++ types the fields of events have, and what is common to writing and reading them.
#pragma once

#include <optional>
#include <type_traits>
#include <vector>

#include "json/commands.h"
#include "trace/events.h"

namespace dp2trace::json {

template <class T>
inline constexpr bool kIsVector = false;
template <class T>
inline constexpr bool kIsVector<std::vector<T>> = true;
template <class T>
inline constexpr bool kIsOptional = false;
template <class T>
inline constexpr bool kIsOptional<std::optional<T>> = true;

template <class T>
concept Structure = requires { T::Fields([](const trace::Field&, auto) {}); };

// Structures that are written as an array of their fields: [left, top, right, bottom].
template <class T>
inline constexpr bool kIsTuple = std::is_same_v<T, trace::Rect> || std::is_same_v<T, trace::Box>;

template <class T>
uint32_t FieldCount() {
  uint32_t count = 0;
  T::Fields([&count](const trace::Field&, auto) { ++count; });
  return count;
}

// What absent fields are compared with.
template <class T>
inline const T kDefault{};

template <class T>
bool IsDefault(const T& value, const T& default_value) {
  if constexpr (kIsOptional<T>) {
    return !value.has_value();
  } else if constexpr (std::is_same_v<T, Bytes> || kIsVector<T>) {
    return value.empty();
  } else {
    return value == default_value;
  }
}

// Where the command stream of an event stands. Only Dp2 and Render have one.
template <class T>
StreamPlace PlaceOf(const T& event) {
  if constexpr (std::is_same_v<T, trace::Dp2>) {
    return {.command_offset = event.command_offset, .vertex_size = event.vertex_size};
  } else if constexpr (std::is_same_v<T, trace::Render>) {
    return {.command_offset = event.command_offset,
            .vertex_size = event.dp2_env ? event.dp2_env->vertex_size : 0,
            .has_prefix = true,
            .is_dp2 = event.payload == trace::PayloadKind::kDp2};
  } else {
    return {};
  }
}

}  // namespace dp2trace::json
