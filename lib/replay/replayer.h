// Pictures of a trace that plays.
// Source: lib/design.md 3, 4 and 7; lib/opcode/dp2.md 1.4 and 22.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "base/diagnostic.h"
#include "base/selection.h"
#include "play/player.h"
#include "replay/images.h"
#include "replay/pictures.h"
#include "trace/events.h"

namespace dp2trace::replay {

struct Options {
  Selection frames;                // pictures of these frames; `last` resolved
  std::optional<Selection> reads;  // pictures of these reads by the CPU; none given: of each
  std::optional<Selection> draws;  // pictures of the targets after these draws
  std::optional<uint32_t>
      surface;  // a picture of every face and level of this handle, in all spaces
  std::optional<Selection>
      surface_at;  // after these events; without it at the end of the trace or of the surface's life
  std::array<play::Listener*, 2> listeners =
      {};                          // hear the trace, too; outlive the replayer; null: none
  bool is_strict = false;          // stop after the first event with an error
  bool stops_when_shown = false;   // stop after the event with the last picture that was chosen
  play::RunnerOptions validation;  // rules and their severities, driver level, limits of the device
  std::string renderer = {};       // a row of play::Renderers(); empty: the first
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

class Replayer final : private play::Listener {
 public:
  // Findings and pictures go to objects that outlive the replayer.
  Replayer(const Options& options, DiagnosticList& findings, ImageSink& images);

  // Event `number` of the trace, in order. Fails when a picture cannot be written. Does nothing once is_stopped.
  Status OnEvent(uint64_t number, const trace::Event& event);
  // The trace has ended: the unfinished frame, and surfaces that are still alive.
  Status Finish();

  const Statistics& statistics() const { return statistics_; }
  play::Player& player() { return player_; }
  const device::Device& device() const { return player_.device(); }
  raster::RendererStatistics renderer_statistics() const { return player_.drawing_statistics(); }

 private:
  play::Detail detail() const override { return play::Detail::kPictures; }
  Status BeforeEvent(const trace::Event& event) override;
  Status AfterEvent(const trace::Event& event) override;
  Status OnSessionEnd() override;
  Status OnApplied(device::Context& context, const stream::Command& command) override;
  Status BeforeDestroy(const trace::SurfaceDestroy& destroy) override;
  Status OnPresent(const trace::Present& present) override;
  Status OnRead(const trace::SurfaceRead& read) override;
  Status MakeUnfinished();
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
  Statistics statistics_;
  bool has_shown_all_ = false;
  uint64_t surface_pictures_ = 0;
  play::Player player_;
};

}  // namespace dp2trace::replay
