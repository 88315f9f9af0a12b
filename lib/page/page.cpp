#include "page/page.h"

#include <fmt/format.h>

#include <algorithm>

namespace dp2trace::page {
namespace {

// JSON has "</" only in strings, where the backslash changes nothing: no text of a trace can end a script.
std::string WithoutEndTags(std::string_view value) {
  std::string out;
  out.reserve(value.size());
  for (size_t at = 0; at < value.size();) {
    const size_t end = std::min(value.find("</", at), value.size());
    out.append(value, at, end - at);
    if (end != value.size()) out += "<\\/";
    at = end + 2;
  }
  return out;
}

}  // namespace

std::string DataFile(std::string_view name) {
  return fmt::format("data/{}.js", name);
}

std::string DataScript(std::string_view name, std::string_view value) {
  return fmt::format("pageData(\"{}\",{});\n", name, WithoutEndTags(value));
}

}  // namespace dp2trace::page
