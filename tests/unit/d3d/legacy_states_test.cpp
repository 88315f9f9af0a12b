#include "d3d/legacy_states.h"

#include <doctest/doctest.h>

#include <vector>

using namespace dp2trace::d3d;  // NOLINT(google-build-using-namespace): test file

namespace {

using Tss = TextureStageState;

std::vector<StageWrite> Writes(RenderState state, uint32_t value, uint32_t runtime_version = 2,
                               bool has_alpha = true) {
  const StageWrites writes = LegacyStageWrites(Value(state), value, runtime_version, has_alpha);
  return {writes.items().begin(), writes.items().end()};
}

}  // namespace

TEST_CASE("Legacy states: single values go to stage 0 unchanged") {
  CHECK(Writes(RenderState::TextureHandle, 7) == std::vector<StageWrite>{{Tss::TextureMap, 7}});
  CHECK(Writes(RenderState::TextureAddress, 3) ==
        std::vector<StageWrite>{{Tss::AddressU, 3}, {Tss::AddressV, 3}});
  CHECK(Writes(RenderState::TextureAddressV, 2) == std::vector<StageWrite>{{Tss::AddressV, 2}});
  CHECK(Writes(RenderState::BorderColor, 0x80FF0000) ==
        std::vector<StageWrite>{{Tss::BorderColor, 0x80FF0000}});
  CHECK(Writes(RenderState::Anisotropy, 4) == std::vector<StageWrite>{{Tss::MaxAnisotropy, 4}});
}

TEST_CASE("Legacy states: other states and unknown values write nothing") {
  CHECK(Writes(RenderState::ZEnable, 1).empty());
  CHECK(Writes(RenderState::TextureMin, 7).empty());
  CHECK(Writes(RenderState::TextureMapBlend, 0).empty());
  CHECK(LegacyStageWrites(0xFFFFFFFF, 1, 2, false).items().empty());
}

TEST_CASE("Legacy states: TEXTUREMIN sets min and mip in the numbering of the runtime") {
  CHECK(Writes(RenderState::TextureMin, 1) ==
        std::vector<StageWrite>{{Tss::MinFilter, 1}, {Tss::MipFilter, 1}});
  CHECK(Writes(RenderState::TextureMin, 4) ==
        std::vector<StageWrite>{{Tss::MinFilter, 2}, {Tss::MipFilter, 2}});
  CHECK(Writes(RenderState::TextureMin, 5) ==
        std::vector<StageWrite>{{Tss::MinFilter, 1}, {Tss::MipFilter, 3}});
  CHECK(Writes(RenderState::TextureMin, 5, 4) ==
        std::vector<StageWrite>{{Tss::MinFilter, 1}, {Tss::MipFilter, 2}});
  CHECK(Writes(RenderState::TextureMag, 3) == std::vector<StageWrite>{{Tss::MagFilter, 1}});
  CHECK(Writes(RenderState::TextureMag, 5) == std::vector<StageWrite>{{Tss::MagFilter, 2}});
}

TEST_CASE("Legacy states: TEXTUREMAPBLEND programs stage 0") {
  const auto op = [](const std::vector<StageWrite>& writes, Tss state) {
    for (const StageWrite& write : writes) {
      if (write.state == state) return write.value;
    }
    return 0U;
  };
  const std::vector<StageWrite> modulate =
      Writes(RenderState::TextureMapBlend, Value(TextureBlend::Modulate));
  CHECK(op(modulate, Tss::ColorOp) == Value(TextureOp::Modulate));
  CHECK(op(modulate, Tss::ColorArg1) == Value(TextureArg::Texture));
  CHECK(op(modulate, Tss::AlphaOp) == Value(TextureOp::SelectArg1));
  const std::vector<StageWrite> opaque =
      Writes(RenderState::TextureMapBlend, Value(TextureBlend::Modulate), 2, false);
  CHECK(op(opaque, Tss::AlphaOp) == Value(TextureOp::SelectArg2));
  const std::vector<StageWrite> decal_alpha =
      Writes(RenderState::TextureMapBlend, Value(TextureBlend::DecalAlpha));
  CHECK(op(decal_alpha, Tss::ColorOp) == Value(TextureOp::BlendTextureAlpha));
  CHECK(op(decal_alpha, Tss::AlphaOp) == Value(TextureOp::SelectArg2));
}

TEST_CASE("Legacy states: wrap bits") {
  CHECK(LegacyWrapBit(Value(RenderState::WrapU)) == 1);
  CHECK(LegacyWrapBit(Value(RenderState::WrapV)) == 2);
  CHECK(LegacyWrapBit(Value(RenderState::Wrap0)) == 0);
}
