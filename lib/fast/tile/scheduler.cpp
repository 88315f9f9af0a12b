#include "fast/tile/scheduler.h"

#include <algorithm>

namespace dp2trace::fast {

using raster::Stage;

namespace {

// Triangles in tiles that are worth a hand over: some microseconds. More of them are no faster, and small scenes would not show that it works.
constexpr uint64_t kLeastEntries = 32;

}  // namespace

TileScheduler::TileScheduler(const Isa& isa, uint32_t threads) : isa_(isa), workers_(threads) {}

void TileScheduler::SetExtent(uint32_t width, uint32_t height) {
  for (DrawQueue& queue : queues_)
    queue.SetExtent(width, height);
}

void TileScheduler::SetMeasuring(bool measures) {
  measures_ = measures;
  for (const std::unique_ptr<Painter>& painter : painters_)
    painter->clock().SetMeasuring(measures);
}

template <class Start>
void TileScheduler::Paint(DrawQueue& queue, const Start& start) {
  const bool is_for_rows = queue.is_for_rows();
  tiles_.clear();
  for (uint32_t tile = 0; tile < queue.tile_count(); ++tile) {
    if (!queue.bin(tile).empty()) tiles_.push_back(tile);
  }
  // The longest first, so that no thread ends with one.
  std::ranges::sort(tiles_, [&queue](uint32_t a, uint32_t b) {
    return queue.bin(a).size() > queue.bin(b).size();
  });
  while (painters_.size() < workers_.count()) {
    painters_.push_back(std::make_unique<Painter>(isa_));
    painters_.back()->clock().SetMeasuring(measures_);
  }
  const auto items = is_for_rows ? queue.rows() : static_cast<uint32_t>(tiles_.size());
  start(items, [this, &queue, is_for_rows](uint32_t worker, uint32_t i) {
    // What the painters do has clocks of its own.
    const Stage outside = worker == 0 ? clock_->Enter(Stage::kNone) : Stage::kNone;
    is_for_rows ? painters_[worker]->PaintRow(queue, i)
                : painters_[worker]->Paint(queue, tiles_[i]);
    if (worker == 0) clock_->Enter(outside);
  });
}

void TileScheduler::Retire(DrawQueue& queue) {
  for (const DrawQueue::Run& run : queue.runs()) {
    if (run.draw == nullptr) continue;
    counts_.pixels += run.passed;
    counts_.texels += run.passed * run.draw->texture_count;
  }
  queue.Clear();
  if (!measures_) return;
  times_ = {};
  for (const std::unique_ptr<Painter>& painter : painters_) {
    for (size_t i = 0; i < times_.size(); ++i)
      times_[i] += painter->clock().times()[i];
  }
}

void TileScheduler::Advance(raster::StageClock& clock) {
  if (workers_.count() == 1 || queue().entry_count() < kLeastEntries || !workers_.is_idle()) return;
  clock_ = &clock;
  workers_.Finish();
  Retire(painted());
  filling_ = 1 - filling_;
  Paint(painted(),
        [this](uint32_t items, Workers::Work work) { workers_.Start(items, std::move(work)); });
}

void TileScheduler::Finish(raster::StageClock& clock) {
  if (empty()) return;
  clock_ = &clock;
  const Stage before = clock.Enter(Stage::kWait);
  workers_.Finish();
  Retire(painted());
  Paint(queue(),
        [this](uint32_t items, Workers::Work work) { workers_.Run(items, std::move(work)); });
  Retire(queue());
  clock.Enter(before);
}

}  // namespace dp2trace::fast
