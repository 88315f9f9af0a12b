#include "shader/disassembler.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <string_view>

#include "shader/spelling.h"

namespace dp2trace::shader {
namespace {

constexpr uint32_t kMaxIndent = 32;  // levels

// Pixel shaders of version 1 speak of colours, but of coordinates in the sources of texture instructions.
std::string_view ComponentNames(Version version, bool is_coordinate) {
  return version.is_pixel && version.major < 2 && !is_coordinate ? kColorNames : kPositionNames;
}

std::string RelativeName(Version version, RegisterType type, uint32_t number,
                         const RelativeAddress& relative) {
  std::string address = RegisterName(version, relative.type, relative.number);
  if (relative.type != RegisterType::kLoop)
    address += fmt::format(".{}", kPositionNames[relative.component]);
  if (number != 0) address += fmt::format(" + {}", number);
  return fmt::format("{}[{}]", ArrayName(version, type), address);
}

std::string SwizzleText(Version version, const Source& source, bool is_coordinate) {
  if (source.swizzle == kIdentitySwizzle) return {};
  const std::string_view names = ComponentNames(version, is_coordinate);
  std::string text = ".";
  for (const uint8_t component : source.swizzle)
    text += names[component];
  // Repeated last components are left out: .xxxx is .x, .xyyy is .xy.
  while (text.size() > 2 && text[text.size() - 1] == text[text.size() - 2])
    text.pop_back();
  return text;
}

std::string SourceText(Version version, const Source& source, bool is_coordinate = false) {
  const std::string name = source.is_relative
                               ? RelativeName(version, source.type, source.number, source.relative)
                               : RegisterName(version, source.type, source.number);
  const ModifierSpelling& modifier = kModifiers[static_cast<size_t>(source.modifier)];
  return fmt::format("{}{}{}{}", modifier.prefix, name, modifier.suffix,
                     SwizzleText(version, source, is_coordinate));
}

}  // namespace

std::string MaskText(Version version, uint8_t mask) {
  if (mask == kFullMask) return {};
  std::string text = ".";
  for (uint32_t i = 0; i < 4; ++i) {
    if ((mask >> i & 1) != 0) text += ComponentNames(version, false)[i];
  }
  return text;
}

namespace {

std::string DestinationText(Version version, const Destination& destination) {
  const std::string name =
      destination.is_relative
          ? RelativeName(version, destination.type, destination.number, destination.relative)
          : RegisterName(version, destination.type, destination.number);
  return name + MaskText(version, destination.mask);
}

std::string ModifierSuffix(const Destination& destination) {
  std::string text = ShiftSuffix(destination.shift);
  for (const ResultFlag& row : kResultFlags) {
    if (destination.*row.flag) text += row.suffix;
  }
  return text;
}

std::string DeclarationText(Version version, const Instruction& instruction) {
  const Destination& target = instruction.destination;
  std::string name = "dcl";
  if (target.type == RegisterType::kSampler) {
    const uint32_t type = instruction.literals[2];
    if (type < kSamplerSuffixes.size()) name += kSamplerSuffixes[type];
  } else if (HasUsage(version, target.type)) {
    name += "_" + UsageName(instruction.literals[0], instruction.literals[1]);
  }
  return fmt::format("{}{} {}", name, ModifierSuffix(target), DestinationText(version, target));
}

std::string ConstantText(Version version, const Instruction& instruction) {
  const std::string name = fmt::format("{} {}", instruction.info->name,
                                       DestinationText(version, instruction.destination));
  const auto& words = instruction.literals;
  if (instruction.op() == Op::DefB)
    return fmt::format("{}, {}", name, words[0] != 0 ? "true" : "false");
  std::string text = name;
  for (const uint32_t word : words) {
    text += instruction.op() == Op::DefI ? fmt::format(", {}", static_cast<int32_t>(word))
                                         : fmt::format(", {}", std::bit_cast<float>(word));
  }
  return text;
}

}  // namespace

std::string VersionName(Version version) {
  const std::string_view stage = version.is_pixel ? "ps" : "vs";
  if (version.is_software()) return fmt::format("{}_{}_sw", stage, version.major);
  if (version.major == 2 && version.minor == 1) return fmt::format("{}_2_x", stage);
  return fmt::format("{}_{}_{}", stage, version.major, version.minor);
}

std::string InstructionText(const Program& program, const Instruction& instruction) {
  const Version version = program.version;
  switch (instruction.op()) {
    case Op::Dcl:
      return DeclarationText(version, instruction);
    case Op::Def:
    case Op::DefI:
    case Op::DefB:
      return ConstantText(version, instruction);
    default:
      break;
  }
  std::string text;
  if (instruction.is_predicated)
    text += fmt::format("({}) ", SourceText(version, instruction.predicate));
  if (instruction.is_coissued) text += "+";
  text += instruction.info->name;
  text += ControlSuffix(version, instruction.op(), instruction.control);
  std::string_view separator = " ";
  if (instruction.has_destination) {
    text += ModifierSuffix(instruction.destination);
    text += separator;
    text += DestinationText(version, instruction.destination);
    separator = ", ";
  }
  for (uint32_t i = 0; i < instruction.source_count; ++i) {
    text += separator;
    text += SourceText(version, instruction.sources[i], instruction.info->kind == OpKind::kTexture);
    separator = ", ";
  }
  return text;
}

std::string Disassemble(const Program& program) {
  if (program.version.major == 0) return {};
  std::string text = VersionName(program.version) + "\n";
  uint32_t depth = 0;
  for (const Instruction& instruction : program.instructions) {
    const Op op = instruction.op();
    const bool closes = op == Op::Else || op == Op::EndIf || op == Op::EndLoop || op == Op::EndRep;
    const bool opens =
        op == Op::Else || op == Op::If || op == Op::IfC || op == Op::Loop || op == Op::Rep;
    if (closes && depth > 0) --depth;
    text.append(2 * static_cast<size_t>(std::min(depth, kMaxIndent)), ' ');
    text += InstructionText(program, instruction) + "\n";
    if (opens) ++depth;
  }
  return text;
}

}  // namespace dp2trace::shader
