#include "validate/dp2/shader_link.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "rules/rule_info.h"
#include "shader/checker.h"

namespace dp2trace::validate {
namespace {

using opcode::Op;

// Combinations that are remembered; a trace with more of them hears about some of them again.
constexpr size_t kMaxRemembered = 1U << 16;

// Unspecified: draws whose vertices come with the call, while a vertex shader is bound; chosen: not looked at, runtimes that have
// shaders draw from streams.
bool DrawsStreams(Op op) {
  constexpr Op kOps[] = {Op::kDrawPrimitive,         Op::kDrawIndexedPrimitive, Op::kDrawPrimitive2,
                         Op::kDrawIndexedPrimitive2, Op::kDrawRectPatch,        Op::kDrawTriPatch};
  return std::ranges::find(kOps, op) != std::end(kOps);
}

std::vector<shader::Semantic> SemanticsOf(const device::VertexLayout& layout) {
  std::vector<shader::Semantic> semantics;
  for (const device::VertexElement& element : layout.elements) {
    semantics.push_back({static_cast<d3d::DeclUsage>(element.usage), element.usage_index});
  }
  return semantics;
}

bool IsTransformed(const device::Context& context, uint32_t fvf) {
  const device::ShaderObject* const declaration = context.VertexDeclaration();
  return declaration != nullptr ? declaration->layout.is_transformed
                                : device::LayoutOfFvf(fvf, context.level).is_transformed;
}

void CheckElements(const device::Context& context, const shader::Program& vertex, uint32_t fvf,
                   DiagnosticList& found) {
  const device::ShaderObject* const declaration = context.VertexDeclaration();
  if (declaration == nullptr && fvf == 0) return;  // DP2-DRAW-004
  shader::CheckInputs(vertex,
                      SemanticsOf(declaration != nullptr ? declaration->layout
                                                         : device::LayoutOfFvf(fvf, context.level)),
                      found);
}

DiagnosticList FindDefects(const device::Context& context, const shader::Program& vertex,
                           const device::ShaderObject* pixel, uint32_t fvf) {
  DiagnosticList found;
  // Code that cannot be read says little about what it links to.
  const bool is_readable =
      vertex.is_executable && (pixel == nullptr || pixel->program->is_executable);
  if (!is_readable || IsTransformed(context, fvf)) return found;
  CheckElements(context, vertex, fvf, found);
  if (pixel != nullptr) shader::CheckLink(vertex, *pixel->program, found);
  return found;
}

void EraseContext(ShaderCombinations& known, uint32_t space, uint64_t context) {
  const auto first = known.lower_bound({.space = space, .context = context});
  const auto last = std::find_if(first, known.end(), [&](const ShaderCombination& one) {
    return one.space != space || one.context != context;
  });
  known.erase(first, last);
}

}  // namespace

void ShaderLinkCheck::Forget(uint32_t space, uint64_t context) {
  EraseContext(clean_, space, context);
  EraseContext(reported_, space, context);
}

void ShaderLinkCheck::Check(const device::Context& context, const stream::Command& command,
                            EventFindings& findings) {
  if (!DrawsStreams(command.op->op)) return;
  const device::ShaderObject* const vertex = context.VertexShader();
  const device::ShaderObject* const pixel = context.PixelShader();
  if (vertex == nullptr) return;
  const device::ShaderObject* const declaration = context.VertexDeclaration();
  const uint32_t format = context.state.vertex_program.format;
  const uint32_t fvf = declaration == nullptr && (format & 1) == 0 ? format : 0;
  const ShaderCombination combination = {context.space_id,
                                         context.id,
                                         vertex->number,
                                         pixel != nullptr ? pixel->number : 0,
                                         declaration != nullptr ? declaration->number : 0,
                                         fvf};
  if (clean_.contains(combination) || reported_.contains(combination)) return;
  const DiagnosticList found = FindDefects(context, *vertex->program, pixel, fvf);
  ShaderCombinations& known = found.empty() ? clean_ : reported_;
  if (known.size() >= kMaxRemembered) known.clear();
  known.insert(combination);
  for (const Diagnostic& item : found.items()) {
    Diagnostic finding = item;
    finding.offset = command.offset;
    finding.length = command.bytes.size();
    finding.is_whole = true;
    finding.path = fmt::format("commands/{}", command.index);
    finding.actual = "the shaders and the format that are set";
    finding.expected = Info(finding.rule).remedy;
    findings.Add(std::move(finding));
  }
}

}  // namespace dp2trace::validate
