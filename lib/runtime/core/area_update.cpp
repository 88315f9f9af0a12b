#include "runtime/core/area_update.h"

#include <algorithm>

namespace dp2trace::runtime {
namespace {

using UpdateSink = std::function<void(const trace::SurfaceUpdate& update)>;

class AreaSplitter {
 public:
  AreaSplitter(const LockedArea& area, const UpdateSink& send)
      : send_(send),
        area_(area),
        row_size_(d3d::RowSize(*area.format, area.box.right - area.box.left)),
        rows_(d3d::RowCount(*area.format, area.box.bottom - area.box.top)),
        slices_(area.box.back - area.box.front) {
    pitch_ = std::max<uint64_t>(area.pitch, row_size_);
    slice_pitch_ = std::max<uint64_t>(area.slice_pitch, pitch_ * (rows_ - 1) + row_size_);
  }

  void Split(const MemoryWrite& write) {
    const uint64_t slice_extent = pitch_ * (rows_ - 1) + row_size_;
    const Bytes bytes = write.bytes;
    if (write.offset == 0 && bytes.size() >= slice_pitch_ * (slices_ - 1) + slice_extent) {
      Send(area_.box, area_.is_whole,
           bytes.first(static_cast<size_t>(slice_pitch_ * (slices_ - 1) + slice_extent)));
      return;
    }
    // Rows of planar formats are not rows of pixels.
    if (area_.format->kind == d3d::FormatKind::kPlanarYuv) return;
    for (uint64_t slice = write.offset / slice_pitch_; slice < slices_; ++slice) {
      const uint64_t start = slice * slice_pitch_;
      if (start >= write.offset + bytes.size()) break;
      const uint64_t from = std::max<uint64_t>(start, write.offset);
      const uint64_t to = std::min<uint64_t>(start + slice_extent, write.offset + bytes.size());
      if (from >= to) continue;
      SplitSlice(
          static_cast<uint32_t>(slice), from - start,
          bytes.subspan(static_cast<size_t>(from - write.offset), static_cast<size_t>(to - from)));
    }
  }

 private:
  // `offset` bytes after the first byte of the slice.
  void SplitSlice(uint32_t slice, uint64_t offset, Bytes bytes) {
    while (!bytes.empty()) {
      const uint64_t row = offset / pitch_;
      const uint64_t column = offset % pitch_;
      if (row >= rows_) return;
      uint64_t step = pitch_ - column;  // to the start of the next row
      if (column == 0 && bytes.size() >= row_size_) {
        const uint64_t whole = std::min(rows_ - row, (bytes.size() - row_size_) / pitch_ + 1);
        SendRows(slice, row, whole,
                 bytes.first(static_cast<size_t>(pitch_ * (whole - 1) + row_size_)));
        step = pitch_ * whole;
      } else if (column < row_size_) {
        SendBlocks(
            slice, row, column,
            bytes.first(static_cast<size_t>(std::min<uint64_t>(bytes.size(), row_size_ - column))));
      }
      if (step >= bytes.size()) return;
      offset += step;
      bytes = bytes.subspan(static_cast<size_t>(step));
    }
  }

  void SendRows(uint32_t slice, uint64_t row, uint64_t count, Bytes bytes) {
    d3d::Box box = area_.box;
    const uint32_t block = area_.format->block_height;
    box.top = area_.box.top + static_cast<uint32_t>(row) * block;
    box.bottom = std::min(area_.box.bottom, box.top + static_cast<uint32_t>(count) * block);
    SetSlice(slice, box);
    Send(box, false, bytes);
  }

  // A part of one row. Unspecified: what a block that is written in part becomes; chosen: it keeps its content.
  void SendBlocks(uint32_t slice, uint64_t row, uint64_t column, Bytes bytes) {
    const uint32_t size = area_.format->block_size;
    const uint64_t first = (column + size - 1) / size;
    const uint64_t last = (column + bytes.size()) / size;
    if (first >= last) return;
    d3d::Box box = area_.box;
    box.left = area_.box.left + static_cast<uint32_t>(first) * area_.format->block_width;
    box.right = std::min(area_.box.right,
                         area_.box.left + static_cast<uint32_t>(last) * area_.format->block_width);
    box.top = area_.box.top + static_cast<uint32_t>(row) * area_.format->block_height;
    box.bottom = std::min(area_.box.bottom, box.top + area_.format->block_height);
    SetSlice(slice, box);
    Send(box, false,
         bytes.subspan(static_cast<size_t>(first * size - column),
                       static_cast<size_t>((last - first) * size)));
  }

  void SetSlice(uint32_t slice, d3d::Box& box) const {
    box.front = area_.box.front + slice;
    box.back = box.front + 1;
  }

  void Send(const d3d::Box& box, bool is_whole, Bytes bytes) {
    trace::SurfaceUpdate update;
    update.space = area_.space;
    update.handle = area_.handle;
    update.face = area_.face;
    update.level = area_.level;
    update.flags = area_.flags;
    update.data = bytes;
    const uint64_t tight = d3d::RowSize(*area_.format, box.right - box.left);
    const bool is_one_row = d3d::RowCount(*area_.format, box.bottom - box.top) == 1;
    if (pitch_ != tight && !is_one_row) update.pitch = static_cast<uint32_t>(pitch_);
    if (area_.is_volume && box.back - box.front > 1)
      update.slice_pitch = static_cast<uint32_t>(slice_pitch_);
    if (!is_whole && area_.is_volume) update.box = box;
    if (!is_whole && !area_.is_volume) {
      update.rect = d3d::Rect{static_cast<int32_t>(box.left), static_cast<int32_t>(box.top),
                              static_cast<int32_t>(box.right), static_cast<int32_t>(box.bottom)};
    }
    send_(update);
  }

  const UpdateSink& send_;
  const LockedArea& area_;
  uint64_t row_size_;
  uint64_t rows_;
  uint32_t slices_;
  uint64_t pitch_ = 0;
  uint64_t slice_pitch_ = 0;
};

}  // namespace

void SplitWrites(const LockedArea& area, std::span<const MemoryWrite> writes,
                 const UpdateSink& send) {
  const d3d::Box& box = area.box;
  if (area.format == nullptr || area.format->block_size == 0) return;
  if (box.left >= box.right || box.top >= box.bottom || box.front >= box.back) return;
  AreaSplitter splitter(area, send);
  for (const MemoryWrite& write : writes) {
    if (!write.bytes.empty()) splitter.Split(write);
  }
}

void RecordBufferWrites(Recorder& recorder, uint32_t space, uint32_t handle, uint64_t lock_offset,
                        uint64_t buffer_size, uint32_t flags, std::span<const MemoryWrite> writes) {
  for (const MemoryWrite& write : writes) {
    const uint64_t offset = lock_offset + write.offset;
    if (write.bytes.empty() || offset >= buffer_size) continue;
    const auto size =
        static_cast<size_t>(std::min<uint64_t>(write.bytes.size(), buffer_size - offset));
    trace::SurfaceUpdate update;
    update.space = space;
    update.handle = handle;
    update.flags = flags;
    if (offset != 0 || size != buffer_size)
      update.range = d3d::Range{static_cast<uint32_t>(offset), static_cast<uint32_t>(size)};
    update.data = Bytes(write.bytes).first(size);
    recorder.UpdateSurface(update);
  }
}

}  // namespace dp2trace::runtime
