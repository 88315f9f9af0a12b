#include "play/checking_renderer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/plain_text.h"
#include "raster/pixel/clip_rectangle.h"
#include "rules/rule.h"

namespace dp2trace::play {
namespace {

size_t SizeOf(const image::ConstLevel& level) {
  return static_cast<size_t>(level.slices * level.slice_pitch);
}

image::ConstLevel LevelOf(const device::SurfaceRef& surface) {
  return std::as_const(surface.resource->surface).level(surface.face, surface.level);
}

// A pixel as the number that is stored, "0xFF102030".
std::string ValueOf(const uint8_t* bytes, size_t size) {
  std::string digits = "0x";
  for (size_t i = size; i-- > 0;)
    digits += fmt::format("{:02X}", bytes[i]);
  return digits;
}

std::string TextOf(const DiagnosticList& findings) {
  std::string text;
  for (const Diagnostic& finding : findings.items())
    text += (text.empty() ? "" : "; ") + finding.message;
  return text.empty() ? "nothing" : text;
}

}  // namespace

CheckingRenderer::CheckingRenderer(const raster::RendererType& expected,
                                   const raster::RendererType& actual,
                                   const raster::Options& options, DiagnosticList& findings)
    : findings_(&findings) {
  const auto start = [&](const raster::RendererType& type, Contestant& contestant) {
    contestant.name = type.name;
    contestant.renderer = type.make(options, contestant.findings);
  };
  start(expected, expected_);
  start(actual, actual_);
}

void CheckingRenderer::SetClipsTransformedZ(bool clips) {
  expected_.renderer->SetClipsTransformedZ(clips);
  actual_.renderer->SetClipsTransformedZ(clips);
}

void CheckingRenderer::SetContext(device::Context& context) {
  context_ = &context;
  expected_.renderer->SetContext(context);
  actual_.renderer->SetContext(context);
}

void CheckingRenderer::Finish() {
  expected_.renderer->Finish();
  actual_.renderer->Finish();
}

raster::PixelRect CheckingRenderer::TakeTouched() {
  return raster::Around(expected_.renderer->TakeTouched(), actual_.renderer->TakeTouched());
}

CheckingRenderer::Results CheckingRenderer::Take() const {
  Results results;
  results.queries = context_->queries;
  const auto add = [&](const device::SurfaceRef& surface, std::string name) {
    const bool is_known = std::ranges::any_of(
        results.surfaces, [&](const Bytes& other) { return other.surface == surface; });
    if (!surface || is_known || !surface.resource->has_pixels()) return;
    const image::ConstLevel level = LevelOf(surface);
    results.surfaces.push_back(
        {std::move(name), surface, {level.bytes, level.bytes + SizeOf(level)}});
  };
  const raster::BoundSurfaces bound = raster::SurfacesOf(*context_);
  for (uint32_t slot = 0; slot < device::kTargetCount; ++slot)
    add(bound.colors[slot], fmt::format("render target {}", slot));
  add(bound.depth, "the depth surface");
  return results;
}

void CheckingRenderer::Restore(const Results& results) const {
  context_->queries = results.queries;
  for (const Bytes& kept : results.surfaces)
    std::ranges::copy(kept.bytes, kept.surface.bits().bytes);
}

void CheckingRenderer::Report(const Place& place, bool is_pixel, const std::string& message,
                              const std::string& actual, const std::string& expected) {
  Diagnostic finding =
      MakeDiagnostic(is_pixel ? Rule::kReplayCheck001 : Rule::kReplayCheck002,
                     fmt::format("draw {}: {}: {} by {}, {} by {}", number_, message, actual,
                                 actual_.name, expected, expected_.name));
  finding.event = place.event;
  finding.offset = place.offset;
  finding.actual = actual;
  finding.expected = expected;
  findings_->Add(std::move(finding));
}

bool CheckingRenderer::ComparePixels(const Place& place, const Results& expected) {
  for (const Bytes& kept : expected.surfaces) {
    const image::ConstLevel level = LevelOf(kept.surface);
    if (std::memcmp(level.bytes, kept.bytes.data(), kept.bytes.size()) == 0) continue;
    const size_t size = level.info->block_size;
    const auto found =
        std::ranges::mismatch(kept.bytes, std::span<const uint8_t>(level.bytes, kept.bytes.size()));
    const auto at = static_cast<uint64_t>(found.in1 - kept.bytes.begin());
    const uint64_t slice = at / level.slice_pitch;
    const uint64_t row = at % level.slice_pitch / level.pitch;
    const uint64_t column = at % level.slice_pitch % level.pitch / size;
    const uint64_t start = slice * level.slice_pitch + row * level.pitch + column * size;
    const std::string sample =
        level.slices > 1 ? fmt::format(" (sample or slice {})", slice) : std::string();
    Report(place, true, fmt::format("pixel {},{}{} of {}", column, row, sample, kept.name),
           ValueOf(level.bytes + start, size), ValueOf(kept.bytes.data() + start, size));
    return true;
  }
  return false;
}

void CheckingRenderer::CompareQueries(const Place& place, const Results& expected) {
  for (const auto& [id, kept] : expected.queries) {
    const uint64_t counted = context_->queries.at(id).result;
    if (counted == kept.result) continue;
    Report(place, false, fmt::format("query {}", id), Counted(counted, "pixel"),
           Counted(kept.result, "pixel"));
    return;
  }
}

void CheckingRenderer::CompareFindings(const Place& place) {
  if (expected_.findings.items() != actual_.findings.items())
    Report(place, false, "findings", TextOf(actual_.findings), TextOf(expected_.findings));
  for (Diagnostic& finding : expected_.findings.Take())
    findings_->Add(std::move(finding));
  expected_.findings = DiagnosticList();
  actual_.findings = DiagnosticList();
}

void CheckingRenderer::Check(const Place& place, const Drawing& draw) {
  if (context_ == nullptr) return;
  const Results before = Take();
  const auto draw_with = [&](raster::Renderer& renderer) {
    const uint64_t steps = renderer.steps();
    draw(renderer);
    renderer.Finish();
    return renderer.steps() - steps;
  };
  const uint64_t expected_steps = draw_with(*expected_.renderer);
  const Results expected = Take();
  Restore(before);
  const uint64_t steps = std::max(expected_steps, draw_with(*actual_.renderer));
  steps_ += steps;
  if (steps > left_) return;  // the work of the trace ends inside the draw, for each somewhere else
  const bool differs = ComparePixels(place, expected);
  CompareQueries(place, expected);
  CompareFindings(place);
  if (differs) Restore(expected);
  context_->queries = expected.queries;
}

void CheckingRenderer::OnDraw(const device::Draw& draw) {
  Check({draw.event, draw.offset}, [&](raster::Renderer& renderer) { renderer.OnDraw(draw); });
}

void CheckingRenderer::OnPatch(const device::PatchDraw& patch) {
  Check({patch.points.event, patch.points.offset},
        [&](raster::Renderer& renderer) { renderer.OnPatch(patch); });
}

void CheckingRenderer::OnClear(const device::ClearDraw& clear) {
  Check({clear.event, clear.offset}, [&](raster::Renderer& renderer) { renderer.OnClear(clear); });
}

}  // namespace dp2trace::play
