// A trace that is read again for each question.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/diagnostic.h"
#include "live/watch.h"
#include "play/feed.h"
#include "trace_file/source.h"

namespace dp2trace::live {

class TraceFeed final : public play::Feed {
 public:
  // The watch outlives the feed.
  TraceFeed(std::string path, uint64_t max_memory, Watch& watch)
      : path_(std::move(path)), max_memory_(max_memory), watch_(&watch) {}

  const std::string& path() const { return path_; }
  Watch& watch() const { return *watch_; }
  // With the results of its calls, at the event that the snapshot goes on with; null: at the start. Null, and the status: it cannot be read.
  std::unique_ptr<trace_file::Source> Open(const play::Snapshot* start, Status& status);
  Status Read(const std::string& purpose,
              const std::function<bool(const trace::EventRecord&)>& visit) override;
  // Fails (REPLAY-WORK-001) where the trace takes more work than it may.
  Status Play(const std::string& purpose, play::Player& player) override;
  // The same, and `after_event` is called after each event.
  Status Play(play::Player& player, const std::function<void()>& after_event);

 private:
  std::string path_;
  uint64_t max_memory_;
  Watch* watch_;
  DiagnosticList reading_{size_t{0}};  // of sources: not kept, `findings` of a session has them
};

}  // namespace dp2trace::live
