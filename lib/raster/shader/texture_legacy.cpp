// Texture instructions of pixel shaders 1.1 to 1.4. Below, m is the stage of the destination and tn the source.
// Source: lib/raster/rendering-shaders.md 8.7.
#include "raster/shader/texture_instructions.h"

namespace dp2trace::raster {
namespace {

using shader::Op;

// Of a stage, as interpolated; 0 for stages that do not exist.
const Float4Quad& CoordinatesOf(const TextureUnit& unit, uint32_t stage) {
  static constexpr Float4Quad kNone = {};
  const auto& coordinates = unit.registers->coordinates;
  return stage < coordinates.size() ? coordinates[stage] : kNone;
}

Float4Quad Sample(TextureUnit& unit, uint32_t stage, const Float4Quad& coordinates,
                  uint32_t lanes) {
  return unit.textures->Sample(stage, coordinates, {}, lanes, unit.killed, unit.probe);
}

template <class Function>
Float4Quad PerLane(Function function) {
  Float4Quad result = {};
  for (uint32_t lane = 0; lane < kLaneCount; ++lane)
    result[lane] = function(lane);
  return result;
}

// [0, 1], alpha 1.
Float4Quad ClampedCoordinates(const TextureUnit& unit, uint32_t stage) {
  const Float4Quad& coordinates = CoordinatesOf(unit, stage);
  return PerLane([&](uint32_t lane) {
    const Float4& c = coordinates[lane];
    return Float4{Saturate(c[0]), Saturate(c[1]), Saturate(c[2]), 1.0F};
  });
}

// u + M00*tn.r + M10*tn.g, v + M01*tn.r + M11*tn.g; TexBemL scales the result.
Float4Quad SampleBumped(const shader::Instruction& instruction, const Float4Quad& source,
                        uint32_t lanes, TextureUnit& unit) {
  const uint32_t stage = instruction.destination.number;
  const StageBump& bump = unit.textures->bump(stage);
  Float4Quad coordinates = CoordinatesOf(unit, stage);
  unit.textures->Project(stage, coordinates);
  for (uint32_t lane = 0; lane < kLaneCount; ++lane) {
    Float4& c = coordinates[lane];
    c[0] = (c[0] + bump.m00 * source[lane][0]) + bump.m10 * source[lane][1];
    c[1] = (c[1] + bump.m01 * source[lane][0]) + bump.m11 * source[lane][1];
  }
  Float4Quad colors = Sample(unit, stage, coordinates, lanes);
  if (instruction.op() == Op::TexBem) return colors;
  for (uint32_t lane = 0; lane < kLaneCount; ++lane) {
    const float factor = source[lane][2] * bump.luminance_scale + bump.luminance_offset;
    for (float& component : colors[lane])
      component *= factor;
  }
  return colors;
}

// Two or three components of the source as coordinates.
Float4 Rearranged(Op op, const Float4& source) {
  switch (op) {
    case Op::TexReg2Ar:
      return {source[3], source[0], 0.0F, 1.0F};
    case Op::TexReg2Gb:
      return {source[1], source[2], 0.0F, 1.0F};
    default:
      return {source[0], source[1], source[2], 1.0F};
  }
}

float RowOf(const TextureUnit& unit, uint32_t stage, const Float4Quad& source, uint32_t lane) {
  return Dot3(CoordinatesOf(unit, stage)[lane].data(), source[lane].data());
}

void AddRow(const shader::Instruction& instruction, const Float4Quad& source, TextureUnit& unit) {
  if (unit.row_count >= 2) unit.row_count = 0;  // a matrix that was not finished
  for (uint32_t lane = 0; lane < kLaneCount; ++lane) {
    unit.matrix_rows[lane][unit.row_count] =
        RowOf(unit, instruction.destination.number, source, lane);
  }
  ++unit.row_count;
}

// The rows of the pads with the row of this instruction after them.
Float4Quad CompleteMatrix(const shader::Instruction& instruction, const Float4Quad& source,
                          uint32_t rows, TextureUnit& unit) {
  unit.row_count = 0;
  return PerLane([&](uint32_t lane) {
    Float4 result = {unit.matrix_rows[lane][0], unit.matrix_rows[lane][1], 0.0F, 1.0F};
    result[rows - 1] = RowOf(unit, instruction.destination.number, source, lane);
    return result;
  });
}

// 2*(N.E)/(N.N)*N - E.
Float4 Reflected(const Float4& normal, const Float4& eye) {
  const float ne = Dot3(normal.data(), eye.data());
  const float nn = Dot3(normal.data(), normal.data());
  const float scale = 2.0F * ne / nn;
  Float4 result = {0.0F, 0.0F, 0.0F, 1.0F};
  for (size_t i = 0; i < 3; ++i) {
    const float product = scale * normal[i];
    result[i] = product - eye[i];
  }
  return result;
}

// The fourth coordinates of the three stages of the matrix.
Float4 EyeOf(const TextureUnit& unit, uint32_t stage, uint32_t lane) {
  return {CoordinatesOf(unit, stage - 2)[lane][3], CoordinatesOf(unit, stage - 1)[lane][3],
          CoordinatesOf(unit, stage)[lane][3], 0.0F};
}

Float4Quad SampleReflected(const shader::Instruction& instruction, const Float4Quad& source,
                           uint32_t lanes, TextureUnit& unit) {
  const uint32_t stage = instruction.destination.number;
  const Float4Quad normals = CompleteMatrix(instruction, source, 3, unit);
  const Float4Quad directions = PerLane([&](uint32_t lane) {
    const Float4 eye = instruction.op() == Op::TexM3x3Spec
                           ? unit.operands->Read(instruction.sources[1], lane)
                           : EyeOf(unit, stage, lane);
    return Reflected(normals[lane], eye);
  });
  return Sample(unit, stage, directions, lanes);
}

// Depth a / b, 1 where b is 0, in [0, 1].
void WriteDepth(const Float4Quad& value, uint32_t lanes, TextureUnit& unit) {
  unit.writes_depth = true;
  for (uint32_t lane = 0; lane < kLaneCount; ++lane) {
    if ((lanes >> lane & 1) == 0) continue;
    const float divisor = value[lane][1];
    unit.depth[lane][0] = divisor == 0.0F ? 1.0F : Saturate(value[lane][0] / divisor);
  }
}

Float4Quad LoadStage(const shader::Instruction& instruction, const Float4Quad& source,
                     uint32_t lanes, TextureUnit& unit) {
  const uint32_t stage = instruction.destination.number;
  if (instruction.source_count > 0) return Sample(unit, stage, source, lanes);  // 1.4
  Float4Quad coordinates = CoordinatesOf(unit, stage);
  unit.textures->Project(stage, coordinates);
  return Sample(unit, stage, coordinates, lanes);
}

Float4Quad DotProduct(const shader::Instruction& instruction, const Float4Quad& source,
                      uint32_t lanes, TextureUnit& unit) {
  const uint32_t stage = instruction.destination.number;
  const bool samples = instruction.op() == Op::TexDp3Tex;
  const Float4Quad dots = PerLane([&](uint32_t lane) {
    const float dot = RowOf(unit, stage, source, lane);
    return samples ? Float4{dot, 0.0F, 0.0F, 1.0F} : Float4{dot, dot, dot, dot};
  });
  return samples ? Sample(unit, stage, dots, lanes) : dots;
}

}  // namespace

Float4Quad RunLegacyTexture(const shader::Instruction& instruction, uint32_t lanes,
                            TextureUnit& unit) {
  const uint32_t stage = instruction.destination.number;
  Float4Quad source = {};
  if (instruction.source_count > 0)
    source = unit.operands->ReadAll(instruction.sources[0], unit.lane_count);
  switch (instruction.op()) {
    case Op::TexCoord:
      return instruction.source_count > 0 ? source : ClampedCoordinates(unit, stage);
    case Op::Tex:
      return LoadStage(instruction, source, lanes, unit);
    case Op::TexBem:
    case Op::TexBemL:
      return SampleBumped(instruction, source, lanes, unit);
    case Op::TexReg2Ar:
    case Op::TexReg2Gb:
    case Op::TexReg2Rgb:
      return Sample(unit, stage, PerLane([&](uint32_t lane) {
                      return Rearranged(instruction.op(), source[lane]);
                    }),
                    lanes);
    case Op::TexM3x2Pad:
    case Op::TexM3x3Pad:
      AddRow(instruction, source, unit);
      return {};
    case Op::TexM3x2Tex:
      return Sample(unit, stage, CompleteMatrix(instruction, source, 2, unit), lanes);
    case Op::TexM3x3Tex:
      return Sample(unit, stage, CompleteMatrix(instruction, source, 3, unit), lanes);
    case Op::TexM3x3:
      return CompleteMatrix(instruction, source, 3, unit);
    case Op::TexM3x3Spec:
    case Op::TexM3x3VSpec:
      return SampleReflected(instruction, source, lanes, unit);
    case Op::TexM3x2Depth:
      WriteDepth(CompleteMatrix(instruction, source, 2, unit), lanes, unit);
      return {};
    case Op::TexDepth: {
      const Float4Quad* value = unit.registers->Find(instruction.destination.type, stage);
      if (value != nullptr) WriteDepth(*value, lanes, unit);
      return value != nullptr ? *value : Float4Quad{};
    }
    case Op::TexDp3:
    case Op::TexDp3Tex:
      return DotProduct(instruction, source, lanes, unit);
    default:
      return {};
  }
}

}  // namespace dp2trace::raster
