// Rules about shaders that work together, and about the declaration that feeds a vertex shader.
// Source: lib/raster/rendering-shaders.md 8.9; Direct3D 9 guide, "Shader Model 3".
#include <fmt/format.h>

#include <algorithm>

#include "rules/rule.h"
#include "shader/checker.h"
#include "shader/disassembler.h"

namespace dp2trace::shader {
namespace {

Diagnostic MakeLinkFinding(Rule rule, std::string message) {
  Diagnostic finding = MakeDiagnostic(rule, std::move(message));
  finding.offset = 0;
  return finding;
}

std::string SemanticName(const Semantic& semantic) {
  return fmt::format("{} {}", NameOf(d3d::kDeclUsageNames, d3d::Value(semantic.usage)),
                     semantic.index);
}

}  // namespace

void CheckLink(const Program& vertex, const Program& pixel, DiagnosticList& findings) {
  const bool is_pixel_3 = pixel.version.code() >= 0x30;
  if (is_pixel_3 != (vertex.version.code() >= 0x30)) {
    findings.Add(MakeLinkFinding(Rule::kDp2Shader070,
                                 fmt::format("{} is used with {}", VersionName(vertex.version),
                                             VersionName(pixel.version))));
  }
  const std::vector<LinkedRegister> outputs = OutputsOf(vertex);
  for (const LinkedRegister& input : InputsOf(pixel)) {
    uint8_t written = 0;
    for (const LinkedRegister& output : outputs) {
      if (output.semantic == input.semantic) written = static_cast<uint8_t>(written | output.mask);
    }
    const bool is_satisfied = is_pixel_3 ? (input.mask & ~written) == 0 : written != 0;
    if (is_satisfied) continue;
    const std::string missing =
        written == 0 ? "it" : MaskText(pixel.version, static_cast<uint8_t>(input.mask & ~written));
    findings.Add(MakeLinkFinding(
        is_pixel_3 ? Rule::kDp2Shader071 : Rule::kDp2Shader072,
        fmt::format("the pixel shader reads {} ({}), the vertex shader does not write {}",
                    RegisterName(pixel.version, input.type, input.number),
                    SemanticName(input.semantic), missing)));
  }
}

void CheckInputs(const Program& vertex, std::span<const Semantic> elements,
                 DiagnosticList& findings) {
  const auto check = [&](uint32_t number, const Semantic& semantic) {
    if (std::ranges::find(elements, semantic) != elements.end()) return;
    findings.Add(MakeLinkFinding(Rule::kDp2Shader073,
                                 fmt::format("v{} ({}) has no element in the vertex declaration",
                                             number, SemanticName(semantic))));
  };
  const auto is_input = [](const Declaration& declaration) {
    return declaration.type == RegisterType::kInput;
  };
  if (std::ranges::any_of(vertex.declarations, is_input)) {
    for (const Declaration& declaration : vertex.declarations) {
      if (is_input(declaration)) {
        check(declaration.number,
              {static_cast<d3d::DeclUsage>(declaration.usage), declaration.usage_index});
      }
    }
    return;
  }
  // The declaration of level 8 names registers, which have fixed meanings.
  const uint32_t used = UsedRegisters(vertex, RegisterType::kInput);
  for (uint32_t i = 0; i < kMappedRegisterCount; ++i) {
    if ((used >> i & 1) != 0) check(i, RegisterSemantic(i));
  }
}

}  // namespace dp2trace::shader
