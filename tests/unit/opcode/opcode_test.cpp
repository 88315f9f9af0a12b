#include "opcode/opcode.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>

#include "opcode/layouts.h"

using namespace dp2trace;          // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::opcode;  // NOLINT(google-build-using-namespace): test file

namespace {

bool IsUpper(char c) {
  return c >= 'A' && c <= 'Z';
}
bool IsLower(char c) {
  return c >= 'a' && c <= 'z';
}

bool IsSnakeCase(std::string_view name) {
  if (name.empty() || name.front() == '_' || name.back() == '_') return false;
  return name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string_view::npos;
}

// The JSON name that the documentation's name gives: type prefix dropped, snake_case.
std::string DerivedName(std::string_view spec_name) {
  for (const std::string_view prefix : {"dwDD", "dcv", "dlt", "dw", "dv", "w", "b", "h"}) {
    const bool is_prefix = spec_name.starts_with(prefix) && spec_name.size() > prefix.size() &&
                           IsUpper(spec_name[prefix.size()]);
    if (!is_prefix) continue;
    spec_name.remove_prefix(prefix.size());
    break;
  }
  std::string name;
  for (size_t i = 0; i < spec_name.size(); ++i) {
    const bool follows_lower = i > 0 && !IsUpper(spec_name[i - 1]);
    const bool starts_word = i > 0 && i + 1 < spec_name.size() && IsLower(spec_name[i + 1]);
    if (IsUpper(spec_name[i]) && (follows_lower || starts_word) && i > 0) name += '_';
    name += IsUpper(spec_name[i]) ? static_cast<char>(spec_name[i] - 'A' + 'a') : spec_name[i];
  }
  return name;
}

// Names of lists and geometry that the rule does not give.
constexpr std::string_view kChosenNames[] = {
    "transform", "type",       "dest_point", "src_rect", "src_range",      "source_rect",
    "dest_rect", "dirty_area", "rect",       "ts_state", "primitive_count"};

void CheckFields(const StructDesc& layout) {
  CAPTURE(layout.spec_name);
  std::set<std::string_view> names;
  uint32_t size = 0;
  for (const FieldDesc& field : layout.fields) {
    CAPTURE(field.name);
    CHECK(IsSnakeCase(field.name));
    const bool is_chosen = std::find(std::begin(kChosenNames), std::end(kChosenNames),
                                     field.name) != std::end(kChosenNames);
    CHECK((layout.plain || is_chosen || field.name == DerivedName(field.spec_name)));
    CHECK_MESSAGE(names.insert(field.name).second, "a JSON name is used twice in one structure");
    const bool is_named = field.meaning == Meaning::kEnum || field.meaning == Meaning::kFlags;
    CHECK(is_named == (field.names != nullptr));
    if (field.names != nullptr) {
      CHECK_FALSE(field.names->values.empty());
      CHECK(field.names->is_flags == (field.meaning == Meaning::kFlags));
    }
    CHECK((field.parts.empty() || field.parts.size() == field.count));
    size += field.size();
  }
  CHECK(size == layout.size);
  CHECK((!layout.plain || layout.fields.size() == 1));
}

}  // namespace

TEST_CASE("Find: has a row for exactly the 83 operations, under their own code and name") {
  CHECK(AllOps().size() == 83);
  uint32_t found = 0;
  for (uint32_t code = 0; code < 256; ++code) {
    const OpInfo* op = Find(static_cast<uint8_t>(code));
    if (op == nullptr) continue;
    ++found;
    CHECK(static_cast<uint32_t>(op->op) == code);
    CHECK(FindByName(op->name) == op);
    CHECK(&Info(op->op) == op);
  }
  CHECK(found == 83);
  CHECK(FindByName("D3DDP2OP_CLEAR") == nullptr);
  CHECK(Find(0) == nullptr);
  CHECK(Find(11) == nullptr);
  CHECK(Find(78) == nullptr);
  CHECK(Find(99) == nullptr);
}

TEST_CASE("Layouts: every field has a unique snake_case name and a consistent type") {
  CheckFields(layout::kCommandHeader);
  CheckFields(layout::kResponseHeader);
  for (const OpInfo& op : AllOps()) {
    CAPTURE(op.name);
    if (op.fixed != nullptr) CheckFields(*op.fixed);
    if (op.record != nullptr) CheckFields(*op.record);
    for (const TailDesc& tail : op.tails) {
      CHECK(IsSnakeCase(tail.name));
      if (tail.element != nullptr) CheckFields(*tail.element);
    }
  }
}

TEST_CASE("Layouts: names of one command do not collide in JSON") {
  for (const OpInfo& op : AllOps()) {
    CAPTURE(op.name);
    std::set<std::string_view> outer = {"op", "count", "reserved"};
    if (op.fixed != nullptr) {
      for (size_t i = 0; i < op.fixed->fields.size(); ++i) {
        if (i != op.first_record_field) CHECK(outer.insert(op.fixed->fields[i].name).second);
      }
    }
    if (op.record != nullptr) CHECK(outer.insert(op.list_name).second);

    std::set<std::string_view> inner;
    if (op.record != nullptr) {
      for (const FieldDesc& field : op.record->fields)
        inner.insert(field.name);
    } else {
      inner = outer;
    }
    for (const TailDesc& tail : op.tails)
      CHECK(inner.insert(tail.name).second);
  }
}

TEST_CASE("CLEAR: the first rectangle is the last field of the fixed structure") {
  const OpInfo& clear = Info(Op::kClear);
  REQUIRE(clear.first_record_field == 4);
  CHECK(clear.fixed->fields[4].size() == clear.record->size);
  CHECK(FieldOffset(*clear.fixed, 4) == 16);
  CHECK(clear.list_name == "rects");
  CHECK(clear.RecordCount(0) == 0);
  CHECK(clear.RecordCount(1) == 0);
  CHECK(clear.RecordCount(3) == 2);
}

TEST_CASE("RecordCount: strips and fans count primitives, other operations records") {
  CHECK(Info(Op::kIndexedLineStrip).RecordCount(3) == 4);
  CHECK(Info(Op::kIndexedTriangleFan).RecordCount(65535) == 65537);
  CHECK(Info(Op::kRenderState).RecordCount(7) == 7);
  CHECK(Info(Op::kUpdatePalette).RecordCount(7) == 0);
}

TEST_CASE("FrameRule: gives the size of a token without tails") {
  const FrameRule& clear = kFrameRules[42];
  CHECK(clear.is_simple);
  CHECK(clear.base == 20);
  CHECK(clear.record_size == 16);
  CHECK(clear.count_floor == 1);
  CHECK_FALSE(kFrameRules[34].is_simple);  // SETLIGHT has tails
  CHECK_FALSE(kFrameRules[37].is_simple);  // EXT has a record check
  CHECK_FALSE(kFrameRules[88].is_simple);  // RESPONSEQUERY travels to the runtime
  CHECK_FALSE(kFrameRules[0].is_simple);
}
