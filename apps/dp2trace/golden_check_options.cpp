#include "golden_check_options.h"

#include <fmt/format.h>

#include <cstdlib>

#include "base/file.h"
#include "console.h"
#include "golden_own_options.h"
#include "golden_suite.h"
#include "options.h"
#include "renderer_options.h"
#include "sandbox_option.h"

namespace dp2trace::app {
namespace {

// Tells Bazel that the program knows of shards.
void TouchShardFile() {
  const char* const path = std::getenv("TEST_SHARD_STATUS_FILE");
  if (path == nullptr) return;
  Result<OutputFile> file = OutputFile::Create(path);
  if (file.ok()) (void)file->Commit(Sync::kNone);  // what Bazel misses, it reports itself
}

void AddFiles(Verb& command, CheckOptions& options) {
  command.Add(
      "TRACE", options.check.choice.paths,
      "Traces to check, folders of them or patterns, from here or as the manifest names them (all)");
  Argument& manifest =
      command.Add("--manifest", options.check.manifest, "What is expected (manifest.json)");
  manifest.Value("FILE");
  AddSuite(command, options.suite, manifest);
  command
      .Add("--store", options.check.store, "Folder of the accepted pictures, to say what differs")
      .Value("DIR");
  command
      .Add("--results", options.check.results, "Where the results go, for accept, merge and report")
      .Value("FILE");
  AddForce(command, options.is_forced, "Replace files of --results and --times that exist");
  command
      .Add("--actual", options.check.actual,
           "Folder for pictures that are not as expected (FILE.pictures after --results)")
      .Value("DIR");
  command.AddSwitch("--keep-all", options.check.keeps_all,
                    "Keep the pictures that match, too, where the store lacks them");
  command.Add("--cache", options.check.cache, "Folder that keeps what unchanged traces gave")
      .Value("DIR");
  command.Add("--tag", options.check.choice.tags, "Traces with one of these tags only")
      .Value("TAG")
      .OnePerMention();
}

void AddSharing(Verb& command, CheckOptions& options) {
  command.Add("-j,--jobs", options.check.jobs, "Traces at a time (as many as there are processors)")
      .Range(1, 4096)
      .Value("N");
  command
      .Add("--shard", options.shard,
           "Part I of N of the traces, or auto: as the environment of the scheduler says (1/1)")
      .Value("I/N");
  command
      .Add("--durations", options.check.durations,
           "How long traces took, to make shards that take equally long")
      .Value("FILE")
      .OnePerMention();
  command.Add("--times", options.check.times, "Writes how long the traces took, for --durations")
      .Value("FILE");
  command
      .Add("--slowest", options.slowest,
           "Lists the N traces that took longest, after the summary (0)")
      .Range(uint64_t{0}, uint64_t{1} << 20)
      .Value("N");
  AddRendererOptions(command, options.check.drawing.renderer, options.check.drawing.raster);
  AddToday(command, options.check.today);
}

void AddLimits(Verb& command, CheckOptions& options) {
  command.Add("--timeout", options.check.limits.timeout_s, "Most seconds for one trace (300)")
      .Range(uint64_t{1}, golden::kMaxTimeout)
      .Value("S");
  command
      .Add(
          "--retry", options.check.retries,
          "How often a trace is replayed again that crashed, took too long or too much memory; no difference goes away by it (0)")
      .Range(uint64_t{0}, uint64_t{100})
      .Value("N");
  AddSandboxOption(command, options.check.is_sandboxed);
  AddMaxMemory(command, options.max_memory);
  AddSize(command, "--max-worker-memory", options.max_worker_memory,
          "Most memory for the replay of one trace, with K, M or G (8G)");
}

}  // namespace

void AddCheckOptions(Verb& command, CheckOptions& options) {
  AddFiles(command, options);
  AddOwnRenderer(command, options.check.own);
  AddSharing(command, options);
  AddLimits(command, options);
}

std::optional<golden::Shard> FindShard(const std::string& text) {
  std::string error = fmt::format("--shard: '{}' is neither auto nor I/N with I from 1 to N", text);
  const bool is_auto = text == "auto";
  if (is_auto) TouchShardFile();
  const std::optional<golden::Shard> shard =
      is_auto
          ? golden::ShardOfEnvironment([](const char* name) { return std::getenv(name); }, error)
          : golden::ParseShard(text);
  if (!shard) PrintError(is_auto ? "--shard auto: " + error : error);
  return shard;
}

}  // namespace dp2trace::app
