#include "form_output.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "base/near_miss.h"
#include "console.h"
#include "options.h"

namespace dp2trace::app {

namespace {

// Nothing where one of the two is missing.
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

}  // namespace

bool AddFormRequests(const FormTexts& asked, std::span<const std::string_view> names,
                     std::vector<FormRequest>& requests) {
  std::vector<std::string> paths;
  for (const std::string& text : asked.texts) {
    const std::optional<FormRequest> request = SplitFormRequest(text);
    if (!request) {
      PrintError(fmt::format("{}: '{}' is not FORMAT=PATH", asked.option, text));
      return false;
    }
    if (std::ranges::find(names, request->format) == names.end()) {
      const std::string near = NearMissClause(request->format, names);
      PrintError(
          fmt::format("{}: '{}' is not a format{}", asked.option, request->format,
                      near.empty() ? fmt::format("; there are {}", fmt::join(names, ", ")) : near));
      return false;
    }
    requests.push_back(*request);
    paths.push_back(request->path);
  }
  if (CheckPlaces(paths, asked.is_forced) != ExitCode::kOk) return false;
  AddStepSummary(requests);
  return true;
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
