// The DP2 operation table: the single source of truth for the layout of every token.
// Decoder, encoder, JSON, dump, the generic checks and the documentation read it; none of them knows an operation by name.
// Source: tests/data/dp2-ops.json; lib/opcode/dp2.md 2 and 25.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/enum_info.h"
#include "base/rule.h"

namespace dp2trace::opcode {

enum class Op : uint8_t {
#define DP2TRACE_OPCODE(Name, code, ...) k##Name = code,
#include "opcode/opcodes.def"
#undef DP2TRACE_OPCODE
};

enum class Wire : uint8_t { kU8, kU16, kI16, kU32, kI32, kF32 };
// Bytes of one value.
constexpr uint32_t SizeOf(Wire wire) {
  return wire == Wire::kU8 ? 1 : (wire == Wire::kU16 || wire == Wire::kI16) ? 2 : 4;
}

// What a number means: how dump and JSON write it and which generic check applies.
enum class Meaning : uint8_t {
  kNumber,
  kHex,
  kBool,               // 0 or non-zero
  kColor,              // D3DCOLOR
  kEnum,               // a value of FieldDesc::names
  kFlags,              // bits of FieldDesc::names
  kRenderState,        // a render state number
  kRenderStateValue,   // typed by the kRenderState field of the same record
  kTextureStageState,  // a texture stage state number
  kTextureStageStateValue,
  kTransform,    // a transform state number
  kFvfOrHandle,  // bit 0 clear: an FVF; set: a handle
  kSurface,      // surface handle (textures, targets, buffers)
  kPalette,
  kVertexShader,
  kVertexDeclaration,
  kVertexShaderCode,
  kPixelShader,
  kStateBlock,
  kQuery,
  kPatch,
};

struct FieldDesc {
  std::string_view name;       // JSON name: "stage"
  std::string_view spec_name;  // the documentation's name: "wStage"
  Wire wire;
  uint8_t count = 1;  // > 1: an array (matrix 16, float4 4, RECT 4)
  Meaning meaning = Meaning::kNumber;
  const EnumInfo* names = nullptr;  // for kEnum and kFlags
  // Names of the array's parts ("left", "top", ...); none: an array of numbers.
  std::span<const std::string_view> parts = {};
  constexpr uint32_t size() const { return SizeOf(wire) * count; }
};

// A packed structure: fields without gaps, in wire order.
struct StructDesc {
  std::string_view spec_name;  // "D3DHAL_DP2TEXTURESTAGESTATE"
  std::span<const FieldDesc> fields;
  uint32_t size;  // bytes
  // Its one field stands for the whole: a list of them is a list of values ("indices", "rects", "values").
  bool plain = false;
};

// Bytes from the start of the structure to field `index`.
constexpr uint32_t FieldOffset(const StructDesc& layout, size_t index) {
  uint32_t offset = 0;
  for (size_t i = 0; i < index; ++i)
    offset += layout.fields[i].size();
  return offset;
}

enum class TailCondition : uint8_t { kAlways, kFieldEquals, kFieldHasBit };
enum class TailCount : uint8_t {
  kFixed,       // `count` elements
  kFieldCount,  // as many elements as the field says
  kFieldBytes,  // as many bytes as the field says; elements of `element` size, a remainder stays raw
  // Padding to a multiple of 4 of the buffer offset, then (vertex_mul * token count + vertex_add) vertices of the call's size.
  kVertices,
};

// One part of the variable data after a record (or after the fixed structure of a token without records), in wire order.
struct TailDesc {
  std::string_view name;                // JSON name: "light", "segments", "info", "code"
  const StructDesc* element = nullptr;  // layout of one element; null = bytes
  TailCondition condition = TailCondition::kAlways;
  uint8_t condition_field = 0;   // index of a field of the record (or of the fixed structure)
  uint32_t condition_value = 0;  // the value, or the bit
  TailCount counting = TailCount::kFixed;
  uint8_t count_field = 0;
  uint32_t count = 1;
  uint32_t vertex_mul = 0, vertex_add = 0;
  bool is_shader_code = false;  // the bytes are the token array of a shader
};

// What a record must hold for the length of its token to be known: (field & mask) == value; else the token cannot be framed.
struct RecordCheck {
  uint8_t field = 0;  // index of a field of the record
  uint32_t mask = 0;
  uint32_t value = 0;
  Rule rule{};  // how a violation is reported
};

// How many records follow the fixed structure.
enum class Repeat : uint8_t {
  kNone,           // exactly the fixed structure, whatever the count says
  kCount,          // count records
  kCountPlus,      // count + repeat_add records
  kCountMinusOne,  // max(count, 1) - 1 records: the first one is part of the fixed structure (CLEAR)
};

// Kinds of tests/data/dp2-ops.json, as bits.
enum Kind : uint8_t {
  kDraw = 1,
  kState = 2,
  kResource = 4,
  kBlt = 8,
  kQueryKind = 16,
  kStateBlockKind = 32,
  kExtension = 64,
};

enum class Direction : uint8_t { kToDriver, kToRuntime };

inline constexpr uint32_t kCommandHeaderSize = 4;
// D3DHAL_DP2RESPONSE, in place of the command header.
inline constexpr uint32_t kResponseHeaderSize = 8;
inline constexpr uint8_t kNoField = 0xFF;

struct OpInfo {
  Op op;
  uint8_t level;       // driver level
  uint8_t gate_level;  // DIRECT3D_VERSION gate of the public header
  Direction direction;
  uint8_t kinds;  // Kind bits
  Repeat repeat;
  // Index of the field of `fixed` that holds the first element of the list (CLEAR), else kNoField.
  uint8_t first_record_field;
  uint32_t repeat_add;
  std::string_view name;           // "RENDERSTATE"
  std::string_view count_name;     // "wStateCount" or "wPrimitiveCount"
  std::string_view count_meaning;  // what the count is, in the words of the documentation
  std::string_view list_name;  // JSON name of the list of records: "records", "rects", "indices"
  const StructDesc* fixed;     // structure after the command header, or null
  const StructDesc* record;    // repeated structure, or null
  std::span<const TailDesc> tails;
  const RecordCheck* check;  // or null

  constexpr uint32_t header_size() const {
    return direction == Direction::kToDriver ? kCommandHeaderSize : kResponseHeaderSize;
  }
  constexpr bool is(Kind kind) const { return (kinds & kind) != 0; }
  // Number of records after the fixed structure of a token with this count.
  constexpr uint32_t RecordCount(uint16_t count) const {
    switch (repeat) {
      case Repeat::kNone:
        return 0;
      case Repeat::kCount:
        return count;
      case Repeat::kCountPlus:
        return count + repeat_add;
      case Repeat::kCountMinusOne:
        return count == 0 ? 0u : count - 1u;
    }
    return 0;
  }
};

// The part of a row that the decoder needs for a token without tails:
// size = base + record_size * max(count, count_floor), at most 65535 * 255 + 65535 bytes.
struct FrameRule {
  const OpInfo* op = nullptr;  // null: not an operation
  uint16_t base = 0;
  uint8_t record_size = 0;
  uint8_t count_floor = 0;
  // false: no such operation, not for the driver, has tails or a record check.
  bool is_simple = false;
};
static_assert(sizeof(FrameRule) <= 16);

// By operation value.
extern const std::array<FrameRule, 256> kFrameRules;

// The row of an operation value, or null for a value that is not an operation.
inline const OpInfo* Find(uint8_t code) {
  return kFrameRules[code].op;
}
inline const OpInfo& Info(Op op) {
  return *kFrameRules[static_cast<uint8_t>(op)].op;
}
const OpInfo* FindByName(std::string_view name);
// All rows by ascending code.
std::span<const OpInfo> AllOps();

}  // namespace dp2trace::opcode
