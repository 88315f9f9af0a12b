// Shaders of draws with other instructions: before the draw the changed shader is made and set, after it the one that was set is set again.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "base/status.h"
#include "device/shader_space.h"
#include "edit/patch.h"
#include "stream/stream.h"

namespace dp2trace::edit {

// A shader that a draw runs.
struct EditedShader {
  const device::ShaderSpace* space = nullptr;
  uint32_t handle = 0;  // that is set
  device::ShaderObject shader;
  std::map<uint32_t, std::vector<uint32_t>> instructions;  // words in place of them, by number
  // Registers that setting the shader loads from its declaration (level 8), as they are at the draw.
  std::vector<uint8_t> constants;
};

// Adds the change of an instruction to the shaders of a draw. Fails where fixed functions draw it, the shader has no such instruction, or the text is none.
Status AddInstruction(const Change& change, uint64_t draw, const device::Context& context,
                      std::vector<EditedShader>& shaders);

// The handles of shaders that a trace names, and those that it does not.
class ShaderHandles {
 public:
  void Note(const stream::Command& command, const stream::Environment& environment);
  // The same for each shader of the space: it lives only for a draw.
  uint32_t Unused(const device::ShaderSpace& space) const;

 private:
  std::map<opcode::Meaning, std::set<uint32_t>> named_;
};

struct DrawTokens {
  std::vector<uint8_t> before, after;
};
// Tokens around the draw.
DrawTokens TokensOf(const EditedShader& edited, const ShaderHandles& handles);

}  // namespace dp2trace::edit
