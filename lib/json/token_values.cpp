#include "json/token_values.h"

#include "d3d/enums.h"
#include "d3d/fvf.h"
#include "rules/rule.h"
#include "stream/records.h"

namespace dp2trace::json {

namespace {

using opcode::FieldDesc;
using opcode::Meaning;
using opcode::StructDesc;
using opcode::Wire;
using stream::LoadWire;

NumberForm FormOf(Wire wire) {
  switch (wire) {
    case Wire::kF32:
      return NumberForm::kFloat;
    case Wire::kI16:
    case Wire::kI32:
      return NumberForm::kSigned;
    case Wire::kU8:
    case Wire::kU16:
    case Wire::kU32:
      break;
  }
  return NumberForm::kUnsigned;
}

void StoreWire(Wire wire, uint32_t value, uint8_t* at) {
  switch (wire) {
    case Wire::kU8:
      return Store(at, static_cast<uint8_t>(value));
    case Wire::kU16:
    case Wire::kI16:
      return Store(at, static_cast<uint16_t>(value));
    case Wire::kU32:
    case Wire::kI32:
    case Wire::kF32:
      break;
  }
  Store(at, value);
}

uint32_t MaxOf(Wire wire) {
  switch (wire) {
    case Wire::kU8:
      return UINT8_MAX;
    case Wire::kU16:
      return UINT16_MAX;
    case Wire::kI16:
      return INT16_MAX;
    case Wire::kI32:
      return INT32_MAX;
    case Wire::kU32:
    case Wire::kF32:
      break;
  }
  return UINT32_MAX;
}

void WriteStateName(const d3d::StateInfo* state, uint32_t value, Builder& out) {
  if (state != nullptr) {
    out.Name(state->name);
  } else {
    out.Number(value);
  }
}

bool ReadSigned(Values& values, const Node& node, Wire wire, uint32_t& out) {
  const int64_t max = MaxOf(wire);
  int64_t value = 0;
  if (!values.Signed(node, -max - 1, max, value)) return false;
  out = static_cast<uint32_t>(value);
  return true;
}

bool ReadPair(Values& values, const Node& node, uint32_t& out) {
  if (node.type != NodeType::kArray) return values.U32(node, out);
  if (!values.ExpectCount(node, 2)) return false;
  ElementIterator elements(values.tape(), node);
  uint64_t low = 0;
  uint64_t high = 0;
  if (!values.Unsigned(*elements.Next(), UINT16_MAX, low) ||
      !values.Unsigned(*elements.Next(), UINT16_MAX, high))
    return false;
  out = static_cast<uint32_t>(low | high << 16);
  return true;
}

bool ReadStateName(Values& values, const Node& node, NumberForm form, uint32_t& out) {
  const bool is_name = node.type == NodeType::kString && !node.string().starts_with("0x");
  if (!is_name) return values.U32(node, out);
  const bool is_render_state = form == NumberForm::kRenderState;
  const d3d::StateInfo* const state = is_render_state
                                          ? d3d::FindRenderStateByName(node.string())
                                          : d3d::FindTextureStageStateByName(node.string());
  if (state == nullptr) {
    return values.FailName(
        node, node.string(), is_render_state ? "D3DRENDERSTATETYPE" : "D3DTEXTURESTAGESTATETYPE",
        NamesOf(is_render_state ? d3d::AllRenderStates() : d3d::AllTextureStageStates(),
                [](const d3d::StateInfo& row) { return row.name; }));
  }
  out = state->code;
  return true;
}

bool ReadNumber(Values& values, Node& node, NumberType type, Wire wire, uint32_t& out) {
  bool ok = false;
  switch (type.form) {
    case NumberForm::kUnsigned:
      ok = values.U32(node, out);
      break;
    case NumberForm::kColor:
      ok = values.Color(node, out);
      break;
    case NumberForm::kSigned:
      return ReadSigned(values, node, wire, out);
    case NumberForm::kFloat:
      return values.FloatBits(node, out);
    case NumberForm::kBool:
      ok = values.BoolNumber(node, out);
      break;
    case NumberForm::kEnum:
      ok = values.Enum(node, *type.names, out);
      break;
    case NumberForm::kFlags:
      ok = values.Flags(node, *type.names, out);
      break;
    case NumberForm::kFvf:
      return ReadFvf(values, node, out);
    case NumberForm::kPair:
      return ReadPair(values, node, out);
    case NumberForm::kRenderState:
    case NumberForm::kTextureStageState:
      ok = ReadStateName(values, node, type.form, out);
      break;
  }
  if (!ok || out <= MaxOf(wire)) return ok;
  return values.Fail(node, Rule::kJson009, "the number is out of range", std::to_string(out),
                     "0 to " + std::to_string(MaxOf(wire)));
}

bool NamesState(Meaning meaning) {
  return meaning == Meaning::kRenderState || meaning == Meaning::kTextureStageState;
}
bool IsStateValue(Meaning meaning) {
  return meaning == Meaning::kRenderStateValue || meaning == Meaning::kTextureStageStateValue;
}
bool IsRequired(Meaning meaning) {
  return NamesState(meaning) || meaning == Meaning::kTransform;
}

// The row of the state that a field names, which types the next one.
void TrackState(const FieldDesc& field, const uint8_t* at, const d3d::StateInfo*& state) {
  if (field.meaning == Meaning::kRenderState)
    state = d3d::FindRenderState(LoadWire(field.wire, at));
  if (field.meaning == Meaning::kTextureStageState)
    state = d3d::FindTextureStageState(LoadWire(field.wire, at));
}

}  // namespace

NumberType TypeOf(const d3d::StateInfo& state) {
  using enum d3d::ValueType;
  if (state.legacy_names != nullptr) return {};
  switch (state.type) {
    case kU32:
    case kHex:
    case kHandle:
      return {};
    case kBool:
      return {NumberForm::kBool};
    case kF32:
      return {NumberForm::kFloat};
    case kColor:
      return {NumberForm::kColor};
    case kEnum:
      return {NumberForm::kEnum, state.names};
    case kFlags:
      return {NumberForm::kFlags, state.names};
    case kU16Pair:
      return {NumberForm::kPair};
  }
  return {};
}

NumberType TypeOf(const FieldDesc& field, const d3d::StateInfo* state) {
  switch (field.meaning) {
    case Meaning::kBool:
      return {NumberForm::kBool};
    case Meaning::kColor:
      return {NumberForm::kColor};
    case Meaning::kEnum:
      return {NumberForm::kEnum, field.names};
    case Meaning::kFlags:
      return {NumberForm::kFlags, field.names};
    case Meaning::kTransform:
      return {NumberForm::kEnum, &d3d::kTransformStateNames};
    case Meaning::kRenderState:
      return {NumberForm::kRenderState};
    case Meaning::kTextureStageState:
      return {NumberForm::kTextureStageState};
    case Meaning::kRenderStateValue:
    case Meaning::kTextureStageStateValue:
      return state != nullptr ? TypeOf(*state) : NumberType{};
    case Meaning::kFvfOrHandle:
      return {NumberForm::kFvf};
    case Meaning::kNumber:
    case Meaning::kHex:
    case Meaning::kSurface:
    case Meaning::kPalette:
    case Meaning::kVertexShader:
    case Meaning::kVertexDeclaration:
    case Meaning::kVertexShaderCode:
    case Meaning::kPixelShader:
    case Meaning::kStateBlock:
    case Meaning::kQuery:
    case Meaning::kPatch:
      break;
  }
  return {FormOf(field.wire)};
}

void WriteEnum(const EnumInfo& names, uint32_t value, Builder& out) {
  const std::string_view name = NameOf(names, value);
  if (name.empty()) {
    out.Number(value);
  } else {
    out.Name(name);
  }
}

void WriteFlags(const EnumInfo& names, uint32_t value, Builder& out) {
  out.Raw('[');
  for (const EnumValue& row : names.values) {
    if (row.value == 0 || (value & row.value) != row.value) continue;
    out.Separate();
    out.Name(row.name);
    value &= ~row.value;
  }
  if (value != 0) {
    out.Separate();
    out.Number(value);
  }
  out.Raw(']');
}

void FieldWriter::Number(NumberType type, uint32_t value) {
  Builder& out = *out_;
  switch (type.form) {
    case NumberForm::kUnsigned:
    case NumberForm::kBool:
      return out.Number(value);
    case NumberForm::kFvf:
      return FvfOrHandle(value);
    case NumberForm::kSigned:
      return out.Number(static_cast<int32_t>(value));
    case NumberForm::kFloat:
      return out.FloatBits(value);
    case NumberForm::kColor:
      return out.Color(value);
    case NumberForm::kEnum:
      return WriteEnum(*type.names, value, out);
    case NumberForm::kFlags:
      return WriteFlags(*type.names, value, out);
    case NumberForm::kRenderState:
      return WriteStateName(d3d::FindRenderState(value), value, out);
    case NumberForm::kTextureStageState:
      return WriteStateName(d3d::FindTextureStageState(value), value, out);
    case NumberForm::kPair:
      out.Raw('[');
      out.Number(value & 0xFFFF);
      out.Raw(',');
      out.Number(value >> 16);
      out.Raw(']');
      return;
  }
}

void FieldWriter::FvfOrHandle(uint32_t value) {
  const bool is_handle = (value & d3d::fvf::kReserved0) != 0;
  if (is_handle || vertices_ == Vertices::kBytes) return out_->Number(value);
  WriteFvf(value, *out_);
}

void FieldWriter::Field(const FieldDesc& field, const d3d::StateInfo* state, const uint8_t* at) {
  const NumberType type = TypeOf(field, state);
  if (field.count == 1) return Number(type, LoadWire(field.wire, at));
  out_->Raw('[');
  for (uint32_t i = 0; i < field.count; ++i) {
    if (i != 0) out_->Raw(',');
    Number(type, LoadWire(field.wire, at + i * opcode::SizeOf(field.wire)));
  }
  out_->Raw(']');
}

void FieldWriter::Members(const StructDesc& layout, const uint8_t* at, uint8_t skipped) {
  const d3d::StateInfo* state = nullptr;
  for (size_t i = 0; i < layout.fields.size(); ++i) {
    const FieldDesc& field = layout.fields[i];
    if (i != skipped) {
      out_->Key(field.name);
      Field(field, state, at);
      TrackState(field, at, state);
    }
    at += field.size();
  }
}

void FieldWriter::Structure(const StructDesc& layout, const uint8_t* at) {
  if (layout.plain) return Field(layout.fields[0], nullptr, at);
  out_->Raw('{');
  Members(layout, at);
  out_->Raw('}');
}

bool ReadField(Values& values, Node& node, const FieldDesc& field, const d3d::StateInfo* state,
               uint8_t* at) {
  const NumberType type = TypeOf(field, state);
  uint32_t number = 0;
  if (field.count == 1) {
    if (!ReadNumber(values, node, type, field.wire, number)) return false;
    StoreWire(field.wire, number, at);
    return true;
  }
  if (!values.ExpectCount(node, field.count)) return false;
  ElementIterator elements(values.tape(), node);
  while (Node* const element = elements.Next()) {
    if (!ReadNumber(values, *element, type, field.wire, number)) return false;
    StoreWire(field.wire, number, at);
    at += opcode::SizeOf(field.wire);
  }
  return true;
}

bool ReadMembers(Values& values, ObjectReader& object, const StructDesc& layout, uint8_t* at,
                 uint8_t skipped) {
  bool ok = true;
  bool is_state_known = true;
  const d3d::StateInfo* state = nullptr;
  for (size_t i = 0; i < layout.fields.size(); ++i) {
    const FieldDesc& field = layout.fields[i];
    if (i != skipped) {
      const bool is_required = IsRequired(field.meaning);
      Node* const node = is_required ? object.Require(field.name) : object.Find(field.name);
      if (node == nullptr ? is_required
                          : (is_state_known || !IsStateValue(field.meaning)) &&
                                !ReadField(values, *node, field, state, at)) {
        ok = false;
        if (NamesState(field.meaning)) is_state_known = false;
      }
      TrackState(field, at, state);
    }
    at += field.size();
  }
  return ok;
}

bool ReadStructure(Values& values, Node& node, const StructDesc& layout, uint8_t* at) {
  if (layout.plain) return ReadField(values, node, layout.fields[0], nullptr, at);
  ObjectReader object(values, node);
  const bool ok = ReadMembers(values, object, layout, at);
  return object.Finish() && ok;
}

}  // namespace dp2trace::json
