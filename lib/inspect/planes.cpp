#include "inspect/planes.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <functional>

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

// The bits of depths as f32. Neighbours often hold the same, behind a clear all do: those are converted once.
class DepthReader {
 public:
  explicit DepthReader(const d3d::FormatInfo& info) : info_(info) {}

  uint32_t At(const uint8_t* pixel) {
    const uint32_t stored = image::LoadDepthStencil(info_, pixel).depth;
    if (stored != stored_ || !is_known_) {
      is_known_ = true;
      stored_ = stored;
      bits_ = std::bit_cast<uint32_t>(static_cast<float>(image::DepthToDouble(info_, stored)));
    }
    return bits_;
  }

 private:
  const d3d::FormatInfo& info_;
  bool is_known_ = false;
  uint32_t stored_ = 0, bits_ = 0;
};

uint8_t StencilAt(const ConstLevel& level, const uint8_t* pixel) {
  return static_cast<uint8_t>(image::LoadDepthStencil(*level.info, pixel).stencil);
}

// Calls visit(x, y) for each pixel of the area, by rows.
template <class Visit>
void ForEachPixel(const Area& area, const Visit& visit) {
  for (uint32_t y = area.top; y < area.bottom; ++y) {
    for (uint32_t x = area.left; x < area.right; ++x)
      visit(x, y);
  }
}

std::vector<uint8_t> ReadDepth(const ConstLevel& level, const Area& area) {
  std::vector<uint8_t> out(size_t{4} * area.width() * area.height());
  uint8_t* to = out.data();
  DepthReader depth(*level.info);
  ForEachPixel(area, [&](uint32_t x, uint32_t y) {
    Store(to, depth.At(level.block(x, y, area.front)));
    to += 4;
  });
  return out;
}

std::vector<uint8_t> ReadStencil(const ConstLevel& level, const Area& area) {
  std::vector<uint8_t> out(size_t{area.width()} * area.height());
  uint8_t* to = out.data();
  ForEachPixel(area, [&](uint32_t x, uint32_t y) {
    *to++ = StencilAt(level, level.block(x, y, area.front));
  });
  return out;
}

// Pixels whose stored bytes are the same need no arithmetic: most of them.
std::vector<uint8_t> DepthDifference(const ConstLevel& before, const ConstLevel& after, Plane plane,
                                     const Area& area) {
  const size_t size = plane == Plane::kDepth ? 4 : 1;
  std::vector<uint8_t> out(size * area.width() * area.height());
  uint8_t* to = out.data();
  DepthReader old(*before.info);
  DepthReader now(*after.info);
  ForEachPixel(area, [&](uint32_t x, uint32_t y) {
    const uint8_t* const a = before.block(x, y, area.front);
    const uint8_t* const b = after.block(x, y, area.front);
    if (std::memcmp(a, b, before.info->block_size) != 0) {
      if (plane == Plane::kDepth)
        Store(to, old.At(a) ^ now.At(b));
      else
        *to = static_cast<uint8_t>(StencilAt(before, a) ^ StencilAt(after, b));
    }
    to += size;
  });
  return out;
}

// Bytes of the level, as rows of blocks that may differ.
struct Rows {
  const uint8_t* a = nullptr;
  const uint8_t* b = nullptr;
  uint64_t pitch = 0;
  uint64_t count = 0;

  bool AreEqual(uint64_t row) const {
    return std::memcmp(a + row * pitch, b + row * pitch, pitch) == 0;
  }
};

// Grows [first, end) by what differs in a row; bytes that it covers already are not looked at.
void GrowByRow(const Rows& rows, uint64_t row, uint64_t& first, uint64_t& end) {
  const uint8_t* const a = rows.a + row * rows.pitch;
  const uint8_t* const b = rows.b + row * rows.pitch;
  first = static_cast<uint64_t>(std::mismatch(a, a + first, b).first - a);
  uint64_t last = rows.pitch;
  while (last > end && a[last - 1] == b[last - 1])
    --last;
  end = last;
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
      return ReadDepth(surface.level(face, level), area);
    case Plane::kStencil:
      return ReadStencil(surface.level(face, level), area);
  }
  return {};
}

std::vector<uint8_t> PlaneDifference(const PlaneContent& before, const PlaneContent& after,
                                     Plane plane, const Area& area) {
  if (plane != Plane::kColor)
    return DepthDifference(before.surface.level(before.face, before.level),
                           after.surface.level(after.face, after.level), plane, area);
  std::vector<uint8_t> out =
      ReadPlane(before.surface, before.face, before.level, plane, area, before.palette);
  const std::vector<uint8_t> other =
      ReadPlane(after.surface, after.face, after.level, plane, area, after.palette);
  std::ranges::transform(out, other, out.begin(), std::bit_xor<>());
  return out;
}

std::optional<Area> FindDifference(const ConstLevel& a, const ConstLevel& b) {
  const Area whole = {0, 0, a.width, a.height, 0, a.slices};
  const uint64_t size = a.slices * a.slice_pitch;
  if (std::memcmp(a.bytes, b.bytes, size) == 0) return std::nullopt;
  if (a.info->kind == d3d::FormatKind::kPlanarYuv) return whole;
  const uint64_t rows_per_slice = a.slice_pitch / a.pitch;
  uint64_t first = a.pitch;
  uint64_t end = 0;
  uint64_t top = rows_per_slice;
  uint64_t bottom = 0;
  for (uint64_t slice = 0; slice < a.slices; ++slice) {
    const Rows rows = {a.bytes + slice * a.slice_pitch, b.bytes + slice * a.slice_pitch, a.pitch,
                       rows_per_slice};
    for (uint64_t row = 0; row < rows.count; ++row) {
      if (rows.AreEqual(row)) continue;
      top = std::min(top, row);
      bottom = std::max(bottom, row + 1);
      GrowByRow(rows, row, first, end);
    }
  }
  const d3d::FormatInfo& info = *a.info;
  const auto column = [&](uint64_t block) {
    return static_cast<uint32_t>(std::min<uint64_t>(block * info.block_width, a.width));
  };
  const auto line = [&](uint64_t block) {
    return static_cast<uint32_t>(std::min<uint64_t>(block * info.block_height, a.height));
  };
  return Area{column(first / info.block_size),
              line(top),
              column((end + info.block_size - 1) / info.block_size),
              line(bottom),
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
