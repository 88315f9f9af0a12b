#include "shader/semantics.h"

#include <array>

#include "shader/limits.h"

namespace dp2trace::shader {
namespace {

using d3d::DeclUsage;

constexpr uint32_t kTextureCount = 8;

Semantic SemanticOf(const Declaration& declaration) {
  return {static_cast<DeclUsage>(declaration.usage), declaration.usage_index};
}

void AddWritten(const Program& program, Semantic semantic, RegisterType type, uint32_t number,
                std::vector<LinkedRegister>& out) {
  const uint8_t mask = program.WrittenMask(type, number);
  if (mask != 0) out.push_back({semantic, type, number, mask});
}

constexpr std::array<Semantic, kMappedRegisterCount> kRegisterMap = {{
    {DeclUsage::Position, 0},
    {DeclUsage::BlendWeight, 0},
    {DeclUsage::BlendIndices, 0},
    {DeclUsage::Normal, 0},
    {DeclUsage::PSize, 0},
    {DeclUsage::Color, 0},
    {DeclUsage::Color, 1},
    {DeclUsage::Texcoord, 0},
    {DeclUsage::Texcoord, 1},
    {DeclUsage::Texcoord, 2},
    {DeclUsage::Texcoord, 3},
    {DeclUsage::Texcoord, 4},
    {DeclUsage::Texcoord, 5},
    {DeclUsage::Texcoord, 6},
    {DeclUsage::Texcoord, 7},
    {DeclUsage::Position, 1},
    {DeclUsage::Normal, 1},
}};

}  // namespace

const Semantic& RegisterSemantic(uint32_t number) {
  return kRegisterMap[number];
}

uint32_t UsedRegisters(const Program& program, RegisterType type) {
  uint32_t used = 0;
  const auto use = [&](RegisterType used_type, uint32_t number) {
    if (used_type == type && number < 32) used |= 1U << number;
  };
  for (const Instruction& instruction : program.instructions) {
    if (instruction.info->kind == OpKind::kDeclaration) continue;
    if (instruction.info->kind == OpKind::kTexture)
      use(instruction.destination.type, instruction.destination.number);
    for (uint32_t i = 0; i < instruction.source_count; ++i) {
      use(instruction.sources[i].type, instruction.sources[i].number);
    }
  }
  return used;
}

std::vector<LinkedRegister> OutputsOf(const Program& vertex) {
  std::vector<LinkedRegister> outputs;
  if (vertex.version.code() >= 0x30) {
    for (const Declaration& declaration : vertex.declarations) {
      if (declaration.type != RegisterType::kOutput) continue;
      const uint8_t written = vertex.WrittenMask(declaration.type, declaration.number);
      const auto mask = static_cast<uint8_t>(declaration.mask & written);
      if (mask != 0)
        outputs.push_back({SemanticOf(declaration), declaration.type, declaration.number, mask});
    }
    return outputs;
  }
  AddWritten(vertex, {DeclUsage::Position, 0}, RegisterType::kRastOut, kPositionOut, outputs);
  AddWritten(vertex, {DeclUsage::Fog, 0}, RegisterType::kRastOut, kFogOut, outputs);
  AddWritten(vertex, {DeclUsage::PSize, 0}, RegisterType::kRastOut, kPointSizeOut, outputs);
  for (uint32_t i = 0; i < kColorCount; ++i) {
    AddWritten(vertex, {DeclUsage::Color, i}, RegisterType::kAttributeOut, i, outputs);
  }
  for (uint32_t i = 0; i < kTextureCount; ++i) {
    AddWritten(vertex, {DeclUsage::Texcoord, i}, RegisterType::kOutput, i, outputs);
  }
  return outputs;
}

std::vector<LinkedRegister> InputsOf(const Program& pixel) {
  std::vector<LinkedRegister> inputs;
  if (pixel.version.code() >= 0x30) {
    for (const Declaration& declaration : pixel.declarations) {
      if (declaration.type != RegisterType::kInput) continue;
      inputs.push_back(
          {SemanticOf(declaration), declaration.type, declaration.number, declaration.mask});
    }
    return inputs;
  }
  const uint32_t colors = UsedRegisters(pixel, RegisterType::kInput);
  for (uint32_t i = 0; i < kColorCount; ++i) {
    if ((colors >> i & 1) != 0)
      inputs.push_back({{DeclUsage::Color, i}, RegisterType::kInput, i, kFullMask});
  }
  uint32_t coordinates = UsedRegisters(pixel, RegisterType::kTexture);
  for (uint32_t i = 0; i < kTextureCount; ++i) {
    if ((coordinates >> i & 1) != 0)
      inputs.push_back({{DeclUsage::Texcoord, i}, RegisterType::kTexture, i, kFullMask});
  }
  return inputs;
}

}  // namespace dp2trace::shader
