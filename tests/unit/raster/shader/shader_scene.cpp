#include "shader_scene.h"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstring>

#include "raster/shader/shader.h"
#include "shader/decoder.h"
#include "support/shader_assembler.h"

namespace dp2trace::testing {

using raster::Float4;

namespace {

template <class T>
T& Place(std::vector<T>& values, uint32_t number) {
  if (values.size() <= number) values.resize(size_t{number} + 1);
  return values[number];
}

}  // namespace

ShaderScene::ShaderScene()
    : context_(9, false, trace::ContextCreate{.runtime_version = 5, .ddrval = {}}, space_) {
  outputs_.varying_mask = 0xFFF;
  for (uint32_t& components : outputs_.texcoord_components)
    components = 4;
  for (raster::Float4Quad& varying : quad_.varyings)
    varying = {};
  draw_.layout = &layout_;
}

void ShaderScene::SetReal(uint32_t number, const Float4& value) {
  Place(context_.state.vertex_constants.floats, number) = value;
  Place(context_.state.pixel_constants.floats, number) = value;
}

void ShaderScene::SetInteger(uint32_t number, const std::array<int32_t, 4>& value) {
  Place(context_.state.vertex_constants.integers, number) = value;
  Place(context_.state.pixel_constants.integers, number) = value;
}

void ShaderScene::SetBoolean(uint32_t number, bool value) {
  Place(context_.state.vertex_constants.booleans, number) = value ? 1 : 0;
  Place(context_.state.pixel_constants.booleans, number) = value ? 1 : 0;
}

void ShaderScene::Set(uint32_t stage, d3d::TextureStageState state, uint32_t value) {
  context_.state.stages[stage][d3d::Value(state)] = value;
}

void ShaderScene::SetReal(uint32_t stage, d3d::TextureStageState state, float value) {
  Set(stage, state, std::bit_cast<uint32_t>(value));
}

void ShaderScene::Bind(uint32_t slot, d3d::Format format, uint32_t width, uint32_t height,
                       const std::vector<uint8_t>& bytes) {
  trace::SurfaceCreate event;
  event.handle = slot + 1;
  event.format = static_cast<uint32_t>(format);
  event.width = width;
  event.height = height;
  event.levels = 1;
  REQUIRE(space_.Create(event, {}).ok());
  Set(slot, d3d::TextureStageState::TextureMap, event.handle);
  image::Surface& surface = context_.Texture(slot)->surface;
  REQUIRE(surface.Update(0, 0, surface.WholeLevel(0), {.bytes = bytes}).ok());
}

void ShaderScene::BindValue(uint32_t slot, const Float4& value) {
  std::vector<uint8_t> bytes(sizeof value);
  std::memcpy(bytes.data(), value.data(), sizeof value);
  Bind(slot, d3d::Format::A32B32G32R32F, 1, 1, bytes);
}

void ShaderScene::SetVarying(uint32_t slot, const Float4& value) {
  quad_.varyings[slot].fill(value);
}

const shader::Program& ShaderScene::Assemble(std::string_view text) {
  DiagnosticList findings;
  programs_.push_back(
      std::make_unique<shader::Program>(shader::Decode(AssembleShader(text), findings)));
  REQUIRE(programs_.back()->is_executable);
  return *programs_.back();
}

raster::QuadColors ShaderScene::Shade(std::string_view text) {
  const std::unique_ptr<raster::PixelProgram> program =
      raster::MakePixelShader(context_, Assemble(text), outputs_);
  raster::QuadColors colors = {};
  program->Shade(quad_, colors);
  CHECK((program->may_kill() || (colors.killed == 0 && !colors.writes_depth)));
  return colors;
}

void ShaderScene::AddElement(d3d::DeclUsage usage, uint32_t index, const Float4& value,
                             uint8_t shader_register) {
  input_.values[layout_.elements.size()] = value;
  layout_.elements.push_back({.usage = static_cast<uint8_t>(d3d::Value(usage)),
                              .usage_index = static_cast<uint8_t>(index),
                              .shader_register = shader_register});
}

raster::Vertex ShaderScene::Process(std::string_view text, std::string_view pixel_text) {
  const shader::Program* pixel = pixel_text.empty() ? nullptr : &Assemble(pixel_text);
  processor_ = raster::MakeVertexShaderProcessor(context_, draw_, Assemble(text), pixel);
  return processor_->Process(input_);
}

bool IsNear(const Float4& actual, const Float4& expected, float tolerance) {
  for (size_t i = 0; i < 4; ++i) {
    if (!(std::fabs(actual[i] - expected[i]) <= tolerance)) return false;
  }
  return true;
}

}  // namespace dp2trace::testing
