#include "replay/renderers.h"

#include <algorithm>

#include "fast/fast_renderer.h"
#include "raster/reference_renderer.h"

namespace dp2trace::replay {
namespace {

constexpr raster::RendererType kRenderers[] = {
    {raster::ReferenceRenderer::kName, "one pixel at a time, straight from the specification",
     raster::MakeReferenceRenderer},
    {fast::FastRenderer::kName, "the same pixels with the vectors of the machine, on all cores",
     fast::MakeFastRenderer},
};

}  // namespace

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

}  // namespace dp2trace::replay
