#include "device/load.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/flag_text.h"
#include "base/plain_text.h"
#include "opcode/layouts.h"
#include "rules/rule.h"

namespace dp2trace::device {
namespace {

namespace layout = opcode::layout;
using image::Area;
using stream::Record;

// All three start with the two handles.
constexpr stream::FieldRef kDestination = stream::Field(layout::kTexBlt, "dest_surface");
constexpr stream::FieldRef kSource = stream::Field(layout::kTexBlt, "src_surface");
constexpr stream::FieldRef kPoint = stream::Field(layout::kTexBlt, "dest_point");
constexpr stream::FieldRef kRect = stream::Field(layout::kTexBlt, "src_rect");
constexpr stream::FieldRef kBoxX = stream::Field(layout::kVolumeBlt, "dest_x");
constexpr stream::FieldRef kBoxY = stream::Field(layout::kVolumeBlt, "dest_y");
constexpr stream::FieldRef kBoxZ = stream::Field(layout::kVolumeBlt, "dest_z");
constexpr stream::FieldRef kBox = stream::Field(layout::kVolumeBlt, "src_box");
static_assert(stream::Field(layout::kVolumeBlt, "src_surface").offset == kSource.offset &&
              stream::Field(layout::kBufferBlt, "src_surface").offset == kSource.offset);

// The live surface whose handle a field holds.
std::optional<RecordDefect> FindLive(const Space& space, const Record& record, Rule rule,
                                     std::string_view role, stream::FieldRef field,
                                     SurfaceRef& found) {
  const uint32_t handle = record.U32(field);
  found = space.Find(handle);
  if (found) return std::nullopt;
  const Absence absence = space.history().Find(handle);
  if (handle != 0 && absence == Absence::kRefused) return FollowUp();
  return RecordDefect{rule, field,
                      fmt::format("the {} is surface {}, which {}", role, handle,
                                  handle == 0 ? "is none" : Describe(absence)),
                      fmt::format("{}", handle), "a live surface"};
}

void Add(RecordDefects& defects, std::optional<RecordDefect> defect) {
  if (defect) defects.push_back(std::move(*defect));
}

// Both surfaces; destination 0 is a preload. `zero`: the rule about source 0.
RecordDefects FindPair(const Space& space, const Record& record, Rule zero, Rule not_live,
                       SurfaceRef& source, SurfaceRef& destination) {
  RecordDefects defects;
  const Rule rule = record.U32(kSource) == 0 ? zero : not_live;
  Add(defects, FindLive(space, record, rule, "source", kSource, source));
  if (record.U32(kDestination) != 0)
    Add(defects, FindLive(space, record, not_live, "destination", kDestination, destination));
  return defects;
}

// What `find` objects to, of each surface that is there: the source, then the destination.
template <class Find>
RecordDefects FindEach(const SurfaceRef& source, const SurfaceRef& destination, const Find& find) {
  RecordDefects defects;
  Add(defects, find(source, "source", kSource));
  if (destination) Add(defects, find(destination, "destination", kDestination));
  return defects;
}

std::string SizeOf(const Area& area) {
  return fmt::format("{} x {}", area.right, area.bottom);
}

std::optional<RecordDefect> FindTextureDefect(const SurfaceRef& surface, std::string_view role,
                                              stream::FieldRef field) {
  const Resource& resource = *surface.resource;
  if (surface.level != 0) {
    return RecordDefect{
        Rule::kDp2TexBlt004, field,
        fmt::format("the {} is level {} of surface {}", role, surface.level, resource.handle),
        fmt::format("level {}", surface.level), "a top level"};
  }
  const bool is_flat = (resource.is_texture() || resource.lacks_caps()) && !resource.is_volume() &&
                       !resource.is_buffer();
  if (is_flat) return std::nullopt;
  const char* const what = resource.is_buffer()   ? "a buffer"
                           : resource.is_volume() ? "a volume"
                                                  : "not a texture";
  return RecordDefect{Rule::kDp2TexBlt005, field,
                      fmt::format("the {}, surface {}, is {}", role, resource.handle, what), what,
                      "a 2D or cube texture"};
}

// Where levels have no equal, or a rectangle reaches out: what fits is copied, as drivers do.
RecordDefect Tolerated(RecordDefect defect) {
  defect.is_tolerated = true;
  return defect;
}

// Source: lib/opcode/dp2.md 16.1, "Level pairing".
std::optional<RecordDefect> FindSizeDefect(const TextureLoad& load) {
  const image::Surface& source = load.source.surface();
  const Area from = source.WholeLevel(0);
  const Area to = load.destination.surface().WholeLevel(0);
  if (to.right > from.right || to.bottom > from.bottom) {
    return Tolerated({Rule::kDp2TexBlt007, kDestination,
                      fmt::format("the destination is {}, larger than the source of {}", SizeOf(to),
                                  SizeOf(from)),
                      SizeOf(to), fmt::format("at most {}", SizeOf(from))});
  }
  if (!load.is_clipped) return std::nullopt;
  return Tolerated(
      {Rule::kDp2TexBlt008, kDestination,
       fmt::format("the destination is {}, and no level of the source has that size: {} from {} on",
                   SizeOf(to), Counted(source.description().levels, "level"), SizeOf(from)),
       SizeOf(to), "the size of a source level"});
}

std::optional<RecordDefect> PairLevels(TextureLoad& load) {
  const Resource& source = *load.source.resource;
  const Resource& destination = *load.destination.resource;
  if (&source.surface.info() != &destination.surface.info()) {
    return RecordDefect{Rule::kDp2TexBlt006, kDestination,
                        fmt::format("the source has format {}, the destination {}",
                                    source.surface.info().name, destination.surface.info().name),
                        std::string(destination.surface.info().name),
                        std::string(source.surface.info().name)};
  }
  if (source.has_auto_levels() && !destination.has_auto_levels()) {
    return RecordDefect{Rule::kDp2TexBlt020, kDestination,
                        fmt::format("source {} has AUTOGENMIPMAP, destination {} has not",
                                    source.handle, destination.handle),
                        FlagsText(trace::kSurfaceCaps3Names, destination.caps3), "AUTOGENMIPMAP"};
  }
  const std::optional<uint32_t> partner = FindPairedLevel(source.surface, destination.surface);
  load.is_clipped = !partner;
  load.source_level = partner ? *partner : FindFittingLevel(source.surface, destination.surface);
  const uint32_t rest = source.surface.description().levels - load.source_level;
  load.pair_count =
      destination.has_auto_levels() ? 1 : std::min(rest, destination.surface.description().levels);
  return FindSizeDefect(load);
}

bool IsOnBlocks(uint32_t position, uint32_t block, uint32_t extent) {
  return position % block == 0 || position == extent;
}

bool IsOnBlocks(const d3d::FormatInfo& info, const Area& area, const Area& from, uint32_t x,
                uint32_t y, const Area& to) {
  return IsOnBlocks(area.left, info.block_width, from.right) &&
         IsOnBlocks(area.right, info.block_width, from.right) &&
         IsOnBlocks(area.top, info.block_height, from.bottom) &&
         IsOnBlocks(area.bottom, info.block_height, from.bottom) &&
         IsOnBlocks(x, info.block_width, to.right) && IsOnBlocks(y, info.block_height, to.bottom);
}

std::string TextOf(const d3d::Rect& rect) {
  return fmt::format("{}, {}, {}, {}", rect.left, rect.top, rect.right, rect.bottom);
}

// The rectangle stands in source level 0, the point in destination level 0. Source: lib/opcode/dp2.md 16.1, "Rectangles per level".
std::optional<RecordDefect> FindRectDefect(const TextureLoad& load) {
  const d3d::Rect& rect = load.rect;
  if (rect.left < 0 || rect.top < 0 || rect.left > rect.right || rect.top > rect.bottom) {
    const bool is_negative = rect.left < 0 || rect.top < 0;
    const uint32_t part = rect.left < 0 ? 0 : rect.top < 0 ? 1 : rect.left > rect.right ? 2 : 3;
    return RecordDefect{
        Rule::kDp2TexBlt011, stream::PartOf(kRect, part),
        fmt::format("rectangle {} is {}", TextOf(rect), is_negative ? "negative" : "inverted"),
        TextOf(rect), "0 <= left <= right, 0 <= top <= bottom"};
  }
  const Area area = load.area();
  const Area from = load.source.surface().WholeLevel(0);
  if (area.right > from.right || area.bottom > from.bottom) {
    return Tolerated(
        {Rule::kDp2TexBlt013, stream::PartOf(kRect, area.right > from.right ? 2 : 3),
         fmt::format("rectangle {} leaves the source of {}", TextOf(rect), SizeOf(from)),
         TextOf(rect), fmt::format("inside {}", SizeOf(from))});
  }
  const Area to = load.destination.surface().WholeLevel(0);
  Area reduced = area;
  for (uint32_t i = 0; i < load.source_level; ++i)
    reduced = ReduceArea(reduced);
  const int64_t width = load.is_clipped ? 0 : reduced.width();
  const int64_t height = load.is_clipped ? 0 : reduced.height();
  const bool is_inside =
      load.x >= 0 && load.y >= 0 && load.x + width <= to.right && load.y + height <= to.bottom;
  if (!is_inside) {
    const bool is_x = load.x < 0 || load.x + width > to.right;
    RecordDefect defect = {
        Rule::kDp2TexBlt014, stream::PartOf(kPoint, is_x ? 0 : 1),
        fmt::format("{} x {} texels at {}, {} leave the destination of {}", reduced.width(),
                    reduced.height(), load.x, load.y, SizeOf(to)),
        fmt::format("{}, {}", load.x, load.y), fmt::format("inside {}", SizeOf(to))};
    // Unspecified: a negative point; chosen: nothing is copied.
    defect.is_tolerated = load.x >= 0 && load.y >= 0;
    return defect;
  }
  const d3d::FormatInfo& info = load.source.surface().info();
  const auto x = static_cast<uint32_t>(load.x);
  const auto y = static_cast<uint32_t>(load.y);
  if (!info.is_block() || IsOnBlocks(info, area, from, x, y, to)) return std::nullopt;
  return RecordDefect{
      Rule::kDp2TexBlt016, kRect,
      fmt::format("rectangle {} to {}, {} cuts blocks of {}", TextOf(rect), x, y, info.name),
      fmt::format("{} to {}, {}", TextOf(rect), x, y),
      fmt::format("multiples of {}, or the edge", info.block_width)};
}

// Source: lib/opcode/dp2.md 16.1, "Preload".
std::optional<RecordDefect> FindPreloadDefect(const SurfaceRef& source) {
  const Resource& resource = *source.resource;
  if (resource.is_driver_managed() || resource.lacks_caps()) return std::nullopt;
  return RecordDefect{
      Rule::kDp2TexBlt003, kDestination,
      fmt::format("surface {} is to be preloaded and lacks TEXTUREMANAGE", resource.handle),
      FlagsText(trace::kSurfaceCaps2Names, resource.caps2), "TEXTUREMANAGE"};
}

bool IsInside(uint32_t start, uint32_t size, uint32_t extent) {
  return uint64_t{start} + size <= extent;
}

// The box stands in source level 0, the point in destination level 0.
std::optional<RecordDefect> FindBoxDefect(const VolumeLoad& load) {
  const Area& box = load.copy.area;
  const Area from = load.source.surface().WholeLevel(0);
  const Area to = load.destination.surface().WholeLevel(0);
  const bool is_ordered = box.left <= box.right && box.top <= box.bottom && box.front <= box.back;
  if (!is_ordered || box.right > from.right || box.bottom > from.bottom || box.back > from.back) {
    RecordDefect defect = {
        Rule::kDp2VolBlt002, kBox,
        fmt::format("box {} {} {} x {} x {}", BoxText(box),
                    is_ordered ? "leaves the source of" : "is inverted, in a source of", from.right,
                    from.bottom, from.back),
        BoxText(box), fmt::format("inside {} x {} x {}", from.right, from.bottom, from.back)};
    defect.is_tolerated = is_ordered;
    return defect;
  }
  Area reduced = box;
  for (uint32_t i = 0; i < load.copy.source_level; ++i)
    reduced = ReduceArea(reduced);
  const bool is_inside = IsInside(load.copy.x, reduced.width(), to.right) &&
                         IsInside(load.copy.y, reduced.height(), to.bottom) &&
                         IsInside(load.copy.z, reduced.depth(), to.back);
  if (is_inside || load.is_clipped) return std::nullopt;
  const stream::FieldRef field = !IsInside(load.copy.x, reduced.width(), to.right)     ? kBoxX
                                 : !IsInside(load.copy.y, reduced.height(), to.bottom) ? kBoxY
                                                                                       : kBoxZ;
  const std::string point = fmt::format("{}, {}, {}", CoordinateText(load.copy.x),
                                        CoordinateText(load.copy.y), CoordinateText(load.copy.z));
  return Tolerated({Rule::kDp2VolBlt002, field,
                    fmt::format("{} x {} x {} texels at {} leave the destination of {} x {} x {}",
                                reduced.width(), reduced.height(), reduced.depth(), point, to.right,
                                to.bottom, to.back),
                    point, fmt::format("inside {} x {} x {}", to.right, to.bottom, to.back)});
}

std::optional<RecordDefect> PairVolumes(VolumeLoad& load) {
  const image::Surface& source = load.source.surface();
  const image::Surface& destination = load.destination.surface();
  if (&source.info() != &destination.info()) {
    return RecordDefect{Rule::kDp2VolBlt003, kDestination,
                        fmt::format("the source has format {}, the destination {}",
                                    source.info().name, destination.info().name),
                        std::string(destination.info().name), std::string(source.info().name)};
  }
  const std::optional<uint32_t> level = FindPairedLevel(source, destination);
  load.is_clipped = !level;
  load.copy.source_level = level ? *level : FindFittingLevel(source, destination);
  load.copy.level_count =
      load.destination.resource->has_auto_levels() ? 1 : destination.description().levels;
  if (!load.is_clipped) return std::nullopt;
  return Tolerated({Rule::kDp2VolBlt002, kDestination,
                    "no level of the source has the size of the destination",
                    SizeOf(destination.WholeLevel(0)), "the size of a source level"});
}

std::optional<RecordDefect> FindVolumeDefect(const SurfaceRef& surface, std::string_view role,
                                             stream::FieldRef field) {
  if (surface.resource->is_volume() && surface.level == 0) return std::nullopt;
  const std::string what =
      surface.level != 0 ? fmt::format("level {}", surface.level) : Describe(*surface.resource);
  return RecordDefect{Rule::kDp2VolBlt001, field,
                      fmt::format("the {}, surface {}, is not a volume but {}", role,
                                  surface.resource->handle, what),
                      what, "the top level of a volume"};
}

std::optional<RecordDefect> FindBufferDefect(const SurfaceRef& surface, std::string_view role,
                                             stream::FieldRef field) {
  if (surface.resource->is_buffer()) return std::nullopt;
  return RecordDefect{
      Rule::kDp2BufBlt001, field,
      fmt::format("the {}, surface {}, is not a buffer", role, surface.resource->handle),
      Describe(*surface.resource), "a buffer"};
}

}  // namespace

std::string BoxText(const Area& box) {
  return fmt::format("{}, {}, {}, {}, {}, {}", CoordinateText(box.left), CoordinateText(box.top),
                     CoordinateText(box.right), CoordinateText(box.bottom),
                     CoordinateText(box.front), CoordinateText(box.back));
}

RecordDefects ReadTextureLoad(const Space& space, const Record& record, TextureLoad& load) {
  constexpr stream::FieldRef kFlags = stream::Field(layout::kTexBlt, "flags");
  load.rect = {record.I32(kRect, 0), record.I32(kRect, 1), record.I32(kRect, 2),
               record.I32(kRect, 3)};
  load.x = record.I32(kPoint, 0);
  load.y = record.I32(kPoint, 1);
  load.flags = record.U32(kFlags);
  RecordDefects defects = FindPair(space, record, Rule::kDp2TexBlt001, Rule::kDp2TexBlt002,
                                   load.source, load.destination);
  if (!defects.empty()) return defects;
  defects = FindEach(load.source, load.destination, FindTextureDefect);
  if (!defects.empty()) return defects;
  if (!load.destination) {
    Add(defects, FindPreloadDefect(load.source));
    return defects;
  }
  Add(defects, PairLevels(load));
  if (!Refuses(defects)) Add(defects, FindRectDefect(load));
  return defects;
}

RecordDefects ReadVolumeLoad(const Space& space, const Record& record, VolumeLoad& load) {
  constexpr stream::FieldRef kFlags = stream::Field(layout::kVolumeBlt, "flags");
  load.copy.area = {record.U32(kBox, 0), record.U32(kBox, 1), record.U32(kBox, 2),
                    record.U32(kBox, 3), record.U32(kBox, 4), record.U32(kBox, 5)};
  load.copy.x = record.U32(kBoxX);
  load.copy.y = record.U32(kBoxY);
  load.copy.z = record.U32(kBoxZ);
  load.flags = record.U32(kFlags);
  RecordDefects defects = FindPair(space, record, Rule::kDp2VolBlt003, Rule::kDp2VolBlt003,
                                   load.source, load.destination);
  if (!defects.empty()) return defects;
  defects = FindEach(load.source, load.destination, FindVolumeDefect);
  if (!defects.empty() || !load.destination) return defects;
  Add(defects, PairVolumes(load));
  if (!Refuses(defects)) Add(defects, FindBoxDefect(load));
  return defects;
}

RecordDefects ReadBufferCopy(const Space& space, const Record& record, BufferCopy& copy) {
  constexpr stream::FieldRef kOffset = stream::Field(layout::kBufferBlt, "offset");
  constexpr stream::FieldRef kRange = stream::Field(layout::kBufferBlt, "src_range");
  constexpr stream::FieldRef kFlags = stream::Field(layout::kBufferBlt, "flags");
  copy.from = record.U32(kRange, 0);
  copy.size = record.U32(kRange, 1);
  copy.to = record.U32(kOffset);
  copy.flags = record.U32(kFlags);
  RecordDefects defects = FindPair(space, record, Rule::kDp2BufBlt001, Rule::kDp2BufBlt001,
                                   copy.source, copy.destination);
  if (!defects.empty()) return defects;
  defects = FindEach(copy.source, copy.destination, FindBufferDefect);
  if (!defects.empty() || !copy.destination) return defects;
  const uint64_t source_size = copy.source.surface().size_bytes();
  const uint64_t destination_size = copy.destination.surface().size_bytes();
  const bool is_read = copy.from + copy.size <= source_size;
  if (is_read && copy.to + copy.size <= destination_size) return defects;
  const auto offset = [](uint64_t bytes) { return CoordinateText(static_cast<uint32_t>(bytes)); };
  // The offset is the word where only it is beyond the buffer, the size otherwise.
  const stream::Word from = stream::PartOf(kRange, copy.from > source_size ? 0 : 1);
  const stream::Word to =
      copy.to > destination_size ? stream::Word(kOffset) : stream::PartOf(kRange, 1);
  defects.push_back(
      {Rule::kDp2BufBlt002, is_read ? to : from,
       fmt::format("{} from {} of {} to {} of {}", Counted(copy.size, "byte"), offset(copy.from),
                   source_size, offset(copy.to), destination_size),
       fmt::format("{} and {}", offset(is_read ? copy.to : copy.from), Counted(copy.size, "byte")),
       fmt::format("at most {}", is_read ? destination_size : source_size)});
  return defects;
}

}  // namespace dp2trace::device
