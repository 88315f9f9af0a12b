// Every column of the operation table against the machine-readable specification, field by field.
#include <doctest/doctest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "opcode/layouts.h"
#include "opcode/opcode.h"

using namespace dp2trace;          // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::opcode;  // NOLINT(google-build-using-namespace): test file
using nlohmann::json;

namespace {

const json& Spec() {
  static const json spec = [] {
    std::ifstream file(DP2TRACE_SOURCE_DIR "/tests/data/dp2-ops.json");
    return json::parse(file);
  }();
  return spec;
}

std::string TypeName(const FieldDesc& field) {
  static const std::map<std::pair<Wire, int>, std::string> names = {
      {{Wire::kU8, 1}, "u8"},     {{Wire::kU16, 1}, "u16"},     {{Wire::kU32, 1}, "u32"},
      {{Wire::kI32, 1}, "i32"},   {{Wire::kF32, 1}, "f32"},     {{Wire::kF32, 3}, "f32x3"},
      {{Wire::kF32, 4}, "f32x4"}, {{Wire::kF32, 16}, "matrix"}, {{Wire::kI32, 2}, "point"},
      {{Wire::kI32, 4}, "rect"},  {{Wire::kU32, 6}, "box"},     {{Wire::kU32, 2}, "range"},
  };
  const auto found = names.find({field.wire, field.count});
  return found == names.end() ? "?" : found->second;
}

// The names that the parts of a compound type have in the specification.
size_t PartCount(const std::string& type) {
  return type == "point" || type == "range" ? 2 : type == "rect" ? 4 : type == "box" ? 6 : 0;
}

void CheckFields(const StructDesc& layout, const json& fields) {
  REQUIRE(layout.fields.size() == fields.size());
  for (size_t i = 0; i < fields.size(); ++i) {
    const FieldDesc& field = layout.fields[i];
    CAPTURE(field.name);
    CHECK(field.spec_name == fields[i]["name"].get<std::string>());
    CHECK(FieldOffset(layout, i) == fields[i]["offset"].get<uint32_t>());
    CHECK(TypeName(field) == fields[i]["type"].get<std::string>());
    CHECK(field.size() == fields[i]["size"].get<uint32_t>());
    CHECK(field.parts.size() == PartCount(fields[i]["type"].get<std::string>()));
  }
}

// A structure, or null, against the name, size and fields that the specification gives.
void CheckStruct(const StructDesc* layout, const json& name, const json& size, const json& fields) {
  if (name.is_null()) {
    CHECK(layout == nullptr);
    CHECK(size == 0);
    return;
  }
  REQUIRE(layout != nullptr);
  CAPTURE(layout->spec_name);
  CHECK(layout->spec_name == name.get<std::string>());
  CHECK(layout->size == size.get<uint32_t>());
  if (layout->spec_name == "u16") return;  // plain indices have no structure in the documents
  CheckFields(*layout, fields);
  const json& declared = Spec()["structs"][name.get<std::string>()];
  CHECK(layout->size == declared["size"].get<uint32_t>());
  CheckFields(*layout, declared["fields"]);
}

uint8_t KindBits(const json& kinds) {
  static const std::map<std::string, Kind> bits = {
      {"draw", kDraw},          {"state", kState},
      {"resource", kResource},  {"blt", kBlt},
      {"query", kQueryKind},    {"stateblock", kStateBlockKind},
      {"extension", kExtension}};
  uint8_t result = 0;
  for (const json& kind : kinds)
    result |= static_cast<uint8_t>(bits.at(kind.get<std::string>()));
  return result;
}

std::string ElementCount(const OpInfo& op) {
  switch (op.repeat) {
    case Repeat::kNone:
      return "0";
    case Repeat::kCount:
      return "count";
    case Repeat::kCountPlus:
      return "count+" + std::to_string(op.repeat_add);
    case Repeat::kCountMinusOne:
      return "max(count,1)-1 further RECTs (the first is inside the fixed structure)";
  }
  return "?";
}

}  // namespace

TEST_CASE("opcodes.def has exactly the operations of the specification") {
  for (const json& row : Spec()["ops"]) {
    const auto value = row["value"].get<uint32_t>();
    CAPTURE(value);
    const bool is_reserved = row["kind"] == json{"reserved"};
    CHECK((Find(static_cast<uint8_t>(value)) == nullptr) == is_reserved);
  }
  CHECK(static_cast<uint32_t>(AllOps().back().op) == Spec()["max_defined_value"].get<uint32_t>());
}

TEST_CASE("opcodes.def agrees with the specification in every column") {
  for (const OpInfo& op : AllOps()) {
    CAPTURE(op.name);
    const json& row = Spec()["ops"][static_cast<size_t>(op.op)];
    CHECK("D3DDP2OP_" + std::string(op.name) == row["name"].get<std::string>());
    CHECK(op.level == row["ddi_level"].get<int>());
    CHECK(op.gate_level == row["header_gate_level"].get<int>());
    const bool is_to_driver = op.direction == Direction::kToDriver;
    CHECK((is_to_driver ? "runtime-to-driver" : "driver-to-runtime") ==
          row["direction"].get<std::string>());
    CHECK(op.kinds == KindBits(row["kind"]));
    CHECK(op.count_name == row["count_field"]["name"].get<std::string>());
    CHECK(op.count_meaning == row["count_field"]["meaning"].get<std::string>());
    CHECK(ElementCount(op) == row["element_count"].get<std::string>());
    CHECK(op.tails.empty() == (row["tail"] == "none"));
    CheckStruct(op.fixed, row["fixed_header_struct"], row["fixed_header_bytes"],
                row["fixed_header_fields"]);
    CheckStruct(op.record, row["element_struct"], row["element_bytes"], row["element_fields"]);
  }
}

TEST_CASE("The structures of tails and headers agree with the specification") {
  for (const StructDesc* layout :
       {&layout::kCommandHeader, &layout::kResponseHeader, &layout::kLight7,
        &layout::kRectPatchInfo, &layout::kTriPatchInfo, &layout::kVertexElement9}) {
    CAPTURE(layout->spec_name);
    const json& declared = Spec()["structs"][std::string(layout->spec_name)];
    CHECK(layout->size == declared["size"].get<uint32_t>());
    CheckFields(*layout, declared["fields"]);
  }
}
