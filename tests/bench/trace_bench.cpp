// Bytes per second of reading and writing containers, beside the speed of zstd and of only the hash.
#include <benchmark/benchmark.h>
#include <unistd.h>
#include <zstd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "base/hash.h"
#include "support/random.h"
#include "trace/reader.h"
#include "trace/writer.h"

namespace {

using dp2trace::Bytes;
using namespace dp2trace::trace;  // NOLINT(google-build-using-namespace): one file

constexpr size_t kTraceSize = 64 << 20;

// Half noise, half repetition: zstd makes about half of it.
std::vector<uint8_t> MakeData(size_t size) {
  dp2trace::testing::Random random(1);
  std::vector<uint8_t> data(size);
  for (size_t i = 0; i < size; ++i) {
    data[i] = random.OneIn(2) || i < 64 ? static_cast<uint8_t>(random.Next() & 0x3F) : data[i - 64];
  }
  return data;
}

// dp2 events with `event_size` bytes of commands each.
std::vector<uint8_t> MakeTrace(size_t event_size, Compression compression) {
  static const std::vector<uint8_t> data = MakeData(kTraceSize);
  std::vector<uint8_t> file;
  Writer writer(
      [&file](Bytes bytes) {
        file.insert(file.end(), bytes.begin(), bytes.end());
        return dp2trace::OkStatus();
      },
      {.compression = compression});
  bool ok = writer.Add(Header{}).ok();
  Dp2 dp2;
  for (size_t at = 0; at + event_size <= data.size(); at += event_size) {
    dp2.context = 1;
    dp2.vertex_size = 32;
    dp2.commands = Bytes(data).subspan(at, event_size);
    ok = ok && writer.Add(dp2).ok();
  }
  ok = ok && writer.Finish().ok();
  return ok ? file : std::vector<uint8_t>{};
}

template <class Record>
uint64_t ReadAll(dp2trace::Result<Reader>& reader) {
  uint64_t bytes = 0;
  Record event;
  while (reader->Next(event))
    bytes += kEventHeaderSize + event.payload.size();
  return bytes;
}

// Bytes are those of the events, after decompression.
template <class Record, Compression compression>
void BM_Read(benchmark::State& state) {
  const std::vector<uint8_t> file = MakeTrace(static_cast<size_t>(state.range(0)), compression);
  uint64_t bytes = 0;
  for (auto _ : state) {
    dp2trace::DiagnosticList findings;
    dp2trace::Result<Reader> reader = Reader::FromBytes(file, findings);
    bytes += ReadAll<Record>(reader);
    if (!findings.empty()) state.SkipWithError("the container has findings");
  }
  state.SetBytesProcessed(static_cast<int64_t>(bytes));
}
BENCHMARK(BM_Read<RawEvent, Compression::kNone>)->Arg(64)->Arg(4096);
BENCHMARK(BM_Read<EventRecord, Compression::kNone>)->Arg(64)->Arg(4096);
BENCHMARK(BM_Read<EventRecord, Compression::kZstd>)->Arg(64)->Arg(4096);

// From the page cache.
void BM_ReadFile(benchmark::State& state) {
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("dp2trace-bench-" + std::to_string(getpid()));
  const std::vector<uint8_t> file = MakeTrace(4096, Compression::kNone);
  dp2trace::Result<dp2trace::OutputFile> output = dp2trace::OutputFile::Create(path);
  if (!output.ok() || !output->Write(Bytes(file)).ok() || !output->Commit().ok())
    return state.SkipWithError("cannot write");
  uint64_t bytes = 0;
  for (auto _ : state) {
    dp2trace::DiagnosticList findings;
    dp2trace::Result<Reader> reader = Reader::Open(path.string(), findings);
    bytes += ReadAll<EventRecord>(reader);
  }
  state.SetBytesProcessed(static_cast<int64_t>(bytes));
  std::filesystem::remove(path);
}
BENCHMARK(BM_ReadFile);

// The same chunks through zstd and nothing else: what BM_Read of a compressed container is measured against.
void BM_ZstdAlone(benchmark::State& state) {
  const std::vector<uint8_t> file = MakeTrace(4096, Compression::kZstd);
  ZSTD_DCtx* context = ZSTD_createDCtx();
  std::vector<uint8_t> raw(kMaxChunkSize);
  uint64_t bytes = 0;
  for (auto _ : state) {
    size_t at = kFileHeaderSize;
    while (const auto header = ParseChunkHeader(Bytes(file).subspan(at))) {
      if (header->compression != 0) {
        bytes += ZSTD_decompressDCtx(context, raw.data(), header->raw_size,
                                     &file[at + kChunkHeaderSize], header->stored_size);
      }
      at += kChunkHeaderSize + header->stored_size;
    }
    benchmark::DoNotOptimize(raw.data());
  }
  ZSTD_freeDCtx(context);
  state.SetBytesProcessed(static_cast<int64_t>(bytes));
}
BENCHMARK(BM_ZstdAlone);

void BM_HashAlone(benchmark::State& state) {
  const std::vector<uint8_t> file = MakeTrace(4096, Compression::kNone);
  for (auto _ : state)
    benchmark::DoNotOptimize(dp2trace::Xxh3_64(file));
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(file.size()));
}
BENCHMARK(BM_HashAlone);

template <Compression compression>
void BM_Write(benchmark::State& state) {
  const std::vector<uint8_t> data = MakeData(kTraceSize / 4);
  Dp2 dp2;
  for (auto _ : state) {
    uint64_t written = 0;
    Writer writer(
        [&written](Bytes bytes) {
          written += bytes.size();
          return dp2trace::OkStatus();
        },
        {.compression = compression});
    for (size_t at = 0; at + 4096 <= data.size(); at += 4096) {
      dp2.commands = Bytes(data).subspan(at, 4096);
      if (!writer.Add(dp2).ok()) state.SkipWithError("writing fails");
    }
    if (!writer.Finish().ok()) state.SkipWithError("writing fails");
    benchmark::DoNotOptimize(written);
  }
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(data.size()));
}
BENCHMARK(BM_Write<Compression::kNone>);
BENCHMARK(BM_Write<Compression::kZstd>);

}  // namespace
