// How fast a trace is drawn: its frames again and again, from memory, without pictures.
// Source: lib/design.md 6 and 7.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/selection.h"
#include "base/status.h"
#include "raster/statistics.h"
#include "replay/replayer.h"
#include "trace/events.h"

namespace dp2trace::bench {

struct BenchOptions {
  Selection frames;                         // from the first to the last of these; `last` resolved
  uint64_t loops = 5;                       // times that they are played
  uint64_t max_memory = uint64_t{1} << 30;  // bytes of the loaded trace
  double max_frame_seconds = 10;            // a frame that takes longer ends the bench
  double max_seconds = 5;                   // after which no loop begins but the first one
  play::RunnerOptions validation;
  std::string renderer = {};  // a row of play::Renderers(); empty: the first
  raster::Options raster;
};

struct FrameTimes {
  double minimum = 0, median = 0, percentile_95 = 0;  // seconds
};

struct BenchResult {
  // A frame took longer than allowed, or all of it more work (validation.max_steps; without, a loop more than the file may take):
  // the counts are of the part of a frame until then, and of the frames before in its loop.
  bool is_cut = false;
  uint64_t loops = 0;  // that were played to the end
  // Of one loop:
  uint64_t frames = 0;
  uint64_t draws = 0;      // drawing tokens, clears too
  uint64_t triangles = 0;  // that draws ask for
  uint64_t vertices = 0;   // that primitives consume: three for each triangle of a list
  uint64_t pixels = 0;     // that passed all tests
  uint64_t texels = 0;     // colours that they read
  std::map<std::string, uint64_t> handed_on, slow;  // RendererStatistics

  double seconds = 0;  // of all loops
  FrameTimes frame;    // over all frames of all loops
  // Of one more loop, which is slower since it is measured; all threads together. kApply holds the rules about what a token draws, too.
  // Absent where a loop takes longer than max_seconds.
  std::optional<raster::StageTimes> stages;
};

// Holds a trace in memory, and plays it.
class Bench {
 public:
  // Copies the event. Fails (TRACE-010) where the trace becomes larger than the limit.
  Status Add(const trace::Event& event, uint64_t max_memory);
  // Frames of the trace; drawing after the last present makes one more.
  uint64_t frame_count() const { return frame_count_ + (has_unfinished_ ? 1 : 0); }
  // Plays what comes before the first frame, up to its first drawing call, then the loops. Surfaces and their contents stay between
  // loops, contexts become what they were, and what would destroy something is left out. No frames where none is selected.
  Result<BenchResult> Run(const BenchOptions& options) const;

 private:
  friend class BenchRun;
  struct StoredEvent {
    uint16_t kind = 0;
    std::vector<uint8_t> payload;
  };

  std::vector<StoredEvent> events_;
  std::vector<uint64_t> presents_;  // numbers of these events
  uint64_t frame_count_ = 0;
  bool has_unfinished_ = false;
  uint64_t size_bytes_ = 0;
};

// As lines for people.
std::string BenchText(const BenchResult& result);
// A JSON object.
std::string BenchJson(std::string_view trace, const BenchResult& result);

}  // namespace dp2trace::bench
