// The history of a pixel as text for people and as JSON for programs.
#pragma once

#include <string>

#include "history/operation.h"

namespace dp2trace::history {

// The last line of the text says in words why the pixel is what it is.
std::string ReportText(const History& history);
// One JSON object and a line end: "frame", "surface", "x", "y", "before", "refused":[...], "operations":[...], "after", "because".
// `trace` is its name; may be empty.
std::string ReportJson(std::string_view trace, const History& history);

// "the pixel is 0xff204060 because draw 7.2 ... stored it": one sentence.
std::string Because(const History& history);

// "draw 7.2", where `primitive` is 0 "draw 7".
std::string DrawName(const Operation& operation, uint64_t primitive);

// Lines about a fragment, each indented by two spaces.
void AppendFragment(std::string& out, const Operation& operation,
                    const raster::ProbedFragment& fragment);
std::string FragmentJson(const Operation& operation, const raster::ProbedFragment& fragment);

// "diffuse", "texcoord 0", ...: what the slot of a varying holds.
std::string SlotName(const Operation& operation, uint32_t slot);
// "POSITION", "TEXCOORD1".
std::string ElementName(const device::VertexElement& element);
// The same, or "v3" where a declaration of level 8 gives a register.
std::string InputName(const device::VertexElement& element);
// "MODULATE(TEXTURE, CURRENT)".
std::string EquationText(const raster::Equation& equation);
// "SRCALPHA INVSRCALPHA ADD".
std::string BlendText(const raster::BlendEquation& equation);
// What the fog factor follows from: "z", "oFog", "specular alpha".
std::string FogSourceText(const raster::FogPlan& fog);
// "LINEAR".
std::string_view FilterText(raster::Filter filter);

}  // namespace dp2trace::history
