// The pages that show how a picture that differs is drawn: of its frame, or of its whole trace. Which are made, and at which place each picture opens
// its page.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "golden/html_report.h"
#include "golden/results.h"

namespace dp2trace::golden {

// The page of a frame, or of a trace.
struct PageRequest {
  std::string trace;   // its path
  std::string name;    // as the results have it
  std::string folder;  // that the page comes below
  std::string page;    // the page's folder, below it
  uint64_t frame = 0;  // 0: of the trace
};

// Who makes them.
struct PageMaker {
  // The frame in which an event of the trace stands; nothing where the trace cannot be read.
  std::function<std::optional<uint64_t>(const std::string& trace, uint64_t event)> frame_of;
  // Returns the place of the page below the folder; empty: the trace cannot be read, or lacks the frame. Fails where it cannot be written.
  std::function<Result<std::string>(const PageRequest&)> write;
  // Hears why there is no page, in words.
  std::function<void(std::string_view)> on_absent;
  bool shows_any_frame = false;  // a page shows all frames of a trace: one is made for each trace
};

class InspectPages {
 public:
  // Has at most `most` pages made. `traces`: what the paths of traces come after.
  InspectPages(std::string traces, uint64_t most, PageMaker maker)
      : traces_(std::move(traces)), most_(most), maker_(std::move(maker)) {}

  // An InspectPicture. A trace that is not the one that was checked has none.
  Result<std::string> Add(const std::string& folder, const TraceResult& result,
                          const ImageResult& image);
  // Pages beyond `most`.
  uint64_t left_out() const { return left_out_; }

 private:
  // Of what a page shows.
  using Key = std::pair<std::string, uint64_t>;  // hash of the trace; frame, or 0

  bool IsUsable(const std::string& path, const TraceResult& result);

  std::string traces_;
  uint64_t most_;
  PageMaker maker_;
  uint64_t written_ = 0;
  uint64_t left_out_ = 0;
  std::map<Key, std::string> pages_;    // by what they show; empty: there is none
  std::map<std::string, bool> usable_;  // traces
};

}  // namespace dp2trace::golden
