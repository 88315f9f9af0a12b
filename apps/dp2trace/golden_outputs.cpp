#include "golden_outputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "console.h"

namespace dp2trace::app {
namespace {

bool IsFormat(std::string_view name) {
  return std::ranges::find(golden::GoldenForms(), name, &golden::GoldenForm::name) !=
         golden::GoldenForms().end();
}

std::string Names() {
  std::string names;
  for (const golden::GoldenForm& form : golden::GoldenForms())
    names += fmt::format("{}{}", names.empty() ? "" : ", ", form.name);
  return names;
}

}  // namespace

std::string FormsInWords() {
  std::string words;
  for (const golden::GoldenForm& form : golden::GoldenForms()) {
    words += fmt::format("{}{}", words.empty() ? "" : ", ", form.name);
    if (!form.remark.empty()) words += fmt::format(" ({})", form.remark);
  }
  return words;
}

bool GoldenOutputs::Parse(const std::vector<std::string>& outputs) {
  std::vector<FormRequest> requests;
  for (const std::string& text : outputs) {
    const std::optional<FormRequest> request = SplitFormRequest(text);
    if (!request) {
      PrintError(fmt::format("--output: '{}' is not FORMAT=PATH", text));
      return false;
    }
    if (!IsFormat(request->format)) {
      PrintError(
          fmt::format("--output: '{}' is not a format; there are {}", request->format, Names()));
      return false;
    }
    requests.push_back(*request);
  }
  AddStepSummary(requests);
  for (const FormRequest& request : requests)
    outputs_.push_back(std::make_unique<Output>(request));
  return true;
}

std::vector<std::string> GoldenOutputs::Paths() const {
  std::vector<std::string> paths;
  for (const auto& output : outputs_)
    paths.push_back(output->form.path());
  return paths;
}

Status GoldenOutputs::Begin(const golden::GoldenRunInfo& run) {
  for (const auto& output : outputs_) {
    Result<TextSink> sink = output->form.Open();
    if (!sink.ok()) return sink.status();
    output->writer = golden::MakeGoldenWriter(output->form.format(), std::move(*sink));
    DP2TRACE_RETURN_IF_ERROR(output->writer->Begin(run));
  }
  return OkStatus();
}

Status GoldenOutputs::Add(const golden::TraceResult& result) {
  for (const auto& output : outputs_)
    DP2TRACE_RETURN_IF_ERROR(output->writer->Add(result));
  return OkStatus();
}

Status GoldenOutputs::Finish() {
  for (const auto& output : outputs_)
    DP2TRACE_RETURN_IF_ERROR(output->writer->Finish());
  for (const auto& output : outputs_)
    DP2TRACE_RETURN_IF_ERROR(output->form.Finish());
  return OkStatus();
}

}  // namespace dp2trace::app
