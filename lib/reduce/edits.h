// Changes that make a trace smaller or plainer, one list for each kind of thing.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "trace_model/model.h"

namespace dp2trace::reduce {

// The changed model; nothing where there is nothing to change (any more).
using Edit = std::function<std::optional<trace_model::Model>(const trace_model::Model& model)>;
using Edits = std::vector<Edit>;

// Events and tokens, `size` of them at once, from the end on. The header stays.
Edits DeleteChunks(const trace_model::Model& model, size_t size);
// How many things DeleteChunks() chooses from.
size_t CountAtoms(const trace_model::Model& model);
// Each surface, each object of a context, and each KMT object, with everything that names it.
Edits DeleteObjects(const trace_model::Model& model);
// Records of tokens (states, indexed primitives), half of them, a quarter, ... one. Of packets elements of their lists, too.
Edits DeleteRecords(const trace_model::Model& model);
// The first or the second half of the primitives of a draw.
Edits HalvePrimitives(const trace_model::Model& model);
// Levels below the top, and half of the width or height of textures, with their contents; the second half of buffers and of vertices.
Edits ShrinkResources(const trace_model::Model& model);
// Fields of events that have defaults.
Edits DefaultFields(const trace_model::Model& model);
// Numbers in tokens: 0.
Edits ZeroNumbers(const trace_model::Model& model);
// Contents of surfaces and vertices: 0, as a whole and in pieces.
Edits ZeroContents(const trace_model::Model& model);

}  // namespace dp2trace::reduce
