// What a context has bound for vertices: a layout or an FVF code, and a shader or fixed function.
// Source: lib/opcode/dp2.md 18.1.
#pragma once

#include <cstdint>

#include "device/context.h"

namespace dp2trace::device {

struct BoundProgram {
  uint32_t format = 0;                   // the handle or FVF code that is set
  const VertexLayout* layout = nullptr;  // of a level 8 shader or a declaration
  // Without a layout: `format` is the code; else the object is not there, or nothing is set.
  bool is_fvf = false;
  bool is_programmable = false;          // a vertex shader is set, alive or not
  const ShaderObject* shader = nullptr;  // its code, where it is there
};
BoundProgram FindBoundProgram(const Context& context);

// True for a shader whose code was refused when it was created: the handle is taken, and nothing can be drawn with it.
bool IsRefused(const ShaderObject& shader);

}  // namespace dp2trace::device
