// Random traces, made of those of the repository, and what must hold for each of them:
//   trim     any frames or draws of it show what they show in the whole
//   scrub    without anything to scrub it shows the same
//   split    one DP2 call in two shows the same
//   states   states that are set twice show the same
//   convert  to JSON and back gives the same bytes
//   diff     never says "the same" of traces that show something else
// random_traces [--seed N] [--first N] [--count N] [--forever] [--keep FOLDER] TRACE|FOLDER...
// A trace that fails is kept, and its number and the check are printed: --first NUMBER --count 1 makes it again.
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "diff/diff.h"
#include "mutator.h"
#include "part_pictures.h"
#include "scrub/scrub.h"
#include "support/test_folder.h"
#include "trace_file/inputs.h"
#include "trace_file/sink.h"

using namespace dp2trace;  // NOLINT(google-build-using-namespace): test program
using testing::Chosen;
using testing::Random;
using testing::Replayed;

namespace {

struct Options {
  uint64_t seed = 1;
  uint64_t first = 0;
  uint64_t count = 300;
  std::string keep;
  std::vector<std::string> names;
};

// After a limit that the trace meets nothing is shown.
bool IsComparable(const Replayed& replayed) {
  return replayed.is_read && !replayed.rules.contains(Rule::kReplayWork001);
}

std::vector<std::string> Pictures(const Replayed& replayed) {
  std::vector<std::string> pictures;
  for (const testing::Shown& image : replayed.images)
    pictures.push_back(image.Describe(1));
  return pictures;
}

bool Convert(const std::string& from, const std::string& to) {
  const auto source = testing::OpenQuietly(from);
  const auto form = trace_file::FormOfPath(to);
  if (source == nullptr || !form) return false;
  const auto sink = trace_file::Sink::Create(to, *form);
  if (!sink.ok()) return false;
  for (trace::EventRecord record; source->Next(record);)
    if (!(*sink)->Add(record).ok()) return false;
  return !source->is_incomplete() && (*sink)->Finish().ok();
}

// Nothing where one of the two cannot be read.
std::optional<bool> AreSame(const std::string& a, const std::string& b) {
  const auto side = [](const std::string& path) {
    diff::DiffSide made;
    made.open = [path] { return trace_file::WithResults(testing::OpenQuietly(path)); };
    const auto source = made.open();
    if (source != nullptr) (void)diff::FindObjects(*source, trace_model::WalkQuietly, made);
    return made;
  };
  const auto result = diff::Diff(side(a), side(b), {}, trace_model::WalkQuietly);
  return result.ok() ? std::optional(result->is_equal()) : std::nullopt;
}

// One random trace.
class Trial {
 public:
  Trial(const testing::TestFolder& folder, const trace_model::Model& original, Random& random)
      : folder_(folder), random_(random), model_(original) {
    if (!random_.OneIn(4)) testing::AddFrames(model_, random_);
    for (uint32_t i = random_.Below(6); i > 0; --i)
      testing::Mutate(model_, random_);
  }

  // What does not hold; empty where all does.
  std::string Check() {
    if (!testing::WriteTrace(model_, path())) return {};
    const Replayed whole = testing::Replay(path(), "none");
    if (!IsComparable(whole)) return {};
    is_used_ = true;
    const std::string checks[] = {CheckTrim(whole), CheckSame(whole), CheckConvert(),
                                  CheckDiff(whole)};
    for (const std::string& error : checks)
      if (!error.empty()) return error;
    return {};
  }

  std::string path() const { return folder_ / "whole.dp2t"; }
  bool is_used() const { return is_used_; }

 private:
  std::string CheckTrim(const Replayed& whole) {
    const bool is_frames = whole.statistics.draws == 0 || !random_.OneIn(4);
    uint64_t all = whole.statistics.draws;
    if (is_frames) {
      all = 0;
      for (const testing::Shown& image : whole.images)
        all += image.kind == replay::ImageKind::kFrame ? 1U : 0U;
    }
    if (all == 0) return {};
    Chosen chosen = {.unit = is_frames ? trim::Unit::kFrames : trim::Unit::kDraws};
    chosen.first = 1 + random_.Below(static_cast<uint32_t>(all));
    chosen.last = std::min(all, chosen.first + random_.Below(3));
    const std::string part_path = folder_ / "part.dp2t";
    trim::Part part;
    const Status trimmed = testing::Trim(path(), part_path, chosen, part);
    if (!part.is_found) return {};
    const std::string name = "trim --" + chosen.Describe();
    if (!trimmed.ok()) return fmt::format("{}: {}", name, trimmed.diagnostic().message);
    const Replayed cut = testing::Replay(part_path, testing::DrawsOfPart(part, chosen));
    const std::string difference = testing::CompareWithWhole(
        is_frames ? whole
                  : testing::Replay(path(), fmt::format("{}-{}", chosen.first, chosen.last)),
        cut, part, chosen);
    return difference.empty() ? "" : fmt::format("{}: {}", name, difference);
  }

  // The trace in other words.
  std::string CheckSame(const Replayed& whole) {
    const std::string other = folder_ / "other.dp2t";
    trace_model::Model model = model_;
    std::string name;
    switch (random_.Below(3)) {
      case 0:
        name = "split";
        if (!testing::SplitCall(model, random_)) return {};
        break;
      case 1:
        name = "states";
        if (!testing::RepeatStates(model, random_)) return {};
        break;
      default:
        name = "scrub";
        break;
    }
    if (name != "scrub") {
      if (!testing::WriteTrace(model, other)) return name + ": cannot be written";
    } else {
      const scrub::ScrubOptions keeps_all = {true, true, true};
      const auto scrubbed =
          scrub::ScrubTrace([this] { return testing::OpenQuietly(path()); }, keeps_all, other,
                            testing::kMaxMemory, {}, trace_model::WalkQuietly);
      if (!scrubbed.ok()) return "scrub: " + scrubbed.status().diagnostic().message;
    }
    const std::vector<std::string> expected = Pictures(whole);
    // Numbers of events, of which pictures do not speak, have moved.
    const std::vector<std::string> actual = Pictures(testing::Replay(other, "none"));
    for (size_t i = 0; i < std::max(expected.size(), actual.size()); ++i) {
      const std::string a = i < expected.size() ? expected[i] : "nothing";
      const std::string b = i < actual.size() ? actual[i] : "nothing";
      if (a != b) return fmt::format("{}: picture {}: {} is {}", name, i, a, b);
    }
    return {};
  }

  std::string CheckConvert() {
    const std::string json = folder_ / "text.json";
    const std::string back = folder_ / "back.dp2t";
    const std::string copy = folder_ / "copy.dp2t";
    if (!Convert(path(), copy) || !Convert(copy, json) || !Convert(json, back))
      return "convert: cannot be read or written";
    return testing::ReadText(copy) == testing::ReadText(back) ? "" : "convert: bytes differ";
  }

  std::string CheckDiff(const Replayed& whole) {
    trace_model::Model model = model_;
    const uint32_t changes = 1 + random_.Below(2);
    for (uint32_t i = 0; i < changes; ++i)
      testing::Mutate(model, random_);
    const std::string other = folder_ / "other.dp2t";
    if (!testing::WriteTrace(model, other)) return {};
    const Replayed replayed = testing::Replay(other, "none");
    if (!IsComparable(replayed) || Pictures(replayed) == Pictures(whole)) return {};
    if (AreSame(path(), other) != std::optional(true)) return {};
    return "diff: says \"the same\" of traces that show something else";
  }

  const testing::TestFolder& folder_;
  Random& random_;
  trace_model::Model model_;
  bool is_used_ = false;
};

std::optional<Options> Parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto number = [&] { return std::strtoull(argv[++i], nullptr, 10); };
    if (word == "--forever") {
      options.count = UINT64_MAX;
    } else if (word.starts_with("--") && i + 1 == argc) {
      return std::nullopt;
    } else if (word == "--seed") {
      options.seed = number();
    } else if (word == "--first") {
      options.first = number();
    } else if (word == "--count") {
      options.count = number();
    } else if (word == "--keep") {
      options.keep = argv[++i];
    } else if (word.starts_with("--")) {
      return std::nullopt;
    } else {
      options.names.push_back(word);
    }
  }
  return options.names.empty() ? std::nullopt : std::optional(options);
}

int Run(const Options& options) {
  const std::vector<std::string> paths = trace_file::ExpandInputs(options.names).paths;
  uint64_t used = 0;
  uint64_t failures = 0;
  fmt::print("seed {}, {} traces\n", options.seed, paths.size());
  for (uint64_t number = options.first; number - options.first < options.count; ++number) {
    Random random((options.seed << 40) ^ number);
    const std::string& path = paths[random.Below(static_cast<uint32_t>(paths.size()))];
    trace_model::Model model;
    if (!testing::LoadModel(path, model)) continue;
    const testing::TestFolder folder;
    Trial trial(folder, model, random);
    const std::string error = trial.Check();
    used += trial.is_used() ? 1U : 0U;
    if (error.empty()) continue;
    ++failures;
    fmt::print("{} of {}: {}\n", number, path, error);
    (void)std::fflush(stdout);
    if (options.keep.empty()) continue;
    std::filesystem::create_directories(options.keep);
    for (const auto& file : std::filesystem::directory_iterator(folder / "")) {
      std::filesystem::copy_file(file.path(),
                                 std::filesystem::path(options.keep) /
                                     fmt::format("{}-{}", number, file.path().filename().string()),
                                 std::filesystem::copy_options::overwrite_existing);
    }
  }
  fmt::print("{} traces were checked, {} fail\n", used, failures);
  return failures == 0 && used != 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const std::optional<Options> options = Parse(argc, argv);
  if (options) return Run(*options);
  fmt::print(stderr,
             "usage: random_traces [--seed N] [--first N] [--count N] [--forever] [--keep FOLDER] "
             "TRACE|FOLDER...\n");
  return 2;
}
