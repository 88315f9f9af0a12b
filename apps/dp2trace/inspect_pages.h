// The pages of `golden report --inspect`: the frame of a picture that differs, being drawn. A process of its own reads the trace and writes
// the page, in a sandbox where there is one.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "golden/report.h"
#include "os/worker_pool.h"

namespace dp2trace::app {

// What such a process does.
std::string WorkOnPage(const std::string& order);
inline constexpr Worker kInspectWorker = {"inspect page", WorkOnPage};

class InspectPages {
 public:
  // Writes at most `most` pages. `traces`: what the paths of traces come after.
  InspectPages(std::string traces, uint64_t most, bool is_sandboxed)
      : traces_(std::move(traces)), most_(most), is_sandboxed_(is_sandboxed) {}

  // golden::InspectPicture. A trace that cannot be read, or is not the one that was checked, is told and has none.
  Result<std::string> Add(const std::string& folder, const golden::TraceResult& result,
                          const golden::ImageResult& image);
  // Says how many pages were left out.
  void Report() const;

 private:
  // Of what a page shows.
  using Key = std::pair<std::string, uint64_t>;  // hash of the trace, frame

  // The frame in which an event stands; nothing where the trace cannot be read.
  std::optional<uint64_t> FrameOf(const std::string& path, uint64_t event) const;
  bool IsUsable(const std::string& path, const golden::TraceResult& result);

  std::string traces_;
  uint64_t most_;
  bool is_sandboxed_;
  uint64_t written_ = 0;
  uint64_t left_out_ = 0;
  std::map<Key, std::string> pages_;    // by what they show; empty: there is none
  std::map<std::string, bool> usable_;  // traces
};

}  // namespace dp2trace::app
