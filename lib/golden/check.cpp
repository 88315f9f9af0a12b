#include "golden/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "base/file.h"
#include "base/hash.h"
#include "base/temporaries.h"
#include "os/path.h"
#include "os/process.h"

namespace dp2trace::golden {
namespace {

// Where neither options nor manifest say more.
constexpr uint64_t kDefaultTimeout = 300;                     // seconds
constexpr uint64_t kDefaultMaxMemory = uint64_t{1} << 30;     // bytes, for reading
constexpr uint64_t kDefaultWorkerMemory = uint64_t{8} << 30;  // bytes, for replaying

// A folder that must be there before something is written into it: the workers' sandbox allows what exists. It goes away where it
// stays empty, also after an interruption.
class FolderOfPictures {
 public:
  explicit FolderOfPictures(const std::string& path) {
    std::error_code error;
    if (path.empty() || std::filesystem::exists(ToPath(path), error)) return;
    const std::unique_lock<std::mutex> lock = LockTemporaries();
    std::filesystem::create_directories(ToPath(path), error);
    path_ = path;
    AddTemporary(path_, [path] { RemoveEmpty(path); });
  }
  ~FolderOfPictures() {
    if (path_.empty()) return;
    ForgetTemporary(path_);
    RemoveEmpty(path_);
  }
  FolderOfPictures(const FolderOfPictures&) = delete;
  FolderOfPictures& operator=(const FolderOfPictures&) = delete;

 private:
  static void RemoveEmpty(const std::string& path) {
    std::error_code error;
    std::filesystem::remove(ToPath(path), error);
  }
  std::string path_;
};

// The program down to its build and its renderer: another one may draw something else. Nothing where the system does not say what runs.
std::optional<std::string> ProgramId(const CheckOptions& options) {
  const Result<std::string> hash = HashOfFile(ProgramPath());
  if (!hash.ok()) return std::nullopt;
  return fmt::format("{} {} {} {} {}", options.version, *hash, options.drawing.renderer,
                     options.drawing.raster.isa, options.drawing.raster.has_codegen);
}

}  // namespace

Check::Check(CheckOptions options)
    : options_(std::move(options)), store_(options_.store), actual_(options_.actual) {}

Status Check::List() {
  failed_at_ = options_.manifest;
  Result<ManifestFile> file = ReadManifest(options_.manifest);
  if (!file.ok()) return file.status();
  file_ = std::move(*file);
  Result<std::vector<RunTrace>> traces = ListTraces(file_, options_.choice);
  if (!traces.ok()) return traces.status();
  traces_ = std::move(*traces);
  ResolveLimits();
  return OkStatus();
}

void Check::ResolveLimits() {
  const GoldenLimits& from_manifest = file_.manifest.limits;
  const auto resolve = [](std::optional<uint64_t>& limit, const std::optional<uint64_t>& other,
                          uint64_t standard) {
    if (!limit) limit = other.value_or(standard);
  };
  resolve(options_.limits.timeout_s, from_manifest.timeout_s, kDefaultTimeout);
  resolve(options_.limits.max_memory, from_manifest.max_memory, kDefaultMaxMemory);
  resolve(options_.limits.max_worker_memory, from_manifest.max_worker_memory, kDefaultWorkerMemory);
}

RunOptions Check::MakeRunOptions(uint64_t count) const {
  RunOptions run;
  run.folder = file_.folder;
  run.today = options_.today;
  const uint32_t cores = std::max(1U, std::thread::hardware_concurrency());
  run.jobs = options_.jobs != 0 ? options_.jobs : cores;
  run.drawing = options_.drawing;
  uint32_t& threads = run.drawing.raster.threads;
  if (threads == 0) threads = cores;
  const uint64_t workers = std::clamp<uint64_t>(count, 1, run.jobs);
  threads = static_cast<uint32_t>(std::max<uint64_t>(1, threads / workers));
  run.timeout_s = *options_.limits.timeout_s;
  run.max_memory = *options_.limits.max_memory;
  run.max_worker_memory = *options_.limits.max_worker_memory;
  run.retries = options_.retries;
  run.keeping = {&store_, options_.actual.empty() ? nullptr : &actual_, options_.keeps_all};
  run.is_sandboxed = options_.is_sandboxed;
  run.own = options_.own;
  run.own.timeout_s = run.timeout_s;
  run.own.max_memory = run.max_worker_memory;
  return run;
}

ResultsHead Check::MakeHead(const Shard& shard) const {
  Xxh3_128Stream list;
  for (const RunTrace& trace : traces_)
    list.Add(fmt::format("{}\n{}\n", trace.path, trace.hash()));
  return {options_.version,
          file_.hash,
          list.Digest(),
          traces_.size(),
          options_.limits,
          shard,
          options_.own.command + options_.own.folder};
}

Result<std::vector<GoldenRun::Item>> Check::ItemsOf(const Shard& shard) const {
  Durations durations;
  for (const std::string& path : options_.durations)
    DP2TRACE_RETURN_IF_ERROR(ReadDurations(path, durations));
  std::vector<std::string> hashes;
  for (const RunTrace& trace : traces_)
    hashes.push_back(trace.hash());
  const std::vector<uint64_t> shards = AssignShards(hashes, durations, shard.count);
  std::vector<GoldenRun::Item> items;
  for (size_t i = 0; i < traces_.size(); ++i) {
    if (shards[i] == shard.number) items.push_back({i, &traces_[i]});
  }
  return items;
}

Status Check::Run(const Shard& shard, const OnResult& on_result, const OnProgress& on_progress) {
  // Pictures of another renderer are looked at twice, and may be gone then.
  std::optional<TemporaryFolder> own;
  if (options_.own.is_used() && options_.actual.empty()) {
    options_.actual = own.emplace().path();
    actual_ = PictureStore(options_.actual);
  }
  failed_at_ = "--durations";
  const Result<std::vector<GoldenRun::Item>> items = ItemsOf(shard);
  if (!items.ok()) return items.status();
  failed_at_ = options_.results;
  std::optional<ResultsWriter> writer;
  if (!options_.results.empty()) {
    Result<ResultsWriter> created = ResultsWriter::Create(options_.results, MakeHead(shard));
    if (!created.ok()) return created.status();
    writer.emplace(std::move(*created));
  }
  const RecordCache cache = OpenCache();
  uint64_t done = 0;
  GoldenRun run(MakeRunOptions(items->size()), cache, *items, [&](const TraceResult& result) {
    ++counts_[static_cast<size_t>(result.status)];
    on_progress(++done, items->size());
    if (writer) DP2TRACE_RETURN_IF_ERROR(writer->Add(result));
    return on_result(result);
  });
  {
    const FolderOfPictures actual(options_.is_sandboxed ? options_.actual : "");
    failed_at_ = options_.own.command.empty() ? options_.results : "--run";
    DP2TRACE_RETURN_IF_ERROR(run.Run());
    failed_at_ = options_.results;
  }
  times_ = run.times();
  retry_count_ = run.retry_count();
  if (writer) DP2TRACE_RETURN_IF_ERROR(writer->Commit());
  return options_.times.empty() ? OkStatus() : WriteTimes(run.durations());
}

std::vector<TraceTime> Check::Slowest(size_t count) const {
  std::vector<TraceTime> slowest = times_;
  std::ranges::stable_sort(slowest, std::greater(), &TraceTime::milliseconds);
  slowest.resize(std::min(slowest.size(), count));
  return slowest;
}

RecordCache Check::OpenCache() {
  // Nobody knows what another renderer depends on.
  if (options_.cache.empty() || options_.own.is_used()) return {"", "", options_.limits};
  const std::optional<std::string> program = ProgramId(options_);
  if (program) return {options_.cache, *program, options_.limits};
  note_ =
      "--cache is not used: without /proc/self/exe it is unknown which build of the program runs";
  return {"", "", options_.limits};
}

Status Check::WriteTimes(const Durations& durations) const {
  Result<OutputFile> file = OutputFile::Create(options_.times);
  if (!file.ok()) return file.status();
  DP2TRACE_RETURN_IF_ERROR(file->Write(DurationsText(durations)));
  return file->Commit();
}

}  // namespace dp2trace::golden
