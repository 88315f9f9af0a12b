// The loop: each event is checked, applied to the device, drawn, and turned into pictures.
// Source: DESIGN sections 3, 4 and 7; DP2 specification, 1.4 and 22.
#pragma once

#include <cstdint>
#include <optional>

#include "base/diagnostic.h"
#include "base/selection.h"
#include "device/device.h"
#include "raster/renderer.h"
#include "replay/images.h"
#include "replay/kmt_objects.h"
#include "replay/pictures.h"
#include "trace/events.h"
#include "validate/validator.h"

namespace dp2trace::replay {

struct Options {
  Selection frames;                    // pictures of these frames; `last` resolved
  std::optional<Selection> draws;      // pictures of the targets after these draws
  std::optional<uint32_t> surface;     // a picture of every face and level of this handle, in all spaces
  std::optional<Selection> surface_at; // behind these events; without it at the end of the trace or of the surface's life
  std::optional<uint32_t> level;       // replaces the header's driver_level
  bool is_strict = false;              // stop behind the first event with an error
  device::Options device;
  raster::Options raster;
};

struct Statistics {
  uint64_t events = 0;
  uint64_t calls = 0;     // dp2 and render events
  uint64_t commands = 0;  // tokens that were applied
  uint64_t draws = 0;
  uint64_t frames = 0;
  uint64_t reads = 0;
  bool is_stopped = false;  // by is_strict
};

class Replayer {
 public:
  // Findings and pictures go to objects that outlive the replayer.
  Replayer(const Options& options, DiagnosticList& findings, ImageSink& images);

  // Event `number` of the trace, in order. Fails when a picture cannot be written. Does nothing once is_stopped.
  Status OnEvent(uint64_t number, const trace::Event& event);
  // The trace has ended: the unfinished frame, and surfaces that are still alive.
  Status Finish();

  const Statistics& statistics() const { return statistics_; }
  const device::Device& device() const { return device_; }

 private:
  // A target that was drawn to, for the frame behind the last present.
  struct LastDraw {
    uint32_t space = 0;
    uint32_t target = 0;
    uint64_t event = 0;
  };

  Status Execute(const trace::Event& event);
  Status OnDp2(const trace::Dp2& call);
  Status OnRender(const trace::Render& render);
  Status OnPresent(const trace::Present& present);
  Status OnRead(const trace::SurfaceRead& read);
  Status OnDestroy(const trace::SurfaceDestroy& destroy);
  // Applies the commands of a call up to the end of what can be framed, or to `end_offset` of the command buffer.
  Status Run(device::Context& context, const device::Call& call, Bytes commands, uint64_t end_offset);
  Status CountDraw(const device::Context& context);
  PictureRequest RequestOf(ImageKind kind, uint64_t sequence, uint32_t space, uint32_t handle, const device::SurfaceRef& surface) const;
  Status MakeSurface(uint32_t space, bool names_event);
  void ReportUnknownContext(uint64_t context);

  Options options_;
  DiagnosticList* findings_;
  ImageSink* images_;
  validate::Validator validator_;
  device::Device device_;
  raster::Renderer renderer_;
  KmtObjects kmt_;
  Statistics statistics_;
  std::optional<LastDraw> unpresented_;
  uint64_t event_ = 0;            // the current one
  uint64_t errors_before_ = 0;    // errors before the current event
  uint64_t surface_pictures_ = 0;
};

}  // namespace dp2trace::replay
