#include "json/schema_definitions.h"

#include <fmt/format.h>

#include "d3d/formats.h"

namespace dp2trace::json {

namespace {

constexpr std::string_view kHexNumber = R"({"type":"string","pattern":"^0x[0-9a-fA-F]+$"})";

std::string Integer(std::string_view min, std::string_view max) {
  return fmt::format(R"({{"anyOf":[{{"type":"integer","minimum":{},"maximum":{}}},{}]}})", min, max,
                     kHexNumber);
}

// The names as a list of JSON strings.
std::string Names(const EnumInfo& info) {
  std::string names;
  for (const EnumValue& row : info.values) {
    if (!names.empty()) names += ',';
    names += fmt::format("\"{}\"", row.name);
  }
  return names;
}

std::string NameOrU32(std::string_view names) {
  return fmt::format(R"({{"anyOf":[{{"enum":[{}]}},{}]}})", names, SchemaDefinitions::Ref("u32"));
}

}  // namespace

SchemaDefinitions::SchemaDefinitions() {
  Define("u8", Integer("0", "255"));
  Define("u16", Integer("0", "65535"));
  Define("u32", Integer("0", "4294967295"));
  Define("u64", Integer("0", "18446744073709551615"));
  Define("i16", Integer("-32768", "32767"));
  Define("i32", Integer("-2147483648", "2147483647"));
  Define(
      "f32",
      fmt::format(
          R"({{"description":"a number, or the bits of an f32","anyOf":[{{"type":"number"}},{}]}})",
          kHexNumber));
  Define("bool_number", fmt::format(R"({{"anyOf":[{},{{"type":"boolean"}}]}})", Ref("u32")));
  Define(
      "color",
      fmt::format(
          R"({{"description":"D3DCOLOR, #aarrggbb; #rrggbb has an alpha of 255; a number is 0xAARRGGBB","anyOf":[{},{{"type":"string","pattern":"^#([0-9a-fA-F]{{2}})?[0-9a-fA-F]{{6}}$"}}]}})",
          Ref("u32")));
  Define("u16_pair", fmt::format(R"({{"description":"[low word, high word]","anyOf":[{},{}]}})",
                                 ArrayOf(Ref("u16"), 2), Ref("u32")));
  Define("hex", R"({"type":"string","pattern":"^([0-9a-fA-F]{2})*$"})");
  Define(
      "base64",
      R"({"type":"string","pattern":"^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$"})");
  Define("side_file",
         Object(R"("file":{"type":"string","minLength":1,"pattern":"^[^/\\\\]"})", R"("file")"));
  Define("bytes", fmt::format(R"({{"anyOf":[{},{}]}})", Ref("base64"), Ref("side_file")));
  Define(
      "fvf",
      fmt::format(
          R"({{"description":"FVF code: names joined by |, or a number","anyOf":[{},{{"type":"string"}}]}})",
          Ref("u32")));
  Define("raw", Object(R"("raw":)" + Ref("hex"), R"("raw")"));
  Define("vertex",
         ArrayOf(fmt::format(R"({{"anyOf":[{},{},{}]}})", Ref("f32"), Ref("color"), Ref("raw"))));
  Define("vertex_words", Object(R"("words":{"type":"string","pattern":"^[fcx]+$"})", R"("words")"));
  Define(
      "vertices",
      fmt::format(
          R"({{"description":"numbers by the vertex_type or by words, or bytes","anyOf":[{},{}]}})",
          ArrayOf(fmt::format(R"({{"anyOf":[{},{},{}]}})", Ref("vertex"), Ref("raw"),
                              Ref("vertex_words"))),
          Ref("bytes")));
  const std::string format = "\"format\":" + Format();
  Define("texels",
         fmt::format(
             R"({{"description":"rows of colours, a PNG file, or bytes","anyOf":[{},{},{}]}})",
             Object("\"texels\":" + ArrayOf(ArrayOf(Ref("color"))) + "," + format, R"("texels")"),
             Object(R"("png":{"type":"string","minLength":1,"pattern":"^[^/\\\\]"},)" + format,
                    R"("png")"),
             Ref("bytes")));
  Define(
      "texels_or_vertices",
      fmt::format(
          R"({{"description":"rows of colours, a PNG file, numbers by words, or bytes","anyOf":[{},{}]}})",
          Ref("texels"), Ref("vertices")));
}

std::string SchemaDefinitions::Ref(std::string_view name) {
  return fmt::format(R"({{"$ref":"#/$defs/{}"}})", name);
}

std::string SchemaDefinitions::Object(std::string_view properties, std::string_view required) {
  const std::string demand =
      required.empty() ? std::string() : fmt::format(R"("required":[{}],)", required);
  return fmt::format(R"({{"type":"object",{}"properties":{{{}}},"additionalProperties":false}})",
                     demand, properties);
}

std::string SchemaDefinitions::ArrayOf(std::string_view items) {
  return fmt::format(R"({{"type":"array","items":{}}})", items);
}

std::string SchemaDefinitions::ArrayOf(std::string_view items, uint32_t count) {
  return fmt::format(R"({{"type":"array","items":{},"minItems":{},"maxItems":{}}})", items, count,
                     count);
}

std::string SchemaDefinitions::Where(std::string_view key, std::string_view values,
                                     std::string_view schema) {
  return fmt::format(
      R"({{"if":{{"properties":{{"{}":{{"enum":[{}]}}}},"required":["{}"]}},"then":{}}})", key,
      values, key, schema);
}

std::string SchemaDefinitions::Define(std::string_view name, std::string_view schema) {
  definitions_.try_emplace(std::string(name), schema);
  return Ref(name);
}

std::string SchemaDefinitions::TableName(std::string_view prefix, const EnumInfo& names) {
  std::string name = fmt::format("{}_{}", prefix, names.name);
  while (tables_.try_emplace(name, &names).first->second != &names)
    name += '_';
  return name;
}

std::string SchemaDefinitions::Enum(const EnumInfo& names) {
  return Define(TableName("enum", names), NameOrU32(Names(names)));
}

std::string SchemaDefinitions::Flags(const EnumInfo& names) {
  const std::string bit = Enum(names);
  return Define(TableName("flags", names),
                fmt::format(R"({{"anyOf":[{},{}]}})", ArrayOf(bit), bit));
}

std::string SchemaDefinitions::Format() {
  std::string names;
  for (const d3d::FormatInfo& format : d3d::AllFormats())
    names += fmt::format("{}\"{}\"", names.empty() ? "" : ",", format.name);
  return Define("enum_D3DFORMAT", NameOrU32(names));
}

std::string SchemaDefinitions::Text() const {
  std::string text;
  for (const auto& [name, schema] : definitions_)
    text += fmt::format("{}\"{}\":{}", text.empty() ? "" : ",\n", name, schema);
  return text;
}

}  // namespace dp2trace::json
