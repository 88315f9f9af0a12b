// The spaces of shader handles of a context: vertex shaders of level 8, declarations, functions and pixel shaders.
// Source: lib/opcode/dp2.md 12 and 18.
#pragma once

#include <cstdint>
#include <map>
#include <string_view>

#include "device/context.h"
#include "device/state_value.h"
#include "opcode/opcode.h"

namespace dp2trace::device {

using ShaderTable = std::map<uint32_t, ShaderObject>;

struct ShaderSpace {
  opcode::Op create_op;
  opcode::Op delete_op;
  opcode::Op set_op;
  opcode::Meaning meaning;  // of handles
  ShaderTable Context::*table;
  HandleHistory Context::Histories::*history;
  std::string_view noun;
  StateKind kind;
  bool takes_fvf;  // handles with bit 0 clear are FVF codes
};
inline constexpr ShaderSpace kShaderSpaces[] = {
    {opcode::Op::kCreateVertexShader, opcode::Op::kDeleteVertexShader, opcode::Op::kSetVertexShader,
     opcode::Meaning::kVertexShader, &Context::vertex_shaders, &Context::Histories::vertex_shaders,
     "vertex shader", StateKind::kVertexShader, true},
    {opcode::Op::kCreateVertexShaderDecl, opcode::Op::kDeleteVertexShaderDecl,
     opcode::Op::kSetVertexShaderDecl, opcode::Meaning::kVertexDeclaration, &Context::declarations,
     &Context::Histories::declarations, "declaration", StateKind::kVertexDeclaration, true},
    {opcode::Op::kCreateVertexShaderFunc, opcode::Op::kDeleteVertexShaderFunc,
     opcode::Op::kSetVertexShaderFunc, opcode::Meaning::kVertexShaderCode,
     &Context::vertex_functions, &Context::Histories::vertex_functions, "vertex shader",
     StateKind::kVertexFunction, false},
    {opcode::Op::kCreatePixelShader, opcode::Op::kDeletePixelShader, opcode::Op::kSetPixelShader,
     opcode::Meaning::kPixelShader, &Context::pixel_shaders, &Context::Histories::pixel_shaders,
     "pixel shader", StateKind::kPixelShader, false},
};

}  // namespace dp2trace::device
