// Typed access to the records, fields and tails of a framed command, without allocation.
// All of it trusts the sizes of the command: it must come from a Decoder (or ResponseDecoder) with the same environment.
#pragma once

#include <bit>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "base/bytes.h"
#include "opcode/opcode.h"
#include "stream/stream.h"

namespace dp2trace::stream {

// Place and type of a field. Made at compile time by its JSON name; a name that the structure lacks does not compile:
//   constexpr FieldRef kStage = Field(opcode::layout::kTextureStageState, "stage");
struct FieldRef {
  uint32_t offset = 0;
  opcode::Wire wire{};
  uint8_t count = 1;
  std::string_view name;  // as in the JSON form

  constexpr uint32_t size() const { return opcode::SizeOf(wire) * count; }  // bytes
};

consteval FieldRef Field(const opcode::StructDesc& layout, std::string_view name) {
  for (size_t i = 0; i < layout.fields.size(); ++i) {
    const opcode::FieldDesc& field = layout.fields[i];
    if (field.name == name)
      return {opcode::FieldOffset(layout, i), field.wire, field.count, field.name};
  }
  throw "the structure has no such field";  // not a constant expression
}

// An integer or the bits of a float, zero-extended (i16: sign-extended).
inline uint32_t LoadWire(opcode::Wire wire, const uint8_t* at) {
  switch (wire) {
    case opcode::Wire::kU8:
      return *at;
    case opcode::Wire::kU16:
      return LoadU16(at);
    case opcode::Wire::kI16:
      return static_cast<uint32_t>(static_cast<int32_t>(Load<int16_t>(at)));
    case opcode::Wire::kU32:
    case opcode::Wire::kI32:
    case opcode::Wire::kF32:
      return LoadU32(at);
  }
  return 0;
}

// Element `part` of a field of the structure at `at`.
inline uint32_t FieldU32(const uint8_t* at, FieldRef field, uint32_t part = 0) {
  return LoadWire(field.wire, at + field.offset + size_t{part} * opcode::SizeOf(field.wire));
}
inline int32_t FieldI32(const uint8_t* at, FieldRef field, uint32_t part = 0) {
  return static_cast<int32_t>(FieldU32(at, field, part));
}
inline float FieldF32(const uint8_t* at, FieldRef field, uint32_t part = 0) {
  return std::bit_cast<float>(FieldU32(at, field, part));
}
// The same by index into the field list, for code that walks the table.
inline uint32_t FieldU32(const opcode::StructDesc& layout, const uint8_t* at, size_t index) {
  return LoadWire(layout.fields[index].wire, at + opcode::FieldOffset(layout, index));
}

// ---------- fixed structure ----------

// Start of the fixed structure (op->fixed), after the header.
inline const uint8_t* FixedAt(const Command& command) {
  return command.bytes.data() + command.op->header_size();
}
// A field of the fixed structure.
inline uint32_t FieldU32(const Command& command, FieldRef field, uint32_t part = 0) {
  return FieldU32(FixedAt(command), field, part);
}
inline float FieldF32(const Command& command, FieldRef field, uint32_t part = 0) {
  return FieldF32(FixedAt(command), field, part);
}

// ---------- tails ----------

// The variable parts after one structure: a record, or the fixed structure of an operation without records.
struct TailHost {
  const opcode::OpInfo* op = nullptr;
  const opcode::StructDesc* layout = nullptr;  // null: the operation has no fixed structure either
  const uint8_t* at = nullptr;                 // the structure
  const uint8_t* tails = nullptr;              // the first tail byte
  uint64_t tails_offset = 0;                   // its offset from the start of the command buffer
  uint32_t vertex_size = 0;
  uint16_t count = 0;  // of the command
};

// One tail part. A part whose condition does not hold is absent: is_present false, no bytes.
struct TailPart {
  const opcode::TailDesc* desc = nullptr;
  bool is_present = false;
  Bytes padding;  // filler before vertices, 0-3 bytes
  Bytes bytes;

  // Number of elements; bytes where the part has no element structure. Immediate vertices count as bytes.
  size_t size() const {
    return desc->element != nullptr ? bytes.size() / desc->element->size : bytes.size();
  }
  const uint8_t* at(size_t element) const { return bytes.data() + element * desc->element->size; }
};

bool IsPresent(const opcode::TailDesc& tail, const TailHost& host);
// Bytes of one part without padding; 0 where it is absent. Any value that 64 bits hold: not checked against the stream.
uint64_t TailSize(const opcode::TailDesc& tail, const TailHost& host);
// Filler bytes that align vertices at this offset from the start of the command buffer.
constexpr uint32_t VertexPadding(uint64_t offset) {
  return static_cast<uint32_t>(-offset & 3);
}

// Part `index` of host.op->tails.
TailPart Tail(const TailHost& host, size_t index);
// The tails of an operation without records.
TailHost FixedTails(const Command& command, const Environment& environment);

// ---------- records ----------

// One record and what follows it.
struct Record {
  TailHost host;
  uint32_t index = 0;
  Bytes bytes;  // the record structure and its tails

  const uint8_t* at() const { return host.at; }
  uint64_t offset() const {
    return host.tails_offset - host.layout->size;
  }  // from the start of the command buffer
  uint32_t U32(FieldRef field, uint32_t part = 0) const { return FieldU32(host.at, field, part); }
  int32_t I32(FieldRef field, uint32_t part = 0) const { return FieldI32(host.at, field, part); }
  float F32(FieldRef field, uint32_t part = 0) const { return FieldF32(host.at, field, part); }
  TailPart Tail(size_t tail) const { return stream::Tail(host, tail); }
};

// The fixed structure of an operation without records, as a record. What it has as `bytes` is the command.
Record FixedRecord(const Command& command, const Environment& environment);

// Where a command or one of its records stands in the JSON of its event: "commands/17", "commands/17/states/5".
std::string PathOf(const Command& command);
std::string PathOf(const Command& command, const Record& record);

// ---------- places ----------

// The words of a structure or its tails that a finding is about, relative to the structure.
struct Word {
  uint64_t offset = 0;  // bytes from the start of the structure
  uint64_t length = 0;  // bytes; 0: the structure and everything in it
  std::string path;     // after that of the structure: "src_surface", "src_rect/2", "info/degree"

  Word() = default;
  Word(uint64_t at, uint64_t size, std::string name)
      : offset(at), length(size), path(std::move(name)) {}
  // A field, whole.
  Word(const FieldRef& field)  // NOLINT(google-explicit-constructor): a field is a place
      : offset(field.offset), length(field.size()), path(field.name) {}
};
// Element `part` of a field that is an array or a rectangle.
Word PartOf(const FieldRef& field, uint32_t part);
// Part `tail` after a structure; its element `element`; a field of its only element.
Word TailWord(const Record& record, size_t tail);
Word TailWord(const Record& record, size_t tail, size_t element);
Word TailWord(const Record& record, size_t tail, const FieldRef& field);
// Part `part` (left, top, right, bottom) of rectangle `number` of a CLEAR, relative to its fixed structure.
Word RectWord(uint32_t number, uint32_t part);
// The fields of the four bytes that start a command, relative to the command.
inline Word CountWord() {
  return {2, 2, "count"};
}
inline Word OperationWord() {
  return {0, 1, "op"};
}

// Where a word stands in the command buffer and in the JSON of its event.
struct WordPlace {
  uint64_t offset = 0;  // bytes from the start of the command buffer
  uint64_t length = 0;
  std::string path;
  bool is_whole = false;  // a command or record as a whole: none of its words in particular
};
WordPlace PlaceOf(const Command& command);
// Words of the header, or of the command as a whole.
WordPlace PlaceOf(const Command& command, const Word& word);
// Words of a record, or of the fixed structure of an operation without records (device::FixedRecord).
WordPlace PlaceOf(const Command& command, const Record& record, const Word& word = {});

// for (const Record& record : Records(command, environment)): the records after the fixed structure. For CLEAR these are
// the second and later rectangles; ListElements() gives all of them.
class RecordRange {
 public:
  class Iterator {
   public:
    using value_type = Record;
    using difference_type = std::ptrdiff_t;

    Iterator() = default;
    const Record& operator*() const { return record_; }
    const Record* operator->() const { return &record_; }
    Iterator& operator++() {
      ++record_.index;
      MoveTo(record_.bytes.data() + record_.bytes.size());
      return *this;
    }
    void operator++(int) { ++*this; }
    bool operator==(std::default_sentinel_t) const { return record_.index == count_; }

   private:
    friend class RecordRange;
    void MoveTo(const uint8_t* at);

    Record record_;
    const uint8_t* token_ = nullptr;
    uint64_t token_offset_ = 0;
    uint32_t count_ = 0;
  };

  RecordRange(const Command& command, const Environment& environment)
      : command_(command), vertex_size_(environment.vertex_size) {}

  Iterator begin() const;
  std::default_sentinel_t end() const { return {}; }

 private:
  Command command_;
  uint32_t vertex_size_;
};

inline RecordRange Records(const Command& command, const Environment& environment) {
  return {command, environment};
}

// Record `index` of an operation whose records have no tails: all lie at fixed places.
Record RecordAt(const Command& command, uint32_t index);

// The elements of the list of an operation without tails, as one array of op->record structures: all records and, for
// CLEAR, the rectangle inside the fixed structure before them (present, with undefined content, even where the count is 0).
Bytes ListElements(const Command& command);

}  // namespace dp2trace::stream
