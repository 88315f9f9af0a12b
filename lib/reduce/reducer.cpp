#include "reduce/reducer.h"

#include <algorithm>
#include <thread>

#include "base/floats.h"

namespace dp2trace::reduce {
namespace {

constexpr int kMostRounds = 12;  // of one stage, and of all

}  // namespace

Reducer::Reducer(const Goal& goal, const ReduceOptions& options, trace_model::Model model)
    : goal_(goal),
      options_(options),
      model_(std::move(model)),
      work_(options.max_steps),
      allowed_(trace_model::FindBroken(model_, work_)) {}

bool Reducer::Accepts(const trace_model::Model& candidate, WorkBudget& work) const {
  return std::ranges::includes(allowed_, trace_model::FindBroken(candidate, work)) &&
         goal_.Holds(candidate, work);
}

ReduceProgress Reducer::ProgressOf(const std::string& stage) const {
  return {.stage = stage,
          .events = model_.events.size(),
          .tokens = model_.token_count(),
          .bytes = model_.byte_count(),
          .tries = tries_};
}

std::vector<Reducer::Trial> Reducer::Prepare(const Edits& edits, size_t& next) const {
  std::vector<Trial> trials;
  const WorkBudget left(work_.left());
  for (; next < edits.size() && trials.size() < std::max(options_.workers, 1U); ++next) {
    std::optional<trace_model::Model> candidate = edits[next](model_);
    if (candidate)
      trials.push_back({.edit = next, .candidate = std::move(*candidate), .work = left});
  }
  return trials;
}

void Reducer::RunAll(std::vector<Trial>& trials) const {
  const auto run = [this](Trial& trial) { trial.is_good = Accepts(trial.candidate, trial.work); };
  std::vector<std::jthread> workers;
  for (size_t i = 1; i < trials.size(); ++i)
    workers.push_back(StartThread([&, i] { run(trials[i]); }));
  if (!trials.empty()) run(trials[0]);
}

size_t Reducer::Try(const Edits& edits) {
  size_t changes = 0;
  for (size_t next = 0; next < edits.size() && !work_.is_spent();) {
    std::vector<Trial> trials = Prepare(edits, next);
    RunAll(trials);
    // The first that works counts, and those before it.
    for (Trial& trial : trials) {
      if (!work_.Spend(trial.work.is_spent() ? UINT64_MAX : trial.work.spent())) break;
      ++tries_;
      if (!trial.is_good) continue;
      model_ = std::move(trial.candidate);
      next = trial.edit + 1;
      ++changes;
      break;
    }
    options_.on_try(ProgressOf(stage_));
  }
  return changes;
}

size_t Reducer::DeleteAtoms() {
  size_t changes = 0;
  for (size_t size = std::max<size_t>(CountAtoms(model_) / 2, 1);;
       size = std::max<size_t>(size / 2, 1)) {
    changes += Try(DeleteChunks(model_, size));
    if (size == 1 || work_.is_spent()) break;
  }
  return changes;
}

Status Reducer::Stage(const std::string& name, const std::function<size_t()>& work,
                      size_t& changes) {
  stage_ = name;
  size_t made = 0;
  for (int round = 0; round < kMostRounds; ++round) {
    const size_t now = work();
    made += now;
    if (now == 0 || work_.is_spent()) break;
  }
  changes += made;
  return made != 0 ? options_.on_stage(ProgressOf(name), model_) : OkStatus();
}

Status Reducer::Run() {
  for (int round = 0; round < kMostRounds; ++round) {
    size_t changes = 0;
    DP2TRACE_RETURN_IF_ERROR(Stage(
        "events and tokens", [this] { return DeleteAtoms(); }, changes));
    const struct {
      const char* name;
      Edits (*edits)(const trace_model::Model&);
    } kStages[] = {{"objects", DeleteObjects},          {"records", DeleteRecords},
                   {"primitives", HalvePrimitives},     {"resources", ShrinkResources},
                   {"fields of events", DefaultFields}, {"numbers", ZeroNumbers},
                   {"contents", ZeroContents}};
    for (const auto& stage : kStages) {
      DP2TRACE_RETURN_IF_ERROR(Stage(
          stage.name, [&] { return Try(stage.edits(model_)); }, changes));
    }
    if (changes == 0 || work_.is_spent()) break;
  }
  return OkStatus();
}

}  // namespace dp2trace::reduce
