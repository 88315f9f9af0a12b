// What of a level, or of a buffer, was written: a few boxes.
#pragma once

#include <vector>

#include "image/surface.h"

namespace dp2trace::validate {

// What lies in both boxes; its edges are in the wrong order where nothing does.
image::Area Shared(const image::Area& a, const image::Area& b);

class WrittenArea {
 public:
  // `whole` is all of the level. An empty box changes nothing. What is written in more than 64 boxes that make no larger ones counts as written
  // as a whole.
  void Add(const image::Area& box, const image::Area& whole);
  void AddAll();
  bool empty() const { return !is_all_ && boxes_.empty(); }
  // Every point of the box was written.
  bool Covers(const image::Area& box) const;

 private:
  bool is_all_ = false;
  std::vector<image::Area> boxes_;
};

}  // namespace dp2trace::validate
