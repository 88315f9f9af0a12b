// What became of the numbers that name no live object: the difference between a number that nobody ever made, one whose object is gone, and
// one whose object was refused when it was made. Source: DP2 specification, 12.
#pragma once

#include <cstdint>
#include <map>
#include <string_view>

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
  // The object is made: nothing else counts any more.
  void NoteMade(uint32_t handle) { gone_.erase(handle); }
  void NoteDestroyed(uint32_t handle) { gone_[handle] = Absence::kDestroyed; }
  void NoteRefused(uint32_t handle) { gone_[handle] = Absence::kRefused; }
  // Part of the stream could not be read: what was never seen may have been made there.
  void NoteLoss() { is_incomplete_ = true; }

  // Of a handle without a live object.
  Absence Find(uint32_t handle) const {
    const auto found = gone_.find(handle);
    if (found != gone_.end()) return found->second;
    return is_incomplete_ ? Absence::kRefused : Absence::kNeverMade;
  }
  // The handle names nothing for a reason that has been reported.
  bool IsReported(uint32_t handle) const { return Find(handle) == Absence::kRefused; }

 private:
  std::map<uint32_t, Absence> gone_;
  bool is_incomplete_ = false;
};

}  // namespace dp2trace::device
