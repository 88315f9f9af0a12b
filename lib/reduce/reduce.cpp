#include "reduce/reduce.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/temporaries.h"
#include "rules/rule.h"
#include "trace_file/form.h"

namespace dp2trace::reduce {
namespace {

Result<trace_model::Model> Load(std::unique_ptr<trace_file::Source> source, uint64_t max_bytes,
                                const trace_model::Walk& walk) {
  source = trace_file::WithResults(std::move(source));
  trace_model::ModelLoader loader;
  DP2TRACE_RETURN_IF_ERROR(walk(*source, "read", [&](const trace::EventRecord& record) {
    loader.Add(record);
    return loader.size_bytes() <= max_bytes;
  }));
  if (loader.size_bytes() > max_bytes)
    return Failure(Rule::kTrace010, "what has to be searched needs more than --max-memory");
  return loader.Take();
}

// The frame that matters: that of the goal, or the last one.
Result<uint64_t> FindFrame(const trace_model::Open& open, const Goal& goal, uint64_t presents,
                           const trace_model::Walk& walk) {
  const auto source = open();
  if (source == nullptr) return Failure(Rule::kTrace001, "the trace cannot be read again");
  const Result<std::optional<uint64_t>> frame = goal.FindFrame(*source, walk);
  if (!frame.ok()) return frame.status();
  return frame->value_or(presents + 1);  // what was drawn after the last one, if anything
}

// The frames or events as a model; empty where there are none.
Result<trace_model::Model> CutOut(const trace_model::Open& open, trim::Unit unit, uint64_t first,
                                  uint64_t last, const trace_model::RenderOptions& options,
                                  uint64_t max_bytes, const trace_model::Walk& walk) {
  std::string error;
  const trim::Choice choice = {
      .unit = unit, .numbers = *Selection::Parse(fmt::format("{}-{}", first, last), error)};
  auto source = open();
  if (source == nullptr) return Failure(Rule::kTrace001, "the trace cannot be read again");
  source = trace_file::WithResults(std::move(source));
  Result<trim::Part> part = trim::FindPart(*source, choice, options.work, walk);
  if (!part.ok()) return part.status();
  if (!part->is_found) return trace_model::Model();
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/part.dp2t";
  DP2TRACE_RETURN_IF_ERROR(trim::WritePart(open, *part, options, file, walk));
  DiagnosticList findings;  // our own file: what it keeps of the input may be damaged
  trace_file::OpenError failure;
  auto cut = trace_file::Source::Open(file, UINT64_MAX, findings, failure);
  if (cut == nullptr) return failure.status;
  return Load(std::move(cut), max_bytes, walk);
}

}  // namespace

Result<Start> FindStart(const trace_model::Open& open, const Goal& goal, uint64_t presents,
                        const trace_model::RenderOptions& options, uint64_t max_bytes,
                        const trace_model::Walk& walk, const std::optional<EventSpan>& part) {
  const trim::Unit unit = part ? trim::Unit::kEvents : trim::Unit::kFrames;
  const Result<uint64_t> found = part ? part->last : FindFrame(open, goal, presents, walk);
  if (!found.ok()) return found.status();
  uint64_t last = *found;
  WorkBudget work(options.work.max_steps.value_or(device::StepsFor(options.work.file_bytes)));
  for (const bool is_alone : {true, false}) {
    const auto cut = [&] {
      const uint64_t alone = part ? std::max<uint64_t>(part->first, 1) : last;
      return CutOut(open, unit, is_alone ? alone : 1, last, options, max_bytes, walk);
    };
    Result<trace_model::Model> model = cut();
    if (!part && model.ok() && model->events.empty() && last > 1) {
      --last;
      model = cut();
    }
    if (!model.ok()) return model.status();
    if (!model->events.empty() && goal.Holds(*model, work))
      return Start{std::move(*model), std::string()};
    if (part && !is_alone && !work.is_spent())
      return Start{std::nullopt, goal.WhyNot(*model, work)};
  }
  if (!part) {
    auto source = open();
    if (source == nullptr) return Failure(Rule::kTrace001, "the trace cannot be read again");
    Result<trace_model::Model> whole = Load(std::move(source), max_bytes, walk);
    if (!whole.ok()) return whole.status();
    if (goal.Holds(*whole, work)) return Start{std::move(*whole), std::string()};
    if (!work.is_spent()) return Start{std::nullopt, goal.WhyNot(*whole, work)};
  }
  return Failure(Rule::kReplayWork001, "the trace takes more work than --max-steps allows");
}

Status WriteModel(const trace_model::Model& model, const std::string& output) {
  const auto form = trace_file::FormOfPath(output).value_or(trace_file::Form::kBinary);
  const auto sink = trace_file::Sink::Create(output, form);
  return sink.ok() ? trace_model::BuiltTrace(model).Write(**sink) : sink.status();
}

}  // namespace dp2trace::reduce
