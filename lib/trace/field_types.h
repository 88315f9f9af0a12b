// What kinds of C++ types the fields of events have: for visitors of Fields().
#pragma once

#include <optional>
#include <type_traits>
#include <vector>

#include "trace/events.h"

namespace dp2trace::trace {

template <class T>
inline constexpr bool kIsVector = false;
template <class T>
inline constexpr bool kIsVector<std::vector<T>> = true;
template <class T>
inline constexpr bool kIsOptional = false;
template <class T>
inline constexpr bool kIsOptional<std::optional<T>> = true;

template <class T>
concept Structure = requires {
  VisitFields<T>([](const Field&, auto) {});
};

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

}  // namespace dp2trace::trace
