// Keeps what touches one pixel in a frame of a trace that plays. The renderer tells what happens there (raster::Probe):
// the fast one has the reference draw the quad of the pixel beforehand.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/status.h"
#include "history/blit.h"
#include "history/frame_finder.h"
#include "history/operation.h"
#include "play/player.h"
#include "raster/probe/probe.h"

namespace dp2trace::history {

struct Options {
  uint32_t x = 0, y = 0;            // of the frame's picture; with `surface` of the level
  std::optional<uint32_t> surface;  // handle, in the space of the frame; none: what the frame shows
  uint32_t face = 0, level = 0;     // with `surface`
  uint32_t slice = 0;               // of a volume, with `surface`
  bool wants_steps = false;         // of shaders
  std::string renderer = {};  // of the frame; empty: the same as before it. All tell the same.
  play::Options play;         // of the player
};

class Recorder final : public play::Listener {
 public:
  Recorder(const Options& options, const FrameSpan& span);

  bool is_done() const override { return is_done_; }
  // After the last event.
  History Finish();

 private:
  play::Detail detail() const override { return play::Detail::kPictures; }
  Status BeforeEvent(const trace::Event& event) override;
  Status AfterEvent(const trace::Event& event) override;
  void BeforeApply(const device::Context& context, const stream::Command& command) override;
  Status OnApplied(device::Context& context, const stream::Command& command) override;
  bool OnDraw(const device::Draw&) override { return OnDrawn(); }
  bool OnPatch(const device::PatchDraw&) override { return OnDrawn(); }
  bool OnClear(const device::ClearDraw&) override { return OnDrawn(); }

  // Of an event that touches surfaces itself, until it is over.
  struct EventWork {
    Operation operation;
    bool is_create = false;
    bool covers = false;
    uint64_t id = 0, generation = 0;  // of the surface before
  };
  bool is_in_frame() const { return has_started_ && !is_done_; }
  void StartFrame();
  // The face and level that the handle names now; empty where it names none.
  device::SurfaceRef Named() const;
  // The same; empty where it lacks the pixel, too.
  device::SurfaceRef Surface() const;
  std::optional<PixelValue> Value() const;
  Watched WatchedNow() const { return {Surface(), pixel_.x, pixel_.y, pixel_.slice}; }
  // An operation of the current event, as yet without the value in front of it.
  Operation Start(Kind kind, std::string name);
  void DescribeSurface();
  std::optional<EventWork> StartEvent(const trace::Event& event);
  // Keeps the operation where it touched the pixel.
  void End(Operation&& operation, bool touches);
  // Why the pixel is not there; empty where it is, or was in the frame.
  std::string AbsenceOf(const History& history) const;
  void DescribeDraw(const device::Context& context, Operation& operation);
  // Of a token that the renderer draws.
  void OnTouch();
  bool OnDrawn() {
    refused_.OnDrawn();
    return true;
  }
  // Notes a draw that lies outside of the view volume as a whole.
  void KeepOutside(const raster::ProbedOutside& outside);

  Options options_;
  FrameSpan span_;
  Pixel pixel_;
  raster::Probe probe_;
  History history_;
  bool has_started_ = false;
  bool is_done_ = false;
  std::optional<EventWork> work_;
  std::optional<Operation> token_;  // the current one, where it may touch the pixel
  bool is_touched_ = false;         // the renderer said so
  RefusedDraws refused_;
};

}  // namespace dp2trace::history
