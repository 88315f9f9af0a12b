// Members of JSON objects, as calls of a Builder that is inside an object.
#pragma once

#include <string_view>

#include "json/builder.h"

namespace dp2trace::json {

inline void AppendString(Builder& out, std::string_view key, std::string_view value) {
  out.Key(key);
  out.String(value);
}

// A text, unless it is empty.
inline void AppendText(Builder& out, std::string_view key, std::string_view value) {
  if (!value.empty()) AppendString(out, key, value);
}

template <class T>
void AppendNumber(Builder& out, std::string_view key, T value) {
  out.Key(key);
  out.Number(value);
}

// A number, unless it is 0.
template <class T>
void AppendCount(Builder& out, std::string_view key, T value) {
  if (value != 0) AppendNumber(out, key, value);
}

// "key":[...]: `element` appends one of them.
template <class Range, class Element>
void AppendList(Builder& out, std::string_view key, const Range& range, const Element& element) {
  out.Key(key);
  out.Raw('[');
  for (const auto& value : range) {
    out.Separate();
    element(value);
  }
  out.Raw(']');
}

}  // namespace dp2trace::json
