// Where one form of a result goes: to standard output, into a file that appears whole or not at all, or after what others have written
// into a file.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/file.h"
#include "base/text_sink.h"

namespace dp2trace::app {

struct FormRequest {
  std::string format;
  std::string path;          // empty: standard output
  bool is_appended = false;  // written at the end, after what the file holds then
};

// FORMAT=PATH; nothing where one of the two is missing.
std::optional<FormRequest> SplitFormRequest(const std::string& text);
// Where the form `github` is asked for, its page is added for the file that $GITHUB_STEP_SUMMARY names.
void AddStepSummary(std::vector<FormRequest>& requests);

class FormOutput {
 public:
  explicit FormOutput(FormRequest request) : request_(std::move(request)) {}
  FormOutput(const FormOutput&) = delete;
  FormOutput& operator=(const FormOutput&) = delete;

  const std::string& format() const { return request_.format; }
  const std::string& path() const { return request_.path; }
  bool is_standard_output() const { return request_.path.empty(); }
  // Opens the file. The sink lives as long as the object.
  Result<TextSink> Open();
  // The file appears, or the text is appended.
  Status Finish();

 private:
  FormRequest request_;
  std::unique_ptr<OutputFile> file_;
  std::string text_;  // that waits to be appended
};

}  // namespace dp2trace::app
