#include "reduce/reducer.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <set>

#include "runtime/core/token.h"
#include "trace/codec.h"
#include "trace_model/broken_rules.h"

using namespace dp2trace;  // NOLINT(google-build-using-namespace): test file

namespace {

void Add(trace_model::ModelLoader& loader, const trace::Event& event) {
  trace::EventRecord record;
  std::visit(
      [&](const auto& e) {
        using T = std::decay_t<decltype(e)>;
        if constexpr (std::is_same_v<T, trace::Header>)
          record.kind = static_cast<uint16_t>(trace::EventKind::kHeader);
        if constexpr (std::is_same_v<T, trace::Dp2>)
          record.kind = static_cast<uint16_t>(trace::EventKind::kDp2);
        if constexpr (std::is_same_v<T, trace::SurfaceCreate>)
          record.kind = static_cast<uint16_t>(trace::EventKind::kSurfaceCreate);
        if constexpr (std::is_same_v<T, trace::ContextCreate>)
          record.kind = static_cast<uint16_t>(trace::EventKind::kContextCreate);
      },
      event);
  record.event = event;
  loader.Add(record);
}

// A target, a context and calls that set WINFO to 1, 2, 3, ... eight to a call.
trace_model::Model ManyTokens(uint32_t calls) {
  trace_model::ModelLoader loader;
  Add(loader, trace::Header());
  trace::SurfaceCreate target;
  target.handle = 1;
  target.kind = d3d::SurfaceKind::kTarget;
  target.format = d3d::Value(d3d::Format::X8R8G8B8);
  target.width = target.height = 8;
  Add(loader, target);
  trace::ContextCreate context;
  context.context = context.target = 1;
  Add(loader, context);
  for (uint32_t i = 0; i < calls; ++i) {
    runtime::TokenBuffer tokens;
    for (uint32_t k = 1; k <= 8; ++k)
      tokens.Append(opcode::Op::kWInfo, std::array{8 * i + k, 0x3F800000U}, {}, std::nullopt);
    trace::Dp2 call;
    call.context = 1;
    call.commands = tokens.bytes();
    Add(loader, call);
  }
  return loader.Take();
}

// The first words of all WINFO tokens.
std::set<uint32_t> NumbersOf(const trace_model::Model& model) {
  std::set<uint32_t> numbers;
  for (const auto& event : model.events) {
    for (const trace_model::ModelToken& token : event->tokens)
      numbers.insert(LoadU32(token.bytes->data() + 4));
  }
  return numbers;
}

// Holds while the tokens with these numbers are there, and the context.
class NeedsNumbers final : public reduce::Goal {
 public:
  explicit NeedsNumbers(std::set<uint32_t> numbers) : numbers_(std::move(numbers)) {}
  bool Holds(const trace_model::Model& model, WorkBudget& /*work*/) const override {
    const bool has_context = std::ranges::any_of(model.events, [](const auto& event) {
      return std::holds_alternative<trace::ContextCreate>(event->event);
    });
    return has_context && std::ranges::includes(NumbersOf(model), numbers_);
  }

 private:
  std::set<uint32_t> numbers_;
};

std::vector<uint8_t> BytesOf(const trace_model::Model& model) {
  std::vector<uint8_t> bytes;
  const trace_model::BuiltTrace built(model);
  for (const trace::Event& event : built.events())
    trace::EncodePayload(event, bytes);
  return bytes;
}

trace_model::Model Reduce(const reduce::Goal& goal, uint32_t workers, uint64_t& tries,
                          uint64_t max_steps = UINT64_MAX) {
  reduce::ReduceOptions options;
  options.workers = workers;
  options.max_steps = max_steps;
  options.on_stage = [](const reduce::ReduceProgress&, const trace_model::Model&) {
    return OkStatus();
  };
  reduce::Reducer reducer(goal, options, ManyTokens(40));
  CHECK(reducer.Run().ok());
  tries = reducer.tries();
  CHECK(reducer.is_cut() == (max_steps != UINT64_MAX));
  return reducer.model();
}

}  // namespace

TEST_CASE("reduce: what the goal needs is left, and nothing else") {
  const NeedsNumbers goal({17, 200, 311});
  uint64_t tries = 0;
  const trace_model::Model model = Reduce(goal, 1, tries);
  CHECK(NumbersOf(model) == std::set<uint32_t>{17, 200, 311});
  CHECK(model.token_count() == 3);
  // Header, target (the context needs one), context, and the three calls.
  CHECK(model.events.size() == 6);
  CHECK(tries < 600);
}

TEST_CASE("reduce: any number of workers makes the same trace in as many tries") {
  const NeedsNumbers goal({5, 6, 160});
  uint64_t alone = 0;
  uint64_t together = 0;
  const trace_model::Model first = Reduce(goal, 1, alone);
  const trace_model::Model second = Reduce(goal, 5, together);
  CHECK(BytesOf(first) == BytesOf(second));
  CHECK(alone == together);
}

TEST_CASE(
    "reduce: where the work is spent, the search ends at the same place with any number of workers") {
  const NeedsNumbers goal({5, 6, 160});
  uint64_t most = 0;
  (void)Reduce(goal, 1, most);
  for (const uint64_t max_steps : {uint64_t{1} << 20, uint64_t{4} << 20, uint64_t{16} << 20}) {
    uint64_t alone = 0;
    uint64_t together = 0;
    const trace_model::Model first = Reduce(goal, 1, alone, max_steps);
    const trace_model::Model second = Reduce(goal, 5, together, max_steps);
    CHECK(BytesOf(first) == BytesOf(second));
    CHECK(alone == together);
    CHECK(alone < most);
  }
}

TEST_CASE("reduce: what would be invalid is not made, whatever the goal says") {
  class Anything final : public reduce::Goal {
   public:
    bool Holds(const trace_model::Model& model, WorkBudget& /*work*/) const override {
      return model.token_count() != 0;
    }
  };
  const Anything goal;
  uint64_t tries = 0;
  const trace_model::Model model = Reduce(goal, 2, tries);
  CHECK(model.token_count() == 1);
  CHECK(trace_model::FindBroken(model).empty());
}

TEST_CASE("reduce: a failure to write ends the search") {
  const NeedsNumbers goal({1});
  reduce::ReduceOptions options;
  options.on_stage = [](const reduce::ReduceProgress&, const trace_model::Model&) {
    return Failure(kCannotWrite, "full");
  };
  reduce::Reducer reducer(goal, options, ManyTokens(2));
  CHECK_FALSE(reducer.Run().ok());
}
