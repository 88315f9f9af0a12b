// What `verify` prints of its traces, and the findings that it hands on.
#pragma once

#include <cstddef>

#include "base/status.h"
#include "exit_code.h"
#include "finding_outputs.h"
#include "lint/finding_postprocessor.h"
#include "verify/verify_run.h"
#include "verify_options.h"

namespace dp2trace::app {

// One report after the other: text with a line about all, or one JSON object.
class VerifyReports {
 public:
  // `outputs` are open. Both outlive the object.
  VerifyReports(const VerifyOptions& options, size_t traces, FindingOutputs& outputs)
      : options_(options), traces_(traces), outputs_(outputs), postprocessor_(linting_) {
    linting_.fail_on = options.fail_on;
  }

  // Fails where something cannot be written.
  Status Add(verify::VerifyResult result);
  Status Finish();
  // Of all traces so far.
  ExitCode code() const { return code_; }

 private:
  // The beginning of the JSON.
  static std::string Start();
  Status Print(const verify::VerifyResult& result);

  const VerifyOptions& options_;
  size_t traces_;
  FindingOutputs& outputs_;
  lint::PostprocessorOptions linting_;
  lint::FindingPostprocessor postprocessor_;
  size_t printed_ = 0, sound_ = 0, unread_ = 0;
  ExitCode code_ = ExitCode::kOk;
};

}  // namespace dp2trace::app
