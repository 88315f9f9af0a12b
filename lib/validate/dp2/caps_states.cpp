// Values of states that bits of D3DCAPS9 stand for, as tables: which value needs which bit, and where it takes effect.
// Source: D3DCAPS9, D3DPMISCCAPS, D3DPRASTERCAPS, D3DPCMPCAPS, D3DPBLENDCAPS, D3DPSHADECAPS, D3DPTEXTURECAPS, D3DPTFILTERCAPS,
// D3DPTADDRESSCAPS, D3DLINECAPS, D3DSTENCILCAPS, D3DVTXPCAPS (d3d9caps.h).
#include <fmt/format.h>

#include <bit>
#include <optional>
#include <string>

#include "base/flag_text.h"
#include "base/plain_text.h"
#include "d3d/caps.h"
#include "d3d/notation.h"
#include "rules/rule.h"
#include "validate/causes.h"
#include "validate/dp2/caps_use.h"

namespace dp2trace::validate {
namespace {

using d3d::Cap;
using d3d::RenderState;
using d3d::TextureArg;
using d3d::TextureStageState;
using device::State;

// Which values of a state need the bit of a row.
enum class Match : uint8_t {
  kOn,       // not 0
  kOff,      // 0
  kIs,       // the value of the row
  kIsNot,    // any other
  kHas,      // all bits of the value of the row
  kReal,     // a number other than 0
  kHighIs,   // the high word is the value of the row
  kNotLike,  // another value than the state that the row's value names
};

bool Matches(const State& state, Match match, uint32_t value, uint32_t row_value) {
  switch (match) {
    case Match::kOn:
      return value != 0;
    case Match::kOff:
      return value == 0;
    case Match::kIs:
      return value == row_value;
    case Match::kIsNot:
      return value != row_value;
    case Match::kHas:
      return (value & row_value) == row_value;
    case Match::kReal:
      return value << 1 != 0;
    case Match::kHighIs:
      return value >> d3d::kTexcoordGenerationShift == row_value;
    case Match::kNotLike:
      return value != state.render[row_value];
  }
  return false;
}

// ---------- words ----------

// "SRCALPHASAT", "TRUE", "0.5", "0x7".
std::string ValueWords(const d3d::StateInfo& info, uint32_t value, uint32_t runtime_version) {
  const EnumInfo* const names = d3d::ValueNames(info, runtime_version);
  switch (info.type) {
    case d3d::ValueType::kBool:
      return value != 0 ? "TRUE" : "FALSE";
    case d3d::ValueType::kF32:
      return RealText(std::bit_cast<float>(value));
    case d3d::ValueType::kEnum:
    case d3d::ValueType::kFlags:
      if (names == nullptr) break;
      return names->is_flags ? FlagsText(*names, value) : ValueText(*names, value);
    case d3d::ValueType::kU16Pair:
      if (names == nullptr) break;
      return fmt::format("{}, {}", value & 0xFFFF, ValueText(*names, value >> 16));
    case d3d::ValueType::kU32:
      return NumberText(value);
    case d3d::ValueType::kColor:
      return d3d::ColorText(value);
    case d3d::ValueType::kHex:
    case d3d::ValueType::kHandle:
      break;
  }
  return fmt::format("{:#x}", value);
}

// A bit that is missing, or one that forbids and is there: which member, and what the state asks of it.
struct Missing {
  Rule rule;
  Cap cap;
  uint32_t claimed;
  uint32_t bit;
  std::string_view bit_name;
};

uint32_t NumberOf(uint32_t bit) {
  return static_cast<uint32_t>(std::countr_zero(bit));
}

void Report(const CommandView& view, const Missing& missing, Detail detail, std::string_view what,
            std::string actual) {
  const std::string_view member = d3d::Info(missing.cap).spelling;
  const bool forbids = (missing.claimed & missing.bit) != 0;
  view.ReportAtDraw(missing.rule, detail,
                    fmt::format("{}, and {} is {:#x}, {} {}", what, member, missing.claimed,
                                forbids ? "with" : "without", missing.bit_name),
                    std::move(actual),
                    fmt::format("{} {} {}, or another value", member, forbids ? "without" : "with",
                                missing.bit_name));
}

// ---------- render states ----------

struct StateRow {
  RenderState state;
  Match match;
  uint32_t value;
  uint32_t parts;  // UsedPart: all of them are used
  Cap cap;
  uint32_t bit;
  std::string_view bit_name;  // of d3d9caps.h, without prefix
  Rule rule;
};

constexpr uint32_t kFlat = d3d::Value(d3d::ShadeMode::Flat);
constexpr uint32_t kColorMask = d3d::Value(RenderState::ColorWriteEnable);

// clang-format off
constexpr StateRow kStateRows[] = {
    {RenderState::ZWriteEnable, Match::kOff, 0, kDepthTest, Cap::PrimitiveMiscCaps, 0x2, "MASKZ", Rule::kDp2Caps013},
    {RenderState::CullMode, Match::kIs, d3d::Value(d3d::CullMode::None), kTriangles, Cap::PrimitiveMiscCaps, 0x10, "CULLNONE", Rule::kDp2Caps013},
    {RenderState::CullMode, Match::kIs, d3d::Value(d3d::CullMode::Cw), kTriangles, Cap::PrimitiveMiscCaps, 0x20, "CULLCW", Rule::kDp2Caps013},
    {RenderState::CullMode, Match::kIs, d3d::Value(d3d::CullMode::Ccw), kTriangles, Cap::PrimitiveMiscCaps, 0x40, "CULLCCW", Rule::kDp2Caps013},
    {RenderState::ColorWriteEnable, Match::kIsNot, 0xF, 0, Cap::PrimitiveMiscCaps, 0x80, "COLORWRITEENABLE", Rule::kDp2Caps013},
    {RenderState::ClipPlaneEnable, Match::kOn, 0, kLargePoints | kUntransformed, Cap::PrimitiveMiscCaps, 0x100, "CLIPPLANESCALEDPOINTS", Rule::kDp2Caps013},
    {RenderState::BlendOp, Match::kIsNot, d3d::Value(d3d::BlendOp::Add), kBlending, Cap::PrimitiveMiscCaps, 0x800, "BLENDOP", Rule::kDp2Caps013},
    {RenderState::ColorWriteEnable1, Match::kNotLike, kColorMask, kTarget1, Cap::PrimitiveMiscCaps, 0x4000, "INDEPENDENTWRITEMASKS", Rule::kDp2Caps013},
    {RenderState::ColorWriteEnable2, Match::kNotLike, kColorMask, kTarget2, Cap::PrimitiveMiscCaps, 0x4000, "INDEPENDENTWRITEMASKS", Rule::kDp2Caps013},
    {RenderState::ColorWriteEnable3, Match::kNotLike, kColorMask, kTarget3, Cap::PrimitiveMiscCaps, 0x4000, "INDEPENDENTWRITEMASKS", Rule::kDp2Caps013},
    {RenderState::BlendOpAlpha, Match::kIsNot, d3d::Value(d3d::BlendOp::Add), kBlending | kAlphaBlending, Cap::PrimitiveMiscCaps, 0x800, "BLENDOP", Rule::kDp2Caps013},
    {RenderState::SrgbWriteEnable, Match::kOn, 0, kBlending, Cap::PrimitiveMiscCaps, 0x200000, "POSTBLENDSRGBCONVERT", Rule::kDp2Caps013},
    {RenderState::SeparateAlphaBlendEnable, Match::kOn, 0, kBlending, Cap::PrimitiveMiscCaps, 0x20000, "SEPARATEALPHABLEND", Rule::kDp2Caps013},
    {RenderState::AlphaBlendEnable, Match::kOn, 0, kSeveralTargets, Cap::PrimitiveMiscCaps, 0x80000, "MRTPOSTPIXELSHADERBLENDING", Rule::kDp2Caps013},

    {RenderState::DitherEnable, Match::kOn, 0, 0, Cap::RasterCaps, 0x1, "DITHER", Rule::kDp2Caps014},
    {RenderState::Rop2, Match::kIsNot, d3d::Value(d3d::Rop2::CopyPen), kBelowLevel8, Cap::RasterCaps, 0x2, "ROP2", Rule::kDp2Caps014},
    {RenderState::LinePattern, Match::kOn, 0, kLines | kBelowLevel9, Cap::RasterCaps, 0x8, "PAT", Rule::kDp2Caps014},
    {RenderState::ZEnable, Match::kOn, 0, kDepthTest, Cap::RasterCaps, 0x10, "ZTEST", Rule::kDp2Caps014},
    {RenderState::FogEnable, Match::kOn, 0, kVertexFog, Cap::RasterCaps, 0x80, "FOGVERTEX", Rule::kDp2Caps014},
    {RenderState::FogTableMode, Match::kOn, 0, kFog, Cap::RasterCaps, 0x100, "FOGTABLE", Rule::kDp2Caps014},
    {RenderState::FogTableMode, Match::kOn, 0, kWFog, Cap::RasterCaps, 0x100000, "WFOG", Rule::kDp2Caps014},
    {RenderState::FogTableMode, Match::kOn, 0, kZFog, Cap::RasterCaps, 0x200000, "ZFOG", Rule::kDp2Caps014},
    {RenderState::StippleEnable, Match::kOn, 0, kBelowLevel8, Cap::RasterCaps, 0x200, "STIPPLE", Rule::kDp2Caps014},
    {RenderState::AntiAlias, Match::kIs, d3d::Value(d3d::AntialiasMode::SortDependent), kBelowLevel8, Cap::RasterCaps, 0x400, "ANTIALIASSORTDEPENDENT", Rule::kDp2Caps014},
    {RenderState::AntiAlias, Match::kIs, d3d::Value(d3d::AntialiasMode::SortIndependent), kBelowLevel8, Cap::RasterCaps, 0x800, "ANTIALIASSORTINDEPENDENT", Rule::kDp2Caps014},
    {RenderState::EdgeAntiAlias, Match::kOn, 0, kBelowLevel9, Cap::RasterCaps, 0x1000, "ANTIALIASEDGES", Rule::kDp2Caps014},
    {RenderState::ZBias, Match::kOn, 0, kDepthTest | kBelowLevel9, Cap::RasterCaps, 0x4000, "ZBIAS", Rule::kDp2Caps014},
    {RenderState::RangeFogEnable, Match::kOn, 0, kVertexFog | kFixedVertices, Cap::RasterCaps, 0x10000, "FOGRANGE", Rule::kDp2Caps014},
    {RenderState::ZEnable, Match::kIs, d3d::Value(d3d::ZBufferType::UseW), kDepthTest, Cap::RasterCaps, 0x40000, "WBUFFER", Rule::kDp2Caps014},
    {RenderState::ScissorTestEnable, Match::kOn, 0, 0, Cap::RasterCaps, 0x1000000, "SCISSORTEST", Rule::kDp2Caps014},
    {RenderState::SlopeScaleDepthBias, Match::kReal, 0, kDepthTest, Cap::RasterCaps, 0x2000000, "SLOPESCALEDEPTHBIAS", Rule::kDp2Caps014},
    {RenderState::DepthBias, Match::kReal, 0, kDepthTest, Cap::RasterCaps, 0x4000000, "DEPTHBIAS", Rule::kDp2Caps014},
    {RenderState::MultisampleAntialias, Match::kOff, 0, kMultisampled, Cap::RasterCaps, 0x8000000, "MULTISAMPLE_TOGGLE", Rule::kDp2Caps014},

    {RenderState::ShadeMode, Match::kIsNot, kFlat, kVertexColor, Cap::ShadeCaps, 0x8, "COLORGOURAUDRGB", Rule::kDp2Caps017},
    {RenderState::ShadeMode, Match::kIsNot, kFlat, kVertexSpecular, Cap::ShadeCaps, 0x200, "SPECULARGOURAUDRGB", Rule::kDp2Caps017},
    {RenderState::ShadeMode, Match::kIsNot, kFlat, kVertexColor | kBlending, Cap::ShadeCaps, 0x4000, "ALPHAGOURAUDBLEND", Rule::kDp2Caps017},
    {RenderState::ShadeMode, Match::kIsNot, kFlat, kVertexFog, Cap::ShadeCaps, 0x80000, "FOGGOURAUD", Rule::kDp2Caps017},

    {RenderState::ZEnable, Match::kOn, 0, kLines | kDepthTest, Cap::LineCaps, 0x2, "ZTEST", Rule::kDp2Caps020},
    {RenderState::AlphaBlendEnable, Match::kOn, 0, kLines, Cap::LineCaps, 0x4, "BLEND", Rule::kDp2Caps020},
    {RenderState::AlphaTestEnable, Match::kOn, 0, kLines, Cap::LineCaps, 0x8, "ALPHACMP", Rule::kDp2Caps020},
    {RenderState::FogEnable, Match::kOn, 0, kLines, Cap::LineCaps, 0x10, "FOG", Rule::kDp2Caps020},
    {RenderState::AntialiasedLineEnable, Match::kOn, 0, kLines, Cap::LineCaps, 0x20, "ANTIALIAS", Rule::kDp2Caps020},

    {RenderState::TwoSidedStencilMode, Match::kOn, 0, kStencilTest, Cap::StencilCaps, 0x100, "TWOSIDED", Rule::kDp2Caps021},

    {RenderState::DiffuseMaterialSource, Match::kOn, 0, kVertexMaterial, Cap::VertexProcessingCaps, 0x2, "MATERIALSOURCE7", Rule::kDp2Caps023},
    {RenderState::SpecularMaterialSource, Match::kOn, 0, kVertexMaterial | kSpecularLight, Cap::VertexProcessingCaps, 0x2, "MATERIALSOURCE7", Rule::kDp2Caps023},
    {RenderState::AmbientMaterialSource, Match::kOn, 0, kVertexMaterial, Cap::VertexProcessingCaps, 0x2, "MATERIALSOURCE7", Rule::kDp2Caps023},
    {RenderState::EmissiveMaterialSource, Match::kOn, 0, kVertexMaterial, Cap::VertexProcessingCaps, 0x2, "MATERIALSOURCE7", Rule::kDp2Caps023},
    {RenderState::LocalViewer, Match::kOn, 0, kSpecularLight, Cap::VertexProcessingCaps, 0x20, "LOCALVIEWER", Rule::kDp2Caps023},
    {RenderState::VertexBlend, Match::kIs, d3d::Value(d3d::VertexBlend::Tweening), kFixedVertices, Cap::VertexProcessingCaps, 0x40, "TWEENING", Rule::kDp2Caps023},

    {RenderState::TexturePerspective, Match::kOn, 0, kTexture | kBelowLevel8, Cap::TextureCaps, 0x1, "PERSPECTIVE", Rule::kDp2Caps025},
    {RenderState::ColorKeyEnable, Match::kOn, 0, kTexture | kBelowLevel8, Cap::TextureCaps, 0x8, "TRANSPARENCY", Rule::kDp2Caps025},

    {RenderState::PatchSegments, Match::kReal, 0, kNPatches, Cap::DevCaps, 0x1000000, "NPATCHES", Rule::kDp2Caps030},
    {RenderState::EnableAdaptiveTessellation, Match::kOn, 0, kPatches, Cap::DevCaps2, 0x4, "ADAPTIVETESSRTPATCH", Rule::kDp2Caps030},
    {RenderState::EnableAdaptiveTessellation, Match::kOn, 0, kNPatches, Cap::DevCaps2, 0x8, "ADAPTIVETESSNPATCH", Rule::kDp2Caps030},
};
// clang-format on

// Enumerations whose values have a bit each; the names are those of the values.
uint32_t BitOfNumber(uint32_t value) {
  return value >= 1 && value <= 8 ? 1U << (value - 1) : 0;
}

// D3DPBLENDCAPS: BLENDFACTOR stands for both factors.
uint32_t BitOfBlend(uint32_t value) {
  constexpr uint32_t kLastSimple = 13, kLast = 17;
  constexpr uint32_t kOthers[] = {0x2000, 0x2000, 0x4000, 0x8000};
  if (value >= 1 && value <= kLastSimple) return 1U << (value - 1);
  return value > kLastSimple && value <= kLast ? kOthers[value - kLastSimple - 1] : 0;
}

struct NumberRow {
  RenderState state;
  uint32_t parts;
  Cap cap;
  uint32_t (*bit_of)(uint32_t value);
  Rule rule;
};

// clang-format off
constexpr NumberRow kNumberRows[] = {
    {RenderState::ZFunc,          kDepthTest,                   Cap::ZCmpCaps,      BitOfNumber, Rule::kDp2Caps015},
    {RenderState::AlphaFunc,      kAlphaTest,                   Cap::AlphaCmpCaps,  BitOfNumber, Rule::kDp2Caps015},
    {RenderState::SrcBlend,       kBlending,                    Cap::SrcBlendCaps,  BitOfBlend,  Rule::kDp2Caps016},
    {RenderState::DestBlend,      kBlending,                    Cap::DestBlendCaps, BitOfBlend,  Rule::kDp2Caps016},
    {RenderState::SrcBlendAlpha,  kBlending | kAlphaBlending,   Cap::SrcBlendCaps,  BitOfBlend,  Rule::kDp2Caps016},
    {RenderState::DestBlendAlpha, kBlending | kAlphaBlending,   Cap::DestBlendCaps, BitOfBlend,  Rule::kDp2Caps016},
    {RenderState::StencilFail,    kStencilTest,                 Cap::StencilCaps,   BitOfNumber, Rule::kDp2Caps021},
    {RenderState::StencilZFail,   kStencilTest,                 Cap::StencilCaps,   BitOfNumber, Rule::kDp2Caps021},
    {RenderState::StencilPass,    kStencilTest,                 Cap::StencilCaps,   BitOfNumber, Rule::kDp2Caps021},
    {RenderState::CcwStencilFail, kStencilTest | kBothStencils, Cap::StencilCaps,   BitOfNumber, Rule::kDp2Caps021},
    {RenderState::CcwStencilZFail, kStencilTest | kBothStencils, Cap::StencilCaps,  BitOfNumber, Rule::kDp2Caps021},
    {RenderState::CcwStencilPass, kStencilTest | kBothStencils, Cap::StencilCaps,   BitOfNumber, Rule::kDp2Caps021},
};
// clang-format on

void ReportState(const CommandView& view, const Missing& missing, RenderState state) {
  const uint32_t value = view.context.state.value(state);
  const d3d::StateInfo& info = d3d::Info(state);
  std::string words = ValueWords(info, value, view.runtime_version());
  const std::string what = fmt::format("{} is {}", info.name, words);
  Report(view, missing, DetailOf(state, NumberOf(missing.bit)), what, std::move(words));
}

// ---------- texture stage states ----------

struct StageRow {
  TextureStageState state;
  Match match;
  uint32_t value;
  bool reads_texture;  // a stage or sampler that reads one; else any stage of the cascade
  uint32_t parts;
  Cap cap;
  uint32_t bit;
  std::string_view bit_name;
  Rule rule;
};

constexpr uint32_t Generates(d3d::TexcoordGeneration generation) {
  return d3d::Value(generation);
}

// clang-format off
constexpr StageRow kStageRows[] = {
    {TextureStageState::ResultArg, Match::kIs, d3d::Value(TextureArg::Temp), false, 0, Cap::PrimitiveMiscCaps, 0x400, "TSSARGTEMP", Rule::kDp2Caps013},
    {TextureStageState::MipMapLodBias, Match::kReal, 0, true, 0, Cap::RasterCaps, 0x2000, "MIPMAPLODBIAS", Rule::kDp2Caps014},
    {TextureStageState::TextureMap, Match::kOn, 0, true, kLines, Cap::LineCaps, 0x1, "TEXTURE", Rule::kDp2Caps020},
    {TextureStageState::TexcoordIndex, Match::kHighIs, Generates(d3d::TexcoordGeneration::CameraSpaceNormal), true, kFixedVertices, Cap::VertexProcessingCaps, 0x1, "TEXGEN", Rule::kDp2Caps023},
    {TextureStageState::TexcoordIndex, Match::kHighIs, Generates(d3d::TexcoordGeneration::CameraSpacePosition), true, kFixedVertices, Cap::VertexProcessingCaps, 0x1, "TEXGEN", Rule::kDp2Caps023},
    {TextureStageState::TexcoordIndex, Match::kHighIs, Generates(d3d::TexcoordGeneration::CameraSpaceReflectionVector), true, kFixedVertices, Cap::VertexProcessingCaps, 0x1, "TEXGEN", Rule::kDp2Caps023},
    {TextureStageState::TexcoordIndex, Match::kHighIs, Generates(d3d::TexcoordGeneration::SphereMap), true, kFixedVertices, Cap::VertexProcessingCaps, 0x100, "TEXGEN_SPHEREMAP", Rule::kDp2Caps023},
    {TextureStageState::TextureTransformFlags, Match::kHas, d3d::kTextureTransformProjected, true, 0, Cap::TextureCaps, 0x400, "PROJECTED", Rule::kDp2Caps025},
};

// Arguments that a stage may read only where the device has them.
struct ArgumentRow {
  TextureArg argument;
  std::string_view name;
  uint32_t bit;  // of PrimitiveMiscCaps
  std::string_view bit_name;
};
constexpr ArgumentRow kArgumentRows[] = {
    {TextureArg::Temp,     "TEMP",     0x400,  "TSSARGTEMP"},
    {TextureArg::Constant, "CONSTANT", 0x8000, "PERSTAGECONSTANT"},
};
// clang-format on

void CheckStageRows(const CommandView& view, const CapsUse& use, uint32_t stage) {
  const State& state = view.context.state;
  const bool reads_texture = ((use.stages.textures >> stage) & 1) != 0;
  for (const StageRow& row : kStageRows) {
    const auto claimed = view.caps.Find(row.cap);
    if (!claimed || (*claimed & row.bit) != 0 || !use.Has(row.parts) ||
        !(row.reads_texture ? reads_texture : stage < use.stages.stages))
      continue;
    const uint32_t value = state.stage(stage, row.state);
    if (!Matches(state, row.match, value, row.value)) continue;
    const d3d::StateInfo& info = d3d::Info(row.state);
    std::string words = ValueWords(info, value, view.runtime_version());
    const std::string what = fmt::format("stage {}: {} is {}", stage, info.name, words);
    Report(view, {row.rule, row.cap, *claimed, row.bit, row.bit_name},
           DetailOf(stage, row.state, NumberOf(row.bit)), what, std::move(words));
  }
}

// Bits that forbid what other devices can.
void CheckExceptions(const CommandView& view, const CapsUse& use, uint32_t stage) {
  constexpr uint32_t kNoTexgen = 0x200;            // D3DVTXPCAPS_NO_TEXGEN_NONLOCALVIEWER
  constexpr uint32_t kNoProjectedBump = 0x200000;  // D3DPTEXTURECAPS_NOPROJECTEDBUMPENV
  const State& state = view.context.state;
  if ((use.stages.textures >> stage & 1) == 0) return;
  const uint32_t vertices = view.caps.Find(Cap::VertexProcessingCaps).value_or(0);
  const uint32_t textures = view.caps.Find(Cap::TextureCaps).value_or(0);
  const bool reflects =
      use.Has(kFixedVertices) && state.value(RenderState::LocalViewer) == 0 &&
      state.stage(stage, TextureStageState::TexcoordIndex) >> d3d::kTexcoordGenerationShift ==
          Generates(d3d::TexcoordGeneration::CameraSpaceReflectionVector);
  if (reflects && (vertices & kNoTexgen) != 0) {
    Report(view,
           {Rule::kDp2Caps023, Cap::VertexProcessingCaps, vertices, kNoTexgen,
            "NO_TEXGEN_NONLOCALVIEWER"},
           DetailOf(stage, TextureStageState::TexcoordIndex, NumberOf(kNoTexgen)),
           fmt::format("stage {}: TEXCOORDINDEX is CAMERASPACEREFLECTIONVECTOR and LOCALVIEWER is "
                       "FALSE",
                       stage),
           "FALSE");
  }
  const bool is_bumped = stage > 0 && stage < use.stages.stages &&
                         IsBump(state.stage(stage - 1, TextureStageState::ColorOp));
  const bool is_projected = (state.stage(stage, TextureStageState::TextureTransformFlags) &
                             d3d::kTextureTransformProjected) != 0;
  if (is_bumped && is_projected && (textures & kNoProjectedBump) != 0) {
    Report(view,
           {Rule::kDp2Caps025, Cap::TextureCaps, textures, kNoProjectedBump, "NOPROJECTEDBUMPENV"},
           DetailOf(stage, TextureStageState::TextureTransformFlags, NumberOf(kNoProjectedBump)),
           fmt::format("stage {} is bumped by stage {} and has PROJECTED", stage, stage - 1),
           "PROJECTED");
  }
}

void CheckArguments(const CommandView& view, uint32_t stage) {
  const auto claimed = view.caps.Find(Cap::PrimitiveMiscCaps);
  if (!claimed) return;
  for (const ArgumentRow& row : kArgumentRows) {
    if ((*claimed & row.bit) != 0 || !StageReads(view.context.state, stage, row.argument)) continue;
    Report(view, {Rule::kDp2Caps013, Cap::PrimitiveMiscCaps, *claimed, row.bit, row.bit_name},
           DetailOf(stage, TextureStageState::ColorArg1, NumberOf(row.bit)),
           fmt::format("stage {} reads the argument {}", stage, row.name), std::string(row.name));
  }
}

}  // namespace

void CheckCapsOfStates(const CommandView& view, const CapsUse& use) {
  const State& state = view.context.state;
  for (const StateRow& row : kStateRows) {
    const auto claimed = view.caps.Find(row.cap);
    if (!claimed || (*claimed & row.bit) != 0 || !use.Has(row.parts) ||
        !Matches(state, row.match, state.value(row.state), row.value))
      continue;
    ReportState(view, {row.rule, row.cap, *claimed, row.bit, row.bit_name}, row.state);
  }
  for (const NumberRow& row : kNumberRows) {
    const auto claimed = view.caps.Find(row.cap);
    if (!claimed || !use.Has(row.parts)) continue;
    const uint32_t value = state.value(row.state);
    const uint32_t bit = row.bit_of(value);
    if (bit == 0 || (*claimed & bit) != 0) continue;
    ReportState(view,
                {row.rule, row.cap, *claimed, bit, NameOf(*d3d::Info(row.state).names, value)},
                row.state);
  }
}

void CheckCapsOfStages(const CommandView& view, const CapsUse& use) {
  for (uint32_t stage = 0; stage < d3d::kPixelSamplerCount; ++stage) {
    CheckStageRows(view, use, stage);
    CheckExceptions(view, use, stage);
    if (stage < use.stages.stages) CheckArguments(view, stage);
  }
}

}  // namespace dp2trace::validate
