#include "blame/pixel_coverage.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "base/bytes.h"
#include "play/renderers.h"
#include "raster/pixel/clip_rectangle.h"

namespace dp2trace::blame {
namespace {

using d3d::RenderState;
using d3d::TextureStageState;
using device::SurfaceRef;
using image::Level;

constexpr uint32_t kAllOnes = 0xFFFFFFFF;

struct Setting {
  RenderState state;
  uint32_t value;
};
// With these a draw turns white every pixel that its primitives cover.
constexpr std::array kFootprint = {
    Setting{RenderState::ZEnable, 0},
    Setting{RenderState::FillMode, d3d::Value(d3d::FillMode::Solid)},
    Setting{RenderState::AlphaTestEnable, 0},
    Setting{RenderState::CullMode, d3d::Value(d3d::CullMode::None)},
    Setting{RenderState::AlphaBlendEnable, 0},
    Setting{RenderState::FogEnable, 0},
    Setting{RenderState::SpecularEnable, 0},
    Setting{RenderState::Lighting, 0},
    Setting{RenderState::StencilEnable, 0},
    Setting{RenderState::StippledAlpha, 0},
    Setting{RenderState::StippleEnable, 0},
    Setting{RenderState::ColorKeyEnable, 0},
    Setting{RenderState::LinePattern, 0},
    Setting{RenderState::PlaneMask, kAllOnes},
    Setting{RenderState::ClipPlaneEnable, 0},
    Setting{RenderState::MultisampleMask, kAllOnes},
    Setting{RenderState::ScissorTestEnable, 0},
    Setting{RenderState::SrgbWriteEnable, 0},
    Setting{RenderState::ColorWriteEnable, kAllOnes},
    Setting{RenderState::TextureFactor, kAllOnes},
};
constexpr std::array kWhiteStage = {
    std::pair{TextureStageState::ColorOp, d3d::Value(d3d::TextureOp::SelectArg1)},
    std::pair{TextureStageState::ColorArg1, d3d::Value(d3d::TextureArg::TFactor)},
    std::pair{TextureStageState::AlphaOp, d3d::Value(d3d::TextureOp::SelectArg1)},
    std::pair{TextureStageState::AlphaArg1, d3d::Value(d3d::TextureArg::TFactor)},
    std::pair{TextureStageState::ResultArg, d3d::Value(d3d::TextureArg::Current)},
};

// Puts a context into the state of kFootprint, with the watched surface as its only target, as long as it lives.
class FootprintState {
 public:
  FootprintState(device::Context& context, uint32_t handle)
      : context_(context),
        render_(context.state.render),
        stages_(context.state.stages),
        pixel_shader_(context.state.pixel_shader),
        targets_(context.targets),
        has_legacy_modulate_(context.has_legacy_modulate) {
    for (const Setting& setting : kFootprint)
      context.state.render[d3d::Value(setting.state)] = setting.value;
    for (const auto& [state, value] : kWhiteStage)
      context.state.stages[0][d3d::Value(state)] = value;
    context.state.stages[1][d3d::Value(TextureStageState::ColorOp)] =
        d3d::Value(d3d::TextureOp::Disable);
    context.state.pixel_shader = 0;
    context.targets = {};
    context.targets.colors[0] = handle;
    context.has_legacy_modulate = false;
  }
  ~FootprintState() {
    context_.state.render = render_;
    context_.state.stages = stages_;
    context_.state.pixel_shader = pixel_shader_;
    context_.targets = targets_;
    context_.has_legacy_modulate = has_legacy_modulate_;
  }
  FootprintState(const FootprintState&) = delete;
  FootprintState& operator=(const FootprintState&) = delete;

 private:
  device::Context& context_;
  decltype(device::State::render) render_;
  decltype(device::State::stages) stages_;
  uint32_t pixel_shader_;
  device::Targets targets_;
  bool has_legacy_modulate_;
};

// Puts spare surfaces into the place of others, as long as it lives.
class Replacement {
 public:
  Replacement() = default;
  ~Replacement() {
    for (const auto& [surface, spare] : swapped_)
      std::swap(*surface, *spare);
  }
  Replacement(const Replacement&) = delete;
  Replacement& operator=(const Replacement&) = delete;

  void Swap(image::Surface& surface, image::Surface& spare) {
    std::swap(surface, spare);
    swapped_.emplace_back(&surface, &spare);
  }

 private:
  std::vector<std::pair<image::Surface*, image::Surface*>> swapped_;
};

// What is tried counts for no query.
class KeptQueries {
 public:
  explicit KeptQueries(device::Context& context) : context_(context), queries_(context.queries) {}
  ~KeptQueries() { context_.queries = std::move(queries_); }
  KeptQueries(const KeptQueries&) = delete;
  KeptQueries& operator=(const KeptQueries&) = delete;

 private:
  device::Context& context_;
  decltype(device::Context::queries) queries_;
};

uint64_t RowCount(const Level& level) {
  return (uint64_t{level.height} + level.info->block_height - 1) / level.info->block_height;
}

// All slices of a volume are samples of nobody: slice 0 is the one that a picture shows.
uint32_t SlicesOf(const SurfaceRef& surface, const Level& level) {
  return surface.surface().description().samples > 1 ? level.slices : 1;
}

bool IsZero(const uint8_t* bytes, uint64_t size) {
  return size == 0 || (bytes[0] == 0 && std::memcmp(bytes, bytes + 1, size - 1) == 0);
}

// Compares stored pixels; bits that no channel has are no part of them.
class PixelBits {
 public:
  explicit PixelBits(const d3d::FormatInfo& info) : size_(info.block_size) {
    if (size_ > sizeof(uint64_t)) return;
    mask_ = 0;
    for (const d3d::Channel& channel : info.channels)
      mask_ |= channel.name == 0 ? 0 : info.Mask(channel.name);
    if (mask_ == 0) mask_ = ~uint64_t{0};
    if (size_ < sizeof(uint64_t)) mask_ &= (uint64_t{1} << 8 * size_) - 1;
  }
  bool AreEqual(const uint8_t* a, const uint8_t* b) const {
    if (size_ > sizeof(uint64_t)) return std::memcmp(a, b, size_) == 0;
    return ((Load(a) ^ Load(b)) & mask_) == 0;
  }
  bool AreComplements(const uint8_t* a, const uint8_t* b) const {
    if (size_ <= sizeof(uint64_t)) return (~(Load(a) ^ Load(b)) & mask_) == 0;
    return std::equal(a, a + size_, b, [](uint8_t x, uint8_t y) { return (x ^ y) == 0xFF; });
  }

 private:
  uint64_t Load(const uint8_t* bytes) const {
    if (size_ == sizeof(uint32_t)) return dp2trace::Load<uint32_t>(bytes);
    uint64_t value = 0;
    std::memcpy(&value, bytes, size_);
    return value;
  }
  size_t size_;
  uint64_t mask_ = 0;
};

uint32_t HandleOf(const device::Context& context, const SurfaceRef& watched) {
  for (uint32_t slot = 0; slot < device::kTargetCount; ++slot) {
    if (context.Target(slot) == watched) return context.targets.colors[slot];
  }
  return 0;
}

}  // namespace

PixelCoverage::PixelCoverage(raster::Renderer& renderer, const raster::Options& options)
    : renderer_(&renderer), trial_(play::MakeRenderer({}, options, trial_findings_)) {}

void PixelCoverage::NoteGeneration(const SurfaceRef& watched) {
  generation_ = watched.surface().generation();
}

void PixelCoverage::Start(const SurfaceRef& watched) {
  const Level level = watched.bits();
  before_.assign(level.bytes, level.bytes + level.slices * level.slice_pitch);
  covered_.assign(size_t{level.width} * level.height, 0);
  footprint_.surface.reset();
  NoteGeneration(watched);
}

// Null where there is no memory for it: limits are those of a single surface.
PixelCoverage::Spare* PixelCoverage::MakeSpare(Spare& spare, const SurfaceRef& original) {
  const image::SurfaceDescription& description = original.surface().description();
  if (spare.surface && spare.surface->description() == description) return &spare;
  Result<image::Surface> made = image::Surface::Create(
      description, {.max_dimension = UINT32_MAX, .max_bytes = original.surface().size_bytes()});
  spare.surface.reset();
  if (!made.ok()) return nullptr;
  spare.surface.emplace(std::move(*made));
  return &spare;
}

void PixelCoverage::Spare::Fill(const SurfaceRef& original, const Box& box, uint8_t flips) {
  const image::ConstLevel from =
      std::as_const(original.surface()).level(original.face, original.level);
  const Level to = surface->level(original.face, original.level);
  for (uint32_t z = 0; z < from.slices; ++z) {
    for (uint64_t y = box.top; y < std::min<uint64_t>(box.bottom, RowCount(to)); ++y) {
      const uint64_t at = z * from.slice_pitch + y * from.pitch;
      for (uint64_t i = 0; i < from.pitch; ++i)
        to.bytes[at + i] = from.bytes[at + i] ^ flips;
    }
  }
}

// Draws white on black: what is not black is covered. Leaves the spare surface black.
PixelCoverage::Box PixelCoverage::FindCovered(device::Context& context, const SurfaceRef& watched,
                                              const Drawing& draw) {
  const uint32_t handle = HandleOf(context, watched);
  if (handle == 0 || MakeSpare(footprint_, watched) == nullptr) return {};
  {
    const FootprintState state(context, handle);
    const KeptQueries queries(context);
    Replacement replacement;
    replacement.Swap(watched.surface(), *footprint_.surface);
    trial_->SetContext(context);
    draw(*trial_);
    trial_->Finish();
  }
  trial_findings_ = DiagnosticList();
  const Level level = footprint_.surface->level(watched.face, watched.level);
  const uint32_t size = level.info->block_size;
  Box box = {UINT32_MAX, UINT32_MAX, 0, 0};
  for (uint32_t z = 0; z < SlicesOf(watched, level); ++z) {
    for (uint32_t y = 0; y < level.height; ++y) {
      uint8_t* const row = level.block(0, y, z);
      if (IsZero(row, level.pitch)) continue;
      box.top = std::min(box.top, y);
      box.bottom = std::max(box.bottom, y + 1);
      for (uint32_t x = 0; x < level.width; ++x) {
        if (IsZero(level.block(x, y, z), size)) continue;
        covered_[size_t{y} * level.width + x] = 1;
        box.left = std::min(box.left, x);
        box.right = std::max(box.right, x + 1);
      }
      std::memset(row, 0, level.pitch);
    }
  }
  return box;
}

// Draws on the complement of what is there; trial_target_ holds what comes of it.
void PixelCoverage::Try(device::Context& context, const SurfaceRef& watched, const Box& box,
                        const Drawing& draw) {
  const raster::BoundSurfaces bound = raster::SurfacesOf(context);
  Replacement replacement;
  std::vector<SurfaceRef> replaced;
  const auto replace = [&](const SurfaceRef& surface, Spare& spare, uint8_t flips) {
    const bool is_known = std::ranges::any_of(
        replaced, [&](const SurfaceRef& other) { return other.resource == surface.resource; });
    if (!surface || is_known || MakeSpare(spare, surface) == nullptr) return;
    spare.Fill(surface, box, flips);
    replaced.push_back(surface);
  };
  const KeptQueries queries(context);
  replace(watched, trial_target_, 0xFF);
  replace(bound.depth, trial_depth_, 0);
  trial_others_.resize(device::kTargetCount);
  for (uint32_t slot = 0; slot < device::kTargetCount; ++slot)
    replace(bound.colors[slot], trial_others_[slot], 0);
  for (const SurfaceRef& surface : replaced) {
    Spare* spare = &trial_depth_;
    if (surface == watched) spare = &trial_target_;
    for (uint32_t slot = 0; slot < device::kTargetCount && surface != watched; ++slot) {
      if (bound.colors[slot] == surface) spare = &trial_others_[slot];
    }
    replacement.Swap(surface.surface(), *spare->surface);
  }
  trial_->SetContext(context);
  draw(*trial_);
  trial_->Finish();
  trial_findings_ = DiagnosticList();
}

void PixelCoverage::Draw(device::Context& context, const SurfaceRef& watched, const Drawing& draw,
                         CoverageSink& sink) {
  renderer_->Finish();
  const Box box = FindCovered(context, watched, draw);
  if (!box.is_empty()) Try(context, watched, box, draw);
  NoteGeneration(watched);  // trials put back what they took
  draw(*renderer_);
  renderer_->Finish();
  if (box.is_empty()) return Compare(watched, sink);
  Report(watched, box, true, sink);
}

void PixelCoverage::Clear(device::Context& context, const SurfaceRef& watched, const Drawing& clear,
                          CoverageSink& sink) {
  renderer_->Finish();
  const Level level = watched.bits();
  const Box box = {0, 0, level.width, level.height};
  Try(context, watched, box, clear);
  clear(*renderer_);
  renderer_->Finish();
  Report(watched, box, true, sink);
}

void PixelCoverage::Compare(const SurfaceRef& watched, CoverageSink& sink) {
  renderer_->Finish();
  if (watched.surface().generation() == generation_) return;
  const Level level = watched.bits();
  Report(watched, {0, 0, level.width, level.height}, false, sink);
}

// Compares the rows with what was there, and with what the trial made of the complement.
void PixelCoverage::Report(const SurfaceRef& watched, const Box& box, bool was_tried,
                           CoverageSink& sink) {
  const Level now = watched.bits();
  const PixelBits bits(*now.info);
  const bool has_trial = was_tried && trial_target_.surface.has_value();
  const Level trial =
      has_trial ? trial_target_.surface->level(watched.face, watched.level) : Level{};
  const uint32_t slices = SlicesOf(watched, now);
  const uint32_t block_width = now.info->block_width;
  const uint32_t size = now.info->block_size;
  const auto row_at = [&](uint32_t y, uint32_t z) {
    return static_cast<size_t>(now.block(0, y, z) - now.bytes);
  };
  for (uint32_t y = box.top; y < box.bottom; ++y) {
    for (uint32_t x = box.left; x < box.right; ++x) {
      bool is_written = false;
      bool hides = true;
      for (uint32_t z = 0; z < slices; ++z) {
        const size_t at = row_at(y, z) + size_t{block_width == 1 ? x : x / block_width} * size;
        is_written = is_written || !bits.AreEqual(now.bytes + at, &before_[at]) ||
                     (has_trial && !bits.AreComplements(trial.bytes + at, &before_[at]));
        hides = hides && (!has_trial || bits.AreEqual(now.bytes + at, trial.bytes + at));
      }
      uint8_t& covered = covered_[size_t{y} * now.width + x];
      if (is_written) sink.OnWritten(x, y, hides);
      if (!is_written && covered != 0) sink.OnHeldBack(x, y);
      covered = 0;
    }
  }
  for (uint32_t z = 0; z < now.slices; ++z) {
    for (uint32_t y = box.top; y < box.bottom; ++y) {
      std::memcpy(&before_[row_at(y, z)], now.bytes + row_at(y, z), now.pitch);
    }
  }
  NoteGeneration(watched);
}

}  // namespace dp2trace::blame
