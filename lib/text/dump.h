// A trace as lines of text: one per event, one per command in it.
#pragma once

#include <bitset>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/selection.h"
#include "base/status.h"
#include "text/command_stream.h"
#include "trace/events.h"

namespace dp2trace::text {

// Takes text in pieces of whole lines.
using TextSink = std::function<Status(std::string_view)>;

struct DumpOptions {
  Selection events;
  Selection frames;
  // Operations to show, by code; none set = all of them, and the events without commands.
  std::bitset<256> operations;
  // The assembly of shaders below the commands that create them.
  bool shaders = false;
};

// Chooses events by number, frame and operation. Sees every event of the trace in order.
class EventFilter {
 public:
  explicit EventFilter(const DumpOptions& options) : options_(options) {}

  // True where the event is to be shown.
  bool Accepts(uint64_t number, const trace::Event& event);
  bool shows_shaders() const { return options_.shaders; }
  bool Shows(const stream::Command& command) const {
    return options_.operations.none() || options_.operations.test(command.bytes[0]);
  }
  // Nothing that follows can be chosen.
  bool IsPast() const {
    return options_.events.IsPast(next_event_) || options_.frames.IsPast(frame_);
  }
  // The frame of the next event, from 1.
  uint64_t frame() const { return frame_; }
  const NamingContext& naming() const { return naming_; }

 private:
  bool HasOperation(const trace::Event& event) const;

  DumpOptions options_;
  NamingContext naming_;
  uint64_t next_event_ = 0;
  uint64_t frame_ = 1;
};

// Writes the events that the filter accepts. Memory does not grow with the trace.
class Dumper {
 public:
  Dumper(TextSink sink, const DumpOptions& options) : sink_(std::move(sink)), filter_(options) {}

  // The next event of the trace, chosen or not.
  Status Add(uint64_t number, const trace::Event& event);
  bool IsPast() const { return filter_.IsPast(); }
  // Events written so far.
  uint64_t count() const { return count_; }
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
