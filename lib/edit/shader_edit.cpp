#include "edit/shader_edit.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <iterator>

#include "base/bytes.h"
#include "base/plain_text.h"
#include "device/layout.h"
#include "rules/rule.h"
#include "runtime/core/token.h"
#include "shader/assembler.h"
#include "trace_model/names.h"
#include "trim/shader_token.h"
#include "trim/state_token.h"

namespace dp2trace::edit {
namespace {

using device::ShaderSpace;
using device::StateKind;

const ShaderSpace& SpaceOf(bool is_pixel, const device::Context& context) {
  const StateKind kind = is_pixel                                 ? StateKind::kPixelShader
                         : context.state.vertex_program.is_level8 ? StateKind::kVertexShader
                                                                  : StateKind::kVertexFunction;
  return *std::ranges::find(device::kShaderSpaces, kind, &ShaderSpace::kind);
}

std::vector<uint8_t> ConstantsOf(const device::ShaderObject& shader, const ShaderSpace& space,
                                 const device::Context& context) {
  if (space.kind != StateKind::kVertexShader) return {};
  const Result<device::TokenDeclaration> declaration =
      device::ReadDeclarationTokens(shader.declaration);
  if (!declaration.ok()) return {};
  runtime::TokenBuffer tokens;
  for (const device::DeclaredConstant& constant : declaration->constants) {
    const device::StateKey key = {StateKind::kVertexFloat, constant.index};
    device::StateWords words{};
    device::ReadState(context.state, key, words);
    (void)trim::AppendStateToken(context, key, words, tokens);
  }
  return {tokens.bytes().begin(), tokens.bytes().end()};
}

// The code with other instructions.
std::vector<uint8_t> CodeOf(const EditedShader& edited) {
  std::vector<uint8_t> code = edited.shader.code;
  // From the last one: the offsets of those before stay.
  for (auto at = edited.instructions.rbegin(); at != edited.instructions.rend(); ++at) {
    const auto& [number, words] = *at;
    const shader::Instruction& old = edited.shader.program->instructions[number - 1];
    const auto first = code.begin() + old.offset;
    const std::vector<uint8_t> bytes = runtime::BytesOfWords(words);
    code.insert(code.erase(first, first + old.size), bytes.begin(), bytes.end());
  }
  return code;
}

std::vector<uint8_t> Joined(std::initializer_list<Bytes> parts) {
  std::vector<uint8_t> all;
  for (const Bytes part : parts)
    all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace

Status AddInstruction(const Change& change, uint64_t draw, const device::Context& context,
                      std::vector<EditedShader>& shaders) {
  const device::ShaderObject* const shader =
      change.is_pixel ? context.PixelShader() : context.VertexShader();
  const std::string_view kind = change.is_pixel ? "pixel" : "vertex";
  const auto fail = [&change](std::string_view message) {
    return Failure(Rule::kJson006, fmt::format("{}: {}", change.text, message));
  };
  if (shader == nullptr)
    return fail(fmt::format("draw {} runs no {} shader: fixed functions draw it", draw, kind));
  const shader::Program& program = *shader->program;
  if (!program.is_executable)
    return fail(fmt::format("the {} shader of draw {} has a defect and does not run", kind, draw));
  const size_t count = program.instructions.size();
  if (change.instruction > count) {
    return fail(fmt::format("the {} shader of draw {} has {}, expected 1 to {}", kind, draw,
                            Counted(count, "instruction"), count));
  }
  Result<std::vector<uint32_t>> words = shader::Assemble(program.version, change.assembly);
  if (!words.ok()) return fail(words.status().diagnostic().message);
  const ShaderSpace& space = SpaceOf(change.is_pixel, context);
  auto edited = std::ranges::find(shaders, &space, &EditedShader::space);
  if (edited == shaders.end()) {
    device::StateWords handle{};
    device::ReadState(context.state, {space.kind}, handle);
    shaders.push_back({.space = &space,
                       .handle = handle[0],
                       .shader = *shader,
                       .instructions = {},
                       .constants = ConstantsOf(*shader, space, context)});
    edited = std::prev(shaders.end());
  }
  edited->instructions[change.instruction] = std::move(*words);
  return OkStatus();
}

void ShaderHandles::Note(const stream::Command& command, const stream::Environment& environment) {
  trace_model::VisitNames(
      command, environment, [this](opcode::Meaning kind, uint32_t handle, uint32_t) {
        if (std::ranges::find(device::kShaderSpaces, kind, &ShaderSpace::meaning) !=
            std::end(device::kShaderSpaces))
          named_[kind].insert(handle);
      });
}

uint32_t ShaderHandles::Unused(const ShaderSpace& space) const {
  const auto named = named_.find(space.meaning);
  uint32_t handle = 1;
  while (named != named_.end() && named->second.contains(handle))
    handle += space.takes_fvf ? 2 : 1;
  return handle;
}

DrawTokens TokensOf(const EditedShader& edited, const ShaderHandles& handles) {
  const ShaderSpace& space = *edited.space;
  const uint32_t handle = handles.Unused(space);
  device::ShaderObject changed = edited.shader;
  changed.code = CodeOf(edited);
  runtime::TokenBuffer making, back, destruction;
  trim::AppendShaderCreation(space, handle, changed, making);
  trim::AppendShaderHandle(space.set_op, handle, making);
  trim::AppendShaderHandle(space.set_op, edited.handle, back);
  trim::AppendShaderHandle(space.delete_op, handle, destruction);
  return {.before = Joined({making.bytes(), edited.constants}),
          .after = Joined({back.bytes(), edited.constants, destruction.bytes()})};
}

}  // namespace dp2trace::edit
