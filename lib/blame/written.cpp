#include "blame/written.h"

#include <algorithm>
#include <set>
#include <utility>

namespace dp2trace::blame {
namespace {

constexpr uint32_t kMaxDepth = 8;

class Follower {
 public:
  explicit Follower(const Frame& frame) : frame_(frame) {}

  void Follow(const Operation& operation, uint32_t depth) {
    for (const Reading& reading : operation.reads) {
      if (!seen_.insert(reading.written).second) continue;
      const WrittenSurface& surface = frame_.written[reading.written];
      found.push_back({depth, &reading, &surface});
      if (depth + 1 == kMaxDepth) continue;
      for (uint32_t i = 0; i < reading.count; ++i)
        Follow(surface.by[i], depth + 1);
    }
  }

  std::vector<NestedReading> found;

 private:
  const Frame& frame_;
  std::set<uint32_t> seen_;
};

}  // namespace

void Writings::Read(const device::Resource& surface, std::string as,
                    std::vector<Reading>& reads) const {
  const auto found = lists_.find(surface.surface.id());
  if (found == lists_.end()) return;
  const auto count = static_cast<uint32_t>(frame_->written[found->second].by.size());
  const bool is_known = std::ranges::any_of(
      reads, [&](const Reading& reading) { return reading.written == found->second; });
  if (!is_known) reads.push_back({found->second, count, std::move(as)});
}

void Writings::Write(const device::Resource& surface, const Operation& operation,
                     bool hides_others) {
  const auto next = static_cast<uint32_t>(frame_->written.size());
  const auto [found, is_new] = lists_.try_emplace(surface.surface.id(), next);
  if (hides_others) found->second = next;
  if (is_new || hides_others) frame_->written.push_back({surface.handle, {}});
  std::vector<Operation>& by = frame_->written[found->second].by;
  const bool is_noted =
      !by.empty() && by.back().event == operation.event && by.back().offset == operation.offset;
  if (is_noted) return;
  by.push_back(operation);
  by.back().facts.clear();
}

std::vector<NestedReading> FindReadings(const Frame& frame, const Operation& operation) {
  Follower follower(frame);
  follower.Follow(operation, 0);
  return std::move(follower.found);
}

}  // namespace dp2trace::blame
