#include "golden_outputs.h"

#include <fmt/format.h>

#include <utility>

namespace dp2trace::app {
namespace {

std::vector<std::string_view> FormNames() {
  std::vector<std::string_view> names;
  for (const golden::GoldenForm& form : golden::GoldenForms())
    names.push_back(form.name);
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

bool GoldenOutputs::Parse(const FormTexts& outputs) {
  std::vector<FormRequest> requests;
  if (!AddFormRequests(outputs, FormNames(), requests)) return false;
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
