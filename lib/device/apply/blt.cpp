// Blits between levels, fills, mip generation. Source: lib/opcode/dp2.md 16.4 to 16.7; lib/raster/rendering-output.md 7.2 to 7.4.
#include <fmt/format.h>

#include "base/flag_text.h"
#include "device/apply/apply.h"
#include "device/blt_record.h"
#include "device/token.h"
#include "image/fill.h"
#include "rules/rule.h"

namespace dp2trace::device {
namespace {

namespace layout = opcode::layout;
using stream::FieldRef;
using stream::Record;

constexpr uint32_t kMaxFilter = 8;

void Blit(const Token& token, const Record& record, const BltRecord& blt, StretchFilter filter) {
  if (!token.work.Spend(StretchSteps(blt.source.surface.surface(),
                                     blt.destination.surface.surface(), blt.destination.place)))
    return;
  const Status status =
      Stretch(blt.source.surface.surface(), blt.source.place, blt.destination.surface.surface(),
              blt.destination.place, {.filter = filter, .source_key = {}, .destination_key = {}});
  if (!status.ok()) token.Report(status, record);
}

}  // namespace

void ApplyBlt(Token& token) {
  for (const Record& record : token.Records()) {
    BltRecord blt;
    const RecordDefects defects = ReadBlt(*token.context.space, record, blt);
    token.Report(defects, record);
    if (!defects.empty()) continue;
    // Flags 0 leave the filter to the driver. Chosen: point, which is exact.
    const bool is_linear = blt.flags == d3d::Value(d3d::BltFlag::Linear);
    Blit(token, record, blt, is_linear ? StretchFilter::kLinear : StretchFilter::kPoint);
  }
}

void ApplySurfaceBlt(Token& token) {
  for (const Record& record : token.Records()) {
    BltRecord blt;
    const RecordDefects defects = ReadSurfaceBlt(*token.context.space, record, blt);
    token.Report(defects, record);
    if (defects.empty()) Blit(token, record, blt, StretchFilter::kPoint);
  }
}

void ApplyColorFill(Token& token) {
  constexpr FieldRef kColor = stream::Field(layout::kColorFill, "color");
  for (const Record& record : token.Records()) {
    BltSide side;
    const RecordDefects defects = ReadColorFill(*token.context.space, record, side);
    token.Report(defects, record);
    if (!defects.empty() || !token.work.Spend(StepsOf(side.surface.surface(), side.place)))
      continue;
    const Status status = image::Fill(side.surface.surface(), side.place.face, side.place.level,
                                      side.place.area, record.U32(kColor));
    if (!status.ok()) token.Report(status, record);
  }
}

void ApplyGenerateMipSubLevels(Token& token) {
  constexpr FieldRef kSurface = stream::Field(layout::kGenerateMipSubLevels, "surface");
  constexpr FieldRef kFilter = stream::Field(layout::kGenerateMipSubLevels, "filter");
  for (const Record& record : token.Records()) {
    const SurfaceRef texture = token.FindSurface(Rule::kDp2MipGen001, record, kSurface);
    if (!texture) continue;
    const Resource& resource = *texture.resource;
    const uint32_t filter = record.U32(kFilter);
    if (!CanBeTexture(resource) || texture.level != 0) {
      const std::string what =
          texture.level != 0 ? fmt::format("level {}", texture.level) : Describe(resource);
      token.Report(Rule::kDp2MipGen001, record, kSurface,
                   fmt::format("surface {} is {}", record.U32(kSurface), what), what,
                   "the top level of a texture");
    } else if (!resource.has_auto_levels() && !resource.lacks_caps()) {
      token.Report(Rule::kDp2MipGen002, record, kSurface,
                   fmt::format("surface {} lacks AUTOGENMIPMAP", resource.handle),
                   FlagsText(trace::kSurfaceCaps3Names, resource.caps3), "AUTOGENMIPMAP");
    } else if (filter == 0 || filter > kMaxFilter) {
      token.Report(
          Rule::kDp2MipGen003, record, kFilter, fmt::format("filter {}", filter),
          fmt::format("{}", filter),
          ValueRangesText(d3d::kTextureFilterNames, [](uint32_t row) { return row != 0; }));
    } else if (token.work.Spend(StepsOf(texture.surface()))) {
      const bool is_point = filter == d3d::Value(d3d::TextureFilter::Point);
      MakeSubLevels(texture.surface(), is_point ? StretchFilter::kPoint : StretchFilter::kLinear);
    }
  }
}

}  // namespace dp2trace::device
