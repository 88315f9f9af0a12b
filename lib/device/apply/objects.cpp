// Palettes, priorities, levels of detail and queries. Source: lib/opcode/dp2.md 15, 19.1 and 20.3.
#include <fmt/format.h>

#include "base/flag_text.h"
#include "d3d/interface.h"
#include "device/apply/apply.h"
#include "device/token.h"
#include "rules/rule.h"

namespace dp2trace::device {
namespace {

namespace layout = opcode::layout;
using stream::Record;

constexpr uint32_t kPaletteFlagBits = 0x3FFF;
constexpr uint64_t kPaletteCost = sizeof(PaletteEntries) + 64;
constexpr uint64_t kQueryCost = sizeof(Query) + 64;

constexpr stream::FieldRef kQueryId = stream::Field(layout::kCreateQuery, "query_id");
constexpr stream::FieldRef kQueryType = stream::Field(layout::kCreateQuery, "query_type");
static_assert(stream::Field(layout::kDeleteQuery, "query_id").offset == kQueryId.offset &&
              stream::Field(layout::kIssueQuery, "query_id").offset == kQueryId.offset);

// The palette, a grey ramp where it is new; null after a report of the memory limit.
PaletteEntries* MakePalette(const Token& token, const Record& record, uint32_t handle) {
  std::map<uint32_t, PaletteEntries>& palettes = token.context.palettes;
  if (const auto palette = palettes.find(handle); palette != palettes.end())
    return &palette->second;
  if (!token.Charge(record, kPaletteCost)) return nullptr;
  PaletteEntries& palette = palettes[handle];
  for (uint32_t i = 0; i < d3d::kPaletteSize; ++i) {
    const auto grey = static_cast<uint8_t>(i);
    palette.rgba[i] = {grey, grey, grey, 255};
  }
  return &palette;
}

void SetPalette(const Token& token, const Record& record) {
  constexpr stream::FieldRef kPalette = stream::Field(layout::kSetPalette, "palette_handle");
  constexpr stream::FieldRef kFlags = stream::Field(layout::kSetPalette, "palette_flags");
  constexpr stream::FieldRef kSurface = stream::Field(layout::kSetPalette, "surface_handle");
  const uint32_t palette = record.U32(kPalette);
  const uint32_t flags = record.U32(kFlags);
  if ((flags & ~kPaletteFlagBits) != 0) {
    token.Report(Rule::kDp2Pal003, record, kFlags,
                 fmt::format("palette flags {:#x} are not defined", flags & ~kPaletteFlagBits),
                 FlagsText(d3d::kPaletteFlagNames, flags),
                 fmt::format("flags of {}", FlagsText(d3d::kPaletteFlagNames, kPaletteFlagBits)));
    return;
  }
  const SurfaceRef surface = token.FindSurface(Rule::kDp2Pal001, record, kSurface);
  if (!surface) return;
  std::map<uint32_t, PaletteBinding>& bindings = token.context.palette_bindings;
  const uint32_t root = surface.resource->handle;
  if (palette == 0) {
    bindings.erase(root);
  } else {
    bindings[root] = {palette, flags};
  }
  if (token.context.Texture(0) == surface.resource) FollowTexture(token);
}

// An entry in the order that the trace says, as R, G, B, A.
std::array<uint8_t, 4> EntryOf(const uint8_t* at, trace::PaletteOrder order) {
  if (order == trace::PaletteOrder::kRgbx) return {at[0], at[1], at[2], at[3]};
  return {at[2], at[1], at[0], at[3]};
}

bool IsQueryType(uint32_t type) {
  return (type >= d3d::Value(d3d::QueryType::VCache) &&
          type <= d3d::Value(d3d::QueryType::VertexStats)) ||
         (type >= d3d::Value(d3d::QueryType::Event) &&
          type <= d3d::Value(d3d::QueryType::CacheUtilization));
}

bool CheckQueryType(const Token& token, const Record& record, uint32_t type) {
  const bool is_defined = IsQueryType(type);
  if (!is_defined) {
    token.Report(
        Rule::kDp2Query003, record, kQueryType, fmt::format("query type {} is not defined", type),
        ValueText(d3d::kQueryTypeNames, type), ValueRangesText(d3d::kQueryTypeNames, IsQueryType));
  }
  return is_defined;
}

// DP2-QUERY-002.
void ReportNoQuery(const Token& token, const Record& record) {
  const uint32_t id = record.U32(kQueryId);
  const Absence absence = token.context.histories.queries.Find(id);
  if (absence == Absence::kRefused) return;
  token.Report(Rule::kDp2Query002, record, kQueryId,
               fmt::format("query {} {}", id, Describe(absence)), fmt::format("{}", id),
               "a live query");
}

// END without BEGIN gives 0; BEGIN starts again. Source: lib/opcode/dp2.md 19.1.
// Unspecified: both in one record; chosen: BEGIN, then END.
void Issue(Query& query, uint32_t flags) {
  if ((flags & d3d::Value(d3d::IssueFlag::Begin)) != 0) {
    query.result = 0;
    query.state = QueryState::kBuilding;
  }
  if ((flags & d3d::Value(d3d::IssueFlag::End)) != 0) {
    if (query.state != QueryState::kBuilding) query.result = 0;
    query.state = QueryState::kIssued;
  }
}

}  // namespace

void ApplySetPalette(Token& token) {
  for (const Record& record : token.Records())
    SetPalette(token, record);
}

void ApplyUpdatePalette(Token& token) {
  constexpr stream::FieldRef kPalette = stream::Field(layout::kUpdatePalette, "palette_handle");
  constexpr stream::FieldRef kStart = stream::Field(layout::kUpdatePalette, "start_index");
  constexpr stream::FieldRef kCount = stream::Field(layout::kUpdatePalette, "num_entries");
  const Record record = FixedRecord(token);
  const stream::TailPart entries = record.Tail(0);
  const uint32_t handle = record.U32(kPalette);
  const uint32_t start = record.U32(kStart);
  const auto count = static_cast<uint32_t>(entries.size());  // a 16-bit field
  if (handle == 0) {
    token.Report(Rule::kDp2Pal007, record, kPalette, "the palette is 0", "0", "1 or more");
    return;
  }
  if (start + count > d3d::kPaletteSize) {
    token.Report(Rule::kDp2Pal005, record, start > d3d::kPaletteSize ? kStart : kCount,
                 fmt::format("{} entries from entry {} on, a palette has {}, a fixed number", count,
                             start, d3d::kPaletteSize),
                 start > d3d::kPaletteSize
                     ? fmt::format("wStartIndex {}", start)
                     : fmt::format("wNumEntries {} from wStartIndex {} on", count, start),
                 start > d3d::kPaletteSize ? fmt::format("at most {}", d3d::kPaletteSize)
                                           : fmt::format("at most {}", d3d::kPaletteSize - start));
    return;
  }
  PaletteEntries* palette = MakePalette(token, record, handle);
  if (palette == nullptr) return;
  for (uint32_t i = 0; i < count; ++i) {
    palette->rgba[start + i] = EntryOf(entries.at(i), token.header.palette_order);
    palette->written.set(start + i);
  }
}

void ApplyPriority(Token& token) {
  constexpr stream::FieldRef kSurface = stream::Field(layout::kSetPriority, "surface");
  constexpr stream::FieldRef kPriority = stream::Field(layout::kSetPriority, "priority");
  for (const Record& record : token.Records()) {
    if (const SurfaceRef surface = token.FindSurface(Rule::kDp2Res001, record, kSurface))
      surface.resource->priority = record.U32(kPriority);
  }
}

void ApplyTextureLod(Token& token) {
  constexpr stream::FieldRef kSurface = stream::Field(layout::kSetTexLod, "surface");
  constexpr stream::FieldRef kLod = stream::Field(layout::kSetTexLod, "lod");
  for (const Record& record : token.Records()) {
    const SurfaceRef surface = token.FindSurface(Rule::kDp2Res001, record, kSurface);
    if (!surface) continue;
    const uint32_t last = surface.surface().description().levels - 1;
    surface.resource->lod = record.U32(kLod) < last ? record.U32(kLod) : last;
  }
}

// Unspecified: creating a live id again; chosen: the new query replaces the old one.
void ApplyCreateQuery(Token& token) {
  std::map<uint32_t, Query>& queries = token.context.queries;
  HandleHistory& history = token.context.histories.queries;
  for (const Record& record : token.Records()) {
    const uint32_t id = record.U32(kQueryId);
    const bool exists = queries.contains(id);
    if (!CheckQueryType(token, record, record.U32(kQueryType)) ||
        (!exists && !token.Charge(record, kQueryCost))) {
      if (!exists) history.NoteRefused(id);
      continue;
    }
    if (exists) {
      token.Report(Rule::kDp2Query001, record, kQueryId,
                   fmt::format("query {} exists and is replaced", id), fmt::format("{}", id),
                   "an id that no live query has");
    }
    queries[id] = {.type = record.U32(kQueryType)};
    token.context.NoteQuery(id);
    history.NoteMade(id);
  }
}

void ApplyDeleteQuery(Token& token) {
  for (const Record& record : token.Records()) {
    const uint32_t id = record.U32(kQueryId);
    if (token.context.queries.erase(id) != 0) {
      token.Release(kQueryCost);
      token.context.NoteQuery(id);
      token.context.histories.queries.NoteDestroyed(id);
    } else {
      ReportNoQuery(token, record);
    }
  }
}

void ApplyIssueQuery(Token& token) {
  constexpr stream::FieldRef kFlags = stream::Field(layout::kIssueQuery, "flags");
  for (const Record& record : token.Records()) {
    const uint32_t id = record.U32(kQueryId);
    const uint32_t flags = record.U32(kFlags);
    const auto query = token.context.queries.find(id);
    if (query == token.context.queries.end()) {
      ReportNoQuery(token, record);
    } else if ((flags & ~(d3d::Value(d3d::IssueFlag::Begin) | d3d::Value(d3d::IssueFlag::End))) !=
               0) {
      token.Report(Rule::kDp2Query004, record, kFlags, fmt::format("flags {:#x}", flags),
                   FlagsText(d3d::kIssueFlagNames, flags), "BEGIN, END or both");
    } else {
      Issue(query->second, flags);
      token.context.NoteQuery(id);
    }
  }
}

}  // namespace dp2trace::device
