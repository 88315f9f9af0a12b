#include "d3d/legacy_states.h"

namespace dp2trace::d3d {
namespace {

// One value of D3DTEXTUREFILTER in the D3DTEXF numbering. MIPLINEAR is bilinear within the nearest level, LINEARMIPNEAREST blends
// point samples of two levels: so the SDK pages; some drivers exchange the two.
struct FilterRow {
  LegacyFilter filter;
  TextureFilter mag;
  TextureFilter min;
  TextureFilter mip;
};
// clang-format off
constexpr FilterRow kFilters[] = {
    {LegacyFilter::Nearest,          TextureFilter::Point,  TextureFilter::Point,  TextureFilter::None},
    {LegacyFilter::Linear,           TextureFilter::Linear, TextureFilter::Linear, TextureFilter::None},
    {LegacyFilter::MipNearest,       TextureFilter::Point,  TextureFilter::Point,  TextureFilter::Point},
    {LegacyFilter::MipLinear,        TextureFilter::Linear, TextureFilter::Linear, TextureFilter::Point},
    {LegacyFilter::LinearMipNearest, TextureFilter::Linear, TextureFilter::Point,  TextureFilter::Linear},
    {LegacyFilter::LinearMipLinear,  TextureFilter::Linear, TextureFilter::Linear, TextureFilter::Linear},
};

// One value of D3DTEXTUREBLEND: operations on ARG1 TEXTURE and ARG2 DIFFUSE.
struct BlendRow {
  TextureBlend blend;
  TextureOp color;
  TextureOp alpha;            // where the texture has alpha
  TextureOp alpha_of_opaque;  // where it has none
};
// The MASK modes test a bit of the texel, which no operation does; here they are what they mask.
constexpr BlendRow kBlends[] = {
    {TextureBlend::Decal,         TextureOp::SelectArg1,        TextureOp::SelectArg1, TextureOp::SelectArg1},
    {TextureBlend::Modulate,      TextureOp::Modulate,          TextureOp::SelectArg1, TextureOp::SelectArg2},
    {TextureBlend::DecalAlpha,    TextureOp::BlendTextureAlpha, TextureOp::SelectArg2, TextureOp::SelectArg2},
    {TextureBlend::ModulateAlpha, TextureOp::Modulate,          TextureOp::Modulate,   TextureOp::Modulate},
    {TextureBlend::DecalMask,     TextureOp::SelectArg1,        TextureOp::SelectArg1, TextureOp::SelectArg1},
    {TextureBlend::ModulateMask,  TextureOp::Modulate,          TextureOp::SelectArg1, TextureOp::SelectArg2},
    {TextureBlend::Copy,          TextureOp::SelectArg1,        TextureOp::SelectArg1, TextureOp::SelectArg1},
    {TextureBlend::Add,           TextureOp::Add,               TextureOp::SelectArg2, TextureOp::SelectArg2},
};
// clang-format on

// A mip filter in the numbering of the runtime. POINT and LINEAR of the other two filters have the same number in both.
uint32_t MipFilterValue(TextureFilter filter, uint32_t runtime_version) {
  const uint32_t legacy_offset = Value(LegacyMipFilter::None) - Value(TextureFilter::None);
  return Value(filter) + (runtime_version < kFirstModernRuntime ? legacy_offset : 0);
}
static_assert(Value(LegacyMagFilter::Linear) == Value(TextureFilter::Linear));
static_assert(Value(LegacyMinFilter::Linear) == Value(TextureFilter::Linear));

void AddBlend(StageWrites& writes, const BlendRow& row, bool texture_has_alpha) {
  writes.Add(TextureStageState::ColorArg1, TextureArg::Texture);
  writes.Add(TextureStageState::ColorArg2, TextureArg::Diffuse);
  writes.Add(TextureStageState::ColorOp, row.color);
  writes.Add(TextureStageState::AlphaArg1, TextureArg::Texture);
  writes.Add(TextureStageState::AlphaArg2, TextureArg::Diffuse);
  writes.Add(TextureStageState::AlphaOp, texture_has_alpha ? row.alpha : row.alpha_of_opaque);
}

}  // namespace

StageWrites LegacyStageWrites(uint32_t render_state, uint32_t value, uint32_t runtime_version,
                              bool texture_has_alpha) {
  using Tss = TextureStageState;
  StageWrites writes;
  // Most render states are not legacy texture states: the list is open, unlike a switch over an enumeration of ours.
  const auto is = [render_state](RenderState state) { return render_state == Value(state); };
  if (is(RenderState::TextureHandle)) {
    writes.Add(Tss::TextureMap, value);
  } else if (is(RenderState::TextureAddress)) {
    writes.Add(Tss::AddressU, value);
    writes.Add(Tss::AddressV, value);
  } else if (is(RenderState::TextureAddressU)) {
    writes.Add(Tss::AddressU, value);
  } else if (is(RenderState::TextureAddressV)) {
    writes.Add(Tss::AddressV, value);
  } else if (is(RenderState::BorderColor)) {
    writes.Add(Tss::BorderColor, value);
  } else if (is(RenderState::MipMapLodBias)) {
    writes.Add(Tss::MipMapLodBias, value);
  } else if (is(RenderState::Anisotropy)) {
    writes.Add(Tss::MaxAnisotropy, value);
  } else if (is(RenderState::TextureMag) || is(RenderState::TextureMin)) {
    for (const FilterRow& row : kFilters) {
      if (Value(row.filter) != value) continue;
      if (is(RenderState::TextureMag)) {
        writes.Add(Tss::MagFilter, row.mag);
      } else {
        writes.Add(Tss::MinFilter, row.min);
        writes.Add(Tss::MipFilter, MipFilterValue(row.mip, runtime_version));
      }
    }
  } else if (is(RenderState::TextureMapBlend)) {
    for (const BlendRow& row : kBlends) {
      if (Value(row.blend) == value) AddBlend(writes, row, texture_has_alpha);
    }
  }
  return writes;
}

uint32_t LegacyWrapBit(uint32_t render_state) {
  if (render_state == Value(RenderState::WrapU)) return Value(WrapCoord::U);
  if (render_state == Value(RenderState::WrapV)) return Value(WrapCoord::V);
  return 0;
}

}  // namespace dp2trace::d3d
