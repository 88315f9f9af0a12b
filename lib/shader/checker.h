// What is wrong with a shader that can be read: DP2-SHADER rules beyond those of the decoder. Offsets count from the start of the code.
// Source: lib/raster/rendering-shaders.md 8.1, 8.2 and 8.5 to 8.9; Direct3D 9 assembly shader reference.
#pragma once

#include <span>

#include "base/diagnostic.h"
#include "shader/program.h"
#include "shader/semantics.h"

namespace dp2trace::shader {

// A shader by itself.
void Check(const Program& program, DiagnosticList& findings);
// The language that the token which carries the code stands for.
void CheckStage(const Program& program, bool is_pixel, DiagnosticList& findings);
// A vertex and a pixel shader that draw together.
void CheckLink(const Program& vertex, const Program& pixel, DiagnosticList& findings);
// The inputs of a vertex shader against the elements of the vertex declaration.
void CheckInputs(const Program& vertex, std::span<const Semantic> elements,
                 DiagnosticList& findings);

}  // namespace dp2trace::shader
