// What recording costs, beside copying the same bytes and beside only the checksum.
#define D2C_IMPLEMENTATION
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <cstring>
#include <vector>

#include "dp2trace_capture.h"

namespace {

constexpr size_t kTotal = 64 << 20;  // bytes of calls, more than caches hold
const std::vector<int64_t> kCallSizes = {512, 2048, 4096, 8192, 16384, 60000, 200000};  // bytes

const std::vector<uint8_t>& Source() {
  static const std::vector<uint8_t> source = [] {
    std::vector<uint8_t> bytes(kTotal);
    for (size_t i = 0; i < bytes.size(); ++i)
      bytes[i] = static_cast<uint8_t>(i * 131 >> 3);
    return bytes;
  }();
  return source;
}

// Calls with a quarter of the bytes as commands and the rest as vertices, through a buffer of 64 KB.
template <class Append>
void Record(size_t call_size, Append append, void* user) {
  static unsigned char buffer[65536];
  d2c capture = {};
  d2c_open(&capture, append, user, buffer, sizeof buffer, nullptr, 0);
  for (size_t at = 0; at + call_size <= kTotal; at += call_size) {
    struct d2c_dp2 call;
    d2c_dp2_init(&call);
    const auto commands = static_cast<d2c_u32>(call_size / 4);
    call.commands = d2c_bytes_of(Source().data() + at, commands);
    call.vertices =
        d2c_bytes_of(Source().data() + at + commands, static_cast<d2c_u32>(call_size) - commands);
    d2c_dp2_call(&capture, &call);
  }
  if (d2c_finish(&capture) != D2C_OK) std::abort();
}

void BM_CaptureRecord(benchmark::State& state) {
  Source();
  for (auto _ : state) {
    Record(
        static_cast<size_t>(state.range(0)), [](void*, const void*, d2c_u32) { return 0; },
        nullptr);
  }
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(kTotal));
}
BENCHMARK(BM_CaptureRecord)->ArgsProduct({kCallSizes});

void BM_CaptureMemcpy(benchmark::State& state) {
  std::vector<uint8_t> copy(kTotal);
  const auto size = static_cast<size_t>(state.range(0));
  for (auto _ : state) {
    for (size_t at = 0; at + size <= kTotal; at += size)
      std::memcpy(copy.data() + at, Source().data() + at, size);
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(kTotal));
}
BENCHMARK(BM_CaptureMemcpy)->ArgsProduct({kCallSizes});

void BM_CaptureHash(benchmark::State& state) {
  for (auto _ : state) {
    d2c_hash hash;
    d2c_hash_begin(&hash);
    d2c_hash_add(&hash, Source().data(), static_cast<d2c_u32>(kTotal));
    benchmark::DoNotOptimize(d2c_hash_end(&hash).lo);
  }
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(kTotal));
}
BENCHMARK(BM_CaptureHash);

}  // namespace
