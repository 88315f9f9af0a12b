// A fragment as lines of text, in the order of the pipeline.
#include <fmt/format.h>

#include "base/flag_text.h"
#include "d3d/enums.h"
#include "history/numbers.h"
#include "history/report.h"
#include "image/depth.h"
#include "raster/vertex/fetch.h"
#include "shader/disassembler.h"

namespace dp2trace::history {
namespace {

using raster::ProbedFragment;

template <class... Parts>
void Line(std::string& out, fmt::format_string<Parts...> format, Parts&&... parts) {
  out += "  ";
  out += fmt::format(format, std::forward<Parts>(parts)...);
  out += '\n';
}

void AppendSteps(std::string& out, const shader::Program& program,
                 const std::vector<raster::ProbedStep>& steps, std::string_view indent) {
  for (const raster::ProbedStep& step : steps) {
    std::string line(indent);
    line += shader::InstructionText(program, program.instructions[step.instruction]);
    for (size_t i = 0; i < step.sources.size(); ++i)
      line += (i == 0 ? "  of " : ", ") + VectorText(step.sources[i]);
    if (step.result) line += " = " + VectorText(*step.result);
    if (!step.is_active) line += " (not active)";
    Line(out, "{}", line);
  }
}

void AppendVertex(std::string& out, const Operation& operation, const ProbedFragment& fragment,
                  const raster::ProbedVertex& vertex) {
  std::string line = fmt::format("vertex {}:", vertex.number);
  for (size_t i = 0; i < operation.layout.elements.size() && i < vertex.input.values.size(); ++i) {
    const device::VertexElement& element = operation.layout.elements[i];
    const uint32_t count = raster::ComponentCount(element.type);
    if (count != 0) {
      line +=
          fmt::format(" {} {}", ElementName(element), VectorText(vertex.input.values[i], count));
    }
  }
  Line(out, "{}", line);
  const raster::ScreenVertex& screen = vertex.screen;
  line = operation.layout.is_transformed
             ? ""
             : fmt::format("clip {}, ", VectorText(vertex.processed.position));
  line += fmt::format("screen {}", VectorText({screen.x, screen.y, screen.z, screen.rhw}));
  for (uint32_t slot = 0; slot < raster::kVaryingCount; ++slot) {
    if ((fragment.varying_mask >> slot & 1U) != 0) {
      line += fmt::format(", {} {}", SlotName(operation, slot),
                          VectorText(vertex.processed.varyings[slot]));
    }
  }
  Line(out, "  {}", line);
  if (operation.vertex_shader != nullptr)
    AppendSteps(out, *operation.vertex_shader, vertex.steps, "  ");
}

void AppendSample(std::string& out, const raster::ProbedSample& sample) {
  if (sample.texture == 0)
    return Line(out, "sampler {}: no texture = {}", sample.sampler, VectorText(sample.color));
  std::string line = fmt::format("sampler {}: surface {} ({}x{}{}), at {}", sample.sampler,
                                 sample.texture, sample.width, sample.height,
                                 sample.depth > 1 ? fmt::format("x{}", sample.depth) : "",
                                 VectorText(sample.coordinates));
  if (sample.face != 0) line += fmt::format(", face {}", sample.face);
  line += fmt::format(", level {}", sample.level);
  if (sample.second_level != sample.level) {
    line +=
        fmt::format(" and {} of level {}", FloatText(sample.level_fraction), sample.second_level);
  }
  line += fmt::format(", {}", FilterText(sample.filter));
  if (sample.sample_count > 1) line += fmt::format(", {} samples", sample.sample_count);
  Line(out, "{}", line);
  for (const raster::ProbedTexel& texel : sample.texels) {
    if (texel.weight == 0.0F) continue;  // it changes nothing
    const std::string place = texel.is_border ? "border"
                              : sample.depth > 1
                                  ? fmt::format("texel {},{},{}", texel.x, texel.y, texel.z)
                                  : fmt::format("texel {},{}", texel.x, texel.y);
    const std::string level =
        sample.second_level != sample.level ? fmt::format(" of level {}", texel.level) : "";
    Line(out, "  {} * {}{} {}", FloatText(texel.weight), place, level, VectorText(texel.color));
  }
  Line(out, "  = {}{}", VectorText(sample.color),
       sample.is_killed ? ", matches the colour key" : "");
}

void AppendStage(std::string& out, const raster::ProbedStage& stage) {
  if (stage.is_bump) {
    return Line(out, "stage {}: {} moves the coordinates of the next stage by {}", stage.stage,
                EquationText(stage.color), VectorText(stage.registers.texture));
  }
  const auto half = [](const raster::Equation& equation, bool passes) {
    return passes ? "CURRENT (no texture)" : EquationText(equation);
  };
  Line(out, "stage {}: color {}, alpha {} = {}{}", stage.stage,
       half(stage.color, stage.color_passes), half(stage.alpha, stage.alpha_passes),
       stage.writes_temp ? "TEMP " : "", VectorText(stage.result));
}

std::string DepthText(uint32_t depth) {
  return fmt::format("{:#x}", depth);
}

void AppendTest(std::string& out, const raster::ProbedDepthStencil& test, bool names_sample) {
  const std::string sample = names_sample ? fmt::format("sample {}: ", test.sample) : "";
  const auto outcome = [](bool passes) { return passes ? "passes" : "fails"; };
  if (test.tests_stencil) {
    Line(out, "{}stencil test: {} {} {}: {}; {} makes {} of {}", sample, test.stencil_reference,
         NameText(d3d::kCompareFuncNames, test.stencil_function), test.stencil_stored,
         outcome(test.stencil_passes), NameText(d3d::kStencilOpNames, test.stencil_operation),
         test.stencil_after, test.stencil_before);
  }
  if (test.tests_depth) {
    const bool writes = test.writes_depth && test.depth_passes && test.stencil_passes;
    Line(out, "{}depth test: {} {} {}: {}{}", sample, DepthText(test.depth),
         NameText(d3d::kCompareFuncNames, test.depth_function), DepthText(test.depth_stored),
         outcome(test.depth_passes), writes ? ", is stored" : "");
  }
}

void AppendWrite(std::string& out, const raster::ProbedWrite& write, bool names_sample) {
  std::string target = write.slot == 0 ? "" : fmt::format("target {}, ", write.slot);
  if (names_sample) target += fmt::format("sample {}, ", write.sample);
  if (write.blends) {
    const bool is_same = write.blend.rgb.source == write.blend.alpha.source &&
                         write.blend.rgb.destination == write.blend.alpha.destination &&
                         write.blend.rgb.operation == write.blend.alpha.operation;
    Line(out, "{}blend: {} with {} by {}{} = {}", target, VectorText(write.source),
         VectorText(write.destination), BlendText(write.blend.rgb),
         is_same ? "" : ", alpha " + BlendText(write.blend.alpha), VectorText(write.result));
  }
  std::string how;
  if (write.is_srgb) how += ", sRGB";
  if (write.dithers) how += ", dithered";
  if (write.has_logic) how += ", logic operation or plane mask";
  constexpr uint32_t kAll = 0xF;
  if (write.write_mask != kAll)
    how += ", COLORWRITEENABLE " + FlagsText(d3d::kColorWriteNames, write.write_mask);
  const auto bits = [&](const std::array<uint8_t, 16>& bytes) {
    return BitsText({bytes.begin(), bytes.begin() + write.size});
  };
  Line(out, "{}stores {}{}: {} becomes {}", target, VectorText(write.result), how,
       bits(write.before), bits(write.after));
}

}  // namespace

void AppendFragment(std::string& out, const Operation& operation, const ProbedFragment& fragment) {
  for (const raster::ProbedVertex& vertex : fragment.vertices)
    AppendVertex(out, operation, fragment, vertex);
  for (uint32_t slot = 0; slot < raster::kVaryingCount; ++slot) {
    if (!fragment.vertices.empty() && (fragment.varying_mask >> slot & 1U) != 0)
      Line(out, "{}: {}", SlotName(operation, slot), VectorText(fragment.varyings[slot]));
  }
  for (const raster::ProbedSample& sample : fragment.shading.samples)
    AppendSample(out, sample);
  for (const raster::ProbedStage& stage : fragment.shading.stages)
    AppendStage(out, stage);
  if (operation.pixel_shader != nullptr)
    AppendSteps(out, *operation.pixel_shader, fragment.shading.steps, "");
  for (uint32_t target = 0; target < fragment.colors.size(); ++target) {
    if ((fragment.written_targets >> target & 1U) != 0) {
      Line(out, "shaded{}: {}", target == 0 ? "" : fmt::format(" for target {}", target),
           VectorText(fragment.colors[target]));
    }
  }
  const raster::ProbedAlphaTest& alpha = fragment.alpha_test;
  if (alpha.is_enabled) {
    Line(out, "alpha test: {} {} {}: {}", alpha.value,
         NameText(d3d::kCompareFuncNames, alpha.function), alpha.reference,
         alpha.passes ? "passes" : "fails");
  }
  const bool names_sample = fragment.samples > 1;
  for (const raster::ProbedDepthStencil& test : fragment.depth_stencil)
    AppendTest(out, test, names_sample);
  if (fragment.fog) {
    Line(out, "fog: factor {} of {} {}, color {}: {} becomes {}", FloatText(fragment.fog->factor),
         FogSourceText(fragment.fog->plan), FloatText(fragment.fog->value),
         VectorText(fragment.fog->plan.color, 3), VectorText(fragment.fog->before),
         VectorText(fragment.fog->after));
  }
  for (const raster::ProbedWrite& write : fragment.writes)
    AppendWrite(out, write, names_sample);
  if (fragment.fate != raster::Fate::kStored)
    Line(out, "the fragment {}", raster::Words(fragment.fate));
}

}  // namespace dp2trace::history
