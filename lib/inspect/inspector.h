// Writes what becomes of the pixels of chosen frames of a trace that plays, item by item, as the data of an inspect page.
// Source: lib/design.md 3, 4 and 7.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/selection.h"
#include "history/refused_draws.h"
#include "inspect/data_sink.h"
#include "inspect/details.h"
#include "inspect/frame_writer.h"
#include "inspect/target_watch.h"
#include "play/player.h"
#include "state/state_writes.h"

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
  play::Options play;  // rules, limits of the device, renderer
  // With a start of the player: what was known there of who set the states. Outlives the constructor of the inspector.
  const state::StateWrites* writes = nullptr;
  // A page about these findings, in the order in which they were found, and nothing else: nothing is drawn, only frames in which there are
  // such are written, and only items that have some have details. They outlive the inspector. Null: what the replay finds.
  const std::vector<Diagnostic>* findings = nullptr;
};

// What the page says of the run as a whole.
struct RunHead {
  std::string tool;   // with its version
  std::string trace;  // its name
  // x and y of the pixels whose histories the page gets, in every frame.
  std::vector<std::array<uint32_t, 2>> history = {};
};

class Inspector final : private play::Listener {
 public:
  // The data outlive the inspector.
  Inspector(const Options& options, DataSink& data);

  // Takes the events of the trace; fails where a file cannot be written. It is done where no frame that follows is chosen.
  play::Player& player() { return player_; }
  const state::StateWrites& writes() const { return writes_; }
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
  // Frames of the trace so far, the current one if something was drawn or read in it.
  uint64_t frames_seen() const { return frame() - (HasFrame() ? 0 : 1); }
  // The first and the last draw of the chosen frames; 0: they have none.
  const std::array<uint64_t, 2>& draws_seen() const { return draws_seen_; }
  // Whether Options::draws has one of them.
  bool has_chosen_draw() const { return has_chosen_draw_; }
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

  bool is_done() const override { return options_.frames.IsPast(frame()); }
  play::Detail detail() const override {
    return Draws() ? play::Detail::kPictures : play::Detail::kStates;
  }
  Status BeforeEvent(const trace::Event& event) override;
  Status AfterEvent(const trace::Event& event) override;
  void BeforeApply(const device::Context& context, const stream::Command& command) override;
  Status OnApplied(device::Context& context, const stream::Command& command) override;
  Status OnRead(const trace::SurfaceRead& read) override;
  bool OnDraw(const device::Draw& draw) override;
  bool OnPatch(const device::PatchDraw& patch) override;
  bool OnClear(const device::ClearDraw& clear) override;

  uint64_t event() const { return player_.position().event; }
  uint64_t frame() const { return player_.position().frame; }
  const device::Context& context() const { return *player_.context(); }
  bool IsWatching() const { return options_.frames.Contains(frame()); }
  Status StartEvent(const trace::Event& event);
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
  // Draws of an event that is refused as a whole: no token of it is executed.
  Status AddRefused();
  Status Write(Item& item, const std::vector<PlanePixels>& bases,
               const std::vector<PlanePixels>& changes);
  void StartFrame();
  // `shown` is what the frame presents.
  Status EndFrame(const std::optional<Place>& shown, bool is_unfinished);
  void LeaveOut(std::string sentence);
  bool Draws() const { return options_.findings == nullptr; }
  // Whether what comes after the last present is a frame.
  bool HasFrame() const { return frame_draws_ != 0 || frame_reads_ != 0; }
  // Those that no item has yet, up to the end of the item; of the replay: all.
  std::span<const Diagnostic> FindingsOf(const Item& item) const;
  void AddFindings(Item& item);
  bool HasFindings(uint64_t event, uint64_t end) const;
  // What is found after the last item.
  Status EndTrace();
  Status EndUnfinished();
  Status WriteRun(const RunHead& head);

  Options options_;
  DataSink* data_;
  state::StateWrites writes_;
  DiagnosticList findings_;  // that no item has yet
  size_t next_finding_ = 0;  // of Options::findings
  uint64_t frame_draws_ = 0;
  uint64_t frame_reads_ = 0;  // of pictures, by the CPU
  std::array<uint64_t, 2> draws_seen_ = {};
  bool has_chosen_draw_ = false;
  history::ExecutedTokens tokens_;
  TargetWatch watch_;
  Details details_;
  std::optional<FrameWriter> writer_;  // of a chosen frame that has begun
  std::optional<Current> current_;
  uint64_t skipped_ = 0;
  FrameSummary summary_;
  std::vector<FrameSummary> frames_;
  std::vector<std::string> left_out_;
  Status status_;  // of what callbacks without a result did
  play::Player player_;
};

}  // namespace dp2trace::inspect
