#include "raster/probe/probe.h"

#include <algorithm>
#include <utility>

#include "raster/pixel/output.h"

namespace dp2trace::raster {
namespace {

struct FateRow {
  std::string_view name, words;
};
// In the order of the enumeration.
constexpr FateRow kFates[] = {
    {"stored", "reached the surface"},
    {"culled", "faced away (CULLMODE)"},
    {"outside_viewport", "lay outside of the viewport"},
    {"outside_scissor", "lay outside of the scissor rectangle"},
    {"outside_surface", "lay outside of another surface that is bound"},
    {"outside_depth", "lay outside of the depth range"},
    {"color_key", "matched the colour key"},
    {"texkill", "ran into texkill"},
    {"alpha_test", "failed the alpha test"},
    {"stipple", "failed the stipple pattern"},
    {"sample_mask", "had only samples that MULTISAMPLEMASK leaves out"},
    {"stencil_test", "failed the stencil test"},
    {"depth_test", "failed the depth test"},
    {"write_mask", "wrote no channel (COLORWRITEENABLE 0)"},
};

// Covers that are remembered for one draw.
constexpr size_t kMaxCovers = 4096;

}  // namespace

std::string_view Name(Fate fate) {
  return kFates[static_cast<size_t>(fate)].name;
}

std::string_view Words(Fate fate) {
  return kFates[static_cast<size_t>(fate)].words;
}

bool Probe::Watches(const BoundSurfaces& surfaces) const {
  const auto is_target = [this](const device::SurfaceRef& surface) {
    return surface && surface.resource == target_.resource && surface.face == target_.face &&
           surface.level == target_.level;
  };
  return std::ranges::any_of(surfaces.colors, is_target) || is_target(surfaces.depth);
}

std::vector<ProbedFragment> Probe::Take() {
  first_primitive_ = 0;
  current_ = 0;
  std::vector<ProbedFragment> taken = std::exchange(fragments_, {});
  for (ProbedFragment& fragment : taken)
    fragment.shading.budget = nullptr;
  return taken;
}

void Probe::Rollback(const Mark& mark) {
  fragments_.resize(mark.fragments);
  fragments_left_ = mark.fragments_left;
  parts_left_ = mark.parts_left;
  dropped_ = mark.dropped;
  first_primitive_ = mark.first_primitive;
  outside_ = mark.outside;
}

bool Probe::StartPrimitive(uint32_t instance, uint64_t number) {
  instance_ = instance;
  primitive_ = first_primitive_ + number + 1;
  current_ = fragments_.size();
  if (wanted_.empty()) return true;
  return std::ranges::binary_search(wanted_, primitive_, {}, &Cover::primitive);
}

void Probe::AddPlanes(uint32_t planes) {
  if (planes != 0) ++outside_.outside;
  for (uint32_t plane = 0; plane < kVolumePlanes; ++plane)
    outside_.behind[plane] += planes >> plane & 1U;
}

uint32_t Probe::LaneOf(const FragmentQuad& fragment) const {
  const int64_t dx = int64_t{target_.x} - fragment.quad.x;
  const int64_t dy = int64_t{target_.y} - fragment.quad.y;
  if (dx < 0 || dx > 1 || dy < 0 || dy > 1) return kLaneCount;
  const auto lane = static_cast<uint32_t>(dx | dy << 1U);
  return (fragment.quad.covered >> lane & 1U) != 0 ? lane : kLaneCount;
}

ProbedFragment* Probe::AddFragment(const FragmentQuad& fragment, uint32_t lane) {
  if (fragments_left_ == 0) {
    ++dropped_;
    return nullptr;
  }
  --fragments_left_;
  ProbedFragment& added = fragments_.emplace_back();
  added.primitive = primitive_;
  added.instance = instance_;
  added.is_front = fragment.quad.is_front;
  added.samples = fragment.samples[lane];
  added.varying_mask = varying_mask_;
  for (uint32_t slot = 0; slot < kVaryingCount; ++slot)
    added.varyings[slot] = fragment.quad.varyings[slot][lane];
  added.shading.lane = lane;
  added.shading.wants_steps = target_.wants_steps;
  added.shading.budget = &parts_left_;
  return &added;
}

std::span<ProbedFragment> Probe::current() {
  return std::span(fragments_).subspan(current_);
}

void Probe::AddMissed(uint64_t primitive, uint32_t instance, Fate fate) {
  --fragments_left_;
  ProbedFragment missed;
  missed.primitive = primitive;
  missed.instance = instance;
  missed.fate = fate;
  const auto at = std::ranges::upper_bound(fragments_, primitive, {}, &ProbedFragment::primitive);
  fragments_.insert(at, std::move(missed));
}

void Probe::AddCover(const FragmentQuad& fragment) {
  const bool is_again = !covers_.empty() && covers_.back().primitive == primitive_;
  if (is_again || covers_.size() == kMaxCovers) return;
  covers_.push_back({primitive_, instance_, fragment.quad.is_front});
}

std::vector<Probe::Cover> Probe::TakeCovers() {
  return std::exchange(covers_, {});
}

// Where not all covers were kept, all primitives are wanted.
void Probe::SetWanted(std::span<const Cover> covers) {
  wanted_ = covers.size() < kMaxCovers ? covers : std::span<const Cover>();
}

bool Probe::HasFragment(const Cover& cover) const {
  return std::ranges::any_of(fragments_, [&](const ProbedFragment& fragment) {
    return fragment.primitive == cover.primitive;
  });
}

}  // namespace dp2trace::raster
