// Which surfaces a frame wrote beside the one that its picture shows, and who read them afterwards: the draws after a texture or a blit.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "blame/frame.h"
#include "device/resource.h"

namespace dp2trace::blame {

// Follows the operations of a frame in their order.
class Writings {
 public:
  // The lists are kept in the frame, which outlives the object.
  explicit Writings(Frame& frame) : frame_(&frame) {}

  // What the operation, which is not noted yet, reads: nothing where nothing in the frame wrote to the surface. `as`: "texture 0".
  void Read(const device::Resource& surface, std::string as, std::vector<Reading>& reads) const;
  // The operation writes to the surface; `hides_others`: to all of it, whatever was there.
  void Write(const device::Resource& surface, const Operation& operation, bool hides_others);

 private:
  Frame* frame_;
  std::map<uint64_t, uint32_t> lists_;  // by surface: its place in Frame::written
};

// A surface that an operation reads, or that something after it read.
struct NestedReading {
  uint32_t depth = 0;  // 0: the operation itself reads it
  const Reading* reading = nullptr;
  const WrittenSurface* surface = nullptr;
};
// Each written surface once: first those that the operation reads, each followed by those that its writers read.
std::vector<NestedReading> FindReadings(const Frame& frame, const Operation& operation);

}  // namespace dp2trace::blame
