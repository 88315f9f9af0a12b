// Golden results as SARIF 2.1.0: a rule for each status that fails, a result for each trace that has one. A picture has no line.
#include <fmt/format.h>

#include <utility>

#include "golden/result_writer.h"
#include "json/append.h"
#include "json/builder.h"
#include "json/sarif.h"

namespace dp2trace::golden {
namespace {

class GoldenSarifWriter final : public GoldenWriter {
 public:
  explicit GoldenSarifWriter(TextSink sink) : sink_(std::move(sink)) {}

  Status Begin(const GoldenRunInfo& run) override {
    folder_ = run.folder;
    json::Builder out;
    json::BeginSarif(out);
    AppendText(out, "version", run.head.version);
    out.Raw(",\"rules\":[");
    for (const GoldenStatus status : StatusesByRank()) {
      if (!IsFailure(status)) continue;
      out.Separate();
      out.Raw("\n{");
      AppendString(out, "id", FailureName(status));
      json::AppendSarifMessage(out, "shortDescription", Info(status).says);
      out.Raw(",\"defaultConfiguration\":{\"level\":\"error\"}}");
    }
    json::EndSarifRules(out, folder_);
    return sink_(out.string());
  }

  Status Add(const TraceResult& result) override {
    if (!IsFailure(result.status) || results_++ >= json::kMaxSarifResults) return OkStatus();
    json::Builder out;
    out.Raw(results_ == 1 ? "\n{" : ",\n{");
    AppendString(out, "ruleId", FailureName(result.status));
    AppendString(out, "level", "error");
    json::AppendSarifMessage(out, "message", result.path + ": " + result.message);
    out.Raw(",\"locations\":[{\"physicalLocation\":{");
    AppendArtifactLocation(out, json::UriIn(folder_, result.path));
    out.Raw("}}],\"partialFingerprints\":{");
    AppendString(out, "dp2traceGolden/v1", FailureHash(result));
    out.Raw("}}");
    return sink_(out.string());
  }

  Status Finish() override {
    json::Builder out;
    out.Raw(results_ == 0 ? "]" : "\n]");
    out.Raw(",\"invocations\":[{\"executionSuccessful\":true,\"toolExecutionNotifications\":[");
    if (results_ > json::kMaxSarifResults) {
      out.Raw("{\"level\":\"note\"");
      json::AppendSarifMessage(
          out, "message",
          fmt::format("{} of {} traces that fail are listed: a run may hold no more",
                      json::kMaxSarifResults, results_));
      out.Raw('}');
    }
    out.Raw("]}]}]}\n");
    return sink_(out.string());
  }

 private:
  TextSink sink_;
  std::string folder_;
  uint64_t results_ = 0;  // written or not
};

}  // namespace

std::unique_ptr<GoldenWriter> MakeGoldenSarifWriter(TextSink sink) {
  return std::make_unique<GoldenSarifWriter>(std::move(sink));
}

}  // namespace dp2trace::golden
