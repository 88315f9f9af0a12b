// Golden results as JUnit XML: one suite, a case for each trace. What the manifest exempts is skipped; a worker that died or a replay that
// gave up is an error, everything else that fails a failure. The host is a constant: the same input gives the same bytes. A time that was not
// measured (--durations) is left out.
// Source: the schema of Ant's JUnit reports (JUnit.xsd), to which `skipped` and the output of a case are the usual additions. It demands times, which readers do without.
#include <fmt/format.h>

#include <utility>

#include "base/plain_text.h"
#include "golden/result_writer.h"
#include "text/escape.h"

namespace dp2trace::golden {
namespace {

class GoldenJunitWriter final : public GoldenWriter {
 public:
  explicit GoldenJunitWriter(TextSink sink) : sink_(std::move(sink)) {}

  Status Begin(const GoldenRunInfo& run) override {
    uint64_t totals[kOutcomeCount] = {};
    uint64_t tests = 0;
    for (size_t i = 0; i < kGoldenStatusCount; ++i) {
      totals[static_cast<size_t>(Info(static_cast<GoldenStatus>(i)).outcome)] += run.counts[i];
      tests += run.counts[i];
    }
    durations_ = run.durations;
    return sink_(fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
        "  <testsuite name=\"golden\" package=\"dp2trace\" id=\"0\" timestamp=\"1970-01-01T00:00:00\" "
        "hostname=\"localhost\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\">\n    <properties/>\n",
        tests, totals[static_cast<size_t>(Outcome::kFailed)],
        totals[static_cast<size_t>(Outcome::kError)],
        totals[static_cast<size_t>(Outcome::kSkipped)]));
  }

  Status Add(const TraceResult& result) override {
    const std::string head = fmt::format("    <testcase name=\"{}\" classname=\"golden\"{}",
                                         text::EscapeXml(Plain(result.path)), TimeOf(result));
    const std::string message = text::EscapeXml(Plain(result.message));
    const std::string_view status = Name(result.status);
    const std::string output = result.output.empty() ? ""
                                                     : fmt::format("<system-out>{}</system-out>",
                                                                   text::EscapeXml(result.output));
    switch (Info(result.status).outcome) {
      case Outcome::kPassed:
        return sink_(head + "/>\n");
      case Outcome::kSkipped:
        return sink_(fmt::format("{}><skipped message=\"{}: {}\"/>{}</testcase>\n", head, status,
                                 message, output));
      case Outcome::kFailed:
        return sink_(fmt::format("{}><failure type=\"{}\" message=\"{}\"/>{}</testcase>\n", head,
                                 status, message, output));
      case Outcome::kError:
        return sink_(fmt::format("{}><error type=\"{}\" message=\"{}\"/>{}</testcase>\n", head,
                                 status, message, output));
    }
    return OkStatus();
  }

  Status Finish() override {
    return sink_("    <system-out/>\n    <system-err/>\n  </testsuite>\n</testsuites>\n");
  }

 private:
  std::string TimeOf(const TraceResult& result) const {
    const auto found = durations_.find(result.hash);
    if (found == durations_.end()) return {};
    return fmt::format(" time=\"{:.3f}\"", static_cast<double>(found->second) / 1000);
  }

  TextSink sink_;
  Durations durations_;
};

}  // namespace

std::unique_ptr<GoldenWriter> MakeGoldenJunitWriter(TextSink sink) {
  return std::make_unique<GoldenJunitWriter>(std::move(sink));
}

}  // namespace dp2trace::golden
