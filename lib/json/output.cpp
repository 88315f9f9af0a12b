#include "json/output.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "d3d/notation.h"
#include "json/append.h"

namespace dp2trace::json {

std::string OutputHead(std::string_view schema, std::string_view trace) {
  Builder out;
  out.Raw('{');
  AppendString(out, "tool", "dp2trace");
  AppendString(out, "version", DP2TRACE_VERSION);
  AppendString(out, "schema", fmt::format("{}/1", schema));
  AppendText(out, "trace", trace);
  return out.string();
}

std::string OutputEnd(std::span<const std::string> errors) {
  if (errors.empty()) return ",\"errors\":[]}\n";
  return fmt::format(",\n\"errors\":[\n{}\n]}}\n", fmt::join(errors, ",\n"));
}

std::string ColorJson(const std::array<uint8_t, 4>& rgba) {
  return '"' + d3d::ColorText(rgba) + '"';
}

std::string RectangleJson(uint32_t left, uint32_t top, uint32_t right, uint32_t bottom) {
  return fmt::format(R"({{"x":{},"y":{},"width":{},"height":{}}})", left, top, right - left,
                     bottom - top);
}

}  // namespace dp2trace::json
