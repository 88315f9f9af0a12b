// The loop: each event is checked, applied to the device, drawn, and turned into pictures.
// Source: DESIGN sections 3, 4 and 7; DP2 specification, 1.4 and 22.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/diagnostic.h"
#include "base/selection.h"
#include "device/device.h"
#include "raster/renderer.h"
#include "replay/images.h"
#include "replay/pictures.h"
#include "replay/runner.h"
#include "trace/draw_counter.h"
#include "trace/events.h"

namespace dp2trace::replay {

// Where a draw stands in the trace.
struct DrawPosition {
  uint64_t number = 0;  // from 1
  uint64_t event = 0;
  uint64_t offset = 0;  // of its token, from the start of the command buffer
  std::string_view operation;
};

// Looks at the device around every draw.
class DrawObserver {
 public:
  virtual ~DrawObserver() = default;
  virtual void BeforeDraw(const device::Device& device, const device::Context& context) = 0;
  virtual void AfterDraw(const device::Device& device, const device::Context& context,
                         const DrawPosition& position) = 0;
};

struct Options {
  Selection frames;                // pictures of these frames; `last` resolved
  std::optional<Selection> reads;  // pictures of these reads by the CPU; none given: of each
  std::optional<Selection> draws;  // pictures of the targets after these draws
  std::optional<uint32_t>
      surface;  // a picture of every face and level of this handle, in all spaces
  std::optional<Selection>
      surface_at;  // behind these events; without it at the end of the trace or of the surface's life
  DrawObserver* observer = nullptr;  // outlives the replayer; null = none
  bool is_strict = false;            // stop behind the first event with an error
  bool stops_when_shown = false;     // stop behind the event with the last picture that was chosen
  RunnerOptions validation;   // rules and their severities, driver level, limits of the device
  std::string renderer = {};  // a row of Renderers(); empty: the first
  raster::Options raster;
};

struct Statistics {
  uint64_t events = 0;
  uint64_t calls = 0;     // dp2 and render events
  uint64_t commands = 0;  // tokens that were applied
  uint64_t draws = 0;     // executed or not
  uint64_t frames = 0;
  uint64_t reads = 0;
  bool is_stopped = false;  // by is_strict or stops_when_shown
};

class Replayer final : private Observer {
 public:
  // Findings and pictures go to objects that outlive the replayer.
  Replayer(const Options& options, DiagnosticList& findings, ImageSink& images);

  // Event `number` of the trace, in order. Fails when a picture cannot be written. Does nothing once is_stopped.
  Status OnEvent(uint64_t number, const trace::Event& event);
  // The trace has ended: the unfinished frame, and surfaces that are still alive.
  Status Finish();

  const Statistics& statistics() const { return statistics_; }
  const device::Device& device() const { return runner_.device(); }
  raster::RendererStatistics renderer_statistics() const { return renderer_->statistics(); }

 private:
  // A target that was drawn to, for the frame behind the last present.
  struct LastDraw {
    uint32_t space = 0;
    uint32_t target = 0;
    uint64_t event = 0;
  };

  void OnHeader(const trace::Header& header) override;
  Status OnSessionEnd() override;
  void OnCall(device::Context& context) override;
  void BeforeApply(const device::Context& context, const stream::Command& command) override;
  Status OnApplied(device::Context& context, const stream::Command& command) override;
  Status BeforeDestroy(const trace::SurfaceDestroy& destroy) override;
  Status OnPresent(const trace::Present& present) override;
  Status OnRead(const trace::SurfaceRead& read) override;
  // The number of the draw that the token of the current event is.
  uint64_t DrawNumber(const stream::Command& command) const;
  Status MakeDrawPictures(const device::Context& context, uint64_t number);
  PictureRequest RequestOf(ImageKind kind, uint64_t sequence, uint32_t space, uint32_t handle,
                           const device::SurfaceRef& surface) const;
  // Nothing that was chosen can follow.
  bool HasShownAll() const;
  Status MakeSurface(uint32_t space, bool names_event);
  Status MakeLiveSurfaces();
  void Report(Rule rule, std::string message);

  Options options_;
  DiagnosticList* findings_;
  ImageSink* images_;
  Runner runner_;
  std::unique_ptr<raster::Renderer> renderer_;
  Statistics statistics_;
  trace::DrawCounter draws_;
  std::optional<LastDraw> unpresented_;
  uint64_t event_ = 0;  // the current one
  bool has_shown_all_ = false;
  uint64_t surface_pictures_ = 0;
};

}  // namespace dp2trace::replay
