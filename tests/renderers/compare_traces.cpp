// Draws traces with the reference and with the fast renderer, on several instruction sets and numbers of threads: each picture, each
// finding and each count must be the same. Prints what differs; the exit code is 1 then.
//
// usage: compare_traces TRACE...

#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "fast/machine/isa.h"
#include "replay/replayer.h"
#include "support/hash_sink.h"
#include "trace_file/source.h"

namespace {

using namespace dp2trace;  // NOLINT(google-build-using-namespace): one file
using testing::HashSink;

// A renderer at work on a trace.
struct Contestant {
  std::string name;
  DiagnosticList findings;
  HashSink sink;
  std::unique_ptr<replay::Replayer> replayer;

  Contestant(const std::string& renderer, uint32_t threads, std::string_view isa,
             bool has_codegen = true)
      : name(renderer + " " + std::string(isa) + " " + std::to_string(threads) +
             (has_codegen ? "" : " without machine code")) {
    replay::Options options;
    std::string error;
    options.frames = *Selection::Parse("all", error);
    options.renderer = renderer;
    options.raster.threads = threads;
    options.raster.isa = isa;
    options.raster.has_codegen = has_codegen;
    replayer = std::make_unique<replay::Replayer>(options, findings, sink);
  }
};

std::string FirstDifference(const Contestant& a, const Contestant& b) {
  if (a.sink.hashes.size() != b.sink.hashes.size()) return "the number of pictures";
  for (const auto& [file, hash] : a.sink.hashes) {
    const auto found = b.sink.hashes.find(file);
    if (found == b.sink.hashes.end() || found->second != hash) return file;
  }
  if (a.findings.items() != b.findings.items()) return "the findings";
  const raster::RendererStatistics counts_a = a.replayer->renderer_statistics();
  const raster::RendererStatistics counts_b = b.replayer->renderer_statistics();
  if (counts_a.pixels != counts_b.pixels || counts_a.texels != counts_b.texels)
    return "pixels and texels";
  return {};
}

// What differs, one line each.
std::vector<std::string> Compare(const std::string& path) {
  constexpr uint32_t kThreads[] = {1, 2, 7};
  std::vector<std::unique_ptr<Contestant>> all;
  all.push_back(std::make_unique<Contestant>("reference", 1, ""));
  uint32_t number = 0;
  for (const fast::Isa& isa : fast::SupportedIsas())
    all.push_back(std::make_unique<Contestant>("fast", kThreads[number++ % 3], isa.name));
  all.push_back(std::make_unique<Contestant>("fast", 2, "", false));
  DiagnosticList reading;
  trace_file::OpenError error;
  const std::unique_ptr<trace_file::Source> source =
      trace_file::WithResults(trace_file::Source::Open(path, uint64_t{1} << 30, reading, error));
  if (source == nullptr) return {error.status.diagnostic().message};
  for (trace::EventRecord record; source->Next(record);) {
    for (const auto& contestant : all) {
      if (!contestant->replayer->OnEvent(record.number, record.event).ok()) return {"stopped"};
    }
  }
  std::vector<std::string> differences;
  for (const auto& contestant : all) {
    if (!contestant->replayer->Finish().ok()) return {"stopped"};
    const std::string difference = FirstDifference(*all.front(), *contestant);
    if (!difference.empty()) differences.push_back(contestant->name + ": " + difference);
  }
  std::printf("%s: %zu pictures, %zu differences\n", path.c_str(), all.front()->sink.hashes.size(),
              differences.size());
  return differences;
}

}  // namespace

int main(int argc, char** argv) {
  bool is_same = true;
  for (int i = 1; i < argc; ++i) {
    for (const std::string& difference : Compare(argv[i])) {
      std::printf("%s: differs: %s\n", argv[i], difference.c_str());
      is_same = false;
    }
    (void)std::fflush(stdout);
  }
  return is_same ? 0 : 1;
}
