#include "raster/shader/texture_instructions.h"

#include "raster/pixel/projection.h"

namespace dp2trace::raster {
namespace {

using shader::Op;

// Components that decide: three in version 1, four from 2.0 on. NaN does not kill.
void Kill(const shader::Instruction& instruction, uint32_t lanes, TextureUnit& unit) {
  const bool is_legacy = unit.program->version.major == 1;
  const shader::Destination& target = instruction.destination;
  const bool reads_coordinates = unit.program->version.code() <= 0x13;
  const Float4Quad* value = unit.registers->Find(target.type, target.number);
  if (reads_coordinates) {
    value = target.number < unit.registers->coordinates.size()
                ? &unit.registers->coordinates[target.number]
                : nullptr;
  }
  if (value == nullptr) return;
  for (uint32_t lane = 0; lane < kLaneCount; ++lane) {
    if ((lanes >> lane & 1) == 0) continue;
    for (uint32_t i = 0; i < (is_legacy ? 3U : 4U); ++i) {
      const bool counts =
          !instruction.is_predicated || unit.operands->IsTrue(instruction.predicate, lane, i);
      if (counts && (*value)[lane][i] < 0.0F) unit.killed |= 1U << lane;
    }
  }
}

LodRequest LodOf(const shader::Instruction& instruction, const Float4Quad& coordinates,
                 const TextureUnit& unit) {
  LodRequest lod;
  const bool is_biased = instruction.op() == Op::Tex && instruction.control == shader::kTexBias;
  if (instruction.op() == Op::TexLdl) lod.kind = LodRequest::Kind::kExplicit;
  if (is_biased || instruction.op() == Op::TexLdl) {
    for (uint32_t lane = 0; lane < kLaneCount; ++lane)
      lod.bias[lane] = coordinates[lane][3];
  }
  if (instruction.op() == Op::TexLdd) {
    lod.kind = LodRequest::Kind::kGradients;
    lod.ddx = unit.operands->ReadAll(instruction.sources[2], unit.lane_count);
    lod.ddy = unit.operands->ReadAll(instruction.sources[3], unit.lane_count);
  }
  return lod;
}

// The swizzle of the sampler operand acts on the result.
Float4Quad Swizzled(const Float4Quad& colors, const std::array<uint8_t, 4>& swizzle) {
  Float4Quad result = {};
  for (uint32_t lane = 0; lane < kLaneCount; ++lane) {
    for (size_t i = 0; i < 4; ++i)
      result[lane][i] = colors[lane][swizzle[i]];
  }
  return result;
}

}  // namespace

Float4Quad RunTextureInstruction(const shader::Instruction& instruction, uint32_t lanes,
                                 TextureUnit& unit) {
  if (instruction.op() == Op::TexKill) {
    Kill(instruction, lanes, unit);
    return {};
  }
  if (unit.program->version.major == 1) return RunLegacyTexture(instruction, lanes, unit);
  Float4Quad coordinates = unit.operands->ReadAll(instruction.sources[0], unit.lane_count);
  const LodRequest lod = LodOf(instruction, coordinates, unit);
  if (instruction.op() == Op::Tex && instruction.control == shader::kTexProject)
    DivideCoordinates(coordinates, 3);
  const shader::Source& sampler = instruction.sources[1];
  const Float4Quad colors =
      unit.textures->Sample(sampler.number, coordinates, lod, lanes, unit.killed, unit.probe);
  return Swizzled(colors, sampler.swizzle);
}

}  // namespace dp2trace::raster
