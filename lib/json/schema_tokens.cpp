// The definitions of tokens: what json/commands.h reads and writes, as a schema.
#include <fmt/format.h>

#include <vector>

#include "d3d/states.h"
#include "json/schema_definitions.h"
#include "json/shader_text.h"

namespace dp2trace::json {

namespace {

using opcode::FieldDesc;
using opcode::Meaning;
using opcode::OpInfo;
using opcode::StructDesc;
using opcode::TailCount;
using opcode::TailDesc;
using opcode::Wire;

constexpr std::string_view kAssemblySchema =
    R"({"description":"the code as text: a comment that is not read back","type":"array","items":{"type":"string"}})";

std::string_view TypeName(Wire wire) {
  switch (wire) {
    case Wire::kU8:
      return "u8";
    case Wire::kU16:
      return "u16";
    case Wire::kI16:
      return "i16";
    case Wire::kU32:
      return "u32";
    case Wire::kI32:
      return "i32";
    case Wire::kF32:
      return "f32";
  }
  return {};
}

void Append(std::string& list, std::string_view item) {
  if (!list.empty()) list += ',';
  list += item;
}

std::string Property(std::string_view name, std::string_view schema) {
  return fmt::format("\"{}\":{}", name, schema);
}

// Every spelling of a state, as a list of JSON values.
void AppendSpellings(std::string& list, const d3d::StateInfo& state) {
  Append(list, fmt::format("\"{}\"", state.name));
  if (!state.dx7_name.empty() && state.dx7_name != state.name)
    Append(list, fmt::format("\"{}\"", state.dx7_name));
  if (!state.dx9_name.empty() && state.dx9_name != state.name)
    Append(list, fmt::format("\"{}\"", state.dx9_name));
}

std::string StateNames(std::span<const d3d::StateInfo> states) {
  std::string names;
  for (const d3d::StateInfo& state : states)
    AppendSpellings(names, state);
  return fmt::format(R"({{"anyOf":[{{"enum":[{}]}},{}]}})", names, SchemaDefinitions::Ref("u32"));
}

bool IsRequired(Meaning meaning) {
  return meaning == Meaning::kRenderState || meaning == Meaning::kTextureStageState ||
         meaning == Meaning::kTransform;
}

std::string RequiredFields(const StructDesc& layout) {
  std::string names;
  for (const FieldDesc& field : layout.fields) {
    if (IsRequired(field.meaning)) Append(names, fmt::format("\"{}\"", field.name));
  }
  return names;
}

}  // namespace

std::string SchemaDefinitions::Number(const NumberType& type, Wire wire) {
  switch (type.form) {
    case NumberForm::kUnsigned:
    case NumberForm::kSigned:
      return Ref(TypeName(wire));
    case NumberForm::kFloat:
      return Ref("f32");
    case NumberForm::kBool:
      return Ref("bool_number");
    case NumberForm::kColor:
      return Ref("color");
    case NumberForm::kEnum:
      return Enum(*type.names);
    case NumberForm::kFlags:
      return Flags(*type.names);
    case NumberForm::kPair:
      return Ref("u16_pair");
    case NumberForm::kFvf:
      return Ref("fvf");
    case NumberForm::kRenderState:
      return Define("render_state", StateNames(d3d::AllRenderStates()));
    case NumberForm::kTextureStageState:
      return Define("texture_stage_state", StateNames(d3d::AllTextureStageStates()));
  }
  return {};
}

std::string SchemaDefinitions::Field(const FieldDesc& field) {
  const bool is_state_value = field.meaning == Meaning::kRenderStateValue ||
                              field.meaning == Meaning::kTextureStageStateValue;
  if (is_state_value) return "true";  // typed by StateConditions()
  const std::string number = Number(TypeOf(field, nullptr), field.wire);
  return field.count == 1 ? number : ArrayOf(number, field.count);
}

std::string SchemaDefinitions::Properties(const StructDesc& layout, uint8_t skipped) {
  std::string properties;
  for (size_t i = 0; i < layout.fields.size(); ++i) {
    if (i != skipped) Append(properties, Property(layout.fields[i].name, Field(layout.fields[i])));
  }
  return properties;
}

std::string SchemaDefinitions::Structure(const StructDesc& layout) {
  if (layout.plain) return Field(layout.fields[0]);
  return Define(fmt::format("struct_{}", layout.spec_name),
                Object(Properties(layout), RequiredFields(layout)));
}

// "allOf" of a record whose value is typed by its state: one condition for each type; empty for other records.
std::string SchemaDefinitions::StateConditions(const StructDesc& layout) {
  const FieldDesc* state_field = nullptr;
  const FieldDesc* value_field = nullptr;
  for (const FieldDesc& field : layout.fields) {
    if (field.meaning == Meaning::kRenderState || field.meaning == Meaning::kTextureStageState)
      state_field = &field;
    if (field.meaning == Meaning::kRenderStateValue ||
        field.meaning == Meaning::kTextureStageStateValue)
      value_field = &field;
  }
  if (state_field == nullptr || value_field == nullptr) return {};
  const bool is_render_state = state_field->meaning == Meaning::kRenderState;
  std::map<std::string, std::string>
      states_of_type;  // schema of the value -> spellings and numbers of the states
  for (const d3d::StateInfo& state :
       is_render_state ? d3d::AllRenderStates() : d3d::AllTextureStageStates()) {
    std::string& states = states_of_type[Number(TypeOf(state), value_field->wire)];
    AppendSpellings(states, state);
    Append(states, fmt::to_string(state.code));
  }
  std::string conditions;
  for (const auto& [type, states] : states_of_type) {
    Append(conditions,
           Where(state_field->name, states,
                 fmt::format(R"({{"properties":{{"{}":{}}}}})", value_field->name, type)));
  }
  return conditions;
}

std::string SchemaDefinitions::Tails(const OpInfo& op) {
  std::string properties;
  for (const TailDesc& tail : op.tails) {
    if (tail.counting == TailCount::kVertices) Append(properties, Property("padding", Ref("hex")));
    if (tail.element == nullptr) {
      const bool is_vertices = tail.counting == TailCount::kVertices;
      Append(properties, Property(tail.name, Ref(is_vertices ? "vertices" : "bytes")));
      if (tail.is_shader_code)
        Append(properties, Property(kAssemblyKey, Define("assembly", kAssemblySchema)));
      continue;
    }
    const bool is_single = tail.counting == TailCount::kFixed && tail.count == 1;
    const std::string element = Structure(*tail.element);
    const std::string elements = is_single ? element : ArrayOf(element);
    Append(properties,
           Property(tail.name, fmt::format(R"({{"anyOf":[{},{}]}})", elements, Ref("base64"))));
  }
  return properties;
}

std::string SchemaDefinitions::Record(const OpInfo& op) {
  const StructDesc& layout = *op.record;
  if (layout.plain) return Field(layout.fields[0]);
  std::string properties = Properties(layout);
  if (const std::string tails = Tails(op); !tails.empty()) Append(properties, tails);
  std::string schema = Object(properties, RequiredFields(layout));
  const std::string conditions = StateConditions(layout);
  if (!conditions.empty())
    schema.insert(schema.size() - 1, fmt::format(",\"allOf\":[{}]", conditions));
  return schema;
}

std::string SchemaDefinitions::Token(const OpInfo& op) {
  std::string properties = Property("op", fmt::format("{{\"const\":\"{}\"}}", op.name));
  Append(properties, Property("count", fmt::format("{{\"description\":\"{}\",\"anyOf\":[{}]}}",
                                                   op.count_meaning, Ref("u16"))));
  Append(properties, Property("reserved", Ref("u8")));
  if (op.fixed != nullptr) Append(properties, Properties(*op.fixed, op.first_record_field));
  if (op.record != nullptr) {
    Append(properties, Property(op.list_name, ArrayOf(Record(op))));
  } else if (const std::string tails = Tails(op); !tails.empty()) {
    Append(properties, tails);
  }
  return Object(properties, "\"op\"");
}

std::string SchemaDefinitions::Commands() {
  std::string names;
  std::string conditions;
  for (const OpInfo& op : opcode::AllOps()) {
    if (op.direction != opcode::Direction::kToDriver) continue;
    const std::string name = fmt::format("\"{}\"", op.name);
    Append(names, name);
    Append(conditions, Where("op", name, Define(fmt::format("token_{}", op.name), Token(op))));
  }
  Define(
      "token",
      fmt::format(
          R"({{"type":"object","required":["op"],"properties":{{"op":{{"enum":[{}]}}}},"allOf":[{}]}})",
          names, conditions));
  Define("prefix", Object("\"prefix\":" + Ref("hex"), "\"prefix\""));
  Define(
      "command",
      fmt::format(
          R"({{"if":{{"required":["raw"]}},"then":{},"else":{{"if":{{"required":["prefix"]}},"then":{},"else":{}}}}})",
          Ref("raw"), Ref("prefix"), Ref("token")));
  return Define("commands",
                fmt::format(R"({{"anyOf":[{},{}]}})", ArrayOf(Ref("command")), Ref("raw")));
}

}  // namespace dp2trace::json
