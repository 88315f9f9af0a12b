// Changes that make a trace smaller or plainer, one list for each kind of thing.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "edit/model.h"

namespace dp2trace::edit {

// The changed model; nothing where there is nothing to change (any more).
using Edit = std::function<std::optional<Model>(const Model& model)>;
using Edits = std::vector<Edit>;

// Events and tokens, `size` of them at once, from the end on. The header stays.
Edits DeleteChunks(const Model& model, size_t size);
// How many things DeleteChunks() chooses from.
size_t CountAtoms(const Model& model);
// Each surface, each object of a context, and each KMT object, with everything that names it.
Edits DeleteObjects(const Model& model);
// Records of tokens (states, indexed primitives), half of them, a quarter, ... one. Of packets elements of their lists, too.
Edits DeleteRecords(const Model& model);
// The first or the second half of the primitives of a draw.
Edits HalvePrimitives(const Model& model);
// Levels below the top, and half of the width or height of textures, with their contents; the second half of buffers and of vertices.
Edits ShrinkResources(const Model& model);
// Fields of events that have defaults.
Edits DefaultFields(const Model& model);
// Numbers in tokens: 0.
Edits ZeroNumbers(const Model& model);
// Contents of surfaces and vertices: 0, as a whole and in pieces.
Edits ZeroContents(const Model& model);

}  // namespace dp2trace::edit
