// What samplers ask of the device: filters, addressing, and the alpha of textures. DP2-CAPS-018, -019, -025 and DP2-TSS-029.
// Source: D3DPTFILTERCAPS, D3DPTADDRESSCAPS, D3DPTEXTURECAPS (d3d9caps.h); lib/opcode/dp2.md 8.3.
#include <fmt/format.h>

#include <array>
#include <bit>
#include <optional>

#include "d3d/caps.h"
#include "device/vertex_program.h"
#include "rules/rule.h"
#include "validate/causes.h"
#include "validate/dp2/caps_samplers.h"

namespace dp2trace::validate {
namespace {

using d3d::Cap;
using d3d::TextureStageState;
using device::Resource;

// ---------- filters ----------

// The bit of the first filter of each state, POINT; those of the other filters follow in this order, old names and new.
constexpr uint32_t kMinFilterBit = 8, kMipFilterBit = 16, kMagFilterBit = 24;
struct FilterName {
  std::string_view name;
  uint32_t place;
};
constexpr FilterName kFilterNames[] = {
    {"POINT", 0},        {"LINEAR", 1},    {"ANISOTROPIC", 2},  {"PYRAMIDALQUAD", 3},
    {"GAUSSIANQUAD", 4}, {"FLATCUBIC", 3}, {"GAUSSIANCUBIC", 4}};
constexpr uint32_t kAnisotropicPlace = 2;

struct FilterState {
  TextureStageState state;
  uint32_t first_bit;
};
constexpr FilterState kFilterStates[] = {{TextureStageState::MagFilter, kMagFilterBit},
                                         {TextureStageState::MinFilter, kMinFilterBit},
                                         {TextureStageState::MipFilter, kMipFilterBit}};

// A sampler that a draw reads, and its texture.
struct Sampler {
  uint32_t slot;
  uint32_t number;  // as tokens name it
  const Resource& texture;
};

std::string_view FilterOf(const CommandView& view, const Sampler& sampler,
                          TextureStageState state) {
  return NameOf(*d3d::ValueNames(d3d::Info(state), view.runtime_version()),
                view.context.state.stage(sampler.slot, state));
}

// Nothing for NONE, and for filters that have no bit.
std::optional<uint32_t> PlaceOf(std::string_view filter) {
  for (const FilterName& row : kFilterNames) {
    if (row.name == filter) return row.place;
  }
  return std::nullopt;
}

Cap FilterCapOf(const Sampler& sampler) {
  if (sampler.slot >= d3d::kPixelSamplerCount) return Cap::VertexTextureFilterCaps;
  if (sampler.texture.is_cube()) return Cap::CubeTextureFilterCaps;
  return sampler.texture.is_volume() ? Cap::VolumeTextureFilterCaps : Cap::TextureFilterCaps;
}

// True where the draw can use the levels below the first.
bool UsesLevels(const Sampler& sampler) {
  return sampler.texture.has_auto_levels() || sampler.texture.surface.description().levels > 1;
}

// DP2-CAPS-018, DP2-TSS-029. The capabilities of a single format are in no trace: what the device lacks for all formats it lacks for
// floating-point ones.
void CheckFilters(const CommandView& view, const Sampler& sampler) {
  const Cap cap = FilterCapOf(sampler);
  const std::optional<uint32_t> claimed = view.caps.Find(cap);
  if (!claimed) return;
  const d3d::FormatInfo& format = sampler.texture.surface.info();
  const Rule rule = format.kind == d3d::FormatKind::kFloat ? Rule::kDp2Tss029 : Rule::kDp2Caps018;
  for (const FilterState& row : kFilterStates) {
    const std::string_view filter = FilterOf(view, sampler, row.state);
    const std::optional<uint32_t> place = PlaceOf(filter);
    if (!place || (*claimed >> (row.first_bit + *place) & 1) != 0) continue;
    if (row.state == TextureStageState::MipFilter && !UsesLevels(sampler)) continue;
    const std::string is = fmt::format("{} {}", d3d::Info(row.state).name, filter);
    view.ReportAtDraw(
        rule, DetailOf(sampler.slot, row.state, 0),
        fmt::format("stage {} filters texture {} of format {} with {}, which {} lacks",
                    sampler.number, sampler.texture.handle, format.name, is,
                    d3d::Info(cap).spelling),
        is, fmt::format("a filter of {}", d3d::Info(cap).spelling));
  }
}

// DP2-CAPS-014: the one filter that RasterCaps announces, too.
void CheckAnisotropic(const CommandView& view, const Sampler& sampler) {
  constexpr uint32_t kAnisotropy = 0x20000;
  const std::optional<uint32_t> claimed = view.caps.Find(Cap::RasterCaps);
  if (!claimed || (*claimed & kAnisotropy) != 0) return;
  for (const TextureStageState state :
       {TextureStageState::MagFilter, TextureStageState::MinFilter}) {
    if (PlaceOf(FilterOf(view, sampler, state)) != kAnisotropicPlace) continue;
    view.ReportAtDraw(
        Rule::kDp2Caps014, DetailOf(sampler.slot, state, kAnisotropicPlace),
        fmt::format("stage {}: {} is ANISOTROPIC, and RasterCaps is {:#x}, without ANISOTROPY",
                    sampler.number, d3d::Info(state).name, *claimed),
        "ANISOTROPIC", "RasterCaps with ANISOTROPY, or another filter");
    return;
  }
}

// ---------- addressing ----------

// D3DPTADDRESSCAPS, by D3DTEXTUREADDRESS.
constexpr std::array<uint32_t, 6> kAddressBits = {0, 0x1, 0x2, 0x4, 0x8, 0x20};
constexpr uint32_t kIndependentUv = 0x10;

// DP2-CAPS-019. The faces of a cube have no edges.
void CheckAddresses(const CommandView& view, const Sampler& sampler) {
  const bool is_volume = sampler.texture.is_volume();
  const Cap cap = is_volume ? Cap::VolumeTextureAddressCaps : Cap::TextureAddressCaps;
  const std::optional<uint32_t> claimed = view.caps.Find(cap);
  if (!claimed || sampler.texture.is_cube()) return;
  const std::string_view member = d3d::Info(cap).spelling;
  const auto value = [&](TextureStageState state) {
    return view.context.state.stage(sampler.slot, state);
  };
  bool has_all = true;
  for (const TextureStageState state :
       {TextureStageState::AddressU, TextureStageState::AddressV, TextureStageState::AddressW}) {
    if (state == TextureStageState::AddressW && !is_volume) continue;
    const uint32_t mode = value(state);
    const uint32_t bit = mode < kAddressBits.size() ? kAddressBits[mode] : 0;
    if (bit == 0 || (*claimed & bit) != 0) continue;
    has_all = false;
    const std::string_view name = NameOf(d3d::kTextureAddressNames, mode);
    view.ReportAtDraw(Rule::kDp2Caps019, DetailOf(sampler.slot, state, 0),
                      fmt::format("stage {}: {} is {}, and {} is {:#x}, without {}", sampler.number,
                                  d3d::Info(state).name, name, member, *claimed, name),
                      std::string(name), fmt::format("a mode of {}", member));
  }
  const bool is_mixed = value(TextureStageState::AddressU) != value(TextureStageState::AddressV);
  if (!has_all || !is_mixed || (*claimed & kIndependentUv) != 0) return;
  view.ReportAtDraw(
      Rule::kDp2Caps019, DetailOf(sampler.slot, TextureStageState::AddressU, 1),
      fmt::format("stage {}: ADDRESSU and ADDRESSV differ, and {} is {:#x}, without INDEPENDENTUV",
                  sampler.number, member, *claimed),
      "two modes", "the same mode for both");
}

// ---------- alpha ----------

// DP2-CAPS-025.
void CheckAlpha(const CommandView& view, const Sampler& sampler) {
  constexpr uint32_t kAlpha = 0x4, kAlphaPalette = 0x80;
  const std::optional<uint32_t> claimed = view.caps.Find(Cap::TextureCaps);
  if (!claimed) return;
  const d3d::FormatInfo& format = sampler.texture.surface.info();
  const auto report = [&](std::string_view what, std::string_view bit) {
    view.ReportAtDraw(
        Rule::kDp2Caps025, DetailOf(sampler.slot, TextureStageState::TextureMap, 0),
        fmt::format("stage {} reads texture {} of format {}, {}, and TextureCaps is "
                    "{:#x}, without {}",
                    sampler.number, sampler.texture.handle, format.name, what, *claimed, bit),
        std::string(format.name), fmt::format("TextureCaps with {}, or another texture", bit));
  };
  const auto palette = view.context.PaletteOf(sampler.texture);
  if (palette && palette->has_alpha && (*claimed & kAlphaPalette) == 0) {
    report("whose palette has alpha", "ALPHAPALETTE");
  } else if (format.has_alpha() && (*claimed & kAlpha) == 0) {
    report("which has alpha", "ALPHA");
  }
}

// DP2-CAPS-025: what NONPOW2CONDITIONAL excludes. Levels are excluded where the texture is created: DP2-CAPS-005.
void CheckUnevenSize(const CommandView& view, const Sampler& sampler) {
  constexpr uint32_t kConditional = 0x2 | 0x100;  // POW2, NONPOW2CONDITIONAL
  const image::SurfaceDescription& size = sampler.texture.surface.description();
  const uint32_t claimed = view.caps.Find(Cap::TextureCaps).value_or(0);
  if ((claimed & kConditional) != kConditional || sampler.texture.is_cube() ||
      sampler.texture.is_volume() ||
      (std::has_single_bit(size.width) && std::has_single_bit(size.height)))
    return;
  const device::State& state = view.context.state;
  const auto report = [&](std::string_view what, std::string_view expected) {
    view.ReportAtDraw(
        Rule::kDp2Caps025, DetailOf(sampler.slot, TextureStageState::TextureMap, 1),
        fmt::format("stage {} reads texture {} of {}x{}, {}, and TextureCaps is "
                    "{:#x}, with POW2 and NONPOW2CONDITIONAL",
                    sampler.number, sampler.texture.handle, size.width, size.height, what, claimed),
        std::string(what), std::string(expected));
  };
  constexpr uint32_t kClamp = d3d::Value(d3d::TextureAddress::Clamp);
  const auto stage = [&](TextureStageState name) { return state.stage(sampler.slot, name); };
  const uint32_t set = stage(TextureStageState::TexcoordIndex) & d3d::kTexcoordSetMask;
  if (sampler.texture.surface.info().is_block()) {
    report("which is compressed", "another format, or powers of two");
  } else if (stage(TextureStageState::AddressU) != kClamp ||
             stage(TextureStageState::AddressV) != kClamp) {
    report("with another address mode than CLAMP", "CLAMP, or powers of two");
  } else if (set < d3d::kCombinerStageCount &&
             state.render[d3d::Value(d3d::RenderState::Wrap0) + set] != 0) {
    report("whose coordinates wrap by WRAPn", "0, or powers of two");
  }
}

// DP2-CAPS-030.
void CheckMemory(const CommandView& view, const Sampler& sampler) {
  constexpr uint32_t kFromSystemMemory = 0x100;  // D3DDEVCAPS_TEXTURESYSTEMMEMORY
  const std::optional<uint32_t> claimed = view.caps.Find(Cap::DevCaps);
  if (!claimed || (*claimed & kFromSystemMemory) != 0 ||
      (sampler.texture.caps & device::kCapsSystemMemory) == 0)
    return;
  view.ReportAtDraw(
      Rule::kDp2Caps030, DetailOf(sampler.slot, TextureStageState::TextureMap, 2),
      fmt::format("stage {} reads texture {}, which is in system memory, and DevCaps is {:#x}, "
                  "without TEXTURESYSTEMMEMORY",
                  sampler.number, sampler.texture.handle, *claimed),
      "SYSTEMMEMORY", "a texture in video memory");
}

void CheckSampler(const CommandView& view, const Sampler& sampler) {
  CheckFilters(view, sampler);
  CheckAnisotropic(view, sampler);
  CheckAddresses(view, sampler);
  CheckAlpha(view, sampler);
  CheckUnevenSize(view, sampler);
  CheckMemory(view, sampler);
}

// A vertex shader reads a sampler only where it declares it: vs_3_0 has dcl_2d, dcl_cube and dcl_volume.
bool DeclaresSampler(const device::BoundProgram& program, uint32_t sampler) {
  return program.shader != nullptr && program.shader->program->FindDeclaration(
                                          shader::RegisterType::kSampler, sampler) != nullptr;
}

}  // namespace

void CheckCapsOfSamplers(const CommandView& view, uint32_t textures) {
  for (uint32_t slot = 0; slot < d3d::kPixelSamplerCount; ++slot) {
    const Resource* const texture =
        (textures >> slot & 1) != 0 ? view.context.Texture(slot) : nullptr;
    if (texture != nullptr) CheckSampler(view, {slot, slot, *texture});
  }
  if (view.level() < 9 || !view.caps.Find(Cap::VertexTextureFilterCaps)) return;
  constexpr uint32_t kFirstVertexSlot = d3d::kPixelSamplerCount + 1;
  const device::BoundProgram program = device::FindBoundProgram(view.context);
  for (uint32_t slot = kFirstVertexSlot; slot < device::kStageSlotCount; ++slot) {
    const Resource* const texture = view.context.Texture(slot);
    if (texture == nullptr || !DeclaresSampler(program, slot - kFirstVertexSlot)) continue;
    CheckFilters(view,
                 {slot, d3d::kDisplacementMapSampler + slot - d3d::kPixelSamplerCount, *texture});
  }
}

}  // namespace dp2trace::validate
