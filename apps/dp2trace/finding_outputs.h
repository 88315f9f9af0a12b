// Where findings go: one form to standard output, any others to files, which appear whole or not at all.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "form_output.h"
#include "lint/finding_writer.h"

namespace dp2trace::app {

class FindingOutputs {
 public:
  // `format` is the form of standard output; empty: that is not for findings. The form for GitHub also adds its page to the file that
  // $GITHUB_STEP_SUMMARY names. False after a line that says what is wrong with them.
  bool Parse(const std::string& format, const FormTexts& outputs);
  // Of all files.
  std::vector<std::string> Paths() const;
  Status Open(const lint::WriterOptions& options);
  Status Add(const lint::FileFindings& file);
  Status Finish(const lint::Outcome& outcome);

 private:
  struct Output {
    explicit Output(const FormRequest& request) : form(request) {}
    FormOutput form;
    std::unique_ptr<lint::FindingWriter> writer;
  };

  std::vector<std::unique_ptr<Output>> outputs_;
};

}  // namespace dp2trace::app
