// A trace as lines of text: one per event, one per command in it.
#pragma once

#include <bitset>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "base/selection.h"
#include "base/status.h"
#include "trace/command_stream.h"
#include "trace/draw_counter.h"
#include "trace/events.h"

namespace dp2trace::text {

// Takes text in pieces of whole lines.
using TextSink = std::function<Status(std::string_view)>;

struct DumpOptions {
  Selection events;
  Selection frames;
  // Draws to show, and the events that hold them; `all`: whatever the other options say.
  Selection draws;
  // Operations to show, by code, and the events that hold them; kinds of events to show, by code. Neither: everything.
  std::bitset<256> operations;
  std::set<uint16_t> kinds;
  // The assembly of shaders below the commands that create them.
  bool shaders = false;
  // Appends lines below a draw that is shown; none where there is nothing to call.
  std::function<void(std::string& out, const trace::DrawToken& draw)> below_draw;
};

// Chooses events by number, frame, kind, operation and draw. Sees every event of the trace in order.
class EventFilter {
 public:
  explicit EventFilter(DumpOptions options) : options_(std::move(options)) {}

  // True where the event is to be shown.
  bool Accepts(uint64_t number, const trace::Event& event);
  bool shows_shaders() const { return options_.shaders; }
  // False where the number or the frame rules the next event out.
  bool MayAccept(uint64_t number) const {
    return options_.events.Contains(number) && options_.frames.Contains(frame());
  }
  void AppendBelow(std::string& out, const trace::DrawToken* draw) const {
    if (draw != nullptr && options_.below_draw) options_.below_draw(out, *draw);
  }
  // Of an accepted event.
  bool Shows(const stream::Command& command) const;
  // Nothing that follows can be chosen.
  bool IsPast() const {
    return options_.events.IsPast(next_event_) || options_.frames.IsPast(frame()) ||
           options_.draws.IsPast(draws().count() + 1);
  }
  // Of the event that was asked for last.
  const trace::DrawCounter& draws() const { return frames_.draws(); }
  // The frame of the next event, from 1, and its number where no event is missing.
  uint64_t frame() const { return frames_.presents() + 1; }
  uint64_t next_event() const { return next_event_; }
  // Frames so far.
  uint64_t frame_count() const { return frames_.count(); }
  const trace::NamingContext& naming() const { return naming_; }

 private:
  bool HasShownCommand(const trace::Event& event) const;

  DumpOptions options_;
  trace::FrameCounter frames_;
  trace::NamingContext naming_;
  uint64_t next_event_ = 0;
};

// Writes the events that the filter accepts. Memory does not grow with the trace.
class Dumper {
 public:
  Dumper(TextSink sink, const DumpOptions& options) : sink_(std::move(sink)), filter_(options) {}

  // The next event of the trace, chosen or not.
  Status Add(uint64_t number, const trace::Event& event);
  // Events written so far.
  uint64_t count() const { return count_; }
  const EventFilter& filter() const { return filter_; }
  // Hands the last lines to the sink.
  Status Finish();

 private:
  void AppendEvent(uint64_t number, const trace::Event& event);
  Status AppendCommands(const trace::Event& event);
  Status EndLine();

  TextSink sink_;
  EventFilter filter_;
  uint64_t count_ = 0;
  std::string text_;
};

}  // namespace dp2trace::text
