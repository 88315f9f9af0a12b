#include "json/packet_lists.h"

#include <cstring>

namespace dp2trace::json {

namespace {

constexpr PackedField kAllocationFields[] = {
    {"allocation", 0},
    {"write_operation", 4, 0, 1, true},
    {"do_not_retire_instance", 4, 1, 1, true},
    {"offer_priority", 4, 2, 3},
    {"reserved", 4, 5, 27},
};

constexpr PackedField kPatchFields[] = {
    {"allocation_index", 0},   {"slot_id", 4, 0, 24}, {"reserved", 4, 24, 8}, {"driver_id", 8},
    {"allocation_offset", 12}, {"patch_offset", 16},  {"split_offset", 20},
};

constexpr bool CoversEveryBit(std::span<const PackedField> fields, uint32_t size) {
  uint32_t bits = 0;
  for (const PackedField& field : fields)
    bits += field.width;
  return bits == size * 8;
}
static_assert(CoversEveryBit(kAllocationFields, 8));
static_assert(CoversEveryBit(kPatchFields, 24));

constexpr uint32_t MaxOf(const PackedField& field) {
  return UINT32_MAX >> (32 - field.width);
}

void WriteElement(const PackedElement& element, const uint8_t* at, Builder& out) {
  out.Raw('{');
  for (const PackedField& field : element.fields) {
    const uint32_t value = LoadU32(at + field.offset) >> field.shift & MaxOf(field);
    if (value == 0) continue;
    out.Key(field.name);
    if (field.is_bool) {
      out.Raw("true");
    } else {
      out.Number(value);
    }
  }
  out.Raw('}');
}

bool ReadValue(Values& values, const Node& node, const PackedField& field, uint64_t& out) {
  if (!field.is_bool) return values.Unsigned(node, MaxOf(field), out);
  bool value = false;
  if (!values.Bool(node, value)) return false;
  out = value ? 1 : 0;
  return true;
}

bool ReadElement(Values& values, Node& node, const PackedElement& element, uint8_t* at) {
  ObjectReader object(values, node);
  bool ok = true;
  for (const PackedField& field : element.fields) {
    const Node* const member = object.Find(field.name);
    uint64_t value = 0;
    if (member == nullptr) continue;
    if (!ReadValue(values, *member, field, value)) ok = false;
    Store(at + field.offset,
          LoadU32(at + field.offset) | static_cast<uint32_t>(value << field.shift));
  }
  return object.Finish() && ok;
}

}  // namespace

constinit const PackedElement kAllocationListElement = {"D3DDDI_ALLOCATIONLIST", 8,
                                                        kAllocationFields};
constinit const PackedElement kPatchListElement = {"D3DDDI_PATCHLOCATIONLIST", 24, kPatchFields};

void WriteRaw(Bytes bytes, Builder& out) {
  out.Raw("{\"raw\":");
  out.Hex(bytes);
  out.Raw('}');
}

bool ReadRaw(Values& values, Node& node, Bytes& out) {
  ObjectReader object(values, node);
  const Node* const raw = object.Require("raw");
  return raw != nullptr && values.Hex(*raw, out) && object.Finish();
}

void WritePackedList(const PackedElement& element, Bytes list, Builder& out) {
  if (list.size() % element.size != 0) return WriteRaw(list, out);
  out.Raw('[');
  for (size_t i = 0; i < list.size(); i += element.size) {
    if (i != 0) out.Raw(',');
    WriteElement(element, list.data() + i, out);
  }
  out.Raw(']');
}

bool ReadPackedList(Values& values, Node& node, const PackedElement& element, Bytes& out) {
  if (node.type == NodeType::kObject) return ReadRaw(values, node, out);
  if (!values.Expect(node, NodeType::kArray)) return false;
  const uint64_t size = uint64_t{node.size} * element.size;
  if (size == 0) return true;
  uint8_t* at = values.arena().Allocate(size);
  if (at == nullptr) return values.FailMemory(node);
  out = {at, static_cast<size_t>(size)};
  std::memset(at, 0, out.size());
  ElementIterator elements(values.tape(), node);
  bool ok = true;
  for (; Node* const item = elements.Next(); at += element.size) {
    if (!ReadElement(values, *item, element, at)) ok = false;
  }
  return ok;
}

}  // namespace dp2trace::json
