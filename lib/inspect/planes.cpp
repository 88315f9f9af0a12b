#include "inspect/planes.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "image/depth.h"
#include "image/output.h"

namespace dp2trace::inspect {
namespace {

using image::Area;
using image::ConstLevel;

struct PlaneRow {
  std::string_view name, format;
};
constexpr std::array<PlaneRow, 3> kPlanes = {
    {{"color", "rgba8"}, {"depth", "depth"}, {"stencil", "stencil"}}};

// Stored words of a depth format as what the planes hold.
class DepthWords {
 public:
  explicit DepthWords(const d3d::FormatInfo& info)
      : info_(info),
        depth_(info.FindChannel('Z')),
        stencil_(info.FindChannel('S')),
        depth_mask_(static_cast<uint32_t>(info.Mask('Z'))),
        stencil_mask_(static_cast<uint32_t>(info.Mask('S'))),
        greatest_(depth_ == nullptr ? 1.0
                                    : static_cast<double>(depth_mask_ >> depth_->offset_bits)),
        is_integer_(depth_ != nullptr && depth_->type != d3d::ChannelType::kFloat) {}

  uint32_t MaskOf(Plane plane) const {
    return plane == Plane::kDepth ? depth_mask_ : stencil_mask_;
  }
  // The bits of an f32.
  uint32_t Depth(uint32_t word) const {
    if (depth_ == nullptr) return 0;
    const uint32_t stored = (word & depth_mask_) >> depth_->offset_bits;
    const double depth =
        is_integer_ ? static_cast<double>(stored) / greatest_ : image::DepthToDouble(info_, stored);
    return std::bit_cast<uint32_t>(static_cast<float>(depth));
  }
  uint8_t Stencil(uint32_t word) const {
    if (stencil_ == nullptr) return 0;
    return static_cast<uint8_t>((word & stencil_mask_) >> stencil_->offset_bits);
  }

 private:
  const d3d::FormatInfo& info_;
  const d3d::Channel* depth_;
  const d3d::Channel* stencil_;
  uint32_t depth_mask_, stencil_mask_;
  double greatest_;
  bool is_integer_;
};

// Rows of pixels of a depth format as numbers, one level or two beside each other.
template <class Word>
struct PixelRows {
  const ConstLevel& level;
  const Area& area;

  const uint8_t* Row(uint32_t y) const { return level.block(area.left, y, area.front); }
  static uint32_t At(const uint8_t* row, size_t x) { return Load<Word>(row + sizeof(Word) * x); }
};

// Calls work(Word()) with the integer that a pixel of a depth format has.
template <class Work>
void WithWord(const d3d::FormatInfo& info, const Work& work) {
  if (info.block_size == 1) return work(uint8_t{});
  if (info.block_size == 2) return work(uint16_t{});
  work(uint32_t{});
}

std::vector<uint8_t> ReadDepthPlane(const ConstLevel& level, Plane plane, const Area& area) {
  const size_t size = plane == Plane::kDepth ? 4 : 1;
  std::vector<uint8_t> out(size * area.width() * area.height());
  const DepthWords words(*level.info);
  uint8_t* to = out.data();
  WithWord(*level.info, [&]<class Word>(Word) {
    const PixelRows<Word> rows = {level, area};
    // After a clear all are the same.
    uint32_t last = 0;
    uint32_t depth = words.Depth(last);
    for (uint32_t y = area.top; y < area.bottom; ++y) {
      const uint8_t* const row = rows.Row(y);
      for (size_t x = 0; x < area.width(); ++x, to += size) {
        const uint32_t word = rows.At(row, x);
        if (plane == Plane::kStencil) {
          *to = words.Stencil(word);
          continue;
        }
        if (word != last) depth = words.Depth(word);
        last = word;
        Store(to, depth);
      }
    }
  });
  return out;
}

// The bits in which stored words of the area differ.
template <class Word>
uint32_t ChangedBits(const PixelRows<Word>& before, const PixelRows<Word>& after,
                     const Area& area) {
  uint32_t changed = 0;
  for (uint32_t y = area.top; y < area.bottom; ++y) {
    const uint8_t* const a = before.Row(y);
    const uint8_t* const b = after.Row(y);
    for (size_t x = 0; x < area.width(); ++x)
      changed |= before.At(a, x) ^ after.At(b, x);
  }
  return changed;
}

template <class Word>
std::vector<uint8_t> DepthDifference(const PixelRows<Word>& before, const PixelRows<Word>& after,
                                     const DepthWords& words, Plane plane, const Area& area) {
  const uint32_t mask = words.MaskOf(plane);
  const size_t size = plane == Plane::kDepth ? 4 : 1;
  std::vector<uint8_t> out(size * area.width() * area.height());
  uint8_t* to = out.data();
  for (uint32_t y = area.top; y < area.bottom; ++y) {
    const uint8_t* const a = before.Row(y);
    const uint8_t* const b = after.Row(y);
    for (size_t x = 0; x < area.width(); ++x, to += size) {
      const uint32_t old = before.At(a, x);
      const uint32_t now = after.At(b, x);
      if (((old ^ now) & mask) == 0) continue;
      if (plane == Plane::kDepth) {
        Store(to, words.Depth(old) ^ words.Depth(now));
      } else {
        *to = static_cast<uint8_t>(words.Stencil(old) ^ words.Stencil(now));
      }
    }
  }
  return out;
}

bool IsZero(const std::vector<uint8_t>& bytes) {
  return std::ranges::all_of(bytes, [](uint8_t byte) { return byte == 0; });
}

// Bytes [first, end) of each row, and rows [top, bottom): what differs so far.
struct Extent {
  size_t first = SIZE_MAX, end = 0;
  uint64_t top = UINT64_MAX, bottom = 0;
};

// The first byte that differs, at most `count`.
size_t FirstDifference(const uint8_t* a, const uint8_t* b, size_t count) {
  size_t i = 0;
  while (i + 8 <= count && LoadU64(a + i) == LoadU64(b + i))
    i += 8;
  while (i < count && a[i] == b[i])
    ++i;
  return i;
}

// The end of what differs in bytes [start, end), or `start`.
size_t EndOfDifference(const uint8_t* a, const uint8_t* b, size_t start, size_t end) {
  while (end >= start + 8 && LoadU64(a + end - 8) == LoadU64(b + end - 8))
    end -= 8;
  while (end > start && a[end - 1] == b[end - 1])
    --end;
  return end;
}

// Grows by what differs in `size` bytes of a row; bytes that lie between those that differ already are not looked at.
void GrowByRow(const uint8_t* a, const uint8_t* b, size_t size, Extent& extent) {
  extent.first = std::min(extent.first, FirstDifference(a, b, std::min(extent.first, size)));
  extent.end = EndOfDifference(a, b, std::max(extent.end, extent.first), size);
}

}  // namespace

std::string_view Name(Plane plane) {
  return kPlanes[static_cast<size_t>(plane)].name;
}

std::string_view FormatOf(Plane plane) {
  return kPlanes[static_cast<size_t>(plane)].format;
}

std::vector<Plane> PlanesOf(const d3d::FormatInfo& info) {
  if (info.is_buffer() || info.kind == d3d::FormatKind::kNone) return {};
  if (!info.is_depth()) return {Plane::kColor};
  return info.has_stencil() ? std::vector{Plane::kDepth, Plane::kStencil}
                            : std::vector{Plane::kDepth};
}

std::vector<uint8_t> ReadPlane(const image::Surface& surface, uint32_t face, uint32_t level,
                               Plane plane, const Area& area, const image::Palette* palette) {
  if (!surface
           .CheckArea(face, level,
                      image::AlignToBlocks(surface.info(), area, surface.level(face, level)))
           .ok())
    return {};
  switch (plane) {
    case Plane::kColor: {
      Result<image::Picture> picture = image::ToPicture(surface, face, level, area, palette);
      return picture.ok() ? std::move(picture->rgba) : std::vector<uint8_t>();
    }
    case Plane::kDepth:
    case Plane::kStencil:
      return ReadDepthPlane(surface.level(face, level), plane, area);
  }
  return {};
}

std::vector<PlaneChange> PlaneDifferences(const image::PictureSource& before,
                                          const image::PictureSource& after, const Area& area) {
  std::vector<PlaneChange> changes;
  const d3d::FormatInfo& info = before.surface.info();
  if (!info.is_depth()) {
    Result<image::Picture> picture = image::PictureDifference(before, after, area);
    if (picture.ok() && !IsZero(picture->rgba))
      changes.push_back({Plane::kColor, std::move(picture->rgba)});
    return changes;
  }
  const ConstLevel from = before.surface.level(before.face, before.level);
  const ConstLevel to = after.surface.level(after.face, after.level);
  WithWord(info, [&]<class Word>(Word) {
    const PixelRows<Word> old = {from, area};
    const PixelRows<Word> now = {to, area};
    const DepthWords words(info);
    const uint32_t changed = ChangedBits(old, now, area);
    for (const Plane plane : PlanesOf(info)) {
      if ((changed & words.MaskOf(plane)) != 0)
        changes.push_back({plane, DepthDifference(old, now, words, plane, area)});
    }
  });
  return changes;
}

std::optional<Area> FindDifference(const ConstLevel& a, const ConstLevel& b, const Area& area) {
  const d3d::FormatInfo& info = *a.info;
  if (info.kind == d3d::FormatKind::kPlanarYuv) {
    if (std::memcmp(a.bytes, b.bytes, a.slices * a.slice_pitch) == 0) return std::nullopt;
    return Area{0, 0, a.width, a.height, 0, a.slices};
  }
  const Area inside = {area.left, area.top, std::min(area.right, a.width),
                       std::min(area.bottom, a.height)};
  if (inside.left >= inside.right || inside.top >= inside.bottom) return std::nullopt;
  const Area blocks = image::AlignToBlocks(info, inside, a);
  const size_t size = d3d::RowSize(info, blocks.width());
  Extent found;
  for (uint32_t slice = 0; slice < a.slices; ++slice) {
    for (uint32_t y = blocks.top; y < blocks.bottom; y += info.block_height) {
      const uint8_t* const from = a.block(blocks.left, y, slice);
      const uint8_t* const to = b.block(blocks.left, y, slice);
      if (std::memcmp(from, to, size) == 0) continue;
      found.top = std::min<uint64_t>(found.top, y);
      found.bottom = std::max<uint64_t>(found.bottom, y + info.block_height);
      GrowByRow(from, to, size, found);
    }
  }
  if (found.end == 0) return std::nullopt;
  const auto column = [&](size_t block) {
    return std::min(blocks.left + static_cast<uint32_t>(block) * info.block_width, a.width);
  };
  return Area{column(found.first / info.block_size),
              static_cast<uint32_t>(found.top),
              column((found.end + info.block_size - 1) / info.block_size),
              std::min(static_cast<uint32_t>(found.bottom), a.height),
              0,
              a.slices};
}

void CopyBlocks(const ConstLevel& from, const Area& area, const image::Level& to) {
  if (from.info->kind == d3d::FormatKind::kPlanarYuv) {
    std::memcpy(to.bytes, from.bytes, from.slices * from.slice_pitch);
    return;
  }
  const uint64_t size = d3d::RowSize(*from.info, area.width());
  for (uint32_t z = area.front; z < area.back; ++z) {
    for (uint32_t y = area.top; y < area.bottom; y += from.info->block_height)
      std::memcpy(to.block(area.left, y, z), from.block(area.left, y, z), size);
  }
}

}  // namespace dp2trace::inspect
