#include "opcode/opcode.h"

#include "opcode/layouts.h"

namespace dp2trace::opcode {
namespace {

constexpr const StructDesc* OrNull(const StructDesc& layout) {
  return layout.fields.empty() ? nullptr : &layout;
}
constexpr const RecordCheck* OrNull(const RecordCheck& check) {
  return check.mask == 0 ? nullptr : &check;
}

// The list of CLEAR starts in the last field of its fixed structure.
constexpr uint8_t FirstRecordField(Repeat repeat, const StructDesc& fixed) {
  return repeat == Repeat::kCountMinusOne ? static_cast<uint8_t>(fixed.fields.size() - 1)
                                          : kNoField;
}

constexpr OpInfo kOps[] = {
#define DP2TRACE_OPCODE(Name, code, name, count_name, level, gate, direction, kinds, fixed, \
                        record, repeat, add, tails, check, list, count_meaning)             \
  {Op::k##Name,                                                                             \
   level,                                                                                   \
   gate,                                                                                    \
   Direction::k##direction,                                                                 \
   static_cast<uint8_t>(kinds),                                                             \
   Repeat::k##repeat,                                                                       \
   FirstRecordField(Repeat::k##repeat, layout::k##fixed),                                   \
   add,                                                                                     \
   name,                                                                                    \
   count_name,                                                                              \
   count_meaning,                                                                           \
   list,                                                                                    \
   OrNull(layout::k##fixed),                                                                \
   OrNull(layout::k##record),                                                               \
   layout::k##tails,                                                                        \
   OrNull(layout::k##check)},
#include "opcode/opcodes.def"
#undef DP2TRACE_OPCODE
};

// ---------- properties of the table that the decoder relies on ----------

constexpr bool CodesAscend() {
  for (size_t i = 1; i < std::size(kOps); ++i) {
    if (kOps[i - 1].op >= kOps[i].op) return false;
  }
  return true;
}
static_assert(CodesAscend(), "rows are sorted by code, codes are unique");

constexpr bool NamesAreUnique() {
  for (size_t i = 0; i < std::size(kOps); ++i) {
    for (size_t j = 0; j < i; ++j) {
      if (kOps[i].name == kOps[j].name) return false;
    }
  }
  return true;
}
static_assert(NamesAreUnique());

constexpr bool IsWord(const FieldDesc& field) {
  return field.count == 1 && field.wire != Wire::kF32;
}

// The structure that conditions and counts of tails refer to.
constexpr const StructDesc* TailHost(const OpInfo& op) {
  return op.record != nullptr ? op.record : op.fixed;
}

constexpr bool IsWordOfHost(const OpInfo& op, uint8_t index) {
  const StructDesc* const host = TailHost(op);
  return host != nullptr && index < host->fields.size() && IsWord(host->fields[index]);
}

constexpr bool TailFieldsExist(const OpInfo& op) {
  for (const TailDesc& tail : op.tails) {
    const bool counts =
        tail.counting == TailCount::kFieldCount || tail.counting == TailCount::kFieldBytes;
    if (counts && !IsWordOfHost(op, tail.count_field)) return false;
    if (tail.condition != TailCondition::kAlways && !IsWordOfHost(op, tail.condition_field))
      return false;
    // Vertices are the only part of an operation without records: their alignment depends on nothing but the header's place.
    if (tail.counting == TailCount::kVertices && (op.record != nullptr || op.tails.size() != 1))
      return false;
  }
  return op.check == nullptr || IsWordOfHost(op, op.check->field);
}

constexpr bool TableIsSound() {
  for (const OpInfo& op : kOps) {
    if (!TailFieldsExist(op) || (op.repeat == Repeat::kNone) != (op.record == nullptr))
      return false;
    if (op.record == nullptr) continue;
    if (op.record->size > 0xFF) return false;
    if (op.repeat == Repeat::kCountMinusOne && op.fixed->fields.back().size() != op.record->size)
      return false;
  }
  return true;
}
static_assert(TableIsSound());

constexpr FrameRule MakeFrameRule(const OpInfo& op) {
  FrameRule rule;
  rule.op = &op;
  uint32_t base = op.header_size() + (op.fixed != nullptr ? op.fixed->size : 0);
  if (op.record != nullptr) {
    rule.record_size = static_cast<uint8_t>(op.record->size);
    base += op.repeat_add * op.record->size;
    if (op.repeat == Repeat::kCountMinusOne) {
      rule.count_floor = 1;
      base -= op.record->size;
    }
  }
  rule.base = static_cast<uint16_t>(base);
  rule.is_simple = op.direction == Direction::kToDriver && op.tails.empty() && op.check == nullptr;
  return rule;
}

}  // namespace

constinit const std::array<FrameRule, 256> kFrameRules = [] {
  std::array<FrameRule, 256> rules{};
  for (const OpInfo& op : kOps)
    rules[static_cast<uint8_t>(op.op)] = MakeFrameRule(op);
  return rules;
}();

const OpInfo* FindByName(std::string_view name) {
  for (const OpInfo& op : kOps) {
    if (op.name == name) return &op;
  }
  return nullptr;
}

std::span<const OpInfo> AllOps() {
  return kOps;
}

}  // namespace dp2trace::opcode
