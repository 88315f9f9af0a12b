#include "image/surface.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <optional>
#include <utility>

#include "base/checked.h"
#include "base/plain_text.h"
#include "d3d/interface.h"
#include "image/transfer.h"
#include "rules/rule.h"

namespace dp2trace::image {
namespace {

Status Refuse(Rule rule, std::string message, std::string actual = {}, std::string expected = {}) {
  Diagnostic finding = MakeDiagnostic(rule, std::move(message));
  finding.actual = std::move(actual);
  finding.expected = std::move(expected);
  return Status(std::move(finding));
}

// "X,Y,WIDTH,HEIGHT", and the slices where there is not only the first. Of an area that may be wrong: its ends may come before its starts.
std::string RegionText(const Area& area) {
  const auto span = [](uint32_t begin, uint32_t end) { return int64_t{end} - int64_t{begin}; };
  std::string text = fmt::format("{},{},{},{}", CoordinateText(area.left), CoordinateText(area.top),
                                 span(area.left, area.right), span(area.top, area.bottom));
  if (area.front != 0 || area.back != 1)
    text += fmt::format(" in {} from slice {} on", Counted(area.depth(), "slice"), area.front);
  return text;
}

std::string ExtentText(const Area& whole) {
  return fmt::format("{}x{}{}", whole.right, whole.bottom,
                     whole.back == 1 ? "" : fmt::format("x{}", whole.back));
}

// Sample counts are rounded up to those that have positions. Source: lib/raster/rendering-geometry.md 1.10.
uint32_t RoundSamples(uint32_t samples) {
  if (samples <= 2) return std::max(samples, 1U);
  return samples <= 4 ? 4 : 8;
}

bool CountsArePossible(const SurfaceDescription& d) {
  if (d.width == 0 || d.height == 0 || d.depth == 0) return false;
  if (d.levels == 0 || d.levels > d3d::kMaxMipLevels) return false;
  if (d.faces != 1 && (d.faces != kCubeFaces || d.depth != 1 || d.width != d.height)) return false;
  return d.samples == 1 || (d.depth == 1 && d.levels == 1 && d.faces == 1);
}

bool IsWithin(const SurfaceDescription& d, const d3d::FormatInfo& info,
              const SurfaceLimits& limits) {
  if (info.is_buffer()) return true;  // its size in bytes is checked
  return std::max({d.width, d.height, d.depth}) <= limits.max_dimension;
}

// What a surface must be that this one is not.
std::string Needed(const SurfaceDescription& d, const d3d::FormatInfo* info,
                   const SurfaceLimits& limits) {
  if (info == nullptr) return "a format of `dp2trace list formats`";
  if (d.width == 0 || d.height == 0 || d.depth == 0) return "1 or more texels along each axis";
  if (d.levels == 0 || d.levels > d3d::kMaxMipLevels)
    return fmt::format("1 to {} levels", d3d::kMaxMipLevels);
  if (!CountsArePossible(d)) {
    return d.samples == 1 ? "one face, or six square ones without slices"
                          : "one level, face and slice where there are samples";
  }
  if (!IsWithin(d, *info, limits)) {
    return fmt::format("at most {} texels along each axis, see --max-surface-extent",
                       limits.max_dimension);
  }
  return fmt::format("at most {}, see --max-surface-memory", Counted(limits.max_bytes, "byte"));
}

Status Impossible(const SurfaceDescription& d, const d3d::FormatInfo* info,
                  const SurfaceLimits& limits) {
  const std::string is = fmt::format("{} x {} x {}, {}, {}, {}", d.width, d.height, d.depth,
                                     Counted(d.levels, "level"), Counted(d.faces, "face"),
                                     Counted(d.samples, "sample"));
  const std::string needed = Needed(d, info, limits);
  return Refuse(Rule::kReplaySurface001,
                fmt::format("no surface of format {} can have {}; it can have {}",
                            info == nullptr ? fmt::format("{}", static_cast<uint32_t>(d.format))
                                            : std::string(info->name),
                            is, needed),
                is, needed);
}

// True when both ends of [first, end) are on block borders; the edge of the level counts as one.
bool IsOnBlocks(uint32_t first, uint32_t end, uint32_t block, uint32_t extent) {
  return first % block == 0 && (end % block == 0 || end == extent);
}

// start + extent, or a number beyond every surface.
uint32_t EndAt(uint32_t start, uint32_t extent) {
  return static_cast<uint32_t>(std::min<uint64_t>(uint64_t{start} + extent, UINT32_MAX));
}

uint32_t RoundUp(uint32_t value, uint32_t block) {
  const uint32_t rest = value % block;
  return rest == 0 ? value : value + (block - rest);  // extents are far below 2^32 or block is 1
}

}  // namespace

Result<Surface> Surface::Create(const SurfaceDescription& description,
                                const SurfaceLimits& limits) {
  static std::atomic<uint64_t> created = 0;
  Surface surface;
  surface.id_ = ++created;
  SurfaceDescription& d = surface.description_;
  d = description;
  d.samples = RoundSamples(d.samples);
  surface.info_ = d3d::FindFormat(d.format);
  if (surface.info_ != nullptr && surface.info_->is_buffer()) {
    surface.info_ = d3d::FindFormat(d3d::Format::VertexData);  // width counts bytes
  }
  if (surface.info_ == nullptr || !CountsArePossible(d) || !IsWithin(d, *surface.info_, limits)) {
    return Impossible(d, surface.info_, limits);
  }
  for (uint32_t i = 0; i < d.levels; ++i) {
    const uint32_t width = d3d::ClipLevelExtent(d.width, i);
    const uint32_t height = d3d::ClipLevelExtent(d.height, i);
    const uint32_t slices = d.samples > 1 ? d.samples : d3d::ClipLevelExtent(d.depth, i);
    const std::optional<uint64_t> slice = d3d::LevelSize(*surface.info_, width, height);
    const std::optional<uint64_t> size = slice ? CheckedMul(*slice, slices) : std::nullopt;
    if (!size || *size > limits.max_bytes) return Impossible(d, surface.info_, limits);
    surface.levels_.push_back(
        {surface.face_size_, d3d::RowSize(*surface.info_, width), *slice, width, height, slices});
    surface.face_size_ += *size;  // at most d3d::kMaxMipLevels * max_bytes
  }
  const std::optional<uint64_t> total = CheckedMul(surface.face_size_, d.faces);
  if (!total || *total > limits.max_bytes) return Impossible(d, surface.info_, limits);
  surface.has_pixels_ = limits.keeps_pixels || surface.info_->is_buffer();
  if (surface.has_pixels_) surface.bytes_ = ZeroedBytes(static_cast<size_t>(*total));
  return surface;
}

Surface::Surface(const Surface& other)
    : description_(other.description_),
      info_(other.info_),
      levels_(other.levels_),
      face_size_(other.face_size_),
      has_pixels_(other.has_pixels_),
      id_(other.id_) {
  other.FinishPending();
  bytes_ = other.bytes_;
  generation_ = other.generation_;
}

void Surface::TakeOwnBytes(const Surface* earlier) {
  if (!has_pixels_) return;
  const auto size = static_cast<size_t>(size_bytes());
  const bool is_same = earlier != nullptr && earlier->has_pixels_ &&
                       earlier->description_ == description_ &&
                       std::memcmp(earlier->bytes_.data(), bytes_.data(), size) == 0;
  bytes_ = is_same ? earlier->bytes_ : bytes_.Clone(size);
}

Surface::Surface(Surface&& other) noexcept {
  *this = std::move(other);
}

Surface& Surface::operator=(Surface&& other) noexcept {
  if (this == &other) return *this;
  FinishPending();
  other.FinishPending();
  description_ = other.description_;
  info_ = other.info_;
  levels_ = std::move(other.levels_);
  face_size_ = other.face_size_;
  has_pixels_ = other.has_pixels_;
  bytes_ = std::move(other.bytes_);
  generation_ = other.generation_ + 1;
  id_ = std::exchange(other.id_, 0);
  return *this;
}

void Surface::FinishPending() const {
  if (pending_ != nullptr) std::exchange(pending_, nullptr)->Finish();
}

bool Surface::HasLevel(uint32_t face, uint32_t level) const {
  return face < description_.faces && level < description_.levels;
}

template <class Byte>
BasicLevel<Byte> Surface::View(Byte* bytes, uint32_t face, uint32_t level) const {
  const LevelPlace& place = levels_[level];
  return {.info = info_,
          .width = place.width,
          .height = place.height,
          .slices = place.slices,
          .pitch = place.pitch,
          .slice_pitch = place.slice_pitch,
          .bytes = bytes == nullptr ? nullptr : bytes + face * face_size_ + place.offset};
}

Level Surface::level(uint32_t face, uint32_t level) {
  FinishPending();
  ++generation_;
  return View(bytes_.data(), face, level);
}

ConstLevel Surface::level(uint32_t face, uint32_t level) const {
  FinishPending();
  return View(bytes_.data(), face, level);
}

Area Surface::WholeLevel(uint32_t level) const {
  const LevelPlace& place = levels_[level];
  const uint32_t depth = description_.samples > 1 ? 1 : place.slices;
  return {0, 0, place.width, place.height, 0, depth};
}

Status Surface::CheckArea(uint32_t face, uint32_t level, const Area& area) const {
  if (!HasLevel(face, level)) {
    return Refuse(
        Rule::kReplaySurface002,
        fmt::format("there is no face {}, level {}: the surface has {} and {}", face, level,
                    Counted(description_.faces, "face"), Counted(description_.levels, "level")),
        fmt::format("face {}, level {}", face, level),
        fmt::format("a face below {}, a level below {}", description_.faces, description_.levels));
  }
  const Area whole = WholeLevel(level);
  const bool is_inside =
      area.left <= area.right && area.right <= RoundUp(whole.right, info_->block_width) &&
      area.top <= area.bottom && area.bottom <= RoundUp(whole.bottom, info_->block_height) &&
      area.front <= area.back && area.back <= whole.back;
  if (!is_inside) {
    return Refuse(Rule::kReplaySurface002,
                  fmt::format("the region {} is not inside the level of {}", RegionText(area),
                              ExtentText(whole)),
                  RegionText(area), "inside " + ExtentText(whole));
  }
  const bool is_planar = info_->kind == d3d::FormatKind::kPlanarYuv;
  const bool is_on_blocks = IsOnBlocks(area.left, area.right, info_->block_width, whole.right) &&
                            IsOnBlocks(area.top, area.bottom, info_->block_height, whole.bottom);
  const bool is_whole = area.width() == whole.right && area.height() == whole.bottom;
  if (!is_on_blocks || (is_planar && !is_whole)) {
    return Refuse(
        Rule::kReplaySurface003,
        fmt::format("the region {} divides blocks of format {}", RegionText(area), info_->name),
        RegionText(area),
        is_planar ? "the whole level"
                  : fmt::format("multiples of {}x{}, or the edge", info_->block_width,
                                info_->block_height));
  }
  return OkStatus();
}

Status Surface::Update(uint32_t face, uint32_t level, const Area& area, const AreaBytes& source) {
  DP2TRACE_RETURN_IF_ERROR(CheckArea(face, level, area));
  if (area.width() == 0 || area.height() == 0 || area.depth() == 0) return OkStatus();
  const std::optional<AreaLayout> layout = LayoutOf(*info_, area, source.pitch, source.slice_pitch);
  if (!layout || layout->size > source.bytes.size()) {
    return Refuse(
        Rule::kReplaySurface004,
        fmt::format(
            "{} do not hold {} x {} x {} texels of {} ({}{})", Counted(source.bytes.size(), "byte"),
            area.width(), area.height(), area.depth(), info_->name,
            source.pitch == 0 ? "no pitch given" : fmt::format("pitch {}", source.pitch),
            source.slice_pitch == 0 ? "" : fmt::format(", slice pitch {}", source.slice_pitch)),
        fmt::format("{}", source.bytes.size()),
        layout ? fmt::format("{} or more", layout->size) : "a pitch of at least one row");
  }
  if (!has_pixels_) return OkStatus();
  const Level target = this->level(face, level);
  const uint32_t copies = description_.samples;
  for (uint32_t copy = 0; copy < copies; ++copy) {
    CopyIn(*layout, source.bytes.data(), target, area.left, area.top, area.front + copy);
  }
  return OkStatus();
}

Status Surface::UpdateRange(uint32_t face, uint32_t level, uint64_t offset, Bytes bytes) {
  if (!HasLevel(face, level)) return CheckArea(face, level, {});
  const LevelPlace& place = levels_[level];
  const uint64_t size = place.slices * place.slice_pitch;
  if (offset > size || bytes.size() > size - offset) {
    return Refuse(Rule::kReplaySurface002,
                  fmt::format("{} at {} reach past the end of the level, which has {}",
                              Counted(bytes.size(), "byte"), offset, Counted(size, "byte")),
                  fmt::format("{} at {}", Counted(bytes.size(), "byte"), offset),
                  fmt::format("inside {}", Counted(size, "byte")));
  }
  if (has_pixels_) std::ranges::copy(bytes, this->level(face, level).bytes + offset);
  return OkStatus();
}

Result<std::vector<uint8_t>> Surface::Read(uint32_t face, uint32_t level, const Area& area,
                                           uint32_t sample) const {
  DP2TRACE_RETURN_IF_ERROR(CheckArea(face, level, area));
  if (area.width() == 0 || area.height() == 0 || area.depth() == 0) return std::vector<uint8_t>();
  const AreaLayout layout = *LayoutOf(*info_, area, 0, 0);  // no larger than the surface
  std::vector<uint8_t> bytes(MemorySize(layout.size));
  if (has_pixels_) {
    CopyOut(layout, this->level(face, level), area.left, area.top, area.front + sample,
            bytes.data());
  }
  return bytes;
}

Area AlignToBlocks(const d3d::FormatInfo& info, const Area& area, const ConstLevel& level) {
  Area result = area;
  result.left -= area.left % info.block_width;
  result.top -= area.top % info.block_height;
  result.right = std::min(RoundUp(area.right, info.block_width), std::max(area.right, level.width));
  result.bottom =
      std::min(RoundUp(area.bottom, info.block_height), std::max(area.bottom, level.height));
  return result;
}

namespace {

// Between levels that are not the same and have one sample.
void CopyRows(const ConstLevel& from, const Area& area, const Level& to, const Area& target) {
  const auto size = static_cast<size_t>(d3d::RowSize(*from.info, area.width()));
  for (uint32_t z = 0; z < area.depth(); ++z) {
    for (uint32_t y = 0; y < area.height(); y += from.info->block_height) {
      std::memcpy(to.block(target.left, target.top + y, target.front + z),
                  from.block(area.left, area.top + y, area.front + z), size);
    }
  }
}

// Rows of the one may be written before those of the other are read.
bool IsCopiedByRows(const Surface& source, const Surface& destination, bool is_same_level) {
  return !is_same_level && source.has_pixels() && destination.has_pixels() &&
         source.description().samples <= 1 && destination.description().samples <= 1 &&
         source.info().kind != d3d::FormatKind::kPlanarYuv;
}

}  // namespace

Status CopyArea(const Surface& source, uint32_t face, uint32_t level, const Area& area,
                Surface& destination, const TexelPosition& position) {
  if (&source.info() != &destination.info()) {
    return Refuse(Rule::kReplaySurface002,
                  fmt::format("a copy needs equal formats; it is from {} to {}", source.info().name,
                              destination.info().name),
                  std::string(destination.info().name), std::string(source.info().name));
  }
  DP2TRACE_RETURN_IF_ERROR(source.CheckArea(face, level, area));
  const Area target = {.left = position.x,
                       .top = position.y,
                       .right = EndAt(position.x, area.width()),
                       .bottom = EndAt(position.y, area.height()),
                       .front = position.z,
                       .back = EndAt(position.z, area.depth())};
  if (!destination.has_pixels())
    return destination.CheckArea(position.face, position.level, target);
  const bool is_same_level =
      &source == &destination && face == position.face && level == position.level;
  if (IsCopiedByRows(source, destination, is_same_level)) {
    DP2TRACE_RETURN_IF_ERROR(destination.CheckArea(position.face, position.level, target));
    CopyRows(source.level(face, level), area, destination.level(position.face, position.level),
             target);
    return OkStatus();
  }
  const Result<std::vector<uint8_t>> bytes = source.Read(face, level, area);
  return bytes.ok() ? destination.Update(position.face, position.level, target, {*bytes})
                    : bytes.status();
}

}  // namespace dp2trace::image
