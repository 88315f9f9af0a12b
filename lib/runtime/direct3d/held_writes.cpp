#include "runtime/direct3d/held_writes.h"

#include <algorithm>
#include <cstring>

namespace dp2trace::runtime {
namespace {

uint32_t Columns(const d3d::FormatInfo& format, uint32_t width) {
  return (width + format.block_width - 1) / format.block_width;
}
uint32_t Rows(const d3d::FormatInfo& format, uint32_t height) {
  return (height + format.block_height - 1) / format.block_height;
}

}  // namespace

HeldWrites::HeldWrites(const d3d::FormatInfo& format, uint32_t width, uint32_t height,
                       uint32_t depth)
    : format_(&format),
      width_(width),
      height_(height),
      columns_(Columns(format, width)),
      rows_(Rows(format, height)),
      bytes_(static_cast<size_t>(Size(format, width, height, depth))),
      is_held_(size_t{columns_} * rows_ * depth) {}

uint64_t HeldWrites::Size(const d3d::FormatInfo& format, uint32_t width, uint32_t height,
                          uint32_t depth) {
  return uint64_t{Columns(format, width)} * Rows(format, height) * depth * format.block_size;
}

HeldWrites::Blocks HeldWrites::BlocksOf(const d3d::Box& box) const {
  return {box.left / format_->block_width,
          box.top / format_->block_height,
          Columns(*format_, box.right),
          Rows(*format_, box.bottom),
          box.front,
          box.back};
}

d3d::Box HeldWrites::BoxOf(const Blocks& blocks) const {
  return {blocks.left * format_->block_width,
          blocks.top * format_->block_height,
          std::min(width_, blocks.right * format_->block_width),
          std::min(height_, blocks.bottom * format_->block_height),
          blocks.front,
          blocks.back};
}

void HeldWrites::Hold(const d3d::Box& box, const trace::SurfaceUpdate& update) {
  const Blocks blocks = BlocksOf(box);
  const size_t row_size = size_t{blocks.right - blocks.left} * format_->block_size;
  const size_t pitch = update.pitch.value_or(static_cast<uint32_t>(row_size));
  const size_t slice_pitch =
      update.slice_pitch.value_or(static_cast<uint32_t>(pitch * (blocks.bottom - blocks.top)));
  for (uint32_t z = blocks.front; z < blocks.back; ++z) {
    for (uint32_t y = blocks.top; y < blocks.bottom; ++y) {
      const size_t at = (z - blocks.front) * slice_pitch + (y - blocks.top) * pitch;
      if (at + row_size > update.data.size()) return;
      const size_t place = PlaceOf(blocks.left, y, z);
      std::memcpy(&bytes_[place * format_->block_size], &update.data[at], row_size);
      std::fill_n(is_held_.begin() + static_cast<std::ptrdiff_t>(place), blocks.right - blocks.left,
                  true);
    }
  }
}

void HeldWrites::Drop(const d3d::Box& box) {
  const Blocks blocks = BlocksOf(box);
  for (uint32_t z = blocks.front; z < blocks.back; ++z) {
    for (uint32_t y = blocks.top; y < blocks.bottom; ++y) {
      std::fill_n(is_held_.begin() + static_cast<std::ptrdiff_t>(PlaceOf(blocks.left, y, z)),
                  blocks.right - blocks.left, false);
    }
  }
}

void HeldWrites::Release(const d3d::Box& box,
                         const std::function<void(const d3d::Box& part, Bytes bytes)>& send) {
  const Blocks blocks = BlocksOf(box);
  const auto run_end = [&](uint32_t x, uint32_t y, uint32_t z, uint32_t end) {
    while (x < end && is_held_[PlaceOf(x, y, z)])
      ++x;
    return x;
  };
  // A run of a row, with the same run of the rows below it.
  const auto send_from = [&](uint32_t x, uint32_t y, uint32_t z) {
    const uint32_t right = run_end(x, y, z, blocks.right);
    std::vector<uint8_t> bytes;
    uint32_t bottom = y;
    for (; bottom < blocks.bottom && run_end(x, bottom, z, right) == right; ++bottom) {
      const auto first =
          bytes_.begin() + static_cast<std::ptrdiff_t>(PlaceOf(x, bottom, z) * format_->block_size);
      bytes.insert(bytes.end(), first,
                   first + static_cast<std::ptrdiff_t>(right - x) * format_->block_size);
      std::fill_n(is_held_.begin() + static_cast<std::ptrdiff_t>(PlaceOf(x, bottom, z)), right - x,
                  false);
    }
    send(BoxOf({x, y, right, bottom, z, z + 1}), bytes);
  };
  for (uint32_t z = blocks.front; z < blocks.back; ++z) {
    for (uint32_t y = blocks.top; y < blocks.bottom; ++y) {
      for (uint32_t x = blocks.left; x < blocks.right; ++x) {
        if (is_held_[PlaceOf(x, y, z)]) send_from(x, y, z);
      }
    }
  }
}

}  // namespace dp2trace::runtime
