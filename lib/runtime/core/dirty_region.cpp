#include "runtime/core/dirty_region.h"

#include <algorithm>

namespace dp2trace::runtime {
namespace {

constexpr size_t kMaxBoxes = 256;

bool IsEmpty(const d3d::Box& box) {
  return box.left >= box.right || box.top >= box.bottom || box.front >= box.back;
}

d3d::Box Around(const d3d::Box& a, const d3d::Box& b) {
  return {std::min(a.left, b.left),     std::min(a.top, b.top),     std::max(a.right, b.right),
          std::max(a.bottom, b.bottom), std::min(a.front, b.front), std::max(a.back, b.back)};
}

}  // namespace

std::optional<d3d::Box> Shared(const d3d::Box& a, const d3d::Box& b) {
  const d3d::Box shared = {std::max(a.left, b.left),   std::max(a.top, b.top),
                           std::min(a.right, b.right), std::min(a.bottom, b.bottom),
                           std::max(a.front, b.front), std::min(a.back, b.back)};
  if (IsEmpty(shared)) return std::nullopt;
  return shared;
}

bool Contains(const d3d::Box& outer, const d3d::Box& inner) {
  return Around(outer, inner) == outer;
}

void DirtyRegion::Add(const d3d::Box& box) {
  if (IsEmpty(box) || Covers(box)) return;
  std::erase_if(boxes_, [&box](const d3d::Box& old) { return Contains(box, old); });
  boxes_.push_back(box);
  // Unspecified: how many rectangles are kept apart; chosen: more than any program marks between two updates.
  if (boxes_.size() <= kMaxBoxes) return;
  d3d::Box all = boxes_.front();
  for (const d3d::Box& one : boxes_)
    all = Around(all, one);
  boxes_ = {all};
}

bool DirtyRegion::Covers(const d3d::Box& box) const {
  return std::ranges::any_of(boxes_, [&box](const d3d::Box& one) { return Contains(one, box); });
}

}  // namespace dp2trace::runtime
