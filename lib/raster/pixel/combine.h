// The arithmetic of one texture stage: arguments and operations on the colours of one pixel.
// Source: lib/raster/rendering-texture.md 4.2 and 4.3.
#pragma once

#include <cstdint>

#include "d3d/enums.h"
#include "raster/math.h"

namespace dp2trace::raster {

// Colours of one pixel while it passes the stages; all in [0, 1] but textures of signed formats.
struct StageRegisters {
  Float4 diffuse = {};
  Float4 specular = {};
  Float4 current = {};
  Float4 temp = {};
  Float4 texture = {};   // of this stage
  Float4 factor = {};    // TEXTUREFACTOR
  Float4 constant = {};  // CONSTANT of this stage
};

// The low four bits of a D3DTA value.
enum class ArgumentSource : uint8_t {
  kDiffuse,
  kCurrent,
  kTexture,
  kFactor,
  kSpecular,
  kTemp,
  kConstant
};

struct Argument {
  ArgumentSource source = ArgumentSource::kCurrent;
  bool is_complemented = false;
  bool replicates_alpha = false;
};
// Undefined sources are CURRENT.
Argument ArgumentOf(uint32_t value);

// COLOROP and its arguments, or ALPHAOP and its.
struct Equation {
  d3d::TextureOp op = d3d::TextureOp::Disable;
  Argument a, b, c;  // ARG1, ARG2, ARG0
};

// True where the operation reads TEXTURE: by an argument that it uses, or as a blend factor.
bool ReadsTexture(const Equation& equation);

Float4 ReadArgument(const Argument& argument, const StageRegisters& registers);

// R, G, B of the operation in [0, 1]; A is that of DOTPRODUCT3, else 0. DISABLE and the bump operations give zeros.
Float4 CombineColor(const Equation& equation, const StageRegisters& registers);
// The same operation on alpha components.
float CombineAlpha(const Equation& equation, const StageRegisters& registers);

}  // namespace dp2trace::raster
