// The named parts ("$defs") of the JSON Schema, collected while they are referred to. Schemas are JSON text.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/enum_info.h"
#include "json/token_values.h"
#include "opcode/opcode.h"

namespace dp2trace::json {

class SchemaDefinitions {
 public:
  SchemaDefinitions();

  // {"$ref":"#/$defs/NAME"}
  static std::string Ref(std::string_view name);
  // An object with these members (", "-joined `"key":schema` pairs) and no others; `required` is a list of quoted names, or empty.
  static std::string Object(std::string_view properties, std::string_view required = {});
  static std::string ArrayOf(std::string_view items);
  // Exactly `count` items.
  static std::string ArrayOf(std::string_view items, uint32_t count);
  // `schema` where `key` has one of `values` (a list of JSON values).
  static std::string Where(std::string_view key, std::string_view values, std::string_view schema);

  // Adds a definition where it is missing; returns the reference to it.
  std::string Define(std::string_view name, std::string_view schema);

  // References to the definitions of a table.
  std::string Enum(const EnumInfo& names);
  std::string Flags(const EnumInfo& names);
  std::string Format();
  // The "commands" of a dp2 event: an array of tokens.
  std::string Commands();

  // All definitions as members of "$defs", one a line, sorted by name.
  std::string Text() const;

 private:
  // The name of the definition for this table: two tables may have the same spelling.
  std::string TableName(std::string_view prefix, const EnumInfo& names);
  std::string Number(const NumberType& type, opcode::Wire wire);
  std::string Field(const opcode::FieldDesc& field);
  std::string Properties(const opcode::StructDesc& layout, uint8_t skipped = opcode::kNoField);
  std::string Structure(const opcode::StructDesc& layout);
  std::string Tails(const opcode::OpInfo& op);
  std::string Record(const opcode::OpInfo& op);
  std::string Token(const opcode::OpInfo& op);
  std::string StateConditions(const opcode::StructDesc& layout);

  std::map<std::string, std::string, std::less<>> definitions_;
  std::map<std::string, const EnumInfo*, std::less<>> tables_;
};

}  // namespace dp2trace::json
