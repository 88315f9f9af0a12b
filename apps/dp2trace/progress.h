// A progress bar for long work, on standard error and only when that is a terminal.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/status.h"

namespace dp2trace::app {

// Takes the bar away that is drawn, if there is one: before any text, which needs a line of its own.
void WipeProgress();

class Progress {
 public:
  // `noun` is what is counted ("trace"); empty: bytes.
  explicit Progress(std::string_view label, std::string_view noun = {});
  // Wipes the bar.
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Call as often as convenient: draws nothing in the first half second, then at most ten times a second. total 0 = not known.
  void Update(uint64_t done, uint64_t total);
  // Of a total that is not known; always OK, for work that its progress may end.
  Status Update(uint64_t done);

 private:
  using Clock = std::chrono::steady_clock;
  std::string label_;
  std::string noun_;
  bool is_terminal_;
  Clock::time_point next_;
};

// The bar of one trace after the other: "lint a.dp2t".
class TraceProgress {
 public:
  explicit TraceProgress(std::string_view verb) : verb_(verb) {}
  void Update(const std::string& path, uint64_t done, uint64_t total);
  // Wipes the bar, for a text that is printed.
  void Stop();

 private:
  std::string verb_;
  std::string path_;
  std::optional<Progress> bar_;
};

}  // namespace dp2trace::app
