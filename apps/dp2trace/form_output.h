// Where one form of a result goes: to standard output, into a file that appears whole or not at all, or after what others have written
// into a file.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
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

// What an option asks for.
struct FormTexts {
  std::string_view option;
  const std::vector<std::string>& texts;  // FORMAT=PATH
  bool is_forced = false;                 // files that exist are replaced
};

// Appends what the option asks for, of the forms with these names. Where the form `github` is among all of them, its page
// is added for the file that $GITHUB_STEP_SUMMARY names. False after a line that says what is wrong.
bool AddFormRequests(const FormTexts& asked, std::span<const std::string_view> names,
                     std::vector<FormRequest>& requests);

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
