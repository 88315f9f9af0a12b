#include "validate/written_area.h"

#include <algorithm>
#include <optional>

namespace dp2trace::validate {

using image::Area;

namespace {

constexpr size_t kMaxBoxes = 64;
constexpr size_t kMaxParts = 256;

bool IsEmpty(const Area& box) {
  return box.left >= box.right || box.top >= box.bottom || box.front >= box.back;
}

Area Around(const Area& a, const Area& b) {
  return {std::min(a.left, b.left),     std::min(a.top, b.top),     std::max(a.right, b.right),
          std::max(a.bottom, b.bottom), std::min(a.front, b.front), std::max(a.back, b.back)};
}

// The box that two make where they lie side by side, or one in the other.
std::optional<Area> Joined(const Area& a, const Area& b) {
  const bool has_x = a.left == b.left && a.right == b.right;
  const bool has_y = a.top == b.top && a.bottom == b.bottom;
  const bool has_z = a.front == b.front && a.back == b.back;
  const bool meets = std::max(a.left, b.left) <= std::min(a.right, b.right) &&
                     std::max(a.top, b.top) <= std::min(a.bottom, b.bottom) &&
                     std::max(a.front, b.front) <= std::min(a.back, b.back);
  const Area around = Around(a, b);
  const bool are_in_line = int{has_x} + int{has_y} + int{has_z} >= 2;
  if (around == a || around == b || (meets && are_in_line)) return around;
  return std::nullopt;
}

// Adds what of `box` is outside of `hole`.
void Subtract(Area box, const Area& hole, std::vector<Area>& parts) {
  const Area shared = Shared(box, hole);
  if (IsEmpty(shared)) {
    parts.push_back(box);
    return;
  }
  const auto cut = [&](uint32_t Area::*from, uint32_t Area::*to) {
    Area before = box;
    before.*to = shared.*from;
    Area after = box;
    after.*from = shared.*to;
    if (!IsEmpty(before)) parts.push_back(before);
    if (!IsEmpty(after)) parts.push_back(after);
    box.*from = shared.*from;
    box.*to = shared.*to;
  };
  cut(&Area::left, &Area::right);
  cut(&Area::top, &Area::bottom);
  cut(&Area::front, &Area::back);
}

}  // namespace

Area Shared(const Area& a, const Area& b) {
  return {std::max(a.left, b.left),     std::max(a.top, b.top),     std::min(a.right, b.right),
          std::min(a.bottom, b.bottom), std::max(a.front, b.front), std::min(a.back, b.back)};
}

void WrittenArea::AddAll() {
  is_all_ = true;
  boxes_.clear();
}

void WrittenArea::Add(const Area& box, const Area& whole) {
  Area added = Shared(box, whole);
  if (IsEmpty(added) || Covers(added)) return;
  for (size_t i = 0; i < boxes_.size();) {
    const std::optional<Area> joined = Joined(boxes_[i], added);
    if (!joined) {
      ++i;
      continue;
    }
    added = *joined;
    boxes_.erase(boxes_.begin() + static_cast<ptrdiff_t>(i));
    i = 0;
  }
  boxes_.push_back(added);
  if (boxes_.size() > kMaxBoxes || Covers(whole)) AddAll();
}

bool WrittenArea::Covers(const Area& box) const {
  if (is_all_ || IsEmpty(box)) return true;
  std::vector<Area> left = {box};
  for (const Area& written : boxes_) {
    std::vector<Area> parts;
    for (const Area& part : left)
      Subtract(part, written, parts);
    left = std::move(parts);
    if (left.empty() || left.size() > kMaxParts) return true;
  }
  return false;
}

}  // namespace dp2trace::validate
