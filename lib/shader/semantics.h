// What the outputs of a vertex shader and the inputs of a pixel shader mean: how the two are linked, in every version.
// Source: lib/raster/rendering-shaders.md 8.1, 8.8 and 8.9.
#pragma once

#include <cstdint>
#include <vector>

#include "d3d/enums.h"
#include "shader/program.h"

namespace dp2trace::shader {

struct Semantic {
  d3d::DeclUsage usage = d3d::DeclUsage::Position;
  uint32_t index = 0;
  bool operator==(const Semantic&) const = default;
};

// Components of a register that carry a semantic, at the same places in the vertex and in the pixel shader.
struct LinkedRegister {
  Semantic semantic;
  RegisterType type = RegisterType::kInput;
  uint32_t number = 0;
  uint8_t mask = kFullMask;
};

// Registers 0 to 16 of level 8 declarations, and inputs of vertex shaders that declare none: the fixed register map of DirectX 8.
// Source: lib/opcode/dp2.md 2.1; lib/opcode/dp2.md 18.2.
inline constexpr uint32_t kMappedRegisterCount = 17;
const Semantic& RegisterSemantic(uint32_t number);  // below kMappedRegisterCount

// Bit n: the register with number n is read, or names the stage that a texture instruction works on.
uint32_t UsedRegisters(const Program& program, RegisterType type);
// What a vertex shader writes; `mask` are the components that some instruction writes.
std::vector<LinkedRegister> OutputsOf(const Program& vertex);
// What a pixel shader reads; below 3.0 v# are colours and t# coordinates.
std::vector<LinkedRegister> InputsOf(const Program& pixel);

}  // namespace dp2trace::shader
