// Lists of the JSON reports, which are read by people too.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace dp2trace::text {

// A further member of an object: "name":[ one element per line ]. `append` writes one element.
template <class Range, class Append>
void AppendList(std::string& out, std::string_view name, const Range& elements, Append append) {
  out += fmt::format(",\n\"{}\":[", name);
  bool is_first = true;
  for (const auto& element : elements) {
    out += is_first ? "\n" : ",\n";
    is_first = false;
    append(out, element);
  }
  out += is_first ? "]" : "\n]";
}

}  // namespace dp2trace::text
