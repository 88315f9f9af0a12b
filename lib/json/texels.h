// The bytes of texels that a person wrote: rows of colours, or a PNG file beside the trace.
//
// {"texels":[["#ff0000","#00ff00"],["#80000000","#ffffff"]],"format":"R5G6B5"}
// {"png":"wood.png","format":"R5G6B5"}
// The format is that of the surface; without it that of the event, and where that has none texels have 32 bits (A8R8G8B8, X8R8G8B8).
#pragma once

#include <cstdint>
#include <optional>

#include "json/values.h"

namespace dp2trace::json {

// Whether the value is one of the two.
bool IsTexels(const Values& values, const Node& node);
// `event_format` is the D3DFORMAT of the event, or 0. `pitch` is in bytes; where there is none, rows follow each other, and it is set to the size of a row: a surface of another width is noticed.
bool ReadTexels(Values& values, Node& node, uint32_t event_format, std::optional<uint32_t>& pitch,
                Bytes& out);

}  // namespace dp2trace::json
