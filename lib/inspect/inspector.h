// Replays a trace and writes what becomes of the pixels of chosen frames, item by item, as the data of an inspect page.
// Source: DESIGN sections 3, 4 and 7.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/selection.h"
#include "debug/state_writes.h"
#include "inspect/data_folder.h"
#include "inspect/details.h"
#include "inspect/frame_writer.h"
#include "inspect/target_watch.h"
#include "raster/renderer.h"
#include "replay/runner.h"
#include "trace/command_stream.h"
#include "trace/draw_counter.h"

namespace dp2trace::inspect {

struct Limits {
  uint64_t items = 10000;                   // of a frame
  uint64_t bytes = uint64_t{256} << 20;     // of the data files
  uint64_t surfaces = uint64_t{192} << 20;  // bytes of copies of the surfaces that a frame writes
};

struct Options {
  Selection frames;  // `last` resolved
  Selection draws;   // draws of the chosen frames that are items of their own
  Limits limits;
  replay::RunnerOptions validation;  // rules, limits of the device
  std::string renderer = {};         // a row of replay::Renderers(); empty: the first
  raster::Options raster;
  // A page about these findings, in the order in which they were found, and nothing else: nothing is drawn, only frames in which there are
  // such are written, and only items that have some have details. They outlive the inspector. Null: what the replay finds.
  const std::vector<Diagnostic>* findings = nullptr;
};

// What the page says of the run as a whole.
struct RunHead {
  std::string tool;   // with its version
  std::string trace;  // its name
  // x and y of the pixels whose histories the folder gets, in every frame.
  std::vector<std::array<uint32_t, 2>> history = {};
};

class Inspector final : private replay::Observer, private device::DrawSink {
 public:
  // The folder outlives the inspector.
  Inspector(const Options& options, DataFolder& folder);
  ~Inspector() override;

  // Event `number` of the trace, in order. Fails where a file cannot be written.
  Status OnEvent(uint64_t number, const trace::Event& event);
  // No frame that follows is chosen.
  bool is_done() const { return options_.frames.IsPast(frame_); }
  // The trace has ended: the unfinished frame, and what the page says of the run.
  Status Finish(const RunHead& head);

  // Of the chosen frames.
  struct FrameSummary {
    uint64_t number = 0;
    bool is_unfinished = false;
    uint64_t items = 0;
    uint64_t draws = 0;  // CLEAR too, executed or not
    std::array<uint64_t, kSeverityCount> findings = {};
  };
  const std::vector<FrameSummary>& frames() const { return frames_; }
  // Frames of the trace so far, the current one if something was drawn in it.
  uint64_t frames_seen() const { return frame_ - (frame_draws_ == 0 ? 1 : 0); }
  // What was left out, and the option that raises the limit: a sentence each.
  const std::vector<std::string>& left_out() const { return left_out_; }

 private:
  // The item that is being executed.
  struct Current {
    Item item;
    std::vector<Place> places = {};  // that it may write
    std::vector<Place> drawn = {};   // that the renderer may write
    bool is_certain = true;          // false: it is one only where it changes something
    raster::RendererStatistics before = {};
    uint64_t vertices = 0;  // that its primitives use
  };

  void OnHeader(const trace::Header& header) override;
  Status OnSessionEnd() override;
  void OnCall(device::Context& context) override;
  void BeforeApply(const device::Context& context, const stream::Command& command) override;
  Status OnApplied(device::Context& context, const stream::Command& command) override;
  void OnDraw(const device::Draw& draw) override;
  void OnPatch(const device::PatchDraw& patch) override;
  void OnClear(const device::ClearDraw& clear) override;
  uint64_t steps() const override { return renderer_ == nullptr ? 0 : renderer_->steps(); }

  bool IsWatching() const { return options_.frames.Contains(frame_); }
  Status ApplyEvent(uint64_t number, const trace::Event& event);
  Status Present(const trace::Present& present);
  Status Show(const Place& place);
  // False where the item is to be one of those that were skipped.
  bool IsChosen(uint64_t draw) const;
  bool IsFull() const;
  // What was skipped so far is an item.
  Status EndSkipped();
  Status Start(Current current);
  // What the renderer may have written since the last call.
  raster::PixelRect TakeTouched();
  Status End();
  Status Write(Item& item, const std::vector<PlanePixels>& bases,
               const std::vector<PlanePixels>& changes);
  void StartFrame();
  // `shown` is what the frame presents.
  Status EndFrame(const std::optional<Place>& shown, bool is_unfinished);
  void LeaveOut(std::string sentence);
  bool Draws() const { return options_.findings == nullptr; }
  void FinishDrawing();
  raster::RendererStatistics Statistics() const;
  // Those that no item has yet, up to the end of the item; of the replay: all.
  void AddFindings(Item& item);
  bool HasFindings(uint64_t event, uint64_t end) const;
  // What is found behind the last item.
  Status EndTrace();
  Status EndUnfinished();
  Status WriteRun(const RunHead& head);

  Options options_;
  DataFolder* folder_;
  debug::StateWrites writes_;
  DiagnosticList findings_;  // that no item has yet
  replay::Runner runner_;
  std::unique_ptr<raster::Renderer> renderer_;  // null: nothing is drawn
  size_t next_finding_ = 0;                     // of Options::findings
  trace::DrawCounter draws_;
  trace::NamingContext naming_;
  stream::Environment environment_;  // of the current call
  bool has_tokens_ = false;          // the event is a call with tokens
  std::optional<trace::MarkerText> marker_;
  const device::Context* context_ = nullptr;  // of the current call
  uint64_t event_ = 0;
  uint64_t frame_ = 1;
  uint64_t frame_draws_ = 0;
  // The target of the last draw of the frame, by handle.
  struct DrawnTo {
    uint32_t space = 0, handle = 0;
  };
  std::optional<DrawnTo> drawn_to_;
  TargetWatch watch_;
  Details details_;
  std::optional<FrameWriter> writer_;  // of a chosen frame that has begun
  std::optional<Current> current_;
  uint64_t skipped_ = 0;
  FrameSummary summary_;
  std::vector<FrameSummary> frames_;
  std::vector<std::string> left_out_;
  Status status_;  // of what callbacks without a result did
};

}  // namespace dp2trace::inspect
