#include "history/numbers.h"

#include <fmt/format.h>

#include <cmath>

#include "d3d/notation.h"
#include "text/value.h"

namespace dp2trace::history {

std::string FloatText(float value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  return fmt::format("{}", value == 0.0F ? 0.0F : value);  // without the sign of zero
}

std::string FloatJson(float value) {
  const std::string text = FloatText(value);
  return std::isfinite(value) ? text : "\"" + text + "\"";
}

std::string VectorText(const raster::Float4& vector, uint32_t count) {
  std::string out = "(";
  for (uint32_t i = 0; i < count; ++i)
    out += (i == 0 ? "" : ", ") + FloatText(vector[i]);
  return out + ")";
}

std::string VectorJson(const raster::Float4& vector, uint32_t count) {
  std::string out = "[";
  for (uint32_t i = 0; i < count; ++i)
    out += (i == 0 ? "" : ",") + FloatJson(vector[i]);
  return out + "]";
}

std::string NameText(const EnumInfo& names, uint32_t value) {
  const std::string_view name = NameOf(names, value);
  return name.empty() ? fmt::format("{}", value) : std::string(name);
}

std::string ValueText(const PixelValue& value) {
  std::string out;
  for (const std::vector<uint8_t>& sample : value.samples)
    out += (out.empty() ? "" : " ") + BitsText(sample);
  if (value.depth_stencil) {
    return out + fmt::format(" (depth {}, stencil {})", value.depth_stencil->depth,
                             value.depth_stencil->stencil);
  }
  if (!value.rgba) return out;
  return out + fmt::format(" ({})", d3d::ColorText(*value.rgba));
}

std::string ValueJson(const std::optional<PixelValue>& value) {
  if (!value) return "null";
  JsonObject object;
  object.AddRaw("bits", JsonArray(value->samples, [](const std::vector<uint8_t>& sample) {
                  return "\"" + BitsText(sample) + "\"";
                }));
  if (value->rgba) object.AddText("color", d3d::ColorText(*value->rgba));
  if (value->depth_stencil) {
    object.Add("depth", uint64_t{value->depth_stencil->depth});
    object.Add("stencil", uint64_t{value->depth_stencil->stencil});
  }
  return object.Take();
}

JsonObject& JsonObject::AddRaw(std::string_view name, std::string_view json) {
  out_ += fmt::format("{}\"{}\":{}", out_.size() > 1 ? "," : "", name, json);
  return *this;
}

JsonObject& JsonObject::Add(std::string_view name, uint64_t value) {
  return AddRaw(name, std::to_string(value));
}

JsonObject& JsonObject::Add(std::string_view name, int64_t value) {
  return AddRaw(name, std::to_string(value));
}

JsonObject& JsonObject::AddBool(std::string_view name, bool value) {
  return AddRaw(name, value ? "true" : "false");
}

JsonObject& JsonObject::AddText(std::string_view name, std::string_view value) {
  std::string quoted;
  text::AppendQuoted(quoted, value);
  return AddRaw(name, quoted);
}

}  // namespace dp2trace::history
