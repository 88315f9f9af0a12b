// A fragment as JSON: every number that the text has.
#include <fmt/format.h>

#include "d3d/enums.h"
#include "history/numbers.h"
#include "history/report.h"
#include "raster/vertex/fetch.h"
#include "shader/disassembler.h"

namespace dp2trace::history {
namespace {

using raster::ProbedFragment;

std::string StepsJson(const shader::Program& program,
                      const std::vector<raster::ProbedStep>& steps) {
  return JsonArray(steps, [&](const raster::ProbedStep& step) {
    JsonObject object;
    object.Add("instruction", uint64_t{step.instruction});
    object.AddText("text",
                   shader::InstructionText(program, program.instructions[step.instruction]));
    object.AddBool("active", step.is_active);
    object.AddRaw("sources", JsonArray(step.sources, [](const raster::Float4& source) {
                    return VectorJson(source);
                  }));
    if (step.result) object.AddRaw("result", VectorJson(*step.result));
    return object.Take();
  });
}

template <class Varyings>
std::string VaryingsJson(const Operation& operation, uint32_t mask, const Varyings& varyings) {
  JsonObject object;
  for (uint32_t slot = 0; slot < raster::kVaryingCount; ++slot) {
    if ((mask >> slot & 1U) != 0)
      object.AddRaw(SlotName(operation, slot), VectorJson(varyings[slot]));
  }
  return object.Take();
}

std::string VertexJson(const Operation& operation, const ProbedFragment& fragment,
                       const raster::ProbedVertex& vertex) {
  JsonObject fetched;
  for (size_t i = 0; i < operation.layout.elements.size() && i < vertex.input.values.size(); ++i) {
    const device::VertexElement& element = operation.layout.elements[i];
    const uint32_t count = raster::ComponentCount(element.type);
    if (count != 0) fetched.AddRaw(ElementName(element), VectorJson(vertex.input.values[i], count));
  }
  JsonObject object;
  object.Add("number", vertex.number);
  object.AddRaw("fetched", fetched.Take());
  if (!operation.layout.is_transformed)
    object.AddRaw("clip", VectorJson(vertex.processed.position));
  const raster::ScreenVertex& screen = vertex.screen;
  object.AddRaw("screen", VectorJson({screen.x, screen.y, screen.z, screen.rhw}));
  object.AddRaw("outputs",
                VaryingsJson(operation, fragment.varying_mask, vertex.processed.varyings));
  if (operation.vertex_shader != nullptr && !vertex.steps.empty())
    object.AddRaw("steps", StepsJson(*operation.vertex_shader, vertex.steps));
  return object.Take();
}

std::string TexelJson(const raster::ProbedTexel& texel) {
  JsonObject object;
  object.Add("level", uint64_t{texel.level});
  if (texel.is_border) {
    object.AddBool("border", true);
  } else {
    object.AddRaw("at", fmt::format("[{},{},{}]", texel.x, texel.y, texel.z));
  }
  object.AddRaw("weight", FloatJson(texel.weight));
  object.AddRaw("color", VectorJson(texel.color));
  return object.Take();
}

std::string SampleJson(const raster::ProbedSample& sample) {
  JsonObject object;
  object.Add("sampler", uint64_t{sample.sampler});
  object.Add("surface", uint64_t{sample.texture});
  object.AddRaw("size", fmt::format("[{},{},{}]", sample.width, sample.height, sample.depth));
  object.AddRaw("coordinates", VectorJson(sample.coordinates));
  object.Add("face", uint64_t{sample.face});
  object.Add("level", uint64_t{sample.level});
  object.Add("second_level", uint64_t{sample.second_level});
  object.AddRaw("level_fraction", FloatJson(sample.level_fraction));
  object.AddText("filter", FilterText(sample.filter));
  object.Add("samples", uint64_t{sample.sample_count});
  object.AddRaw("texels", JsonArray(sample.texels, TexelJson));
  object.AddRaw("color", VectorJson(sample.color));
  if (sample.is_killed) object.AddBool("color_key", true);
  return object.Take();
}

std::string StageJson(const raster::ProbedStage& stage) {
  JsonObject object;
  object.Add("stage", uint64_t{stage.stage});
  object.AddText("color", EquationText(stage.color));
  object.AddText("alpha", EquationText(stage.alpha));
  object.AddBool("color_passes_current", stage.color_passes);
  object.AddBool("alpha_passes_current", stage.alpha_passes);
  object.AddRaw("texture", VectorJson(stage.registers.texture));
  object.AddRaw("current", VectorJson(stage.registers.current));
  object.AddRaw("diffuse", VectorJson(stage.registers.diffuse));
  object.AddRaw("specular", VectorJson(stage.registers.specular));
  object.AddRaw("temp", VectorJson(stage.registers.temp));
  object.AddText("writes", stage.is_bump ? "none" : stage.writes_temp ? "TEMP" : "CURRENT");
  object.AddRaw("result", VectorJson(stage.result));
  return object.Take();
}

std::string TestJson(const raster::ProbedDepthStencil& test) {
  JsonObject object;
  object.Add("sample", uint64_t{test.sample});
  if (test.tests_stencil) {
    JsonObject stencil;
    stencil.AddText("function", NameText(d3d::kCompareFuncNames, test.stencil_function));
    stencil.Add("reference", uint64_t{test.stencil_reference});
    stencil.Add("stored", uint64_t{test.stencil_stored});
    stencil.AddBool("passes", test.stencil_passes);
    stencil.AddText("operation", NameText(d3d::kStencilOpNames, test.stencil_operation));
    stencil.Add("before", uint64_t{test.stencil_before});
    stencil.Add("after", uint64_t{test.stencil_after});
    object.AddRaw("stencil", stencil.Take());
  }
  if (test.tests_depth) {
    JsonObject depth;
    depth.AddText("function", NameText(d3d::kCompareFuncNames, test.depth_function));
    depth.Add("depth", uint64_t{test.depth});
    depth.Add("stored", uint64_t{test.depth_stored});
    depth.AddBool("passes", test.depth_passes);
    depth.AddBool("writes", test.writes_depth && test.depth_passes && test.stencil_passes);
    object.AddRaw("depth", depth.Take());
  }
  return object.Take();
}

std::string WriteJson(const raster::ProbedWrite& write) {
  const auto bits = [&](const std::array<uint8_t, 16>& bytes) {
    return BitsText({bytes.begin(), bytes.begin() + write.size});
  };
  JsonObject object;
  object.Add("target", uint64_t{write.slot});
  object.Add("sample", uint64_t{write.sample});
  object.AddRaw("source", VectorJson(write.source));
  if (write.blends) {
    JsonObject blend;
    blend.AddText("color", BlendText(write.blend.rgb));
    blend.AddText("alpha", BlendText(write.blend.alpha));
    blend.AddRaw("factor", VectorJson(write.blend.factor));
    blend.AddRaw("second", VectorJson(write.second));
    blend.AddRaw("destination", VectorJson(write.destination));
    object.AddRaw("blend", blend.Take());
  }
  object.AddRaw("result", VectorJson(write.result));
  object.Add("write_mask", uint64_t{write.write_mask});
  object.AddBool("srgb", write.is_srgb);
  object.AddBool("dithers", write.dithers);
  object.AddBool("logic", write.has_logic);
  object.AddText("before", bits(write.before));
  object.AddText("after", bits(write.after));
  return object.Take();
}

std::string AlphaTestJson(const raster::ProbedAlphaTest& test) {
  JsonObject object;
  object.AddText("function", NameText(d3d::kCompareFuncNames, test.function));
  object.Add("value", uint64_t{test.value});
  object.Add("reference", uint64_t{test.reference});
  object.AddBool("passes", test.passes);
  return object.Take();
}

std::string FogJson(const raster::ProbedFog& fog) {
  JsonObject object;
  object.AddText("source", FogSourceText(fog.plan));
  object.AddRaw("value", FloatJson(fog.value));
  object.AddRaw("factor", FloatJson(fog.factor));
  object.AddRaw("color", VectorJson(fog.plan.color, 3));
  object.AddRaw("before", VectorJson(fog.before));
  object.AddRaw("after", VectorJson(fog.after));
  return object.Take();
}

}  // namespace

std::string FragmentJson(const Operation& operation, const ProbedFragment& fragment) {
  JsonObject object;
  object.Add("primitive", fragment.primitive);
  object.Add("instance", uint64_t{fragment.instance});
  object.AddText("fate", raster::Name(fragment.fate));
  if (fragment.samples == 0) return object.Take();  // it covers the pixel, and that is all
  object.AddBool("front", fragment.is_front);
  object.Add("samples", uint64_t{fragment.samples});
  object.AddRaw("vertices", JsonArray(fragment.vertices, [&](const raster::ProbedVertex& vertex) {
                  return VertexJson(operation, fragment, vertex);
                }));
  object.AddRaw("inputs", VaryingsJson(operation, fragment.varying_mask, fragment.varyings));
  object.AddRaw("texture_samples", JsonArray(fragment.shading.samples, SampleJson));
  object.AddRaw("stages", JsonArray(fragment.shading.stages, StageJson));
  if (operation.pixel_shader != nullptr && !fragment.shading.steps.empty())
    object.AddRaw("steps", StepsJson(*operation.pixel_shader, fragment.shading.steps));
  object.AddRaw("shaded", JsonArray(fragment.colors,
                                    [](const raster::Float4& color) { return VectorJson(color); }));
  object.Add("written_targets", uint64_t{fragment.written_targets});
  if (fragment.alpha_test.is_enabled)
    object.AddRaw("alpha_test", AlphaTestJson(fragment.alpha_test));
  object.AddRaw("tests", JsonArray(fragment.depth_stencil, TestJson));
  if (fragment.fog) object.AddRaw("fog", FogJson(*fragment.fog));
  object.AddRaw("writes", JsonArray(fragment.writes, WriteJson));
  return object.Take();
}

}  // namespace dp2trace::history
