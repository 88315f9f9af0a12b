// Golden results as a GitLab code quality report: an entry for each trace that fails. A picture has no line, so it stands at line 1.
// Source: GitLab documentation, "Code Quality", report format: description, check_name, fingerprint, severity, location.
#include <utility>

#include "golden/result_writer.h"
#include "json/builder.h"

namespace dp2trace::golden {
namespace {

class GoldenGitlabWriter final : public GoldenWriter {
 public:
  explicit GoldenGitlabWriter(TextSink sink) : sink_(std::move(sink)) {}

  Status Begin(const GoldenRunInfo& run) override {
    // An entry must have a path; one of this machine is of no project.
    if (!IsElsewhere(run.folder)) folder_ = run.folder;
    return sink_("[");
  }

  Status Add(const TraceResult& result) override {
    if (!IsFailure(result.status)) return OkStatus();
    json::Builder out;
    out.Raw(std::exchange(has_element_, true) ? ",\n{" : "\n{");
    out.Key("description");
    out.String(result.path + ": " + result.message);
    out.Key("check_name");
    out.Name(FailureName(result.status));
    out.Key("fingerprint");
    out.Name(FailureHash(result));
    out.Key("severity");
    out.Name("major");
    out.Key("location");
    out.Raw("{\"path\":");
    out.String(folder_ + result.path);
    out.Raw(",\"lines\":{\"begin\":1}}}");
    return sink_(out.string());
  }

  Status Finish() override { return sink_(has_element_ ? "\n]\n" : "]\n"); }

 private:
  TextSink sink_;
  std::string folder_;
  bool has_element_ = false;
};

}  // namespace

std::unique_ptr<GoldenWriter> MakeGoldenGitlabWriter(TextSink sink) {
  return std::make_unique<GoldenGitlabWriter>(std::move(sink));
}

}  // namespace dp2trace::golden
