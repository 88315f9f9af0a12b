#include "finding_outputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

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

bool FindingOutputs::Parse(const std::string& format, const FormTexts& outputs) {
  std::vector<FormRequest> requests;
  if (!format.empty()) requests.push_back({.format = format, .path = ""});
  if (!AddFormRequests(outputs, FormNames(), requests)) return false;
  if (std::ranges::find(requests, "-", &FormRequest::path) != requests.end()) {
    PrintError(fmt::format("{}: --format chooses what goes to standard output", outputs.option));
    return false;
  }
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
