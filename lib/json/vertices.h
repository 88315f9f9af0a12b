// Vertices as arrays of numbers, by their flexible vertex format; no byte is lost.
//
// [[x, y, z, rhw, "#aarrggbb"], ...]: one number for each float, a colour, packed indices as "0x" and 8 digits, NaN and infinity by
// their bits. Bytes of a vertex after its format, where they are not zeros, are its last element {"raw": HEX}; bytes after the last
// whole vertex are the last element of the list, {"raw": HEX}.
// Where no format of the event says what they are, the first element does: {"words":"fffc"}, one letter for each 4 bytes of a vertex, f a float, c
// a D3DCOLOR, x bits as a hexadecimal number.
#pragma once

#include "json/builder.h"
#include "json/values.h"

namespace dp2trace::json {

// How vertices are written.
enum class Vertices : uint8_t {
  kBytes,     // FVF codes as numbers, vertices as bytes: the canonical form
  kReadable,  // names of flags, arrays of numbers
};

// Whether vertices of this format and size have a form as numbers: an FVF code, no handle, that is not longer than the size.
bool HasReadableVertices(uint32_t vertex_type, uint32_t vertex_size);
// For vertices that have it.
void WriteVertices(Bytes vertices, uint32_t vertex_type, uint32_t vertex_size, Builder& out);
// By words of their own, of which there is at least one.
void WriteVertices(Bytes vertices, std::string_view words, Builder& out);
// An array of vertices with words of its own.
bool ReadOwnVertices(Values& values, Node& node, Bytes& out);
// An array of vertices. A vertex_size of 0 means that of the format, and is set to it.
bool ReadVertices(Values& values, Node& node, uint32_t vertex_type, uint32_t& vertex_size,
                  Bytes& out);

// An FVF code by its names, "XYZRHW|DIFFUSE", or a number.
void WriteFvf(uint32_t code, Builder& out);
bool ReadFvf(Values& values, const Node& node, uint32_t& out);
// The value is names, no number.
bool IsFvfText(const Node& node);

}  // namespace dp2trace::json
