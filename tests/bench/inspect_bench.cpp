// What the page of a frame costs beside a fast replay of that frame, both in one thread: the first time that either sees the frame. And what
// the live page waits for, once the film strip is there: a frame and the history of a pixel of it, with keyframes and without.
// usage: inspect_bench [--benchmark_...] [TRACE@FRAME]...     without any: the scenes of the repository
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <libdeflate.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "container.h"
#include "image/deflate.h"
#include "inspect/data_folder.h"
#include "inspect/inspector.h"
#include "json/base64.h"
#include "live/session.h"
#include "replay/replayer.h"
#include "trace/reader.h"

namespace {

using namespace dp2trace;  // NOLINT(google-build-using-namespace): one file
using Clock = std::chrono::steady_clock;

class DroppingSink final : public replay::ImageSink {
 public:
  Status OnImage(const replay::ImageInfo&, const image::Picture&) override { return OkStatus(); }
};

double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Hands over the events up to the end of the frame, then calls finish(): the seconds from the beginning of the frame on.
template <class OnEvent, class Finish>
double TimeFrame(const std::vector<uint8_t>& file, uint64_t frame, const OnEvent& on_event,
                 const Finish& finish) {
  DiagnosticList findings;
  auto reader = trace::Reader::FromBytes(file, findings);
  trace::EventRecord record;
  Clock::time_point start = Clock::now();
  for (uint64_t now = 1; now <= frame && reader->Next(record);) {
    on_event(record);
    if (!std::holds_alternative<trace::Present>(record.event)) continue;
    ++now;
    if (now == frame) start = Clock::now();
  }
  finish();
  return SecondsSince(start);
}

double TimeReplay(const std::vector<uint8_t>& file, uint64_t frame) {
  DiagnosticList findings;
  DroppingSink images;
  replay::Options options;
  std::string unused;
  options.frames = *Selection::Parse("none", unused);
  options.raster.threads = 1;
  replay::Replayer replayer(options, findings, images);
  return TimeFrame(
      file, frame,
      [&](const trace::EventRecord& record) {
        (void)replayer.OnEvent(record.number, record.event);
      },
      [&] { (void)replayer.Finish(); });
}

struct Page {
  double seconds = 0;
  uint64_t items = 0;
};

Page TimeInspect(const std::vector<uint8_t>& file, uint64_t frame, const std::string& path) {
  Result<inspect::DataFolder> folder = inspect::DataFolder::Create(path);
  if (!folder.ok()) return {};
  inspect::Options options;
  std::string unused;
  options.frames = *Selection::Parse(fmt::format("{}", frame), unused);
  options.play.raster.threads = 1;
  (void)folder->WritePage();
  inspect::Inspector inspector(options, *folder);
  Page page;
  page.seconds = TimeFrame(
      file, frame,
      [&](const trace::EventRecord& record) {
        (void)inspector.player().OnEvent(record.number, record.event);
      },
      [&] { (void)inspector.Finish({.tool = "bench", .trace = "bench"}); });
  (void)folder->Commit();
  for (const auto& one : inspector.frames())
    page.items += one.items;
  return page;
}

std::vector<uint8_t> Inflate(std::string_view base64) {
  std::vector<uint8_t> deflated(json::MaxDecodedBase64Size(base64.size()));
  size_t size = 0;
  if (!json::DecodeBase64(base64, deflated.data(), size)) return {};
  libdeflate_decompressor* const decompressor = libdeflate_alloc_decompressor();
  std::vector<uint8_t> bytes(64 * size + 4096);
  size_t count = 0;
  while (libdeflate_zlib_decompress(decompressor, deflated.data(), size, bytes.data(), bytes.size(),
                                    &count) == LIBDEFLATE_INSUFFICIENT_SPACE)
    bytes.resize(2 * bytes.size());
  libdeflate_free_decompressor(decompressor);
  bytes.resize(count);
  return bytes;
}

// The pixels that are compressed in the files of the page.
std::vector<std::vector<uint8_t>> PixelsOf(const std::string& path) {
  std::vector<std::vector<uint8_t>> parts;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(path + "/data")) {
    if (!entry.is_regular_file()) continue;
    std::ifstream file(entry.path());
    const std::string text((std::istreambuf_iterator<char>(file)),
                           std::istreambuf_iterator<char>());
    constexpr std::string_view kKey = "\"data\":\"";
    for (size_t at = text.find(kKey); at != std::string::npos; at = text.find(kKey, at)) {
      at += kKey.size();
      parts.push_back(Inflate(std::string_view(text).substr(at, text.find('"', at) - at)));
    }
  }
  return parts;
}

double TimeCompression(const std::vector<std::vector<uint8_t>>& parts) {
  const Clock::time_point start = Clock::now();
  image::Deflater deflater(inspect::kPixelCompression);
  for (const std::vector<uint8_t>& part : parts)
    benchmark::DoNotOptimize(deflater.Deflate(part));
  return SecondsSince(start);
}

double Median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

void BM_Frame(benchmark::State& state, const std::string& path, uint64_t frame) {
  const std::vector<uint8_t> file = bench::Container(path);
  if (file.empty()) return state.SkipWithError("no trace");
  const std::string folder =
      (std::filesystem::temp_directory_path() / "dp2trace-inspect-bench").string();
  std::vector<double> replay;
  std::vector<double> write;
  std::vector<double> compression;
  Page page;
  for (auto _ : state) {
    replay.push_back(TimeReplay(file, frame));
    page = TimeInspect(file, frame, folder);
    write.push_back(page.seconds);
    state.SetIterationTime(page.seconds);
    if (compression.size() < 3) compression.push_back(TimeCompression(PixelsOf(folder)));
  }
  std::filesystem::remove_all(folder);
  const double rest = Median(write) - Median(compression);
  state.counters["items"] = static_cast<double>(page.items);
  state.counters["replay_ms"] = 1e3 * Median(replay);
  state.counters["compression_ms"] = 1e3 * Median(compression);
  state.counters["rest_ms"] = 1e3 * rest;
  state.counters["ratio"] = rest / Median(replay);
}

struct Waiting {
  double film = 0;       // seconds until all frames are there
  double frames = 0;     // mean of the last, the first and the middle frame
  double histories = 0;  // likewise
};

Waiting TimeSession(const std::string& path, uint64_t max_keyframes) {
  auto session = live::Session::Open({.tool = "bench",
                                      .name = "bench",
                                      .path = path,
                                      .max_memory = uint64_t{4} << 30,
                                      .max_kept = 1,
                                      .max_keyframes = max_keyframes,
                                      .limits = {},
                                      .play = {.validation = {}, .raster = {.threads = 1}}});
  Waiting waiting;
  if (!session.ok()) return waiting;
  const auto seconds = [&](const std::string& name) {
    const Clock::time_point start = Clock::now();
    benchmark::DoNotOptimize((*session)->Ask(name).ok());
    return SecondsSince(start);
  };
  uint64_t count = 0;
  const Clock::time_point start = Clock::now();
  while (true) {
    const Result<std::string> answer = (*session)->Ask(fmt::format("overview/{}", count));
    if (!answer.ok() || answer->ends_with("\"frames\":[]}")) break;
    ++count;
  }
  waiting.film = SecondsSince(start);
  const std::vector<uint64_t> asked = {count, 1, (count + 1) / 2};
  for (const uint64_t frame : asked) {
    waiting.frames += seconds(fmt::format("frames/{}", frame)) / static_cast<double>(asked.size());
    waiting.histories +=
        seconds(fmt::format("history/{}-8-8", frame)) / static_cast<double>(asked.size());
  }
  return waiting;
}

void BM_Session(benchmark::State& state, const std::string& path) {
  std::vector<double> film[2];
  std::vector<double> frames[2];
  std::vector<double> histories[2];
  for (auto _ : state) {
    for (const size_t keeps : {0U, 1U}) {
      const Waiting waiting = TimeSession(path, keeps == 0 ? 0 : uint64_t{512} << 20);
      film[keeps].push_back(waiting.film);
      frames[keeps].push_back(waiting.frames);
      histories[keeps].push_back(waiting.histories);
    }
    state.SetIterationTime(frames[1].back());
  }
  state.counters["film_ms"] = 1e3 * Median(film[1]);
  state.counters["film_ratio"] = Median(film[1]) / Median(film[0]);
  state.counters["frame_ms"] = 1e3 * Median(frames[1]);
  state.counters["frame_ratio"] = Median(frames[1]) / Median(frames[0]);
  state.counters["history_ms"] = 1e3 * Median(histories[1]);
  state.counters["history_ratio"] = Median(histories[1]) / Median(histories[0]);
}

void Register(const std::string& path, uint64_t frame) {
  const std::string name =
      fmt::format("BM_Frame/{}@{}", std::filesystem::path(path).stem().string(), frame);
  benchmark::RegisterBenchmark(
      name.c_str(), [path, frame](benchmark::State& state) { BM_Frame(state, path, frame); })
      ->UseManualTime()
      ->Unit(benchmark::kMillisecond)
      ->MinTime(2);
  if (frame == 1) return;
  benchmark::RegisterBenchmark(
      fmt::format("BM_Session/{}", std::filesystem::path(path).stem().string()).c_str(),
      [path](benchmark::State& state) { BM_Session(state, path); })
      ->UseManualTime()
      ->Unit(benchmark::kMillisecond)
      ->Iterations(3);
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    const size_t at = argument.rfind('@');
    if (at == std::string::npos) {
      fmt::print(stderr, "inspect_bench: {}: TRACE@FRAME is expected\n", argument);
      return 2;
    }
    Register(argument.substr(0, at), std::stoull(argument.substr(at + 1)));
  }
  if (argc == 1) {
    for (const auto& entry :
         std::filesystem::directory_iterator(DP2TRACE_SOURCE_DIR "/traces/scenes"))
      Register(entry.path().string(), 1);
  }
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
