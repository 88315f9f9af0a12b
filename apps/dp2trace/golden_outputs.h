// Where the results of `golden report` go besides its page: forms for continuous integration, each to a file.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "form_output.h"
#include "golden/result_writer.h"

namespace dp2trace::app {

// "junit, github (annotations)"
std::string FormsInWords();

class GoldenOutputs final : public golden::GoldenWriter {
 public:
  // "-" is standard output. The form for GitHub also adds its page to the file that $GITHUB_STEP_SUMMARY names.
  // False after a line that says what is wrong with them.
  bool Parse(const FormTexts& outputs);
  // Of all files.
  std::vector<std::string> Paths() const;
  Status Begin(const golden::GoldenRunInfo& run) override;
  Status Add(const golden::TraceResult& result) override;
  // The files appear.
  Status Finish() override;

 private:
  struct Output {
    explicit Output(const FormRequest& request) : form(request) {}
    FormOutput form;
    std::unique_ptr<golden::GoldenWriter> writer;
  };

  std::vector<std::unique_ptr<Output>> outputs_;
};

}  // namespace dp2trace::app
