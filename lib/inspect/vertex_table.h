// The vertices and primitives of a draw as the page lists them.
#pragma once

#include <cstdint>

#include "json/builder.h"
#include "state/mesh.h"

namespace dp2trace::inspect {

inline constexpr uint32_t kListedVertices = 10000;  // of one record
// What is made for a table: more costs time and is not listed.
inline constexpr state::MeshLimits kTableLimits = {.primitives = 16384, .steps = uint64_t{1} << 24};

// An object: "columns", "rows", "numbers", "clip", "screen", "indices" (corners as places in rows), "more".
void AppendVertices(json::Builder& out, const state::Mesh& mesh);

}  // namespace dp2trace::inspect
