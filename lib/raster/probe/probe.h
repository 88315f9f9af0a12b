// Watches one pixel of one surface while the reference draws. Where nobody watches, the probe is a null pointer: the stages
// compute the same numbers with and without one.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "device/draw.h"
#include "device/resource.h"
#include "raster/pixel/clip_rectangle.h"
#include "raster/probe/fragment.h"
#include "raster/vertex/clip.h"

namespace dp2trace::raster {

struct FragmentQuad;

// The pixel, and what the watcher wants to know.
struct ProbeTarget {
  const device::Resource* resource = nullptr;
  uint32_t face = 0, level = 0;
  uint32_t x = 0, y = 0;
  bool wants_steps = false;  // of shaders
};

// Of the primitives of a token, those that lie behind one plane of the view volume as a whole.
struct ProbedOutside {
  uint64_t primitives = 0;  // all of the token
  uint64_t outside = 0;
  std::array<uint64_t, kVolumePlanes> behind = {};  // by plane; a primitive may lie behind several
};

class Probe {
 public:
  // Keeps at most so many fragments, and of all of them together so many samples, texels, stages and steps.
  explicit Probe(uint64_t max_fragments = 4096, uint64_t max_parts = uint64_t{1} << 20)
      : fragments_left_(max_fragments), parts_left_(max_parts) {}

  void SetTarget(const ProbeTarget& target) { target_ = target; }
  const ProbeTarget& target() const { return target_; }
  // Is called before what may change the pixel, or would if it were not culled or clipped, is drawn: once for each draw or clear.
  void SetOnTouch(std::function<void()> on_touch) { on_touch_ = std::move(on_touch); }
  // One of the surfaces is the target.
  bool Watches(const BoundSurfaces& surfaces) const;

  // Of the token since the last call, by primitive. Primitives count anew.
  std::vector<ProbedFragment> Take();
  // The clear since the last call, where it covers the pixel.
  std::optional<ProbedClear> TakeClear() { return std::exchange(clear_, std::nullopt); }
  // Of the draws since the last call.
  ProbedOutside TakeOutside() { return std::exchange(outside_, {}); }
  // Of the vertices of the last draw that was watched.
  const device::VertexLayout& layout() const { return layout_; }
  // Fragments that were not kept.
  uint64_t dropped() const { return dropped_; }

  // ---------- for the stages of the reference ----------

  void Touch() const {
    if (on_touch_) on_touch_();
  }
  // What is reported between mark() and Rollback() is taken back.
  struct Mark {
    size_t fragments = 0;
    uint64_t fragments_left = 0, parts_left = 0, dropped = 0, first_primitive = 0;
    ProbedOutside outside;
  };
  Mark mark() const {
    return {fragments_.size(), fragments_left_, parts_left_, dropped_, first_primitive_, outside_};
  }
  void Rollback(const Mark& mark);

  // Only coverage is wanted: of primitives that are culled or outside of the clip rectangle.
  void SetCoverageOnly(bool value) { is_coverage_only_ = value; }
  bool is_coverage_only() const { return is_coverage_only_; }
  // Slots that the vertices of the draw have (VertexOutputs), and their layout.
  void StartDraw(uint32_t varying_mask, const device::VertexLayout& layout) {
    varying_mask_ = varying_mask;
    layout_ = layout;
  }
  // Primitive `number` (from 0) of the draw, all instances counted. False: nobody wants to know what it does.
  bool StartPrimitive(uint32_t instance, uint64_t number);
  // In the pass that only looks for coverage: the planes that the current primitive lies behind as a whole.
  void AddPlanes(uint32_t planes);
  // The primitives of a draw of the token are done: those of its next draw follow.
  void EndDraw(uint64_t primitives) {
    first_primitive_ += primitives;
    outside_.primitives += primitives;
  }
  // The lane of the watched pixel, or kLaneCount where the quad does not cover it.
  uint32_t LaneOf(const FragmentQuad& fragment) const;
  // A fragment of the current primitive; null where no more are kept. Valid until the next one.
  ProbedFragment* AddFragment(const FragmentQuad& fragment, uint32_t lane);
  // The fragments of the current primitive, so far.
  std::span<ProbedFragment> current();
  // A primitive that covers the pixel (in the pass that only looks for coverage) has no fragment: this is why. Not where it is full.
  void AddMissed(uint64_t primitive, uint32_t instance, Fate fate);

  void OnClear(const ProbedClear& clear) { clear_ = clear; }

  struct Cover {
    uint64_t primitive = 0;
    uint32_t instance = 0;
    bool is_front = true;
  };
  // In the pass that only looks for coverage.
  void AddCover(const FragmentQuad& fragment);
  std::vector<Cover> TakeCovers();
  // Of the draw that follows, only primitives of these covers are wanted; they outlive it. Empty: all are.
  void SetWanted(std::span<const Cover> covers);
  // True where no more fragments are kept: what is missing then means nothing.
  bool is_full() const { return fragments_left_ == 0; }
  bool HasFragment(const Cover& cover) const;

 private:
  ProbeTarget target_;
  uint64_t fragments_left_;
  uint64_t parts_left_;
  uint64_t dropped_ = 0;
  bool is_coverage_only_ = false;
  uint32_t varying_mask_ = 0;
  device::VertexLayout layout_;
  uint64_t first_primitive_ = 0;
  uint64_t primitive_ = 0;
  uint32_t instance_ = 0;
  size_t current_ = 0;  // the first fragment of the current primitive
  std::vector<ProbedFragment> fragments_;
  std::vector<Cover> covers_;
  std::optional<ProbedClear> clear_;
  ProbedOutside outside_;
  std::span<const Cover> wanted_;
  std::function<void()> on_touch_;
};

}  // namespace dp2trace::raster
