#include <doctest/doctest.h>

#include "../device_scene.h"
#include "d3d/vendor_codes.h"

using namespace dp2trace;          // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::device;  // NOLINT(google-build-using-namespace): test file
using opcode::Op;

TEST_CASE("RESZ copies the depth surface into the texture of stage 0") {
  constexpr uint32_t kIntz = d3d::FourCc("INTZ"), kDf16 = d3d::FourCc("DF16");
  constexpr uint32_t kPointSize = d3d::Value(d3d::RenderState::PointSize);
  constexpr uint32_t kTextureMap = d3d::Value(d3d::TextureStageState::TextureMap) << 16;
  Scene scene;
  scene.Texture(5, kIntz, 16);
  scene.Texture(6, kDf16, 8);
  std::vector<uint8_t> depth(16 * 16 * 4);
  for (size_t i = 0; i < depth.size(); ++i)
    depth[i] = i % 4 == 0 ? 0x07 : 0xFF;  // depth 1, stencil 7
  scene.Update(kDepthSurface, depth);
  scene.Run(Op::kTextureStageState, {kTextureMap, 5});
  scene.Run(Op::kRenderState, {kPointSize, Bits(2.0F)});
  CHECK(scene.Read(5) == std::vector<uint8_t>(depth.size()));
  scene.Run(Op::kRenderState, {kPointSize, d3d::kReszCode});
  CHECK(scene.Read(5) == depth);
  scene.Run(Op::kTextureStageState, {kTextureMap, 6});
  scene.Run(Op::kRenderState, {kPointSize, d3d::kReszCode});
  CHECK(scene.Read(6) == std::vector<uint8_t>(8 * 8 * 2, 0xFF));
  CHECK(scene.findings.empty());
}
