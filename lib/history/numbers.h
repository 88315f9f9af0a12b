// Numbers and vectors as text and as JSON.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/enum_info.h"
#include "history/pixel_value.h"
#include "raster/math.h"

namespace dp2trace::history {

// The shortest decimal number that reads back to the same binary32; "nan", "inf", "-inf".
std::string FloatText(float value);
// "(0.5, 1, 0, 1)": the first `count` components.
std::string VectorText(const raster::Float4& vector, uint32_t count = 4);
// The same as a JSON number, or a string where it is not finite.
std::string FloatJson(float value);
std::string VectorJson(const raster::Float4& vector, uint32_t count = 4);
// The name of a value, or its number.
std::string NameText(const EnumInfo& names, uint32_t value);

// "0xff204060 (#ff204060)"; of depth formats "0x00ffffff (depth 65535, stencil 0)"; samples one after the other.
std::string ValueText(const PixelValue& value);
// {"bits":["0xff204060"],"color":"#ff204060"}, or null for nothing.
std::string ValueJson(const std::optional<PixelValue>& value);

// The members of a JSON object, in the order in which they come.
class JsonObject {
 public:
  JsonObject& Add(std::string_view name, uint64_t value);
  JsonObject& Add(std::string_view name, int64_t value);
  JsonObject& AddBool(std::string_view name, bool value);
  JsonObject& AddText(std::string_view name, std::string_view value);
  // Valid JSON.
  JsonObject& AddRaw(std::string_view name, std::string_view json);
  std::string Take() { return std::move(out_) + "}"; }

 private:
  std::string out_ = "{";
};

// [a,b,c]: one `element(item)` each.
template <class Range, class Element>
std::string JsonArray(const Range& range, const Element& element) {
  std::string out = "[";
  for (const auto& item : range) {
    if (out.size() > 1) out += ',';
    out += element(item);
  }
  return out + "]";
}

}  // namespace dp2trace::history
