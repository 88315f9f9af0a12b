// How the fields of token structures are written in JSON, and back: driven by the field lists of the operation table.
#pragma once

#include "d3d/states.h"
#include "json/builder.h"
#include "json/values.h"
#include "json/vertices.h"
#include "opcode/opcode.h"

namespace dp2trace::json {

// The JSON form of one number of a token.
enum class NumberForm : uint8_t {
  kUnsigned,
  kSigned,
  kFloat,              // number, or "0x..." with the bits
  kBool,               // a number; true and false on input
  kColor,              // "#aarrggbb"
  kEnum,               // name or number
  kFlags,              // array of names, unknown bits as one number
  kPair,               // [low u16, high u16]
  kRenderState,        // name or number
  kTextureStageState,  // name or number
  kFvf,                // a number; names of flags on input, and where vertices are readable
};

struct NumberType {
  NumberForm form = NumberForm::kUnsigned;
  const EnumInfo* names = nullptr;  // for kEnum and kFlags
};

// `state`: the row of the state that types the field, for Meaning::kRenderStateValue and kTextureStageStateValue; null = no such row.
NumberType TypeOf(const opcode::FieldDesc& field, const d3d::StateInfo* state);
// The type of a state's value. States whose numbers mean other things in old runtimes stay numbers.
NumberType TypeOf(const d3d::StateInfo& state);

// Enumerations and flags by name; what has no name stays a number.
void WriteEnum(const EnumInfo& names, uint32_t value, Builder& out);
void WriteFlags(const EnumInfo& names, uint32_t value, Builder& out);

// Writes the fields of token structures; `vertices`: whether vertex formats are written by name.
class FieldWriter {
 public:
  FieldWriter(Builder& out, Vertices vertices) : out_(&out), vertices_(vertices) {}

  // Appends the fields of a structure as members of the object that is being written, but the one with index `skipped`.
  void Members(const opcode::StructDesc& layout, const uint8_t* at,
               uint8_t skipped = opcode::kNoField);
  // Appends a structure as one value: an object, or the value of its only field where it is plain.
  void Structure(const opcode::StructDesc& layout, const uint8_t* at);
  // Appends one field's value.
  void Field(const opcode::FieldDesc& field, const d3d::StateInfo* state, const uint8_t* at);

 private:
  void Number(NumberType type, uint32_t value);
  void FvfOrHandle(uint32_t value);

  Builder* out_;
  Vertices vertices_;
};

// The inverses. `at` has room for the structure, all zeros: members that are missing stay 0, but states and transforms must be given.
bool ReadMembers(Values& values, ObjectReader& object, const opcode::StructDesc& layout,
                 uint8_t* at, uint8_t skipped = opcode::kNoField);
bool ReadStructure(Values& values, Node& node, const opcode::StructDesc& layout, uint8_t* at);
bool ReadField(Values& values, Node& node, const opcode::FieldDesc& field,
               const d3d::StateInfo* state, uint8_t* at);

}  // namespace dp2trace::json
