#include "json/schema.h"

#include <fmt/format.h>

#include "json/field_types.h"
#include "json/packet_lists.h"
#include "json/schema_definitions.h"
#include "trace/event_kind.h"

namespace dp2trace::json {

namespace {

using trace::Field;
using trace::Form;

class EventSchemas {
 public:
  explicit EventSchemas(SchemaDefinitions& definitions) : definitions_(&definitions) {}

  // Defines the schema of an event and makes it the one for its name.
  template <class T>
  void Add() {
    const std::string_view name = trace::EventName(trace::kKindOf<T>);
    Add(name,
        SchemaDefinitions::Object(
            fmt::format("\"event\":{{\"const\":\"{}\"}}{}", name, Members<T>()), "\"event\""));
  }

  void AddUnknown() {
    const std::string members =
        fmt::format(R"("event":{{"const":"unknown"}},"kind":{},"flags":{},"payload":{})",
                    Ref("u16"), Ref("u16"), Ref("hex"));
    Add("unknown", SchemaDefinitions::Object(members, R"("event","kind")"));
  }

  // The schema of any event.
  std::string Any() const {
    return fmt::format(
        R"({{"type":"object","required":["event"],"properties":{{"event":{{"enum":[{}]}}}},"allOf":[{}]}})",
        names_, conditions_);
  }

 private:
  static std::string Ref(std::string_view name) { return SchemaDefinitions::Ref(name); }

  void Add(std::string_view name, std::string_view schema) {
    const std::string reference = definitions_->Define(fmt::format("event_{}", name), schema);
    const char* const separator = names_.empty() ? "" : ",";
    names_ += fmt::format("{}\"{}\"", separator, name);
    conditions_ +=
        fmt::format("{}{}", separator,
                    SchemaDefinitions::Where("event", fmt::format("\"{}\"", name), reference));
  }

  // `,"key":schema` for each field; a schema is an object.
  template <Structure T>
  std::string Members() {
    std::string members;
    trace::VisitFields<T>([&]<class M>(const Field& field, [[maybe_unused]] M T::*member) {
      std::string_view form;
      if constexpr (VertexHolder<T>) form = IsMember(member, &T::vertices) ? "vertices" : "";
      if constexpr (TexelHolder<T>) {
        if (IsMember(member, &T::data))
          form = std::is_same_v<T, trace::Picture> ? "texels" : "texels_or_vertices";
      }
      const std::string value = form.empty() ? Value<M>(field) : Ref(form);
      members += fmt::format(R"(,"{}":{{"description":"{}",{})", field.name, field.meaning,
                             std::string_view(value).substr(1));
    });
    return members;
  }

  template <class T>
  std::string Value(const Field& field) {
    if constexpr (kIsOptional<T>) {
      return Value<typename T::value_type>(field);
    } else if constexpr (kIsVector<T>) {
      return SchemaDefinitions::ArrayOf(Value<typename T::value_type>(field));
    } else if constexpr (kIsTuple<T>) {
      return SchemaDefinitions::ArrayOf(Ref(std::is_same_v<T, d3d::Rect> ? "i32" : "u32"),
                                        FieldCount<T>());
    } else if constexpr (Structure<T>) {
      return SchemaDefinitions::Object(Members<T>().substr(1));
    } else if constexpr (std::is_same_v<T, Bytes>) {
      return ByteArray(field);
    } else if constexpr (std::is_same_v<T, std::string_view>) {
      return R"({"type":"string"})";
    } else if constexpr (std::is_same_v<T, bool>) {
      return R"({"type":"boolean"})";
    } else if constexpr (std::is_enum_v<T>) {
      return definitions_->Enum(*field.names);
    } else if constexpr (std::is_same_v<T, uint32_t>) {
      return U32(field);
    } else {
      static_assert(std::is_same_v<T, uint64_t>);
      return Ref("u64");
    }
  }

  std::string U32(const Field& field) {
    if (field.form == Form::kEnum) return definitions_->Enum(*field.names);
    if (field.form == Form::kFlags) return definitions_->Flags(*field.names);
    if (field.form == Form::kFormat) return definitions_->Format();
    if (field.form == Form::kFvf) return Ref("fvf");
    return Ref(field.form == Form::kFloatBits ? "f32" : "u32");
  }

  std::string ByteArray(const Field& field) {
    if (field.form == Form::kCommands) return definitions_->Commands();
    if (field.form == Form::kAllocationList) return PackedList(kAllocationListElement);
    if (field.form == Form::kPatchList) return PackedList(kPatchListElement);
    return Ref(field.form == Form::kHexBytes ? "hex" : "bytes");
  }

  std::string PackedList(const PackedElement& element) {
    std::string members;
    for (const PackedField& field : element.fields) {
      const uint64_t max = (uint64_t{1} << field.width) - 1;
      const std::string narrow =
          fmt::format(R"({{"type":"integer","minimum":0,"maximum":{}}})", max);
      const std::string value = field.is_bool       ? R"({"type":"boolean"})"
                                : field.width == 32 ? Ref("u32")
                                                    : narrow;
      members += fmt::format("{}\"{}\":{}", members.empty() ? "" : ",", field.name, value);
    }
    const std::string item = definitions_->Define(fmt::format("struct_{}", element.spec_name),
                                                  SchemaDefinitions::Object(members));
    return fmt::format(R"({{"anyOf":[{},{}]}})", SchemaDefinitions::ArrayOf(item), Ref("raw"));
  }

  SchemaDefinitions* definitions_;
  std::string names_;
  std::string conditions_;
};

}  // namespace

std::string SchemaText() {
  SchemaDefinitions definitions;
  EventSchemas events(definitions);
#define DP2TRACE_EVENT(Type, code, name) events.Add<trace::Type>();
#include "trace/events.def"
#undef DP2TRACE_EVENT
  events.AddUnknown();
  definitions.Define("event", events.Any());
  return fmt::format(R"({{
"$schema":"https://json-schema.org/draft/2020-12/schema",
"title":"The JSON form of a dp2trace trace",
"description":"An array of events, the header first. traces/README.md explains the form. Generated: see tests/unit/json/schema_test.cpp.",
"type":"array",
"minItems":1,
"prefixItems":[{}],
"items":{},
"$defs":{{
{}
}}
}}
)",
                     SchemaDefinitions::Ref("event_header"), SchemaDefinitions::Ref("event"),
                     definitions.Text());
}

}  // namespace dp2trace::json
