// What became of the numbers that name no live object: the difference between a number that nobody ever made, one whose object is gone, and
// one whose object was refused when it was made. Source: lib/opcode/dp2.md 12.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace dp2trace::device {

enum class Absence : uint8_t {
  kNeverMade,
  kDestroyed,
  kRefused,  // reported where it was made: what names it later follows from that
};
// "was never created", "was destroyed", "was refused".
constexpr std::string_view Describe(Absence absence) {
  switch (absence) {
    case Absence::kNeverMade:
      return "was never created";
    case Absence::kDestroyed:
      return "was destroyed";
    case Absence::kRefused:
      return "was refused";
  }
  return "is not there";
}

class HandleHistory {
 public:
  // Where a handle of its own named a level of a surface.
  struct Part {
    uint32_t root = 0;
    uint32_t face = 0;
    uint32_t level = 0;
  };

  // The object is made: nothing else counts any more.
  void NoteMade(uint32_t handle) {
    gone_.erase(handle);
    parts_.erase(handle);
  }
  void NoteDestroyed(uint32_t handle) { gone_[handle] = Absence::kDestroyed; }
  // It was a level or face of a surface, which took it along: DirectDraw destroys each of them, in any order.
  void NoteEnded(uint32_t handle, const Part& part) {
    NoteDestroyed(handle);
    parts_[handle] = {part, false};
  }
  // Its own destruction. False where that was reported before, or nothing is known of one.
  bool TakeEnding(uint32_t handle) {
    const auto part = parts_.find(handle);
    return part != parts_.end() && !std::exchange(part->second.is_reported, true);
  }
  void NoteRefused(uint32_t handle) { gone_[handle] = Absence::kRefused; }
  // Part of the stream could not be read: what was never seen may have been made there.
  void NoteLoss() { is_incomplete_ = true; }

  // Of a handle without a live object.
  Absence Find(uint32_t handle) const {
    const auto found = gone_.find(handle);
    if (found != gone_.end()) return found->second;
    return is_incomplete_ ? Absence::kRefused : Absence::kNeverMade;
  }
  // "was destroyed, level 1 of surface 4".
  std::string Describe(uint32_t handle) const {
    std::string text(device::Describe(Find(handle)));
    const auto found = parts_.find(handle);
    if (found == parts_.end()) return text;
    const Part& part = found->second.part;
    text += part.face == 0 ? ", level " : ", face " + std::to_string(part.face) + ", level ";
    return text + std::to_string(part.level) + " of surface " + std::to_string(part.root);
  }
  // The handle names nothing for a reason that has been reported.
  bool IsReported(uint32_t handle) const { return Find(handle) == Absence::kRefused; }

 private:
  struct Ended {
    Part part;
    bool is_reported = false;
  };

  std::map<uint32_t, Absence> gone_;
  std::map<uint32_t, Ended> parts_;
  bool is_incomplete_ = false;
};

}  // namespace dp2trace::device
