// The pages on which one sees the frame of a picture that differs being drawn: which are made, and what each picture shows of them.
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

// The page of a frame.
struct PageRequest {
  std::string trace;   // its path
  std::string name;    // as the results have it
  std::string folder;  // that the page comes below
  std::string page;    // the page's folder, below it
  uint64_t frame = 0;
};

// Who makes them.
struct PageMaker {
  // The frame in which an event of the trace stands; nothing where the trace cannot be read.
  std::function<std::optional<uint64_t>(const std::string& trace, uint64_t event)> frame_of;
  // Returns the place of the page below the folder; empty: the trace cannot be read, or lacks the frame. Fails where it cannot be written.
  std::function<Result<std::string>(const PageRequest&)> write;
  // Hears why there is no page, in words.
  std::function<void(std::string_view)> on_absent;
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
  using Key = std::pair<std::string, uint64_t>;  // hash of the trace, frame

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
