// The pages of `golden report --inspect`: the frame of a picture that differs, being drawn. A process of its own reads the trace and writes
// the page, in a sandbox where there is one.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "golden/report.h"

namespace dp2trace::app {

class InspectPages {
 public:
  // Writes at most `most` pages. `traces`: what the paths of traces stand behind.
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

  // Does the work in a process that reads the trace, and writes below `folder` where that is not empty. What the work returns; fails where
  // that, or the process, fails.
  Result<std::string> Apart(const std::string& trace, const std::string& folder,
                            const std::function<Result<std::string>()>& work) const;
  // The frame in which an event stands; nothing where the trace cannot be read.
  std::optional<uint64_t> FrameOf(const std::string& path, uint64_t event) const;
  // Empty where the page cannot be made.
  Result<std::string> Write(const std::string& folder, const std::string& path,
                            const golden::TraceResult& result, uint64_t frame);
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
