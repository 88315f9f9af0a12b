// Command streams as arrays of named tokens, by the operation table; no code for any single operation.
//
// An element of the array is a token {"op": NAME, ...}, bytes {"raw": HEX}, or, first, the bytes before the first command
// {"prefix": HEX}. traces/README.md describes the members of a token.
#pragma once

#include <vector>

#include "json/builder.h"
#include "json/values.h"
#include "json/vertices.h"
#include "stream/stream.h"

namespace dp2trace::json {

// Where a stream stands in its event.
struct StreamPlace {
  uint32_t command_offset = 0;  // bytes from the start of the command buffer to the first command
  uint32_t vertex_type = 0;     // FVF of immediate vertices
  uint32_t vertex_size = 0;     // bytes per immediate vertex
  bool has_prefix = false;      // the bytes start with those before the first command
  bool is_dp2 = true;           // else the bytes are opaque
  Vertices vertices = Vertices::kBytes;  // how immediate vertices are written
};

// Prefixes of zeros up to this size need not be written.
inline constexpr uint32_t kMaxImpliedPrefix = 64 << 10;

// Every byte is in the text: what is not a whole token follows as {"raw": HEX}.
void WriteCommands(Bytes bytes, const StreamPlace& place, Builder& out);
// `buffer` takes the bytes; `out` is a view of it.
bool ReadCommands(Values& values, Node& node, const StreamPlace& place,
                  std::vector<uint8_t>& buffer, Bytes& out);

// The value of the header's count that a token gets where "count" is missing.
uint64_t ImpliedCount(const opcode::OpInfo& op, uint64_t list_size);

}  // namespace dp2trace::json
