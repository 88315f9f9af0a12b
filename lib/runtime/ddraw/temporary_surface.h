// A surface that no program asked for, for the time of a blit or of a present.
#pragma once

#include <cstdint>

#include "runtime/core/recorder.h"
#include "runtime/ddraw/surface.h"

namespace dp2trace::runtime::ddraw {

// Has the format of `like` and the size of `size`.
class TemporarySurface {
 public:
  TemporarySurface(Recorder& recorder, const Surface& like, const d3d::Rect& size)
      : recorder_(recorder), space_(like.space), handle_(recorder.NewHandle(like.space)) {
    trace::SurfaceCreate event;
    event.space = space_;
    event.handle = handle_;
    event.kind = d3d::SurfaceKind::kPlain;
    event.pixel_format = like.format;
    event.width = static_cast<uint32_t>(size.right - size.left);
    event.height = static_cast<uint32_t>(size.bottom - size.top);
    recorder_.CreateSurface(event);
  }
  TemporarySurface(const TemporarySurface&) = delete;
  TemporarySurface& operator=(const TemporarySurface&) = delete;
  ~TemporarySurface() { recorder_.DestroySurface(space_, handle_); }
  uint32_t handle() const { return handle_; }

 private:
  Recorder& recorder_;
  uint32_t space_, handle_;
};

}  // namespace dp2trace::runtime::ddraw
