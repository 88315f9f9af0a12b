// `golden check`: replays the traces of a manifest and compares, exactly.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/file.h"
#include "base/hash.h"
#include "console.h"
#include "golden/results.h"
#include "golden_command.h"
#include "golden_list.h"
#include "golden_run.h"
#include "golden_summary.h"
#include "options.h"
#include "progress.h"

namespace dp2trace::app {
namespace {

constexpr uint64_t kDefaultTimeout = 300;
constexpr uint64_t kDefaultWorkerMemory = uint64_t{8} << 30;

struct CheckOptions {
  std::string manifest = "manifest.json";
  TraceChoice choice;
  std::string store;
  std::string actual;
  bool keeps_all = false;
  std::string results;
  std::string cache;
  std::string times;
  std::vector<std::string> durations;
  std::string shard = "1/1";
  std::string today;
  uint64_t jobs = 0;  // 0: as many as the machine has processors
  golden::GoldenLimits limits;
};

// Tells Bazel that the program knows of shards.
void TouchShardFile() {
  const char* const path = std::getenv("TEST_SHARD_STATUS_FILE");
  if (path == nullptr) return;
  Result<OutputFile> file = OutputFile::Create(path);
  if (file.ok()) (void)file->Commit(Sync::kNone);  // what Bazel misses, it reports itself
}

// The program down to its build: another one may draw something else.
std::string ProgramId() {
  const Result<std::string> hash = HashOfFile("/proc/self/exe");
  return fmt::format("dp2trace {} {}", DP2TRACE_VERSION, hash.ok() ? *hash : "");
}

class Check {
 public:
  explicit Check(CheckOptions options)
      : options_(std::move(options)), store_(options_.store), actual_(options_.actual) {}

  ExitCode Run() {
    Result<ManifestFile> file = ReadManifest(options_.manifest);
    if (!file.ok()) return ReportFailure(options_.manifest, file.status());
    file_ = std::move(*file);
    ExitCode code = ExitCode::kOk;
    const std::optional<golden::Shard> shard = FindShard(code);
    if (!shard) return code;
    Result<std::vector<golden::RunTrace>> traces = ListTraces(file_, options_.choice);
    if (!traces.ok()) return ReportFailure(options_.manifest, traces.status());
    if (traces->empty()) {
      PrintNote("no trace is to be checked");
      return ExitCode::kNothingToDo;
    }
    ResolveLimits();
    return RunShard(*traces, *shard);
  }

 private:
  std::optional<golden::Shard> FindShard(ExitCode& code) const {
    if (options_.shard == "auto") TouchShardFile();
    std::string error =
        fmt::format("--shard: '{}' is neither auto nor I/N with I from 1 to N", options_.shard);
    const std::optional<golden::Shard> shard =
        options_.shard == "auto"
            ? golden::ShardOfEnvironment([](const char* name) { return std::getenv(name); }, error)
            : golden::ParseShard(options_.shard);
    if (shard) return shard;
    PrintError(options_.shard == "auto" ? "--shard auto: " + error : error);
    code = ExitCode::kUsage;
    return std::nullopt;
  }

  void ResolveLimits() {
    const golden::GoldenLimits& from_manifest = file_.manifest.limits;
    const auto resolve = [](std::optional<uint64_t>& limit, const std::optional<uint64_t>& other,
                            uint64_t standard) {
      if (!limit) limit = other.value_or(standard);
    };
    resolve(options_.limits.timeout_s, from_manifest.timeout_s, kDefaultTimeout);
    resolve(options_.limits.max_memory, from_manifest.max_memory, kDefaultMaxMemory);
    resolve(options_.limits.max_worker_memory, from_manifest.max_worker_memory,
            kDefaultWorkerMemory);
  }

  RunOptions MakeRunOptions() const {
    RunOptions run;
    run.folder = file_.folder;
    run.today = options_.today;
    run.jobs =
        options_.jobs != 0 ? options_.jobs : std::max(1U, std::thread::hardware_concurrency());
    run.timeout_s = *options_.limits.timeout_s;
    run.max_memory = *options_.limits.max_memory;
    run.max_worker_memory = *options_.limits.max_worker_memory;
    run.keeping = {&store_, options_.actual.empty() ? nullptr : &actual_, options_.keeps_all};
    return run;
  }

  golden::ResultsHead MakeHead(const std::vector<golden::RunTrace>& traces,
                               const golden::Shard& shard) const {
    Xxh3_128Stream list;
    for (const golden::RunTrace& trace : traces)
      list.Add(fmt::format("{}\n{}\n", trace.path, trace.hash()));
    return {"dp2trace " DP2TRACE_VERSION,
            file_.hash,
            list.Digest(),
            traces.size(),
            options_.limits,
            shard};
  }

  // The part of the traces that is this shard's.
  Result<std::vector<GoldenRun::Item>> ItemsOf(const std::vector<golden::RunTrace>& traces,
                                               const golden::Shard& shard) const {
    golden::Durations durations;
    for (const std::string& path : options_.durations)
      DP2TRACE_RETURN_IF_ERROR(golden::ReadDurations(path, durations));
    std::vector<std::string> hashes;
    for (const golden::RunTrace& trace : traces)
      hashes.push_back(trace.hash());
    const std::vector<uint64_t> shards = golden::AssignShards(hashes, durations, shard.count);
    std::vector<GoldenRun::Item> items;
    for (size_t i = 0; i < traces.size(); ++i) {
      if (shards[i] == shard.number) items.push_back({i, &traces[i]});
    }
    return items;
  }

  ExitCode RunShard(const std::vector<golden::RunTrace>& traces, const golden::Shard& shard) {
    const Result<std::vector<GoldenRun::Item>> items = ItemsOf(traces, shard);
    if (!items.ok()) return ReportFailure("--durations", items.status());
    std::optional<golden::ResultsWriter> writer;
    if (!options_.results.empty()) {
      Result<golden::ResultsWriter> created =
          golden::ResultsWriter::Create(options_.results, MakeHead(traces, shard));
      if (!created.ok()) return ReportFailure(options_.results, created.status());
      writer.emplace(std::move(*created));
    }
    const golden::RecordCache cache(options_.cache, options_.cache.empty() ? "" : ProgramId(),
                                    options_.limits);
    golden::StatusCounts counts = {};
    Status status;
    {
      Progress progress("golden check");
      uint64_t done = 0;
      GoldenRun run(MakeRunOptions(), cache, *items, [&](const golden::TraceResult& result) {
        ++counts[static_cast<size_t>(result.status)];
        progress.Update(++done, items->size());
        if (writer) DP2TRACE_RETURN_IF_ERROR(writer->Add(result));
        return Print(result);
      });
      status = run.Run();
      if (status.ok() && writer) status = writer->Commit();
      if (status.ok() && !options_.times.empty()) status = WriteTimes(run.durations());
    }
    if (!status.ok()) return ReportFailure(options_.results, status);
    std::string summary = Describe(counts);
    if (shard.count != 1) summary += fmt::format(" (shard {})", Name(shard));
    return Worse(ReportOutput(Write(summary + "\n")), ExitCodeOf(counts));
  }

  // Standard output is for people, unless the results go there.
  Status Write(const std::string& text) const {
    return options_.results == "-" ? OkStatus() : WriteResult(text);
  }

  Status Print(const golden::TraceResult& result) const {
    if (result.status == golden::GoldenStatus::kMatch) return OkStatus();
    return Write(
        fmt::format("{}: {}: {}\n", golden::Name(result.status), result.path, result.message));
  }

  Status WriteTimes(const golden::Durations& durations) const {
    Result<OutputFile> file = OutputFile::Create(options_.times);
    if (!file.ok()) return file.status();
    DP2TRACE_RETURN_IF_ERROR(file->Write(golden::DurationsText(durations)));
    return file->Commit();
  }

  CheckOptions options_;
  ManifestFile file_;
  golden::PictureStore store_;
  golden::PictureStore actual_;
};

void AddFiles(CLI::App& command, CheckOptions& options) {
  command.add_option("TRACE", options.choice.paths,
                     "Traces, or folders of traces, to check (all of the manifest)");
  command.add_option("--manifest", options.manifest, "What is due (manifest.json)")
      ->type_name("FILE");
  command
      .add_option("--store", options.store, "Folder of the accepted pictures, to say what differs")
      ->type_name("DIR");
  command
      .add_option("--results", options.results,
                  "Where the results go, for accept, merge and report")
      ->type_name("FILE");
  command
      .add_option("--actual", options.actual,
                  "Folder for pictures that are not as due (FILE.pictures behind --results)")
      ->type_name("DIR");
  command.add_flag("--keep-all", options.keeps_all,
                   "Keep the pictures that match, too, where the store lacks them");
  command.add_option("--cache", options.cache, "Folder that keeps what unchanged traces gave")
      ->type_name("DIR");
  command.add_option("--tag", options.choice.tags, "Traces with one of these tags only")
      ->type_name("TAG")
      ->allow_extra_args(false);
}

void AddSharing(CLI::App& command, CheckOptions& options) {
  command
      .add_option("-j,--jobs", options.jobs, "Traces at a time (as many as there are processors)")
      ->check(CLI::Range(1, 4096))
      ->type_name("N");
  command
      .add_option(
          "--shard", options.shard,
          "Part I of N of the traces, or auto: as the environment of the scheduler says (1/1)")
      ->type_name("I/N");
  command
      .add_option("--durations", options.durations,
                  "How long traces took, to make shards that take equally long")
      ->type_name("FILE")
      ->allow_extra_args(false);
  command.add_option("--times", options.times, "Writes how long the traces took, for --durations")
      ->type_name("FILE");
  AddToday(command, options.today);
}

}  // namespace

void AddGoldenCheck(CLI::App& golden, ExitCode& code) {
  auto options = std::make_shared<CheckOptions>();
  CLI::App* command = golden.add_subcommand(
      "check", "Replay the traces of a manifest; fail where a picture or finding is not as due");
  AddFiles(*command, *options);
  AddSharing(*command, *options);
  command->add_option("--timeout", options->limits.timeout_s, "Most seconds for one trace (300)")
      ->check(CLI::Range(uint64_t{1}, golden::kMaxTimeout))
      ->type_name("S");
  auto max_memory = std::make_shared<uint64_t>(0);
  AddMaxMemory(*command, *max_memory);
  auto max_worker_memory = std::make_shared<uint64_t>(0);
  AddSize(*command, "--max-worker-memory", *max_worker_memory,
          "Most memory for the replay of one trace, with K, M or G (8G)");
  AddExample(
      *command,
      "dp2trace golden check --manifest traces/manifest.json --store pictures --results results.jsonl --shard 2/8");
  command->callback([options, max_memory, max_worker_memory, &code] {
    if (*max_memory != 0) options->limits.max_memory = *max_memory;
    if (*max_worker_memory != 0) options->limits.max_worker_memory = *max_worker_memory;
    if (options->actual.empty() && !options->results.empty() && options->results != "-")
      options->actual = options->results + ".pictures";
    code = Check(*options).Run();
  });
}

}  // namespace dp2trace::app
