#include "trim/shader_token.h"

#include <array>
#include <optional>
#include <span>
#include <vector>

namespace dp2trace::trim {
namespace {

uint32_t SizeOf(const std::vector<uint8_t>& bytes) {
  return static_cast<uint32_t>(bytes.size());
}

}  // namespace

void AppendShaderCreation(const device::ShaderSpace& space, uint32_t handle,
                          const device::ShaderObject& shader, runtime::TokenBuffer& out) {
  constexpr uint32_t kElementSize = 8;  // D3DVERTEXELEMENT9
  std::vector<uint32_t> values = {handle};
  if (space.kind == device::StateKind::kVertexShader) values.push_back(SizeOf(shader.declaration));
  values.push_back(space.kind == device::StateKind::kVertexDeclaration
                       ? SizeOf(shader.declaration) / kElementSize
                       : SizeOf(shader.code));
  std::vector<uint8_t> tail = shader.declaration;
  tail.insert(tail.end(), shader.code.begin(), shader.code.end());
  (void)out.Append(space.create_op, values, tail, std::nullopt);
}

void AppendShaderHandle(opcode::Op op, uint32_t handle, runtime::TokenBuffer& out) {
  (void)out.Append(op, std::span(&handle, 1), {}, std::nullopt);
}

}  // namespace dp2trace::trim
