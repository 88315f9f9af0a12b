#include "raster/texture/sampler.h"

#include <cmath>
#include <utility>

#include "raster/probe/fragment.h"
#include "raster/texture/cube.h"
#include "raster/texture/filter.h"
#include "raster/texture/lod.h"

namespace dp2trace::raster {
namespace {

ReaderOptions ReaderOptionsOf(const device::Resource& resource, const SamplerState& state,
                              ColorKeyMode color_key) {
  ReaderOptions options;
  if (color_key != ColorKeyMode::kOff) options.color_key = resource.color_key;
  if (state.color_key) options.color_key = {*state.color_key, *state.color_key};
  options.blends_color_key = color_key == ColorKeyMode::kBlend;
  options.decodes_srgb = state.srgb;
  // Unspecified: depth formats as cube maps and volumes, whose third coordinate is not a reference; chosen: the depth itself.
  options.compares_depth = !resource.is_cube() && !resource.is_volume();
  return options;
}

// b - a in the components that derivatives use.
Float4 Difference(const Float4& a, const Float4& b) {
  return {b[0] - a[0], b[1] - a[1], b[2] - a[2], 0.0F};
}

Float4 Sum(const Float4& a, const Float4& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2], 0.0F};
}

// Differences along the row and the column of the lane (lib/raster/rendering.md 0.5).
void FillDerivatives(const Float4Quad& position, uint32_t lane, Footprint& footprint) {
  footprint.position = position[lane];
  footprint.ddx = Difference(position[lane & ~1U], position[lane | 1U]);
  footprint.ddy = Difference(position[lane & ~2U], position[lane | 2U]);
}

Footprint PlaneFootprint(const Float4Quad& coordinates, const LodRequest& lod, uint32_t lane) {
  Footprint footprint;
  FillDerivatives(coordinates, lane, footprint);
  if (lod.kind == LodRequest::Kind::kGradients) {
    footprint.ddx = lod.ddx[lane];
    footprint.ddy = lod.ddy[lane];
  }
  return footprint;
}

// All four directions on the face of the lane. Unspecified: gradients of directions; chosen: the difference that they make there.
Footprint CubeFootprint(const Float4Quad& directions, const LodRequest& lod, uint32_t lane) {
  Footprint footprint;
  footprint.face = CubeFaceOf(directions[lane]);
  Float4Quad position = {};
  for (uint32_t i = 0; i < kLaneCount; ++i) {
    position[i] = CubeCoordinates(directions[i], footprint.face);
  }
  FillDerivatives(position, lane, footprint);
  if (lod.kind == LodRequest::Kind::kGradients) {
    const auto moved = [&](const Float4& gradient) {
      return Difference(position[lane],
                        CubeCoordinates(Sum(directions[lane], gradient), footprint.face));
    };
    footprint.ddx = moved(lod.ddx[lane]);
    footprint.ddy = moved(lod.ddy[lane]);
  }
  return footprint;
}

Footprint FootprintOf(const device::Resource& resource, const Float4Quad& coordinates,
                      const LodRequest& lod, uint32_t lane) {
  return resource.is_cube() ? CubeFootprint(coordinates, lod, lane)
                            : PlaneFootprint(coordinates, lod, lane);
}

LevelChoice ChoiceOf(const device::Resource& resource, const SamplerState& state,
                     const Footprint& footprint, const LodRequest& lod, uint32_t lane) {
  const image::SurfaceDescription& description = resource.surface.description();
  const Extent extent = {.size = {description.width, description.height, description.depth},
                         .axes = resource.is_volume() ? 3U : 2U,
                         .first_level = resource.lod,
                         .last_level = description.levels - 1};
  return ChooseLevels(state, extent, footprint, lod.kind, lod.bias[lane]);
}

LevelView ViewOf(const device::Resource& resource, const SamplerState& state, uint32_t face,
                 uint32_t level) {
  const image::Surface& surface = resource.surface;
  LevelView view;
  view.level = surface.level(face, level);
  view.is_volume = resource.is_volume();
  view.depth = view.is_volume ? view.level.slices : 1;
  view.address = state.address;
  view.border_color = state.border_color;
  if (resource.is_cube()) {
    // Address modes do not act on cube maps.
    view.address.fill(d3d::Value(d3d::TextureAddress::Clamp));
    view.is_missing = (resource.present_faces >> face & 1) == 0;
    view.border_color = resource.empty_face_color;
  }
  return view;
}

// The point of sample `k` of the choice's samples along its step.
Float4 SamplePosition(const Footprint& footprint, const LevelChoice& choice, uint32_t k,
                      bool is_volume) {
  Float4 position = footprint.position;
  if (choice.samples == 1) return position;
  const float offset = (static_cast<float>(k) + 0.5F) / static_cast<float>(choice.samples) - 0.5F;
  for (size_t i = 0; i < (is_volume ? 3U : 2U); ++i) {
    position[i] += choice.step[i] * offset;
  }
  return position;
}

struct ChosenLevels {
  LevelView first;
  LevelView second;
};

// The sample of one lane for a probe; without a shading nothing is kept.
struct SampleProbe {
  ProbedShading* shading = nullptr;
  ProbedSample sample;
};

Float4 FilterChosen(const TexelReader& reader, const LevelView& view, const LevelChoice& choice,
                    const Float4& position, bool is_second, SampleProbe& probe) {
  if (probe.shading == nullptr) return FilterLevel(reader, view, choice.filter, position);
  const float weight = is_second ? choice.fraction : 1.0F - choice.fraction;
  const TexelProbe texels = {.sample = &probe.sample,
                             .shading = probe.shading,
                             .level = is_second ? choice.second : choice.first,
                             .weight = weight / static_cast<float>(choice.samples)};
  return FilterLevel(reader, view, choice.filter, position, &texels);
}

Float4 SampleOnce(const TexelReader& reader, const ChosenLevels& levels, const LevelChoice& choice,
                  const Float4& position, SampleProbe& probe) {
  const Float4 color = FilterChosen(reader, levels.first, choice, position, false, probe);
  if (choice.fraction == 0.0F) return color;
  return Lerp(color, FilterChosen(reader, levels.second, choice, position, true, probe),
              choice.fraction);
}

// The average over the samples, summed in order.
Float4 SampleAll(const TexelReader& reader, const ChosenLevels& levels, const LevelChoice& choice,
                 const Footprint& footprint, SampleProbe& probe) {
  const bool is_volume = levels.first.is_volume;
  Float4 sum =
      SampleOnce(reader, levels, choice, SamplePosition(footprint, choice, 0, is_volume), probe);
  if (choice.samples == 1) return sum;
  for (uint32_t k = 1; k < choice.samples; ++k) {
    const Float4 color =
        SampleOnce(reader, levels, choice, SamplePosition(footprint, choice, k, is_volume), probe);
    for (size_t i = 0; i < 4; ++i) {
      sum[i] += color[i];
    }
  }
  const float weight = 1.0F / static_cast<float>(choice.samples);
  for (float& channel : sum) {
    channel *= weight;
  }
  return sum;
}

// What is known before the texels are read.
ProbedSample StartSample(const device::Resource& resource, const Float4& coordinates,
                         const Footprint& footprint, const LevelChoice& choice, uint32_t number) {
  const image::SurfaceDescription& description = resource.surface.description();
  ProbedSample sample;
  sample.sampler = number;
  sample.texture = resource.handle;
  sample.width = description.width;
  sample.height = description.height;
  sample.depth = description.depth;
  sample.coordinates = coordinates;
  sample.face = footprint.face;
  sample.filter = choice.filter;
  sample.level = choice.first;
  sample.second_level = choice.fraction > 0.0F ? choice.second : choice.first;
  sample.level_fraction = choice.fraction;
  sample.sample_count = choice.samples;
  return sample;
}

}  // namespace

Sampler::Sampler(const device::Resource& resource, const std::optional<image::Palette>& palette,
                 const SamplerState& state, ColorKeyMode color_key)
    : resource_(&resource),
      palette_(palette),
      state_(state),
      color_key_(color_key),
      decoder_(resource.surface.info(), palette_ ? &*palette_ : nullptr),
      reader_(decoder_, ReaderOptionsOf(resource, state, color_key)) {}

// With COLORKEYENABLE the nearest texel of the (more detailed) level decides; with COLORKEYBLENDENABLE the filtered alpha.
Float4Quad Sampler::Sample(const Float4Quad& coordinates, const LodRequest& lod, uint32_t& killed,
                           ProbedShading* shading, uint32_t number) const {
  Float4Quad colors = {};
  for (uint32_t lane = 0; lane < kLaneCount; ++lane) {
    const Footprint footprint = FootprintOf(*resource_, coordinates, lod, lane);
    const LevelChoice choice = ChoiceOf(*resource_, state_, footprint, lod, lane);
    ChosenLevels levels = {.first = View(footprint.face, choice.first), .second = {}};
    if (choice.fraction > 0.0F) levels.second = View(footprint.face, choice.second);
    SampleProbe probe;
    if (shading != nullptr && shading->lane == lane && shading->Spend()) {
      probe.shading = shading;
      probe.sample = StartSample(*resource_, coordinates[lane], footprint, choice, number);
    }
    colors[lane] = SampleAll(reader_, levels, choice, footprint, probe);
    const bool is_killed =
        may_kill() &&
        (kills_by_alpha()
             ? colors[lane][3] == 0.0F
             : reader_.MatchesColorKey(levels.first, NearestTap(levels.first, footprint.position)));
    if (is_killed) killed |= 1U << lane;
    if (probe.shading == nullptr) continue;
    probe.sample.color = colors[lane];
    probe.sample.is_killed = is_killed;
    shading->samples.push_back(std::move(probe.sample));
  }
  return colors;
}

uint32_t Sampler::AlphaBits(const Float4Quad& coordinates, const LodRequest& lod) const {
  uint32_t bits = 0;
  for (uint32_t lane = 0; lane < kLaneCount; ++lane) {
    const Footprint footprint = FootprintOf(*resource_, coordinates, lod, lane);
    const LevelChoice choice = ChoiceOf(*resource_, state_, footprint, lod, lane);
    const LevelView view = View(footprint.face, choice.first);
    if (reader_.AlphaBit(view, NearestTap(view, footprint.position))) bits |= 1U << lane;
  }
  return bits;
}

bool Sampler::is_cube() const {
  return resource_->is_cube();
}
bool Sampler::is_volume() const {
  return resource_->is_volume();
}
bool Sampler::may_kill() const {
  return reader_.has_color_key();
}
LevelView Sampler::View(uint32_t face, uint32_t level) const {
  return ViewOf(*resource_, state_, face, level);
}
const d3d::FormatInfo& Sampler::format() const {
  return decoder_.info();
}

// Unspecified: COLORKEYBLENDENABLE without COLORKEYENABLE; chosen: off, it changes how the key acts and not whether it does.
ColorKeyMode ColorKeyModeOf(const device::State& state) {
  if (state.value(d3d::RenderState::ColorKeyEnable) == 0) return ColorKeyMode::kOff;
  return state.value(d3d::RenderState::ColorKeyBlendEnable) != 0 ? ColorKeyMode::kBlend
                                                                 : ColorKeyMode::kKill;
}

std::unique_ptr<Sampler> MakeSampler(const device::Context& context, uint32_t slot) {
  const device::Resource* resource = context.Texture(slot);
  if (resource == nullptr) return nullptr;
  return std::make_unique<Sampler>(*resource, context.PaletteOf(*resource),
                                   SamplerStateOf(context, slot), ColorKeyModeOf(context.state));
}

}  // namespace dp2trace::raster
