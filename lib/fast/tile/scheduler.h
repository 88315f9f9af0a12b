// The queue of draws and the threads that paint it. While the caller adds draws, the others paint those that are there already.
// Source: lib/design.md 6.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "fast/machine/workers.h"
#include "fast/tile/draw_queue.h"
#include "fast/tile/painter.h"
#include "raster/stage_clock.h"

namespace dp2trace::fast {

class TileScheduler {
 public:
  // Of pixels that passed all tests, as raster::RendererStatistics has them.
  struct Counts {
    uint64_t pixels = 0, texels = 0;
  };

  TileScheduler(const Isa& isa, uint32_t threads);

  // Where draws are added; another one after Advance().
  DrawQueue& queue() { return queues_[filling_]; }
  bool empty() const { return queues_[0].empty() && queues_[1].empty(); }
  uint64_t size_bytes() const { return queues_[0].size_bytes() + queues_[1].size_bytes(); }
  // Of the targets, in pixels. Only while all is empty.
  void SetExtent(uint32_t width, uint32_t height);

  // The queue ends with a whole draw: hands it to the other threads where it is worth it and they have nothing to do.
  void Advance(raster::StageClock& clock);
  // Paints all that is there; everything is empty afterwards. The rest of the time is waiting.
  void Finish(raster::StageClock& clock);

  // Since the start, of what is finished; times of the painters while they measure.
  const Counts& counts() const { return counts_; }
  const raster::StageTimes& times() const { return times_; }
  // Only while all is empty.
  void SetMeasuring(bool measures);
  // May do other work beside what is queued.
  Workers& workers() { return workers_; }

 private:
  // Calls start(items, work) for the tiles of the queue, or the rows of its tiles.
  template <class Start>
  void Paint(DrawQueue& queue, const Start& start);
  void Retire(DrawQueue& queue);
  // The queue that the other threads paint.
  DrawQueue& painted() { return queues_[1 - filling_]; }

  Isa isa_;
  bool measures_ = false;
  raster::StageClock* clock_ = nullptr;  // of the caller
  std::array<DrawQueue, 2> queues_;
  size_t filling_ = 0;
  std::vector<uint32_t> tiles_;  // of the queue that is painted
  std::vector<std::unique_ptr<Painter>> painters_;
  Counts counts_;
  raster::StageTimes times_ = {};
  Workers workers_;
};

}  // namespace dp2trace::fast
