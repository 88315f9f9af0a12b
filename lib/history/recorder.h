// Replays a trace up to the end of a frame and keeps what touches one pixel in it. The renderer tells what happens there (raster::Probe):
// the fast one has the reference draw the quad of the pixel beforehand.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/diagnostic.h"
#include "base/status.h"
#include "history/blit.h"
#include "history/frame_finder.h"
#include "history/operation.h"
#include "raster/probe/probe.h"
#include "raster/renderer.h"
#include "replay/runner.h"
#include "trace/draw_counter.h"

namespace dp2trace::history {

struct Options {
  uint32_t x = 0, y = 0;            // of the frame's picture; with `surface` of the level
  std::optional<uint32_t> surface;  // handle, in the space of the frame; none: what the frame shows
  uint32_t face = 0, level = 0;     // with `surface`
  uint32_t slice = 0;               // of a volume, with `surface`
  bool wants_steps = false;         // of shaders
  std::string renderer = {};        // of the frame; empty: the default. All tell the same.
  replay::RunnerOptions validation;
  raster::Options raster;
};

class Recorder final : private replay::Observer {
 public:
  Recorder(const Options& options, const FrameSpan& span);
  ~Recorder() override;

  // Event `number` of the trace, in order. Does nothing once is_done().
  Status OnEvent(uint64_t number, const trace::Event& event);
  bool is_done() const { return is_done_; }
  // Behind the last event.
  History Finish();
  // Target 0 at the last draw of the frame so far; nothing where nothing was drawn.
  const std::optional<DrawnTarget>& drawn_target() const { return drawn_target_; }
  // Findings of the replay.
  const DiagnosticList& findings() const { return findings_; }

 private:
  void OnHeader(const trace::Header& header) override;
  void OnCall(device::Context& context) override;
  void BeforeApply(const device::Context& context, const stream::Command& command) override;
  Status OnApplied(device::Context& context, const stream::Command& command) override;

  bool is_in_frame() const { return event_ >= span_.first; }
  void StartFrame();
  uint64_t DrawNumber(const stream::Command& command) const;
  // The face and level that the handle names now; empty where it names none.
  device::SurfaceRef Named() const;
  // The same; empty where it lacks the pixel, too.
  device::SurfaceRef Surface() const;
  std::optional<PixelValue> Value() const;
  Watched WatchedNow() const { return {Surface(), pixel_.x, pixel_.y, pixel_.slice}; }
  // An operation of the current event, as yet without the value in front of it.
  Operation Start(Kind kind, std::string name);
  void DescribeSurface();
  Status ApplyEvent(uint64_t number, const trace::Event& event);
  // Keeps the operation where it touched the pixel.
  void End(Operation&& operation, bool touches);
  // Why the pixel is not there; empty where it is, or was in the frame.
  std::string AbsenceOf(const History& history) const;
  void DescribeDraw(const device::Context& context, Operation& operation);
  // Of a token that the renderer draws.
  void OnTouch();
  // Notes a draw that lies outside of the view volume as a whole.
  void KeepOutside(const raster::ProbedOutside& outside);

  Options options_;
  FrameSpan span_;
  Pixel pixel_;
  DiagnosticList findings_;
  replay::Runner runner_;
  std::unique_ptr<raster::Renderer> renderer_;
  std::unique_ptr<raster::Renderer> frame_renderer_;  // null: the same
  raster::Probe probe_;
  History history_;
  uint64_t event_ = 0;
  trace::DrawCounter draws_;
  bool has_started_ = false;
  bool is_done_ = false;
  std::optional<DrawnTarget> drawn_target_;
  std::optional<trace::MarkerText> marker_;
  std::optional<Operation> token_;  // the current one, where it may touch the pixel
  bool is_touched_ = false;         // the renderer said so
};

}  // namespace dp2trace::history
