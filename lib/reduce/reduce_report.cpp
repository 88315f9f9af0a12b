#include "reduce/reduce_report.h"

#include <fmt/format.h>

#include "base/plain_text.h"
#include "json/output.h"
#include "text/report_list.h"
#include "text/value.h"

namespace dp2trace::reduce {
namespace {

std::string MembersOf(const ReduceProgress& progress) {
  return fmt::format("\"events\":{},\"tokens\":{},\"bytes\":{},\"tries\":{}", progress.events,
                     progress.tokens, progress.bytes, progress.tries);
}

}  // namespace

std::string ReduceReport::AddStage(const ReduceProgress& progress) {
  stages_.push_back(progress);
  return fmt::format("{}: {}, {}, {} after {}", progress.stage, Counted(progress.events, "event"),
                     Counted(progress.tokens, "token"), Counted(progress.bytes, "byte"),
                     Counted(progress.tries, "attempt"));
}

std::string ReduceReport::Json(std::string_view trace, const trace_model::Model& reached) const {
  std::string text = json::OutputHead("reduce", trace) + "," +
                     MembersOf({.stage = {},
                                .events = reached.events.size(),
                                .tokens = reached.token_count(),
                                .bytes = reached.byte_count(),
                                .tries = tries_});
  text::AppendList(text, "stages", stages_, [](std::string& out, const ReduceProgress& stage) {
    out += "{\"stage\":";
    text::AppendQuoted(out, stage.stage);
    out += "," + MembersOf(stage) + "}";
  });
  return text + "}\n";
}

}  // namespace dp2trace::reduce
