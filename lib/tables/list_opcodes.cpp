#include <fmt/format.h>

#include <algorithm>

#include "opcode/opcode.h"
#include "tables/list.h"
#include "tables/list_table.h"

namespace dp2trace::tables {
namespace {

using opcode::FieldDesc;
using opcode::Meaning;
using opcode::OpInfo;
using opcode::StructDesc;
using opcode::TailDesc;

struct KindName {
  opcode::Kind kind;
  std::string_view name;
};
constexpr KindName kKindNames[] = {
    {opcode::kDraw, "draw"},           {opcode::kState, "state"},
    {opcode::kResource, "resource"},   {opcode::kBlt, "blt"},
    {opcode::kQueryKind, "query"},     {opcode::kStateBlockKind, "state block"},
    {opcode::kExtension, "extension"},
};

std::string KindText(const OpInfo& op) {
  std::string text;
  for (const KindName& row : kKindNames) {
    if (!op.is(row.kind)) continue;
    if (!text.empty()) text += ", ";
    text += row.name;
  }
  return text;
}

// Bytes of the token without its tails, as a formula over the count: "4 + 8*count".
std::string SizeText(const OpInfo& op) {
  const uint32_t base = op.header_size() + (op.fixed == nullptr ? 0 : op.fixed->size);
  std::string text = fmt::format("{}", base);
  const uint32_t record = op.record == nullptr ? 0 : op.record->size;
  switch (op.repeat) {
    case opcode::Repeat::kNone:
      break;
    case opcode::Repeat::kCount:
      text += fmt::format(" + {}*count", record);
      break;
    case opcode::Repeat::kCountPlus:
      text += fmt::format(" + {}*(count + {})", record, op.repeat_add);
      break;
    case opcode::Repeat::kCountMinusOne:
      text += fmt::format(" + {}*(max(count, 1) - 1)", record);
      break;
  }
  return text;
}

// One tail: "light if data_type = 2: D3DLIGHT7", "code: size bytes".
std::string TailText(const TailDesc& tail, const StructDesc* host) {
  std::string text(tail.name);
  switch (tail.condition) {
    case opcode::TailCondition::kAlways:
      break;
    case opcode::TailCondition::kFieldEquals:
      text +=
          fmt::format(" if {} = {}", host->fields[tail.condition_field].name, tail.condition_value);
      break;
    case opcode::TailCondition::kFieldHasBit:
      text += fmt::format(" if {} has {:#x}", host->fields[tail.condition_field].name,
                          tail.condition_value);
      break;
  }
  const std::string_view element =
      tail.element == nullptr ? std::string_view("byte") : tail.element->spec_name;
  switch (tail.counting) {
    case opcode::TailCount::kFixed:
      return fmt::format("{}: {} x {}", text, tail.count, element);
    case opcode::TailCount::kFieldCount:
      return fmt::format("{}: {} x {}", text, host->fields[tail.count_field].name, element);
    case opcode::TailCount::kFieldBytes:
      return fmt::format("{}: {} bytes of {}", text, host->fields[tail.count_field].name, element);
    case opcode::TailCount::kVertices:
      if (tail.vertex_mul != 1) text += fmt::format(": {}*count", tail.vertex_mul);
      if (tail.vertex_mul == 1) text += ": count";
      if (tail.vertex_add != 0) text += fmt::format(" + {}", tail.vertex_add);
      return text + ", from a multiple of 4";
  }
  return text;
}

std::string TailsText(const OpInfo& op) {
  std::string text;
  for (const TailDesc& tail : op.tails) {
    if (!text.empty()) text += "; ";
    text += TailText(tail, op.record != nullptr ? op.record : op.fixed);
  }
  return text;
}

std::string_view StructName(const StructDesc* layout) {
  return layout == nullptr ? std::string_view() : layout->spec_name;
}

Table OpcodeTable() {
  Table table{
      "opcodes",
      "Operations",
      {"code", "name", "level", "direction", "kinds", "size", "fixed", "record", "tails", "count"},
      {}};
  for (const OpInfo& op : opcode::AllOps()) {
    const bool is_to_driver = op.direction == opcode::Direction::kToDriver;
    table.rows.push_back({NumberCell(static_cast<uint8_t>(op.op)), TextCell(op.name),
                          NumberCell(op.level), TextCell(is_to_driver ? "to driver" : "to runtime"),
                          TextCell(KindText(op)), TextCell(SizeText(op)),
                          TextCell(StructName(op.fixed)), TextCell(StructName(op.record)),
                          TextCell(TailsText(op)), TextCell(op.count_meaning)});
  }
  return table;
}

std::string WireText(const FieldDesc& field) {
  static constexpr std::string_view kWireNames[] = {"u8", "u16", "i16", "u32", "i32", "f32"};
  const std::string_view wire = kWireNames[static_cast<size_t>(field.wire)];
  return field.count == 1 ? std::string(wire) : fmt::format("{}[{}]", wire, field.count);
}

std::string_view MeaningText(const FieldDesc& field) {
  switch (field.meaning) {
    case Meaning::kNumber:
      return "";
    case Meaning::kHex:
      return "hex";
    case Meaning::kBool:
      return "bool";
    case Meaning::kColor:
      return "color";
    case Meaning::kEnum:
    case Meaning::kFlags:
      return field.names->name;
    case Meaning::kRenderState:
      return "render state";
    case Meaning::kRenderStateValue:
      return "render state value";
    case Meaning::kTextureStageState:
      return "texture stage state";
    case Meaning::kTextureStageStateValue:
      return "texture stage state value";
    case Meaning::kTransform:
      return "transform state";
    case Meaning::kFvfOrHandle:
      return "FVF or handle";
    case Meaning::kSurface:
      return "surface";
    case Meaning::kPalette:
      return "palette";
    case Meaning::kVertexShader:
      return "vertex shader";
    case Meaning::kVertexDeclaration:
      return "vertex declaration";
    case Meaning::kVertexShaderCode:
      return "vertex shader code";
    case Meaning::kPixelShader:
      return "pixel shader";
    case Meaning::kStateBlock:
      return "state block";
    case Meaning::kQuery:
      return "query";
    case Meaning::kPatch:
      return "patch";
  }
  return "";
}

// Every structure once, in the order of the operations.
std::vector<const StructDesc*> AllStructs() {
  std::vector<const StructDesc*> structs;
  const auto add = [&structs](const StructDesc* layout) {
    if (layout != nullptr && std::ranges::find(structs, layout) == structs.end())
      structs.push_back(layout);
  };
  for (const OpInfo& op : opcode::AllOps()) {
    add(op.fixed);
    add(op.record);
    for (const TailDesc& tail : op.tails)
      add(tail.element);
  }
  return structs;
}

Table FieldTable() {
  Table table{
      "fields", "Fields", {"structure", "offset", "name", "spec_name", "type", "meaning"}, {}};
  for (const StructDesc* layout : AllStructs()) {
    for (size_t i = 0; i < layout->fields.size(); ++i) {
      const FieldDesc& field = layout->fields[i];
      table.rows.push_back({TextCell(layout->spec_name), NumberCell(FieldOffset(*layout, i)),
                            TextCell(field.name), TextCell(field.spec_name),
                            TextCell(WireText(field)), TextCell(MeaningText(field))});
    }
  }
  return table;
}

}  // namespace

std::string ListOpcodes(ListFormat format) {
  const Table tables[] = {OpcodeTable(), FieldTable()};
  return RenderTables(tables, "list opcodes", format);
}

}  // namespace dp2trace::tables
