#include "play/renderers.h"

#include <algorithm>

#include "d3d/caps.h"
#include "fast/fast_renderer.h"
#include "play/checking_renderer.h"
#include "raster/reference_renderer.h"

namespace dp2trace::play {
namespace {

constexpr uint32_t kClipTlVerts = 0x200;  // D3DPMISCCAPS_CLIPTLVERTS

// The others are compared with it.
constexpr raster::RendererType kReference = {raster::ReferenceRenderer::kName, "",
                                             raster::MakeReferenceRenderer};

std::unique_ptr<raster::Renderer> MakeCheckingRenderer(const raster::Options& options,
                                                       DiagnosticList& findings) {
  return std::make_unique<CheckingRenderer>(kReference, Renderers().front(), options, findings);
}

constexpr raster::RendererType kRenderers[] = {
    {fast::FastRenderer::kName, "with the vectors of the machine, on all cores",
     fast::MakeFastRenderer},
    {raster::ReferenceRenderer::kName, "one pixel at a time, straight from the specification",
     raster::MakeReferenceRenderer},
    {CheckingRenderer::kName, "both, and each pixel that differs is a finding",
     MakeCheckingRenderer},
};

}  // namespace

bool ClipsTransformedZ(const trace::Header& header, bool default_value) {
  for (const trace::CapValue& cap : header.caps) {
    if (cap.name == d3d::Info(d3d::Cap::PrimitiveMiscCaps).name)
      return (cap.value & kClipTlVerts) != 0;
  }
  return default_value;
}

std::span<const raster::RendererType> Renderers() {
  return kRenderers;
}

const raster::RendererType* FindRenderer(std::string_view name) {
  const auto* const found = std::ranges::find(
      kRenderers, name, [](const raster::RendererType& row) { return std::string_view(row.name); });
  return found == std::end(kRenderers) ? nullptr : found;
}

std::unique_ptr<raster::Renderer> MakeRenderer(std::string_view name,
                                               const raster::Options& options,
                                               DiagnosticList& findings) {
  const raster::RendererType* const type = FindRenderer(name);
  return (type != nullptr ? type : kRenderers)->make(options, findings);
}

}  // namespace dp2trace::play
