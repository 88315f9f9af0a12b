#include "import/bind/call_args.h"

#include <bit>

namespace dp2trace::import {
namespace {

bool IsReal(const Value& value) {
  return value.kind == ValueKind::kFloat || value.kind == ValueKind::kDouble;
}

// A double as integer; what does not fit is 0.
uint64_t FromReal(double value) {
  if (!(value > -9.0e18 && value < 9.0e18)) return 0;
  return static_cast<uint64_t>(static_cast<int64_t>(value));
}

bool IsNumber(const Value& value) {
  switch (value.kind) {
    case ValueKind::kBool:
    case ValueKind::kInt:
    case ValueKind::kUint:
    case ValueKind::kEnum:
    case ValueKind::kBitmask:
    case ValueKind::kPointer:
      return true;
    default:
      return false;
  }
}

uint64_t NumberOf(const Value* value) {
  return value == nullptr ? 0 : AsNumber(*value);
}

// Shader code comes with its disassembly: the second item is the machine's.
Bytes BlobOf(const Value* value) {
  value = Pointee(value);
  if (value != nullptr && value->kind == ValueKind::kRepr && value->items.size() == 2)
    value = &value->items[1];
  return value != nullptr && value->kind == ValueKind::kBlob ? value->blob : Bytes();
}

uint64_t MemberNumber(const Value* value, std::string_view member) {
  const Value* structure = Pointee(value);
  return structure == nullptr ? 0 : NumberOf(Member(*structure, member));
}

std::vector<uint32_t> WordsOf(const Value* value) {
  std::vector<uint32_t> words;
  if (value != nullptr) AppendWords(*value, words);
  return words;
}

}  // namespace

uint64_t AsNumber(const Value& value) {
  if (IsReal(value)) return FromReal(value.real);
  if (IsNumber(value)) return value.bits();
  // A value with a text beside it (uuid, half): the second item is the machine's.
  if (value.kind == ValueKind::kRepr && value.items.size() == 2) return AsNumber(value.items[1]);
  return 0;
}

uint32_t AsBits(const Value& value) {
  if (IsReal(value)) return std::bit_cast<uint32_t>(static_cast<float>(value.real));
  return static_cast<uint32_t>(AsNumber(value));
}

const Value* Pointee(const Value* value) {
  if (value == nullptr || value->kind == ValueKind::kNull) return nullptr;
  if (value->kind != ValueKind::kArray) return value;
  return value->items.empty() ? nullptr : &value->items.front();
}

const Value* Member(const Value& structure, std::string_view name) {
  if (structure.kind != ValueKind::kStruct || structure.structure == nullptr) return nullptr;
  const std::vector<std::string>& members = structure.structure->members;
  for (size_t i = 0; i < members.size() && i < structure.items.size(); ++i) {
    if (members[i] == name) return &structure.items[i];
  }
  return nullptr;
}

bool HasFailed(const Call& call) {
  if (!call.result) return false;
  const ValueKind kind = call.result->kind;
  if (kind != ValueKind::kEnum && kind != ValueKind::kInt) return false;
  return (call.result->bits() & 0x80000000) != 0;
}

const Value* CallArgs::At(size_t index) const {
  if (index >= call_.args.size() || !call_.args[index]) return nullptr;
  const Value& value = *call_.args[index];
  return value.kind == ValueKind::kNull ? nullptr : &value;
}

uint64_t CallArgs::U64(size_t index) const {
  return NumberOf(At(index));
}

uint32_t CallArgs::Bits32(size_t index) const {
  const Value* value = At(index);
  return value == nullptr ? 0 : AsBits(*value);
}

uint64_t CallArgs::Out(size_t index) const {
  return NumberOf(Pointee(At(index)));
}

Bytes CallArgs::Blob(size_t index) const {
  return BlobOf(At(index));
}

uint64_t CallArgs::MemberOf(size_t index, std::string_view member) const {
  return MemberNumber(At(index), member);
}

std::vector<uint32_t> CallArgs::Words(size_t index) const {
  return WordsOf(At(index));
}

void AppendWords(const Value& value, std::vector<uint32_t>& out) {
  switch (value.kind) {
    case ValueKind::kArray:
    case ValueKind::kStruct:
      for (const Value& item : value.items)
        AppendWords(item, out);
      return;
    case ValueKind::kBlob:
      for (size_t at = 0; at + 4 <= value.blob.size(); at += 4)
        out.push_back(LoadU32(value.blob.data() + at));
      return;
    default:
      out.push_back(AsBits(value));
  }
}

}  // namespace dp2trace::import
