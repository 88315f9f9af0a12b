#include "stage_scene.h"

#include <doctest/doctest.h>

#include <bit>

#include "texture_scene.h"

namespace dp2trace::testing {

using Tss = d3d::TextureStageState;

StageScene::StageScene(uint32_t level, uint32_t runtime_version)
    : context_(level, false, trace::ContextCreate{.runtime_version = runtime_version, .ddrval = {}},
               space_) {
  outputs_.varying_mask = 0x3FF;
  for (uint32_t& components : outputs_.texcoord_components) {
    components = 4;
  }
}

void StageScene::Set(uint32_t stage, Tss state, uint32_t value) {
  context_.state.stages[stage][d3d::Value(state)] = value;
}

void StageScene::SetReal(uint32_t stage, Tss state, float value) {
  Set(stage, state, std::bit_cast<uint32_t>(value));
}

void StageScene::SetColor(uint32_t stage, d3d::TextureOp op, uint32_t arg1, uint32_t arg2) {
  Set(stage, Tss::ColorOp, d3d::Value(op));
  Set(stage, Tss::ColorArg1, arg1);
  Set(stage, Tss::ColorArg2, arg2);
}

void StageScene::SetAlpha(uint32_t stage, d3d::TextureOp op, uint32_t arg1, uint32_t arg2) {
  Set(stage, Tss::AlphaOp, d3d::Value(op));
  Set(stage, Tss::AlphaArg1, arg1);
  Set(stage, Tss::AlphaArg2, arg2);
}

void StageScene::Bind(uint32_t stage, d3d::Format format, uint32_t width,
                      const std::vector<uint8_t>& bytes) {
  trace::SurfaceCreate event;
  event.handle = stage + 1;
  event.format = static_cast<uint32_t>(format);
  event.width = width;
  REQUIRE(space_.Create(event, {}).ok());
  Set(stage, Tss::TextureMap, event.handle);
  Fill(texture(stage), 0, 0, bytes);
}

void StageScene::BindColor(uint32_t stage, uint32_t argb) {
  const auto byte = [argb](uint32_t shift) { return static_cast<uint8_t>(argb >> shift & 0xFF); };
  Bind(stage, d3d::Format::A8R8G8B8, 1, {byte(0), byte(8), byte(16), byte(24)});
}

uint32_t StageScene::Shade() {
  raster::Quad quad;
  for (raster::Float4Quad& varying : quad.varyings) {
    varying.fill(coordinates);
  }
  quad.varyings[raster::kDiffuseSlot].fill(raster::FromColor(diffuse));
  quad.varyings[raster::kSpecularSlot].fill(raster::FromColor(specular));
  raster::QuadColors colors;
  const std::unique_ptr<raster::PixelProgram> program =
      raster::MakeFixedFunctionStages(context_, outputs_);
  program->Shade(quad, colors);
  CHECK(colors.written_targets == 1);
  CHECK_FALSE(colors.writes_depth);
  is_killed_ = colors.killed == 0xF;
  CHECK((program->may_kill() || colors.killed == 0));
  return ToArgb(colors.colors[0][0]);
}

}  // namespace dp2trace::testing
