#include "compare_renderers.h"

#include <cstring>
#include <map>
#include <string_view>
#include <vector>

#include "fast/machine/isa.h"
#include "json/reader.h"
#include "replay/replayer.h"
#include "support/hash_sink.h"

namespace dp2trace::testing {
namespace {

struct Outcome {
  std::map<std::string, std::string> hashes;
  std::vector<Diagnostic> findings;
  raster::RendererStatistics statistics;
  std::map<uint32_t, uint64_t> queries;
  std::string error;
};

Outcome Draw(const std::string& json, const char* renderer, uint32_t threads, std::string_view isa,
             bool has_codegen) {
  std::string_view rest = json;
  json::Reader reader([&rest](std::span<uint8_t> out) -> Result<size_t> {
    const size_t size = std::min(out.size(), rest.size());
    std::memcpy(out.data(), rest.data(), size);
    rest.remove_prefix(size);
    return size;
  });
  replay::Options options;
  options.renderer = renderer;
  options.raster.threads = threads;
  options.raster.isa = isa;
  options.raster.has_codegen = has_codegen;
  options.raster.max_draw_steps = uint64_t{1} << 24;
  DiagnosticList findings;
  HashSink sink;
  replay::Replayer replayer(options, findings, sink);
  Outcome outcome;
  trace::Event event;
  uint64_t number = 0;
  Result<bool> next = reader.Next(event);
  for (; next.ok() && *next; next = reader.Next(event)) {
    if (!replayer.OnEvent(number++, event).ok()) break;
  }
  if (!next.ok()) outcome.error = FormatDiagnostic("scene", next.status().diagnostic());
  (void)replayer.Finish();
  for (const auto& [key, context] : replayer.device().contexts()) {
    for (const auto& [id, query] : context->queries)
      outcome.queries[id] = query.result;
  }
  outcome.hashes = std::move(sink.hashes);
  outcome.findings = findings.Take();
  outcome.statistics = replayer.renderer_statistics();
  return outcome;
}

std::string FirstDifference(const Outcome& expected, const Outcome& drawn) {
  for (const auto& [file, hash] : expected.hashes) {
    const auto found = drawn.hashes.find(file);
    if (found == drawn.hashes.end() || found->second != hash) return file;
  }
  if (expected.hashes.size() != drawn.hashes.size()) return "the number of pictures";
  if (expected.findings != drawn.findings) return "findings";
  if (expected.queries != drawn.queries) return "queries";
  const bool counts_same = expected.statistics.pixels == drawn.statistics.pixels &&
                           expected.statistics.texels == drawn.statistics.texels;
  return counts_same ? "" : "pixels and texels";
}

}  // namespace

Comparison CompareRenderers(const std::string& json) {
  const Outcome expected = Draw(json, "reference", 1, "", false);
  Comparison comparison = {.difference = {},
                           .error = expected.error,
                           .pictures = expected.hashes.size(),
                           .pixels = expected.statistics.pixels};
  // The best instruction set, and by turns each with machine code and without.
  const std::vector<fast::Isa> isas = fast::SupportedIsas();
  struct Run {
    uint32_t threads;
    std::string_view isa;
    bool has_codegen;
  };
  const bool has_codegen = json.size() / isas.size() % 2 == 0;
  for (const Run& run :
       {Run{1, "", true}, Run{3, isas[json.size() % isas.size()].name, has_codegen}}) {
    const std::string difference =
        FirstDifference(expected, Draw(json, "fast", run.threads, run.isa, run.has_codegen));
    if (difference.empty()) continue;
    comparison.difference = difference + ", threads " + std::to_string(run.threads) + " " +
                            std::string(run.isa) + (run.has_codegen ? "" : " without machine code");
    break;
  }
  return comparison;
}

}  // namespace dp2trace::testing
