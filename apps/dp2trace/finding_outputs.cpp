#include "finding_outputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/near_miss.h"
#include "console.h"

namespace dp2trace::app {
namespace {

std::vector<std::string_view> FormNames() {
  std::vector<std::string_view> names;
  for (const lint::FindingForm& form : lint::FindingForms())
    names.push_back(form.name);
  return names;
}

}  // namespace

bool FindingOutputs::Parse(const std::string& format, const std::string& option,
                           const std::vector<std::string>& outputs) {
  const std::vector<std::string_view> names = FormNames();
  std::vector<FormRequest> requests;
  if (!format.empty()) requests.push_back({.format = format, .path = ""});
  for (const std::string& text : outputs) {
    const std::optional<FormRequest> request = SplitFormRequest(text);
    if (!request || request->path == "-") {
      PrintError(
          fmt::format("{}: '{}' is not FORMAT=PATH; --format chooses what goes to standard output",
                      option, text));
      return false;
    }
    if (std::ranges::find(names, request->format) == names.end()) {
      PrintError(fmt::format("{}: '{}' is not a format{}", option, request->format,
                             NearMissClause(request->format, names)));
      return false;
    }
    requests.push_back(*request);
  }
  AddStepSummary(requests);
  for (const FormRequest& request : requests)
    outputs_.push_back(std::make_unique<Output>(request));
  return true;
}

std::vector<std::string> FindingOutputs::Paths() const {
  std::vector<std::string> paths;
  for (const auto& output : outputs_) {
    if (!output->form.is_standard_output()) paths.push_back(output->form.path());
  }
  return paths;
}

Status FindingOutputs::Open(const lint::WriterOptions& options) {
  for (const auto& output : outputs_) {
    Result<TextSink> sink = output->form.Open();
    if (!sink.ok()) return sink.status();
    lint::WriterOptions own = options;
    own.has_color = options.has_color && output->form.is_standard_output();
    output->writer = lint::MakeFindingWriter(output->form.format(), own, std::move(*sink));
    DP2TRACE_RETURN_IF_ERROR(output->writer->Begin());
  }
  return OkStatus();
}

Status FindingOutputs::Add(const lint::FileFindings& file) {
  for (const auto& output : outputs_)
    DP2TRACE_RETURN_IF_ERROR(output->writer->Add(file));
  return OkStatus();
}

Status FindingOutputs::Finish(const lint::Outcome& outcome) {
  for (const auto& output : outputs_)
    DP2TRACE_RETURN_IF_ERROR(output->writer->Finish(outcome));
  for (const auto& output : outputs_)
    DP2TRACE_RETURN_IF_ERROR(output->form.Finish());
  return FinishResult();
}

}  // namespace dp2trace::app
