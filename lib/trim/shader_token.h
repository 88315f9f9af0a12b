// The tokens of shader handles: they make, set and destroy an object.
// Source: lib/opcode/dp2.md 12 and 18.
#pragma once

#include <cstdint>

#include "device/shader_space.h"
#include "runtime/core/token.h"

namespace dp2trace::trim {

// Makes the same object under this handle.
void AppendShaderCreation(const device::ShaderSpace& space, uint32_t handle,
                          const device::ShaderObject& shader, runtime::TokenBuffer& out);
// One of the operations of the space that take only a handle.
void AppendShaderHandle(opcode::Op op, uint32_t handle, runtime::TokenBuffer& out);

}  // namespace dp2trace::trim
