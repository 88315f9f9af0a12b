// SnapshotSeries looks only at what was written: it has to say what a snapshot says that looks at everything.
#include <doctest/doctest.h>

#include <filesystem>

#include "play/player.h"
#include "state/state_snapshot.h"
#include "support/json_events.h"
#include "support/test_folder.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

namespace {

using state::StateEntry;

bool SameEntry(const StateEntry& a, const StateEntry& b) {
  return a.group == b.group && a.name == b.name && a.value == b.value &&
         a.default_value == b.default_value && a.is_default == b.is_default &&
         a.origin.set == b.origin.set && a.origin.changed == b.origin.changed;
}

// Compares the two after every `step`-th token.
class Comparer final : public play::Listener {
 public:
  explicit Comparer(uint64_t step)
      : step_(step), player_({.validation = {}, .raster = {}}, {&writes_, this}) {
    writes_.SetNoting();
  }

  void OnEvent(uint64_t number, const trace::Event& event) { (void)player_.OnEvent(number, event); }
  uint64_t compared() const { return compared_; }
  uint64_t rebuilt() const { return rebuilt_; }
  const std::string& difference() const { return difference_; }

 private:
  Status OnApplied(device::Context& context, const stream::Command& /*command*/) override {
    if (tokens_++ % step_ != 0 || !difference_.empty()) return OkStatus();
    series_.Take(context, writes_);
    ++compared_;
    rebuilt_ += series_.is_rebuilt() ? 1U : 0U;
    const std::vector<StateEntry> expected = state::TakeSnapshot(context, writes_).entries;
    const std::vector<StateEntry>& now = series_.snapshot().entries;
    if (now.size() != expected.size()) difference_ = "the number of entries";
    for (size_t i = 0; i < expected.size() && difference_.empty(); ++i) {
      if (!SameEntry(now[i], expected[i]))
        difference_ = expected[i].name + ": " + now[i].value + " in place of " + expected[i].value;
    }
    return OkStatus();
  }

  uint64_t step_;
  uint64_t tokens_ = 0, compared_ = 0, rebuilt_ = 0;
  std::string difference_;
  state::StateWrites writes_;
  state::SnapshotSeries series_;
  play::Player player_;
};

}  // namespace

TEST_CASE("SnapshotSeries: after the tokens of the traces it is what TakeSnapshot says") {
  uint64_t compared = 0;
  uint64_t rebuilt = 0;
  for (const char* path :
       {DP2TRACE_SOURCE_DIR "/traces/features", DP2TRACE_SOURCE_DIR "/traces/scenes",
        DP2TRACE_RULE_TRACES "/accepted"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(path)) {
      if (entry.path().extension() != ".json") continue;
      CAPTURE(entry.path().string());
      Comparer comparer(5);
      ForEachJsonEvent(ReadText(entry.path().string()),
                       [&](uint64_t number, const trace::Event& event) {
                         comparer.OnEvent(number, event);
                         return true;
                       });
      CHECK(comparer.difference() == "");
      compared += comparer.compared();
      rebuilt += comparer.rebuilt();
    }
  }
  CHECK(compared > 500);
  CHECK(rebuilt < compared);
}
