#include "validate/dp2/query.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>

#include "base/flag_text.h"
#include "base/plain_text.h"
#include "d3d/enums.h"
#include "opcode/layouts.h"
#include "rules/rule.h"
#include "stream/response.h"
#include "validate/dp2/topics.h"
#include "validate/memory.h"

namespace dp2trace::validate {
namespace {

namespace layout = opcode::layout;
using d3d::IssueFlag;
using d3d::QueryType;
using device::QueryState;
using opcode::Op;
using stream::FieldRef;
using stream::Record;

constexpr FieldRef kQueryId = stream::Field(layout::kCreateQuery, "query_id");
static_assert(stream::Field(layout::kDeleteQuery, "query_id").offset == kQueryId.offset &&
              stream::Field(layout::kIssueQuery, "query_id").offset == kQueryId.offset &&
              stream::Field(layout::kResponseQuery, "query_id").offset == kQueryId.offset);

constexpr FieldRef kIssueFlags = stream::Field(layout::kIssueQuery, "flags");

// Source: lib/opcode/dp2.md 19.1, the table.
struct TypeRow {
  QueryType type;
  bool has_begin;
  uint32_t data_size;  // bytes of a response; 0: not documented
};
constexpr TypeRow kTypes[] = {
    {QueryType::VCache, false, 16},          {QueryType::ResourceManager, false, 0},
    {QueryType::VertexStats, false, 0},      {QueryType::Event, false, 4},
    {QueryType::Occlusion, true, 4},         {QueryType::Timestamp, false, 8},
    {QueryType::TimestampDisjoint, true, 4}, {QueryType::TimestampFreq, false, 8},
    {QueryType::PipelineTimings, true, 0},   {QueryType::InterfaceTimings, true, 0},
    {QueryType::VertexTimings, true, 0},     {QueryType::PixelTimings, true, 0},
    {QueryType::BandwidthTimings, true, 0},  {QueryType::CacheUtilization, true, 0},
};

const TypeRow* FindType(uint32_t type) {
  const auto* const row =
      std::ranges::find(kTypes, type, [](const TypeRow& r) { return d3d::Value(r.type); });
  return row == std::end(kTypes) ? nullptr : row;
}

std::string TypeName(uint32_t type) {
  const std::string_view name = NameOf(d3d::kQueryTypeNames, type);
  return name.empty() ? fmt::format("{}", type) : std::string(name);
}

// DP2-QUERY-010.
void CheckCreate(const CommandView& view) {
  constexpr FieldRef kType = stream::Field(layout::kCreateQuery, "query_type");
  for (const Record& record : view.Records()) {
    if (record.U32(kQueryId) != 0 || FindType(record.U32(kType)) == nullptr) continue;
    view.Report(Rule::kDp2Query010, record, kQueryId, "the query has id 0", "0", "1 or more");
  }
}

// DP2-QUERY-006, DP2-QUERY-007. Queries that were begun and ended in one record are DP2-QUERY-008.
void CheckIssued(const CommandView& view, const Record& record, uint32_t type, QueryState state,
                 uint32_t flags) {
  const TypeRow* const row = FindType(type);
  const bool begins = (flags & d3d::Value(IssueFlag::Begin)) != 0;
  const bool ends = (flags & d3d::Value(IssueFlag::End)) != 0;
  const uint32_t id = record.U32(kQueryId);
  if (begins && !row->has_begin) {
    view.Report(Rule::kDp2Query006, record, kIssueFlags,
                fmt::format("BEGIN of query {} of type {}", id, TypeName(type)),
                FlagsText(d3d::kIssueFlagNames, flags), "END");
  } else if (begins && ends) {
    view.Report(Rule::kDp2Query008, record, kIssueFlags,
                fmt::format("BEGIN and END of query {} in one record", id),
                FlagsText(d3d::kIssueFlagNames, flags), "BEGIN or END");
  } else if (ends && row->has_begin && state != QueryState::kBuilding) {
    view.Report(Rule::kDp2Query007, record, kIssueFlags,
                fmt::format("END of query {} of type {}, which was not begun", id, TypeName(type)),
                FlagsText(d3d::kIssueFlagNames, flags), "BEGIN before");
  }
}

// DP2-QUERY-005.
void CheckIssue(const CommandView& view) {
  constexpr uint32_t kDefined = d3d::Value(IssueFlag::Begin) | d3d::Value(IssueFlag::End);
  if (view.is_recording()) return;
  std::map<uint32_t, QueryState> states;  // after the records before
  for (const Record& record : view.Records()) {
    const uint32_t flags = record.U32(kIssueFlags);
    const auto query = view.context.queries.find(record.U32(kQueryId));
    if (query == view.context.queries.end() || (flags & ~kDefined) != 0)
      continue;  // reported by the device
    if (flags == 0) {
      view.Report(Rule::kDp2Query005, record, kIssueFlags,
                  fmt::format("the flags of query {} are 0", query->first), "0", "BEGIN or END");
      continue;
    }
    QueryState& state = states.try_emplace(query->first, query->second.state).first->second;
    CheckIssued(view, record, query->second.type, state, flags);
    state = (flags & d3d::Value(IssueFlag::End)) != 0 ? QueryState::kIssued : QueryState::kBuilding;
  }
}

// DP2-QUERY-009. Whether an issued query still waits for its answer is known only where the trace records answers.
void CheckDeleteQuery(const CommandView& view) {
  for (const Record& record : view.Records()) {
    const auto query = view.context.queries.find(record.U32(kQueryId));
    if (query == view.context.queries.end()) continue;
    const bool is_building = query->second.state == QueryState::kBuilding;
    const bool is_waiting =
        query->second.state == QueryState::kIssued && view.trace.query.has_responses;
    if (!is_building && !is_waiting) continue;
    const char* const state = is_building ? "begun and not ended" : "issued and not answered";
    view.Report(Rule::kDp2Query009, record, kQueryId,
                fmt::format("query {} is {}", query->first, state), state, "answered");
  }
}

constexpr CommandRule kQueryRules[] = {
    {Op::kCreateQuery, CheckCreate},
    {Op::kIssueQuery, CheckIssue},
    {Op::kDeleteQuery, CheckDeleteQuery},
};

// ---------- responses ----------

// DP2-QUERY-013, DP2-QUERY-014, DP2-QUERY-015.
void CheckAnswer(const EventView& view, const device::Context& context,
                 const stream::Command& group, const Record& record) {
  const std::string path = fmt::format("response/{}/{}", group.index, record.index);
  const uint32_t id = record.U32(kQueryId);
  const auto query = context.queries.find(id);
  if (query == context.queries.end() && context.histories.queries.IsReported(id)) return;
  if (query == context.queries.end() || query->second.state != QueryState::kIssued) {
    const char* const why = query == context.queries.end() ? "does not exist" : "is not issued";
    view.findings.Add(Rule::kDp2Query014, path,
                      fmt::format("the response answers query {}, which {}", id, why),
                      fmt::format("{}", id), "a query that was issued");
    return;
  }
  const TypeRow* const row = FindType(query->second.type);
  const Bytes data = record.Tail(0).bytes;
  if (row->data_size != 0 && data.size() != row->data_size) {
    view.findings.Add(Rule::kDp2Query013, path,
                      fmt::format("the answer of query {} of type {} has {}", id,
                                  TypeName(query->second.type), Counted(data.size(), "byte")),
                      fmt::format("{}", data.size()), fmt::format("{}", row->data_size));
  } else if (row->type == QueryType::Event && LoadU32(data.data()) == 0) {
    view.findings.Add(Rule::kDp2Query015, path,
                      fmt::format("the answer of event query {} is FALSE", id), "0", "1");
  }
}

// DP2-QUERY-016.
void CheckContinue(const EventView& view, const stream::Command& group) {
  const uint32_t total = stream::TotalSize(group);
  if (group.count == 0 && total == opcode::kResponseHeaderSize) return;
  view.findings.Add(
      Rule::kDp2Query016, fmt::format("response/{}", group.index),
      fmt::format("RESPONSECONTINUE has count {} and {}", group.count, Counted(total, "byte")),
      fmt::format("{}, {}", group.count, total), "0, 8");
}

// DP2-QUERY-011, DP2-QUERY-012.
void CheckFraming(const EventView& view, const stream::ResponseDecoder& decoder) {
  const uint64_t at = decoder.rest_offset();
  const Bytes rest = decoder.rest();
  switch (decoder.end()) {
    case stream::ResponseEnd::kTruncatedHeader:
      view.findings.Add(
          Rule::kDp2Query011, "response",
          fmt::format("{} at {:#x} are not a response header", Counted(rest.size(), "byte"), at),
          fmt::format("{}", rest.size()), "8 or more");
      return;
    case stream::ResponseEnd::kNotResponse:
      view.findings.Add(Rule::kDp2Query011, "response",
                        fmt::format("bCommand at {:#x} is {}", at, rest[0]),
                        fmt::format("{}", rest[0]), "87 or 88");
      return;
    case stream::ResponseEnd::kBadTotalSize: {
      const uint32_t total = LoadU32(rest.data() + opcode::kCommandHeaderSize);
      view.findings.Add(
          Rule::kDp2Query011, "response",
          fmt::format("dwTotalSize at {:#x} is {}, {} bytes remain", at, total, rest.size()),
          fmt::format("{}", total), fmt::format("8 to {}", rest.size()));
      return;
    }
    case stream::ResponseEnd::kBadRecords: {
      const uint32_t total = LoadU32(rest.data() + opcode::kCommandHeaderSize);
      view.findings.Add(
          Rule::kDp2Query012, "response",
          fmt::format("the records at {:#x} do not fill dwTotalSize, which is {}", at, total),
          fmt::format("{}", total), "the size of the records and of the header");
      return;
    }
    case stream::ResponseEnd::kRunning:
    case stream::ResponseEnd::kComplete:
      return;
  }
}

}  // namespace

void CheckQueryResponse(const EventView& view, const device::Context& context, Bytes response) {
  view.trace.query.has_responses = true;
  stream::ResponseDecoder decoder(response);
  for (stream::Command group; decoder.Next(group);) {
    if (group.op->op == Op::kResponseContinue) {
      CheckContinue(view, group);
      continue;
    }
    for (const Record& record : stream::Records(group, {}))
      CheckAnswer(view, context, group, record);
  }
  CheckFraming(view, decoder);
}

const Topic kQueryTopic = {.rules = [] { return std::span<const CommandRule>(kQueryRules); }};

}  // namespace dp2trace::validate
