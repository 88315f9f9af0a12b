#include "device/vertex_program.h"

namespace dp2trace::device {
namespace {

const ShaderObject* Find(const std::map<uint32_t, ShaderObject>& table, uint32_t handle) {
  const auto object = table.find(handle);
  return object == table.end() ? nullptr : &object->second;
}

void UseLevel8Shader(const ShaderObject* object, BoundProgram& program) {
  if (object == nullptr) return;
  program.layout = &object->layout;
  program.is_programmable = !object->code.empty();
  program.shader = program.is_programmable ? object : nullptr;
}

}  // namespace

BoundProgram FindBoundProgram(const Context& context) {
  const VertexProgram& bound = context.state.vertex_program;
  const bool is_handle = (bound.format & 1) != 0;
  BoundProgram program;
  program.format = bound.format;
  program.is_programmable = bound.function != 0;
  program.shader = bound.function != 0 ? Find(context.vertex_functions, bound.function) : nullptr;
  if (bound.is_level8) {
    if (is_handle) {
      UseLevel8Shader(Find(context.vertex_shaders, bound.format), program);
      return program;
    }
  } else if (const ShaderObject* const declaration = Find(context.declarations, bound.format)) {
    // A declaration that was created under an FVF code wins over the code. Source: lib/opcode/dp2.md 18.1.
    program.layout = &declaration->layout;
    return program;
  }
  program.is_fvf = !is_handle && bound.format != 0;
  return program;
}

bool IsRefused(const ShaderObject& shader) {
  return !shader.code.empty() && !shader.program->is_executable;
}

}  // namespace dp2trace::device
