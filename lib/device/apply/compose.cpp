// COMPOSERECTS: combines rectangles of one-bit surfaces. Source: lib/opcode/dp2.md 16.8.
#include <fmt/format.h>

#include <algorithm>

#include "base/flag_text.h"
#include "device/apply/apply.h"
#include "device/token.h"
#include "rules/rule.h"

namespace dp2trace::device {
namespace {

namespace layout = opcode::layout;
using d3d::ComposeRectsOp;
using image::Level;
using stream::FieldRef;
using stream::Record;

constexpr uint32_t kMaxRects = 0xFFFF;
constexpr uint32_t kDescriptorSize = 8;             // both kinds: four 16-bit numbers
constexpr uint64_t kMaxPixels = uint64_t{1} << 28;  // of all rectangles of a record

constexpr FieldRef kSource = stream::Field(layout::kComposeRects, "src_surface_handle");
constexpr FieldRef kDestination = stream::Field(layout::kComposeRects, "dst_surface_handle");
constexpr FieldRef kSourceRects = stream::Field(layout::kComposeRects, "src_rect_descs_vb_handle");
constexpr FieldRef kDestinationRects =
    stream::Field(layout::kComposeRects, "dst_rect_descs_vb_handle");
constexpr FieldRef kRectCount = stream::Field(layout::kComposeRects, "num_rects");
constexpr FieldRef kOperation = stream::Field(layout::kComposeRects, "operation");
constexpr FieldRef kXOffset = stream::Field(layout::kComposeRects, "x_offset");
constexpr FieldRef kYOffset = stream::Field(layout::kComposeRects, "y_offset");

struct Composition {
  Level source, destination;
  Bytes source_rects, destination_rects;
  ComposeRectsOp operation{};
  int64_t x_offset = 0, y_offset = 0;
};

// The first pixel is in the most significant bit.
bool GetBit(const Level& level, uint32_t x, uint32_t y) {
  return (*level.block(x, y) >> (7 - x % 8) & 1) != 0;
}
void SetBit(const Level& level, uint32_t x, uint32_t y, bool bit) {
  uint8_t& block = *level.block(x, y);
  const auto mask = static_cast<uint8_t>(0x80U >> (x % 8));
  block = static_cast<uint8_t>(bit ? block | mask : block & ~mask);
}

bool Combine(ComposeRectsOp operation, bool source, bool destination) {
  switch (operation) {
    case ComposeRectsOp::Copy:
      return source;
    case ComposeRectsOp::Or:
      return destination || source;
    case ComposeRectsOp::And:
      return destination && source;
    case ComposeRectsOp::Neg:
      return destination && !source;
  }
  return destination;
}

// Destination rectangles are cut at the edges; source rectangles that are not wholly inside are skipped. Returns the pixels written.
uint64_t ComposeRect(const Composition& c, uint32_t number) {
  const uint8_t* placement = c.destination_rects.data() + size_t{number} * kDescriptorSize;
  const size_t descriptor = size_t{LoadU16(placement)} * kDescriptorSize;
  if (descriptor + kDescriptorSize > c.source_rects.size()) return 0;
  const uint8_t* rect = c.source_rects.data() + descriptor;
  const uint32_t left = LoadU16(rect);
  const uint32_t top = LoadU16(rect + 2);
  const uint32_t width = LoadU16(rect + 4);
  const uint32_t height = LoadU16(rect + 6);
  if (left + width > c.source.width || top + height > c.source.height) return 0;
  const int64_t x = Load<int16_t>(placement + 4) + c.x_offset;
  const int64_t y = Load<int16_t>(placement + 6) + c.y_offset;
  const auto first_column = static_cast<uint32_t>(std::clamp<int64_t>(-x, 0, width));
  const auto first_row = static_cast<uint32_t>(std::clamp<int64_t>(-y, 0, height));
  const auto end_column =
      static_cast<uint32_t>(std::clamp<int64_t>(c.destination.width - x, first_column, width));
  const auto end_row =
      static_cast<uint32_t>(std::clamp<int64_t>(c.destination.height - y, first_row, height));
  for (uint32_t row = first_row; row < end_row; ++row) {
    for (uint32_t column = first_column; column < end_column; ++column) {
      const auto to_x = static_cast<uint32_t>(x + column);
      const auto to_y = static_cast<uint32_t>(y + row);
      const bool source = GetBit(c.source, left + column, top + row);
      SetBit(c.destination, to_x, to_y,
             Combine(c.operation, source, GetBit(c.destination, to_x, to_y)));
    }
  }
  return uint64_t{end_row - first_row} * (end_column - first_column);
}

// DP2-COMPOSE-003: the first placement that names no source rectangle. Such placements are skipped.
void CheckDescriptors(const Token& token, const Record& record, const Composition& c,
                      uint64_t count) {
  const uint64_t described = c.source_rects.size() / kDescriptorSize;
  for (uint64_t i = 0; i < count; ++i) {
    const uint32_t number = LoadU16(c.destination_rects.data() + i * kDescriptorSize);
    if (number < described) continue;
    token.Report(
        Rule::kDp2Compose003, record, kDestinationRects,
        fmt::format("RectDescIndex {} is {}, there are {} source rectangles", i, number, described),
        fmt::format("{}", number), fmt::format("below {}", described));
    return;
  }
}

// The bytes of a descriptor buffer, or nothing after a report.
std::optional<Bytes> FindDescriptors(const Token& token, const Record& record, FieldRef field) {
  const SurfaceRef buffer = token.FindSurface(Rule::kDp2Compose001, record, field);
  if (!buffer) return std::nullopt;
  if (buffer.resource->is_buffer())
    return Bytes(buffer.bits().bytes, static_cast<size_t>(buffer.surface().size_bytes()));
  token.Report(Rule::kDp2Compose001, record, field,
               fmt::format("surface {} is not a buffer", record.U32(field)),
               Describe(*buffer.resource), "a buffer");
  return std::nullopt;
}

// A live surface of format A1.
SurfaceRef FindBits(const Token& token, const Record& record, FieldRef field) {
  const SurfaceRef surface = token.FindSurface(Rule::kDp2Compose001, record, field);
  if (!surface || surface.surface().info().format == d3d::Format::A1) return surface;
  token.Report(
      Rule::kDp2Compose001, record, field,
      fmt::format("surface {} has format {}", record.U32(field), surface.surface().info().name),
      std::string(surface.surface().info().name), "A1");
  return {};
}

bool FindSurfaces(const Token& token, const Record& record, Composition& composition) {
  const SurfaceRef source = FindBits(token, record, kSource);
  const SurfaceRef destination = FindBits(token, record, kDestination);
  if (!source || !destination) return false;
  if (source.resource == destination.resource) {
    token.Report(Rule::kDp2Compose001, record, kDestination,
                 fmt::format("surface {} is composed with itself", record.U32(kDestination)),
                 fmt::format("{}", record.U32(kDestination)), "another surface than the source");
    return false;
  }
  composition.source = source.bits();
  composition.destination = destination.bits();
  const std::optional<Bytes> source_rects = FindDescriptors(token, record, kSourceRects);
  const std::optional<Bytes> destination_rects = FindDescriptors(token, record, kDestinationRects);
  if (!source_rects || !destination_rects) return false;
  composition.source_rects = *source_rects;
  composition.destination_rects = *destination_rects;
  return true;
}

void Compose(const Token& token, const Record& record) {
  const uint32_t operation = record.U32(kOperation);
  const uint32_t count = record.U32(kRectCount);
  Composition composition;
  if (operation < d3d::Value(ComposeRectsOp::Copy) || operation > d3d::Value(ComposeRectsOp::Neg)) {
    return token.Report(Rule::kDp2Compose002, record, kOperation,
                        fmt::format("operation {}", operation), fmt::format("{}", operation),
                        AllValuesText(d3d::kComposeRectsOpNames));
  }
  if (count > kMaxRects) {
    return token.Report(Rule::kDp2Compose003, record, kRectCount,
                        fmt::format("{} rectangles", count), fmt::format("{}", count),
                        "at most 65535");
  }
  if (!FindSurfaces(token, record, composition)) return;
  composition.operation = static_cast<ComposeRectsOp>(operation);
  composition.x_offset = record.I32(kXOffset);
  composition.y_offset = record.I32(kYOffset);
  const uint64_t stored =
      std::min<uint64_t>(count, composition.destination_rects.size() / kDescriptorSize);
  CheckDescriptors(token, record, composition, stored);
  uint64_t pixels = 0;
  if (composition.destination.bytes == nullptr) return;  // nothing is kept
  for (uint32_t i = 0; i < stored && pixels < kMaxPixels && !token.work.is_spent(); ++i) {
    const uint64_t composed = ComposeRect(composition, i);
    token.work.Spend(composed);
    pixels += composed;
  }
  if (pixels >= kMaxPixels) {
    token.Report(Rule::kReplayDraw001, record,
                 fmt::format("{} pixels are composed, the rest is left out", pixels));
  }
}

}  // namespace

void ApplyComposeRects(Token& token) {
  for (const Record& record : token.Records())
    Compose(token, record);
}

}  // namespace dp2trace::device
