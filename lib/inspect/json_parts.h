// Members of the objects of the data files.
#pragma once

#include <iterator>
#include <ranges>
#include <string_view>

#include "json/text.h"

namespace dp2trace::inspect {

// A text, unless it is empty.
inline void AppendText(json::Text& out, std::string_view key, std::string_view value) {
  if (value.empty()) return;
  out.Key(key);
  out.String(value);
}

template <class T>
void AppendNumber(json::Text& out, std::string_view key, T value) {
  out.Key(key);
  out.Number(value);
}

// A number, unless it is 0.
template <class T>
void AppendCount(json::Text& out, std::string_view key, T value) {
  if (value != 0) AppendNumber(out, key, value);
}

// "key":[...]: `element` appends one of them.
template <class Range, class Element>
void AppendList(json::Text& out, std::string_view key, const Range& range, const Element& element) {
  out.Key(key);
  out.Raw('[');
  for (const auto& value : range) {
    out.Separate();
    element(value);
  }
  out.Raw(']');
}

}  // namespace dp2trace::inspect
