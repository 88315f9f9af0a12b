#include "form_output.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "console.h"

namespace dp2trace::app {

std::optional<FormRequest> SplitFormRequest(const std::string& text) {
  const size_t equals = text.find('=');
  if (equals == std::string::npos || equals + 1 == text.size()) return std::nullopt;
  return FormRequest{.format = text.substr(0, equals), .path = text.substr(equals + 1)};
}

void AddStepSummary(std::vector<FormRequest>& requests) {
  const bool is_for_github =
      std::ranges::find(requests, "github", &FormRequest::format) != requests.end();
  const char* const summary =
      std::getenv("GITHUB_STEP_SUMMARY");  // NOLINT(concurrency-mt-unsafe): nobody sets variables
  if (!is_for_github || summary == nullptr || *summary == '\0') return;
  requests.push_back({.format = "github-summary", .path = summary, .is_appended = true});
}

Result<TextSink> FormOutput::Open() {
  if (request_.is_appended) {
    return TextSink([this](std::string_view piece) {
      text_ += piece;
      return OkStatus();
    });
  }
  if (request_.path.empty()) return TextSink(WriteResult);
  Result<OutputFile> file = OutputFile::Create(request_.path);
  if (!file.ok()) return file.status();
  file_ = std::make_unique<OutputFile>(std::move(*file));
  return TextSink([this](std::string_view piece) { return file_->Write(piece); });
}

Status FormOutput::Finish() {
  if (file_) return file_->Commit();
  // The runner made the file; other steps may have written to it.
  return request_.is_appended ? AppendToFile(request_.path, text_) : OkStatus();
}

}  // namespace dp2trace::app
