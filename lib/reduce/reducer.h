// The smallest trace that still does something: delta debugging over events, tokens, records, resources and values.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "base/rule.h"
#include "base/work_budget.h"
#include "reduce/edits.h"
#include "reduce/goal.h"
#include "trace_model/model.h"

namespace dp2trace::reduce {

struct ReduceProgress {
  std::string stage;  // "tokens", "records", ...
  size_t events = 0, tokens = 0, bytes = 0;
  uint64_t tries = 0;
};

struct ReduceOptions {
  uint32_t workers = 1;
  uint64_t max_steps = UINT64_MAX;  // of all tries together: the search ends there
  // Called after each stage that changed something, with the model of then. A failure ends the search.
  std::function<Status(const ReduceProgress& progress, const trace_model::Model& model)> on_stage;
  // Called with every batch of tries.
  std::function<void(const ReduceProgress& progress)> on_try = [](const ReduceProgress&) {};
};

// Tries changes in a fixed order and keeps those after which the goal holds and nothing new is broken, errors and warnings. How many
// workers look ahead makes no difference to the result, nor to the work that counts: that of the tries that a single worker would make.
class Reducer {
 public:
  // The goal holds for the model. Goal and options outlive the reducer.
  Reducer(const Goal& goal, const ReduceOptions& options, trace_model::Model model);

  Status Run();
  const trace_model::Model& model() const { return model_; }
  uint64_t tries() const { return tries_; }
  // More could be tried with more steps.
  bool is_cut() const { return work_.is_spent(); }

 private:
  // Of a change, or of none.
  struct Trial {
    size_t edit;
    trace_model::Model candidate;
    WorkBudget work;
    bool is_good = false;
  };
  bool Accepts(const trace_model::Model& candidate, WorkBudget& work) const;
  // As many changes from `next` on as there are workers, each made of the model of now.
  std::vector<Trial> Prepare(const Edits& edits, size_t& next) const;
  void RunAll(std::vector<Trial>& trials) const;
  // Keeps what works; the number of changes.
  size_t Try(const Edits& edits);
  size_t DeleteAtoms();
  // One kind of change until it finds nothing any more.
  Status Stage(const std::string& name, const std::function<size_t()>& work, size_t& changes);
  ReduceProgress ProgressOf(const std::string& stage) const;

  const Goal& goal_;
  const ReduceOptions& options_;
  trace_model::Model model_;
  WorkBudget work_;
  std::set<Rule> allowed_;
  std::string stage_;
  uint64_t tries_ = 0;  // those that a single worker would have made
};

}  // namespace dp2trace::reduce
