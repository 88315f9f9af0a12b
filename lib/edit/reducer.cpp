#include "edit/reducer.h"

#include <algorithm>
#include <thread>

namespace dp2trace::edit {
namespace {

constexpr int kMostRounds = 12;  // of one stage, and of all

}  // namespace

Reducer::Reducer(const Goal& goal, const ReduceOptions& options, Model model)
    : goal_(goal), options_(options), model_(std::move(model)), allowed_(FindBroken(model_)) {}

bool Reducer::Accepts(const Model& candidate) const {
  return std::ranges::includes(allowed_, FindBroken(candidate)) && goal_.Holds(candidate);
}

ReduceProgress Reducer::ProgressOf(const std::string& stage) const {
  return {.stage = stage,
          .events = model_.events.size(),
          .tokens = model_.token_count(),
          .bytes = model_.byte_count(),
          .tries = tries_};
}

size_t Reducer::Try(const Edits& edits) {
  size_t changes = 0;
  for (size_t next = 0; next < edits.size();) {
    // As many candidates as there are workers, all made of the model of now; the first that works counts.
    std::vector<Model> candidates;
    std::vector<size_t> places;
    size_t end = next;
    for (; end < edits.size() && candidates.size() < std::max(options_.workers, 1U); ++end) {
      std::optional<Model> candidate = edits[end](model_);
      if (!candidate) continue;
      candidates.push_back(std::move(*candidate));
      places.push_back(end);
    }
    std::vector<char> is_good(candidates.size());
    {
      std::vector<std::jthread> workers;
      for (size_t i = 1; i < candidates.size(); ++i)
        workers.emplace_back([&, i] { is_good[i] = Accepts(candidates[i]) ? 1 : 0; });
      if (!candidates.empty()) is_good[0] = Accepts(candidates[0]) ? 1 : 0;
    }
    const auto first = std::ranges::find(is_good, 1);
    if (first == is_good.end()) {
      tries_ += candidates.size();
      next = end;
    } else {
      const auto chosen = static_cast<size_t>(first - is_good.begin());
      tries_ += chosen + 1;
      model_ = std::move(candidates[chosen]);
      next = places[chosen] + 1;
      ++changes;
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
    if (size == 1) break;
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
    if (now == 0) break;
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
      Edits (*edits)(const Model&);
    } kStages[] = {{"objects", DeleteObjects},          {"records", DeleteRecords},
                   {"primitives", HalvePrimitives},     {"resources", ShrinkResources},
                   {"fields of events", DefaultFields}, {"numbers", ZeroNumbers},
                   {"contents", ZeroContents}};
    for (const auto& stage : kStages) {
      DP2TRACE_RETURN_IF_ERROR(Stage(
          stage.name, [&] { return Try(stage.edits(model_)); }, changes));
    }
    if (changes == 0) break;
  }
  return OkStatus();
}

}  // namespace dp2trace::edit
