// Blits that load resources: TEXBLT, VOLUMEBLT, BUFFERBLT. Source: DP2 specification, 16.1 to 16.3.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "device/apply.h"
#include "device/blt.h"
#include "device/token.h"

namespace dp2trace::device {
namespace {

namespace layout = opcode::layout;
using image::Area;
using image::Surface;
using stream::Record;

constexpr uint32_t kFaceFlagShift = 10;  // DDSCAPS2_CUBEMAP_POSITIVEX
constexpr uint32_t kFaceFlagMask = 0x3F;

// All three start with the two handles.
constexpr stream::FieldRef kDestination = stream::Field(layout::kTexBlt, "dest_surface");
constexpr stream::FieldRef kSource = stream::Field(layout::kTexBlt, "src_surface");
static_assert(stream::Field(layout::kVolumeBlt, "src_surface").offset == kSource.offset &&
              stream::Field(layout::kBufferBlt, "src_surface").offset == kSource.offset);

struct Pair {
  SurfaceRef source, destination;
  explicit operator bool() const { return source && destination; }
};

// Both surfaces; empty after a report, and where destination 0 asks for a preload, which changes nothing.
Pair FindPair(const Token& token, const Record& record, Rule zero, Rule not_live) {
  const uint32_t source = record.U32(kSource);
  const uint32_t destination = record.U32(kDestination);
  Pair pair;
  if (source == 0) {
    token.Report(zero, record, "the source is 0", "0");
    return pair;
  }
  pair.source = token.FindSurface(not_live, record, source);
  if (pair.source && destination != 0) pair.destination = token.FindSurface(not_live, record, destination);
  return pair;
}

bool IsFlatTexture(const Resource& resource) {
  return (resource.is_texture() || resource.lacks_caps()) && !resource.is_volume() && !resource.is_buffer();
}

// The rule that the two textures break, or nothing.
std::optional<Rule> FindTextureDefect(const Pair& pair) {
  if (pair.source.level != 0 || pair.destination.level != 0) return Rule::kDp2TexBlt004;
  const Resource& source = *pair.source.resource;
  const Resource& destination = *pair.destination.resource;
  if (!IsFlatTexture(source) || !IsFlatTexture(destination)) return Rule::kDp2TexBlt005;
  if (&source.surface.info() != &destination.surface.info()) return Rule::kDp2TexBlt006;
  const Area from = source.surface.WholeLevel(0);
  const Area to = destination.surface.WholeLevel(0);
  if (to.right > from.right || to.bottom > from.bottom) return Rule::kDp2TexBlt007;
  if (!FindPairedLevel(source.surface, destination.surface)) return Rule::kDp2TexBlt008;
  if (source.has_auto_levels() && !destination.has_auto_levels()) return Rule::kDp2TexBlt020;
  return std::nullopt;
}

bool IsOnBlocks(uint32_t position, uint32_t block, uint32_t extent) { return position % block == 0 || position == extent; }

// Source: 16.1; the rectangle stands in source level 0, the point in destination level 0.
std::optional<Rule> FindRectDefect(const Pair& pair, const trace::Rect& rect, int32_t x, int32_t y, uint32_t source_level) {
  const bool is_negative = rect.left < 0 || rect.top < 0;
  if (is_negative || rect.left > rect.right || rect.top > rect.bottom) return Rule::kDp2TexBlt011;
  const Area area = {static_cast<uint32_t>(rect.left), static_cast<uint32_t>(rect.top), static_cast<uint32_t>(rect.right),
                     static_cast<uint32_t>(rect.bottom)};
  const Area from = pair.source.surface().WholeLevel(0);
  const Area to = pair.destination.surface().WholeLevel(0);
  if (area.right > from.right || area.bottom > from.bottom) return Rule::kDp2TexBlt013;
  if (x < 0 || y < 0) return Rule::kDp2TexBlt014;
  Area reduced = area;
  for (uint32_t i = 0; i < source_level; ++i) reduced = ReduceArea(reduced);
  const auto left = static_cast<uint32_t>(x);
  const auto top = static_cast<uint32_t>(y);
  if (uint64_t{left} + reduced.width() > to.right || uint64_t{top} + reduced.height() > to.bottom) return Rule::kDp2TexBlt014;
  const d3d::FormatInfo& info = pair.source.surface().info();
  const bool is_aligned = IsOnBlocks(area.left, info.block_width, from.right) &&
                          IsOnBlocks(area.right, info.block_width, from.right) &&
                          IsOnBlocks(area.top, info.block_height, from.bottom) &&
                          IsOnBlocks(area.bottom, info.block_height, from.bottom) &&
                          IsOnBlocks(left, info.block_width, to.right) && IsOnBlocks(top, info.block_height, to.bottom);
  if (info.is_block() && !is_aligned) return Rule::kDp2TexBlt016;
  return std::nullopt;
}

// Bits of the destination faces that are copied.
uint32_t SelectFaces(const Pair& pair, uint32_t flags) {
  const Resource& source = *pair.source.resource;
  const Resource& destination = *pair.destination.resource;
  if (!destination.is_cube()) return 1U << pair.destination.face;
  const uint32_t named = flags >> kFaceFlagShift & kFaceFlagMask;
  const uint32_t wanted = named != 0 ? named : kFaceFlagMask;
  const uint32_t available = source.is_cube() ? source.present_faces : kFaceFlagMask;
  return wanted & available & destination.present_faces;
}

void CopyFaces(const Token& token, const Record& record, const Pair& pair, ChainCopy copy, uint32_t faces) {
  for (uint32_t face = 0; face < image::kCubeFaces; ++face) {
    if ((faces >> face & 1) == 0) continue;
    const bool is_paired = pair.source.resource->is_cube() && pair.destination.resource->is_cube();
    copy.source_face = is_paired ? face : pair.source.face;
    copy.destination_face = face;
    const Status status = CopyChain(pair.source.surface(), pair.destination.surface(), copy);
    if (!status.ok()) return token.Report(status, record);
  }
}

uint32_t PairCount(const Pair& pair) {
  return pair.destination.resource->has_auto_levels() ? 1 : pair.destination.surface().description().levels;
}

void LoadTexture(const Token& token, const Record& record) {
  constexpr stream::FieldRef kPoint = stream::Field(layout::kTexBlt, "dest_point");
  constexpr stream::FieldRef kRect = stream::Field(layout::kTexBlt, "src_rect");
  constexpr stream::FieldRef kFlags = stream::Field(layout::kTexBlt, "flags");
  const Pair pair = FindPair(token, record, Rule::kDp2TexBlt001, Rule::kDp2TexBlt002);
  if (!pair) return;
  if (const std::optional<Rule> defect = FindTextureDefect(pair)) {
    return token.Report(*defect, record,
                        fmt::format("surface {} cannot be loaded from surface {}", record.U32(kDestination), record.U32(kSource)));
  }
  const trace::Rect rect = {record.I32(kRect, 0), record.I32(kRect, 1), record.I32(kRect, 2), record.I32(kRect, 3)};
  const int32_t x = record.I32(kPoint, 0);
  const int32_t y = record.I32(kPoint, 1);
  const uint32_t source_level = FindPairedLevel(pair.source.surface(), pair.destination.surface()).value_or(0);
  if (const std::optional<Rule> defect = FindRectDefect(pair, rect, x, y, source_level)) {
    return token.Report(*defect, record,
                        fmt::format("rectangle {}, {}, {}, {} to {}, {}", rect.left, rect.top, rect.right, rect.bottom, x, y));
  }
  ChainCopy copy;
  copy.source_level = source_level;
  copy.area = {static_cast<uint32_t>(rect.left), static_cast<uint32_t>(rect.top), static_cast<uint32_t>(rect.right),
               static_cast<uint32_t>(rect.bottom)};
  copy.x = static_cast<uint32_t>(x);
  copy.y = static_cast<uint32_t>(y);
  copy.level_count = PairCount(pair);
  CopyFaces(token, record, pair, copy, SelectFaces(pair, record.U32(kFlags)));
}

bool IsInside(uint32_t start, uint32_t size, uint32_t extent) { return uint64_t{start} + size <= extent; }

// The box stands in source level 0, the point in destination level 0.
bool CheckBox(const Pair& pair, const Area& box, const ChainCopy& copy) {
  const Area from = pair.source.surface().WholeLevel(0);
  const Area to = pair.destination.surface().WholeLevel(0);
  const bool is_ordered = box.left <= box.right && box.top <= box.bottom && box.front <= box.back;
  if (!is_ordered || box.right > from.right || box.bottom > from.bottom || box.back > from.back) return false;
  Area reduced = box;
  for (uint32_t i = 0; i < copy.source_level; ++i) reduced = ReduceArea(reduced);
  return IsInside(copy.x, reduced.width(), to.right) && IsInside(copy.y, reduced.height(), to.bottom) &&
         IsInside(copy.z, reduced.depth(), to.back);
}

void LoadVolume(const Token& token, const Record& record) {
  constexpr stream::FieldRef kX = stream::Field(layout::kVolumeBlt, "dest_x");
  constexpr stream::FieldRef kY = stream::Field(layout::kVolumeBlt, "dest_y");
  constexpr stream::FieldRef kZ = stream::Field(layout::kVolumeBlt, "dest_z");
  constexpr stream::FieldRef kBox = stream::Field(layout::kVolumeBlt, "src_box");
  const Pair pair = FindPair(token, record, Rule::kDp2VolBlt003, Rule::kDp2VolBlt003);
  if (!pair) return;
  if (!pair.source.resource->is_volume() || !pair.destination.resource->is_volume())
    return token.Report(Rule::kDp2VolBlt001, record, "a surface is no volume");
  const std::optional<uint32_t> level = FindPairedLevel(pair.source.surface(), pair.destination.surface());
  if (&pair.source.surface().info() != &pair.destination.surface().info())
    return token.Report(Rule::kDp2VolBlt003, record, "the formats differ");
  ChainCopy copy;
  copy.source_level = level.value_or(0);
  copy.area = {record.U32(kBox, 0), record.U32(kBox, 1), record.U32(kBox, 2), record.U32(kBox, 3), record.U32(kBox, 4),
               record.U32(kBox, 5)};
  copy.x = record.U32(kX);
  copy.y = record.U32(kY);
  copy.z = record.U32(kZ);
  copy.level_count = PairCount(pair);
  if (!level || !CheckBox(pair, copy.area, copy))
    return token.Report(Rule::kDp2VolBlt002, record,
                        level ? fmt::format("box {}, {}, {}, {}, {}, {} to {}, {}, {}", copy.area.left, copy.area.top,
                                            copy.area.right, copy.area.bottom, copy.area.front, copy.area.back, copy.x,
                                            copy.y, copy.z)
                              : std::string("no level of the source has the size of the destination"));
  const Status status = CopyChain(pair.source.surface(), pair.destination.surface(), copy);
  if (!status.ok()) token.Report(status, record);
}

void CopyBuffer(const Token& token, const Record& record) {
  constexpr stream::FieldRef kOffset = stream::Field(layout::kBufferBlt, "offset");
  constexpr stream::FieldRef kRange = stream::Field(layout::kBufferBlt, "src_range");
  const Pair pair = FindPair(token, record, Rule::kDp2BufBlt001, Rule::kDp2BufBlt001);
  if (!pair) return;
  if (!pair.source.resource->is_buffer() || !pair.destination.resource->is_buffer())
    return token.Report(Rule::kDp2BufBlt001, record, "a surface is no buffer");
  const uint64_t from = record.U32(kRange, 0);
  const uint64_t size = record.U32(kRange, 1);
  const uint64_t to = record.U32(kOffset);
  const uint64_t source_size = pair.source.surface().size_bytes();
  const uint64_t destination_size = pair.destination.surface().size_bytes();
  if (from + size > source_size || to + size > destination_size) {
    return token.Report(Rule::kDp2BufBlt002, record,
                        fmt::format("{} bytes from {} of {} to {} of {}", size, from, source_size, to, destination_size));
  }
  std::memmove(pair.destination.bits().bytes + to, pair.source.bits().bytes + from, static_cast<size_t>(size));
}

}  // namespace

void ApplyTexBlt(Token& token) {
  for (const Record& record : token.Records()) LoadTexture(token, record);
}

void ApplyVolumeBlt(Token& token) {
  for (const Record& record : token.Records()) LoadVolume(token, record);
}

void ApplyBufferBlt(Token& token) {
  for (const Record& record : token.Records()) CopyBuffer(token, record);
}

}  // namespace dp2trace::device
