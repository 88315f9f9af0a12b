#include "golden_check_options.h"

#include <fmt/format.h>

#include <cstdlib>

#include "base/file.h"
#include "console.h"
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

void AddFiles(CLI::App& command, CheckVerb& options) {
  command.add_option("TRACE", options.check.choice.paths,
                     "Traces, or folders of traces, to check (all of the manifest)");
  command.add_option("--manifest", options.check.manifest, "What is due (manifest.json)")
      ->type_name("FILE");
  command
      .add_option("--store", options.check.store,
                  "Folder of the accepted pictures, to say what differs")
      ->type_name("DIR");
  command
      .add_option("--results", options.check.results,
                  "Where the results go, for accept, merge and report")
      ->type_name("FILE");
  command
      .add_option("--actual", options.check.actual,
                  "Folder for pictures that are not as due (FILE.pictures behind --results)")
      ->type_name("DIR");
  command.add_flag("--keep-all", options.check.keeps_all,
                   "Keep the pictures that match, too, where the store lacks them");
  command
      .add_option("--cache", options.check.cache, "Folder that keeps what unchanged traces gave")
      ->type_name("DIR");
  command.add_option("--tag", options.check.choice.tags, "Traces with one of these tags only")
      ->type_name("TAG")
      ->allow_extra_args(false);
}

void AddSharing(CLI::App& command, CheckVerb& options) {
  command
      .add_option("-j,--jobs", options.check.jobs,
                  "Traces at a time (as many as there are processors)")
      ->check(CLI::Range(1, 4096))
      ->type_name("N");
  command
      .add_option(
          "--shard", options.shard,
          "Part I of N of the traces, or auto: as the environment of the scheduler says (1/1)")
      ->type_name("I/N");
  command
      .add_option("--durations", options.check.durations,
                  "How long traces took, to make shards that take equally long")
      ->type_name("FILE")
      ->allow_extra_args(false);
  command
      .add_option("--times", options.check.times,
                  "Writes how long the traces took, for --durations")
      ->type_name("FILE");
  AddRendererOptions(command, options.check.drawing.renderer, options.check.drawing.raster);
  AddToday(command, options.check.today);
}

void AddLimits(CLI::App& command, CheckVerb& options) {
  command
      .add_option("--timeout", options.check.limits.timeout_s, "Most seconds for one trace (300)")
      ->check(CLI::Range(uint64_t{1}, golden::kMaxTimeout))
      ->type_name("S");
  AddSandboxOption(command, options.check.is_sandboxed);
  AddMaxMemory(command, options.max_memory);
  AddSize(command, "--max-worker-memory", options.max_worker_memory,
          "Most memory for the replay of one trace, with K, M or G (8G)");
}

}  // namespace

void AddCheckOptions(CLI::App& command, CheckVerb& options) {
  AddFiles(command, options);
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
