// Which part of a texture's top level is dirty: UpdateTexture copies it, and so does the runtime before a managed texture is used.
// Source: IDirect3DTexture9::AddDirtyRect, IDirect3DVolumeTexture9::AddDirtyBox, IDirect3DDevice9::UpdateTexture.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "d3d/geometry.h"

namespace dp2trace::runtime {

// The part that two boxes share; none where they share nothing.
std::optional<d3d::Box> Shared(const d3d::Box& a, const d3d::Box& b);
bool Contains(const d3d::Box& outer, const d3d::Box& inner);

class DirtyRegion {
 public:
  // An empty box changes nothing. After 256 boxes that lie apart, all become the one around them.
  void Add(const d3d::Box& box);
  void Clear() { boxes_.clear(); }
  // No box contains another; they may overlap. In the order in which they came.
  std::span<const d3d::Box> boxes() const { return boxes_; }
  // One of the boxes contains it.
  bool Covers(const d3d::Box& box) const;

 private:
  std::vector<d3d::Box> boxes_;
};

}  // namespace dp2trace::runtime
